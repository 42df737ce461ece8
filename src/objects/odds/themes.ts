import { add, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../../fractions.js";
import type { AffixSpec, ObjectFiles, ThemeSpec } from "../types.js";
import { type AffixOdds, affixOdds, affixOddsAt } from "./affixes.js";
import { caseOdds, checkDepth, checkLevel, depthCases, fits, isInDepth, type Sort, THEME_SCALE } from "./law.js";

/** Half-percents of a theme per square of the weight that an object has of it, over the weight of all of it. */
export const SQUARE_FACTOR = 8;
/** So many different affixes of positive weight a theme needs. */
export const LEAST_PARTS = 2;

/** An object whose affixes may have made it ready for a theme. */
export interface ThemeQuery {
  readonly kind: Sort;
  /** The real depth, 0 … 255. */
  readonly level: number;
  /** The depth of the slot that was filled last; the real one where left out. */
  readonly depth?: number | undefined;
  /** The affixes that it has, whatever their order; one that is there twice counts once. */
  readonly has: readonly AffixSpec[];
}

/** How likely a theme is. */
export interface ThemeChance {
  /** What it would have of 200 if it were the only one: 0 … 200. */
  readonly halfPercents: number;
  /** What it has among all of them. */
  readonly chance: Fraction;
}

/** The chances of themes; with `none` they sum to 1. */
export interface ThemeOdds {
  /** Every theme that is for such a kind at such depths, in the order of their numbers, those of no chance too. */
  readonly themes: ReadonlyMap<ThemeSpec, ThemeChance>;
  readonly none: Fraction;
}

/**
 * What an object becomes right after its last slot was filled: one theme or none, by exact chances. With p a theme's
 * half-percents and s their sum, its chance is min(s, 200)/200 · p/s.
 * Cost: O(themes × (`T` and `A` lines)).
 *
 * @throws RollmillError `argument.range` for a real depth outside 0 … 255, or a slot's depth below 0.
 */
export function themeOdds({ themes }: ObjectFiles, { kind, level, depth = level, has }: ThemeQuery): ThemeOdds {
  checkLevel(level);
  checkDepth(depth);
  const owned = new Set(has.map(({ number }) => number));
  const legal = themes.filter(({ targets }) =>
    targets.some((target) => fits(target, kind) && isInDepth(target, { level, depth })),
  );
  const shares = legal.map((theme) => halfPercents(theme, owned));
  const sum = shares.reduce((total, share) => total + share, 0);
  const chances = legal.map((theme, i): [ThemeSpec, ThemeChance] => {
    // p/s of min(s, 200)/200: p/200 up to s = 200, and p/s above
    const chance = fraction(BigInt(shares[i]), BigInt(Math.max(sum, THEME_SCALE)));
    return [theme, { halfPercents: shares[i], chance }];
  });
  const none = fraction(BigInt(Math.max(THEME_SCALE - sum, 0)), BigInt(THEME_SCALE));
  return { themes: new Map(chances), none };
}

/**
 * A theme's half-percents for an object that has affixes of these numbers: ⌊8·w·w/t⌋, at most 200, w being what the lines of
 * the affixes weigh that it has, t what all lines do; 0 where fewer than two different affixes count. Cost: O(`A` lines).
 */
export function halfPercents(theme: ThemeSpec, owned: ReadonlySet<number>): number {
  const found = [...partWeights(theme)].filter(([affix, weight]) => weight > 0 && owned.has(affix));
  if (found.length < LEAST_PARTS) return 0;
  const weight = found.reduce((sum, [, part]) => sum + part, 0);
  const total = theme.parts.reduce((sum, part) => sum + part.weight, 0);
  // in BigInt: a line weighs 1,000 at most, but lines add up, and eight times the square of 33,555 such lines passes 2^53
  const share = (BigInt(SQUARE_FACTOR) * BigInt(weight) ** 2n) / BigInt(total);
  return share > THEME_SCALE ? THEME_SCALE : Number(share);
}

/** What each affix of a theme weighs in it, by number: the sum of its `A` lines. */
export function partWeights({ parts }: ThemeSpec): ReadonlyMap<number, number> {
  const weights = new Map<number, number>();
  for (const { affix, weight } of parts) weights.set(affix, (weights.get(affix) ?? 0) + weight);
  return weights;
}

/** What can be of an object after two slots; with `unthemed` and `incomplete` the themes sum to 1. */
export interface TwoSlotThemeOdds {
  /** Themes that can have come, in the order of their numbers. */
  readonly themes: ReadonlyMap<ThemeSpec, Fraction>;
  /** Two affixes and no theme. */
  readonly unthemed: Fraction;
  /** At most one affix: a slot stayed empty. */
  readonly incomplete: Fraction;
}

/**
 * The exact chance of each theme for an ordinary object of a kind at an affix level, after its second slot: over both slots'
 * depths, every pair of affixes in either order, exclusions, and the second slot's depth as the theme's. Nothing has a theme
 * earlier, so that these are the chances of objects that have two slots; of those with more, this is how they stand then.
 * Before artifacts of affixes, and without a limit on power.
 *
 * Cost: affixes² × depths at which anything changes, in operations on fractions: tenths of a second for 60 affixes.
 *
 * @throws RollmillError `argument.range` for a real depth outside 0 … 255, or an affix level that the files do not have.
 */
export function twoSlotThemeOdds(
  files: ObjectFiles,
  query: { readonly kind: Sort; readonly level: number; readonly affixLevel: number },
): TwoSlotThemeOdds {
  const first = affixOdds(files, query);
  const chances = new Map<ThemeSpec, Fraction>();
  let incomplete = first.none;
  for (const [affix, chance] of first.affixes) {
    const has = [affix];
    const partners = partnersOf(affix, files);
    let empty = ZERO;
    for (const { depth, cases } of secondDepths(files, query)) {
      const second = affixOddsAt(files, { ...query, depth, has });
      const weight = multiply(chance, caseOdds(cases));
      empty = add(empty, multiply(weight, second.none));
      addThemes(chances, files, { ...query, depth }, { affix, weight, second, partners });
    }
    incomplete = add(incomplete, empty);
  }
  const themes = new Map(
    files.themes.flatMap((theme): [ThemeSpec, Fraction][] => {
      const chance = chances.get(theme);
      return chance === undefined ? [] : [[theme, chance]];
    }),
  );
  const unthemed = [...themes.values(), incomplete].reduce(subtract, ONE);
  return { themes, unthemed, incomplete };
}

/** Affixes that count for some theme together with this one. */
function partnersOf({ number: own }: AffixSpec, { affixes, themes }: ObjectFiles): readonly AffixSpec[] {
  const numbers = new Set<number>();
  for (const weights of themes.map(partWeights)) {
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

/** A slot's depths, those together at which no line of the kind begins to be legal: each stands for its like. */
function secondDepths(
  { affixes, themes }: ObjectFiles,
  { kind, level }: { readonly kind: Sort; readonly level: number },
): readonly { readonly depth: number; readonly cases: number }[] {
  const lines = [...affixes, ...themes].flatMap(({ targets }): readonly { readonly least: number }[] =>
    targets.filter((target) => fits(target, kind)),
  );
  const starts = [...new Set(lines.map(({ least }) => least))];
  const bands = new Map<number, { depth: number; cases: number }>();
  for (const [depth, cases] of depthCases(level)) {
    const band = starts.filter((least) => least <= depth).length;
    const known = bands.get(band);
    if (known === undefined) bands.set(band, { depth, cases });
    else known.cases += cases;
  }
  return [...bands.values()];
}
