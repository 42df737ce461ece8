import { add, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../../fractions.js";
import type { AffixSpec, ObjectFiles, ThemeSpec } from "../types.js";
import { type AffixOdds, affixOdds, affixOddsAt } from "./affixes.js";
import { caseOdds, checkDepth, checkLevel, depthCases, fits, isInDepth, type Sort, THEME_SCALE } from "./law.js";

/** Half-percents of a theme = this factor × (weight of the object's affixes in it)² / total weight of the theme. */
export const SQUARE_FACTOR = 8;
/** A theme needs so many different affixes of positive weight. */
export const LEAST_PARTS = 2;

/** An object whose affixes may lead to a theme. */
interface ThemeQuery {
  readonly kind: Sort;
  /** The real depth, 0 … 255. */
  readonly level: number;
  /** The depth of the slot that was filled last. Default: the real depth. */
  readonly depth?: number | undefined;
  /** The affixes of the object, in any order. An affix that is listed twice counts once. */
  readonly has: readonly AffixSpec[];
}

/** The chance of a theme. */
interface ThemeChance {
  /** Its chance in 200ths if it were the only theme: 0 … 200. */
  readonly halfPercents: number;
  /** Its chance among all themes. */
  readonly chance: Fraction;
}

/** The chances of themes. With `none` they add up to 1. */
interface ThemeOdds {
  /** Every theme whose `T` lines match, in the order of the files, those with chance 0 included. */
  readonly themes: ReadonlyMap<ThemeSpec, ThemeChance>;
  readonly none: Fraction;
}

/**
 * The exact chance of each theme right after a slot was filled. If p is a theme's half-percents and s the sum of all,
 * its chance is min(s, 200)/200 · p/s. Cost: O(themes × (`T` and `A` lines)).
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
 * A theme's half-percents for an object with the affixes of these numbers: ⌊8·w·w/t⌋, at most 200, where w is the
 * weight of the lines of these affixes and t the weight of all lines; 0 if fewer than two different affixes count.
 * Cost: O(`A` lines).
 */
export function halfPercents(theme: ThemeSpec, owned: ReadonlySet<number>): number {
  const found = [...partWeights(theme)].filter(([affix, weight]) => weight > 0 && owned.has(affix));
  if (found.length < LEAST_PARTS) return 0;
  const weight = found.reduce((sum, [, part]) => sum + part, 0);
  const total = theme.parts.reduce((sum, part) => sum + part.weight, 0);
  // BigInt: a line weighs at most 1,000, but eight times the square of 33,555 such lines exceeds 2^53
  const share = (BigInt(SQUARE_FACTOR) * BigInt(weight) ** 2n) / BigInt(total);
  return share > THEME_SCALE ? THEME_SCALE : Number(share);
}

/** The weight of each affix in a theme, by number: the sum of its `A` lines. */
export function partWeights({ parts }: ThemeSpec): ReadonlyMap<number, number> {
  const weights = new Map<number, number>();
  for (const { affix, weight } of parts) weights.set(affix, (weights.get(affix) ?? 0) + weight);
  return weights;
}

/** The chances of an object after two slots. The themes, `unthemed` and `incomplete` add up to 1. */
interface TwoSlotThemeOdds {
  /** The themes that are possible, in the order of the files. */
  readonly themes: ReadonlyMap<ThemeSpec, Fraction>;
  /** Chance of two affixes and no theme. */
  readonly unthemed: Fraction;
  /** Chance that a slot stayed empty. */
  readonly incomplete: Fraction;
}

/**
 * The exact chance of each theme after the second slot of an object that is not an artifact. It covers the depths of
 * both slots, every ordered pair of affixes, and exclusions; the theme is tested at the depth of the second slot. No
 * theme can come earlier. Objects with more slots have these chances after their second one. Artifacts that require
 * affixes come later, and limits do not count.
 *
 * Cost: affixes² × depths at which the legal lines change, in operations on fractions.
 *
 * @throws RollmillError `argument.range` for a real depth outside 0 … 255, or an affix level that the files do not
 * have.
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

/** The affixes that are in a theme together with this one. */
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

/** The depths of a slot, in groups with the same legal lines: one depth of each group, and the cases of all. */
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
