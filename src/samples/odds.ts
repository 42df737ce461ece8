import { type Odds, sumsByResult } from "../calls/index.js";
import { fraction, ZERO } from "../fractions.js";
import type { SamplerPlan } from "./types.js";

/**
 * Returns the exact odds of the item at one position of a sample. The odds are the same at every position: each of the
 * n entries of the list has the probability 1/n. An item that occurs m times in the list has the probability m/n.
 */
export function positionOdds({ items }: SamplerPlan): Odds<unknown> {
  const whole = BigInt(items.length);
  const counts = sumsByResult(
    items,
    items.map(() => 1),
  );
  const odds = Array.from(counts, ([result, times]) => ({ result, probability: fraction(BigInt(times), whole) }));
  return { odds, none: ZERO };
}
