import {
  Addressed,
  type AtOptions,
  allocateResults,
  BULK_OPTIONS,
  type Counts,
  checkArray,
  fillColumns,
  forEachBatch,
  isWatched,
  type LongCall,
  type Odds,
  type Range,
  type Setup,
  sumsByResult,
} from "../calls/index.js";
import { BLOCK_WORDS } from "../kernel/index.js";
import { checkInteger, isSame, readOptions, refuseArgument } from "../spec/index.js";
import { KernelSampler } from "./kernel.js";
import { positionOdds } from "./odds.js";
import { Samples } from "./samples.js";
import type { CountSamplesOptions, DrawSamplesOptions, PositionOptions, SamplerPlan } from "./types.js";

const COUNT_OPTIONS = [...BULK_OPTIONS, "position"];

/**
 * Draws samples without replacement: `size` of n items, in random order. If `size` is n, a sample is a shuffle. Each of
 * the n · (n − 1) · … · (n − size + 1) possible samples has the same exact probability. Sample k depends only on (seed,
 * name, k), not on other samples. To draw cards from one deck until it is empty, use a pool.
 *
 * Cost: one word for each item of a sample. The cost does not depend on n.
 * Source: Fisher and Yates 1938; Durstenfeld 1964.
 */
export class Sampler<Item> extends Addressed<SamplerPlan> {
  readonly #loops: KernelSampler;

  /** @internal */
  constructor(setup: Setup<SamplerPlan>, loops = new KernelSampler(setup)) {
    super(setup);
    this.#loops = loops;
  }

  /** @internal */
  protected override copy(setup: Setup<SamplerPlan>): Sampler<Item> {
    return new Sampler(setup, this.#loops);
  }

  /** The items to draw from. */
  get items(): readonly Item[] {
    // the cast is safe: the spec has the items of the input
    return this.plan.items as readonly Item[];
  }

  /** Number of items of a sample. */
  get size(): number {
    return this.plan.size;
  }

  /**
   * Draws one sample: a new list of `size` items in random order.
   *
   * @throws RollmillError `argument.range` for an index past 2^42 − 1; `argument.option`, `argument.type`,
   * `argument.busy`, `argument.disposed`, `kernel.memory`.
   */
  draw(options: AtOptions = {}): Item[] {
    return this.single("sampler.draw", options, (index) =>
      Array.from(this.#loops.draw(this.stream.key, index, 1), (entry) => this.items[entry]),
    );
  }

  /**
   * Draws `n` samples.
   *
   * @param n - 0 … 2^42 − 1, and at most 4 GiB of results: 4 bytes for each item of each sample.
   * @throws The errors of {@link draw}; RollmillError `argument.callback`.
   */
  drawMany(n: number, given: DrawSamplesOptions = {}): Samples<Item> {
    const { items, size } = this;
    return this.bulk("sampler.drawMany", given, n, (range, options) => {
      const entries = allocateResults(n, 4 * size, (length) => new Uint32Array(length * size));
      this.#eachPart(range, options, (part, done) => entries.set(part, done * size));
      return new Samples({ from: range.from, size, items, entries });
    });
  }

  /**
   * Fills `out` with samples and returns it. `out` must come from `drawMany` of a sampler with the same items and size.
   * A failed call leaves `out` unchanged, unless the error is `kernel.trap`, a bug of the kernel.
   *
   * @throws The errors of {@link drawMany}; RollmillError `argument.type` if `out` does not fit this sampler.
   */
  drawInto(out: Samples<Item>, given: DrawSamplesOptions = {}): Samples<Item> {
    this.checkTurn();
    return this.bulk("sampler.drawInto", given, this.#checkColumns(out), (range, options) => {
      fillColumns(out, ["entries"], isWatched(options), ({ entries }) => {
        this.#eachPart(range, options, (part, done) => entries.set(part, done * this.size));
      });
      out.from = range.from;
      return out;
    });
  }

  /**
   * Draws `n` samples and counts the items at one position. Stores no array of samples.
   *
   * @throws The errors of {@link drawMany}; RollmillError `argument.range` for a position outside 0 … size − 1.
   */
  count(n: number, given: CountSamplesOptions = {}): Counts<Item> {
    const { items, size } = this;
    return this.bulk({ name: "sampler.count", known: COUNT_OPTIONS }, given, n, (range, options) => {
      const position = this.#position(options);
      const totals = allocateResults(items.length, 8, (length) => new Float64Array(length));
      this.#eachPart(range, options, (part) => {
        for (let i = position; i < part.length; i += size) totals[part[i]]++;
      });
      return { total: n, none: 0, counts: sumsByResult(items, totals) };
    });
  }

  /**
   * Returns the exact odds of the item at one position of a sample. The odds are the same at every position. The
   * probability that a sample has a given item is size / n.
   *
   * @throws RollmillError `argument.range` for a position outside 0 … size − 1; `argument.option`, `argument.type`.
   */
  odds(given: PositionOptions = {}): Odds<Item> {
    this.#position(readOptions("sampler.odds", given, ["position"]));
    return positionOdds(this.plan) as Odds<Item>;
  }

  #position({ position = 0 }: PositionOptions): number {
    checkInteger("position", position, 0, this.size - 1);
    return position;
  }

  #checkColumns(out: unknown): number {
    const { items, size } = this.plan;
    const isFit = out instanceof Samples && out.size === size && (out.items === items || isSame(out.items, items));
    if (!isFit) refuseArgument("out", out, "columns that drawMany of a sampler with the same items and size returned");
    if (checkArray(out.entries, ["Uint32Array"]) === out.length * size) return out.length;
    return refuseArgument("out", out, "columns whose array `entries` has its original length");
  }

  /** Draws the samples of a range in parts. `take` gets each part and `done`, the number of samples before it. */
  #eachPart(range: Range, options: LongCall, take: (entries: Uint32Array<ArrayBuffer>, done: number) => void): void {
    const { most } = this.#loops;
    forEachBatch({ ...range, first: Math.min(most, BLOCK_WORDS) }, options, (batch) => {
      const from = batch.block * BLOCK_WORDS + batch.offset;
      for (let made = 0; made < batch.count; made += most) {
        const count = Math.min(most, batch.count - made);
        take(this.#loops.draw(this.stream.key, from + made, count), batch.done + made);
      }
    });
  }
}
