import { error, fail } from "../../errors/index.js";
import { checkFlag, readOptions } from "../../spec/index.js";
import { resized } from "../bytes.js";
import { type CsvOptions, safeText } from "../read/csv.js";
import { type Column, checkSameColumns, type IntegerValues, readBatches, type WordColumn } from "./columns.js";
import { mostBytesOf, type TextCells, textCells, writeText } from "./textCells.js";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Every engine can create texts up to this length, in UTF-16 units. */
const MAX_TEXT = 2 ** 29 - 24;
/** A chunk ends after the line that reaches this number of bytes. Only the last chunk may be shorter. */
const CHUNK_BYTES = 2 ** 16;

/**
 * Writes columns as CSV (RFC 4180, but lines end in LF). The first line has the column names. A field with a comma, a
 * quote or a line break is quoted. A null word is an empty field. Decimals are exact, without trailing zeros. Unless
 * `rawCells` is set, a text that a spreadsheet would run as a formula gets a leading apostrophe. An unpaired surrogate
 * becomes U+FFFD.
 *
 * Cost: memory for the whole text. For files, use {@link csvChunks}, which yields bytes.
 *
 * @throws The errors of {@link csvChunks}; RollmillError `argument.range` for more than 2²⁹ − 24 UTF-16 units.
 */
export function toCsv(columns: readonly Column[], options: CsvOptions = {}): string {
  let text = "";
  // a chunk ends at the end of a line, so no character is split between chunks
  for (const chunk of csvChunks([columns], options)) {
    const more = decoder.decode(chunk);
    if (text.length + more.length > MAX_TEXT) {
      const expected = `at most ${MAX_TEXT} characters`;
      fail(error("argument.range", { problem: "the CSV is too long for a string", expected, remedy: "Use csvChunks" }));
    }
    text += more;
  }
  return text;
}

/**
 * Writes batches of rows as CSV in UTF-8, in the format of {@link toCsv}. Yields the bytes lazily, in chunks of about
 * 64 KiB. All batches must have the columns of the first batch.
 *
 * Cost: O(bytes), and memory for one batch and one chunk. In each batch, every word is encoded once.
 *
 * @throws RollmillError `argument.type` for anything but columns; `argument.range` if columns of a batch differ in
 * length, have the same name, or differ from those of the first batch.
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
    if (first === undefined) {
      const names = columns.map(({ name }) => wordFields([name], Uint8Array.of(0), rawCells));
      lines.add(0, names);
    }
    first ??= columns;
    checkSameColumns(first, columns);
    const cells = columns.map((column) => cellsOf(column, rawCells));
    for (let row = 0; row < rows; row++) {
      if (lines.bytes >= CHUNK_BYTES) yield lines.take();
      lines.add(row, cells);
    }
  }
  if (lines.bytes > 0) yield lines.take();
}

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

  add(row: number, fields: readonly TextCells[]): void {
    let most = fields.length;
    for (const { mostBytes } of fields) most += mostBytes;
    if (this.bytes + most > this.#out.length) this.#out = resized(this.#out, 2 * (this.bytes + most));
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
}

function cellsOf(column: Column, rawCells: boolean): TextCells {
  switch (column.kind) {
    case "text":
    case "phrase":
      return textFields(textCells(column, 0, Number.POSITIVE_INFINITY), rawCells);
    case "word":
      return wordFields(column.words, column.indices, rawCells);
    case "integer":
      return numberFields(column.values, 0);
    case "decimal":
      return numberFields(column.values, column.decimals);
  }
}

function textFields(cells: TextCells, rawCells: boolean): TextCells {
  const write = (row: number, out: Uint8Array, offset: number) =>
    asField(out, offset, cells.write(row, out, offset), rawCells);
  return { mostBytes: mostFieldBytes(cells.mostBytes), write };
}

function wordFields(words: WordColumn["words"], given: WordColumn["indices"], rawCells: boolean): TextCells {
  const indices = new Uint32Array(given);
  const bytes = new Uint8Array(words.reduce((sum, word) => sum + mostFieldBytes(mostBytesOf([word])), 0));
  /** The bytes of word i begin at `offsets[i]` and end before `offsets[i + 1]`. */
  const offsets = new Uint32Array(words.length + 1);
  for (const [i, word] of words.entries()) {
    const offset = offsets[i];
    offsets[i + 1] = asField(bytes, offset, writeText(word ?? "", bytes, offset), rawCells);
  }
  const write = (row: number, out: Uint8Array, offset: number) => {
    const word = indices[row];
    const until = offsets[word + 1];
    let end = offset;
    for (let i = offsets[word]; i < until; i++) out[end++] = bytes[i];
    return end;
  };
  return { mostBytes: mostFieldBytes(mostBytesOf(words)), write };
}

/** Maximum length of a field: every byte may be a quote, which is doubled. Two quotes and an apostrophe add 3 bytes. */
function mostFieldBytes(textBytes: number): number {
  return 2 * textBytes + 3;
}

const PLAIN = 0;
const NEEDS_QUOTES = 1;
const IS_QUOTE = 3;
const MEANINGS = new Uint8Array(256);
for (const byte of [COMMA, LINE_FEED, CARRIAGE_RETURN]) MEANINGS[byte] = NEEDS_QUOTES;
MEANINGS[QUOTE] = IS_QUOTE;

/** For each byte, 1 if {@link safeText} may change a text that begins with this byte. */
const FORMULA_STARTS = new Uint8Array(256);
for (const character of "=+-@\t\r\n'") FORMULA_STARTS[character.charCodeAt(0)] = 1;

/** Converts the text between `offset` and `textEnd` of `out` to a CSV field, in place. Returns the end of the field. */
function asField(out: Uint8Array, offset: number, textEnd: number, rawCells: boolean): number {
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
  return meaning === PLAIN ? end : quoted(out, offset, end, meaning);
}

function quoted(out: Uint8Array, offset: number, end: number, meaning: number): number {
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

/** An integer up to 2^53 has at most this many digits. */
const MAX_DIGITS = 16;

/** Returns a writer of number fields: row r has `values[r]` / 10^`decimals`, exact and without trailing zeros. */
function numberFields(values: IntegerValues, decimals: number): TextCells {
  const write = (row: number, out: Uint8Array, offset: number) => {
    const value = values[row];
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
  };
  // 3 more bytes for a sign, a zero and a point
  return { mostBytes: 3 + Math.max(MAX_DIGITS, decimals), write };
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let power = 10; power <= value; power *= 10) digits++;
  return digits;
}
