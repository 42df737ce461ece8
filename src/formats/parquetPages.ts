import { error, fail } from "../errors/index.js";
import { type Column, type IntegerValues, isUnsigned32 } from "./columns.js";

/** The values of a column in one row group, as the pages of a Parquet file have them, before compression. */
export interface EncodedColumn {
  /** The distinct values, in PLAIN encoding, if `data` has indices into them. */
  readonly dictionary: { readonly count: number; readonly bytes: Uint8Array } | undefined;
  /** The values that are not null: in PLAIN encoding, or as indices in RLE_DICTIONARY encoding. */
  readonly data: Uint8Array;
  /** One bit a row, 0 for null, in RLE encoding; empty for a column that cannot be null. */
  readonly levels: Uint8Array;
  readonly nulls: number;
  /** The least and the greatest value, with texts in the order of their UTF-8 bytes; undefined if all are null. */
  readonly least: string | number | undefined;
  readonly greatest: string | number | undefined;
}

/** A dictionary is written if it and the indices have at most this share of the bytes of the plain values. */
const DICTIONARY_SHARE = 0.5;
/** Integers get a dictionary only if they span fewer values than this: positions are found in an array. */
const MOST_SPAN = 2 ** 16;
/** Texts get a dictionary only if at most half of the first ones are distinct. */
const TEXT_SAMPLE = 1000;

/**
 * Encodes rows `from` to `to` − 1 of a column.
 *
 * Cost: O(rows + words). A word is encoded once, however many rows it has.
 */
export function encodeColumn(column: Column, from: number, to: number): EncodedColumn {
  switch (column.kind) {
    case "text":
      return encodeTexts(column.values.slice(from, to));
    case "word":
      return encodeWords(column.words, column.indices.subarray(from, to));
    case "integer":
      return encodeIntegers(column.values.subarray(from, to), isUnsigned32(column) ? 8 : 4);
    case "decimal":
      return encodeIntegers(column.values.subarray(from, to), decimalBytes(column.values, column.decimals));
  }
}

/** Largest number of decimal digits that always fits into 32 bits. */
const DIGITS_32 = 9;
/** Largest number of decimal digits that always fits into 64 bits. */
const DIGITS_64 = 18;

/** The number of digits that the integers of a decimal column can have, but at least `decimals` and at most 18. */
export function decimalPrecision(values: IntegerValues, decimals: number): number {
  const digits = [0, 3, 5, 0, 10][values.BYTES_PER_ELEMENT];
  return Math.min(DIGITS_64, Math.max(digits, decimals));
}

/** The bytes of an integer of a decimal column: 4 or 8. */
export function decimalBytes(values: IntegerValues, decimals: number): 4 | 8 {
  return decimalPrecision(values, decimals) <= DIGITS_32 ? 4 : 8;
}

// ── words and texts ──

function encodeWords(words: readonly (string | null)[], indices: ArrayLike<number>): EncodedColumn {
  const places = new Int32Array(words.length).fill(-1);
  const used: string[] = [];
  const ids = new Uint32Array(indices.length);
  const present = new Uint8Array(indices.length);
  let count = 0;
  for (let row = 0; row < indices.length; row++) {
    const index = indices[row];
    const word = words[index];
    if (word === null) continue;
    if (places[index] < 0) places[index] = used.push(word) - 1;
    ids[count++] = places[index];
    present[row] = 1;
  }
  const encoded = encodeIds(used, ids.subarray(0, count));
  if (!words.includes(null)) return encoded;
  return { ...encoded, levels: packed(present, 1), nulls: indices.length - count };
}

function encodeTexts(values: readonly string[]): EncodedColumn {
  const sample = values.slice(0, TEXT_SAMPLE);
  if (values.length === 0 || new Set(sample).size > sample.length * DICTIONARY_SHARE) return plainTexts(values);
  const places = new Map<string, number>();
  const ids = Uint32Array.from(values, (text) => {
    const place = places.get(text) ?? places.size;
    if (place === places.size) places.set(text, place);
    return place;
  });
  return encodeIds([...places.keys()], ids);
}

/** Encodes indices into distinct texts. */
function encodeIds(texts: readonly string[], ids: Uint32Array): EncodedColumn {
  const { data: bytes, least, greatest } = plainTexts(texts);
  return {
    ...REQUIRED,
    dictionary: { count: texts.length, bytes },
    data: indexPage(ids, texts.length),
    least,
    greatest,
  };
}

function plainTexts(texts: readonly string[]): EncodedColumn {
  const data = new TextBytes();
  let [least, greatest] = [texts[0], texts[0]];
  for (const text of texts) {
    data.append(text);
    if (comesBefore(text, least)) least = text;
    else if (comesBefore(greatest, text)) greatest = text;
  }
  return { ...REQUIRED, dictionary: undefined, data: data.bytes(), least, greatest };
}

const REQUIRED = { levels: new Uint8Array(0), nulls: 0 } as const;

/** Whether text a comes before text b in the order of their UTF-8 bytes, which is the order of their code points. */
function comesBefore(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  let i = 0;
  while (i < length && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  if (i === length) return a.length < b.length;
  const [left, right] = [a.charCodeAt(i), b.charCodeAt(i)];
  // halves of code points above 2^16 are less than some whole code points below it
  return isHalf(left) === isHalf(right) ? left < right : isHalf(right);
}

function isHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

const MOST_UTF8 = 3;
const encoder = new TextEncoder();

/** Texts in PLAIN encoding: the number of bytes in 4 bytes, then the bytes in UTF-8. */
class TextBytes {
  #bytes = new Uint8Array(2 ** 12);
  #end = 0;

  append(text: string): void {
    this.#reserve(4 + text.length * MOST_UTF8);
    const begin = this.#end + 4;
    const end = this.#writeAscii(text, begin) ?? begin + encoder.encodeInto(text, this.#bytes.subarray(begin)).written;
    const length = end - begin;
    for (let i = 0; i < 4; i++) this.#bytes[this.#end + i] = length >>> (8 * i);
    this.#end = end;
  }

  /** Writes a text of ASCII characters and returns its end; for another text, returns undefined. */
  #writeAscii(text: string, begin: number): number | undefined {
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 0x7f) return undefined;
      this.#bytes[begin + i] = unit;
    }
    return begin + text.length;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }

  #reserve(more: number): void {
    const size = this.#end + more;
    if (size <= this.#bytes.length) return;
    if (size > MOST_PAGE) {
      const expected = `at most ${MOST_PAGE} bytes`;
      fail(
        error("argument.range", {
          problem: "the texts of a row group are too long",
          expected,
          remedy: "Use a smaller rowGroup",
        }),
      );
    }
    const grown = new Uint8Array(Math.max(size, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#end));
    this.#bytes = grown;
  }
}

/** The format has a signed 32-bit integer for the size of a page. */
const MOST_PAGE = 2 ** 31 - 1;

// ── integers ──

function encodeIntegers(values: IntegerValues, bytes: 4 | 8): EncodedColumn {
  if (values.length === 0)
    return { ...REQUIRED, dictionary: undefined, data: new Uint8Array(0), least: undefined, greatest: undefined };
  let [least, greatest] = [values[0], values[0]];
  for (let i = 1; i < values.length; i++) {
    if (values[i] < least) least = values[i];
    else if (values[i] > greatest) greatest = values[i];
  }
  const found = greatest - least < MOST_SPAN ? distinct(values, least, greatest - least + 1) : undefined;
  if (found === undefined || !isWorth(found.values.length, values.length, bytes)) {
    return { ...REQUIRED, dictionary: undefined, data: plainIntegers(values, bytes), least, greatest };
  }
  const dictionary = { count: found.values.length, bytes: plainIntegers(found.values, bytes) };
  return { ...REQUIRED, dictionary, data: indexPage(found.ids, found.values.length), least, greatest };
}

/** Returns the distinct values in the order of their first rows, and for each row the position of its value. */
function distinct(values: IntegerValues, least: number, span: number) {
  const places = new Int32Array(span).fill(-1);
  const found: number[] = [];
  const ids = new Uint32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] - least;
    if (places[value] < 0) places[value] = found.push(values[i]) - 1;
    ids[i] = places[value];
  }
  return { values: found, ids };
}

function isWorth(distinctValues: number, rows: number, bytes: number): boolean {
  const indexed = distinctValues * bytes + (rows * bitsOf(distinctValues)) / 8;
  return indexed <= rows * bytes * DICTIONARY_SHARE;
}

/** Integers as little-endian integers of 4 or 8 bytes. */
function plainIntegers(values: ArrayLike<number>, bytes: 4 | 8): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * bytes));
  for (let i = 0; i < values.length; i++) {
    view.setInt32(i * bytes, values[i], true);
    if (bytes === 8) view.setInt32(i * bytes + 4, values[i] < 0 ? -1 : 0, true);
  }
  return new Uint8Array(view.buffer);
}

// ── indices ──

/** The bits of an index into a dictionary. */
function bitsOf(count: number): number {
  return count <= 1 ? 0 : 32 - Math.clz32(count - 1);
}

/** A data page of indices into a dictionary: the bits of an index, then the indices. */
function indexPage(ids: ArrayLike<number>, count: number): Uint8Array {
  const bits = bitsOf(count);
  const indices = packed(ids, bits);
  const page = new Uint8Array(indices.length + 1);
  page[0] = bits;
  page.set(indices, 1);
  return page;
}

/**
 * Integers of a fixed number of bits, the least bit first, in the RLE / bit-packing hybrid of the format: one run of
 * packed groups of eight, or one run of equal values if they have 0 bits.
 */
function packed(values: ArrayLike<number>, bits: number): Uint8Array {
  if (values.length === 0) return new Uint8Array(0);
  if (bits === 0) return Uint8Array.from(variableLength(values.length * 2));
  const groups = Math.ceil(values.length / 8);
  const head = variableLength(groups * 2 + 1);
  const bytes = new Uint8Array(head.length + groups * bits);
  bytes.set(head);
  let at = head.length;
  let [buffer, filled] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    // at most 7 bits are left over and an index has at most 24, so they fit in 31 bits
    buffer |= values[i] << filled;
    for (filled += bits; filled >= 8; filled -= 8) {
      bytes[at++] = buffer;
      buffer >>>= 8;
    }
  }
  if (filled > 0) bytes[at] = buffer;
  return bytes;
}

/** An unsigned integer in groups of 7 bits, the least first; a set top bit says that another follows. */
function variableLength(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}
