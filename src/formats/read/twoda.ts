import { type Code, error, type Finding, type Issue, IssueList, reading, warning } from "../../errors/index.js";
import { checkText, readOptions } from "../../spec/index.js";
import { isBlank, isSeparator, type Line, lineReader, trimBlanks, wordStart } from "./lines.js";

/** Maximum length of a text in UTF-16 units. */
export const MAX_TEXT = 64 * 2 ** 20;
export const MAX_LINE = 2 ** 20;
export const MAX_COLUMNS = 1_000;
export const MAX_ROWS = 1_000_000;
/** Maximum number of cells. Only a file with very short cells reaches this limit before the other limits. */
export const MAX_CELLS = 2 ** 24;

/** A text and its place in the file. Lines and columns count from 1; columns count code points, without a BOM. */
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
  /** The first cell of the line: a row number, which has no effect. Null for `****` or a blank line. */
  readonly printedNumber: string | null;
  /** The texts of the cells. Null for `****`. The array is shorter if the line has too few cells. */
  readonly texts: readonly (string | null)[];
  /** For each cell of `texts`, the column at which it begins in its line, in characters from 1. */
  readonly columns: readonly number[];
}

/** The content of a 2DA file. */
export interface TwoDa {
  /** The value of a cell in a missing row or column, if the file has a DEFAULT text. */
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
 * Reads a 2DA V2.0 text. The two header lines may be missing: then the first line has the column names. Never throws
 * for an invalid text: `issues` of the result lists the errors, even if `text` is not a string. A cell is quoted only
 * if it begins with a quote. A quoted `"****"` is text, not an empty cell.
 *
 * Cost: one pass, O(characters). Limits: 64 Mi characters, 1 Mi characters in a line, 10⁶ rows, 10³ columns, 2²⁴ cells.
 *
 * @throws RollmillError `argument.option`, `argument.type` for invalid options.
 */
export function parseTwoDa(text: string, options: TwoDaOptions = {}): TwoDa {
  const { file } = readOptions("parseTwoDa", options, ["file"]);
  if (typeof text === "string") return new TwoDaReader(text.replace(/^\ufeff/, ""), file).read();
  const finding = { problem: "a 2DA file must be text", got: text, expected: "a string", where: { file } };
  return { ...NOTHING, issues: [error("argument.type", finding)] };
}

/**
 * Returns the index of the column with this name, or −1 if no column has the name. Upper and lower case do not matter.
 *
 * @throws RollmillError `argument.type` if `twoDa` is not the content of a 2DA file, or `name` is not a text.
 */
export function columnIndex(twoDa: TwoDa, name: string): number {
  checkText("name", name);
  const wanted = name.toLowerCase();
  return reading("the 2DA file", () => twoDa.columns.findIndex((column) => column.name.toLowerCase() === wanted));
}

const NOTHING = { columnLine: 0, columns: [], rows: [], complete: false } as const;
const NAME = /^[A-Za-z0-9_]+$/;

type Place = Pick<TwoDaText, "line" | "column">;

const START: Place = { line: 1, column: 1 };

class TwoDaReader {
  readonly #text: string;
  readonly #file: string | undefined;
  readonly #issues = new IssueList({ code: "twoda.limit" });
  readonly #next: () => Line | undefined;

  constructor(text: string, file: string | undefined) {
    this.#text = text;
    this.#file = file;
    this.#next = lineReader(text);
  }

  read(): TwoDa {
    const head = this.#isText() ? this.#readHead() : undefined;
    const columns = head && this.#readColumns(head.columnLine);
    if (head === undefined || columns === undefined) return { ...NOTHING, issues: this.#issues.list() };
    const { rows, complete } = this.#readRows(columns.length);
    const read = { columnLine: head.columnLine.number, columns, rows, issues: this.#issues.list(), complete };
    return head.default === undefined ? read : { default: head.default, ...read };
  }

  #fail(code: Code, place: Place, finding: Finding): undefined {
    this.#issues.add(error(code, { ...finding, where: { file: this.#file, ...place } }));
    return undefined;
  }

  #warn(code: Code, place: Place, finding: Finding): void {
    this.#issues.add(warning(code, { ...finding, where: { file: this.#file, ...place } }));
  }

  #isText(): boolean {
    const { length } = this.#text;
    if (length > MAX_TEXT) {
      const [problem, remedy] = ["the text is too long", "Split the table into several files"];
      this.#fail("twoda.limit", START, { problem, got: length, expected: `at most ${MAX_TEXT} characters`, remedy });
      return false;
    }
    const nul = this.#text.indexOf("\0");
    if (nul < 0) return true;
    const lines = this.#text.slice(0, nul).split("\n");
    const [problem, expected] = ["the text contains a NUL character", "plain text in UTF-8 or ASCII"];
    const remedy = "Save the file as UTF-8. UTF-16 text and binary files contain NUL characters";
    const place = { line: lines.length, column: [...lines[lines.length - 1]].length + 1 };
    this.#fail("twoda.cells", place, { problem, expected, remedy });
    return false;
  }

  #readHead(): { readonly columnLine: Line; readonly default?: TwoDaText } | undefined {
    const first = this.#nextFilled();
    const title = first === undefined ? "" : trimBlanks(first.text);
    if (first === undefined || title !== "2DA V2.0") {
      if (first !== undefined && isColumnLine(first)) return { columnLine: first };
      const remedy = /^\S+\.(?:2da|csv|tsv|json)$/i.test(title)
        ? "This is the name of a file: read the file first, or open it with loadTable"
        : "Write this header, or begin the text with the line of column names";
      const problem = "the text does not begin with the header of 2DA version 2.0";
      return this.#fail("twoda.header", startOf(first), { problem, got: title, expected: '"2DA V2.0"', remedy });
    }
    if (first.number > 1) {
      const problem = `the header is on line ${first.number}, not on line 1`;
      this.#warn("twoda.header", startOf(first), { problem });
    }
    let line = this.#nextFilled();
    const fallback = line && this.#defaultOf(line);
    if (fallback !== undefined) line = this.#nextFilled();
    else if (line?.number === first.number + 1) {
      const problem = "no line separates the header from the column names";
      this.#warn("twoda.header", startOf(line), { problem, expected: 'a blank line or a "DEFAULT:" line' });
    }
    if (line === undefined) {
      const finding = { problem: "the file ends before its column names", remedy: "Add the line of column names" };
      return this.#fail("twoda.columns", startOf(first), finding);
    }
    return fallback?.text === undefined ? { columnLine: line } : { default: fallback.text, columnLine: line };
  }

  /** Reads a `DEFAULT:` line, else returns undefined. `text` is undefined if nothing or `****` follows the colon. */
  #defaultOf(line: Line): { readonly text: TwoDaText | undefined } | undefined {
    const keyword = "DEFAULT:";
    if (!trimBlanks(line.text).startsWith(keyword)) return undefined;
    const offset = line.text.indexOf(keyword) + keyword.length;
    const rest = line.text.slice(offset);
    const cells = this.#cellsOf({ text: " ".repeat(offset) + rest, number: line.number });
    if (cells === undefined || cells.texts.every((text) => text === null)) return { text: undefined };
    const text = cells.texts.length === 1 ? (cells.texts[0] ?? "") : trimBlanks(rest);
    return { text: { text, line: line.number, column: cells.columns[0] } };
  }

  #readColumns(line: Line): TwoDaColumn[] | undefined {
    const cells = this.#cellsOf(line);
    if (cells === undefined) return undefined;
    const { texts, columns } = cells;
    const placeOf = (i: number) => ({ line: line.number, column: columns[i] });
    if (texts.length > MAX_COLUMNS) {
      const finding = { problem: "too many columns", got: texts.length, expected: `at most ${MAX_COLUMNS} columns` };
      return this.#fail("twoda.limit", placeOf(MAX_COLUMNS), finding);
    }
    const places = new Map<string, number>();
    return texts.map((text, i) => {
      const name = text ?? "****";
      const earlier = places.get(name.toLowerCase());
      if (!NAME.test(name)) {
        const [expected, flawAt] = ["letters, digits and underscores", name.search(/[^A-Za-z0-9_]/)];
        this.#fail("twoda.columns", placeOf(i), { problem: "invalid column name", got: name, flawAt, expected });
      } else if (earlier !== undefined) {
        const problem = `two columns have the name ${name} (the first one begins at character ${earlier})`;
        const remedy = 'Rename one of the two columns. Names ignore case, so "a" and "A" are the same name';
        this.#fail("twoda.columns", placeOf(i), { problem, remedy });
      } else places.set(name.toLowerCase(), columns[i]);
      return { name, column: columns[i] };
    });
  }

  #nextFilled(): Line | undefined {
    let line = this.#next();
    while (line !== undefined && isBlank(line.text)) line = this.#next();
    return line;
  }

  #readRows(width: number): { rows: TwoDaRow[]; complete: boolean } {
    const rows: TwoDaRow[] = [];
    const blank: number[] = [];
    let cellCount = 0;
    for (let line = this.#next(); line !== undefined; line = this.#next()) {
      // a blank line is an empty row only if another row follows it
      if (isBlank(line.text)) {
        if (rows.length + blank.length < MAX_ROWS) blank.push(line.number);
        continue;
      }
      for (const number of blank) rows.push({ line: number, printedNumber: null, texts: [], columns: [] });
      blank.length = 0;
      const cells = rows.length < MAX_ROWS ? this.#cellsOf(line) : this.#refuseMany(line, "rows", MAX_ROWS);
      if (cells === undefined) return { rows, complete: false };
      cellCount += Math.min(cells.texts.length, width + 1);
      if (cellCount > MAX_CELLS) {
        this.#refuseMany(line, "cells", MAX_CELLS);
        return { rows, complete: false };
      }
      rows.push(this.#rowOf(cells, line.number, rows.length, width));
    }
    return { rows, complete: true };
  }

  #refuseMany({ number }: Line, what: string, most: number): undefined {
    const place = { line: number, column: 1 };
    return this.#fail("twoda.limit", place, { problem: `too many ${what}`, expected: `at most ${most} ${what}` });
  }

  #rowOf(cells: Cells, line: number, number: number, width: number): TwoDaRow {
    const printed = cells.texts[0];
    if (printed === null || !/^\d+$/.test(printed) || Number(printed) !== number) {
      const problem = `row ${number} has a different number in the file`;
      const remedy = "Number the rows from 0, or ignore this: the numbers in the file have no effect";
      this.#warn("twoda.row-number", { line, column: cells.columns[0] }, { problem, got: printed ?? "****", remedy });
    }
    const count = cells.texts.length - 1;
    if (count > width) {
      const problem = `row ${number} has too many cells, and the additional cells are ignored`;
      const place = { line, column: cells.columns[width + 1] };
      this.#warn("twoda.cells", place, { problem, got: count, expected: `at most ${width} cells` });
    }
    const end = Math.min(count, width) + 1;
    return { line, printedNumber: printed, texts: cells.texts.slice(1, end), columns: cells.columns.slice(1, end) };
  }

  /** Splits a line into cells, and reports unmatched quotes. Returns undefined for a line that is too long. */
  #cellsOf({ text, number }: Line): Cells | undefined {
    if (text.length > MAX_LINE) {
      const finding = { problem: "a line is too long", got: text.length, expected: `at most ${MAX_LINE} characters` };
      return this.#fail("twoda.limit", { line: number, column: 1 }, finding);
    }
    const cells = splitCells(text);
    for (const { column, problem } of cells.flaws) this.#warn("twoda.quote", { line: number, column }, { problem });
    return cells;
  }
}

function isColumnLine(line: Line): boolean {
  if (line.text.length > MAX_LINE) return false;
  const { texts } = splitCells(line.text);
  return texts[0]?.toUpperCase() !== "2DA" && texts.every((name) => name !== null && NAME.test(name));
}

function startOf(line: Line | undefined): Place {
  if (line === undefined) return START;
  return { line: line.number, column: 1 + Math.max(0, line.text.search(/[^ \t]/)) };
}

/** The cells of a line. A null text stands for `****`. Columns count characters from 1. */
interface Cells {
  readonly texts: (string | null)[];
  readonly columns: number[];
  readonly flaws: readonly { readonly column: number; readonly problem: string }[];
}

const QUOTE = 34;

/** Splits a line into cells. A cell that begins with a quote extends to the next quote. */
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
      end = start;
      while (end < line.length && !isSeparator(line.charCodeAt(end))) end++;
      const word = line.slice(start, end);
      texts.push(word === "****" ? null : word);
    }
    start = wordStart(line, end);
  }
  const flawStarts = flaws.map(({ column }) => column);
  const flawColumns = inCharacters(line, flawStarts);
  const placed = flaws.map(({ problem }, i) => ({ problem, column: flawColumns[i] }));
  return { texts, columns: inCharacters(line, starts), flaws: placed };
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
