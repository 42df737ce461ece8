import type { Odds } from "../../calls/index.js";
import { add, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../../fractions.js";
import type { EntryGroup } from "../entryGroup.js";
import { FEATURED, HIT, MISS, type PityPlan } from "./compile.js";
import type { Standing } from "./kernel.js";

/** The exact odds of the next pull. */
export function nextOdds({ labels, groups, chances, rule }: PityPlan, { since, guaranteed }: Standing): Odds<string> {
  const chance = chances[since];
  const half = rule.featured === undefined ? ZERO : guaranteed ? ONE : rule.featured;
  const odds = new Map<string | null, Fraction>([...labels].map((label) => [label, ZERO]));
  const spread = ({ entries, ends, total }: EntryGroup, share: Fraction) => {
    for (const [i, entry] of entries.entries()) {
      const weight = BigInt(ends[i] - (ends[i - 1] ?? 0));
      const own = multiply(share, fraction(weight, BigInt(total)));
      odds.set(labels[entry], add(odds.get(labels[entry]) ?? ZERO, own));
    }
  };
  spread(groups[MISS], subtract(ONE, chance));
  spread(groups[HIT], multiply(chance, subtract(ONE, half)));
  spread(groups[FEATURED], multiply(chance, half));
  const none = odds.get(null) ?? ZERO;
  odds.delete(null);
  return {
    odds: Array.from(odds as Map<string, Fraction>, ([result, probability]) => ({ result, probability })),
    none,
  };
}
