import { BLOCK_WORDS } from "../kernel/index.js";
import { readOptions } from "../spec/index.js";
import { type AtOptions, type Batch, batchOfOne, checkRange, placeOf } from "./batches.js";
import { Addressed, AT_OPTIONS } from "./source.js";
import type { State } from "./state.js";

type Numbers = Uint32Array<ArrayBuffer> | Int32Array<ArrayBuffer>;

/** The results `from` … `to` − 1, made in advance for consecutive calls. */
interface Ahead {
  readonly numbers: Numbers;
  readonly from: number;
  readonly to: number;
  /** The state of the noun, here too because a getter takes as long as the rest of a call. */
  readonly state: State;
}

/** A noun whose results are numbers. */
export abstract class Numbered<Plan> extends Addressed<Plan> {
  #ahead: Ahead | undefined;

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
    const ahead = this.#ahead;
    if (options === undefined && ahead !== undefined && this.isFree) {
      const { state, from } = ahead;
      const { next } = state;
      if (next >= from && next < ahead.to && !state.isReleased) {
        state.next = next + 1;
        return ahead.numbers[next - from];
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
    const numbers = this.batch({ block, offset: 0, count: BLOCK_WORDS, done: 0 }).slice();
    const from = block * BLOCK_WORDS;
    this.#ahead = { numbers, from, to: from + BLOCK_WORDS, state: this.state };
    return numbers[offset];
  }
}
