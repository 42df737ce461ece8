// Scattered layers. Each region of side × side cells of an unbounded map has its own walkers (docs/determinism.md). The
// caller first prepares all chunks that the walkers of a region can reach. Then the caller seats the walkers in groups.
// To know the visits of a rectangle of cells, it moves each group until no remaining step can visit the rectangle. The
// maps of earlier layers decide which cells of a chunk are closed. So they must be final when the chunk is prepared.

import { belowAt } from "../core/below";
import { derived0, derived1, derivePairFork, deriveStarts } from "../core/keys";
import { BLOCK_BITS, Share, Status } from "../core/layout";
import { allocateZeroed } from "../core/memory";
import { BLOCK_MASK, useStream } from "../core/words";
import { advanceGroup } from "./advance";
import { addToTile } from "./cellSets";
import { addVisited, clearBits, invertBits, ROW_BYTES, rowOfBits } from "./chunkBits";
import { createDirectory, Directory, Entry, find, insert } from "./directory";
import { groupBytes, groupWalker, wantRectangle } from "./groups";
import { CHUNK_SIDE_BITS, cellSetOf, HexMap, isClosed } from "./hexMap";
import { CellSetKind, CHUNK_SIDE, ScatterPlan, WalkerGroup } from "./layout";
import {
  createRankedCells,
  RankedCells,
  rankedCol,
  rankedRow,
  rankHolding,
  rankOpen,
  rankVisited,
  selectCell,
} from "./rankedCells";
import { createEndSteps, placeWalker } from "./walkers";

/** Planes of the words that draw a start cell. */
const ROW_PLANE: u64 = 0;
const COL_PLANE: u64 = 1;
const REDRAW_PLANE: u64 = 2;

/**
 * A scattered layer.
 *
 *   0      4      8          12      16     20
 *   ├─ plan ─┼─ free ─┼─ prepared ─┼─ starts ─┼─ open ─┤
 */
@unmanaged
export class ScatterLayer {
  plan: ScatterPlan;
  /** Address of the first free group, or 0. Finished groups are free, and are used again. */
  free: usize;
  /** An entry for each chunk that was prepared. */
  prepared: Directory;
  /** The cells of the region that have visits in the map `plan.starts`. 0 if `plan.starts` is 0. */
  starts: RankedCells;
  /**
   * The cells of `starts` that are not closed. If `starts` is 0, all cells of the region that are not closed. With
   * `plan.density`, only those cells that send a walker.
   */
  open: RankedCells;
}

/** The bits of the chunk that is being prepared. */
const chunkBits = memory.data(<i32>(CHUNK_SIDE * sizeof<u64>()), 16);

/** Creates a scattered layer. The layer keeps a reference to its plan. Returns 0 if memory runs out. */
export function createScatter(plan: ScatterPlan): usize {
  const at = allocateZeroed(offsetof<ScatterLayer>());
  const prepared = createDirectory();
  const open = createRankedCells(plan.side);
  const starts = plan.starts ? createRankedCells(plan.side) : 0;
  if (!at || !prepared || !open || (plan.starts && !starts)) return 0;
  const map = changetype<HexMap>(plan.map);
  if ((plan.until || map.slope) && !createEndSteps(map, 1)) return 0;
  const layer = changetype<ScatterLayer>(at);
  layer.plan = plan;
  layer.prepared = changetype<Directory>(prepared);
  layer.starts = changetype<RankedCells>(starts);
  layer.open = changetype<RankedCells>(open);
  return at;
}

// ── chunks ──

/**
 * Prepares the chunks in a rectangle of chunks, corners inclusive: marks their closed cells, and the cells on which
 * walkers end. Skips chunks that are prepared already. The maps to which the plan refers must be final in all chunks of
 * the rectangle. Returns false if memory runs out.
 */
export function prepareChunks(layer: ScatterLayer, row0: i32, col0: i32, row1: i32, col1: i32): bool {
  const plan = layer.plan;
  if (!plan.closedCount && !plan.openCount && !plan.until) return true;
  for (let row = row0; row <= row1; ++row) {
    for (let col = col0; col <= col1; ++col) {
      if (!find(layer.prepared, row, col) && !prepareChunk(layer, row, col)) return false;
    }
  }
  return true;
}

function prepareChunk(layer: ScatterLayer, row: i32, col: i32): bool {
  const plan = layer.plan;
  const map = changetype<HexMap>(plan.map);
  if (plan.closedCount || plan.openCount) {
    clearBits(chunkBits);
    addSources(plan.open, plan.openCount, row, col);
    if (plan.openCount) invertBits(chunkBits);
    addSources(plan.closed, plan.closedCount, row, col);
    if (!keepBits(map, CellSetKind.CLOSED, row, col)) return false;
  }
  if (plan.until) {
    clearBits(chunkBits);
    addVisited(changetype<HexMap>(plan.until), row, col, chunkBits, ROW_BYTES);
    if (plan.untilOutside) invertBits(chunkBits);
    if (!keepBits(map, CellSetKind.ENDS, row, col)) return false;
  }
  const at = allocateZeroed(offsetof<Entry>());
  if (!at) return false;
  const entry = changetype<Entry>(at);
  entry.row = row;
  entry.col = col;
  return insert(layer.prepared, entry);
}

/** Adds the visited cells of `count` maps to `chunkBits`. `maps` is an array of their addresses. */
function addSources(maps: usize, count: u32, row: i32, col: i32): void {
  for (let i: usize = 0; i < <usize>count; ++i) {
    addVisited(changetype<HexMap>(load<usize>(maps + i * sizeof<usize>())), row, col, chunkBits, ROW_BYTES);
  }
}

/** Adds the cells of `chunkBits` to a set of the map. Returns false if memory runs out. */
function keepBits(map: HexMap, kind: CellSetKind, row: i32, col: i32): bool {
  let any: u64 = 0;
  for (let r = 0; r < CHUNK_SIDE; ++r) any |= load<u64>(rowOfBits(chunkBits, r));
  return any == 0 || addToTile(cellSetOf(map, kind), row, col, chunkBits, CHUNK_SIDE * sizeof<u64>());
}

// ── walkers ──

// The current region: its first cell, the key of its steps, the key of its start cells, and whether `layer.open`
// already contains the region's open cells.
let row0: i32 = 0;
let col0: i32 = 0;
let region0: u32 = 0;
let region1: u32 = 0;
let starts0: u32 = 0;
let starts1: u32 = 0;
let openIsRanked = false;

/**
 * Begins region (i, j), and returns the number of its walkers. All chunks that they can reach must be prepared. After
 * this call, `seatGroup` places the walkers. Changes the current stream.
 */
export function beginRegion(layer: ScatterLayer, i: i32, j: i32): u32 {
  const plan = layer.plan;
  row0 = i * <i32>plan.side;
  col0 = j * <i32>plan.side;
  openIsRanked = false;
  derivePairFork(plan.key0, plan.key1, i, j);
  region0 = derived0;
  region1 = derived1;
  deriveStarts(region0, region1);
  starts0 = derived0;
  starts1 = derived1;
  if (plan.starts) rankVisited(layer.starts, changetype<HexMap>(plan.starts), chunkRow(), chunkCol());
  if (!plan.density) return plan.walkers;
  rankOpen(layer.open, changetype<HexMap>(plan.map), changetype<usize>(layer.starts), chunkRow(), chunkCol());
  rankHolding(layer.open, changetype<Share>(plan.density), chunkRow(), chunkCol());
  return layer.open.count;
}

/**
 * Places the walkers `first` … `first` + `count` − 1 of the current region on their start cells, as a group. `count` is
 * at most `plan.seats`, and the walkers are among those that `beginRegion` counted. If the region has no cell to start
 * on, the group has no walkers. Returns the address of the group, or 0 if memory runs out; then the map cannot be used
 * any more. Changes the current stream.
 */
export function seatGroup(layer: ScatterLayer, first: u32, count: u32): usize {
  const at = takeGroup(layer);
  if (!at) return 0;
  const group = changetype<WalkerGroup>(at);
  group.first = first;
  group.key0 = region0;
  group.key1 = region1;
  useStream(starts0, starts1);
  for (; group.count < count && drawStart(layer, first + group.count); ++group.count) {
    if (!seatWalker(layer.plan, group)) return 0;
  }
  return at;
}

/** Puts the next walker of a group on the start cell that was drawn. Returns false if memory runs out. */
function seatWalker(plan: ScatterPlan, group: WalkerGroup): bool {
  const heading = <u32>load<u8>(plan.headings + ((group.first + group.count) % plan.headingCount));
  // passes the walker as an array of one walker
  const at = changetype<usize>(groupWalker(group, group.count));
  return placeWalker(changetype<HexMap>(plan.map), at, 0, row0 + rowDrawn, col0 + colDrawn, heading) == Status.OK;
}

/**
 * Returns the address of an empty group: a free group or, if no group is free, a new one. Returns 0 if memory runs out.
 */
function takeGroup(layer: ScatterLayer): usize {
  const at = layer.free;
  const bytes = groupBytes(layer.plan.seats);
  if (!at) return allocateZeroed(bytes);
  layer.free = changetype<WalkerGroup>(at).next;
  memory.fill(at, 0, bytes);
  return at;
}

/**
 * Moves the walkers of a group until none of their remaining steps can visit the rectangle, corners inclusive. After
 * that, if `group.left` is 0, the group is free: do not use it any more. Changes the current stream. After a failure,
 * the map cannot be used any more, because some visits are missing.
 */
export function walkGroup(layer: ScatterLayer, group: WalkerGroup, row0: i32, col0: i32, row1: i32, col1: i32): Status {
  const plan = layer.plan;
  useStream(group.key0, group.key1);
  wantRectangle(row0, col0, row1, col1);
  const status = advanceGroup(changetype<HexMap>(plan.map), plan.tensor, group, plan.steps);
  if (status == Status.OK && !group.left) {
    group.next = layer.free;
    layer.free = changetype<usize>(group);
  }
  return status;
}

function chunkRow(): i32 {
  return row0 >> CHUNK_SIDE_BITS;
}

function chunkCol(): i32 {
  return col0 >> CHUNK_SIDE_BITS;
}

/** The start cell that `drawStart` drew, relative to the first cell of the region. */
let rowDrawn: i32 = 0;
let colDrawn: i32 = 0;

/** Draws the start cell of a walker. Returns false if the region has no cell to start on. */
function drawStart(layer: ScatterLayer, walker: u32): bool {
  const plan = layer.plan;
  if (plan.density) {
    choose(layer.open, walker);
    return true;
  }
  const block = walker >>> BLOCK_BITS;
  const offset = walker & BLOCK_MASK;
  if (!plan.starts) {
    rowDrawn = <i32>belowAt(ROW_PLANE, block, offset, plan.side);
    colDrawn = <i32>belowAt(COL_PLANE, block, offset, plan.side);
  } else {
    if (!layer.starts.count) return false;
    choose(layer.starts, belowAt(ROW_PLANE, block, offset, layer.starts.count));
  }
  const map = changetype<HexMap>(plan.map);
  if (!isClosed(map, row0 + rowDrawn, col0 + colDrawn)) return true;
  if (!openIsRanked) rankOpen(layer.open, map, changetype<usize>(layer.starts), chunkRow(), chunkCol());
  openIsRanked = true;
  if (!layer.open.count) return false;
  choose(layer.open, belowAt(REDRAW_PLANE, block, offset, layer.open.count));
  return true;
}

function choose(cells: RankedCells, rank: u32): void {
  selectCell(cells, rank);
  rowDrawn = rankedRow;
  colDrawn = rankedCol;
}
