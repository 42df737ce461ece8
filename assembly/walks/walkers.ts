// Places walkers, reads their positions, and counts their visits.

import { window } from "../core/buffers";
import { Status } from "../core/layout";
import { allocateZeroed, refuse } from "../core/memory";
import { HexMap, isClosed, isOutside, SENTINEL, Tile } from "./hexMap";
import { colHere, enter, firstVisitOf, here, locate, rowHere } from "./hexMoves";
import { Walker, WalkerPlace } from "./layout";

/** Limit on the number of walkers: their array must fit 32-bit addresses. */
const MOST_WALKERS: u32 = 1 << 28;

/** Allocates `count` walkers. Returns 0 if memory runs out. */
export function createWalkers(count: u32): usize {
  if (count >= MOST_WALKERS) return refuse(<u64>count * offsetof<Walker>());
  return allocateZeroed(<usize>count * offsetof<Walker>());
}

/** Returns walker i of an array. */
export function walkerAt(walkers: usize, i: u32): Walker {
  return changetype<Walker>(walkers + <usize>i * offsetof<Walker>());
}

/** Puts a walker on a cell and counts a visit at step 0. Returns Status.NO_START if the cell is closed or outside. */
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

/** Writes the position and heading of a walker to the window as a WalkerPlace. */
export function readWalker(map: HexMap, walkers: usize, i: u32): void {
  const walker = walkerAt(walkers, i);
  locate(map, changetype<Tile>(walker.tile), walker.cell);
  const place = changetype<WalkerPlace>(window);
  place.row = rowHere;
  place.col = colHere;
  place.heading = walker.state >>> 3;
}

/**
 * Counts a visit, up to the maximum count. If the map keeps first visits, stores the step of the visit if it is smaller
 * than the stored step. Steps do not arrive in order, because one walker takes all its steps before the next walker
 * does.
 */
export function visit(map: HexMap, tile: Tile, cell: usize, step: u32): void {
  const count = load<u32>(cell);
  if (count != SENTINEL) store<u32>(cell, count + 1);
  if (!map.firstVisits) return;
  const first = firstVisitOf(map, tile, cell);
  if (step < load<u32>(first)) store<u32>(first, step);
}
