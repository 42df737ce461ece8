import type { Watch } from "../../calls/index.js";
import { add, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../../fractions.js";
import type { AffixSpec, ObjectFiles } from "../types.js";
import { depthCasesOf } from "./decisions.js";
import { egoOddsAt } from "./egos.js";
import { affixWeight, caseOdds, checkDepth, checkSlot, depthCases, excludeEachOther, type SlotPlace } from "./law.js";

/** A slot: the kind, real depth and affix level of the object, and the affixes that the object already has. */
interface SlotQuery extends Omit<SlotPlace, "depth"> {
  /**
   * The affixes that the object already has. The slot cannot give an affix that excludes one of these affixes, or that
   * one of these excludes. Default: none.
   */
  readonly has?: readonly AffixSpec[] | undefined;
  readonly watch?: Watch | undefined;
}

export interface AffixOdds {
  readonly affixes: ReadonlyMap<AffixSpec, Fraction>;
  readonly none: Fraction;
}

interface DepthAffixOdds extends AffixOdds {
  readonly depth: number;
  readonly chance: Fraction;
}

/**
 * Returns the exact chance of each affix in a slot, over all depths of the slot. Also returns the chances at each
 * single depth, the least depth first. Depths at which all affixes have the same weights share a map. Cost: O(affixes ×
 * `T` lines × depths), and operations on fractions for each different set of weights.
 *
 * @throws RollmillError `argument.range` for a real depth outside 0 … 255, or an affix level that the files do not
 * have.
 */
export function affixOdds(
  files: ObjectFiles,
  query: SlotQuery,
): AffixOdds & { readonly depths: readonly DepthAffixOdds[] } {
  checkSlot(files, query);
  if (files.rules === "4.2") return egoOdds(files, query);
  const { affixes, constants } = files;
  const bands = new Map<string, { readonly odds: AffixOdds; cases: number }>();
  const depths: DepthAffixOdds[] = [];
  for (const [depth, cases] of depthCases(query.level, constants)) {
    const weights = weightsAt(affixes, { ...query, depth });
    const key = weights.join();
    const band = bands.get(key) ?? { odds: oddsOf(affixes, weights), cases: 0 };
    band.cases += cases;
    bands.set(key, band);
    depths.push({ depth, chance: caseOdds(cases, constants), ...band.odds });
  }
  return { ...mixed(files, [...bands.values()], query.watch), depths };
}

/**
 * Returns the exact chance of each affix in a slot at one depth, `depth`. Cost: O(affixes × `T` lines).
 *
 * @throws RollmillError `argument.range` for a real depth outside 0 … 255, a slot's depth below 0, or an affix level
 * that the files do not have.
 */
export function affixOddsAt(files: ObjectFiles, query: SlotQuery & { readonly depth: number }): AffixOdds {
  checkSlot(files, query);
  checkDepth(query.depth);
  if (files.rules === "4.2") return egoOddsIn(files, query);
  const { affixes } = files;
  return oddsOf(affixes, weightsAt(affixes, query));
}

function egoOddsIn(files: ObjectFiles, { has = [], ...query }: SlotQuery & { readonly depth: number }): AffixOdds {
  return has.length > 0 ? { affixes: new Map(), none: ONE } : egoOddsAt(files, query);
}

function egoOdds(files: ObjectFiles, query: SlotQuery): AffixOdds & { readonly depths: readonly DepthAffixOdds[] } {
  const bands: { readonly odds: AffixOdds; readonly cases: number }[] = [];
  const depths: DepthAffixOdds[] = [];
  for (const [depth, cases] of depthCasesOf(files, query.level)) {
    const odds = egoOddsIn(files, { ...query, depth });
    bands.push({ odds, cases });
    depths.push({ depth, chance: caseOdds(cases, files.constants), ...odds });
  }
  return { ...mixed(files, bands, query.watch), depths };
}

/**
 * Returns the weight of each affix; 0 for an excluded affix. If the kernel picks an excluded affix, it picks again. So
 * the chance of an affix is its weight divided by the sum of these weights.
 */
function weightsAt(
  affixes: readonly AffixSpec[],
  { has = [], watch, ...place }: SlotQuery & SlotPlace,
): readonly number[] {
  return affixes.map((affix) => {
    watch?.look();
    return has.some((other) => excludeEachOther(affix, other)) ? 0 : affixWeight(affix, place);
  });
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
  { affixes, constants }: ObjectFiles,
  bands: readonly { readonly odds: AffixOdds; readonly cases: number }[],
  watch: Watch | undefined,
): AffixOdds {
  const chances = new Map<AffixSpec, Fraction>();
  let none = ONE;
  for (const affix of affixes) {
    watch?.look();
    const chance = bands.reduce(
      (sum, { odds, cases }) => add(sum, multiply(caseOdds(cases, constants), odds.affixes.get(affix) ?? ZERO)),
      ZERO,
    );
    if (chance.numerator > 0n) chances.set(affix, chance);
    none = subtract(none, chance);
  }
  return { affixes: chances, none };
}
