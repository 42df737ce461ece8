import {
  type AtOptions,
  allocateResults,
  type Batch,
  type Counts,
  checkArray,
  fillArray,
  forEachBatch,
  isWatched,
  Numbered,
  type Odds,
  type Range,
  type Setup,
} from "../calls/index.js";
import { KernelDice } from "./kernel.js";
import { diceOdds, isListed } from "./odds.js";
import type { DicePlan, DiceRollOptions } from "./types.js";

/**
 * Dice such as 2d6+1, or a uniform whole number, with exact probabilities. Roll k depends only on (seed, name, k).
 *
 * Cost: one word for each die.
 */
export class Dice extends Numbered<DicePlan> {
  readonly #loops: KernelDice;

  /** @internal */
  constructor(setup: Setup<DicePlan>, loops = new KernelDice(setup)) {
    super(setup);
    this.#loops = loops;
  }

  /** @internal */
  protected override copy(setup: Setup<DicePlan>): Dice {
    return new Dice(setup, this.#loops);
  }

  /** The smallest value of a roll. */
  get least(): number {
    return this.plan.least;
  }

  /** The largest value of a roll. */
  get most(): number {
    return this.plan.most;
  }

  /**
   * Makes one roll and returns its value. Consecutive calls read a block that is made in advance.
   *
   * @throws RollmillError `argument.range` for an index past 2^42 − 1; `argument.option`, `argument.type`,
   * `argument.busy`, `argument.disposed`.
   */
  roll(options?: AtOptions): number {
    return this.one("dice.roll", options);
  }

  /**
   * Makes `n` rolls and returns their values.
   *
   * @param n - 0 … 2^30.
   * @throws The errors of {@link roll}; RollmillError `argument.callback`, `kernel.memory`.
   */
  rollMany(n: number, given: DiceRollOptions = {}): Int32Array<ArrayBuffer> {
    return this.bulk("dice.rollMany", given, n, (range, options) => {
      const out = allocateResults(n, 4, (length) => new Int32Array(length));
      this.#fill(out, range, options);
      return out;
    });
  }

  /**
   * Fills `out` with rolls and returns it. A failed call leaves `out` unchanged, unless the error is `kernel.trap`.
   *
   * @throws The errors of {@link rollMany}.
   */
  rollInto<Out extends Int32Array>(out: Out, given: DiceRollOptions = {}): Out {
    this.checkTurn();
    return this.bulk("dice.rollInto", given, checkArray(out, ["Int32Array"]), (range, options) =>
      fillArray(out, isWatched(options), (room) => this.#fill(room, range, options)),
    );
  }

  /**
   * Makes `n` rolls and counts their values. Stores no array of rolls. The counts list every possible value in
   * ascending order. If there are more than 2^20 possible values, the counts list only values that occurred.
   *
   * @throws The errors of {@link rollMany}.
   */
  count(n: number, given: DiceRollOptions = {}): Counts<number> {
    return this.bulk("dice.count", given, n, (range, options) => {
      const counts = isListed(this.plan) ? this.#countAll(range, options) : this.#countFound(range, options);
      return { total: n, none: 0, counts };
    });
  }

  /**
   * Returns the exact odds of every value, in ascending order. `none` is 0, because every roll has a value.
   *
   * Cost: O(dice² · sides) additions of big integers, at most about a million.
   *
   * @throws RollmillError `argument.range` if there are more than 2^20 values.
   */
  odds(): Odds<number> {
    return diceOdds(this.plan);
  }

  /** @internal */
  protected override batch(batch: Batch): Int32Array<ArrayBuffer> {
    return this.#loops.batch(this.stream.key, batch);
  }

  /** @internal */
  protected override first(batch: Batch): number {
    this.#loops.roll(this.stream.key, batch);
    return this.kernel.windowView[0] | 0;
  }

  #fill(out: Int32Array, range: Range, options: DiceRollOptions): void {
    forEachBatch(range, options, (batch) => out.set(this.batch(batch), batch.done));
  }

  #countAll(range: Range, options: DiceRollOptions): Map<number, number> {
    const { least, most } = this.plan;
    const totals = new Float64Array(most - least + 1);
    forEachBatch(range, options, (batch) => {
      const values = this.batch(batch);
      // before V8 has optimised it, which a new thread has to wait for, a loop with an iterator takes five times as long
      for (let i = 0; i < values.length; i++) totals[values[i] - least]++;
    });
    return new Map(Array.from(totals, (total, i) => [least + i, total]));
  }

  #countFound(range: Range, options: DiceRollOptions): Map<number, number> {
    const found = new Map<number, number>();
    forEachBatch(range, options, (batch) => {
      for (const value of this.batch(batch)) found.set(value, (found.get(value) ?? 0) + 1);
    });
    return new Map([...found].sort(([a], [b]) => a - b));
  }
}
