// Finds the neighbour of a cell in a direction, also in another tile or across the edge of a torus. The hot loops call
// these functions only in rare cases (`arrive` in advance.ts).

import { contains } from "./cellSets";
import { find } from "./directory";
import {
  COUNTS,
  colStep,
  countAddress,
  countAt,
  firstAddress,
  HexMap,
  isClosed,
  isEnd,
  isOutside,
  makeTile,
  NEIGHBOURS,
  originCol,
  originRow,
  rowStep,
  SENTINEL,
  Tile,
  tileOf,
} from "./hexMap";
import { GridKind } from "./layout";

/** The tile of the last cell that was entered. */
export let here: usize = 0;

/**
 * Enters the cell at (row, col): returns the address of its count, and sets `here`. Creates the cell's tile if it does
 * not exist. Returns 0 if memory runs out.
 */
export function enter(map: HexMap, row: i32, col: i32): usize {
  return countIn(map, tileAt(map, row, col) || makeTile(map, tileOf(map, row), tileOf(map, col)), row, col);
}

/** Returns the tile of the cell at (row, col), or 0 if it does not exist. */
function tileAt(map: HexMap, row: i32, col: i32): usize {
  return find(map.tiles, tileOf(map, row), tileOf(map, col));
}

/** Returns the address of a cell's count in its tile, and sets `here`. Returns 0 if `tile` is 0. */
function countIn(map: HexMap, tile: usize, row: i32, col: i32): usize {
  if (!tile) return 0;
  here = tile;
  const entered = changetype<Tile>(tile);
  return countAddress(map, entered, row - originRow(map, entered), col - originCol(map, entered));
}

export let rowHere: i32 = 0;
export let colHere: i32 = 0;

/** Sets `rowHere` and `colHere` to the map coordinates of a cell. `cell` is the address of its count. */
export function locate(map: HexMap, tile: Tile, cell: usize): void {
  const stride = <u32>map.stride;
  const index = indexOf(map, tile, cell);
  if (map.skew) {
    locateSkewed(map, tile, index - stride);
    return;
  }
  const line = index / stride;
  rowHere = originRow(map, tile) + <i32>line - 1;
  colHere = originCol(map, tile) + <i32>(index - line * stride) - 1;
}

/** Does the same as {@link locate} for odd-r coordinates. `index` is 0 at the rim to the left of row 0. */
function locateSkewed(map: HexMap, tile: Tile, index: u32): void {
  // row 2k begins k · (2 · stride − 1) counts after row 0, and row 2k + 1 begins `stride` counts later
  const stride = <u32>map.stride;
  const pair = index / (2 * stride - 1);
  const inPair = index - pair * (2 * stride - 1);
  const isOdd = inPair >= stride;
  rowHere = originRow(map, tile) + <i32>(2 * pair) + i32(isOdd);
  colHere = originCol(map, tile) + <i32>(isOdd ? inPair - stride : inPair) - 1;
}

/** Returns the address of a cell's first visit. Calls {@link locate} for the cell. */
export function firstVisitOf(map: HexMap, tile: Tile, cell: usize): usize {
  locate(map, tile, cell);
  return firstAddress(map, tile, rowHere - originRow(map, tile), colHere - originCol(map, tile));
}

/** Returns the index of a cell's count in its tile, rim included. */
function indexOf(map: HexMap, tile: Tile, cell: usize): u32 {
  return <u32>(cell - changetype<usize>(tile) - COUNTS) >>> map.countShift;
}

let targetRow: i32 = 0;
let targetCol: i32 = 0;

/**
 * Returns whether the neighbour of (rowHere, colHere) in a direction is open. Creates no tile. `enterTarget` can enter
 * the neighbour if it is open.
 */
export function lookAt(map: HexMap, direction: u32): bool {
  const row = <i64>rowHere + rowStep(direction);
  // in odd-r coordinates, col = q + ⌊row / 2⌋. So col changes by the change of q plus `shift`, the change of ⌊row / 2⌋
  const shift = map.skew ? (row >> 1) - <i64>(rowHere >> 1) : 0;
  const col = <i64>colHere + colStep(direction) + shift;
  targetRow = <i32>row;
  targetCol = <i32>col;
  if (map.kind == GridKind.UNBOUNDED) {
    // the grid ends where the 32-bit coordinates end
    if (<i64>targetRow != row || <i64>targetCol != col) return false;
  } else if (map.kind == GridKind.TORUS) {
    targetRow = wrap(targetRow, map.rows);
    targetCol = wrap(targetCol, map.cols);
  } else if (isOutside(map, targetRow, targetCol)) {
    return false;
  }
  return !isClosed(map, targetRow, targetCol);
}

/** Returns whether walkers end on the cell that `lookAt` found. */
export function isEndTarget(map: HexMap): bool {
  return isEnd(map, targetRow, targetCol);
}

/** Enters the cell that `lookAt` found. Returns 0 if its tile does not exist. */
export function enterExisting(map: HexMap): usize {
  return countIn(map, tileAt(map, targetRow, targetCol), targetRow, targetCol);
}

/**
 * Enters the cell that `lookAt` found. Also links `tile`, which the walker leaves, to the tile of the new cell. Returns
 * 0 if memory runs out.
 */
export function enterTarget(map: HexMap, tile: Tile): usize {
  const down = tileOf(map, targetRow) - tile.row + 1;
  const right = tileOf(map, targetCol) - tile.col + 1;
  if (<u32>down > 2 || <u32>right > 2) return enter(map, targetRow, targetCol);
  const link = linkOf(tile, down * 3 + right);
  here = load<usize>(link);
  if (!here) {
    const cell = enter(map, targetRow, targetCol);
    if (cell) store<usize>(link, here);
    return cell;
  }
  return countIn(map, here, targetRow, targetCol);
}

/**
 * Returns the address of a tile's link to neighbour 0 … 8. Neighbours are numbered row by row; 4 is the tile itself.
 */
function linkOf(tile: Tile, neighbour: i32): usize {
  return changetype<usize>(tile) + NEIGHBOURS + <usize>neighbour * sizeof<usize>();
}

/**
 * Moves across the rim of a square tile, faster than `lookAt` and `enterTarget`. Sets `here`, and returns the address
 * of the neighbour's count. Returns 0 if `map.chunked` is 0, if the neighbour's tile is not linked yet, or if the
 * neighbour is closed, outside the grid, or a cell on which walkers end. In these cases, call `lookAt` and
 * `enterTarget`.
 */
export function crossRim(map: HexMap, tile: Tile, cell: usize, direction: u32): usize {
  if (!map.chunked) return 0;
  const index = indexOf(map, tile, cell);
  const stride = <u32>map.stride;
  const side = map.tileCols;
  const shift = map.tileShift;
  const line = index / stride;
  const row = <i32>line - 1 + rowStep(direction);
  const col = <i32>(index - line * stride) - 1 + colStep(direction);
  here = load<usize>(linkOf(tile, ((row >> shift) + 1) * 3 + (col >> shift) + 1));
  if (!here) return 0;
  const line1 = <usize>((row & (side - 1)) + 1) * stride;
  const to = here + COUNTS + ((line1 + (col & (side - 1)) + 1) << map.countShift);
  return countAt(map, to) != SENTINEL || isFull(map, changetype<Tile>(here), row & (side - 1), col & (side - 1))
    ? to
    : 0;
}

/** Whether the sentinel of a cell stands for a full count. `row` and `col` are relative to the tile's first cell. */
function isFull(map: HexMap, tile: Tile, row: i32, col: i32): bool {
  if (map.countShift || isOutside(map, originRow(map, tile) + row, originCol(map, tile) + col)) return false;
  const i = <usize>row * map.tileCols + col;
  return !contains(map.closed, tile.closed, i) && !contains(map.ends, tile.ends, i);
}

function wrap(at: i32, size: i32): i32 {
  return at < 0 ? at + size : at >= size ? at - size : at;
}
