import { type Odds, sumsByResult } from "../calls/index.js";
import { fraction, ZERO } from "../fractions.js";
import type { SamplerPlan } from "./types.js";

/** Each of the n entries of the list has the probability 1/n at every position. Adds up the entries of equal items. */
export function positionOdds({ items }: SamplerPlan): Odds<unknown> {
  const whole = BigInt(items.length);
  const counts = sumsByResult(items, new Uint8Array(items.length).fill(1));
  const odds = Array.from(counts, ([result, times]) => ({ result, probability: fraction(BigInt(times), whole) }));
  return { odds, none: ZERO };
}
