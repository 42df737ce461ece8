import type { Odds } from "../calls/index.js";
import { type Fraction, fraction, ONE, ZERO } from "../fractions.js";
import { DIRECTIONS, type Direction, RESTING } from "./directions.js";
import type { TensorPlan } from "./types.js";

/**
 * Returns the odds of one step. An open direction has a probability in proportion to its combined weight. If these
 * weights are all 0, the absolute weights decide instead. If these are 0 too, the walker rests, and `none` is 1.
 */
export function stepOdds(tensor: TensorPlan, heading: number, closed: ReadonlySet<number>): Odds<Direction> {
  const open = (row: number) => weightsOf(tensor, row).map((weight, c) => (closed.has(c) ? 0n : weight));
  const combined = open(heading);
  const chances = shares(combined.some((weight) => weight > 0n) ? combined : open(RESTING));
  const odds = DIRECTIONS.map((result, c) => ({ result, probability: chances[c] }));
  return { odds, none: chances.some(({ numerator }) => numerator > 0n) ? ZERO : ONE };
}

/** Returns the combined weights of a heading 0 … 6, divided by their sum; six zeros if the sum is 0. */
export function combinedShares(tensor: TensorPlan, heading: number): Fraction[] {
  return shares(weightsOf(tensor, heading));
}

function weightsOf({ combined }: TensorPlan, heading: number): bigint[] {
  const { length } = DIRECTIONS;
  return Array.from(combined.subarray(heading * length, (heading + 1) * length), BigInt);
}

function shares(weights: readonly bigint[]): Fraction[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  return weights.map((weight) => (total === 0n ? ZERO : fraction(weight, total)));
}
