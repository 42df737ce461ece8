import { arrayLength, error, fail, readFields, reading } from "../errors/index.js";
import { arrayType, checkInteger, checkText, readList, refuseArgument } from "../spec/index.js";

/** The integers of a column. Each row has one integer. A Float64Array can have integers −(2^53 − 1) … 2^53 − 1. */
export type IntegerValues = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float64Array;

/** A column of texts. Each row has a separate string. */
export interface TextColumn {
  readonly kind: "text";
  readonly name: string;
  readonly values: readonly string[];
}

/** A column of words from a list. Row r has the word `words[indices[r]]`. A null word is an empty cell. */
export interface WordColumn {
  readonly kind: "word";
  readonly name: string;
  readonly words: readonly (string | null)[];
  readonly indices: Uint8Array | Uint16Array | Uint32Array;
}

/** One part of each text of a phrase column. In row r, the part is `texts[indices[r]]`. */
export interface PhraseSegment {
  readonly texts: readonly string[];
  readonly indices: Uint8Array | Uint16Array | Uint32Array;
}

/**
 * A column of texts that are composed from segments, such as names. To get the text of a row, join its parts, one from
 * each segment. Then remove white space at both ends. Writers encode each distinct part only once, and never create a
 * row's whole string.
 */
export interface PhraseColumn {
  readonly kind: "phrase";
  readonly name: string;
  /** 1 … 1,000 segments. All have the same number of rows. */
  readonly segments: readonly PhraseSegment[];
}

/** A column of integers. */
export interface IntegerColumn {
  readonly kind: "integer";
  readonly name: string;
  readonly values: IntegerValues;
}

/** A column of exact decimals: row i is `values[i] / 10^decimals`. */
export interface DecimalColumn {
  readonly kind: "decimal";
  readonly name: string;
  readonly values: Int8Array | Int16Array | Int32Array;
  /** Number of decimal places, 1 … 18. */
  readonly decimals: number;
}

/** A named column of a table. */
export type Column = TextColumn | WordColumn | PhraseColumn | IntegerColumn | DecimalColumn;

interface Batch {
  readonly columns: readonly Column[];
  readonly rows: number;
}

const MAX_COLUMNS = 10_000;
const MAX_SEGMENTS = 1_000;

function readColumns(given: readonly Column[]): Batch {
  const columns = readList("columns", given, { of: "columns", most: MAX_COLUMNS }).map((column, i) =>
    readColumn(
      reading(`column ${i}`, () => ({ ...(column as Column) })),
      `columns[${i}]`,
    ),
  );
  if (columns.length === 0)
    fail(error("argument.range", { problem: "the table has no columns", expected: "one column or more" }));
  const rows = rowsOf(columns[0]);
  const names = new Set<string>();
  for (const column of columns) {
    const where = { path: column.name };
    if (names.has(column.name)) fail(error("argument.range", { problem: "two columns have the same name", where }));
    names.add(column.name);
    const got = rowsOf(column);
    const expected = `${rows} rows, as in the column ${JSON.stringify(columns[0].name)}`;
    if (got !== rows)
      fail(error("argument.range", { problem: "a column has a different number of rows", got, expected, where }));
  }
  return { columns, rows };
}

/**
 * Yields checked batches. Asks for a batch only when the previous one is used up, so a caller can make batches lazily.
 */
export function* readBatches(batches: Iterable<readonly Column[]>): Generator<Batch, void> {
  const iterator = reading("the batches", () =>
    Array.isArray(batches) ? entriesOf("batches", batches) : batches[Symbol.iterator](),
  );
  for (;;) {
    const { done, value } = reading("the batches", () => {
      const next = iterator.next();
      return { done: next.done, value: next.value };
    });
    if (done) return;
    yield readColumns(value);
  }
}

export function* entriesOf<T>(name: string, list: readonly T[]): Generator<T, void> {
  for (let i = 0; ; i++) {
    const length = arrayLength(list);
    if (length < 0) refuseArgument(name, list, "an array");
    if (i >= length) return;
    yield list[i];
  }
}

function rowsOf(column: Column): number {
  switch (column.kind) {
    case "word":
      return column.indices.length;
    case "phrase":
      return column.segments[0].indices.length;
    default:
      return column.values.length;
  }
}

const SIGNED = ["Int8Array", "Int16Array", "Int32Array"];
const UNSIGNED = ["Uint8Array", "Uint16Array", "Uint32Array"];

function readColumn(column: Column, path: string): Column {
  checkText(`${path}.name`, column.name);
  switch (column.kind) {
    case "text":
      return { ...column, values: readList("values", column.values, { of: "texts" }).map(textAt) };
    case "word":
      return readWords(column, path);
    case "phrase":
      return readPhrase(column, path);
    case "integer":
      checkArray(`${path}.values`, column.values, [...SIGNED, ...UNSIGNED, "Float64Array"]);
      if (arrayType(column.values) === "Float64Array") checkIntegers(path, column.values);
      return column;
    case "decimal":
      checkArray(`${path}.values`, column.values, SIGNED);
      checkInteger(`${path}.decimals`, column.decimals, 1, 18);
      return column;
    default: {
      const { kind }: { readonly kind: unknown } = column;
      return refuseArgument(`${path}.kind`, kind, '"text", "word", "phrase", "integer" or "decimal"');
    }
  }
}

function textAt(value: unknown, row: number): string {
  checkText(`values[${row}]`, value);
  return value;
}

function readWords(column: WordColumn, path: string): WordColumn {
  const words = readList("words", column.words, { of: "words" }).map((word, i) => {
    if (word !== null) checkText(`words[${i}]`, word);
    return word;
  });
  checkIndices(column.indices, words.length, { path, name: column.name });
  return { ...column, words };
}

function readPhrase(column: PhraseColumn, path: string): PhraseColumn {
  const { name } = column;
  const segments = readList("segments", column.segments, { of: "segments", most: MAX_SEGMENTS }).map((given, i) => {
    const segment = readFields(`segment ${i}`, given as PhraseSegment, ["texts", "indices"]);
    const texts = readList("texts", segment.texts, { of: "texts" }).map((text, k) => {
      checkText(`texts[${k}]`, text);
      return text;
    });
    checkIndices(segment.indices, texts.length, { path: `${path}.segments[${i}]`, name });
    return { texts, indices: segment.indices };
  });
  const where = { path: name };
  if (segments.length === 0)
    fail(error("argument.range", { problem: "the phrase has no segments", expected: "one segment or more", where }));
  const rows = segments[0].indices.length;
  const odd = segments.find(({ indices }) => indices.length !== rows);
  if (odd === undefined) return { ...column, segments };
  const expected = `${rows} rows, as in the first segment`;
  const got = odd.indices.length;
  return fail(error("argument.range", { problem: "a segment has a different number of rows", got, expected, where }));
}

function checkIndices(
  indices: WordColumn["indices"],
  texts: number,
  { path, name }: { readonly path: string; readonly name: string },
): void {
  checkArray(`${path}.indices`, indices, UNSIGNED);
  let most = 0;
  for (let row = 0; row < indices.length; row++) if (indices[row] > most) most = indices[row];
  if (most < texts || indices.length === 0) return;
  const expected = `an index in a list of ${texts} texts`;
  const problem = "an index is not in the list of texts";
  fail(error("argument.range", { problem, got: most, expected, where: { path: name } }));
}

function checkIntegers(path: string, values: IntegerValues): void {
  const [least, most] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  for (let row = 0; row < values.length; row++) {
    if (!Number.isSafeInteger(values[row])) checkInteger(`${path}.values[${row}]`, values[row], least, most);
  }
}

function checkArray(name: string, value: unknown, types: readonly string[]): void {
  if (ArrayBuffer.isView(value) && types.includes(arrayType(value)) && !isDetached(value)) return;
  refuseArgument(name, value, types.join(" or "));
}

function isDetached({ buffer }: ArrayBufferView): boolean {
  try {
    return new Uint8Array(buffer, 0, 0).length > 0;
  } catch {
    return true;
  }
}

export function checkSameColumns(first: readonly Column[], batch: readonly Column[]): void {
  const shape = (columns: readonly Column[]) => columns.map((column) => `${column.name} ${shapeOf(column)}`).join();
  if (shape(first) === shape(batch)) return;
  const expected = `${first.map(({ name }) => name).join(", ")}, with the same kinds and decimals`;
  fail(error("argument.range", { problem: "a batch and the first batch have different columns", expected }));
}

function shapeOf(column: Column): string {
  if (column.kind === "decimal") return `decimal ${column.decimals}`;
  return column.kind === "integer" && isLong(column) ? "long" : column.kind;
}

/** Whether a column can have integers outside the range of a signed 32-bit integer. */
export function isLong({ values }: IntegerColumn): boolean {
  return ["Uint32Array", "Float64Array"].includes(arrayType(values));
}
