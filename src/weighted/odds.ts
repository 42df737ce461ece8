import { mixedAmountOdds } from "../amounts/index.js";
import { type Odds, sumsByResult } from "../calls/index.js";
import { fraction, ZERO } from "../fractions.js";
import type { LabelledPlan, WeightedPlan } from "./types.js";

/** Returns the exact odds of one pick: weight / total for each entry, in lowest terms. Cost: O(n) fractions. */
export function weightedOdds({ weights, total }: WeightedPlan): Odds<number> {
  const whole = BigInt(total);
  const odds = Array.from(weights, (weight, result) => ({ result, probability: fraction(BigInt(weight), whole) }));
  return { odds, none: ZERO };
}

/** Returns the exact odds of each label, in the order of first appearance. `none` is the probability of nothing. */
export function labelledOdds({ weights, total, labels }: LabelledPlan): Odds<string> {
  const sums = sumsByResult(labels, weights);
  const whole = BigInt(total);
  const none = fraction(BigInt(sums.get(null) ?? 0), whole);
  sums.delete(null);
  const chances = Array.from(sums as Map<string, number>, ([result, sum]) => ({
    result,
    probability: fraction(BigInt(sum), whole),
  }));
  return { odds: chances, none };
}

/**
 * Returns the exact odds of each quantity of a label, given that this label is picked. The quantities are in ascending
 * order.
 */
export function quantityOdds({ weights, labels, quantities }: LabelledPlan, label: string): Odds<number> {
  const entries = labels.flatMap((one, entry) => (one === label && weights[entry] > 0 ? [entry] : []));
  return mixedAmountOdds(
    entries.map((entry) => ({ amount: quantities?.[entry], share: fraction(BigInt(weights[entry]), 1n) })),
  );
}
