import { error, type Issue, IssueList, readFields, type Where, warning } from "../errors/index.js";
import { checkText, readList, readOptions } from "../spec/index.js";
import { isBlank, isSeparator, type Line, lineReader, trimBlanks, wordStart } from "./lines.js";

/** In UTF-16 units. */
export const MAX_TEXT = 64 * 2 ** 20;
export const MAX_LINE = 2 ** 20;
export const MAX_COLUMNS = 1_000;
export const MAX_ROWS = 1_000_000;
/** Only a file with very short cells reaches this limit before the others. */
export const MAX_CELLS = 2 ** 24;

/**
 * A text and its place in the file. `line` and `column` start at 1. A column counts code points. A byte order mark does
 * not count.
 */
export interface TwoDaText {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** A column of a 2DA file. {@link columnIndex} finds a column by its name. */
export interface TwoDaColumn {
  /** The name, in the same upper and lower case as in the file. */
  readonly name: string;
  /** Column at which the name begins in its line, in characters from 1. */
  readonly column: number;
}

/** One row. The number of a row is its index in {@link TwoDa.rows}. */
export interface TwoDaRow {
  /** Number of the row's line in the file, from 1. */
  readonly line: number;
  /** The first cell of the line. It is meant as a row number, but has no effect. Null for `****` or a blank line. */
  readonly printedNumber: string | null;
  /**
   * The text of each cell, in the order of columns. Null for `****`. The array is shorter if the line has too few
   * cells.
   */
  readonly texts: readonly (string | null)[];
  /** For each cell of `texts`, the column at which it begins in its line, in characters from 1. */
  readonly columns: readonly number[];
}

/** The content of a 2DA file. */
export interface TwoDa {
  /**
   * The text of the DEFAULT line. It is the value of a cell in a missing row or column. Absent if the file has no
   * DEFAULT text.
   */
  readonly default?: TwoDaText;
  /** Number of the line with the column names, from 1. 0 if there is no such line. */
  readonly columnLine: number;
  readonly columns: readonly TwoDaColumn[];
  readonly rows: readonly TwoDaRow[];
  /** Errors and warnings, in the order of the file. Each has a line and a column. */
  readonly issues: readonly Issue[];
  /** Whether the whole file was read. Reading stops early if the file has no column names, or exceeds a limit. */
  readonly complete: boolean;
}

/** Options of {@link parseTwoDa}. */
export interface TwoDaOptions {
  /** The name of the file, for messages. */
  readonly file?: string | undefined;
}

/**
 * Reads a 2DA V2.0 text. The two header lines may be missing: then the first line has the column names. Does not throw
 * for a malformed text, or for a value that is not a text. Instead, `issues` of the result lists the errors. A cell is
 * quoted only if it begins with a quote. A quoted `"****"` is text, not an empty cell.
 *
 * Cost: one pass, O(characters). Limits: 64 Mi characters, 1 Mi characters in a line, 10⁶ rows, 10³ columns, 2²⁴ cells.
 *
 * @throws RollmillError `argument.option`, `argument.type` for invalid options.
 */
export function parseTwoDa(text: string, options: TwoDaOptions = {}): TwoDa {
  const { file } = readOptions("parseTwoDa", options, ["file"]);
  if (typeof text !== "string") return { ...NOTHING, issues: [notText(text, file)] };
  const issues = new IssueList({ code: "twoda.limit" });
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const refusal = refuseWhole(body, file);
  if (refusal !== undefined) return { ...NOTHING, issues: [refusal] };

  const source: Source = { file, issues, next: lineReader(body) };
  const head = readHead(source);
  if (head === undefined) return { ...NOTHING, issues: issues.list() };
  const columns = readColumns(source, head.columnLine);
  if (columns === undefined) return { ...NOTHING, issues: issues.list() };
  const { rows, complete } = readRows(source, columns.length);
  const read = { columnLine: head.columnLine.number, columns, rows, issues: issues.list(), complete };
  return head.default === undefined ? read : { default: head.default, ...read };
}

/**
 * Returns the index of the column with this name, or −1 if no column has the name. Upper and lower case do not matter.
 *
 * @throws RollmillError `argument.type` if `twoDa` is not the content of a 2DA file, or `name` is not a text.
 */
export function columnIndex(twoDa: TwoDa, name: string): number {
  checkText("name", name);
  const wanted = name.toLowerCase();
  const { columns } = readFields("the 2DA file", twoDa, ["columns"]);
  const names = readList("columns", columns, { of: "columns", most: MAX_COLUMNS }).map((column, i) => {
    return readFields(`column ${i}`, column as TwoDaColumn, ["name"]).name;
  });
  for (const [i, own] of names.entries()) checkText(`columns[${i}].name`, own);
  return names.findIndex((own) => own.toLowerCase() === wanted);
}

const NOTHING = { columnLine: 0, columns: [], rows: [], complete: false } as const;

function notText(got: unknown, file: string | undefined): Issue {
  const problem = "a 2DA file must be text";
  return error("argument.type", { problem, got, expected: "a string", where: { file } });
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
      source.issues.add(
        error("twoda.limit", { problem: "too many rows", expected: `at most ${MAX_ROWS} rows`, where }),
      );
      return { rows, complete: false };
    }
    const cells = cellsOf(source, line);
    if (cells === undefined) return { rows, complete: false };
    cellCount += Math.min(cells.texts.length, width + 1);
    if (cellCount > MAX_CELLS) {
      source.issues.add(
        error("twoda.limit", { problem: "too many cells", expected: `at most ${MAX_CELLS} cells`, where }),
      );
      return { rows, complete: false };
    }
    rows.push(rowOf(source, { cells, line: line.number, number: rows.length, width }));
  }
  return { rows, complete: true };
}

interface RawRow {
  readonly cells: Cells;
  readonly line: number;
  readonly number: number;
  readonly width: number;
}

function rowOf(source: Source, { cells, line, number, width }: RawRow): TwoDaRow {
  const printed = cells.texts[0];
  if (printed === null || !/^\d+$/.test(printed) || Number(printed) !== number) {
    const where = { file: source.file, line, column: cells.columns[0] };
    const problem = `row ${number} has a different number in the file`;
    const remedy = "Number the rows from 0, or ignore this: the numbers in the file have no effect";
    source.issues.add(warning("twoda.row-number", { problem, got: printed ?? "****", remedy, where }));
  }
  const count = cells.texts.length - 1;
  if (count > width) {
    const where = { file: source.file, line, column: cells.columns[width + 1] };
    const problem = `row ${number} has too many cells, and the additional cells are ignored`;
    source.issues.add(warning("twoda.cells", { problem, got: count, expected: `at most ${width} cells`, where }));
  }
  const end = Math.min(count, width) + 1;
  return { line, printedNumber: printed, texts: cells.texts.slice(1, end), columns: cells.columns.slice(1, end) };
}

// ── the lines before the rows ──

interface Source {
  readonly file: string | undefined;
  readonly issues: IssueList;
  readonly next: () => Line | undefined;
}

interface Head {
  readonly default?: TwoDaText;
  readonly columnLine: Line;
}

function readHead(source: Source): Head | undefined {
  const first = nextFilled(source);
  const title = first === undefined ? "" : trimBlanks(first.text);
  if (first === undefined || title !== "2DA V2.0") {
    if (first !== undefined && isColumnLine(first)) return { columnLine: first };
    source.issues.add(headerIssue(title, { file: source.file, ...startOf(first) }));
    return undefined;
  }
  if (first.number > 1) {
    const where = { file: source.file, ...startOf(first) };
    source.issues.add(
      warning("twoda.header", { problem: `the header is on line ${first.number}, not on line 1`, where }),
    );
  }
  let line = nextFilled(source);
  const fallback = line === undefined ? undefined : defaultOf(source, line);
  if (fallback !== undefined) line = nextFilled(source);
  else if (line?.number === first.number + 1) {
    const where = { file: source.file, ...startOf(line) };
    const problem = "no line separates the header from the column names";
    source.issues.add(warning("twoda.header", { problem, expected: 'a blank line or a "DEFAULT:" line', where }));
  }
  if (line === undefined) {
    const where = { file: source.file, ...startOf(first) };
    const remedy = "Add the line of column names";
    source.issues.add(error("twoda.columns", { problem: "the file ends before its column names", remedy, where }));
    return undefined;
  }
  return fallback?.text === undefined ? { columnLine: line } : { default: fallback.text, columnLine: line };
}

function headerIssue(title: string, where: Where): Issue {
  const isPath = /^\S+\.(?:2da|csv|tsv|json)$/i.test(title);
  const remedy = isPath
    ? "This is the name of a file: read the file first, or open it with loadTable"
    : "Add the header, or begin the text with its line of column names";
  return error("twoda.header", {
    problem: "the text does not begin with the header of a 2DA file",
    got: title,
    expected: '"2DA V2.0"',
    remedy,
    where,
  });
}

const NAME = /^[A-Za-z0-9_]+$/;

function isColumnLine(line: Line): boolean {
  if (line.text.length > MAX_LINE) return false;
  const { texts } = splitCells(line.text);
  return texts[0]?.toUpperCase() !== "2DA" && texts.every((name) => name !== null && NAME.test(name));
}

/** Returns undefined for any other line. `text` is undefined if nothing but `****` follows the colon. */
function defaultOf(source: Source, line: Line): { text: TwoDaText | undefined } | undefined {
  const keyword = "DEFAULT:";
  if (!trimBlanks(line.text).startsWith(keyword)) return undefined;
  const offset = line.text.indexOf(keyword) + keyword.length;
  const rest = line.text.slice(offset);
  const cells = cellsOf(source, { text: " ".repeat(offset) + rest, number: line.number });
  if (cells === undefined || cells.texts.every((text) => text === null)) return { text: undefined };
  const text = cells.texts.length === 1 ? (cells.texts[0] ?? "") : trimBlanks(rest);
  return { text: { text, line: line.number, column: cells.columns[0] } };
}

function readColumns(source: Source, line: Line): TwoDaColumn[] | undefined {
  const cells = cellsOf(source, line);
  if (cells === undefined) return undefined;
  if (cells.texts.length > MAX_COLUMNS) {
    const where = { file: source.file, line: line.number, column: cells.columns[MAX_COLUMNS] };
    const expected = `at most ${MAX_COLUMNS} columns`;
    source.issues.add(error("twoda.limit", { problem: "too many columns", got: cells.texts.length, expected, where }));
    return undefined;
  }
  const places = new Map<string, number>();
  return cells.texts.map((text, i) => {
    const where = { file: source.file, line: line.number, column: cells.columns[i] };
    const name = text ?? "****";
    const earlier = places.get(name.toLowerCase());
    if (!NAME.test(name)) {
      const expected = "letters, digits and underscores";
      const flawAt = name.search(/[^A-Za-z0-9_]/);
      source.issues.add(error("twoda.columns", { problem: "invalid column name", got: name, flawAt, expected, where }));
    } else if (earlier !== undefined) {
      const problem = `two columns have the name ${name} (the first one begins at character ${earlier})`;
      const remedy = 'Rename one of the two columns. Names ignore case, so "a" and "A" are the same name';
      source.issues.add(error("twoda.columns", { problem, remedy, where }));
    } else places.set(name.toLowerCase(), cells.columns[i]);
    return { name, column: cells.columns[i] };
  });
}

/** Reports unmatched quotes. Returns undefined for a line that is too long. */
function cellsOf(source: Source, line: Line): Cells | undefined {
  if (line.text.length > MAX_LINE) {
    const where = { file: source.file, line: line.number, column: 1 };
    const expected = `at most ${MAX_LINE} characters`;
    source.issues.add(error("twoda.limit", { problem: "a line is too long", got: line.text.length, expected, where }));
    return undefined;
  }
  const cells = splitCells(line.text);
  for (const { column, problem } of cells.flaws) {
    source.issues.add(warning("twoda.quote", { problem, where: { file: source.file, line: line.number, column } }));
  }
  return cells;
}

function nextFilled(source: Source): Line | undefined {
  let line = source.next();
  while (line !== undefined && isBlank(line.text)) line = source.next();
  return line;
}

function startOf(line: Line | undefined): { line: number; column: number } {
  return line === undefined
    ? { line: 1, column: 1 }
    : { line: line.number, column: 1 + Math.max(0, line.text.search(/[^ \t]/)) };
}

// ── cells ──

/** Null stands for `****`. Columns count characters from 1. */
interface Cells {
  readonly texts: (string | null)[];
  readonly columns: number[];
  readonly flaws: readonly { readonly column: number; readonly problem: string }[];
}

const QUOTE = 34;

/** A cell that begins with a quote extends to the next quote. */
function splitCells(line: string): Cells {
  const texts: (string | null)[] = [];
  const flaws: { column: number; problem: string }[] = [];
  const starts: number[] = [];
  const flawAt = (offset: number, problem: string) => flaws.push({ column: offset, problem });
  for (let start = wordStart(line, 0); start < line.length; ) {
    starts.push(start);
    let end: number;
    if (line.charCodeAt(start) === QUOTE) {
      const close = line.indexOf('"', start + 1);
      if (close < 0) flawAt(start, "a quote is not closed, so the cell extends to the end of the line");
      end = close < 0 ? line.length : close + 1;
      texts.push(line.slice(start + 1, close < 0 ? line.length : close));
      if (end < line.length && !isSeparator(line.charCodeAt(end))) {
        flawAt(end, "text directly follows a closing quote, so it becomes a separate cell");
      }
    } else {
      end = wordEnd(line, start);
      const word = line.slice(start, end);
      texts.push(word === "****" ? null : word);
    }
    start = wordStart(line, end);
  }
  const columns = inCharacters(line, starts);
  const flawColumns = inCharacters(
    line,
    flaws.map((flaw) => flaw.column),
  );
  return { texts, columns, flaws: flaws.map(({ problem }, i) => ({ problem, column: flawColumns[i] })) };
}

function wordEnd(line: string, from: number): number {
  let offset = from;
  while (offset < line.length && !isSeparator(line.charCodeAt(offset))) offset++;
  return offset;
}

/** Converts ascending offsets in UTF-16 units to columns in characters. A surrogate pair is one character. */
function inCharacters(line: string, offsets: readonly number[]): number[] {
  if (!/[\ud800-\udbff]/.test(line)) return offsets.map((offset) => offset + 1);
  let counted = 0;
  let column = 1;
  return offsets.map((offset) => {
    for (const _ of line.slice(counted, offset)) column++;
    counted = offset;
    return column;
  });
}
