import { add, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../../fractions.js";
import type { AffixSpec, ObjectFiles } from "../types.js";
import { affixWeight, caseOdds, checkDepth, checkSlot, depthCases, excludeEachOther, type SlotPlace } from "./law.js";

/** A slot of an object: its kind, the real depth, its affix level, and the affixes that it has so far. */
export interface SlotQuery extends Omit<SlotPlace, "depth"> {
  /** Left out, none: what they exclude cannot come. */
  readonly has?: readonly AffixSpec[] | undefined;
}

/** The exact chances at a slot; with `none` they sum to 1. */
export interface AffixOdds {
  /** Affixes that can come, in the order of their numbers. */
  readonly affixes: ReadonlyMap<AffixSpec, Fraction>;
  /** The chance that the slot stays empty. */
  readonly none: Fraction;
}

/** The chances at a slot of a depth, and how likely that depth is. */
export interface DepthAffixOdds extends AffixOdds {
  readonly depth: number;
  readonly chance: Fraction;
}

/**
 * Each affix's exact chance at a slot, over all depths that the slot may have, and by depth, the least first.
 * Depths at which everything weighs the same share their maps.
 * Cost: O(affixes × `T` lines × depths), and operations on fractions for each set of weights that the depths bring.
 *
 * @throws RollmillError `argument.range` for a real depth outside 0 … 255, or an affix level that the files do not have.
 */
export function affixOdds(
  files: ObjectFiles,
  query: SlotQuery,
): AffixOdds & { readonly depths: readonly DepthAffixOdds[] } {
  checkSlot(files, query);
  const { affixes } = files;
  const bands = new Map<string, { readonly odds: AffixOdds; cases: number }>();
  const depths: DepthAffixOdds[] = [];
  for (const [depth, cases] of depthCases(query.level)) {
    const weights = weightsAt(affixes, { ...query, depth });
    const key = weights.join();
    const band = bands.get(key) ?? { odds: oddsOf(affixes, weights), cases: 0 };
    band.cases += cases;
    bands.set(key, band);
    depths.push({ depth, chance: caseOdds(cases), ...band.odds });
  }
  return { ...mixed(affixes, [...bands.values()]), depths };
}

/**
 * Each affix's exact chance at a slot of a depth, `depth`, boosted or not. Cost: O(affixes × `T` lines).
 *
 * @throws RollmillError `argument.range` for a real depth outside 0 … 255, a slot's depth below 0, or an affix level that the
 *   files do not have.
 */
export function affixOddsAt(files: ObjectFiles, query: SlotQuery & { readonly depth: number }): AffixOdds {
  checkSlot(files, query);
  checkDepth(query.depth);
  const { affixes } = files;
  return oddsOf(affixes, weightsAt(affixes, query));
}

/**
 * Weights with those of excluded affixes as 0. What is picked anew where an excluded one came is picked by the weights of the
 * others: so, w of W that an affix has with the excluded ones becomes w of what is left of W.
 */
function weightsAt(affixes: readonly AffixSpec[], { has = [], ...place }: SlotQuery & SlotPlace): readonly number[] {
  return affixes.map((affix) => (has.some((other) => excludeEachOther(affix, other)) ? 0 : affixWeight(affix, place)));
}

function oddsOf(affixes: readonly AffixSpec[], weights: readonly number[]): AffixOdds {
  const total = BigInt(weights.reduce((sum, weight) => sum + weight, 0));
  const chances = new Map<AffixSpec, Fraction>();
  affixes.forEach((affix, i) => {
    if (weights[i] > 0) chances.set(affix, fraction(BigInt(weights[i]), total));
  });
  return { affixes: chances, none: total === 0n ? ONE : ZERO };
}

function mixed(
  affixes: readonly AffixSpec[],
  bands: readonly { readonly odds: AffixOdds; readonly cases: number }[],
): AffixOdds {
  const chances = new Map<AffixSpec, Fraction>();
  let none = ONE;
  for (const affix of affixes) {
    const chance = bands.reduce(
      (sum, { odds, cases }) => add(sum, multiply(caseOdds(cases), odds.affixes.get(affix) ?? ZERO)),
      ZERO,
    );
    if (chance.numerator > 0n) chances.set(affix, chance);
    none = subtract(none, chance);
  }
  return { affixes: chances, none };
}
