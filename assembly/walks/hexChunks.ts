// Reads single cells of a hex map. Copies chunks of the map to the window and back. Marks the cells of a chunk in a
// set.

import { window } from "../core/buffers";
import { Status } from "../core/layout";
import { contains } from "./cellSets";
import { Entry, find } from "./directory";
import { addEndVisits, endVisits, fullVisits } from "./ends";
import {
  CHUNK_SIDE_BITS,
  cellSetOf,
  countAddress,
  countAt,
  firstAddress,
  HexMap,
  isClosed,
  isEnd,
  isOutside,
  mark,
  originCol,
  originRow,
  SENTINEL,
  Tile,
  tileOf,
} from "./hexMap";
import { enter, firstVisitOf, here } from "./hexMoves";
import { CellSetKind, CHUNK_CELLS, CHUNK_SIDE, ChunkHead, NEVER } from "./layout";
import { copyWords } from "./windows";

/** Returns the number of visits of a cell: 0 if no walker visited it. */
export function visitsAt(map: HexMap, row: i32, col: i32): u32 {
  const at = tileAt(map, row, col);
  if (!at) return 0;
  const tile = changetype<Tile>(at);
  return visitsIn(map, tile, row - originRow(map, tile), col - originCol(map, tile));
}

/** Returns the step of a cell's first visit, or NEVER. */
export function firstVisitAt(map: HexMap, row: i32, col: i32): u32 {
  if (!map.firstVisits || !visitsAt(map, row, col)) return NEVER;
  const tile = changetype<Tile>(tileAt(map, row, col));
  return load<u32>(firstAddress(map, tile, row - originRow(map, tile), col - originCol(map, tile)));
}

/**
 * Returns the address of a cell's tile. Returns 0 if the tile does not exist yet, or if the cell is outside the grid.
 */
function tileAt(map: HexMap, row: i32, col: i32): usize {
  return isOutside(map, row, col) ? 0 : find(map.tiles, tileOf(map, row), tileOf(map, col));
}

// ── chunks ──

const VISITS: usize = offsetof<ChunkHead>();
const ROW_BYTES: usize = <usize>CHUNK_SIDE * sizeof<u32>();
const PLANE_BYTES: usize = <usize>CHUNK_CELLS * sizeof<u32>();
const FIRST_VISITS: usize = VISITS + PLANE_BYTES;

/**
 * The window has one bit for each cell of a chunk: cell i has bit i mod 8 of byte ⌊i / 8⌋. Copies these bits to a set.
 * If the set began empty, adds the cells with bit 1. If `fillSet` filled the set, removes the cells with bit 0. Call
 * `markChunk` once for each chunk, before any walker is placed.
 */
export function markChunk(map: HexMap, kind: CellSetKind, chunkRow: i32, chunkCol: i32): Status {
  const set = cellSetOf(map, kind);
  for (let i = 0; i < CHUNK_CELLS; ++i) {
    const bit = (<u32>load<u8>(window + (i >>> 3)) >>> (<u32>i & 7)) & 1;
    if (bit == set.elsewhere) continue;
    const row = (chunkRow << CHUNK_SIDE_BITS) + (i >>> CHUNK_SIDE_BITS);
    const col = (chunkCol << CHUNK_SIDE_BITS) + (i & (CHUNK_SIDE - 1));
    if (!mark(map, set, row, col)) return Status.OUT_OF_MEMORY;
  }
  return Status.OK;
}

/** Returns the tile that was made after `tile`, or the oldest tile if `tile` is 0. Returns 0 after the newest tile. */
export function nextTile(map: HexMap, tile: usize): usize {
  return tile ? changetype<Entry>(tile).next : map.tiles.first;
}

/** Returns the number of chunks in one tile. */
export function chunksInTile(map: HexMap): u32 {
  return chunksAlong(map.tileRows) * chunksAlong(map.tileCols);
}

/** Writes the place of a chunk to the window, as a ChunkHead. The tile numbers its chunks 0 … chunksInTile − 1. */
export function locateChunk(map: HexMap, tile: Tile, chunk: u32): void {
  const across = chunksAlong(map.tileCols);
  const head = changetype<ChunkHead>(window);
  head.row = (originRow(map, tile) >> CHUNK_SIDE_BITS) + <i32>(chunk / across);
  head.col = (originCol(map, tile) >> CHUNK_SIDE_BITS) + <i32>(chunk % across);
}

/**
 * Copies a chunk of a tile to the window: a ChunkHead, the visits and, if the map keeps them, the first visits. Returns
 * the number of visited cells.
 */
export function readChunk(map: HexMap, tile: Tile, chunk: u32): u32 {
  const across = chunksAlong(map.tileCols);
  const row0 = (<i32>(chunk / across)) << CHUNK_SIDE_BITS;
  const col0 = (<i32>(chunk % across)) << CHUNK_SIDE_BITS;
  locateChunk(map, tile, chunk);
  const rows = min(CHUNK_SIDE, map.tileRows - row0);
  const cols = min(CHUNK_SIDE, map.tileCols - col0);
  if (rows < CHUNK_SIDE || cols < CHUNK_SIDE) {
    memory.fill(window + VISITS, 0, PLANE_BYTES);
    memory.fill(window + FIRST_VISITS, 0xff, PLANE_BYTES);
  }
  let visited: u32 = 0;
  for (let r = 0; r < rows; ++r) {
    const at = window + <usize>r * ROW_BYTES;
    readRow(map, tile, row0 + r, col0, cols, at + VISITS);
    visited += visitedOf(at + VISITS);
    // the map has NEVER for a cell without visits
    if (map.firstVisits) copyWords(firstAddress(map, tile, row0 + r, col0), at + FIRST_VISITS, cols);
  }
  return visited;
}

/** Copies the visits of `cols` cells of a row. The first cell is (row, col0), relative to the tile's first cell. */
function readRow(map: HexMap, tile: Tile, row: i32, col0: i32, cols: i32, to: usize): void {
  const from = countAddress(map, tile, row, col0);
  if (map.countShift && copyPlain(from, to, cols)) return;
  for (let c = 0; c < cols; ++c) store<u32>(to + <usize>c * sizeof<u32>(), visitsIn(map, tile, row, col0 + c));
}

/** Copies `cols` wide counts. Returns false if at least one count is a sentinel. */
function copyPlain(from: usize, to: usize, cols: i32): bool {
  const end = from + <usize>cols * sizeof<u32>();
  let any = i32x4.splat(0);
  for (; from + sizeof<v128>() <= end; from += sizeof<v128>(), to += sizeof<v128>()) {
    const counts = v128.load(from);
    any = v128.or(any, i32x4.eq(counts, i32x4.splat(SENTINEL)));
    v128.store(to, counts);
  }
  let found = v128.any_true(any);
  for (; from < end; from += sizeof<u32>(), to += sizeof<u32>()) {
    const count = load<u32>(from);
    found = found || count == SENTINEL;
    store<u32>(to, count);
  }
  return !found;
}

/** `visits` is the address of CHUNK_SIDE visit counts. Returns how many of these counts are not 0. */
function visitedOf(visits: usize): u32 {
  let zeros = i32x4.splat(0);
  for (const end = visits + ROW_BYTES; visits < end; visits += sizeof<v128>()) {
    zeros = i32x4.sub(zeros, i32x4.eq(v128.load(visits), i32x4.splat(0)));
  }
  const lanes = i32x4.extract_lane(zeros, 0) + i32x4.extract_lane(zeros, 1);
  return CHUNK_SIDE - lanes - i32x4.extract_lane(zeros, 2) - i32x4.extract_lane(zeros, 3);
}

/**
 * Returns the number of visits of a cell. `row` and `col` are relative to the tile's first cell. A sentinel has several
 * meanings. It stands for a full count only if the cell is in the grid, is not closed, and is not a cell on which
 * walkers end.
 */
function visitsIn(map: HexMap, tile: Tile, row: i32, col: i32): u32 {
  const count = countAt(map, countAddress(map, tile, row, col));
  if (count != SENTINEL) return count;
  const mapRow = originRow(map, tile) + row;
  const mapCol = originCol(map, tile) + col;
  const i = <usize>row * map.tileCols + col;
  if (isOutside(map, mapRow, mapCol) || contains(map.closed, tile.closed, i)) return 0;
  if (contains(map.ends, tile.ends, i)) return endVisits(map, mapRow, mapCol);
  return map.countShift ? count : fullVisits(endVisits(map, mapRow, mapCol));
}

/**
 * Copies a chunk from the window to the map. The window holds a ChunkHead, then the visits of the cells, then their
 * first visits. If a cell has no visits in the window, its visits in the map do not change. Returns Status.NO_START if
 * a cell with visits is closed or outside the grid.
 */
export function writeChunk(map: HexMap): Status {
  const head = changetype<ChunkHead>(window);
  for (let i = 0; i < CHUNK_CELLS; ++i) {
    const at = window + <usize>i * sizeof<u32>();
    const count = load<u32>(at, VISITS);
    if (!count) continue;
    const row = (head.row << CHUNK_SIDE_BITS) + (i >>> CHUNK_SIDE_BITS);
    const col = (head.col << CHUNK_SIDE_BITS) + (i & (CHUNK_SIDE - 1));
    if (isOutside(map, row, col) || isClosed(map, row, col)) return Status.NO_START;
    const cell = enter(map, row, col);
    if (!cell) return Status.OUT_OF_MEMORY;
    if (!isEnd(map, row, col)) store<u32>(cell, count);
    else if (!addEndVisits(map, row, col, count)) return Status.OUT_OF_MEMORY;
    if (map.firstVisits) store<u32>(firstVisitOf(map, changetype<Tile>(here), cell), load<u32>(at, FIRST_VISITS));
  }
  return Status.OK;
}

function chunksAlong(cells: i32): u32 {
  return <u32>(cells + (CHUNK_SIDE - 1)) >>> CHUNK_SIDE_BITS;
}
