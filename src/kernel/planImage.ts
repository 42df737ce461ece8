import { error, fail } from "../errors/index.js";

/** The most bytes of a plan. */
const MOST_BYTES = 2 ** 30;
const FIRST_ROOM = 4096;
const ALIGNMENT = 16;

type Numbers = Uint8Array | Uint16Array | Uint32Array | Int8Array | Int16Array | Int32Array;

/**
 * The bytes of a kernel plan, while they are put together: parts are placed one after another, 16-byte aligned, and named by
 * their offset. Little-endian, as WebAssembly's memory is.
 */
export class PlanImage {
  #bytes: Uint8Array<ArrayBuffer>;
  /** The same by words. */
  #words: Uint32Array<ArrayBuffer>;
  #length: number;

  /** @param start - the first bytes, which are copied: a head, to be written by {@link put}, or a plan that goes on. */
  constructor(start: Uint8Array) {
    this.#bytes = new Uint8Array(aligned(start.length) + FIRST_ROOM);
    this.#words = new Uint32Array(this.#bytes.buffer);
    this.#bytes.set(start);
    this.#length = aligned(start.length);
  }

  /** The bytes so far. A view. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  /**
   * Places numbers and answers their offset.
   *
   * @throws RollmillError `kernel.memory` where the plan comes to more than 1 GiB.
   */
  place(numbers: Numbers): number {
    const at = this.#take(numbers.byteLength);
    this.put(at, numbers);
    return at;
  }

  /**
   * Places words of 32 bits, with a sign or without.
   *
   * @throws RollmillError as {@link place}.
   */
  words(values: readonly number[]): number {
    const at = this.#take(4 * values.length);
    this.#words.set(values, at / 4);
    return at;
  }

  /** Writes numbers where there is room for them already. */
  put(at: number, numbers: Numbers): void {
    this.#bytes.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), at);
  }

  /** Room for so many bytes. */
  #take(bytes: number): number {
    const at = this.#length;
    const length = aligned(at + bytes);
    if (length > MOST_BYTES) refuse(length);
    this.#length = length;
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(Math.min(2 * length, MOST_BYTES));
      grown.set(this.#bytes);
      this.#bytes = grown;
      this.#words = new Uint32Array(grown.buffer);
    }
    return at;
  }
}

function aligned(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}

function refuse(bytes: number): never {
  return fail(
    error("kernel.memory", {
      problem: "the plan is too large for the kernel",
      got: `${bytes} bytes or more`,
      expected: `at most ${MOST_BYTES}`,
      remedy: "Make it of less",
    }),
  );
}
