// Groups of walkers. Each walker takes only the steps that can visit the wanted rectangle. In memory, the walkers of a
// group follow the head of the group (WalkerGroup in layout.ts).
//
// Why a walker can wait: a step moves a walker by at most one row and one column. So a walker that is d rows or columns
// away from a rectangle, and has fewer than d steps left, visits no cell of the rectangle any more. Another rectangle
// may need the remaining steps. They can be taken later, because visits are sums and first visits are minima, and
// neither depends on the order.

import { Lanes } from "../core/xoshiro";
import { HexMap, Tile } from "./hexMap";
import { colHere, locate, rowHere } from "./hexMoves";
import { Walker, WalkerGroup } from "./layout";
import { hasEnded } from "./walkers";

/**
 * Spare steps in {@link stepsWanted}. Without them, each walker that comes nearer to the rectangle would need a second
 * call of this function. With them, one call is usually enough for a walker that comes only a little nearer. Including
 * the rounding, a walker takes at most 35 steps more than it needs: SPARE_STEPS in src/walks/kernel/scatter.ts.
 */
const SPARE_STEPS: u32 = 32;

/**
 * A walker of a group.
 *
 *   0      4      8       12      16      80
 *   ├─ tile ─┼─ cell ─┼─ state ─┼─ taken ─┼─ lanes ─┤
 *
 * `lanes` is the state of the generator of the walker's current block of words. The generator continues with the word
 * of the walker's next step.
 */
@unmanaged
export class GroupWalker extends Walker {
  /** Number of steps that the walker has taken. */
  taken: u32;
}

const LANES: usize = offsetof<GroupWalker>();
const WALKER_BYTES: usize = LANES + offsetof<Lanes>();

/** Returns the size of a group of `seats` walkers in bytes. */
export function groupBytes(seats: u32): usize {
  return offsetof<WalkerGroup>() + <usize>seats * WALKER_BYTES;
}

/** Returns walker i of a group. */
export function groupWalker(group: WalkerGroup, i: u32): GroupWalker {
  return changetype<GroupWalker>(changetype<usize>(group) + offsetof<WalkerGroup>() + <usize>i * WALKER_BYTES);
}

/** Returns the address of a walker's generator. */
export function lanesOf(walker: GroupWalker): usize {
  return changetype<usize>(walker) + LANES;
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

/** Returns whether a walker can take further steps. Its whole walk has `steps` steps. */
export function canStep(walker: GroupWalker, steps: u32): bool {
  return walker.taken < steps && !hasEnded(walker);
}

/**
 * Returns how many steps a walker should take next, or 0 if it cannot reach the rectangle with its remaining steps. Its
 * whole walk has `steps` steps. The caller moves the walker and asks again, until the result is 0. The result is the
 * number of all remaining steps, or a multiple of 4, because words are made four at a time.
 */
export function stepsWanted(map: HexMap, walker: GroupWalker, steps: u32): u32 {
  if (!canStep(walker, steps)) return 0;
  locate(map, changetype<Tile>(walker.tile), walker.cell);
  const rest = steps - walker.taken;
  const distance = max(outside(rowHere, top, bottom), outside(colHere, left, right));
  if (distance > <i64>rest) return 0;
  return min(rest, (rest - <u32>distance + SPARE_STEPS + 3) & ~3);
}

/** Returns how far a coordinate is from the range `first` … `last`: 0 if it is in the range. */
function outside(at: i32, first: i32, last: i32): i64 {
  return max(<i64>first - at, max(<i64>at - last, 0));
}
