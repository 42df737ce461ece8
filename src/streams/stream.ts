import {
  allocateResults,
  type BulkOptions,
  checkInteger,
  checkOptions,
  checkRange,
  forEachBatch,
  placeOf,
  type Setup,
} from "../calls/index.js";
import type { Kernel } from "../kernel/index.js";

const MAX_PLANE = 2 ** 32 - 1;
const WORDS_OPTIONS = ["plane", "from", "signal", "onProgress"];

/** Options of {@link Stream.words} and {@link Stream.wordsInto}. The default of `from` is 0. */
export interface WordsOptions extends BulkOptions {
  /** The plane to read, 0 … 2^32 − 1. Default 0. A stream has a separate sequence of words in each plane. */
  readonly plane?: number | undefined;
}

/**
 * The raw random words of a name. Each is a uniform u32 and a pure function of the seed, the name, the plane and the
 * index. A stream has no `next`: a call without `from` starts at index 0.
 */
export class Stream {
  readonly name: string;
  readonly #kernel: Kernel;
  readonly #stream: number;

  /** @internal */
  constructor({ kernel, name, stream }: Setup<undefined>) {
    this.#kernel = kernel;
    this.name = name;
    this.#stream = stream;
  }

  /**
   * Returns one word.
   *
   * @throws RollmillError `argument.range` for an index or a plane out of range; `argument.type`, `argument.option`.
   */
  word(index: number, options: { readonly plane?: number } = {}): number {
    checkOptions("word", options, ["plane"]);
    const { plane = 0 } = options;
    checkInteger("plane", plane, 0, MAX_PLANE);
    checkRange(index, 1);
    const { block, offset } = placeOf(index);
    return this.#kernel.call((kernel) => kernel.wordAt(this.#stream, plane, block, offset)) >>> 0;
  }

  /**
   * Returns `n` words in index order.
   *
   * @throws The errors of {@link wordsInto}.
   */
  words(n: number, options: WordsOptions = {}): Uint32Array<ArrayBuffer> {
    checkRange(options.from ?? 0, n);
    const out = allocateResults(n, (length) => new Uint32Array(length));
    return this.wordsInto(out, options);
  }

  /**
   * Fills `out` with words in index order, and returns it.
   *
   * @throws RollmillError `argument.range` for an index or a plane out of range; `argument.option`, `argument.type`.
   */
  wordsInto<Out extends Uint32Array>(out: Out, options: WordsOptions = {}): Out {
    checkOptions("words", options, WORDS_OPTIONS);
    const { plane = 0, from = 0 } = options;
    checkInteger("plane", plane, 0, MAX_PLANE);
    checkRange(from, out.length);
    forEachBatch({ from, total: out.length }, options, ({ block, offset, count, done }) => {
      this.#kernel.call((kernel) => kernel.fillWindow(this.#stream, plane, block, offset + count));
      const { window } = this.#kernel;
      out.set(this.#kernel.u32(window, offset + count).subarray(offset), done);
    });
    return out;
  }
}
