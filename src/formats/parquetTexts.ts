import { error, fail } from "../errors/index.js";
import type { TextCells } from "./textCells.js";

/** Maximum size of a page, in bytes: the format stores it as a signed 32-bit integer. */
const MOST_PAGE = 2 ** 31 - 1;
/** Number of bytes that store the length of a text. */
const LENGTH_BYTES = 4;
const FIRST_BYTES = 2 ** 12;
const FIRST_SLOTS = 2 ** 10;
const MULTIPLIER = 0x9e3779b1;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Collects distinct texts in PLAIN encoding: 4 bytes with the length of the text in bytes, then the text in UTF-8.
 * Keeps the order in which texts were added.
 */
export class DistinctTexts {
  #bytes = new Uint8Array(FIRST_BYTES);
  #view = new DataView(this.#bytes.buffer);
  /** The offset of each text in `#bytes`, then the offset after the last text. */
  readonly #offsets = [0];
  readonly #hashes: number[] = [];
  /**
   * A hash table with open addressing. A slot is 1 + the index of a text, or 0 if it is empty. At least half of the
   * slots are empty.
   */
  #slots = new Int32Array(FIRST_SLOTS);

  /** Number of texts. */
  get count(): number {
    return this.#hashes.length;
  }

  /** Returns the index of a row's text. Adds the text if it is new. */
  indexOf(cells: TextCells, row: number): number {
    const offset = this.#offsets[this.count];
    this.#reserve(offset + LENGTH_BYTES + cells.mostBytes);
    const end = cells.write(row, this.#bytes, offset + LENGTH_BYTES);
    this.#view.setUint32(offset, end - offset - LENGTH_BYTES, true);
    const hash = this.#hash(offset, end);
    const slots = this.#slots;
    const hashes = this.#hashes;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const index = slots[slot] - 1;
      if (hashes[index] === hash && this.#isEqual(index, offset, end)) return index;
    }
    slots[slot] = hashes.push(hash);
    this.#offsets.push(end);
    if (2 * this.count > this.#slots.length) this.#grow();
    return this.count - 1;
  }

  /** Returns all texts, in PLAIN encoding. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#offsets[this.count]);
  }

  /** Returns how many bytes the texts with these indices take, in PLAIN encoding. */
  bytesOf(indices: Uint32Array): number {
    let bytes = 0;
    for (let i = 0; i < indices.length; i++) bytes += this.#offsets[indices[i] + 1] - this.#offsets[indices[i]];
    return bytes;
  }

  /** Returns the texts with these indices, one after the other, in PLAIN encoding. */
  repeated(indices: Uint32Array): Uint8Array {
    const size = this.bytesOf(indices);
    if (size > MOST_PAGE) refuseLong();
    const bytes = this.#bytes;
    const out = new Uint8Array(size);
    let end = 0;
    for (let i = 0; i < indices.length; i++) {
      const until = this.#offsets[indices[i] + 1];
      for (let from = this.#offsets[indices[i]]; from < until; from++) out[end++] = bytes[from];
    }
    return out;
  }

  /** Returns the first and the last text in the order of their UTF-8 bytes. Both are undefined if there is no text. */
  bounds(): { readonly least: string | undefined; readonly greatest: string | undefined } {
    if (this.count === 0) return { least: undefined, greatest: undefined };
    let [least, greatest] = [0, 0];
    for (let index = 1; index < this.count; index++) {
      if (this.#comesBefore(index, least)) least = index;
      else if (this.#comesBefore(greatest, index)) greatest = index;
    }
    return { least: this.#textAt(least), greatest: this.#textAt(greatest) };
  }

  #textAt(index: number): string {
    return decoder.decode(this.#bytes.subarray(this.#offsets[index] + LENGTH_BYTES, this.#offsets[index + 1]));
  }

  #comesBefore(a: number, b: number): boolean {
    let i = this.#offsets[a] + LENGTH_BYTES;
    let j = this.#offsets[b] + LENGTH_BYTES;
    const [endA, endB] = [this.#offsets[a + 1], this.#offsets[b + 1]];
    while (i < endA && j < endB && this.#bytes[i] === this.#bytes[j]) {
      i++;
      j++;
    }
    return j < endB && (i === endA || this.#bytes[i] < this.#bytes[j]);
  }

  /** Returns a hash of a text's length and bytes. Reads four bytes at a time. */
  #hash(offset: number, end: number): number {
    const view = this.#view;
    let hash = 0;
    let at = offset;
    for (; at + 4 <= end; at += 4) {
      hash = Math.imul(hash ^ view.getUint32(at, true), MULTIPLIER);
      hash ^= hash >>> 15;
    }
    for (; at < end; at++) hash = Math.imul(hash ^ this.#bytes[at], MULTIPLIER);
    return hash ^ (hash >>> 15);
  }

  /** Whether text number `index`, including its length bytes, equals the bytes from `offset` to `end` − 1. */
  #isEqual(index: number, offset: number, end: number): boolean {
    const view = this.#view;
    const begin = this.#offsets[index];
    const length = end - offset;
    if (this.#offsets[index + 1] - begin !== length) return false;
    let i = 0;
    for (; i + 4 <= length; i += 4) if (view.getUint32(begin + i) !== view.getUint32(offset + i)) return false;
    for (; i < length; i++) if (this.#bytes[begin + i] !== this.#bytes[offset + i]) return false;
    return true;
  }

  #grow(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    const mask = this.#slots.length - 1;
    for (const [index, hash] of this.#hashes.entries()) {
      let slot = hash & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = index + 1;
    }
  }

  #reserve(size: number): void {
    if (size <= this.#bytes.length) return;
    if (size > MOST_PAGE) refuseLong();
    const grown = new Uint8Array(Math.min(MOST_PAGE, Math.max(size, this.#bytes.length * 2)));
    grown.set(this.bytes());
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

function refuseLong(): never {
  const problem = "the texts of a row group are too long";
  const expected = `at most ${MOST_PAGE} bytes`;
  return fail(error("argument.range", { problem, expected, remedy: "Use a smaller rowGroup" }));
}
