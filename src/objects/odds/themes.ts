import type { Chance, Odds, Watch } from "../../calls/index.js";
import { add, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../../fractions.js";
import { egoOddsAt } from "../law/egos.js";
import { depthCasesOf } from "../law/kinds.js";
import { reaches } from "../law/reach.js";
import {
  type AffixOdds,
  addTo,
  affixWeight,
  caseOdds,
  depthGroups,
  excludeEachOther,
  fitsAny,
  halfPercents,
  partWeights,
  refuseLong,
  type SlotPlace,
  type Sort,
  THEME_SCALE,
} from "../law/slots.js";
import type { AffixSpec, ObjectFiles, ThemeSpec } from "../types.js";

interface ThemeQuery {
  readonly kind: Sort;
  readonly level: number;
  readonly depth?: number | undefined;
  readonly has: readonly AffixSpec[];
  readonly watch?: Watch | undefined;
}

/** The odds of all themes whose `T` lines match the object. Includes themes with probability 0. */
export interface ObjectThemeOdds extends Odds<ThemeSpec> {
  readonly odds: readonly (Chance<ThemeSpec> & {
    /** The probability of the theme if no other theme matched, in units of 0.5 %: 0 … 200. */
    readonly halfPercents: number;
  })[];
}

/** The odds of each theme after two slots. */
export interface ObjectTwoSlotOdds extends Odds<ThemeSpec> {
  /** The probability that at least one of the two slots stays empty. It is included in `none`. */
  readonly incomplete: Fraction;
}

/** Let p be the {@link halfPercents} of a matching theme, s the sum of all p. The chance is min(s, 200)/200 · p/s. */
export function themeOdds({ themes, constants }: ObjectFiles, query: ThemeQuery): ObjectThemeOdds {
  const { kind, level, depth = level, has, watch } = query;
  const owned = new Set(has.map(({ number }) => number));
  const legal = themes.filter(({ targets }) => {
    watch?.look();
    return fitsAny(targets, { kind, level, depth });
  });
  const shares = legal.map((theme) => halfPercents(theme, owned, constants));
  const sum = shares.reduce((total, share) => total + share, 0);
  // min(s, 200)/200 · p/s is p/200 if s ≤ 200, else p/s
  const divisor = BigInt(Math.max(sum, THEME_SCALE));
  const odds = legal.map((result, i) => {
    return { result, probability: fraction(BigInt(shares[i]), divisor), halfPercents: shares[i] };
  });
  return { odds, none: fraction(BigInt(Math.max(THEME_SCALE - sum, 0)), BigInt(THEME_SCALE)) };
}

/**
 * Returns the exact chance of each theme after the second slot of an object that is not an artifact, over all depths of
 * both slots and all ordered pairs of affixes. Themes are tested only at the depth of the second slot, because a theme
 * needs two affixes. Ignores the option `limit`. Also ignores artifacts that require affixes, because the maker tries
 * these artifacts only after the last slot.
 * Cost: O(affixes² × depths) operations on fractions.
 * @throws RollmillError `object.request` if the files have too many lines for the kind.
 */
export function twoSlotThemeOdds(all: ObjectFiles, query: Omit<SlotQuery, "has">): ObjectTwoSlotOdds {
  // by the rules of Angband 4.2, an object has at most one slot
  if (all.rules === "4.2") return { odds: [], none: ONE, incomplete: ONE };
  const affixes = all.affixes.filter(({ targets }) => reaches(targets, query.kind));
  const themes = all.themes.filter(({ targets }) => reaches(targets, query.kind));
  const files = { ...all, affixes, themes };
  const depths = depthGroups(files, query);
  const lines = affixes.reduce((sum, { targets }) => sum + targets.length, 0);
  const themeLines = themes.reduce((sum, { targets, parts }) => sum + targets.length + parts.length, 0);
  refuseLong("the odds of themes", affixes.length * depths.length * (lines + themeLines));
  const first = affixOdds(files, query);
  const chances = new Map<ThemeSpec, Fraction>();
  let incomplete = first.none;
  for (const [affix, chance] of first.affixes) {
    query.watch?.passed(all.affixes.indexOf(affix));
    const partners = partnersOf(affix, files, query.watch);
    let empty = ZERO;
    for (const { depth, cases } of depths) {
      const second = affixOddsAt(files, { ...query, depth, has: [affix] });
      const weight = multiply(chance, caseOdds(cases, all.constants));
      empty = add(empty, multiply(weight, second.none));
      for (const other of partners) {
        const both = multiply(weight, second.affixes.get(other) ?? ZERO);
        if (both.numerator === 0n) continue;
        for (const { result, probability } of themeOdds(files, { ...query, depth, has: [affix, other] }).odds) {
          addTo(chances, result, multiply(both, probability));
        }
      }
    }
    incomplete = add(incomplete, empty);
  }
  return { odds: listedOdds(themes, chances), none: [...chances.values()].reduce(subtract, ONE), incomplete };
}

function partnersOf({ number: own }: AffixSpec, { affixes, themes }: ObjectFiles, watch: Watch | undefined) {
  const numbers = new Set<number>();
  for (const theme of themes) {
    watch?.look();
    const weights = partWeights(theme);
    if ((weights.get(own) ?? 0) === 0) continue;
    for (const [number, weight] of weights) if (weight > 0 && number !== own) numbers.add(number);
  }
  return affixes.filter(({ number }) => numbers.has(number));
}

interface SlotQuery extends Omit<SlotPlace, "depth"> {
  /** The affixes that the object already has. The slot cannot get an affix that excludes one of them. Default: none. */
  readonly has?: readonly AffixSpec[] | undefined;
  readonly watch?: Watch | undefined;
}

export function affixOdds(files: ObjectFiles, query: SlotQuery): AffixOdds {
  const { affixes, rules, constants } = files;
  const depths =
    rules === "v4"
      ? depthGroups(files, query)
      : [...depthCasesOf(files, query.level)].map(([depth, cases]) => ({ depth, cases }));
  const groups = depths.map(({ depth, cases }) => ({ odds: affixOddsAt(files, { ...query, depth }), cases }));
  const chances = new Map<AffixSpec, Fraction>();
  let none = ONE;
  for (const affix of affixes) {
    query.watch?.look();
    let chance = ZERO;
    for (const { odds, cases } of groups) {
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
  // by the rules of Angband 4.2, an object has at most one affix
  return (query.has ?? []).length > 0 ? { affixes: new Map(), none: ONE } : egoOddsAt(files, query);
}

/** If the kernel picks an excluded affix, it picks again. So an excluded affix has the weight 0 here. */
function weightsAt(affixes: readonly AffixSpec[], { has = [], watch, ...place }: SlotQuery & SlotPlace) {
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

export function listedOdds<Result>(results: readonly Result[], chances: ReadonlyMap<Result, Fraction>) {
  return results.flatMap((result) => {
    const probability = chances.get(result);
    return probability === undefined ? [] : [{ result, probability }];
  });
}
