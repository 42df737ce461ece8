import type { IssueList } from "../errors/index.js";
import { error, type Issue, type Where, warning } from "../errors/index.js";
import { type Cells, isBlank, type Line, MAX_LINE, splitCells, trimBlanks } from "./twodaLines.js";

/** Maximum number of columns, not counting the row numbers. */
export const MAX_COLUMNS = 1_000;

/** A text and its place. Lines and columns start at 1; columns count code points, without a byte order mark. */
export interface TwoDaText {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** A column, with its name as spelled in the file. {@link columnIndex} finds a column by name. */
export interface TwoDaColumn {
  readonly name: string;
  /** Position in the line at which the name begins, in characters from 1. */
  readonly column: number;
}

/** The text to read, and the list of its issues. */
export interface Source {
  readonly file: string | undefined;
  readonly issues: IssueList;
  /** Reads the next line; undefined at the end. */
  readonly next: () => Line | undefined;
}

/** The result of reading the lines before the rows. */
export interface Head {
  readonly default?: TwoDaText;
  readonly columnLine: Line;
}

/** Reads the lines before the rows: header, DEFAULT, blank lines and column names. */
export function readHead(source: Source): Head | undefined {
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
    const problem = "the column names directly follow the header";
    source.issues.add(warning("twoda.header", { problem, expected: "a blank or DEFAULT: line between them", where }));
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
  const remedy = "Add the header, or begin the text with its line of column names";
  return error("twoda.header", {
    problem: "the text is not a 2DA file",
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

/** Returns the text of a DEFAULT line (undefined if it is blank or `****`); undefined for any other line. */
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

/** Reads the names of the columns. If a limit is exceeded, reports an issue and returns undefined. */
export function readColumns(source: Source, line: Line): TwoDaColumn[] | undefined {
  const cells = cellsOf(source, line);
  if (cells === undefined) return undefined;
  if (cells.texts.length > MAX_COLUMNS) {
    const where = { file: source.file, line: line.number, column: cells.columns[MAX_COLUMNS] };
    const expected = `at most ${MAX_COLUMNS}`;
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
      source.issues.add(error("twoda.columns", { problem: "invalid name of a column", got: name, expected, where }));
    } else if (earlier !== undefined) {
      const problem = `column ${earlier} also has the name ${name}`;
      const remedy = "Rename one of them; upper and lower case are equal";
      source.issues.add(error("twoda.columns", { problem, remedy, where }));
    } else places.set(name.toLowerCase(), cells.columns[i]);
    return { name, column: cells.columns[i] };
  });
}

/**
 * Splits a line into cells and reports unmatched quotes. For a line that is too long, reports an issue and returns
 * undefined.
 */
export function cellsOf(source: Source, line: Line): Cells | undefined {
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

/** Reads the next line that is not blank; undefined at the end. */
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
