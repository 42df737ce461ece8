import {
  type AtOptions,
  allocateResults,
  type Batch,
  type Counts,
  checkArray,
  fillArray,
  forEachBatch,
  IndexCounts,
  isWatched,
  Numbered,
  type Odds,
  type Range,
  type Setup,
} from "../calls/index.js";
import type { WeightedPlan } from "./compile.js";
import { KernelWeighted } from "./kernel.js";
import { weightedOdds } from "./odds.js";
import type { PickOptions } from "./types.js";

/**
 * A list of weights to pick from. An entry of weight w is picked with the exact probability w / total. Pick k depends
 * only on (seed, name, k).
 *
 * Cost: O(n) to build a list of n entries, n ≤ 2^24. A pick costs one word and one load. Memory: 8 bytes · n, with n
 * rounded up to a power of two.
 * Source: Walker 1974 and Vose 1991, in exact integers (docs/determinism.md).
 */
export class WeightedList extends Numbered<WeightedPlan> {
  readonly #loops: KernelWeighted;

  /** @internal */
  constructor(setup: Setup<WeightedPlan>, loops = new KernelWeighted(setup)) {
    super(setup);
    this.#loops = loops;
  }

  /** @internal */
  protected override copy(setup: Setup<WeightedPlan>): WeightedList {
    return new WeightedList(setup, this.#loops);
  }

  /** Number of entries, including entries of weight 0. */
  get length(): number {
    return this.plan.weights.length;
  }

  /**
   * Returns one pick: an index into the weights. For consecutive picks, a whole block of picks is made in advance. So
   * most consecutive calls cost one array access.
   *
   * @throws RollmillError `argument.range` for an index past 2^42 − 1; `argument.option`, `argument.busy`,
   * `argument.disposed`.
   */
  pick(options?: AtOptions): number {
    return this.one("list.pick", options);
  }

  /**
   * Returns `n` picks: indices into the weights.
   *
   * @param n - 0 … 2^30.
   * @throws RollmillError `argument.range` for a range outside 0 … 2^42 − 1; `argument.option`, `argument.type`,
   * `argument.busy`, `argument.disposed`, `argument.callback`, `kernel.memory`.
   */
  pickMany(n: number, given: PickOptions = {}): Uint32Array<ArrayBuffer> {
    return this.bulk("list.pickMany", given, n, (range, options) => {
      const out = allocateResults(n, 4, (length) => new Uint32Array(length));
      this.#pickRange(out, range, options);
      return out;
    });
  }

  /**
   * Fills `out` with picks and returns it. If the call fails, `out` stays unchanged. The only exception is
   * `kernel.trap`, a bug of the kernel: then a part of `out` may be overwritten.
   *
   * @throws The errors of {@link pickMany}.
   */
  pickInto<Out extends Uint32Array>(out: Out, given: PickOptions = {}): Out {
    this.checkTurn();
    return this.bulk("list.pickInto", given, checkArray(out, ["Uint32Array"]), (range, options) =>
      fillArray(out, isWatched(options), (room) => this.#pickRange(room, range, options)),
    );
  }

  /**
   * Makes `n` picks and counts how often each entry is picked. Stores no array of picks.
   *
   * @throws The errors of {@link pickMany}.
   */
  count(n: number, given: PickOptions = {}): Counts<number> {
    return this.bulk("list.count", given, n, (range, options) => {
      return { total: n, none: 0, counts: new IndexCounts(this.countEntries(range, options)) };
    });
  }

  /** Returns the exact odds of each entry, in order of entries. `none` is 0, because every pick has a result. */
  odds(): Odds<number> {
    return weightedOdds(this.plan);
  }

  /** @internal Returns how often each entry is picked in a range. The list itself and lists with labels call it. */
  countEntries(range: Range, options: PickOptions): Float64Array {
    const totals = allocateResults(this.length, 8, (length) => new Float64Array(length));
    forEachBatch(range, options, (batch) => {
      this.batch(batch);
      this.#loops.countInto(totals, batch.count);
    });
    return totals;
  }

  /** @internal */
  protected override batch(batch: Batch): Uint32Array<ArrayBuffer> {
    this.#loops.pick(this.stream.key, batch);
    return this.#loops.picks(batch.count);
  }

  /** @internal */
  protected override first(batch: Batch): number {
    this.#loops.pick(this.stream.key, batch);
    return this.kernel.windowView[0];
  }

  #pickRange(out: Uint32Array, range: Range, options: PickOptions): void {
    forEachBatch(range, options, (batch) => out.set(this.batch(batch), batch.done));
  }
}
