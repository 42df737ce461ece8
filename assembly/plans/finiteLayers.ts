// Runs the layers that are not scattered. A layer runs once, over the whole grid, after all earlier ones.

import { belowAt } from "../core/below";
import { window } from "../core/buffers";
import { derived0, derived1, deriveStarts } from "../core/keys";
import { BLOCK_BITS, Status } from "../core/layout";
import { allocate } from "../core/memory";
import { BLOCK_MASK, useStream } from "../core/words";
import { advance } from "../walks/advance";
import { addVisited, clearBits, invertBits, ROW_BYTES, rowOfBits } from "../walks/chunkBits";
import { chunksInTile, markChunk, nextTile, readChunk } from "../walks/hexChunks";
import { CHUNK_SIDE_BITS, cellSetOf, createMap, fillSet, HexMap, isClosed, mark, Tile } from "../walks/hexMap";
import { CellSetKind, CHUNK_SIDE, GridKind, MOST_SEATS } from "../walks/layout";
import { createTensor } from "../walks/tensor";
import { createEndSteps, createWalkers, placeWalker } from "../walks/walkers";
import { storeChunk } from "../walks/windows";
import { PlanStatus } from "./nouns";
import { colOfKey, keyOfCell, RANKED_BYTES, rankedAt, rowOfKey, sortCells } from "./sortCells";
import { Layer, LayerSpec, layerAt, MadeWorld, WEIGHT_COUNT, wordAt } from "./worldParts";

/** Walkers that run together. */
const SEATS: u32 = MOST_SEATS;
const KEY_BYTES: usize = sizeof<u64>();

/** The bits of a chunk of a source. */
const bits = memory.data(<i32>(CHUNK_SIDE * sizeof<u64>()), 16);

/** The start cells, as arrays of keys (sortCells.ts): those that are drawn, and those of them that are open. */
let starts: usize = 0;
let startCount: u32 = 0;
let openStarts: usize = 0;
let openCount: u32 = 0;

// ── what scattered layers have too ──

/** Creates the tensor of a layer. Returns 0 if memory runs out. */
export function createTensorOf(layer: Layer): usize {
  memory.copy(window, layer.weights, <usize>WEIGHT_COUNT * sizeof<u32>());
  return createTensor();
}

/** Closes the listed cells of a layer. Returns false if memory runs out. */
export function closeCells(layer: Layer, map: HexMap): bool {
  const count = layer.spec.closedCellCount;
  const cells = layer.closedCells;
  for (let i: u32 = 0; i < count; ++i) {
    const set = cellSetOf(map, CellSetKind.CLOSED);
    if (!mark(map, set, wordAt(cells, 2 * i), wordAt(cells, 2 * i + 1))) return false;
  }
  return true;
}

// ── a run ──

/** Runs the walkers of a layer, and keeps their visits in its map. Returns EMPTY if it has no cell to start on. */
export function runLayer(world: MadeWorld, layer: Layer, key: u64): PlanStatus {
  const spec = layer.spec;
  layer.isRun = 1;
  // an unbounded map without cells that are closed or ends elsewhere can be read as it is
  const isPlain = world.gridKind == GridKind.UNBOUNDED && !spec.openCount && !spec.outside;
  const oddR = world.gridKind == GridKind.UNBOUNDED ? 0 : world.oddR;
  const made = isPlain
    ? layer.map
    : createMap(world.gridKind, world.rows, world.cols, spec.firstVisits, oddR, 0, CHUNK_SIDE);
  const tensor = made ? createTensorOf(layer) : 0;
  const walkers = tensor ? createWalkers(min(SEATS, spec.walkers)) : 0;
  if (!walkers) return PlanStatus.MEMORY;
  const map = changetype<HexMap>(made);
  if (!closeCells(layer, map) || !markSources(world, layer, map)) return PlanStatus.MEMORY;
  if (spec.until && !createEndSteps(map, SEATS)) return PlanStatus.MEMORY;
  const status = listStarts(world, layer, map);
  if (status) return status;
  for (let first: u32 = 0; first < spec.walkers; first += SEATS) {
    const count = min(SEATS, spec.walkers - first);
    deriveStarts(<u32>key, <u32>(key >>> 32));
    useStream(derived0, derived1);
    for (let i: u32 = 0; i < count; ++i) {
      const start = drawStart(spec, map, first + i);
      const heading = wordAt(layer.headings, (first + i) % spec.headingCount);
      const placed = placeWalker(map, walkers, i, rowOfKey(start), colOfKey(start), heading);
      if (placed != Status.OK) return PlanStatus.MEMORY;
    }
    useStream(<u32>key, <u32>(key >>> 32));
    if (advance(map, tensor, walkers, 0, count, first, 0, 0, 0, spec.steps) != Status.OK) return PlanStatus.MEMORY;
  }
  return isPlain || copyChunks(map, changetype<HexMap>(layer.map)) ? PlanStatus.OK : PlanStatus.MEMORY;
}

function copyChunks(from: HexMap, to: HexMap): bool {
  const chunks = chunksInTile(from);
  for (let tile = nextTile(from, 0); tile; tile = nextTile(from, tile)) {
    for (let chunk: u32 = 0; chunk < chunks; ++chunk) {
      if (readChunk(from, changetype<Tile>(tile), chunk) && storeChunk(to) != Status.OK) return false;
    }
  }
  return true;
}

/** Marks the closed cells and the end cells that earlier layers give. Returns false if memory runs out. */
function markSources(world: MadeWorld, layer: Layer, map: HexMap): bool {
  const spec = layer.spec;
  for (let i: u32 = 0; i < spec.closedCount; ++i) {
    if (!markVisits(map, CellSetKind.CLOSED, mapOf(world, wordAt(layer.closed, i)), false)) return false;
  }
  if (spec.openCount) fillSet(map, CellSetKind.CLOSED);
  for (let i: u32 = 0; i < spec.openCount; ++i) {
    if (!markVisits(map, CellSetKind.CLOSED, mapOf(world, wordAt(layer.open, i)), true)) return false;
  }
  if (!spec.until) return true;
  if (spec.outside) fillSet(map, CellSetKind.ENDS);
  return markVisits(map, CellSetKind.ENDS, mapOf(world, spec.until - 1), spec.outside != 0);
}

function mapOf(world: MadeWorld, l: u32): HexMap {
  return changetype<HexMap>(layerAt(world, l).map);
}

/** Adds the visited cells of a map to a set; with `isOutside`, removes them from the set. */
function markVisits(map: HexMap, kind: CellSetKind, source: HexMap, isOutside: bool): bool {
  for (let tile = nextTile(source, 0); tile; tile = nextTile(source, tile)) {
    const row = changetype<Tile>(tile).row;
    const col = changetype<Tile>(tile).col;
    clearBits(bits);
    addVisited(source, row, col, bits, ROW_BYTES);
    if (isOutside) invertBits(bits);
    memory.copy(window, bits, CHUNK_SIDE * sizeof<u64>());
    if (markChunk(map, kind, row, col) != Status.OK) return false;
  }
  return true;
}

// ── start cells ──

function listStarts(world: MadeWorld, layer: Layer, map: HexMap): PlanStatus {
  const spec = layer.spec;
  openCount = 0;
  if (spec.rows && !map.hasClosed) return PlanStatus.OK;
  if (spec.start) listVisited(mapOf(world, spec.start - 1));
  else if (spec.rows) listRectangle(spec);
  else listCells(layer);
  openStarts = starts ? allocate(<usize>startCount * KEY_BYTES) : 0;
  if (!openStarts) return PlanStatus.MEMORY;
  for (let i: u32 = 0; i < startCount; ++i) {
    const key = keyAt(starts, i);
    if (isClosed(map, rowOfKey(key), colOfKey(key))) continue;
    setKey(openStarts, openCount, key);
    ++openCount;
  }
  return openCount > 0 ? PlanStatus.OK : PlanStatus.EMPTY;
}

function keyAt(keys: usize, i: u32): u64 {
  return load<u64>(keys + <usize>i * KEY_BYTES);
}

function setKey(keys: usize, i: u32, key: u64): void {
  store<u64>(keys + <usize>i * KEY_BYTES, key);
}

// each list is 0 if memory runs out

function listCells(layer: Layer): void {
  startCount = layer.spec.startCellCount;
  starts = allocate(<usize>startCount * KEY_BYTES);
  if (!starts) return;
  const cells = layer.startCells;
  for (let i: u32 = 0; i < startCount; ++i)
    setKey(starts, i, keyOfCell(wordAt(cells, 2 * i), wordAt(cells, 2 * i + 1)));
}

function listRectangle(spec: LayerSpec): void {
  starts = allocate(<usize>spec.rows * spec.cols * KEY_BYTES);
  startCount = 0;
  for (let r: u32 = 0; starts && r < spec.rows; ++r) {
    for (let c: u32 = 0; c < spec.cols; ++c, ++startCount) {
      setKey(starts, startCount, keyOfCell(spec.row + r, spec.col + c));
    }
  }
}

/** Lists the visited cells of a map, by row, then by column. */
function listVisited(source: HexMap): void {
  startCount = 0;
  // counts the cells first
  takeVisited(source, 0);
  starts = allocate(<usize>startCount * RANKED_BYTES);
  if (!starts) return;
  startCount = 0;
  takeVisited(source, starts);
  sortCells(starts, startCount);
  // a key is shorter than a record, so it overwrites records that were read before
  for (let i: u32 = 0; i < startCount; ++i) setKey(starts, i, rankedAt(starts, i).key);
}

/** Counts the visited cells of a map, and writes them to `cells` unless it is 0. */
function takeVisited(source: HexMap, cells: usize): void {
  for (let tile = nextTile(source, 0); tile; tile = nextTile(source, tile)) {
    const row = changetype<Tile>(tile).row;
    const col = changetype<Tile>(tile).col;
    clearBits(bits);
    addVisited(source, row, col, bits, ROW_BYTES);
    for (let r = 0; r < CHUNK_SIDE; ++r) {
      for (let left = load<u64>(rowOfBits(bits, r)); left; left &= left - 1, ++startCount) {
        if (!cells) continue;
        const one = rankedAt(cells, startCount);
        one.priority = 0;
        one.key = keyOfCell((row << CHUNK_SIDE_BITS) + r, (col << CHUNK_SIDE_BITS) + <i32>ctz(left));
      }
    }
  }
}

/** Returns the key of the start cell of a walker, as src/walks/starts.ts finds it. */
function drawStart(spec: LayerSpec, map: HexMap, walker: u32): u64 {
  const block = walker >>> BLOCK_BITS;
  const offset = walker & BLOCK_MASK;
  if (!spec.rows && !spec.start) return keyAt(openStarts, walker % openCount);
  let key: u64;
  if (spec.rows) {
    const down = belowAt(0, block, offset, spec.rows);
    key = keyOfCell(spec.row + down, spec.col + belowAt(1, block, offset, spec.cols));
  } else {
    key = keyAt(starts, belowAt(0, block, offset, startCount));
  }
  if (!isClosed(map, rowOfKey(key), colOfKey(key))) return key;
  return keyAt(openStarts, belowAt(2, block, offset, openCount));
}
