import { error, fail, readFields } from "../../errors/index.js";
import { arrayType, checkInteger, checkText, readList, refuseArgument } from "../../spec/index.js";

/** The integers of a column, one for each row. A Float64Array may contain only integers −(2^53 − 1) … 2^53 − 1. */
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

/** One part of the texts in a phrase column. In row r, the part is `texts[indices[r]]`. */
export interface PhraseSegment {
  readonly texts: readonly string[];
  readonly indices: Uint8Array | Uint16Array | Uint32Array;
}

/**
 * A column of texts that are composed from segments, such as names. A row's text is its parts, joined and then trimmed
 * at both ends. Writers encode each distinct part once, and never create the string of a whole row.
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

const MAX_COLUMNS = 10_000;
const MAX_SEGMENTS = 1_000;

function readColumns(given: readonly Column[]): { readonly columns: readonly Column[]; readonly rows: number } {
  const columns = readList("columns", given, { of: "columns", most: MAX_COLUMNS }).map((column, i) =>
    readColumn(column as Column, `columns[${i}]`),
  );
  if (columns.length === 0)
    fail(error("argument.range", { problem: "the table has no columns", expected: "one column or more" }));
  const rows = rowsOf(columns[0]);
  const names = new Set<string>();
  for (const column of columns) {
    const where = { path: column.name };
    if (names.has(column.name)) fail(error("argument.range", { problem: "two columns have the same name", where }));
    names.add(column.name);
    checkRows("a column", rowsOf(column), rows, `the column ${JSON.stringify(columns[0].name)}`, where);
  }
  return { columns, rows };
}

export function* readBatches(batches: Iterable<readonly Column[]>) {
  const isIterable = typeof batches === "object" && batches !== null && Symbol.iterator in batches;
  if (!isIterable) refuseArgument("batches", batches, "an iterable of batches");
  for (const batch of batches) yield readColumns(batch);
}

function rowsOf(column: Column): number {
  if (column.kind === "word") return column.indices.length;
  return column.kind === "phrase" ? column.segments[0].indices.length : column.values.length;
}

function checkRows(what: string, got: number, rows: number, of: string, where: { readonly path: string }): void {
  if (got === rows) return;
  const problem = `${what} has a different number of rows`;
  fail(error("argument.range", { problem, got, expected: `${rows} rows, as in ${of}`, where }));
}

const SIGNED = ["Int8Array", "Int16Array", "Int32Array"];
const UNSIGNED = ["Uint8Array", "Uint16Array", "Uint32Array"];

function readColumn(column: Column, path: string): Column {
  const { kind, name } = readFields(path, column, ["kind", "name"]);
  checkText(`${path}.name`, name);
  switch (column.kind) {
    case "text":
      return { kind: "text", name, values: readTexts("values", column.values) };
    case "word": {
      const words = readList("words", column.words, { of: "words" });
      for (const [i, word] of words.entries()) if (word !== null) checkText(`words[${i}]`, word);
      checkIndices(column.indices, words.length, path, name);
      // the cast is safe: the loop checks every word
      return { kind: "word", name, words: words as (string | null)[], indices: column.indices };
    }
    case "phrase":
      return readPhrase(column, path);
    case "integer":
      checkArray(`${path}.values`, column.values, [...SIGNED, ...UNSIGNED, "Float64Array"]);
      if (arrayType(column.values) === "Float64Array") checkIntegers(`${path}.values`, column.values);
      return column;
    case "decimal":
      checkArray(`${path}.values`, column.values, SIGNED);
      checkInteger(`${path}.decimals`, column.decimals, 1, 18);
      return column;
    default:
      return refuseArgument(`${path}.kind`, kind, '"text", "word", "phrase", "integer" or "decimal"');
  }
}

function readTexts(name: string, given: readonly string[]): string[] {
  const texts = readList(name, given, { of: "texts" });
  for (let i = 0; i < texts.length; i++) checkText(`${name}[${i}]`, texts[i]);
  // the cast is safe: the loop checks every text
  return texts as string[];
}

function readPhrase(column: PhraseColumn, path: string): PhraseColumn {
  const { name } = column;
  const segments = readList("segments", column.segments, { of: "segments", most: MAX_SEGMENTS }).map((given, i) => {
    const segment = readFields(`segment ${i}`, given as PhraseSegment, ["texts", "indices"]);
    const texts = readTexts("texts", segment.texts);
    checkIndices(segment.indices, texts.length, `${path}.segments[${i}]`, name);
    return { texts, indices: segment.indices };
  });
  const where = { path: name };
  if (segments.length === 0) {
    fail(error("argument.range", { problem: "the phrase has no segments", expected: "one segment or more", where }));
  }
  const rows = segments[0].indices.length;
  for (const { indices } of segments) checkRows("a segment", indices.length, rows, "the first segment", where);
  return { kind: "phrase", name, segments };
}

function checkIndices(indices: WordColumn["indices"], texts: number, path: string, name: string): void {
  checkArray(`${path}.indices`, indices, UNSIGNED);
  let most = 0;
  for (let row = 0; row < indices.length; row++) if (indices[row] > most) most = indices[row];
  if (most < texts || indices.length === 0) return;
  const expected = `an index below ${texts}, the number of texts`;
  const problem = "an index is outside the list of texts";
  fail(error("argument.range", { problem, got: most, expected, where: { path: name } }));
}

function checkIntegers(name: string, values: IntegerValues): void {
  for (let row = 0; row < values.length; row++) {
    if (Number.isSafeInteger(values[row])) continue;
    checkInteger(`${name}[${row}]`, values[row], Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  }
}

function checkArray(name: string, value: unknown, types: readonly string[]): void {
  if (!types.includes(arrayType(value))) refuseArgument(name, value, types.join(" or "));
}

export function checkSameColumns(first: readonly Column[], batch: readonly Column[]): void {
  const kindOf = (column: Column) => {
    if (column.kind === "decimal") return `decimal ${column.decimals}`;
    return column.kind === "integer" && isLong(column) ? "long" : column.kind;
  };
  const shape = (columns: readonly Column[]) => columns.map((column) => `${column.name} ${kindOf(column)}`).join();
  if (shape(first) === shape(batch)) return;
  const expected = `the columns ${first.map(({ name }) => name).join(", ")}, with the same kinds and decimals`;
  fail(error("argument.range", { problem: "a batch and the first batch have different columns", expected }));
}

/** Whether a column can contain integers outside the range of a signed 32-bit integer. */
export function isLong({ values }: IntegerColumn): boolean {
  return ["Uint32Array", "Float64Array"].includes(arrayType(values));
}
