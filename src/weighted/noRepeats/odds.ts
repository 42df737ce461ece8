import type { Odds, Work } from "../../calls/index.js";
import { type Fraction, fraction, ZERO } from "../../fractions.js";
import { type NoRepeatsPlan, totalWithout } from "./compile.js";

/** The exact odds of the next pick. */
export function nextOdds(plan: NoRepeatsPlan, recent: readonly (string | null)[]): Odds<string> {
  const whole = BigInt(totalWithout(plan, recent));
  return byLabel(plan, (label, weight) => (recent.includes(label) ? ZERO : fraction(BigInt(weight), whole)));
}

/**
 * Returns the share of each label in the long run: w · e_m of the other weights, divided by (m + 1) · e_(m+1) of all
 * weights, where e_k is the sum of the products of k different weights and m is `within`.
 *
 * Proof: the chain of the last m picks x₁ … x_m has the stationary weights w(x₁) ⋯ w(x_m) · (T − w(x₁) − … − w(x_m)),
 * because their sum over x₁, each times w(y) / (T − w(x₁) − … − w(x_m)), is the weight of x₂ … x_m y. The sum of these
 * weights over all states whose last pick is y is m! times the sum over all sets of m + 1 labels with y.
 */
export function longRunOdds(plan: NoRepeatsPlan, work: Work): Odds<string> {
  const { within, totals } = plan;
  const weights = [...totals.values()].filter((weight) => weight > 0).map(BigInt);
  const sums = [1n, ...Array<bigint>(within + 1).fill(0n)];
  // steps for one weight: `within` operations on numbers of up to 32 · within bits
  const steps = within * (4 + within / 2);
  for (const weight of weights) {
    work.spend(steps);
    for (let k = within + 1; k > 0; k--) sums[k] += weight * sums[k - 1];
  }
  const whole = BigInt(within + 1) * sums[within + 1];
  return byLabel(plan, (_, weight) => {
    work.spend(steps);
    // without w, e_k is e_k of all weights less w times e_(k−1) of the others
    let others = 1n;
    for (let k = 1; k <= within; k++) others = sums[k] - BigInt(weight) * others;
    return fraction(BigInt(weight) * others, whole);
  });
}

function byLabel({ totals }: NoRepeatsPlan, chanceOf: (label: string | null, weight: number) => Fraction) {
  const odds = new Map(Array.from(totals, ([label, weight]) => [label, chanceOf(label, weight)]));
  const none = odds.get(null) ?? ZERO;
  odds.delete(null);
  return {
    odds: Array.from(odds as Map<string, Fraction>, ([result, probability]) => ({ result, probability })),
    none,
  };
}
