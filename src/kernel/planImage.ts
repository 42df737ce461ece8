import { error, fail } from "../errors/index.js";
import { type Layout, type Views, viewsOf } from "./views.js";

const MAX_BYTES = 2 ** 30;
const FIRST_BYTES = 4096;
const ALIGNMENT = 16;

type Numbers = Uint8Array | Uint16Array | Uint32Array | Int8Array | Int16Array | Int32Array;

/**
 * Builds the bytes of a plan for the kernel. A plan consists of parts. Each part starts at a multiple of 16 bytes. If
 * part A refers to part B, A contains the offset of B from the plan's start, not an address.
 */
export class PlanImage {
  #views: Views;
  #length = 0;

  constructor(start: Uint8Array = new Uint8Array(0)) {
    this.#views = viewsOf(new ArrayBuffer(aligned(start.length) + FIRST_BYTES));
    this.#views.u8.set(start);
    this.#length = aligned(start.length);
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#views.u8.subarray(0, this.#length);
  }

  /** Appends `bytes` zeros, and returns their offset. Throws RollmillError `kernel.memory` for a plan above 1 GiB. */
  reserve(bytes: number): number {
    const offset = this.#length;
    const length = aligned(offset + bytes);
    if (length > MAX_BYTES) {
      const finding = { problem: "the records need too many bytes in the kernel", got: length };
      const remedy = "Use fewer or smaller records";
      fail(error("kernel.memory", { ...finding, expected: `at most ${MAX_BYTES}`, remedy }));
    }
    this.#length = length;
    if (length > this.#views.u8.length) {
      const grown = viewsOf(new ArrayBuffer(Math.min(2 * length, MAX_BYTES)));
      grown.u8.set(this.#views.u8);
      this.#views = grown;
    }
    return offset;
  }

  put<T>(layout: Layout<T>, values: T): number {
    const offset = this.reserve(layout.bytes);
    layout.write(this.#views, offset, values);
    return offset;
  }

  /** Appends records without padding between them, and returns the offset of the first. */
  putAll<T>(layout: Layout<T>, records: readonly T[]): number {
    const offset = this.reserve(layout.bytes * records.length);
    for (let i = 0; i < records.length; i++) layout.write(this.#views, offset + i * layout.bytes, records[i]);
    return offset;
  }

  /** Overwrites a record, such as a head that needs the offsets of parts that were appended later. */
  set<T>(offset: number, layout: Layout<T>, values: T): void {
    layout.write(this.#views, offset, values);
  }

  place(numbers: Numbers): number {
    const offset = this.reserve(numbers.byteLength);
    this.copy(offset, numbers);
    return offset;
  }

  /** Appends 32-bit words, signed or unsigned. */
  words(values: readonly number[]): number {
    const offset = this.reserve(4 * values.length);
    this.#views.u32.set(values, offset / 4);
    return offset;
  }

  copy(offset: number, numbers: Numbers): void {
    this.#views.u8.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), offset);
  }
}

function aligned(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}
