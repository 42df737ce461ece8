import type { Odds } from "../calls/index.js";
import { fraction, ZERO } from "../fractions.js";
import type { SamplerPlan } from "./types.js";

/**
 * Returns the exact odds of the item at one position of a sample. They are the same at every position: each of the n items
 * has the probability 1/n. An item that the list has m times has m/n.
 */
export function positionOdds({ items }: SamplerPlan): Odds<unknown> {
  const whole = BigInt(items.length);
  const counts = countItems(items, () => 1);
  const odds = Array.from(counts, ([result, times]) => ({ result, probability: fraction(BigInt(times), whole) }));
  return { odds, none: ZERO };
}

/** Adds up numbers by item, in the order of first appearance. */
export function countItems(items: readonly unknown[], numberOf: (i: number) => number): Map<unknown, number> {
  const sums = new Map<unknown, number>();
  for (const [i, item] of items.entries()) sums.set(item, (sums.get(item) ?? 0) + numberOf(i));
  return sums;
}
