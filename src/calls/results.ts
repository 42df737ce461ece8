import type { Fraction } from "../fractions.js";
import { checkFunction, checkInteger } from "../spec/index.js";
import { refuseThrown } from "./watch.js";

/** A possible result and its exact probability. */
export interface Chance<Result> {
  readonly result: Result;
  readonly probability: Fraction;
}

/** The exact odds of one call. The probabilities and `none` add up to exactly 1. */
export interface Odds<Result> {
  /** All possible results, in the order of the spec. */
  readonly odds: readonly Chance<Result>[];
  /** The probability that the call returns no result. */
  readonly none: Fraction;
}

export function sumsByResult<Result>(results: readonly Result[], numbers: ArrayLike<number>): Map<Result, number> {
  const sums = new Map<Result, number>();
  for (let i = 0; i < results.length; i++) sums.set(results[i], (sums.get(results[i]) ?? 0) + numbers[i]);
  return sums;
}

/** Adds up the numbers of each label, as {@link sumsByResult} does. `none` is the sum of the label null. */
export function sumsByLabel(labels: readonly (string | null)[], numbers: ArrayLike<number>) {
  const sums = sumsByResult(labels, numbers);
  const none = sums.get(null) ?? 0;
  sums.delete(null);
  return { none, sums: sums as Map<string, number> };
}

/** How often each result occurred in many calls. */
export interface Counts<Result> {
  /** Number of calls: the sum of `none` and all counts, unless a call can have several results. */
  readonly total: number;
  /** Number of calls without a result. */
  readonly none: number;
  /**
   * The count of each possible result, in the order of the odds. A result that did not occur has the count 0. Some
   * calls list only results that occurred; their documentation says so.
   */
  readonly counts: ReadonlyMap<Result, number>;
}

/** Many results as columns: typed arrays with one entry for each result. {@link at} composes single results. */
export abstract class Columns<Result> implements Iterable<Result> {
  /** Number of results. */
  readonly length: number;
  /** Index of the first result: a single call with `{ at: from }` makes the same result. Each fill sets `from`. */
  from: number;

  /** @internal */
  constructor({ length, from }: { readonly length: number; readonly from: number }) {
    this.length = length;
    this.from = from;
  }

  /**
   * Returns result k. It equals the result of the single call at index `from + k`.
   *
   * @param k - 0 … length − 1.
   * @throws RollmillError `argument.range` for a k outside this range.
   */
  at(k: number): Result {
    checkInteger("k", k, 0, this.length - 1);
    return this.compose(k);
  }

  /** Iterates over the results in order. */
  *[Symbol.iterator](): Iterator<Result> {
    for (let k = 0; k < this.length; k++) yield this.compose(k);
  }

  /** @internal Builds result k from the columns. The caller has checked that k is in range. */
  protected abstract compose(k: number): Result;
}

/** Iterator types of a Map of counts. TypeScript names these types only since version 5.6. */
interface Iterators {
  readonly keys: ReturnType<ReadonlyMap<number, number>["keys"]>;
  readonly values: ReturnType<ReadonlyMap<number, number>["values"]>;
  readonly entries: ReturnType<ReadonlyMap<number, number>["entries"]>;
}

/** The count of each index 0 … n − 1, as a read-only Map. Uses 8 bytes for each index. */
export class IndexCounts implements ReadonlyMap<number, number> {
  readonly #totals: Float64Array;

  constructor(totals: Float64Array) {
    this.#totals = totals;
  }

  get size(): number {
    return this.#totals.length;
  }

  get(index: number): number | undefined {
    return this.has(index) ? this.#totals[index] : undefined;
  }

  has(index: number): boolean {
    return Number.isInteger(index) && index >= 0 && index < this.#totals.length;
  }

  /** @throws RollmillError `argument.type` for anything but a function; `argument.callback` if the function throws. */
  forEach(visit: (count: number, index: number, counts: ReadonlyMap<number, number>) => void): void {
    checkFunction("visit", visit);
    try {
      for (const [index, count] of this.#totals.entries()) visit(count, index, this);
    } catch (cause) {
      refuseThrown({ what: 'the function "visit"' }, cause);
    }
  }

  keys(): Iterators["keys"] {
    return this.#totals.keys();
  }

  values(): Iterators["values"] {
    return this.#totals.values();
  }

  entries(): Iterators["entries"] {
    return this.#totals.entries();
  }

  [Symbol.iterator](): Iterators["entries"] {
    return this.entries();
  }
}
