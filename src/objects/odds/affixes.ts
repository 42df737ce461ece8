import type { Watch } from "../../calls/index.js";
import { add, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../../fractions.js";
import type { AffixSpec, ObjectFiles } from "../types.js";
import { depthCasesOf } from "./decisions.js";
import { egoOddsAt } from "./egos.js";
import { type AffixOdds, affixWeight, caseOdds, excludeEachOther, type SlotPlace } from "./law.js";

export interface SlotQuery extends Omit<SlotPlace, "depth"> {
  /** The affixes that the object already has. A slot gives no affix that excludes one of them. Default: none. */
  readonly has?: readonly AffixSpec[] | undefined;
  readonly watch?: Watch | undefined;
}

/** Returns the exact chance of each affix in a slot, over all depths of the slot. */
export function affixOdds(files: ObjectFiles, query: SlotQuery): AffixOdds {
  const { affixes, rules, constants } = files;
  const groups = new Map<string, { readonly odds: AffixOdds; cases: number }>();
  for (const [depth, cases] of depthCasesOf(files, query.level)) {
    const place = { ...query, depth };
    const key = rules === "4.2" ? String(depth) : weightsAt(affixes, place).join();
    const group = groups.get(key) ?? { odds: affixOddsAt(files, place), cases: 0 };
    group.cases += cases;
    groups.set(key, group);
  }
  const chances = new Map<AffixSpec, Fraction>();
  let none = ONE;
  for (const affix of affixes) {
    query.watch?.look();
    let chance = ZERO;
    for (const { odds, cases } of groups.values()) {
      chance = add(chance, multiply(caseOdds(cases, constants), odds.affixes.get(affix) ?? ZERO));
    }
    if (chance.numerator > 0n) chances.set(affix, chance);
    none = subtract(none, chance);
  }
  return { affixes: chances, none };
}

export function affixOddsAt(files: ObjectFiles, query: SlotQuery & { readonly depth: number }): AffixOdds {
  const { affixes, rules } = files;
  if (rules !== "4.2") return oddsOf(affixes, weightsAt(affixes, query));
  // an object has at most one affix
  return (query.has ?? []).length > 0 ? { affixes: new Map(), none: ONE } : egoOddsAt(files, query);
}

/** If the kernel picks an excluded affix, it picks again. So an excluded affix has the weight 0 here. */
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
