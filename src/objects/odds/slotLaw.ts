import { type FactorBase, type Product, power, UNIT } from "../../factors.js";
import { commonDivisor } from "../../fractions.js";
import {
  affixWeight,
  depthGroups,
  excludeEachOther,
  fitsAny,
  partWeights,
  type SlotPlace,
  THEME_SCALE,
} from "../law/slots.js";
import type { AffixSpec, ObjectFiles, ThemeSpec } from "../types.js";

export type TrackedTheme = ReturnType<typeof trackedTheme>;

/** Depths of a slot between which no affix changes its weight, and no theme becomes possible or impossible. */
interface Band {
  readonly cases: number;
  readonly weights: readonly number[];
  readonly untracked: number;
  readonly law: number;
  readonly themes: number;
}

/** `required`: affixes that artifacts of this kind require. At most `mostLaws` laws are kept: the most probable. */
type SlotLawQuery = Omit<SlotPlace, "depth"> & { required: ReadonlySet<number>; mostLaws: number };

/**
 * Returns the affixes and themes that slots can give to an object of one kind, real depth and affix level.
 * An affix is *tracked* if it has a weight above 0 in a theme, if it excludes an affix, if an affix excludes it, or if
 * an artifact requires it. A *place* is an index into `tracked`. Later slots depend only on the tracked affixes of the
 * object. So its untracked affixes need only be counted by *law*: a distribution of the untracked affixes in a slot.
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
    /** The sets of possible themes: entry [s][i] is true if set s has theme i. Each set contains all sets before it. */
    possible: possible.values,
    laws: laws.values,
    bands: withoutRarest(bands, query.mostLaws),
    /** How many cases of a slot's depth (`depthCases`) allow an affix. Includes the bands that were left out. */
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
  // `isIn` includes lines of weight 0
  const isIn = tracked.map(({ number }) => lines.has(number));
  const hasUntracked = untracked.some(({ number }) => lines.has(number));
  return { theme, total: sumOf([...lines.values()]), weights, isIn, hasUntracked };
}

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

/** Maximum bits of the common denominator. If it has more, rates are rounded to multiples of 2^−ROUNDED_BITS. */
const MAX_BITS = 512;
const ROUNDED_BITS = 192;
/** If there are more sets of excluded affixes, no common denominator is computed, and rates are rounded. */
const MAX_EXCLUSIONS = 4096;

/**
 * The chances of the results of a slot, for objects with the same excluded affixes, as numerators over `RateBook.unit`.
 * The chance of an affix is a list of sums over bands. Entry s is the chance that the slot is in a band whose
 * `themes` is less than s, and gets the affix. So the last entry is the whole chance.
 */
export interface Rates {
  readonly tracked: readonly (readonly bigint[])[];
  /** For each of `SlotLaw.laws`, the list of sums for all untracked affixes together, over the bands with this law. */
  readonly untracked: readonly (readonly bigint[])[];
  /** The chance that the slot stays empty, because all its affixes are excluded. */
  readonly empty: bigint;
  /** The chance that the fields above miss. Above 0 if bands with rare laws were left out, or if rates were rounded. */
  readonly lost: bigint;
  readonly mass: RatesMass;
  after(place: number): Rates;
}

/** Sums over all objects with the same rates. `SetWalk` computes them. Its comments explain *mass* and `visits`. */
interface RatesMass {
  readonly visits: bigint[];
  /** For each tracked affix, the sum of the visits of the objects with this affix. */
  readonly having: bigint[];
  /** Entry [t][e] is the mass of the objects with e empty slots after t slots. */
  readonly slots: bigint[][];
}

export class RateBook {
  readonly unit: bigint;
  readonly product: Product;
  readonly #law: SlotLaw;
  readonly #known = new Map<string, Rates>();

  constructor(law: SlotLaw, most: number, base: FactorBase) {
    this.#law = law;
    const product = commonDenominator(law, most, base);
    const unit = product === undefined ? 0n : base.quotient(product, UNIT);
    const isExact = product !== undefined && unit < 2n ** BigInt(MAX_BITS);
    this.product = isExact ? product : power(base.productOf(2), ROUNDED_BITS);
    this.unit = isExact ? unit : 2n ** BigInt(ROUNDED_BITS);
  }

  get all(): Iterable<Rates> {
    return this.#known.values();
  }

  of(excluded: readonly number[]): Rates {
    const key = excluded.join();
    const rates = this.#known.get(key) ?? this.#compute(new Set(excluded));
    this.#known.set(key, rates);
    return rates;
  }

  #compute(excluded: ReadonlySet<number>): Rates {
    const { bands, laws, tracked, cases, excludes } = this.#law;
    const totals = bands.map((band) => totalOf(band, excluded));
    const rateOf = (band: number, weight: number) =>
      totals[band] === 0 ? 0n : (BigInt(bands[band].cases * weight) * this.unit) / BigInt(cases * totals[band]);
    const sums = (weightOf: (band: Band) => number) => this.#sums((band) => rateOf(band, weightOf(bands[band])));
    const empty = bands.reduce((sum, band, i) => (totals[i] === 0 ? sum + band.cases : sum), 0);
    const found = {
      tracked: tracked.map((_, i) => sums(({ weights }) => (excluded.has(i) ? 0 : weights[i]))),
      untracked: laws.map((_, law) => sums((band) => (band.law === law ? band.untracked : 0))),
      empty: cases === 0 ? 0n : (BigInt(empty) * this.unit) / BigInt(cases),
    };
    const given = [...found.tracked, ...found.untracked].reduce((sum, list) => sum + (list.at(-1) ?? 0n), 0n);
    const rates: Rates = {
      ...found,
      lost: this.unit - given - found.empty,
      mass: { visits: [], having: [], slots: [] },
      after: (place) =>
        excludes[place].every((one) => excluded.has(one)) ? rates : this.of(joined(excluded, excludes[place])),
    };
    return rates;
  }

  #sums(rateOf: (band: number) => bigint): bigint[] {
    const { bands, possible } = this.#law;
    const rates = possible.map(() => 0n);
    for (const [i, { themes }] of bands.entries()) rates[themes] += rateOf(i);
    const sums = [0n];
    for (const [i, rate] of rates.entries()) sums.push(sums[i] + rate);
    return sums;
  }
}

/** If only one theme matches, its chance is its half-percents divided by this number. */
export const SCALE = BigInt(THEME_SCALE);

function totalOf({ weights, untracked }: Band, excluded: ReadonlySet<number>): number {
  return weights.reduce((sum, weight, i) => (excluded.has(i) ? sum : sum + weight), untracked);
}

function joined(excluded: ReadonlySet<number>, more: readonly number[]): number[] {
  return [...new Set([...excluded, ...more])].sort((a, b) => a - b);
}

function commonDenominator(law: SlotLaw, most: number, base: FactorBase): Product | undefined {
  const { bands, cases, excludes } = law;
  const seen = new Map<string, readonly number[]>([["", []]]);
  let last: readonly (readonly number[])[] = [[]];
  const active = excludes.flatMap((list, i) => (list.length > 0 ? [i] : []));
  for (let step = 1; step < most && last.length > 0; step++) {
    const next = new Map<string, readonly number[]>();
    for (const excluded of last) {
      const own = new Set(excluded);
      for (const place of active) {
        if (own.has(place)) continue;
        const set = joined(own, excludes[place]);
        if (!seen.has(set.join())) next.set(set.join(), set);
      }
    }
    for (const [key, set] of next) seen.set(key, set);
    if (seen.size > MAX_EXCLUSIONS) return undefined;
    last = [...next.values()];
  }
  const totals = new Set<number>();
  for (const excluded of seen.values()) {
    const own = new Set(excluded);
    for (const band of bands) totals.add(totalOf(band, own));
  }
  totals.delete(0);
  const product = [...totals].reduce((common, total) => base.commonMultiple(common, base.productOf(total)), UNIT);
  return base.multiply(base.productOf(Math.max(1, cases)), product);
}
