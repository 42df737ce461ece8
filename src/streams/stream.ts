import { BLOCK_WORDS, checkInteger, checkRange } from "../address.js";
import { allocateResults, forEachBatch, type LongCall } from "../batches.js";
import type { Kernel } from "../kernel/index.js";

const MAX_PLANE = 2 ** 32 - 1;

/** Which words: `plane` 0 … 2^32 − 1 (default 0), `from` the first index, 0 … 2^42 − 1 (default 0). */
export interface WordsOptions extends LongCall {
  readonly plane?: number;
  readonly from?: number;
}

/**
 * The raw random words of a name: word(purpose, plane, index), uniform u32, each a function of its address alone.
 * Cost: 0.5 ns a word in bulk.
 */
export class Stream {
  readonly name: string;
  readonly #kernel: Kernel;
  readonly #purpose: number;

  /** @internal */
  constructor(kernel: Kernel, name: string, purpose: number) {
    this.#kernel = kernel;
    this.name = name;
    this.#purpose = purpose;
  }

  /**
   * One word.
   *
   * @throws RollmillError `argument.range` for an index or a plane out of range.
   */
  word(index: number, { plane = 0 }: { readonly plane?: number } = {}): number {
    checkInteger("plane", plane, 0, MAX_PLANE);
    checkRange(index, 1);
    const block = Math.floor(index / BLOCK_WORDS);
    return this.#kernel.call((kernel) => kernel.wordAt(this.#purpose, plane, block, index % BLOCK_WORDS)) >>> 0;
  }

  /**
   * `count` words in index order.
   *
   * @throws RollmillError as {@link wordsInto}.
   */
  words(count: number, options: WordsOptions = {}): Uint32Array {
    checkRange(options.from ?? 0, count);
    return this.wordsInto(
      allocateResults(count, (n) => new Uint32Array(n)),
      options,
    );
  }

  /**
   * Fills `out` with words in index order, and returns it.
   *
   * @throws RollmillError `argument.range` for an index or a plane out of range.
   */
  wordsInto(out: Uint32Array, options: WordsOptions = {}): Uint32Array {
    const { plane = 0, from = 0 } = options;
    checkInteger("plane", plane, 0, MAX_PLANE);
    checkRange(from, out.length);
    forEachBatch({ from, total: out.length }, options, ({ block, offset, count, done }) => {
      this.#kernel.call((kernel) => kernel.fillWindow(this.#purpose, plane, block, offset + count));
      const { window } = this.#kernel;
      out.set(this.#kernel.u32(window, offset + count).subarray(offset), done);
    });
    return out;
  }
}
