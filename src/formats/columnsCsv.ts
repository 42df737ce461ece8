import { error, fail } from "../errors/index.js";
import { checkFlag, readOptions } from "../spec/index.js";
import { type Column, checkSameColumns, type IntegerValues, readBatches, type WordColumn } from "./columns.js";
import { type CsvOptions, safeText } from "./csv.js";
import { mostBytesOf, type TextCells, textCells, writeText } from "./textCells.js";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Every engine can hold texts up to this length, in UTF-16 units. */
const MAX_TEXT = 2 ** 29 - 24;
/** Minimum length of a chunk in bytes. A chunk ends with the line that reaches it. */
const CHUNK_BYTES = 2 ** 16;

/**
 * Writes columns as CSV (RFC 4180, but lines end in LF). The first line has the column names. Each later line is one
 * row. A field with a comma, a quote or a line break is quoted. A null word is an empty field. Decimals are exact and
 * have no trailing zeros. A text that a spreadsheet would run as a formula gets an apostrophe before it. The option
 * `rawCells` turns this off. An unpaired surrogate becomes U+FFFD.
 *
 * Cost: memory for the whole text. For files, use {@link csvChunks}, which yields bytes.
 *
 * @throws The errors of {@link csvChunks}; RollmillError `argument.range` for a text of more than 2²⁹ − 24 UTF-16
 * units.
 */
export function toCsv(columns: readonly Column[], options: CsvOptions = {}): string {
  let text = "";
  // a chunk ends at the end of a line, so it never cuts a character
  for (const chunk of csvChunks([columns], options)) {
    const more = decoder.decode(chunk);
    if (text.length + more.length > MAX_TEXT) refuseLength();
    text += more;
  }
  return text;
}

/**
 * Writes batches of rows as CSV in UTF-8, in the format of {@link toCsv}. Yields the bytes lazily, in chunks of about
 * 64 KiB. All batches must have the columns of the first batch.
 *
 * Cost: O(bytes). In each batch, every word and every text of a segment is encoded once. Needs memory for one batch and
 * one chunk.
 *
 * @throws RollmillError `argument.type` for anything but columns; `argument.range` if two columns of a batch have
 * different lengths or the same name, or if the columns of a batch differ from those of the first batch.
 */
export function* csvChunks(
  batches: Iterable<readonly Column[]>,
  options: CsvOptions = {},
): Generator<Uint8Array, void> {
  const { rawCells = false } = readOptions("csvChunks", options, ["rawCells"]);
  checkFlag("rawCells", rawCells);
  const lines = new Lines();
  let first: readonly Column[] | undefined;
  for (const { columns, rows } of readBatches(batches)) {
    if (first === undefined) lines.add(0, headOf(columns, rawCells));
    else checkSameColumns(first, columns);
    first ??= columns;
    const cells = columns.map((column) => cellsOf(column, rawCells));
    for (let row = 0; row < rows; row++) {
      if (lines.bytes >= CHUNK_BYTES) yield lines.take();
      lines.add(row, cells);
    }
  }
  if (lines.bytes > 0) yield lines.take();
}

function refuseLength(): never {
  const expected = `at most ${MAX_TEXT} characters`;
  fail(error("argument.range", { problem: "the CSV is too long for a text", expected, remedy: "Use csvChunks" }));
}

type Fields = TextCells;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;

class Lines {
  bytes = 0;
  #out = new Uint8Array(2 * CHUNK_BYTES);

  add(row: number, fields: readonly Fields[]): void {
    let most = fields.length;
    for (const { mostBytes } of fields) most += mostBytes;
    this.#reserve(most);
    const out = this.#out;
    let end = this.bytes;
    for (const field of fields) {
      end = field.write(row, out, end);
      out[end++] = COMMA;
    }
    out[end - 1] = LINE_FEED;
    this.bytes = end;
  }

  take(): Uint8Array {
    const taken = this.#out.slice(0, this.bytes);
    this.bytes = 0;
    return taken;
  }

  #reserve(more: number): void {
    if (this.bytes + more <= this.#out.length) return;
    const grown = new Uint8Array(2 * (this.bytes + more));
    grown.set(this.#out.subarray(0, this.bytes));
    this.#out = grown;
  }
}

function headOf(columns: readonly Column[], rawCells: boolean): readonly Fields[] {
  return columns.map(({ name }) => new WordFields({ words: [name], indices: Uint8Array.of(0) }, rawCells));
}

function cellsOf(column: Column, rawCells: boolean): Fields {
  switch (column.kind) {
    case "text":
    case "phrase":
      return new TextFields(textCells(column, 0, Number.POSITIVE_INFINITY), rawCells);
    case "word":
      return new WordFields(column, rawCells);
    case "integer":
      return new NumberFields(column.values, 0);
    case "decimal":
      return new NumberFields(column.values, column.decimals);
  }
}

// ── texts ──

class TextFields implements Fields {
  readonly mostBytes: number;
  readonly #cells: TextCells;
  readonly #rawCells: boolean;

  constructor(cells: TextCells, rawCells: boolean) {
    this.#cells = cells;
    this.#rawCells = rawCells;
    this.mostBytes = mostFieldBytes(cells.mostBytes);
  }

  write(row: number, out: Uint8Array, offset: number): number {
    return asField(out, { offset, end: this.#cells.write(row, out, offset) }, this.#rawCells);
  }
}

/** Encodes and quotes each word of the list once. */
class WordFields implements Fields {
  readonly mostBytes: number;
  readonly #bytes: Uint8Array;
  /** Word i has the bytes from element i to element i + 1. */
  readonly #offsets: Uint32Array;
  readonly #indices: Uint32Array;

  constructor({ words, indices }: Pick<WordColumn, "words" | "indices">, rawCells: boolean) {
    this.mostBytes = mostFieldBytes(mostBytesOf(words));
    this.#indices = new Uint32Array(indices);
    const size = words.reduce((sum, word) => sum + mostFieldBytes(mostBytesOf([word])), 0);
    const bytes = new Uint8Array(size);
    this.#offsets = new Uint32Array(words.length + 1);
    let offset = 0;
    for (const [i, word] of words.entries()) {
      offset = asField(bytes, { offset, end: writeText(word ?? "", bytes, offset) }, rawCells);
      this.#offsets[i + 1] = offset;
    }
    this.#bytes = bytes.slice(0, offset);
  }

  write(row: number, out: Uint8Array, offset: number): number {
    const bytes = this.#bytes;
    const word = this.#indices[row];
    const until = this.#offsets[word + 1];
    let end = offset;
    for (let i = this.#offsets[word]; i < until; i++) out[end++] = bytes[i];
    return end;
  }
}

/** In the worst case, every byte is a quote, which is doubled. Two quotes and an apostrophe make 3 more bytes. */
function mostFieldBytes(textBytes: number): number {
  return 2 * textBytes + 3;
}

interface Stretch {
  readonly offset: number;
  readonly end: number;
}

const PLAIN = 0;
const NEEDS_QUOTES = 1;
const IS_QUOTE = 3;
const MEANINGS = new Uint8Array(256);
for (const byte of [COMMA, LINE_FEED, CARRIAGE_RETURN]) MEANINGS[byte] = NEEDS_QUOTES;
MEANINGS[QUOTE] = IS_QUOTE;

/** The first bytes of texts that {@link safeText} may change. */
const FORMULA_STARTS = new Uint8Array(256);
for (const character of "=+-@\t\r\n'") FORMULA_STARTS[character.charCodeAt(0)] = 1;

/** Converts the text between `offset` and `end` of `out` to a CSV field, in place. Returns the end of the field. */
function asField(out: Uint8Array, { offset, end: textEnd }: Stretch, rawCells: boolean): number {
  let end = textEnd;
  if (!rawCells && end > offset && FORMULA_STARTS[out[offset]] === 1) {
    const text = decoder.decode(out.subarray(offset, end));
    if (safeText(text) !== text) {
      out.copyWithin(offset + 1, offset, end++);
      out[offset] = APOSTROPHE;
    }
  }
  let meaning = PLAIN;
  for (let i = offset; i < end; i++) meaning |= MEANINGS[out[i]];
  return meaning === PLAIN ? end : quoted(out, { offset, end }, meaning);
}

function quoted(out: Uint8Array, { offset, end }: Stretch, meaning: number): number {
  let quotes = 0;
  if (meaning === IS_QUOTE) for (let i = offset; i < end; i++) if (out[i] === QUOTE) quotes++;
  const last = end + quotes + 1;
  if (quotes === 0) out.copyWithin(offset + 1, offset, end);
  // copies from the end to the start, because the target overlaps the source
  else
    for (let from = end - 1, to = last - 1; from >= offset; from--) {
      out[to--] = out[from];
      if (out[from] === QUOTE) out[to--] = QUOTE;
    }
  out[offset] = QUOTE;
  out[last] = QUOTE;
  return last + 1;
}

// ── numbers ──

/** An integer up to 2^53 has at most this many digits. */
const MAX_DIGITS = 16;

class NumberFields implements Fields {
  readonly mostBytes: number;
  readonly #values: IntegerValues;
  readonly #decimals: number;

  constructor(values: IntegerValues, decimals: number) {
    this.#values = values;
    this.#decimals = decimals;
    // 3 bytes for a sign, a zero and a point
    this.mostBytes = 3 + Math.max(MAX_DIGITS, decimals);
  }

  write(row: number, out: Uint8Array, offset: number): number {
    return writeNumber(this.#values[row], out, { offset, decimals: this.#decimals });
  }
}

/** Writes `value` / 10^`decimals` exactly, without trailing zeros. Returns the offset after the last byte. */
function writeNumber(
  value: number,
  out: Uint8Array,
  { offset, decimals }: { readonly offset: number; readonly decimals: number },
): number {
  let begin = offset;
  let rest = value;
  if (value < 0) {
    out[begin++] = MINUS;
    rest = -value;
  }
  let places = rest === 0 ? 0 : decimals;
  while (places > 0 && rest % 10 === 0) {
    rest /= 10;
    places--;
  }
  const digits = Math.max(digitsOf(rest), places + 1);
  const point = begin + digits - places;
  const end = places === 0 ? point : begin + digits + 1;
  for (let i = end - 1; i >= begin; i--) {
    if (i === point) out[i] = POINT;
    else {
      const tens = Math.floor(rest / 10);
      out[i] = ZERO + (rest - 10 * tens);
      rest = tens;
    }
  }
  return end;
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let power = 10; power <= value; power *= 10) digits++;
  return digits;
}
