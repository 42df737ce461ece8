// Moving on a hex map: from a cell and a direction to the next cell, over rims, edges and closed cells. The hot loops take
// these ways only where they meet a sentinel.

import { find, RECORD_COL, RECORD_ROW } from "./directory";
import {
  COLS,
  colStep,
  countAddress,
  countPlaneBytes,
  isClosed,
  isOutside,
  KIND,
  makeTile,
  NEIGHBOURS,
  originCol,
  originRow,
  ROWS,
  rowStep,
  SENTINEL,
  TILE_COLS,
  TILE_HEADER_BYTES,
  TILE_ROWS,
  TILE_SHIFT,
  TILE_SIDE,
  TILE_SIDE_BITS,
  TILES,
  TORUS,
  tileOf,
  UNBOUNDED,
} from "./hexMap";

/** The tile that `enter` or `enterTarget` found last. */
export let here: usize = 0;

/** The address of the count at (row, col), whose tile is made where there is none; `here` becomes that tile. 0: no memory. */
export function enter(map: usize, row: i32, col: i32): usize {
  const tileRow = tileOf(map, row);
  const tileCol = tileOf(map, col);
  let tile = find(load<u32>(map, TILES), tileRow, tileCol);
  if (!tile) tile = makeTile(map, tileRow, tileCol);
  if (!tile) return 0;
  here = tile;
  return countAddress(map, tile, row - originRow(map, tile), col - originCol(map, tile));
}

export let rowHere: i32 = 0;
export let colHere: i32 = 0;

/** Sets `rowHere` and `colHere` to the coordinates of a cell of a tile. */
export function locate(map: usize, tile: usize, cell: usize): void {
  const stride = <u32>load<i32>(map, TILE_COLS) + 1;
  const index = <u32>(cell - tile - TILE_HEADER_BYTES) >>> 2;
  const line = index / stride;
  rowHere = originRow(map, tile) + <i32>line - 1;
  colHere = originCol(map, tile) + <i32>(index - line * stride) - 1;
}

/** The address of the first visit of a cell. */
export function firstVisitOf(map: usize, tile: usize, cell: usize): usize {
  locate(map, tile, cell);
  const cols = load<i32>(map, TILE_COLS);
  const index = <usize>(rowHere - originRow(map, tile)) * cols + (colHere - originCol(map, tile));
  return tile + TILE_HEADER_BYTES + countPlaneBytes(load<i32>(map, TILE_ROWS), cols) + (index << 2);
}

// what lies in a direction
export const OPEN: u32 = 0;
export const BLOCKED: u32 = 1;
export const NO_SUCH_CELL: u32 = 2;

let targetRow: i32 = 0;
let targetCol: i32 = 0;

/** Finds what lies in a direction of (rowHere, colHere); `enterTarget` goes there if it is open. No tile is made. */
export function lookAt(map: usize, direction: u32): u32 {
  const row = <i64>rowHere + rowStep(direction);
  const col = <i64>colHere + colStep(direction);
  targetRow = <i32>row;
  targetCol = <i32>col;
  const kind = load<u32>(map, KIND);
  if (kind == UNBOUNDED) {
    if (<i64>targetRow != row || <i64>targetCol != col) return NO_SUCH_CELL;
  } else if (kind == TORUS) {
    targetRow = wrap(targetRow, load<i32>(map, ROWS));
    targetCol = wrap(targetCol, load<i32>(map, COLS));
  } else if (isOutside(map, targetRow, targetCol)) {
    return BLOCKED;
  }
  return isClosed(map, targetRow, targetCol) ? BLOCKED : OPEN;
}

/** Enters the cell that `lookAt` found, coming from a tile, which remembers its neighbours. 0: no memory. */
export function enterTarget(map: usize, tile: usize): usize {
  const tileRow = tileOf(map, targetRow);
  const tileCol = tileOf(map, targetCol);
  const down = tileRow - load<i32>(tile, RECORD_ROW) + 1;
  const right = tileCol - load<i32>(tile, RECORD_COL) + 1;
  if (<u32>down > 2 || <u32>right > 2) return enter(map, targetRow, targetCol);
  const link = tile + ((<usize>(down * 3 + right)) << 2);
  here = load<u32>(link, NEIGHBOURS);
  if (!here) {
    const cell = enter(map, targetRow, targetCol);
    if (cell) store<u32>(link, <u32>here, NEIGHBOURS);
    return cell;
  }
  return countAddress(map, here, targetRow - originRow(map, here), targetCol - originCol(map, here));
}

/**
 * The short way over the rim of a 64 × 64 tile: the cell in a direction of `cell`, on a tile that this one is already
 * linked to, if it is an ordinary cell; `here` becomes that tile. 0: take the long way, by `lookAt` and `enterTarget`.
 */
export function crossRim(map: usize, tile: usize, cell: usize, direction: u32): usize {
  if (load<i32>(map, TILE_SHIFT) != TILE_SIDE_BITS) return 0;
  const index = <u32>(cell - tile - TILE_HEADER_BYTES) >>> 2;
  const line = index / (TILE_SIDE + 1);
  const row = <i32>line - 1 + rowStep(direction);
  const col = <i32>(index - line * (TILE_SIDE + 1)) - 1 + colStep(direction);
  const link = ((row >> TILE_SIDE_BITS) + 1) * 3 + (col >> TILE_SIDE_BITS) + 1;
  here = load<u32>(tile + ((<usize>link) << 2), NEIGHBOURS);
  if (!here) return 0;
  const line1 = <usize>((row & (TILE_SIDE - 1)) + 1) * (TILE_SIDE + 1);
  const to = here + TILE_HEADER_BYTES + ((line1 + (col & (TILE_SIDE - 1)) + 1) << 2);
  return load<u32>(to) == SENTINEL ? 0 : to;
}

function wrap(at: i32, size: i32): i32 {
  return at < 0 ? at + size : at >= size ? at - size : at;
}
