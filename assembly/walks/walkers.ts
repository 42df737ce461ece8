// Walkers: placing them, reading where they are, and counting the visits that they make.

import { window } from "../core/buffers";
import { Status } from "../core/layout";
import { allocateZeroed } from "../core/memory";
import { HexMap, isClosed, isOutside, SENTINEL, Tile } from "./hexMap";
import { colHere, enter, firstVisitOf, here, locate, rowHere } from "./hexMoves";
import { Walker, WalkerPlace } from "./layout";

/** So many walkers fit 32-bit addresses. */
const MOST_WALKERS: u32 = 1 << 28;

/** Makes room for `count` walkers; 0 when memory runs out. */
export function createWalkers(count: u32): usize {
  if (count >= MOST_WALKERS) return 0;
  return allocateZeroed(<usize>count * offsetof<Walker>());
}

/** Walker i of an array. */
export function walkerAt(walkers: usize, i: u32): Walker {
  return changetype<Walker>(walkers + <usize>i * offsetof<Walker>());
}

/** Puts a walker on a cell and counts its first visit; Status.NO_START if the cell is not open. */
export function placeWalker(map: HexMap, walkers: usize, i: u32, row: i32, col: i32, heading: u32): Status {
  if (isOutside(map, row, col) || isClosed(map, row, col)) return Status.NO_START;
  const cell = enter(map, row, col);
  if (!cell) return Status.OUT_OF_MEMORY;
  const walker = walkerAt(walkers, i);
  walker.tile = here;
  walker.cell = cell;
  walker.state = heading << 3;
  visit(map, changetype<Tile>(here), cell, 0);
  return Status.OK;
}

/** Writes a walker's place to the window (WalkerPlace). */
export function readWalker(map: HexMap, walkers: usize, i: u32): void {
  const walker = walkerAt(walkers, i);
  locate(map, changetype<Tile>(walker.tile), walker.cell);
  const place = changetype<WalkerPlace>(window);
  place.row = rowHere;
  place.col = colHere;
  place.heading = walker.state >>> 3;
}

/**
 * Counts a visit, saturating, and keeps the least step as the first visit: one walker's whole walk comes before the
 * next one's, so steps do not arrive in order.
 */
export function visit(map: HexMap, tile: Tile, cell: usize, step: u32): void {
  const count = load<u32>(cell);
  if (count != SENTINEL) store<u32>(cell, count + 1);
  if (!map.firstVisits) return;
  const first = firstVisitOf(map, tile, cell);
  if (step < load<u32>(first)) store<u32>(first, step);
}
