import { BLOCK_WORDS } from "../kernel/index.js";
import { readOptions } from "../spec/index.js";
import { type AtOptions, type Batch, batchOfOne, checkRange, placeOf } from "./batches.js";
import { Addressed, AT_OPTIONS } from "./source.js";

type Numbers = Uint32Array<ArrayBuffer> | Int32Array<ArrayBuffer>;

const NO_NUMBERS = new Uint32Array(0);

/** A noun whose results are numbers. */
export abstract class Numbered<Plan> extends Addressed<Plan> {
  /** The results of one block, made in advance for consecutive calls. */
  #ahead: Numbers = NO_NUMBERS;
  #aheadFrom = 0;

  /** @internal Makes the results of a batch. Returns a view of them, which the next call into the kernel overwrites. */
  protected abstract batch(batch: Batch): Numbers;

  /** @internal Makes the result of a batch of one. Creates no view, which takes as long as the result. */
  protected abstract first(batch: Batch): number;

  /**
   * @internal Makes one result: that at `at`, or at `next`. Consecutive calls read a block that is made in advance.
   *
   * @param call - the call as users write it, such as "dice.roll"
   */
  protected one(call: string, options: AtOptions | undefined): number {
    if (options === undefined && this.isFree) {
      const { state } = this;
      const made = this.#ahead[state.next - this.#aheadFrom];
      if (made !== undefined) {
        state.next++;
        return made;
      }
    }
    return this.#oneAlone(call, options);
  }

  #oneAlone(call: string, options: AtOptions | undefined): number {
    this.checkTurn();
    const at = options === undefined ? undefined : readOptions(call, options, AT_OPTIONS).at;
    const index = at ?? this.state.next;
    checkRange(index, 1);
    const isAhead = at === undefined && this.isInRow();
    const made = isAhead ? this.#oneAhead(index) : this.first(batchOfOne(index));
    if (at === undefined) this.state.next = index + 1;
    return made;
  }

  #oneAhead(index: number): number {
    const { block, offset } = placeOf(index);
    this.#ahead = this.batch({ block, offset: 0, count: BLOCK_WORDS, done: 0 }).slice();
    this.#aheadFrom = block * BLOCK_WORDS;
    return this.#ahead[offset];
  }
}
