// A hex map of visit counts: rectangular tiles, which a directory finds, each with a rim of sentinels.
//
//        col −1   0 … cols−1         A tile's cells are u32 counts, row by row, with `stride` = cols + 1 counts a row:
//   row −1   ■    ■ ■ ■ ■ ■ ■        the rim to the right of a row is also the rim to the left of the next. A count
//   row 0    ■    · · · · · ·  ■     of all ones is a sentinel: the rim, a closed cell, a cell beyond the edge of the
//    …       ■    · · · · · ·  ■     grid, or a full count. A step reads only the cell that it enters. At a sentinel,
//   rows     ■    ■ ■ ■ ■ ■ ■  ■     `arrive` (advance.ts) finds out which of these it is.
//
// An unbounded or very large grid has tiles of CHUNK_SIDE × CHUNK_SIDE cells, made when walkers reach them. Any other
// grid is one tile. If the map keeps first visits, a second array of u32 steps follows the counts: rows × cols, no rim.

import { allocateZeroed } from "../core/memory";
import { createDirectory, Directory, Entry, find, insert } from "./directory";
import { CHUNK_SIDE, GridKind, RESTING } from "./layout";

export const SENTINEL: u32 = 0xffffffff;

export const DIRECTION_COUNT: u32 = RESTING;
export const HEADINGS: u32 = RESTING + 1;
export const CHUNK_SIDE_BITS: i32 = ctz(CHUNK_SIDE);

/**
 * A map.
 *
 *   0      4      8      12         16         20          24            28      32       36
 *   ├─ kind ─┼─ rows ─┼─ cols ─┼─ tileRows ─┼─ tileCols ─┼─ tileShift ─┼─ firstVisits ─┼─ tiles ─┼─ closed ─┤
 *
 * Two tables follow, each with the byte step of every heading, STEP_STRIDE bytes apart: first the steps over the
 * counts, then the steps over the first visits. The last heading is RESTING, whose steps are 0.
 */
@unmanaged
export class HexMap {
  kind: GridKind;
  /** Rows and columns of a bounded grid or a torus. An unbounded grid ignores them. */
  rows: i32;
  cols: i32;
  tileRows: i32;
  tileCols: i32;
  /**
   * A tile's row is its cells' row >> tileShift; columns likewise. The shift is 31 if one tile holds the whole grid.
   */
  tileShift: i32;
  /** 1 if the map keeps first visits, 0 if not. */
  firstVisits: u32;
  tiles: Directory;
  closed: Directory;
}

/**
 * log2 of the bytes from one step of a table to the next. A heading's step is at byte heading · 8, which is its state.
 */
const STEP_BITS: usize = 3;
const STEP_STRIDE: usize = 1 << STEP_BITS;
/** Size of one table of steps, in bytes. */
export const STEPS_BYTES: usize = <usize>HEADINGS * STEP_STRIDE;
const COUNT_STEPS: usize = offsetof<HexMap>();
const FIRST_STEPS: usize = COUNT_STEPS + STEPS_BYTES;
const MAP_BYTES: usize = FIRST_STEPS + STEPS_BYTES;

/**
 * The head of a tile. After it come the addresses of the 3 × 3 tiles around it (each 0 until a walker crosses to that
 * tile), its counts, and its first visits.
 *
 *   0     4     8      12       16               52
 *   ├─ row ─┼─ col ─┼─ next ─┼─ closed ─┼─ neighbours ─┼─ counts … ─┼─ first visits … ─┤
 */
@unmanaged
export class Tile extends Entry {
  /** Address of the tile's {@link ClosedCells}, or 0 if no cell is closed. */
  closed: usize;
}

/** Byte offset of the addresses of the 3 × 3 tiles. */
export const NEIGHBOURS: usize = offsetof<Tile>();
/** Byte offset of the counts. */
export const COUNTS: usize = NEIGHBOURS + 9 * sizeof<usize>();

/**
 * The closed cells of one tile: this head, then a bit for each cell, row by row, set if the cell is closed.
 *
 *   0     4     8      12
 *   ├─ row ─┼─ col ─┼─ next ─┼─ bits … ─┤
 */
@unmanaged
class ClosedCells extends Entry {}

const CLOSED_BITS: usize = offsetof<ClosedCells>();

/** A grid of at most this many cells is one tile. */
const MAX_TILE_CELLS: u64 = 1 << 26;

/** Row and column steps of the headings NW, NE, E, SE, SW, W (clockwise) and RESTING. */
const rowSteps = memory.data<i32>([-1, -1, 0, 1, 1, 0, 0]);
const colSteps = memory.data<i32>([0, 1, 1, 0, -1, -1, 0]);

// ── making ──

/** Makes an empty map. An unbounded map ignores `rows` and `cols`. Returns 0 if memory runs out. */
export function createMap(kind: GridKind, rows: i32, cols: i32, firstVisits: u32): usize {
  const at = allocateZeroed(MAP_BYTES);
  const tiles = createDirectory();
  const closed = createDirectory();
  if (!at || !tiles || !closed) return 0;
  const tiled = kind == GridKind.UNBOUNDED || <u64>rows * <u64>cols > MAX_TILE_CELLS;
  const map = changetype<HexMap>(at);
  map.kind = kind;
  map.rows = rows;
  map.cols = cols;
  map.tileRows = tiled ? CHUNK_SIDE : rows;
  map.tileCols = tiled ? CHUNK_SIDE : cols;
  map.tileShift = tiled ? CHUNK_SIDE_BITS : 31;
  map.firstVisits = firstVisits;
  map.tiles = changetype<Directory>(tiles);
  map.closed = changetype<Directory>(closed);
  for (let heading: u32 = 0; heading < HEADINGS; ++heading) {
    const step = at + <usize>heading * STEP_STRIDE;
    const row = rowStep(heading);
    const col = colStep(heading);
    store<i32>(step, (row * (map.tileCols + 1) + col) * sizeof<u32>(), COUNT_STEPS);
    store<i32>(step, (row * map.tileCols + col) * sizeof<u32>(), FIRST_STEPS);
  }
  return at;
}

/** Closes a cell. Call it before any walker is placed. Returns false if memory runs out. */
export function closeCell(map: HexMap, row: i32, col: i32): bool {
  if (isOutside(map, row, col)) return true;
  const tileRow = tileOf(map, row);
  const tileCol = tileOf(map, col);
  let closed = find(map.closed, tileRow, tileCol);
  if (!closed) {
    const cells = <usize>map.tileRows * map.tileCols;
    closed = allocateZeroed(CLOSED_BITS + ((cells + 7) >>> 3));
    if (!closed) return false;
    const entry = changetype<Entry>(closed);
    entry.row = tileRow;
    entry.col = tileCol;
    if (!insert(map.closed, entry)) return false;
  }
  const bit = bitOf(map, row, col);
  const at = closed + (bit >>> 3);
  const place = <u8>(bit & 7);
  store<u8>(at, load<u8>(at, CLOSED_BITS) | ((<u8>1) << place), CLOSED_BITS);
  return true;
}

/** Makes a tile with its closed cells and rim, and adds it to the directory. Returns 0 if memory runs out. */
export function makeTile(map: HexMap, tileRow: i32, tileCol: i32): usize {
  const rows = map.tileRows;
  const cols = map.tileCols;
  const countBytes = countPlaneBytes(rows, cols);
  const firstBytes = <usize>map.firstVisits * rows * cols * sizeof<u32>();
  const at = allocateZeroed(COUNTS + countBytes + firstBytes);
  if (!at) return 0;
  const tile = changetype<Tile>(at);
  tile.row = tileRow;
  tile.col = tileCol;
  tile.closed = find(map.closed, tileRow, tileCol);
  raiseRim(at + COUNTS, rows, cols);
  closeBeyond(map, tile);
  stampClosed(map, tile);
  // NEVER is all ones
  memory.fill(at + COUNTS + countBytes, 0xff, firstBytes);
  return insert(map.tiles, tile) ? at : 0;
}

/** Size of a tile's counts, including its rim, in bytes. */
export function countPlaneBytes(rows: i32, cols: i32): usize {
  return ((<usize>rows + 2) * (<usize>cols + 1) + 1) * sizeof<u32>();
}

function raiseRim(counts: usize, rows: i32, cols: i32): void {
  const rowBytes = (<usize>cols + 1) * sizeof<u32>();
  memory.fill(counts, 0xff, rowBytes + sizeof<u32>());
  for (let r = 1; r <= rows; ++r) store<u32>(counts + (<usize>r + 1) * rowBytes, SENTINEL);
  memory.fill(counts + (<usize>rows + 1) * rowBytes, 0xff, rowBytes + sizeof<u32>());
}

/** Closes the cells of a tile that lie beyond the edge of the grid. */
function closeBeyond(map: HexMap, tile: Tile): void {
  if (map.kind == GridKind.UNBOUNDED) return;
  const rows = map.tileRows;
  const cols = map.tileCols;
  const rowsLeft = map.rows - tile.row * rows;
  const colsLeft = map.cols - tile.col * cols;
  for (let r = 0; r < rows; ++r) {
    const from = r < rowsLeft ? min(cols, colsLeft) : 0;
    memory.fill(countAddress(map, tile, r, from), 0xff, <usize>(cols - from) * sizeof<u32>());
  }
}

function stampClosed(map: HexMap, tile: Tile): void {
  if (!tile.closed) return;
  const cols = map.tileCols;
  const cells = map.tileRows * cols;
  for (let i = 0; i < cells; ++i) {
    if (closedBit(tile.closed, i)) store<u32>(countAddress(map, tile, i / cols, i % cols), SENTINEL);
  }
}

// ── positions of cells ──

/** Number of rows that a heading moves by. */
export function rowStep(heading: u32): i32 {
  return load<i32>(rowSteps + <usize>heading * sizeof<i32>());
}

/** Number of columns that a heading moves by. */
export function colStep(heading: u32): i32 {
  return load<i32>(colSteps + <usize>heading * sizeof<i32>());
}

/** Address of the table of steps over the counts. */
export function countSteps(map: HexMap): usize {
  return changetype<usize>(map) + COUNT_STEPS;
}

/** Address of the table of steps over the first visits. */
export function firstSteps(map: HexMap): usize {
  return changetype<usize>(map) + FIRST_STEPS;
}

/** Tells whether a cell of the grid was closed. */
export function isClosed(map: HexMap, row: i32, col: i32): bool {
  if (!map.closed.count) return false;
  const closed = find(map.closed, tileOf(map, row), tileOf(map, col));
  return closed != 0 && closedBit(closed, bitOf(map, row, col));
}

/** Tells whether a cell is outside a bounded grid or a torus. */
export function isOutside(map: HexMap, row: i32, col: i32): bool {
  if (map.kind == GridKind.UNBOUNDED) return false;
  return <u32>row >= <u32>map.rows || <u32>col >= <u32>map.cols;
}

/** The row (or column) of the tile that holds a cell's row (or column). */
export function tileOf(map: HexMap, at: i32): i32 {
  return at >> map.tileShift;
}

/** The row of a tile's first cell. */
export function originRow(map: HexMap, tile: Tile): i32 {
  return tile.row * map.tileRows;
}

/** The column of a tile's first cell. */
export function originCol(map: HexMap, tile: Tile): i32 {
  return tile.col * map.tileCols;
}

/** Index of a cell's bit among the closed cells of its tile. */
function bitOf(map: HexMap, row: i32, col: i32): usize {
  const rows = map.tileRows;
  const cols = map.tileCols;
  return <usize>(row - tileOf(map, row) * rows) * cols + (col - tileOf(map, col) * cols);
}

function closedBit(closed: usize, bit: usize): bool {
  return ((<u32>load<u8>(closed + (bit >>> 3), CLOSED_BITS) >>> (<u32>bit & 7)) & 1) != 0;
}

/** Address of a cell's count. `row` and `col` are relative to the tile's first cell; −1 is the rim. */
export function countAddress(map: HexMap, tile: Tile, row: i32, col: i32): usize {
  const index = <usize>(row + 1) * (map.tileCols + 1) + (col + 1);
  return changetype<usize>(tile) + COUNTS + index * sizeof<u32>();
}
