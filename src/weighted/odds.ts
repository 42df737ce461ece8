import type { Odds } from "../calls/index.js";
import { fraction, ZERO } from "../fractions.js";
import type { WeightedPlan } from "./types.js";

/** Returns the exact odds of one pick: weight / total for each entry, in lowest terms. Cost: O(n) fractions. */
export function weightedOdds({ weights, total }: WeightedPlan): Odds<number> {
  const whole = BigInt(total);
  const odds = Array.from(weights, (weight, result) => ({ result, probability: fraction(BigInt(weight), whole) }));
  return { odds, none: ZERO };
}
