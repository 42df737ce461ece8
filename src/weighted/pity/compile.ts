import { type Fraction, overCommonDenominator } from "../../fractions.js";
import { groupOf } from "../entryGroup.js";
import { type PitySpec, ruleOf } from "./parse.js";
import { hitChances } from "./rule.js";

/** Indices of {@link PityPlan.groups}. Without featured hits, all hits are `HIT`. */
export const MISS = 0;
export const HIT = 1;
export const FEATURED = 2;

export interface PityPlan extends ReturnType<typeof compilePity> {}

export function compilePity(spec: PitySpec) {
  const { labels, quantities } = spec.list;
  const rule = ruleOf(spec);
  // `parsePity` refuses a rule without a sure hit
  const chances = hitChances(rule) as readonly Fraction[];
  const { integers, whole } = overCommonDenominator(chances);
  const [hits, featured] = [new Set<string | null>(spec.of), new Set<string | null>(spec.featured)];
  const groups = [
    groupOf(spec.list, (label) => !hits.has(label)),
    groupOf(spec.list, (label) => hits.has(label) && !featured.has(label)),
    groupOf(spec.list, (label) => featured.has(label)),
  ];
  return { labels, quantities, rule, chances, shares: integers.map(Number), denominator: Number(whole), groups };
}
