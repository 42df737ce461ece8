import { error, fail } from "../../errors/index.js";
import { resized } from "../bytes.js";
import type { TextCells } from "./textCells.js";

/** Maximum size of a page in bytes: the format stores the size as a signed 32-bit integer. */
const MAX_PAGE = 2 ** 31 - 1;
const LENGTH_BYTES = 4;
const FIRST_BYTES = 2 ** 12;
const FIRST_SLOTS = 2 ** 10;
const MULTIPLIER = 0x9e3779b1;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Collects distinct texts in PLAIN encoding: 4 bytes with the length, then the text in UTF-8. */
export class DistinctTexts {
  #bytes = new Uint8Array(FIRST_BYTES);
  #view = new DataView(this.#bytes.buffer);
  /** The bytes of text i begin at `offsets[i]` and end before `offsets[i + 1]`. */
  readonly #offsets = [0];
  readonly #hashes: number[] = [];
  /** A hash table with open addressing; at least half of it is empty. A slot is 0, or 1 + the index of a text. */
  #slots = new Int32Array(FIRST_SLOTS);

  get count(): number {
    return this.#hashes.length;
  }

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

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#offsets[this.count]);
  }

  bytesOf(indices: Uint32Array): number {
    let bytes = 0;
    for (let i = 0; i < indices.length; i++) bytes += this.#offsets[indices[i] + 1] - this.#offsets[indices[i]];
    return bytes;
  }

  repeated(indices: Uint32Array): Uint8Array {
    const size = this.bytesOf(indices);
    if (size > MAX_PAGE) refuseLong();
    const bytes = this.#bytes;
    const out = new Uint8Array(size);
    let end = 0;
    for (let i = 0; i < indices.length; i++) {
      const until = this.#offsets[indices[i] + 1];
      for (let from = this.#offsets[indices[i]]; from < until; from++) out[end++] = bytes[from];
    }
    return out;
  }

  /** Returns the least and the greatest text, compared by UTF-8 bytes. Both are undefined if no text was added. */
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
    if (size > MAX_PAGE) refuseLong();
    this.#bytes = resized(this.#bytes, Math.min(MAX_PAGE, Math.max(size, this.#bytes.length * 2)));
    this.#view = new DataView(this.#bytes.buffer);
  }
}

function refuseLong(): never {
  const problem = "the texts of a row group are too long";
  const expected = `at most ${MAX_PAGE} bytes`;
  return fail(error("argument.range", { problem, expected, remedy: 'Use a smaller "rowGroup"' }));
}
