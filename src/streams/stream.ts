import {
  allocateResults,
  type BulkOptions,
  checkArray,
  checkRange,
  fillArray,
  forEachBatch,
  Guarded,
  halvesOf,
  isWatched,
  placeOf,
  type Range,
  type Setup,
} from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { readOptions } from "../spec/index.js";

const MAX_PLANE = 2n ** 64n - 1n;
const WORD_OPTIONS = ["plane"];
const WORDS_OPTIONS = ["plane", "from", "signal", "onProgress"];

/** Options of {@link Stream.words} and {@link Stream.wordsInto}. The default of `from` is 0. */
export interface WordsOptions extends BulkOptions {
  /** The plane, 0 … 2^53 − 1, or a bigint 0 … 2^64 − 1. Default 0. Each plane is a separate sequence of words. */
  readonly plane?: number | bigint | undefined;
}

/** The raw random words of a name: each is a uniform u32 that depends only on seed, name, plane and index. */
export class Stream extends Guarded<undefined> {
  /** @internal */
  protected override copy(setup: Setup<undefined>): Stream {
    return new Stream(setup);
  }

  /**
   * Returns one word.
   *
   * @throws RollmillError `argument.range` for an index or a plane out of range; `argument.type`, `argument.option`,
   * `argument.busy`, `argument.disposed`.
   */
  word(index: number, options?: Pick<WordsOptions, "plane">): number {
    this.checkTurn();
    const plane = options === undefined ? 0 : readOptions("stream.word", options, WORD_OPTIONS).plane;
    const [low, high] = halvesOfPlane(plane);
    checkRange(index, 1);
    const { block, offset } = placeOf(index);
    return this.kernel.run(this.stream.key, (kernel) => kernel.wordOf(low, high, block, offset)) >>> 0;
  }

  /**
   * Returns `n` words in index order.
   *
   * @param n - 0 … 2^30.
   * @throws The errors of {@link wordsInto}; RollmillError `kernel.memory`.
   */
  words(n: number, given: WordsOptions = {}): Uint32Array<ArrayBuffer> {
    return this.alone(() => {
      const options = readOptions("stream.words", given, WORDS_OPTIONS);
      const range = this.#check(() => n, options);
      const out = allocateResults(n, 4, (length) => new Uint32Array(length));
      this.#fill(out, range, options);
      return out;
    });
  }

  /**
   * Fills `out` with words in index order. A failed call leaves `out` unchanged, unless the error is `kernel.trap`.
   *
   * @throws RollmillError `argument.range` for an index or a plane out of range; `argument.option`, `argument.type`,
   * `argument.busy`, `argument.disposed`, `argument.callback`.
   */
  wordsInto<Out extends Uint32Array>(out: Out, given: WordsOptions = {}): Out {
    return this.alone(() => {
      const options = readOptions("stream.wordsInto", given, WORDS_OPTIONS);
      const range = this.#check(() => checkArray(out, ["Uint32Array"]), options);
      return fillArray(out, isWatched(options), (room) => this.#fill(room, range, options));
    });
  }

  #check(n: () => number, options: WordsOptions): WordRange {
    const { from = 0, plane } = options;
    const halves = halvesOfPlane(plane);
    const total = n();
    checkRange(from, total);
    return { name: this.name, from, total, halves };
  }

  #fill(out: Uint32Array, { halves, ...range }: WordRange, options: WordsOptions): void {
    const [low, high] = halves;
    forEachBatch(range, options, ({ block, offset, count, done }) => {
      this.kernel.run(this.stream.key, (kernel) => kernel.fillWindow(low, high, block, offset + count));
      out.set(this.kernel.u32(this.kernel.window, offset + count).subarray(offset), done);
    });
  }
}

/** The words that a call reads. `halves` are the two halves of the plane. */
interface WordRange extends Range {
  readonly halves: readonly [low: number, high: number];
}

function halvesOfPlane(plane: number | bigint = 0): readonly [number, number] {
  if (typeof plane === "bigint" && plane >= 0n && plane <= MAX_PLANE) {
    return [Number(BigInt.asIntN(32, plane)), Number(plane >> 32n)];
  }
  if (typeof plane === "number" && Number.isSafeInteger(plane) && plane >= 0) return halvesOf(plane);
  const expected = "an integer from 0 to 2^53 − 1, or a bigint from 0 to 2^64 − 1";
  return fail(error("argument.range", { problem: '"plane" is out of range', got: plane, expected }));
}
