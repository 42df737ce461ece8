import type { ForkId } from "../address.js";
import {
  Addressed,
  type AtOptions,
  allocateResults,
  type Branch,
  BULK_OPTIONS,
  type Counts,
  checkOptions,
  checkRange,
  forEachBatch,
  IndexCounts,
  type Odds,
  placeOf,
  type Setup,
} from "../calls/index.js";
import { BLOCK_WORDS } from "../kernel/index.js";
import { KernelWeighted } from "./kernel.js";
import { weightedOdds } from "./odds.js";
import type { PickOptions, WeightedPlan } from "./types.js";

/**
 * A list of weights to pick from: entry i of weight w wins with probability w / total, error 0. Pick k is a function of
 * (seed, name, k) alone.
 *
 * Cost: built in O(n) (n ≤ 2^24); 8 bytes an entry, rounded up to a power of two; one word and one load a pick.
 * Source: Walker 1974 and Vose 1991, in exact integers (docs/determinism.md).
 */
export class WeightedList extends Addressed<WeightedPlan> {
  readonly #loops: KernelWeighted;
  /** The picks of one block, made in advance for consecutive calls. */
  #ahead = new Uint32Array(0);
  /** Index of the first of these picks. */
  #aheadFrom = 0;

  /** @internal */
  constructor(setup: Setup<WeightedPlan>, loops = new KernelWeighted(setup)) {
    super(setup);
    this.#loops = loops;
  }

  override fork(id: ForkId): WeightedList {
    return this.on(this.stream.fork(id));
  }

  /** @internal */
  override on(stream: Branch): WeightedList {
    return new WeightedList(this.setupOn(stream), this.#loops);
  }

  /** Entries, those of weight 0 included. */
  get length(): number {
    return this.plan.weights.length;
  }

  /**
   * One pick: an index into the weights. Consecutive picks come from a block that is made in advance, so a call costs an
   * array access.
   *
   * @throws RollmillError `argument.range` past the last index, 2^42 − 1; `argument.option`.
   */
  pick(options?: AtOptions): number {
    const { state } = this;
    const ahead = state.next - this.#aheadFrom;
    if (options === undefined && ahead >= 0 && ahead < this.#ahead.length) {
      state.next++;
      return this.#ahead[ahead];
    }
    if (options !== undefined) checkOptions("pick", options, ["at"]);
    const at = options?.at;
    checkRange(at ?? state.next, 1);
    if (at !== undefined) return this.#one(at);
    if (!this.isInRow()) return this.#one(state.next++);
    const { block, offset } = placeOf(state.next);
    const from = block * BLOCK_WORDS;
    this.#ahead = this.pickInto(new Uint32Array(BLOCK_WORDS), { from });
    this.#aheadFrom = from;
    state.next++;
    return this.#ahead[offset];
  }

  /**
   * `n` picks: indices into the weights.
   *
   * @param n - 0 … 2^42 − 1, and no more than fit in memory.
   * @throws RollmillError `argument.range` for a range outside 0 … 2^42 − 1; `argument.option`, `argument.type`.
   */
  pickMany(n: number, options: PickOptions = {}): Uint32Array<ArrayBuffer> {
    checkRange(options.from ?? this.state.next, n);
    const out = allocateResults(n, (length) => new Uint32Array(length));
    return this.pickInto(out, options);
  }

  /**
   * Fills `out` with picks and returns it.
   *
   * @throws RollmillError as {@link pickMany}.
   */
  pickInto<Out extends Uint32Array>(out: Out, options: PickOptions = {}): Out {
    this.#eachBatch("pickInto", out.length, options, (count, done) => out.set(this.#loops.picks(count), done));
    return out;
  }

  /**
   * Counts how often each entry wins in `n` picks, without an array of picks in between.
   *
   * @throws RollmillError as {@link pickMany}.
   */
  count(n: number, options: PickOptions = {}): Counts<number> {
    const totals = new Float64Array(this.length);
    this.#eachBatch("count", n, options, (count) => this.#loops.countInto(totals, count));
    return { total: n, none: 0, counts: new IndexCounts(totals) };
  }

  /** The exact odds of each entry, in entry order; `none` is 0. */
  odds(): Odds<number> {
    return weightedOdds(this.plan);
  }

  #one(index: number): number {
    this.#loops.pick(this.stream.key, { ...placeOf(index), count: 1, done: 0 });
    return this.#loops.picks(1)[0];
  }

  #eachBatch(call: string, total: number, options: PickOptions, take: (count: number, done: number) => void): void {
    checkOptions(call, options, BULK_OPTIONS);
    const from = options.from ?? this.state.next;
    checkRange(from, total);
    forEachBatch({ from, total }, options, (batch) => {
      this.#loops.pick(this.stream.key, batch);
      take(batch.count, batch.done);
    });
    if (options.from === undefined) this.state.next = from + total;
  }
}
