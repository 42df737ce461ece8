import type { Chance, Odds } from "../../calls/index.js";
import type { Fraction } from "../../fractions.js";
import type { AffixSpec, ArtifactSpec, KindSpec, Quality, ThemeSpec } from "../types.js";

/** The exact chances of one affix. A slot can give the affix to the object, or a theme can add it. */
export interface AffixChance extends Chance<AffixSpec> {
  /** The probability that slots give the affix at least once. The object's `affixes` list only affixes from slots. */
  readonly probability: Fraction;
  /** The probability that a theme adds the affix. */
  readonly byTheme: Fraction;
  /** The probability that a slot gives the affix, or a theme adds it, or both. */
  readonly either: Fraction;
}

/**
 * The exact odds of a whole object.
 *
 * If {@link WholeObjectOdds.unexplored} is 0, all probabilities are exact. Otherwise, each probability is a lower
 * bound. Add `unexplored` for an upper bound. Both bounds are exact fractions.
 */
export interface WholeObjectOdds {
  /**
   * The odds of the kind. An artifact counts as an object of its kind. `none` is the probability that the draw finds no
   * kind.
   */
  readonly kinds: Odds<KindSpec>;
  /**
   * The chances of each affix. An object can have several affixes, so the probabilities can add up to more than 1.
   * `none` is the probability that no slot gives the object an affix.
   */
  readonly affixes: { readonly odds: readonly AffixChance[]; readonly none: Fraction };
  /** The odds of the theme. `none` is the probability that the object has no theme. */
  readonly themes: Odds<ThemeSpec>;
  /** The odds of the artifact. `none` is the probability that the object is not an artifact. */
  readonly artifacts: Odds<ArtifactSpec>;
  /** The odds of the number of affixes, 0 … 8. If the object has an affix twice, it counts twice. */
  readonly affixCounts: Odds<number>;
  /** The probability of the objects that the computation did not follow to their end. 0 if all odds are exact. */
  readonly unexplored: Fraction;
}

export interface WholeQuery {
  readonly level: number;
  readonly quality: Quality;
  readonly kind: KindSpec | undefined;
  readonly tval: number | undefined;
  /** Index into `ObjectFiles.levels`. Undefined if the affix level is random. */
  readonly affixLevel: number | undefined;
  readonly artifacts: boolean;
  readonly mostStates: number;
}

export const DEFAULT_STATES = 2 ** 18;
export const MAX_STATES = 2 ** 22;

/** Returns the chance of each result, in the order of `results`. */
export function listedOdds<Result>(
  results: readonly Result[],
  chances: ReadonlyMap<Result, Fraction>,
): readonly Chance<Result>[] {
  return results.flatMap((result) => {
    const probability = chances.get(result);
    return probability === undefined ? [] : [{ result, probability }];
  });
}
