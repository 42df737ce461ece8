// The calls for walks and worlds. Each takes the key of a mill: that of the seed, or of a fork of the mill. A rectangle
// has at most MAX_WINDOW rows and columns, all in the grid.
//
// The memory of the walks stays between calls. So what a host allocates after a call, it must release before the next.

import { allocate, mark, release } from "../core/memory";
import { HexMap } from "../walks/hexMap";
import { GridKind } from "../walks/layout";
import { copyFirstVisits, copyVisits } from "../walks/windows";
import { TerrainArea } from "../worlds/layout";
import { makeTerrain } from "../worlds/terrain";
import { MAX_WINDOW } from "./loadWorld";
import { madeOf, NounKind, nounKind, PlanStatus, refusal } from "./nouns";
import { abandonWorld, ensure, failure, isJustOpened, openWorld, outOfMemory, worldKey } from "./walkEngine";
import { firstCol, firstRow, lastCol, lastRow, openArea, placeArea } from "./worldAreas";
import { Box, kindAt, layerAt, MadeWorld, Program, readsLayer } from "./worldParts";
import { clip, findBoxes, findKinds, listPlacements, setBox, unite } from "./worldPlacements";

/** What a call makes. */
const enum Task {
  /** The visits of a layer, u32. */
  VISITS,
  /** The steps of its first visits, u32; 2^32 − 1 for a cell without visits. */
  FIRST_VISITS,
  /** The terrain of a world, a byte for each cell. */
  TERRAIN,
  /** The placements of a world, six words each. */
  PLACEMENTS,
}

/** The rectangle of the current call, and the cells around it whose terrain must be known. */
const cells = changetype<Box>(memory.data(<i32>offsetof<Box>(), 8));
const around = changetype<Box>(memory.data(<i32>offsetof<Box>(), 8));
let results: usize = 0;

/** Returns the address of what the last call of `makeCells` made, row by row. It is valid until the next call. */
export function cellsAddress(): usize {
  return results;
}

/** Returns the number of layers of a walk or a world; 0 if the noun is neither. */
export function layerCount(noun: u32): u32 {
  const made = madeWorld(noun);
  return made ? changetype<MadeWorld>(made).layerCount : 0;
}

/** Returns the record of a walk or a world; or 0 and the reason in `refusal`. */
function madeWorld(noun: u32): usize {
  return madeOf(noun, nounKind(noun) == NounKind.WALK ? NounKind.WALK : NounKind.WORLD);
}

/** Makes a rectangle of a world, or the visits of a walk. Only the visits read `layer`. */
export function makeCells(
  noun: u32,
  key: u64,
  task: u32,
  layer: u32,
  row: i32,
  col: i32,
  rows: u32,
  cols: u32,
): PlanStatus {
  const made = task < <u32>Task.TERRAIN ? madeWorld(noun) : madeOf(noun, NounKind.WORLD);
  if (!made) return refusal;
  const world = changetype<MadeWorld>(made);
  if (!setCells(world, row, col, rows, cols) || task > <u32>Task.PLACEMENTS) return PlanStatus.RANGE;
  if (task < <u32>Task.TERRAIN) {
    if (layer >= world.layerCount) return PlanStatus.RANGE;
    if (task == <u32>Task.FIRST_VISITS && !layerAt(world, layer).spec.firstVisits) return PlanStatus.RANGE;
  }
  return prepared(world, key, task, layer);
}

/** Sets the rectangle of a call. Returns false if it is too large, empty or not in the grid. */
function setCells(world: MadeWorld, row: i32, col: i32, rows: u32, cols: u32): bool {
  cells.top = row;
  cells.left = col;
  cells.bottom = <i64>row + rows - 1;
  cells.right = <i64>col + cols - 1;
  if (rows - 1 >= MAX_WINDOW || cols - 1 >= MAX_WINDOW) return false;
  if (cells.top < firstRow(world) || cells.bottom > lastRow(world)) return false;
  return cells.left >= firstCol(world) && cells.right <= lastCol(world);
}

/** Does a task. If memory runs out, the maps of the walks are incomplete, so it tries once more with empty maps. */
function prepared(world: MadeWorld, key: u64, task: Task, layer: u32): PlanStatus {
  if (!openWorld(world, key, false)) return PlanStatus.MEMORY;
  if (run(world, task, layer)) return PlanStatus.OK;
  if (failure == PlanStatus.MEMORY && !isJustOpened()) {
    if (!openWorld(world, key, true)) return PlanStatus.MEMORY;
    if (run(world, task, layer)) return PlanStatus.OK;
  }
  abandonWorld();
  return failure;
}

function run(world: MadeWorld, task: Task, layer: u32): bool {
  setBox(around, cells.top, cells.left, cells.bottom, cells.right);
  if (task < Task.TERRAIN) return ensureWalked(world, layer) && copyLayer(world, layer, task == Task.VISITS);
  const isPlaced = task == Task.PLACEMENTS;
  if (isPlaced) {
    findBoxes(world, cells);
    for (let k: u32 = 0; k < world.kindCount; ++k) {
      const box = kindAt(world, k).searched;
      unite(around, box.top, box.left, box.bottom, box.right);
    }
  }
  const program = changetype<Program>(world.program);
  const row = <i32>around.top;
  const col = <i32>around.left;
  const rows = <i32>(around.bottom - around.top + 1);
  const cols = <i32>(around.right - around.left + 1);
  const halo = isPlaced ? <i64>world.halo : <i64>program.reach;
  setBox(around, around.top - halo, around.left - halo, around.bottom + halo, around.right + halo);
  clip(around, world);
  // later layers need larger rectangles of earlier layers than the terrain does
  for (let l = <i32>world.layerCount - 1; l >= 0; --l) {
    if ((readsLayer(program, l) || (isPlaced && isLimiting(world, l))) && !ensureWalked(world, l)) return false;
  }
  const before = mark();
  const key = worldKey();
  const made = openArea(world, program, rows, cols, false, key, 0);
  if (!made) return outOfMemory();
  const area = changetype<TerrainArea>(made);
  placeArea(world, program, area, row, col, rows, cols);
  makeTerrain(area);
  results = isPlaced ? 0 : area.terrain;
  if (!isPlaced) joinRows(area);
  else if (findKinds(world, area, key)) results = listPlacements(world, cells, key);
  if (!results) return outOfMemory();
  // the results stay where they are until the next call allocates
  release(before);
  return true;
}

function isLimiting(world: MadeWorld, l: u32): bool {
  for (let k: u32 = 0; k < world.kindCount; ++k) if (readsLayer(kindAt(world, k), l)) return true;
  return false;
}

function isUpright(world: MadeWorld): u32 {
  return world.gridKind == GridKind.UNBOUNDED ? world.oddR : 0;
}

/** Completes a layer in `around`, whose columns become those of walkers. */
function ensureWalked(world: MadeWorld, l: u32): bool {
  const oddR = isUpright(world);
  const left = around.left - (oddR ? around.bottom >> 1 : 0);
  const right = around.right - (oddR ? around.top >> 1 : 0);
  return ensure(l, around.top, left, around.bottom, right);
}

/** Copies the visits of a layer in the rectangle of the call. */
function copyLayer(world: MadeWorld, layer: u32, isVisits: bool): bool {
  const rows = <u32>(cells.bottom - cells.top + 1);
  const cols = <u32>(cells.right - cells.left + 1);
  const before = mark();
  results = allocate((<usize>rows * cols) << 2);
  if (!results) return outOfMemory();
  const map = changetype<HexMap>(layerAt(world, layer).map);
  if (isVisits) copyVisits(map, <i32>cells.top, <i32>cells.left, rows, cols, isUpright(world), results);
  else copyFirstVisits(map, <i32>cells.top, <i32>cells.left, rows, cols, isUpright(world), results);
  release(before);
  return true;
}

/** Moves the rows of the terrain together. */
function joinRows(area: TerrainArea): void {
  const cols = <usize>area.cols;
  for (let r: usize = 0; r < <usize>area.rows; ++r) {
    memory.copy(area.terrain + r * cols, area.terrain + r * area.strideBytes, cols);
  }
}
