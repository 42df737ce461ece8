import { mixedAmountOdds } from "../amounts/index.js";
import { type Odds, sumsByLabel } from "../calls/index.js";
import { fraction, ZERO } from "../fractions.js";
import type { LabelledPlan, WeightedPlan } from "./compile.js";

export function weightedOdds({ weights, total }: WeightedPlan): Odds<number> {
  const whole = BigInt(total);
  const odds = Array.from(weights, (weight, result) => ({ result, probability: fraction(BigInt(weight), whole) }));
  return { odds, none: ZERO };
}

export function labelledOdds({ weights, total, labels }: LabelledPlan): Odds<string> {
  const { none, sums } = sumsByLabel(labels, weights);
  const share = (sum: number) => fraction(BigInt(sum), BigInt(total));
  return { odds: Array.from(sums, ([result, sum]) => ({ result, probability: share(sum) })), none: share(none) };
}

export function quantityOdds({ weights, labels, quantities }: LabelledPlan, label: string): Odds<number> {
  const entries = labels.flatMap((one, entry) => (one === label && weights[entry] > 0 ? [entry] : []));
  return mixedAmountOdds(
    entries.map((entry) => ({ amount: quantities?.[entry], share: fraction(BigInt(weights[entry]), 1n) })),
  );
}
