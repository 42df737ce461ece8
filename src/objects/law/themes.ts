import type { ThemeSpec } from "../types.js";
import { CONSTANTS } from "./constants.js";
import { THEME_SCALE } from "./slots.js";

/** For a weight below this, factor · weight² is below 2^53, because a factor is below 2^10. A double holds it exactly. */
const MAX_SQUARED = 2 ** 21;

/**
 * Returns the chance of a theme if no other theme matches, in units of 0.5 %. `owned` has the numbers of the object's
 * affixes. Let t be the total weight of the theme's `A` lines, and w that of its lines for owned affixes. Then the
 * chance is ⌊factor·w·w/t⌋, at most 200. It is 0 if too few of the owned affixes have a weight above 0 in the theme.
 * Usually the factor is 8, and two such affixes are enough.
 */
export function halfPercents(theme: ThemeSpec, owned: ReadonlySet<number>, { themes } = CONSTANTS): number {
  const found = [...partWeights(theme)].filter(([affix, weight]) => weight > 0 && owned.has(affix));
  if (found.length < themes.leastAffixes) return 0;
  const weight = found.reduce((sum, [, part]) => sum + part, 0);
  return halfPercentsOf(
    weight,
    theme.parts.reduce((sum, part) => sum + part.weight, 0),
    themes.factor,
  );
}

/** Returns min(200, ⌊factor·weight²/total⌋). `total` must be above 0. */
export function halfPercentsOf(weight: number, total: number, factor: number): number {
  // this is exact: a quotient of two integers below 2^53 is never rounded up to the next integer
  if (weight < MAX_SQUARED) return Math.min(THEME_SCALE, Math.floor((factor * weight * weight) / total));
  const share = (BigInt(factor) * BigInt(weight) ** 2n) / BigInt(total);
  return share > THEME_SCALE ? THEME_SCALE : Number(share);
}

/** The keys are the numbers of affixes. */
export function partWeights({ parts }: Pick<ThemeSpec, "parts">): ReadonlyMap<number, number> {
  const weights = new Map<number, number>();
  for (const { affix, weight } of parts) weights.set(affix, (weights.get(affix) ?? 0) + weight);
  return weights;
}
