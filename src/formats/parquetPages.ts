import { type Column, type IntegerValues, isUnsigned32, type WordColumn } from "./columns.js";
import { DistinctTexts } from "./parquetTexts.js";
import { type TextCells, textCells } from "./textCells.js";

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
/** The share for texts. It is larger because texts have more bytes and take more time to compress. */
const TEXT_DICTIONARY_SHARE = 0.75;
/** Integers get a dictionary only if they span fewer values than this: positions are found in an array. */
const MOST_SPAN = 2 ** 16;

/**
 * Encodes rows `from` to `to` − 1 of a column.
 *
 * Cost: O(rows + words). A word is encoded once, however many rows it has.
 */
export function encodeColumn(column: Column, from: number, to: number): EncodedColumn {
  switch (column.kind) {
    case "text":
    case "phrase":
      return encodeTexts(textCells(column, from, to), to - from);
    case "word":
      return encodeWords(column, from, to);
    case "integer":
      return encodeIntegers(new Float64Array(column.values.subarray(from, to)), isUnsigned32(column) ? 8 : 4);
    case "decimal":
      return encodeIntegers(
        new Float64Array(column.values.subarray(from, to)),
        decimalBytes(column.values, column.decimals),
      );
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

const REQUIRED = { levels: new Uint8Array(0), nulls: 0 } as const;

/** Marks of words without a place in the dictionary: UNUSED for a word that no earlier row has, NULL for null. */
const UNUSED = -1;
const NULL = -2;

function encodeWords({ name, words, indices }: WordColumn, from: number, to: number): EncodedColumn {
  const cells = textCells({ kind: "text", name, values: words.map((word) => word ?? "") }, 0, words.length);
  const texts = new DistinctTexts();
  const places = Int32Array.from(words, (word) => (word === null ? NULL : UNUSED));
  // loops over arrays of one type are fast, so the caller's array is copied to this type
  const own = new Uint32Array(indices.subarray(from, to));
  const present = new Uint32Array(own.length);
  let count = 0;
  for (let row = 0; row < own.length; row++) {
    const index = own[row];
    if (places[index] === NULL) continue;
    if (places[index] === UNUSED) places[index] = texts.indexOf(cells, index);
    own[count++] = places[index];
    present[row] = 1;
  }
  const encoded = encodeIds(texts, own.subarray(0, count));
  if (!words.includes(null)) return encoded;
  return { ...encoded, levels: packed(present, 1), nulls: own.length - count };
}

function encodeTexts(cells: TextCells, rows: number): EncodedColumn {
  const texts = new DistinctTexts();
  const ids = new Uint32Array(rows);
  for (let row = 0; row < rows; row++) ids[row] = texts.indexOf(cells, row);
  const encoded = encodeIds(texts, ids);
  const indexed = texts.bytes().length + encoded.data.length;
  if (indexed <= TEXT_DICTIONARY_SHARE * texts.bytesOf(ids)) return encoded;
  return { ...encoded, dictionary: undefined, data: texts.repeated(ids) };
}

function encodeIds(texts: DistinctTexts, ids: Uint32Array): EncodedColumn {
  const dictionary = { count: texts.count, bytes: texts.bytes() };
  return { ...REQUIRED, dictionary, data: indexPage(ids, texts.count), ...texts.bounds() };
}

// ── integers ──

/** Encodes integers. They are passed as doubles, which hold them exactly: loops over arrays of one type are fast. */
function encodeIntegers(values: Float64Array, bytes: 4 | 8): EncodedColumn {
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
function distinct(values: Float64Array, least: number, span: number) {
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
function indexPage(ids: Uint32Array, count: number): Uint8Array {
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
function packed(values: Uint32Array, bits: number): Uint8Array {
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
