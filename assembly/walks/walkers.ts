// Places walkers, ends them, reads and writes their positions, and counts visits.

import { window } from "../core/buffers";
import { Status } from "../core/layout";
import { allocateZeroed, refuse } from "../core/memory";
import { addEndVisits } from "./ends";
import { HexMap, isClosed, isEnd, isOutside, NARROW_SENTINEL, SENTINEL, Tile } from "./hexMap";
import { colHere, enter, firstVisitOf, here, locate, rowHere } from "./hexMoves";
import { Endings, SlopePlan, Walker, WalkerPlace } from "./layout";

/** This bit of a walker's state is 1 if the walker has ended. */
const ENDED: u32 = 1;

/** A map has fewer walkers than this, because the array of walkers must fit into 32-bit addresses. */
const MOST_WALKERS: u32 = 1 << 28;

/** Allocates `count` walkers. Returns 0 if memory runs out. */
export function createWalkers(count: u32): usize {
  if (count >= MOST_WALKERS) return refuse(<u64>count * offsetof<Walker>());
  return allocateZeroed(<usize>count * offsetof<Walker>());
}

/**
 * Allocates `endSteps` for `count` walkers. Only a map with cells on which walkers end needs this array. Returns false
 * if memory runs out.
 */
export function createEndSteps(map: HexMap, count: u32): bool {
  map.endSteps = allocateZeroed(<usize>count * sizeof<u64>());
  return map.endSteps != 0;
}

/** Returns walker i of an array. */
export function walkerAt(walkers: usize, i: u32): Walker {
  return changetype<Walker>(walkers + <usize>i * offsetof<Walker>());
}

/** Returns whether a walker has ended. */
export function hasEnded(walker: Walker): bool {
  return (walker.state & ENDED) != 0;
}

/**
 * Puts a walker on a cell and counts a visit at step 0. If walkers end on this cell, the walker ends at once. Returns
 * Status.NO_START if the cell is closed or outside the grid.
 */
export function placeWalker(map: HexMap, walkers: usize, i: u32, row: i32, col: i32, heading: u32): Status {
  const status = seat(map, walkers, i, row, col, heading);
  if (status != Status.OK) return status;
  const walker = walkerAt(walkers, i);
  if (isEnd(map, row, col)) return endWalker(map, walkers, i, walker.tile, walker.cell, walker.state, 0);
  return visit(map, changetype<Tile>(here), walker.cell, 0) ? Status.OK : Status.OUT_OF_MEMORY;
}

function seat(map: HexMap, walkers: usize, i: u32, row: i32, col: i32, heading: u32): Status {
  if (isOutside(map, row, col) || isClosed(map, row, col)) return Status.NO_START;
  const cell = enter(map, row, col);
  if (!cell) return Status.OUT_OF_MEMORY;
  const walker = walkerAt(walkers, i);
  walker.tile = here;
  walker.cell = cell;
  walker.state = heading << 3;
  return Status.OK;
}

/**
 * Ends a walker on a cell after `steps` steps, and counts a visit of the cell. If memory runs out, the walker stays
 * where it was before.
 */
export function endWalker(
  map: HexMap,
  walkers: usize,
  i: u32,
  tile: usize,
  cell: usize,
  state: u32,
  steps: u64,
): Status {
  locate(map, changetype<Tile>(tile), cell);
  if (!addEndVisits(map, rowHere, colHere, 1)) return Status.OUT_OF_MEMORY;
  if (map.firstVisits) date(map, changetype<Tile>(tile), cell, <u32>steps);
  const walker = walkerAt(walkers, i);
  walker.tile = tile;
  walker.cell = cell;
  markEnded(map, walker, i, state, steps);
  return Status.OK;
}

/**
 * Ends a walker on its cell after `steps` steps, because no neighbour has a weight. Counts it in the map of the walkers
 * that ended in this way.
 */
export function endStuck(map: HexMap, walkers: usize, i: u32, steps: u64): Status {
  const walker = walkerAt(walkers, i);
  const stuck = changetype<SlopePlan>(map.slope).stuck;
  if (stuck) {
    locate(map, changetype<Tile>(walker.tile), walker.cell);
    const counts = changetype<HexMap>(stuck);
    const cell = enter(counts, rowHere, colHere);
    if (!cell || !visit(counts, changetype<Tile>(here), cell, <u32>steps)) return Status.OUT_OF_MEMORY;
  }
  markEnded(map, walker, i, walker.state, steps);
  return Status.OK;
}

/** Returns whether a walker of the map can end on any cell, because it is stuck there. */
function canEndStuck(map: HexMap): bool {
  return map.slope != 0 && changetype<SlopePlan>(map.slope).ends != 0;
}

function markEnded(map: HexMap, walker: Walker, i: u32, state: u32, steps: u64): void {
  walker.state = state | ENDED;
  store<u64>(stepsOf(map, i), steps);
  map.ended += 1;
  map.endedSteps += steps;
}

function stepsOf(map: HexMap, i: u32): usize {
  return map.endSteps + <usize>i * sizeof<u64>();
}

/** Writes the position and heading of a walker to the window as a WalkerPlace. */
export function readWalker(map: HexMap, walkers: usize, i: u32): void {
  const walker = walkerAt(walkers, i);
  locate(map, changetype<Tile>(walker.tile), walker.cell);
  const steps = hasEnded(walker) ? load<u64>(stepsOf(map, i)) : 0;
  const place = changetype<WalkerPlace>(window);
  place.row = rowHere;
  place.col = colHere;
  place.heading = walker.state >>> 3;
  place.ended = walker.state & ENDED;
  place.stepsLow = <u32>steps;
  place.stepsHigh = <u32>(steps >>> 32);
}

/**
 * Puts a walker on the cell of the WalkerPlace in the window. Counts no visit. A walker that has ended must be on a
 * cell of `ends`, unless stuck walkers end. Any other walker must be outside `ends`. Returns Status.NO_START if this
 * rule is broken, or if the cell is closed or outside the grid.
 */
export function writeWalker(map: HexMap, walkers: usize, i: u32): Status {
  const place = changetype<WalkerPlace>(window);
  const status = seat(map, walkers, i, place.row, place.col, place.heading);
  if (status != Status.OK) return status;
  const isAtEnd = isEnd(map, place.row, place.col);
  if (place.ended ? !isAtEnd && !canEndStuck(map) : isAtEnd) return Status.NO_START;
  if (!place.ended) return Status.OK;
  const steps = ((<u64>place.stepsHigh) << 32) | place.stepsLow;
  markEnded(map, walkerAt(walkers, i), i, place.heading << 3, steps);
  return Status.OK;
}

/** Writes the number of ended walkers, and the sum of their steps, to the window as Endings. */
export function readEndings(map: HexMap): void {
  const endings = changetype<Endings>(window);
  endings.walkers = map.ended;
  endings.stepsLow = <u32>map.endedSteps;
  endings.stepsHigh = <u32>(map.endedSteps >>> 32);
}

/** Address at which `date` last stored or compared a first visit. Set only if the map keeps first visits. */
export let firstHere: usize = 0;

/**
 * Counts a visit and stores its step. The count stops at the maximum. Do not call it for cells on which walkers end.
 * Returns false if memory runs out.
 */
export function visit(map: HexMap, tile: Tile, cell: usize, step: u32): bool {
  if (map.countShift) {
    const count = load<u32>(cell);
    if (count != SENTINEL) store<u32>(cell, count + 1);
  } else {
    const count = load<u8>(cell);
    if (count != NARROW_SENTINEL) store<u8>(cell, count + 1);
    else if (!visitFull(map, tile, cell)) return false;
  }
  if (map.firstVisits) date(map, tile, cell, step);
  return true;
}

/** Counts a visit of a cell whose narrow count is full. Returns false if memory runs out. */
function visitFull(map: HexMap, tile: Tile, cell: usize): bool {
  locate(map, tile, cell);
  return addEndVisits(map, rowHere, colHere, 1);
}

/**
 * Stores `step` as the first visit of a cell if `step` is less than the stored step. Calls are not in the order of
 * steps, because one walker takes all its steps before the next walker begins.
 */
function date(map: HexMap, tile: Tile, cell: usize, step: u32): void {
  firstHere = firstVisitOf(map, tile, cell);
  if (step < load<u32>(firstHere)) store<u32>(firstHere, step);
}
