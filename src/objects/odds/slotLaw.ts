import { commonDivisor } from "../../fractions.js";
import type { AffixSpec, ObjectFiles, ThemeSpec } from "../types.js";
import { affixWeight, depthGroups, excludeEachOther, fitsAny, type Sort } from "./law.js";
import { partWeights } from "./themes.js";

export type TrackedTheme = ReturnType<typeof trackedTheme>;

/** A group of depths of a slot. At all of them, each affix has the same weight, and the same themes are possible. */
export interface Band {
  readonly cases: number;
  readonly weights: readonly number[];
  readonly untracked: number;
  readonly law: number;
  readonly themes: number;
}

interface SlotLawQuery {
  readonly kind: Sort;
  readonly level: number;
  readonly affixLevel: number;
  /** The numbers of all affixes that artifacts of this kind require. */
  readonly required: ReadonlySet<number>;
  /** If there are more laws, the bands of the rarest laws are left out. */
  readonly mostLaws: number;
}

/**
 * Returns the affixes and themes that slots can give to an object of one kind, real depth and affix level.
 *
 * An affix is *tracked* if it has a weight above 0 in a theme, if it excludes an affix, if an affix excludes it, or if
 * an artifact requires it. What later slots give depends only on the tracked affixes of the object. So for untracked
 * affixes, it is enough to count how many followed each of the `laws`. A *place* is an index into `tracked`.
 */
export function slotLaw(files: ObjectFiles, query: SlotLawQuery) {
  const depths = depthGroups(files, query);
  const found = depths.map(({ depth }) => files.affixes.map((affix) => affixWeight(affix, { ...query, depth })));
  const affixes = files.affixes.filter((_, i) => found.some((weights) => weights[i] > 0));
  const numbers = new Set(affixes.map(({ number }) => number));
  const themes = files.themes.filter((theme) => {
    const counted = [...partWeights(theme)].filter(([number, weight]) => weight > 0 && numbers.has(number));
    return (
      counted.length >= files.constants.themes.leastAffixes &&
      depths.some(({ depth }) => fitsAny(theme.targets, { ...query, depth }))
    );
  });
  const isTracked = trackedBy(themes, affixes, query.required);
  const [tracked, untracked] = [affixes.filter(isTracked), affixes.filter((affix) => !isTracked(affix))];
  const place = new Map(files.affixes.map((affix, i) => [affix, i]));
  const weightsOf = (list: readonly AffixSpec[], band: number) => list.map((one) => found[band][place.get(one) ?? 0]);
  const possible = new Index<readonly boolean[]>();
  const laws = new Index<ReturnType<typeof lawOf>>();
  const bands = depths.flatMap(({ depth, cases }, i): Band[] => {
    const weights = weightsOf(tracked, i);
    const others = weightsOf(untracked, i);
    if (sumOf(weights) + sumOf(others) === 0) return [];
    const able = themes.map(({ targets }) => fitsAny(targets, { ...query, depth }));
    const law = sumOf(others) === 0 ? -1 : laws.of(lawOf(others));
    return [{ cases, weights, untracked: sumOf(others), law, themes: possible.of(able) }];
  });
  return {
    constants: files.constants,
    tracked,
    untracked,
    themes: themes.map((theme) => trackedTheme(theme, tracked, untracked)),
    /** Entry [s][i] is true if theme i is in set s. Each set contains all sets before it. */
    possible: possible.values,
    laws: laws.values,
    bands: withoutRarest(bands, query.mostLaws),
    /** The cases of a depth (`depthCases`) with an affix, also those of bands that were left out. */
    cases: sumOf(bands.map(({ cases }) => cases)),
    excludes: tracked.map((affix) => tracked.flatMap((other, i) => (excludeEachOther(affix, other) ? [i] : []))),
  };
}

export type SlotLaw = ReturnType<typeof slotLaw>;

function trackedBy(themes: readonly ThemeSpec[], affixes: readonly AffixSpec[], required: ReadonlySet<number>) {
  const numbers = new Set(required);
  for (const theme of themes) for (const [number, weight] of partWeights(theme)) if (weight > 0) numbers.add(number);
  const present = new Set(affixes.map(({ number }) => number));
  for (const { number, excludes } of affixes) {
    for (const other of excludes) if (present.has(other)) numbers.add(number).add(other);
  }
  return ({ number }: AffixSpec) => numbers.has(number);
}

function trackedTheme(theme: ThemeSpec, tracked: readonly AffixSpec[], untracked: readonly AffixSpec[]) {
  const lines = partWeights(theme);
  /** The weights above 0 of the tracked affixes, by place. */
  const weights = new Map<number, number>();
  for (const [i, { number }] of tracked.entries()) {
    const weight = lines.get(number) ?? 0;
    if (weight > 0) weights.set(i, weight);
  }
  // a line of weight 0 counts too
  const isIn = tracked.map(({ number }) => lines.has(number));
  const hasUntracked = untracked.some(({ number }) => lines.has(number));
  return { theme, total: sumOf([...lines.values()]), weights, isIn, hasUntracked };
}

/** Affix i has the chance `weights[i]` / `total`. The weights have no common divisor. */
function lawOf(weights: readonly number[]) {
  const divisor = weights.reduce(commonDivisor, 0);
  const reduced = weights.map((weight) => weight / divisor);
  return { weights: reduced, total: sumOf(reduced) };
}

function withoutRarest(bands: readonly Band[], mostLaws: number): readonly Band[] {
  const cases = new Map<number, number>();
  for (const { law, cases: own } of bands) if (law >= 0) cases.set(law, (cases.get(law) ?? 0) + own);
  const sorted = [...cases].sort(([, a], [, b]) => b - a);
  const kept = new Set(sorted.slice(0, mostLaws).map(([law]) => law));
  return bands.filter(({ law }) => law < 0 || kept.has(law));
}

class Index<Value> {
  readonly values: Value[] = [];
  readonly #places = new Map<string, number>();

  of(value: Value): number {
    const key = JSON.stringify(value);
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.values.length);
    return this.values.push(value) - 1;
  }
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
