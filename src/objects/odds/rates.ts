import { type FactorBase, type Product, power, UNIT } from "../../factors.js";
import { THEME_SCALE } from "./law.js";
import type { Band, SlotLaw } from "./slotLaw.js";

/** Limits of the common denominator: its bits, and the sets of excluded affixes that are searched for it. */
const MAX_BITS = 512;
/** If the common denominator is too long, rates are rounded to this denominator, a power of 2. */
const ROUNDED_BITS = 192;
const MAX_EXCLUSIONS = 4096;

/**
 * The chances of the results of a slot, for objects with the same excluded affixes, as numerators over
 * `RateBook.unit`.
 *
 * The chance of an affix is a list of sums over bands. Entry s is the chance that the slot is in a band with `themes` <
 * s and gives the affix. So the last entry is the whole chance.
 */
export interface Rates {
  readonly tracked: readonly (readonly bigint[])[];
  /** For each of `SlotLaw.laws`, the list of sums for all untracked affixes that follow this law. */
  readonly untracked: readonly (readonly bigint[])[];
  /** The chance that the slot stays empty, because all its affixes are excluded. */
  readonly empty: bigint;
  /** The remaining chance. Above 0 if bands with rare laws were left out, or if numbers were rounded. */
  readonly lost: bigint;
  after(place: number): Rates;
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

  /** Returns the rates for objects with these excluded affixes. */
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

/** Returns undefined if there are too many sets of excluded affixes. */
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
