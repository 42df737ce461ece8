import { BLOCK_WORDS, checkRange } from "../address.js";
import { allocateResults, forEachBatch, type LongCall } from "../batches.js";
import { type Fraction, fraction } from "../fractions.js";
import { type Address, type Kernel, Resident, Status } from "../kernel/index.js";
import type { WeightedPlan } from "./compile.js";

/** Which picks: `from` is the index of the first; without it the list's cursor is, and moves on. */
export interface PickOptions extends LongCall {
  readonly from?: number;
}

/**
 * A list of weights to pick from: entry i of weight w wins with probability w / total, error 0, and pick k is a function of
 * (seed, name, k) alone. An alias table: about 1 ns a pick in bulk up to 65,536 entries.
 *
 * Cost: built in O(n) (n ≤ 2^24), 8 bytes an entry rounded up to a power of two; one word a pick.
 * Source: Walker 1974 and Vose 1991, in exact integers (docs/determinism.md).
 */
export class WeightedList {
  readonly name: string;
  /** Index of the next pick. */
  next = 0;
  readonly #kernel: Kernel;
  readonly #purpose: number;
  readonly #plan: WeightedPlan;
  readonly #list: Resident;
  readonly #counts: Resident;
  #ahead = new Uint32Array(0);
  #aheadBlock = -1;

  /** @internal */
  constructor(kernel: Kernel, name: string, purpose: number, plan: WeightedPlan) {
    this.#kernel = kernel;
    this.name = name;
    this.#purpose = purpose;
    this.#plan = plan;
    const { length } = plan.weights;
    this.#list = new Resident(kernel, `weighted list ${name}`, (exports) => {
      const list = exports.createAlias(length);
      if (list === 0) return list;
      kernel.u32(exports.aliasWeights(list), length).set(plan.weights);
      return exports.buildAlias(list, length) === Status.OK ? list : (0 as Address);
    });
    this.#counts = new Resident(kernel, `counts of ${name}`, (exports) => exports.allocate(length * 4));
  }

  /** Entries, those of weight 0 included. */
  get length(): number {
    return this.#plan.weights.length;
  }

  /**
   * The next pick: an index into the weights. Picks are made 1,024 ahead, so a call is an array access.
   *
   * @throws RollmillError `argument.range` past the last index, 2^42 − 1.
   */
  pick(): number {
    checkRange(this.next, 1);
    const block = Math.floor(this.next / BLOCK_WORDS);
    if (block !== this.#aheadBlock) {
      this.#ahead = this.pickInto(new Uint32Array(BLOCK_WORDS), { from: block * BLOCK_WORDS });
      this.#aheadBlock = block;
    }
    return this.#ahead[this.next++ % BLOCK_WORDS];
  }

  /**
   * `count` picks: indices into the weights.
   *
   * @throws RollmillError `argument.range` for a range outside 0 … 2^42 − 1.
   */
  pickMany(count: number, options: PickOptions = {}): Uint32Array {
    checkRange(options.from ?? this.next, count);
    return this.pickInto(
      allocateResults(count, (n) => new Uint32Array(n)),
      options,
    );
  }

  /**
   * Fills `out` with picks and returns it.
   *
   * @throws RollmillError as {@link pickMany}.
   */
  pickInto(out: Uint32Array<ArrayBuffer>, options?: PickOptions): Uint32Array<ArrayBuffer>;
  pickInto(out: Uint32Array, options?: PickOptions): Uint32Array;
  pickInto(out: Uint32Array, options: PickOptions = {}): Uint32Array {
    this.#eachBatch(out.length, options, (count, done) => {
      out.set(this.#kernel.u32(this.#kernel.window, count), done);
    });
    return out;
  }

  /**
   * How often each entry wins in `count` picks, in entry order; exact, with no array of picks in between.
   *
   * @throws RollmillError as {@link pickMany}.
   */
  count(count: number, options: PickOptions = {}): Float64Array {
    const totals = new Float64Array(this.length);
    const counts = this.#counts;
    this.#eachBatch(count, options, (batch) => {
      // a batch is at most 2^16 picks: clearing a long histogram for each would cost more than the picks
      if (this.length > batch) {
        for (const entry of this.#kernel.u32(this.#kernel.window, batch)) totals[entry]++;
        return;
      }
      this.#kernel.u32(counts.address, this.length).fill(0);
      this.#kernel.call((kernel) => kernel.countWindow(1, batch, counts.address));
      const view = this.#kernel.u32(counts.address, this.length);
      for (let entry = 0; entry < view.length; entry++) totals[entry] += view[entry];
    });
    return totals;
  }

  /** The exact chance of each entry, in lowest terms, in entry order. */
  odds(): Fraction[] {
    const total = BigInt(this.#plan.total);
    return Array.from(this.#plan.weights, (weight) => fraction(BigInt(weight), total));
  }

  #eachBatch(total: number, options: PickOptions, take: (count: number, done: number) => void): void {
    const from = options.from ?? this.next;
    checkRange(from, total);
    forEachBatch({ from, total }, options, ({ block, offset, count, done }) => {
      const list = this.#list.address;
      this.#kernel.call((kernel) => kernel.pickList(list, this.#purpose, block, offset, count));
      take(count, done);
    });
    if (options.from === undefined) this.next += total;
  }
}
