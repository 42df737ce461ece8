// Walkers: where each stands, and the visit that it leaves.
//
//   a walker:   +0 its tile   +4 its cell   +8 heading · 8   +12 –

import { window } from "../core/buffers";
import { Status } from "../core/layout";
import { allocateZeroed } from "../core/memory";
import { isClosed, isOutside, keepsFirstVisits, SENTINEL } from "./hexMap";
import { colHere, enter, firstVisitOf, here, locate, rowHere } from "./hexMoves";

export const TILE: usize = 0;
export const CELL: usize = 4;
export const STATE: usize = 8;
export const WALKER_BYTES: usize = 16;

/** Room for `count` walkers; 0 when memory runs out. */
export function createWalkers(count: u32): usize {
  if (count >= <u32>(1 << 28)) return 0;
  return allocateZeroed(<usize>count * WALKER_BYTES);
}

/** Puts a walker on a cell and counts its first visit; Status.NO_START where the cell is not open. */
export function placeWalker(map: usize, walkers: usize, walker: u32, row: i32, col: i32, heading: u32): Status {
  if (isOutside(map, row, col) || isClosed(map, row, col)) return Status.NO_START;
  const cell = enter(map, row, col);
  if (!cell) return Status.OUT_OF_MEMORY;
  const at = walkers + <usize>walker * WALKER_BYTES;
  store<u32>(at, <u32>here, TILE);
  store<u32>(at, <u32>cell, CELL);
  store<u32>(at, heading << 3, STATE);
  visit(map, here, cell, 0);
  return Status.OK;
}

/** Writes a walker's row, column and heading (6: at rest) to the window, as i32. */
export function readWalker(map: usize, walkers: usize, walker: u32): void {
  const at = walkers + <usize>walker * WALKER_BYTES;
  locate(map, load<u32>(at, TILE), load<u32>(at, CELL));
  store<i32>(window, rowHere, 0);
  store<i32>(window, colHere, 4);
  store<u32>(window, load<u32>(at, STATE) >>> 3, 8);
}

/** Counts a visit, saturating, at a step; walkers go one after the other, so a later one may be the earlier visitor. */
export function visit(map: usize, tile: usize, cell: usize, step: u32): void {
  const count = load<u32>(cell);
  if (count != SENTINEL) store<u32>(cell, count + 1);
  if (!keepsFirstVisits(map)) return;
  const first = firstVisitOf(map, tile, cell);
  if (step < load<u32>(first)) store<u32>(first, step);
}
