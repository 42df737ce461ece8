// Steps of walkers that feel a field. The weight of a direction is the weight of the Direction Tensor times the factor
// of the neighbour there. The factor depends on the values of the field on the walker's cell and on the neighbour.

import { below, firstAbove } from "../core/below";
import { VALUE_ROW } from "./fieldCells";
import { DIRECTION_COUNT } from "./hexMap";
import { RESTING, SlopePlan } from "./layout";
import { weightRow } from "./tensor";

// The values of a cell and its neighbours, as byte distances from the value of the north-western neighbour.
export const NORTH_EAST: usize = sizeof<u16>();
export const WEST: usize = VALUE_ROW - sizeof<u16>();
export const HERE: usize = VALUE_ROW;
export const EAST: usize = VALUE_ROW + sizeof<u16>();
export const SOUTH_WEST: usize = 2 * VALUE_ROW - sizeof<u16>();
export const SOUTH_EAST: usize = 2 * VALUE_ROW;

/** For each direction, the byte distance from the value of a cell to the value of its neighbour. 0 for RESTING. */
// biome-ignore format: one entry of 8 bytes for each heading
export const valueMoves = memory.data<i32>([
  -(<i32>VALUE_ROW), 0, 2 - <i32>VALUE_ROW, 0, 2, 0, <i32>VALUE_ROW, 0, <i32>VALUE_ROW - 2, 0, -2, 0, 0, 0,
]);

/** A number for each direction. */
@unmanaged
export class SixWeights {
  nw: u32;
  ne: u32;
  e: u32;
  se: u32;
  sw: u32;
  w: u32;
}

@unmanaged
export class Factor {
  /** Returns the factor of a neighbour that is `drop` lower than the walker's cell. */
  @inline
  static of(drop: i32, down: u32, level: u32, up: u32, steepness: u32): u32 {
    // at most 65535 · 65535, so the product of a lower neighbour is below 2^32
    return select(down + ((<u32>drop * steepness) >>> 8), select(level, up, drop == 0), drop > 0);
  }
}

const sums = memory.data(32, 16);

/**
 * Returns the direction that a word picks among the open directions; bit d of `open` is direction d. `corner` is the
 * address of the value of the north-western neighbour. Returns RESTING if no open direction has a weight.
 */
export function chooseOnSlope(slope: SlopePlan, tensor: usize, heading: u32, corner: usize, open: u32, word: u32): u32 {
  let total = sumOnSlope(slope, weightRow(tensor, heading), corner, open);
  if (!total) total = sumOnSlope(slope, weightRow(tensor, RESTING), corner, open);
  return total ? firstAbove(sums, below(word, total)) : RESTING;
}

/** Writes the prefix sums of the weights on a slope, and returns the total. Counts only open directions. */
function sumOnSlope(slope: SlopePlan, weights: usize, corner: usize, open: u32): u32 {
  const here = <i32>load<u16>(corner, HERE);
  let sum: u32 = 0;
  for (let direction: u32 = 0; direction < DIRECTION_COUNT; ++direction) {
    const place = <usize>direction * sizeof<u32>();
    const there = corner + HERE + load<i32>(valueMoves + 2 * place);
    const drop = here - <i32>load<u16>(there);
    const factor = Factor.of(drop, slope.down, slope.level, slope.up, slope.steepness);
    sum += (open >>> direction) & 1 ? load<u32>(weights + place) * factor : 0;
    store<u32>(sums + place, sum);
  }
  return sum;
}
