// A hex map of visit counts: rectangular tiles, found by a directory, each with a rim of sentinels.
//
//        col −1   0 … cols−1         A tile's cells are u32 counts, row by row, `stride` = cols + 1 apart, so that the rim
//   row −1   ■    ■ ■ ■ ■ ■ ■        at the right of a row is the rim at the left of the next. A count of all ones is a
//   row 0    ■    · · · · · ·  ■     sentinel: the rim, a closed cell, a cell beyond the grid's edge, or a count that is
//    …       ■    · · · · · ·  ■     full. A step looks at nothing but the cell it lands on; only at a sentinel does it
//   rows     ■    ■ ■ ■ ■ ■ ■  ■     ask where it is (`arrive`).
//
// An unbounded or very large grid has 64 × 64 tiles, made as walkers reach them; any other is one tile. With first visits,
// a second plane of u32 steps follows, rows × cols, without a rim.

import { allocateZeroed } from "../core/memory";
import { createDirectory, find, insert, RECORD_COL, RECORD_ROW, recordCount } from "./directory";

export const SENTINEL: u32 = 0xffffffff;
export const NEVER: u32 = 0xffffffff;

// grid kinds
export const UNBOUNDED: u32 = 0;
export const BOUNDED: u32 = 1;
export const TORUS: u32 = 2;

// the map
export const KIND: usize = 0;
export const ROWS: usize = 4;
export const COLS: usize = 8;
export const TILE_ROWS: usize = 12;
export const TILE_COLS: usize = 16;
/** Coordinates shifted right by this are a tile's: 31 where one tile holds all. */
export const TILE_SHIFT: usize = 20;
const FIRST_VISITS: usize = 24;
export const TILES: usize = 28;
const CLOSED: usize = 32;
/** Byte steps of the seven headings (the seventh rests) over the counts, 8 bytes apart. */
const COUNT_STEPS: usize = 40;
/** The same over the first visits. */
const FIRST_STEPS: usize = COUNT_STEPS + 56;
const MAP_BYTES: usize = FIRST_STEPS + 56;

// a tile: its record, its closed bits or 0, links to the 3 × 3 tiles around it (0: not looked for yet), then its planes
const TILE_CLOSED: usize = 12;
export const NEIGHBOURS: usize = 16;
export const TILE_HEADER_BYTES: usize = NEIGHBOURS + 9 * 4;
export const TILE_SIDE_BITS: i32 = 6;
export const TILE_SIDE: i32 = 1 << TILE_SIDE_BITS;

// closed cells of one tile: a record, then a bit a cell, row by row
const CLOSED_BITS: usize = 16;

/** Row and column steps of NW, NE, E, SE, SW, W and rest, clockwise. */
const rowSteps = memory.data<i32>([-1, -1, 0, 1, 1, 0, 0]);
const colSteps = memory.data<i32>([0, 1, 1, 0, -1, -1, 0]);
export const DIRECTIONS: u32 = 6;
export const REST: u32 = 6;

// ── making ──

/**
 * An empty map; rows and cols count for bounded grids and tori only. `tiled` = 0 makes the whole grid one tile.
 * 0 when memory runs out.
 */
export function createMap(kind: u32, rows: i32, cols: i32, tiled: u32, firstVisits: u32): usize {
  const map = allocateZeroed(MAP_BYTES);
  const tiles = createDirectory();
  const closed = createDirectory();
  if (!map || !tiles || !closed) return 0;
  store<u32>(map, kind, KIND);
  store<i32>(map, rows, ROWS);
  store<i32>(map, cols, COLS);
  store<i32>(map, tiled ? TILE_SIDE : rows, TILE_ROWS);
  store<i32>(map, tiled ? TILE_SIDE : cols, TILE_COLS);
  store<i32>(map, tiled ? TILE_SIDE_BITS : 31, TILE_SHIFT);
  store<u32>(map, firstVisits, FIRST_VISITS);
  store<u32>(map, <u32>tiles, TILES);
  store<u32>(map, <u32>closed, CLOSED);
  const stride = load<i32>(map, TILE_COLS) + 1;
  for (let direction: u32 = 0; direction <= REST; ++direction) {
    const at = map + ((<usize>direction) << 3);
    const row = rowStep(direction);
    const col = colStep(direction);
    store<i32>(at, (row * stride + col) << 2, COUNT_STEPS);
    store<i32>(at, (row * load<i32>(map, TILE_COLS) + col) << 2, FIRST_STEPS);
  }
  return map;
}

/** Closes a cell; before any walker is placed. False when memory runs out. */
export function closeCell(map: usize, row: i32, col: i32): bool {
  if (isOutside(map, row, col)) return true;
  const tileRow = tileOf(map, row);
  const tileCol = tileOf(map, col);
  const directory = <usize>load<u32>(map, CLOSED);
  let record = find(directory, tileRow, tileCol);
  if (!record) {
    const cells = <usize>load<i32>(map, TILE_ROWS) * load<i32>(map, TILE_COLS);
    record = allocateZeroed(CLOSED_BITS + ((cells + 7) >>> 3));
    if (!record) return false;
    store<i32>(record, tileRow, RECORD_ROW);
    store<i32>(record, tileCol, RECORD_COL);
    if (!insert(directory, record)) return false;
  }
  const bit = bitOf(map, row, col);
  const at = record + (bit >>> 3);
  const place = <u8>(bit & 7);
  store<u8>(at, load<u8>(at, CLOSED_BITS) | ((<u8>1) << place), CLOSED_BITS);
  return true;
}

/** A new tile, entered in the directory, its closed cells and rim in place; 0 when memory runs out. */
export function makeTile(map: usize, tileRow: i32, tileCol: i32): usize {
  const rows = load<i32>(map, TILE_ROWS);
  const cols = load<i32>(map, TILE_COLS);
  const countBytes = countPlaneBytes(rows, cols);
  const firstBytes = load<u32>(map, FIRST_VISITS) ? (<usize>rows * cols) << 2 : 0;
  const tile = allocateZeroed(TILE_HEADER_BYTES + countBytes + firstBytes);
  if (!tile) return 0;
  store<i32>(tile, tileRow, RECORD_ROW);
  store<i32>(tile, tileCol, RECORD_COL);
  store<u32>(tile, <u32>find(load<u32>(map, CLOSED), tileRow, tileCol), TILE_CLOSED);
  raiseRim(tile + TILE_HEADER_BYTES, rows, cols);
  closeBeyond(map, tile);
  stampClosed(map, tile);
  memory.fill(tile + TILE_HEADER_BYTES + countBytes, 0xff, firstBytes);
  return insert(load<u32>(map, TILES), tile) ? tile : 0;
}

export function countPlaneBytes(rows: i32, cols: i32): usize {
  return ((<usize>rows + 2) * (<usize>cols + 1) + 1) << 2;
}

function raiseRim(counts: usize, rows: i32, cols: i32): void {
  const rowBytes = (<usize>cols + 1) << 2;
  memory.fill(counts, 0xff, rowBytes + 4);
  for (let r = 1; r <= rows; ++r) store<u32>(counts + (<usize>r + 1) * rowBytes, SENTINEL);
  memory.fill(counts + (<usize>rows + 1) * rowBytes, 0xff, rowBytes + 4);
}

/** The last tiles of a tiled grid reach beyond its edge. */
function closeBeyond(map: usize, tile: usize): void {
  if (load<u32>(map, KIND) == UNBOUNDED) return;
  const rows = load<i32>(map, TILE_ROWS);
  const cols = load<i32>(map, TILE_COLS);
  const rowsLeft = load<i32>(map, ROWS) - load<i32>(tile, RECORD_ROW) * rows;
  const colsLeft = load<i32>(map, COLS) - load<i32>(tile, RECORD_COL) * cols;
  for (let r = 0; r < rows; ++r) {
    const from = r < rowsLeft ? min(cols, colsLeft) : 0;
    memory.fill(countAddress(map, tile, r, from), 0xff, (<usize>(cols - from)) << 2);
  }
}

function stampClosed(map: usize, tile: usize): void {
  const closed = <usize>load<u32>(tile, TILE_CLOSED);
  if (!closed) return;
  const cols = load<i32>(map, TILE_COLS);
  const cells = load<i32>(map, TILE_ROWS) * cols;
  for (let i = 0; i < cells; ++i) {
    if (closedBit(closed, i)) store<u32>(countAddress(map, tile, i / cols, i % cols), SENTINEL);
  }
}

// ── where a cell is ──

export function rowStep(direction: u32): i32 {
  return load<i32>(rowSteps + ((<usize>direction) << 2));
}

export function colStep(direction: u32): i32 {
  return load<i32>(colSteps + ((<usize>direction) << 2));
}

/** Where the byte steps of the headings over the counts are, 8 bytes apart. */
export function countSteps(map: usize): usize {
  return map + COUNT_STEPS;
}

/** The same over the first visits. */
export function firstSteps(map: usize): usize {
  return map + FIRST_STEPS;
}

export function keepsFirstVisits(map: usize): bool {
  return load<u32>(map, FIRST_VISITS) != 0;
}

/** Whether a cell of the grid was closed. */
export function isClosed(map: usize, row: i32, col: i32): bool {
  const directory = <usize>load<u32>(map, CLOSED);
  if (!recordCount(directory)) return false;
  const record = find(directory, tileOf(map, row), tileOf(map, col));
  return record != 0 && closedBit(record, bitOf(map, row, col));
}

/** Whether a bounded grid or a torus has no such cell. */
export function isOutside(map: usize, row: i32, col: i32): bool {
  if (load<u32>(map, KIND) == UNBOUNDED) return false;
  return <u32>row >= load<u32>(map, ROWS) || <u32>col >= load<u32>(map, COLS);
}

export function tileOf(map: usize, at: i32): i32 {
  return at >> load<i32>(map, TILE_SHIFT);
}

export function originRow(map: usize, tile: usize): i32 {
  return load<i32>(tile, RECORD_ROW) * load<i32>(map, TILE_ROWS);
}

export function originCol(map: usize, tile: usize): i32 {
  return load<i32>(tile, RECORD_COL) * load<i32>(map, TILE_COLS);
}

/** The bit of a cell in its tile's closed bits. */
export function bitOf(map: usize, row: i32, col: i32): usize {
  const rows = load<i32>(map, TILE_ROWS);
  const cols = load<i32>(map, TILE_COLS);
  return <usize>(row - tileOf(map, row) * rows) * cols + (col - tileOf(map, col) * cols);
}

export function closedBit(record: usize, bit: usize): bool {
  return ((<u32>load<u8>(record + (bit >>> 3), CLOSED_BITS) >>> (<u32>bit & 7)) & 1) != 0;
}

export function countAddress(map: usize, tile: usize, row: i32, col: i32): usize {
  return tile + TILE_HEADER_BYTES + ((<usize>(row + 1) * (load<i32>(map, TILE_COLS) + 1) + (col + 1)) << 2);
}
