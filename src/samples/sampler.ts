import type { ForkId } from "../address.js";
import {
  Addressed,
  type AtOptions,
  allocateResults,
  type Branch,
  BULK_OPTIONS,
  type Counts,
  checkArray,
  checkRange,
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

  /**
   * Returns a fork of this sampler: the same sampler on a child stream, with different random words and a separate
   * state.
   *
   * @param id - A text, a safe integer, a 64-bit bigint, or a pair of 32-bit integers such as coordinates.
   * @throws RollmillError `argument.type`, `argument.range` for an invalid id.
   */
  override fork(id: ForkId): Sampler<Item> {
    return this.on(this.stream.fork(id));
  }

  /** @internal */
  override on(stream: Branch): Sampler<Item> {
    return new Sampler(this.setupOn(stream), this.#loops);
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
    this.checkTurn();
    const { at } = readOptions("sampler.draw", options, ["at"]);
    const index = at ?? this.state.next;
    checkRange(index, 1);
    const entries = this.#loops.draw(this.stream.key, index, 1);
    const sample = Array.from(entries, (entry) => this.items[entry]);
    if (at === undefined) this.state.next = index + 1;
    return sample;
  }

  /**
   * Draws `n` samples.
   *
   * @param n - 0 … 2^42 − 1, and at most 4 GiB of results: 4 bytes for each item of each sample.
   * @throws The errors of {@link draw}; RollmillError `argument.callback`.
   */
  drawMany(n: number, given: DrawSamplesOptions = {}): Samples<Item> {
    return this.bulk(
      { name: "sampler.drawMany", given, known: BULK_OPTIONS },
      () => n,
      (range, options) => {
        const { items, size } = this;
        const entries = this.#allocate(n);
        this.#eachPart(range, options, (part, done) => entries.set(part, done * size));
        return new Samples({ from: range.from, size, items, entries });
      },
    );
  }

  /**
   * Fills `out` with samples and returns it. `out` must come from `drawMany` of a sampler with the same items and size.
   * If the call fails, `out` stays unchanged. The only exception is `kernel.trap`, a bug of the kernel: then a part of
   * `out` may be overwritten.
   *
   * @throws The errors of {@link drawMany}; RollmillError `argument.type` if `out` does not fit this sampler.
   */
  drawInto(out: Samples<Item>, given: DrawSamplesOptions = {}): Samples<Item> {
    return this.bulk(
      { name: "sampler.drawInto", given, known: BULK_OPTIONS },
      () => this.#checkColumns(out),
      (range, options) => {
        const room = isWatched(options) ? this.#allocate(range.total) : out.entries;
        this.#eachPart(range, options, (part, done) => room.set(part, done * this.size));
        this.#checkColumns(out);
        if (room !== out.entries) out.entries.set(room);
        out.from = range.from;
        return out;
      },
    );
  }

  /**
   * Draws `n` samples and counts the items at one position. Stores no array of samples.
   *
   * @throws The errors of {@link drawMany}; RollmillError `argument.range` for a position outside 0 … size − 1.
   */
  count(n: number, given: CountSamplesOptions = {}): Counts<Item> {
    return this.bulk(
      { name: "sampler.count", given, known: [...BULK_OPTIONS, "position"] },
      () => n,
      (range, options) => {
        const { items, size } = this;
        const position = this.#position(options);
        const totals = allocateResults(items.length, 8, (length) => new Float64Array(length));
        this.#eachPart(range, options, (part) => {
          for (let i = position; i < part.length; i += size) totals[part[i]]++;
        });
        const counts = sumsByResult(items, totals);
        return { total: n, none: 0, counts };
      },
    );
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

  #allocate(n: number): Uint32Array<ArrayBuffer> {
    return allocateResults(n, 4 * this.size, (length) => new Uint32Array(length * this.size));
  }

  #checkColumns(out: unknown): number {
    const { items, size } = this.plan;
    const isFit = out instanceof Samples && out.size === size && (out.items === items || isSame(out.items, items));
    if (!isFit) refuseArgument("out", out, "columns that drawMany of a sampler with the same items and size returned");
    if (checkArray(out.entries, ["Uint32Array"]) === out.length * size) return out.length;
    return refuseArgument("out", out, "columns whose arrays have their full length");
  }

  /**
   * Draws the samples of a range in parts, and calls `take` for each part. `done` is the number of samples before the
   * part.
   */
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
