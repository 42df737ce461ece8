import type { Chance, Watch } from "../../calls/index.js";
import { add, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../../fractions.js";
import {
  type AffixOdds,
  caseOdds,
  depthGroups,
  fits,
  fitsAny,
  refuseLong,
  type Sort,
  type SortRange,
  THEME_SCALE,
} from "../law/slots.js";
import { halfPercents, partWeights } from "../law/themes.js";
import type { AffixSpec, ObjectFiles, ThemeSpec } from "../types.js";
import { affixOdds, affixOddsAt } from "./affixes.js";
import { listedOdds } from "./wholeQuery.js";

interface ThemeQuery {
  readonly kind: Sort;
  readonly level: number;
  /** The depth of the last slot that got an affix. Default: the real depth. */
  readonly depth?: number | undefined;
  readonly has: readonly AffixSpec[];
  readonly watch?: Watch | undefined;
}

interface ThemeChance {
  /** The chance of the theme if no other theme matches. The unit is 0.5 %: 0 … 200. */
  readonly halfPercents: number;
  /** The real chance of the theme. It depends on all matching themes. */
  readonly chance: Fraction;
}

interface ThemeOdds {
  /** All themes whose `T` lines match, in the order of the files. The chance of a theme can be 0. */
  readonly themes: ReadonlyMap<ThemeSpec, ThemeChance>;
  readonly none: Fraction;
}

/**
 * Returns the exact chance of each theme right after a slot was filled. Let p be the {@link halfPercents} of a theme,
 * and s the sum of p over all themes whose `T` lines match. Then the chance is min(s, 200)/200 · p/s.
 */
export function themeOdds({ themes, constants }: ObjectFiles, query: ThemeQuery): ThemeOdds {
  const { kind, level, depth = level, has, watch } = query;
  const owned = new Set(has.map(({ number }) => number));
  const legal = themes.filter(({ targets }) => {
    watch?.look();
    return fitsAny(targets, { kind, level, depth });
  });
  const shares = legal.map((theme) => halfPercents(theme, owned, constants));
  const sum = shares.reduce((total, share) => total + share, 0);
  const chances = legal.map((theme, i): [ThemeSpec, ThemeChance] => {
    // min(s, 200)/200 · p/s is p/200 if s ≤ 200, else p/s
    const chance = fraction(BigInt(shares[i]), BigInt(Math.max(sum, THEME_SCALE)));
    return [theme, { halfPercents: shares[i], chance }];
  });
  const none = fraction(BigInt(Math.max(THEME_SCALE - sum, 0)), BigInt(THEME_SCALE));
  return { themes: new Map(chances), none };
}

interface TwoSlotThemeOdds {
  readonly odds: readonly Chance<ThemeSpec>[];
  readonly unthemed: Fraction;
  /** The chance that at least one of the two slots is empty. */
  readonly incomplete: Fraction;
}

/**
 * Returns the exact chance of each theme after the second slot of an object that is not an artifact, over all depths of
 * both slots and all ordered pairs of affixes. The theme is tested at the depth of the second slot; before that, no
 * theme is possible. Ignores the option `limit`, and artifacts that require affixes: the maker tries them after the
 * last slot.
 *
 * Cost: O(affixes² × depths) operations on fractions.
 *
 * @throws RollmillError `object.request` if the files have too many lines for the kind.
 */
export function twoSlotThemeOdds(
  all: ObjectFiles,
  query: {
    readonly kind: Sort;
    readonly level: number;
    readonly affixLevel: number;
    readonly watch?: Watch | undefined;
  },
): TwoSlotThemeOdds {
  // by the rules of Angband 4.2, an object has at most one slot
  if (all.rules === "4.2") return { odds: [], unthemed: ZERO, incomplete: ONE };
  const reaches = (lines: readonly SortRange[]) => lines.some((line) => fits(line, query.kind));
  const affixes = all.affixes.filter(({ targets }) => reaches(targets));
  const themes = all.themes.filter(({ targets }) => reaches(targets));
  const files = { ...all, affixes, themes };
  const depths = depthGroups(files, query);
  const lines = affixes.reduce((sum, { targets }) => sum + targets.length, 0);
  const themeLines = themes.reduce((sum, { targets, parts }) => sum + targets.length + parts.length, 0);
  refuseLong("the odds of themes", affixes.length * depths.length * (lines + themeLines));
  const first = affixOdds(files, query);
  const chances = new Map<ThemeSpec, Fraction>();
  let incomplete = first.none;
  for (const [affix, chance] of first.affixes) {
    const has = [affix];
    query.watch?.passed(all.affixes.indexOf(affix));
    const partners = partnersOf(affix, files, query.watch);
    let empty = ZERO;
    for (const { depth, cases } of depths) {
      const second = affixOddsAt(files, { ...query, depth, has });
      const weight = multiply(chance, caseOdds(cases, all.constants));
      empty = add(empty, multiply(weight, second.none));
      addThemes(chances, files, { ...query, depth }, { affix, weight, second, partners });
    }
    incomplete = add(incomplete, empty);
  }
  const unthemed = [...chances.values(), incomplete].reduce(subtract, ONE);
  return { odds: listedOdds(themes, chances), unthemed, incomplete };
}

/** Returns the affixes that have a weight above 0 in a theme in which the given affix has one too. */
function partnersOf(
  { number: own }: AffixSpec,
  { affixes, themes }: ObjectFiles,
  watch: Watch | undefined,
): readonly AffixSpec[] {
  const numbers = new Set<number>();
  for (const theme of themes) {
    watch?.look();
    const weights = partWeights(theme);
    if ((weights.get(own) ?? 0) === 0) continue;
    for (const [number, weight] of weights) if (weight > 0 && number !== own) numbers.add(number);
  }
  return affixes.filter(({ number }) => numbers.has(number));
}

function addThemes(
  chances: Map<ThemeSpec, Fraction>,
  files: ObjectFiles,
  query: Omit<ThemeQuery, "has">,
  pair: {
    readonly affix: AffixSpec;
    readonly weight: Fraction;
    readonly second: AffixOdds;
    readonly partners: readonly AffixSpec[];
  },
): void {
  for (const other of pair.partners) {
    const chance = pair.second.affixes.get(other);
    if (chance === undefined) continue;
    const both = multiply(pair.weight, chance);
    for (const [theme, odds] of themeOdds(files, { ...query, has: [pair.affix, other] }).themes) {
      if (odds.halfPercents > 0) chances.set(theme, add(chances.get(theme) ?? ZERO, multiply(both, odds.chance)));
    }
  }
}
