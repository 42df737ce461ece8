import { amountOdds } from "../amounts/index.js";
import type { Odds } from "../calls/index.js";
import { add, type Fraction, fraction, multiply, ZERO } from "../fractions.js";
import type { LabelledPlan, WeightedPlan } from "./types.js";

/** The quantity of an entry without one. */
const ONE_ITEM = { count: 0, sides: 1, plus: 1 };

/** Returns the exact odds of one pick: weight / total for each entry, in lowest terms. Cost: O(n) fractions. */
export function weightedOdds({ weights, total }: WeightedPlan): Odds<number> {
  const whole = BigInt(total);
  const odds = Array.from(weights, (weight, result) => ({ result, probability: fraction(BigInt(weight), whole) }));
  return { odds, none: ZERO };
}

/** Returns the exact odds of each label, in the order of first appearance; `none` is the probability of nothing. */
export function labelledOdds({ weights, total, labels }: LabelledPlan): Odds<string> {
  const sums = sumsByLabel(labels, weights);
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
 * Returns the exact odds of the quantity of a label, given that the label is picked: every quantity that is possible, in
 * ascending order.
 */
export function quantityOdds({ weights, labels, quantities }: LabelledPlan, label: string): Odds<number> {
  const entries = labels.flatMap((one, entry) => (one === label && weights[entry] > 0 ? [entry] : []));
  const total = BigInt(entries.reduce((sum, entry) => sum + weights[entry], 0));
  const found = new Map<number, Fraction>();
  for (const entry of entries) {
    const share = fraction(BigInt(weights[entry]), total);
    for (const { result, probability } of amountOdds(quantities?.[entry] ?? ONE_ITEM)) {
      found.set(result, add(found.get(result) ?? ZERO, multiply(share, probability)));
    }
  }
  const odds = Array.from(found, ([result, probability]) => ({ result, probability }));
  return { odds: odds.sort((a, b) => a.result - b.result), none: ZERO };
}

/** Adds up numbers of entries by label, in the order of first appearance. */
export function sumsByLabel(
  labels: readonly (string | null)[],
  numbers: ArrayLike<number>,
): Map<string | null, number> {
  const sums = new Map<string | null, number>();
  for (let entry = 0; entry < labels.length; entry++) {
    sums.set(labels[entry], (sums.get(labels[entry]) ?? 0) + numbers[entry]);
  }
  return sums;
}
