import type { ForkId } from "../address.js";
import {
  allocateResults,
  type Branch,
  type BulkOptions,
  checkRange,
  forEachBatch,
  halvesOf,
  placeOf,
  type Setup,
} from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import type { Kernel } from "../kernel/index.js";
import { readOptions } from "../spec/index.js";

const MAX_PLANE = 2n ** 64n - 1n;
const WORDS_OPTIONS = ["plane", "from", "signal", "onProgress"];

/** Options of {@link Stream.words} and {@link Stream.wordsInto}. The default of `from` is 0. */
export interface WordsOptions extends BulkOptions {
  /**
   * The plane to read, 0 … 2^64 − 1; a bigint above 2^53 − 1. Default 0. A stream has a separate sequence of words in
   * each plane.
   */
  readonly plane?: number | bigint | undefined;
}

/**
 * The raw random words of a name. Each is a uniform u32 and a pure function of the seed, the name, the plane and the
 * index. A stream has no `next`: a call without `from` starts at index 0.
 */
export class Stream {
  readonly name: string;
  readonly #kernel: Kernel;
  readonly #stream: Branch;

  /** @internal */
  constructor({ kernel, name, stream }: Setup<undefined>) {
    this.#kernel = kernel;
    this.name = name;
    this.#stream = stream;
  }

  /**
   * Returns the same stream under a child key, as {@link WeightedList.fork} does.
   *
   * @throws RollmillError `argument.type`, `argument.range` for an invalid id.
   */
  fork(id: ForkId): Stream {
    return this.on(this.#stream.fork(id));
  }

  /** @internal */
  on(stream: Branch): Stream {
    return new Stream({ kernel: this.#kernel, name: this.name, stream, plan: undefined });
  }

  /**
   * Returns one word.
   *
   * @throws RollmillError `argument.range` for an index or a plane out of range; `argument.type`, `argument.option`.
   */
  word(index: number, options: Pick<WordsOptions, "plane"> = {}): number {
    const { plane } = readOptions("stream.word", options, ["plane"]);
    const [low, high] = halvesOfPlane(plane);
    checkRange(index, 1);
    const { block, offset } = placeOf(index);
    return this.#kernel.run(this.#stream.key, (kernel) => kernel.wordOf(low, high, block, offset)) >>> 0;
  }

  /**
   * Returns `n` words in index order.
   *
   * @throws The errors of {@link wordsInto}.
   */
  words(n: number, given: WordsOptions = {}): Uint32Array<ArrayBuffer> {
    const options = readOptions("stream.words", given, WORDS_OPTIONS);
    checkRange(options.from ?? 0, n);
    const out = allocateResults(n, (length) => new Uint32Array(length));
    return this.wordsInto(out, options);
  }

  /**
   * Fills `out` with words in index order, and returns it.
   *
   * @throws RollmillError `argument.range` for an index or a plane out of range; `argument.option`, `argument.type`.
   */
  wordsInto<Out extends Uint32Array>(out: Out, given: WordsOptions = {}): Out {
    const options = readOptions("stream.wordsInto", given, WORDS_OPTIONS);
    const { from = 0 } = options;
    const [low, high] = halvesOfPlane(options.plane);
    checkRange(from, out.length);
    forEachBatch({ from, total: out.length }, options, ({ block, offset, count, done }) => {
      this.#kernel.run(this.#stream.key, (kernel) => kernel.fillWindow(low, high, block, offset + count));
      const { window } = this.#kernel;
      out.set(this.#kernel.u32(window, offset + count).subarray(offset), done);
    });
    return out;
  }
}

/** Returns a plane as two halves, the low one first. */
function halvesOfPlane(plane: number | bigint = 0): readonly [number, number] {
  if (typeof plane === "bigint" && plane >= 0n && plane <= MAX_PLANE) {
    return [Number(BigInt.asIntN(32, plane)), Number(plane >> 32n)];
  }
  if (typeof plane === "number" && Number.isSafeInteger(plane) && plane >= 0) return halvesOf(plane);
  const expected = "an integer from 0 to 2^53 − 1, or a bigint from 0 to 2^64 − 1";
  return fail(error("argument.range", { problem: '"plane" is out of range', got: plane, expected }));
}
