import { error, type Issue, IssueList, warning } from "../errors/index.js";
import { cellsOf, readColumns, readHead, type Source, type TwoDaColumn, type TwoDaText } from "./twodaHead.js";
import { type Cells, isBlank, lineReader } from "./twodaLines.js";

export { MAX_COLUMNS, type TwoDaColumn, type TwoDaText } from "./twodaHead.js";
export { MAX_LINE } from "./twodaLines.js";

/** Maximum length of a text in UTF-16 units, 64 Mi. */
export const MAX_TEXT = 64 * 2 ** 20;
/** Maximum number of rows. */
export const MAX_ROWS = 1_000_000;
/** Maximum number of cells, 2²⁴. Only a file with very short cells reaches this limit before the others. */
export const MAX_CELLS = 2 ** 24;

/** One row. Its number is its index in {@link TwoDa.rows}; the number that the file prints is ignored. */
export interface TwoDaRow {
  readonly line: number;
  /** The first cell of the row, the number that the file prints. It has no effect. Null on a blank line. */
  readonly printedNumber: string | null;
  /** The text of each cell in column order; null for `****`. A line with fewer cells gives a shorter array. */
  readonly texts: readonly (string | null)[];
  /** Position in the line at which each cell begins, in characters from 1. */
  readonly columns: readonly number[];
}

/** The content of a 2DA file. */
export interface TwoDa {
  /** The text of the DEFAULT line, the value of missing rows and columns. Absent if the file has no DEFAULT. */
  readonly default?: TwoDaText;
  /** Number of the line of column names; 0 if the file has no such line. */
  readonly columnLine: number;
  readonly columns: readonly TwoDaColumn[];
  readonly rows: readonly TwoDaRow[];
  /** Errors and warnings in the order of the file. Each has a line and a column. */
  readonly issues: readonly Issue[];
  /** Whether the whole file was read. Reading stops if the file has no column names, or a limit is reached. */
  readonly complete: boolean;
}

/** Options of {@link parseTwoDa}. */
export interface TwoDaOptions {
  /** The file's name, for messages. */
  readonly file?: string | undefined;
}

/**
 * Reads a 2DA V2.0 text, or one without the two header lines that starts with its line of column names. The errors of
 * malformed text are in `issues`; the function does not throw. A quote opens only at the beginning of a cell, and a
 * quoted `"****"` is text.
 *
 * Cost: one pass, O(characters). Limits: 64 Mi characters, 1 Mi characters in a line, 10⁶ rows, 10³ columns, 2²⁴ cells.
 */
export function parseTwoDa(text: string, { file }: TwoDaOptions = {}): TwoDa {
  const issues = new IssueList({ code: "twoda.limit" });
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const nothing = { columnLine: 0, columns: [], rows: [], complete: false };
  const refusal = refuseWhole(body, file);
  if (refusal !== undefined) return { ...nothing, issues: [refusal] };

  const source: Source = { file, issues, next: lineReader(body) };
  const head = readHead(source);
  if (head === undefined) return { ...nothing, issues: issues.list() };
  const columns = readColumns(source, head.columnLine);
  if (columns === undefined) return { ...nothing, issues: issues.list() };
  const { rows, complete } = readRows(source, columns.length);
  const read = { columnLine: head.columnLine.number, columns, rows, issues: issues.list(), complete };
  return head.default === undefined ? read : { default: head.default, ...read };
}

/** Returns the index of the column with a name, ignoring case; −1 if there is no such column. */
export function columnIndex(twoDa: TwoDa, name: string): number {
  const wanted = name.toLowerCase();
  return twoDa.columns.findIndex((column) => column.name.toLowerCase() === wanted);
}

/**
 * Returns the cell in a row (from 0) and the column with a name: its text, or null for `****`. If the row or the column
 * is missing, returns the DEFAULT, or undefined if there is no DEFAULT.
 */
export function lookUp(twoDa: TwoDa, row: number, name: string): string | null | undefined {
  const index = columnIndex(twoDa, name);
  if (index < 0 || !Object.hasOwn(twoDa.rows, row)) return twoDa.default?.text;
  return twoDa.rows[row].texts[index] ?? null;
}

function refuseWhole(body: string, file: string | undefined): Issue | undefined {
  if (body.length > MAX_TEXT) {
    return error("twoda.limit", {
      problem: "the text is too long",
      got: body.length,
      expected: `at most ${MAX_TEXT} characters`,
      remedy: "Split the table into several files",
      where: { file, line: 1, column: 1 },
    });
  }
  const nul = body.indexOf("\0");
  if (nul < 0) return undefined;
  const before = body.slice(0, nul);
  const lineStart = before.lastIndexOf("\n") + 1;
  return error("twoda.cells", {
    problem: "the text contains a NUL character",
    expected: "plain text in UTF-8 or ASCII",
    remedy: "Save the file as UTF-8. UTF-16 text and binary files contain NUL characters",
    where: { file, line: before.split("\n").length, column: [...before.slice(lineStart)].length + 1 },
  });
}

function readRows(source: Source, width: number): { rows: TwoDaRow[]; complete: boolean } {
  const rows: TwoDaRow[] = [];
  const blank: number[] = [];
  let cellCount = 0;
  for (let line = source.next(); line !== undefined; line = source.next()) {
    // a blank line is an empty row only if another row follows it
    if (isBlank(line.text)) {
      if (rows.length + blank.length < MAX_ROWS) blank.push(line.number);
      continue;
    }
    for (const number of blank) rows.push({ line: number, printedNumber: null, texts: [], columns: [] });
    blank.length = 0;
    const where = { file: source.file, line: line.number, column: 1 };
    if (rows.length >= MAX_ROWS) {
      source.issues.add(error("twoda.limit", { problem: "too many rows", expected: `at most ${MAX_ROWS}`, where }));
      return { rows, complete: false };
    }
    const cells = cellsOf(source, line);
    if (cells === undefined) return { rows, complete: false };
    cellCount += Math.min(cells.texts.length, width + 1);
    if (cellCount > MAX_CELLS) {
      source.issues.add(error("twoda.limit", { problem: "too many cells", expected: `at most ${MAX_CELLS}`, where }));
      return { rows, complete: false };
    }
    rows.push(rowOf(source, { cells, line: line.number, number: rows.length, width }));
  }
  return { rows, complete: true };
}

interface RawRow {
  readonly cells: Cells;
  readonly line: number;
  /** Number of the row: its index. */
  readonly number: number;
  /** Number of columns, not counting the printed row number. */
  readonly width: number;
}

function rowOf(source: Source, { cells, line, number, width }: RawRow): TwoDaRow {
  const printed = cells.texts[0];
  if (printed === null || !/^\d+$/.test(printed) || Number(printed) !== number) {
    const where = { file: source.file, line, column: cells.columns[0] };
    const problem = `row ${number} starts with another number`;
    const remedy = "The number of a row is its position from 0; the number in the file has no effect";
    source.issues.add(warning("twoda.row-number", { problem, got: printed ?? "****", remedy, where }));
  }
  const count = cells.texts.length - 1;
  if (count > width) {
    const where = { file: source.file, line, column: cells.columns[width + 1] };
    const problem = `row ${number} has more cells than columns; the additional cells are ignored`;
    source.issues.add(warning("twoda.cells", { problem, got: count, expected: `at most ${width} cells`, where }));
  }
  const end = Math.min(count, width) + 1;
  return { line, printedNumber: printed, texts: cells.texts.slice(1, end), columns: cells.columns.slice(1, end) };
}
