import type { Chance, Odds } from "../../calls/index.js";
import type { Fraction } from "../../fractions.js";
import type { AffixSpec, ArtifactSpec, KindSpec, Quality, ThemeSpec } from "../types.js";

/** The exact chances that an object gets an affix, for each way in which it can get the affix. */
export interface AffixChance extends Chance<AffixSpec> {
  /** The probability that slots give the object this affix at least once. The object's `affixes` then list it. */
  readonly probability: Fraction;
  /** The probability that a theme adds this affix. */
  readonly byTheme: Fraction;
  /** The probability that a slot or a theme gives the object this affix. */
  readonly either: Fraction;
}

/**
 * The exact odds of a whole object.
 *
 * If {@link WholeObjectOdds.unexplored} is 0, all probabilities are exact. Otherwise, each probability is a lower bound,
 * and its sum with `unexplored` is an upper bound. Both bounds are exact.
 */
export interface WholeObjectOdds {
  /** The odds of the kind. An artifact counts for its kind. `none`: the draw of the kind finds no kind. */
  readonly kinds: Odds<KindSpec>;
  /**
   * The chance of each affix on the object. An object can have several affixes, so the probabilities can add up to more
   * than 1. `none`: no slot gave the object an affix.
   */
  readonly affixes: { readonly odds: readonly AffixChance[]; readonly none: Fraction };
  /** The odds of the theme. `none`: an object without a theme. */
  readonly themes: Odds<ThemeSpec>;
  /** The odds of the artifact. `none`: an object that is not an artifact. */
  readonly artifacts: Odds<ArtifactSpec>;
  /** The odds of the number of affixes, 0 … 8. An affix that the object has twice counts twice. */
  readonly affixCounts: Odds<number>;
  /** The probability of the objects that were not followed to their end. It is 0 if all odds are exact. */
  readonly unexplored: Fraction;
}

/** The objects whose odds are computed. */
export interface WholeQuery {
  readonly level: number;
  readonly quality: Quality;
  readonly kind: KindSpec | undefined;
  readonly tval: number | undefined;
  /** Index into `ObjectFiles.levels`. Undefined: a random affix level. */
  readonly affixLevel: number | undefined;
  readonly artifacts: boolean;
  readonly mostStates: number;
}

/** Default of the option `states`. */
export const MOST_STATES = 2 ** 18;
/** Greatest value of the option `states`. */
export const MOST_STATES_ALLOWED = 2 ** 22;

/** Lists the chances of results in the order of `results`. */
export function listedOdds<Result>(
  results: readonly Result[],
  chances: ReadonlyMap<Result, Fraction>,
): readonly Chance<Result>[] {
  return results.flatMap((result) => {
    const probability = chances.get(result);
    return probability === undefined ? [] : [{ result, probability }];
  });
}
