// A hex map counts visits. It consists of rectangular tiles, and a directory finds a tile. Each tile has a rim of
// sentinels, which are drawn as ■ here.
//
//        col −1   0 … cols−1
//   row −1   ■    ■ ■ ■ ■ ■ ■
//   row 0    ■    · · · · · ·  ■
//    …       ■    · · · · · ·  ■
//   rows     ■    ■ ■ ■ ■ ■ ■  ■
//
// A tile has a u32 count for each cell, row by row. In a map with narrow counts, it has u8 counts. A row has `stride` =
// cols + 1 counts, because the rim to the right of a row is also the rim to the left of the next row. A count whose
// bits are all 1 is a sentinel. It stands for the rim, a closed cell, a cell beyond the edge of the grid, a cell on
// which walkers end, or a full count. A step reads only the cell that it enters. At a sentinel, `arrive` (advance.ts)
// finds out what the sentinel stands for. ends.ts counts the visits of a cell on which walkers end.
//
// An unbounded or very large grid has square tiles. Each tile is created when a walker reaches it. The caller chooses
// the side of the tiles: CHUNK_SIDE or LARGE_TILE_SIDE. Large tiles are for a map with two properties: most of its
// chunks will be visited, and it has no closed cells and no cells on which walkers end. Any other grid is one tile.
//
// If the map keeps first visits, a second array follows the counts of a tile. It holds the step of each cell's first
// visit, as u32, without a rim.
//
// In a grid with odd-r coordinates, odd rows are shifted to the right by half a cell. So the column of a neighbour
// depends on whether the row is odd. But each direction must be a constant offset in memory. Therefore row r begins ⌊r
// / 2⌋ counts earlier, and the stride is cols + 2. Between two rows, this leaves a rim of one or two counts.
//
//   row 0    ■ · · · · ■
//   row 1      ■ · · · · ■
//   row 2      ■ · · · · ■
//
// A cell with axial coordinates (row, q) has col = q + ⌊row / 2⌋. Its index is (row + 1) · stride + q + 1, so each
// direction is a constant offset.

import { allocate, allocateZeroed, padded } from "../core/memory";
import { CellSet, cellsIn, contains, createCellSet, markCell, word32 } from "./cellSets";
import { createDirectory, Directory, Entry, insert, SLOT_BYTES_PER_ENTRY } from "./directory";
import { CellSetKind, CHUNK_SIDE, GridKind, RESTING } from "./layout";

export const SENTINEL: u32 = 0xffffffff;
/** The sentinel of a map with narrow counts. */
export const NARROW_SENTINEL: u8 = 0xff;

export const DIRECTION_COUNT: u32 = RESTING;
export const HEADINGS: u32 = RESTING + 1;
export const CHUNK_SIDE_BITS: i32 = ctz(CHUNK_SIDE);

/**
 * A map.
 *
 *   0      4      8      12         16         20          24            28       32         36
 *   ├─ kind ─┼─ rows ─┼─ cols ─┼─ tileRows ─┼─ tileCols ─┼─ tileShift ─┼─ firstVisits ─┼─ skew ─┼─ stride ─┤ …
 *
 *     36            40        44      48       52          56     60        64
 *   … ├─ firstStride ─┼─ chunked ─┼─ tiles ─┼─ closed ─┼─ hasClosed ─┼─ ends ─┼─ hasEnds ─┤ …
 *
 *     64          68         72      76      80           88
 *   … ├─ endCounts ─┼─ endSteps ─┼─ ended ─┼─ (pad) ─┼─ endedSteps ─┤
 *
 *     88           92      96     100
 *   … ├─ countShift ─┼─ blank ─┼─ slope ─┼─ (pad) ─┤
 *
 * After these fields, the map has two tables of offsets: one for the counts, then one for the first visits. Entry h is
 * the number of bytes from a cell to its neighbour in direction h. Entries are STEP_STRIDE bytes apart. The last entry,
 * for RESTING, is 0.
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
   * The cell (row, col) is in the tile (row >> tileShift, col >> tileShift). If one tile holds the whole grid, the
   * shift is WHOLE_GRID.
   */
  tileShift: i32;
  /** 1 if the map keeps first visits, 0 if not. */
  firstVisits: u32;
  /** 1 if the coordinates are odd-r, 0 if they are axial. */
  skew: u32;
  /** Distance from one row of counts to the next, in counts. */
  stride: i32;
  /** Distance from one row of first visits to the next, in first visits. */
  firstStride: i32;
  /** 1 if the tiles are square and have axial coordinates. `crossRim` needs such tiles. */
  chunked: u32;
  tiles: Directory;
  closed: CellSet;
  /** 1 if the map has closed cells, 0 if not. */
  hasClosed: u32;
  /** The cells on which walkers end. */
  ends: CellSet;
  hasEnds: u32;
  /** Visits of the cells in `ends` (ends.ts). */
  endCounts: Directory;
  /**
   * Address of an array with a u64 for each walker: the number of steps until the walker ended. The address is 0 if the
   * layer has no cells on which walkers end.
   */
  endSteps: usize;
  /** Number of walkers that have ended. */
  ended: u32;
  /** Sum of the steps of the walkers that have ended. */
  endedSteps: u64;
  /** log2 of the bytes of a count: 2, or 0 if the counts are narrow. */
  countShift: u32;
  /**
   * Address of the blank tile, which has no visits. In a map with narrow counts, each new tile begins as a copy of the
   * blank tile. The address is 0 before the first tile is made. In a map with wide counts, it is always 0.
   */
  blank: usize;
  /** Address of a {@link SlopePlan}. 0 if the walkers do not feel a field. */
  slope: usize;
}

/**
 * log2 of the size of a table entry, in bytes. The entry of heading h is at byte offset 8h. A walker's state is this
 * offset.
 */
const STEP_BITS: usize = 3;
const STEP_STRIDE: usize = 1 << STEP_BITS;
/** Size of one table of offsets, in bytes. */
export const STEPS_BYTES: usize = <usize>HEADINGS * STEP_STRIDE;
const COUNT_STEPS: usize = offsetof<HexMap>();
const FIRST_STEPS: usize = COUNT_STEPS + STEPS_BYTES;
const MAP_BYTES: usize = FIRST_STEPS + STEPS_BYTES;

/**
 * The head of a tile. `neighbours` has the addresses of 3 × 3 tiles, with this tile in the middle. An address is 0
 * until a walker goes from this tile to the neighbour.
 *
 *   0     4     8      12       16     20               56
 *   ├─ row ─┼─ col ─┼─ next ─┼─ closed ─┼─ ends ─┼─ neighbours ─┼─ counts … ─┼─ first visits … ─┤
 */
@unmanaged
export class Tile extends Entry {
  /** Address of the tile's entry in the set of closed cells, or 0. */
  closed: usize;
  /** Address of the tile's entry in the set of cells on which walkers end, or 0. */
  ends: usize;
}

/** Byte offset of `neighbours` in a tile. */
export const NEIGHBOURS: usize = offsetof<Tile>();
/** Byte offset of the counts in a tile. */
export const COUNTS: usize = NEIGHBOURS + 9 * sizeof<usize>();

/** The `tileShift` of a map with a single tile. A row or column of the grid, shifted by 31 bits, is always 0. */
const WHOLE_GRID: i32 = 31;

/** A grid of at most this many cells is one tile. */
const MAX_TILE_CELLS: u64 = 1 << 26;

/**
 * For each heading, the change of row and of axial column in one step: NW, NE, E, SE, SW, W (clockwise), RESTING. Each
 * takes 8 bytes, so the state of a walker, heading · 8, is the offset of its changes.
 */
export const changes = memory.data<i32>([-1, 0, -1, 1, 0, 1, 1, 0, 1, -1, 0, -1, 0, 0]);

// ── making ──

/**
 * Creates an empty map. The coordinates are odd-r if `skew` is 1, else axial. Counts are u8 if `narrow` is 1, else u32.
 * An unbounded map is always axial, and ignores `rows` and `cols`. `tileSide` is CHUNK_SIDE, or LARGE_TILE_SIDE for a
 * map without closed cells and without cells on which walkers end. Returns 0 if memory runs out.
 */
export function createMap(
  kind: GridKind,
  rows: i32,
  cols: i32,
  firstVisits: u32,
  skew: u32,
  narrow: u32,
  tileSide: i32,
): usize {
  const at = allocateZeroed(MAP_BYTES);
  const tiles = createDirectory();
  const closed = createCellSet();
  const ends = createCellSet();
  const endCounts = createDirectory();
  if (!at || !tiles || !closed || !ends || !endCounts) return 0;
  const tiled = kind == GridKind.UNBOUNDED || <u64>rows * <u64>cols > MAX_TILE_CELLS;
  const map = changetype<HexMap>(at);
  map.kind = kind;
  map.rows = rows;
  map.cols = cols;
  map.tileRows = tiled ? tileSide : rows;
  map.tileCols = tiled ? tileSide : cols;
  map.tileShift = tiled ? ctz(tileSide) : WHOLE_GRID;
  map.firstVisits = firstVisits;
  map.skew = skew;
  map.countShift = narrow ? 0 : alignof<u32>();
  map.stride = map.tileCols + 1 + skew;
  map.firstStride = map.tileCols + skew;
  map.chunked = u32(tiled && !skew);
  map.tiles = changetype<Directory>(tiles);
  map.closed = changetype<CellSet>(closed);
  map.ends = changetype<CellSet>(ends);
  map.endCounts = changetype<Directory>(endCounts);
  for (let heading: u32 = 0; heading < HEADINGS; ++heading) {
    const step = at + <usize>heading * STEP_STRIDE;
    const row = rowStep(heading);
    const col = colStep(heading);
    store<i32>(step, (row * map.stride + col) << map.countShift, COUNT_STEPS);
    store<i32>(step, (row * map.firstStride + col) * sizeof<u32>(), FIRST_STEPS);
  }
  return at;
}

/**
 * Removes all visits and all ended walkers from a map. Keeps its sets of cells. Before this call, release the memory of
 * the tiles. After this call, place or write every walker again before it moves. Returns false if memory runs out.
 */
export function clearMap(map: HexMap): bool {
  const tiles = createDirectory();
  const endCounts = createDirectory();
  if (!tiles || !endCounts) return false;
  map.tiles = changetype<Directory>(tiles);
  map.endCounts = changetype<Directory>(endCounts);
  map.ended = 0;
  map.endedSteps = 0;
  map.blank = 0;
  return true;
}

function tileBytes(map: HexMap): usize {
  return COUNTS + countPlaneBytes(map) + firstPlaneBytes(map);
}

/** Returns whether the map has square tiles. If not, one tile holds the whole grid. */
export function isTiled(map: HexMap): bool {
  return map.tileShift != WHOLE_GRID;
}

/** Returns a bound b: the first k tiles of an empty map allocate at most k · b bytes. */
export function bytesPerTile(map: HexMap): usize {
  return padded(tileBytes(map)) + SLOT_BYTES_PER_ENTRY;
}

/** Lets the walkers of the map choose their steps by a {@link SlopePlan}. The tiles must be chunks. */
export function setSlope(map: HexMap, slope: usize): void {
  map.slope = slope;
}

/** Returns a set of the map, and records that it is not empty. Call this only to add cells. */
export function cellSetOf(map: HexMap, kind: CellSetKind): CellSet {
  if (kind == CellSetKind.CLOSED) map.hasClosed = 1;
  else map.hasEnds = 1;
  return kind == CellSetKind.CLOSED ? map.closed : map.ends;
}

/** Adds every cell of the map to a set. After this call, `mark` removes cells. */
export function fillSet(map: HexMap, kind: CellSetKind): void {
  cellSetOf(map, kind).elsewhere = 1;
}

/**
 * Adds a cell to a set. After `fillSet`, removes the cell instead. Call `mark` before any walker is placed. Skips cells
 * outside the grid. Returns false if memory runs out.
 */
export function mark(map: HexMap, set: CellSet, row: i32, col: i32): bool {
  if (isOutside(map, row, col)) return true;
  const cells = <usize>map.tileRows * map.tileCols;
  return markCell(set, tileOf(map, row), tileOf(map, col), cells, bitOf(map, row, col));
}

/** Creates a tile, writes its sentinels, and adds it to the directory. Returns 0 if memory runs out. */
export function makeTile(map: HexMap, tileRow: i32, tileCol: i32): usize {
  // A tile with wide counts is made anew: new memory is zero already, and copying a blank tile would take longer,
  // because the tile has many bytes.
  const at = map.countShift ? makeBlank(map) : copyBlank(map);
  if (!at) return 0;
  const tile = changetype<Tile>(at);
  tile.row = tileRow;
  tile.col = tileCol;
  tile.closed = cellsIn(map.closed, tileRow, tileCol);
  tile.ends = cellsIn(map.ends, tileRow, tileCol);
  closeBeyond(map, tile);
  stamp(map, tile, map.closed, tile.closed);
  stamp(map, tile, map.ends, tile.ends);
  return insert(map.tiles, tile) ? at : 0;
}

/** Makes a tile without visits. Returns 0 if memory runs out. */
function makeBlank(map: HexMap): usize {
  const at = allocateZeroed(tileBytes(map));
  if (!at) return 0;
  raiseRim(map, changetype<Tile>(at));
  // sets all first visits to NEVER, which is all ones
  memory.fill(at + COUNTS + countPlaneBytes(map), 0xff, firstPlaneBytes(map));
  return at;
}

/** Copies the blank tile of the map. Returns 0 if memory runs out. */
function copyBlank(map: HexMap): usize {
  if (!map.blank) map.blank = makeBlank(map);
  const at = map.blank ? allocate(tileBytes(map)) : 0;
  if (at) memory.copy(at, map.blank, tileBytes(map));
  return at;
}

/** Returns the size of a tile's first visits in bytes. */
function firstPlaneBytes(map: HexMap): usize {
  return <usize>map.firstVisits * map.tileRows * map.firstStride * sizeof<u32>();
}

/** Returns the size of a tile's counts, rim included, in bytes. */
export function countPlaneBytes(map: HexMap): usize {
  // a multiple of 16, so that the first visits behind the counts are aligned
  return ((((<usize>map.tileRows + 2) * map.stride + 1) << map.countShift) + 15) & ~15;
}

/** Writes the rim: sentinels before the first row, between the rows and after the last row. */
function raiseRim(map: HexMap, tile: Tile): void {
  const rowBytes = (<usize>map.tileCols) << map.countShift;
  let end = changetype<usize>(tile) + COUNTS;
  const planeEnd = end + countPlaneBytes(map);
  for (let r = 0; r < map.tileRows; ++r) {
    const start = countAddress(map, tile, r, 0);
    // all bytes of a sentinel are 255
    for (; end < start; ++end) store<u8>(end, NARROW_SENTINEL);
    end = start + rowBytes;
  }
  memory.fill(end, 0xff, planeEnd - end);
}

/** Closes the tile's cells beyond the edge of the grid. */
function closeBeyond(map: HexMap, tile: Tile): void {
  if (map.kind == GridKind.UNBOUNDED) return;
  const rows = map.tileRows;
  const cols = map.tileCols;
  const rowsLeft = map.rows - tile.row * rows;
  const colsLeft = map.cols - tile.col * cols;
  for (let r = 0; r < rows; ++r) {
    const from = r < rowsLeft ? min(cols, colsLeft) : 0;
    memory.fill(countAddress(map, tile, r, from), 0xff, (<usize>(cols - from)) << map.countShift);
  }
}

/** `stamp` handles this many cells at a time, as the bits of one word. In the word ALL_CELLS, all bits are 1. */
const WORD_CELLS: i32 = 32;
const ALL_CELLS: u32 = 0xffffffff;

/** Writes a sentinel at those cells of a tile that are in the set. `cells` is the tile's entry in the set, or 0. */
function stamp(map: HexMap, tile: Tile, set: CellSet, cells: usize): void {
  if (!cells && !set.elsewhere) return;
  const cols = map.tileCols;
  const count = map.tileRows * cols;
  const isWhole = cols % WORD_CELLS == 0;
  for (let i = 0; i < count; i += WORD_CELLS) {
    const bits = word32(set, cells, i);
    if (isWhole) stampWord(map, countAddress(map, tile, i / cols, i % cols), bits);
    else stampCells(map, tile, i, min(WORD_CELLS, count - i), bits);
  }
}

/** Writes sentinels at cells of one row. Bit i of `bits` belongs to the count that is i counts after `at`. */
function stampWord(map: HexMap, at: usize, bits: u32): void {
  if (bits == ALL_CELLS) {
    memory.fill(at, NARROW_SENTINEL, (<usize>WORD_CELLS) << map.countShift);
    return;
  }
  for (; bits; bits &= bits - 1) setSentinel(map, at + ((<usize>ctz(bits)) << map.countShift));
}

/**
 * Writes sentinels at some of the cells first … first + count − 1 of a tile: at cell first + i if bit i of `bits` is 1.
 */
function stampCells(map: HexMap, tile: Tile, first: i32, count: i32, bits: u32): void {
  const cols = map.tileCols;
  for (let i = 0; i < count; ++i) {
    const cell = first + i;
    if ((bits >>> i) & 1) setSentinel(map, countAddress(map, tile, cell / cols, cell % cols));
  }
}

// ── counts ──

/** Returns the count at an address. For a narrow sentinel, returns SENTINEL. */
export function countAt(map: HexMap, at: usize): u32 {
  if (map.countShift) return load<u32>(at);
  const count = load<u8>(at);
  return count == NARROW_SENTINEL ? SENTINEL : count;
}

function setSentinel(map: HexMap, at: usize): void {
  if (map.countShift) store<u32>(at, SENTINEL);
  else store<u8>(at, NARROW_SENTINEL);
}

// ── positions of cells ──

/** Returns the change of the row in a step with a heading: −1, 0 or 1. */
export function rowStep(heading: u32): i32 {
  return load<i32>((<usize>heading) << 3, changes);
}

/** Returns the change of the axial column in a step with a heading: −1, 0 or 1. */
export function colStep(heading: u32): i32 {
  return load<i32>((<usize>heading) << 3, changes + 4);
}

/** Returns the address of the table of offsets for counts. */
export function countSteps(map: HexMap): usize {
  return changetype<usize>(map) + COUNT_STEPS;
}

/** Returns the address of the table of offsets for first visits. */
export function firstSteps(map: HexMap): usize {
  return changetype<usize>(map) + FIRST_STEPS;
}

/** Returns whether a cell of the grid is closed. */
export function isClosed(map: HexMap, row: i32, col: i32): bool {
  return map.hasClosed != 0 && isIn(map, map.closed, row, col);
}

/** Returns whether walkers end on a cell of the grid. */
export function isEnd(map: HexMap, row: i32, col: i32): bool {
  return map.hasEnds != 0 && isIn(map, map.ends, row, col);
}

function isIn(map: HexMap, set: CellSet, row: i32, col: i32): bool {
  return contains(set, cellsIn(set, tileOf(map, row), tileOf(map, col)), bitOf(map, row, col));
}

/** Returns whether a cell is outside a bounded grid or a torus. */
export function isOutside(map: HexMap, row: i32, col: i32): bool {
  if (map.kind == GridKind.UNBOUNDED) return false;
  return <u32>row >= <u32>map.rows || <u32>col >= <u32>map.cols;
}

/** Converts a cell's row to its tile's row, or a cell's column to its tile's column. */
export function tileOf(map: HexMap, at: i32): i32 {
  return at >> map.tileShift;
}

/** Returns the row of a tile's first cell. */
export function originRow(map: HexMap, tile: Tile): i32 {
  return tile.row * map.tileRows;
}

/** Returns the column of a tile's first cell. */
export function originCol(map: HexMap, tile: Tile): i32 {
  return tile.col * map.tileCols;
}

/** Returns the index of a cell in its tile, row by row, without the rim. */
function bitOf(map: HexMap, row: i32, col: i32): usize {
  const rows = map.tileRows;
  const cols = map.tileCols;
  return <usize>(row - tileOf(map, row) * rows) * cols + (col - tileOf(map, col) * cols);
}

/** Returns the address of a cell's count. `row` and `col` are relative to the tile's first cell; −1 is the rim. */
export function countAddress(map: HexMap, tile: Tile, row: i32, col: i32): usize {
  const index = <usize>(row + 1) * map.stride + (col + 1) - skewOf(map, row);
  return changetype<usize>(tile) + COUNTS + (index << map.countShift);
}

/** Returns the address of a cell's first visit. `row` and `col` are relative to the tile's first cell. */
export function firstAddress(map: HexMap, tile: Tile, row: i32, col: i32): usize {
  const index = <usize>row * map.firstStride + col - skewOf(map, row);
  return changetype<usize>(tile) + COUNTS + countPlaneBytes(map) + index * sizeof<u32>();
}

/**
 * Returns the shift of a row in memory, in counts. With odd-r coordinates, row r begins ⌊r / 2⌋ counts earlier than r ·
 * stride. With axial coordinates, the shift is 0.
 */
function skewOf(map: HexMap, row: i32): usize {
  return map.skew ? <usize>(row >> 1) : 0;
}
