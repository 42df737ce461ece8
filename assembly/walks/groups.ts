// Groups of walkers that take only the steps that can matter (layout.ts has the head of a group). After its head, a
// group has three arrays with an entry for each walker:
//
//   0                64 · seats              76 · seats       80 · seats
//   ├─ lanes, 64 bytes … ─┼─ walkers, 12 bytes … ─┼─ taken, u32 … ─┤
//
// `lanes` is the state of the generator of the walker's current block of words, behind the words of the steps that it
// has taken. `taken` is the number of these steps.
//
// Why a group may stop early: a step moves a walker by at most one row and one column. So a walker that is d rows or
// columns away from a rectangle, and has fewer than d steps left, visits no cell of the rectangle any more. Visits are
// sums, so it does not matter when the other steps are taken, or whether they are taken at all.

import { STATE_BYTES } from "../core/xoshiro";
import { HexMap, Tile } from "./hexMap";
import { colHere, locate, rowHere } from "./hexMoves";
import { Walker, WalkerGroup } from "./layout";
import { hasEnded, walkerAt } from "./walkers";

/**
 * A walker takes this many steps more than it needs if it stays about where it is. So a walker that comes nearer rarely
 * needs a second part.
 */
const SPARE_STEPS: u32 = 32;

/** Returns the size of a group of `seats` walkers in bytes. */
export function groupBytes(seats: u32): usize {
  return offsetof<WalkerGroup>() + <usize>seats * (STATE_BYTES + offsetof<Walker>() + sizeof<u32>());
}

/** Returns the address of walker i's generator. */
export function lanesOf(group: WalkerGroup, i: u32): usize {
  return changetype<usize>(group) + offsetof<WalkerGroup>() + <usize>i * STATE_BYTES;
}

/** Returns the address of the array of walkers. */
export function walkersOf(group: WalkerGroup): usize {
  return lanesOf(group, group.count);
}

/** Returns the number of steps that walker i has taken. */
export function stepsTaken(group: WalkerGroup, i: u32): u32 {
  return load<u32>(takenOf(group, i));
}

/** Adds to the number of steps that walker i has taken. */
export function addSteps(group: WalkerGroup, i: u32, steps: u32): void {
  store<u32>(takenOf(group, i), stepsTaken(group, i) + steps);
}

function takenOf(group: WalkerGroup, i: u32): usize {
  return walkersOf(group) + <usize>group.count * offsetof<Walker>() + <usize>i * sizeof<u32>();
}

// The rectangle on which the visits must be complete, corners inclusive.
let top: i32 = 0;
let left: i32 = 0;
let bottom: i32 = 0;
let right: i32 = 0;

/** Sets the rectangle of {@link stepsWanted}, corners inclusive. */
export function wantRectangle(row0: i32, col0: i32, row1: i32, col1: i32): void {
  top = row0;
  left = col0;
  bottom = row1;
  right = col1;
}

/** Tells whether walker i can take further steps, of `steps` in all. */
export function canStep(group: WalkerGroup, i: u32, steps: u32): bool {
  return stepsTaken(group, i) < steps && !hasEnded(walkerAt(walkersOf(group), i));
}

/**
 * Returns how many steps walker i should take now, so that it visits every cell of the rectangle that it would visit in
 * all its `steps` steps: 0 if it cannot reach the rectangle any more. The result is a multiple of 4, because words are
 * made four at a time, unless it ends with the last step.
 */
export function stepsWanted(map: HexMap, group: WalkerGroup, i: u32, steps: u32): u32 {
  if (!canStep(group, i, steps)) return 0;
  const walker = walkerAt(walkersOf(group), i);
  locate(map, changetype<Tile>(walker.tile), walker.cell);
  const rest = steps - stepsTaken(group, i);
  const distance = max(outside(rowHere, top, bottom), outside(colHere, left, right));
  if (distance > <i64>rest) return 0;
  return min(rest, (rest - <u32>distance + SPARE_STEPS + 3) & ~3);
}

/** Returns how far a coordinate is from the range `first` … `last`. */
function outside(at: i32, first: i32, last: i32): i64 {
  return max(<i64>first - at, max(<i64>at - last, 0));
}
