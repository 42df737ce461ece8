import { error, type Finding, fail, type Issue, IssueList, nearest } from "../errors/index.js";
import {
  type CsvOptions,
  CsvPlaces,
  type CsvRecord,
  csvField,
  fromSafeText,
  parseCsv,
  safeText,
} from "../formats/read/csv.js";
import { checkFlag, checkText, readList, readOptions, refuseArgument } from "../spec/index.js";
import { MAX_ROWS } from "./parse/tables.js";
import type { WordInput } from "./types.js";
import { ownCell, readCell } from "./wordCells.js";

/** The result of {@link parseWordCsv}. */
export interface WordCsv {
  /** The rows without errors, in the order of the text. */
  readonly rows: readonly WordInput[];
  /** Whether the text was read to its end. Reading stops at unmatched quotes, at a limit, or after 100 errors. */
  readonly isWhole: boolean;
  /** At most 100 errors. Lines and columns start at 1; columns count UTF-16 units. */
  readonly issues: readonly Issue[];
}

/** Options of {@link parseWordCsv}. */
export interface WordCsvOptions {
  /** The file that the text came from. Messages name it. */
  readonly file?: string | undefined;
}

const MAX_ISSUES = 100;
/** Maximum length of a text in UTF-16 units: enough for every file of 64 MiB. */
const MAX_LENGTH = 2 ** 26;
const MOST_COLUMNS = 1000;
const REQUIRED = ["id", "word"];
const BOM = "\uFEFF";

/**
 * Reads a word table from CSV (RFC 4180): a header, then one word on each line. The columns `id` and `word` are
 * required. These columns are optional:
 * - `active`: 0, 1, true or false. Default true.
 * - `status`: accepted, proposed, rejected or empty.
 * - `tier`: an integer 0 … 255.
 * - `proposer` and `proposed`: texts.
 *
 * Every other column has decimal numbers. It is a stat or the weight column. An empty cell is 0 for a stat, and 1 for a
 * weight.
 *
 * Accepts a byte order mark, CRLF and blank lines. Trims every cell except the word. {@link toWordCsv} puts an
 * apostrophe before texts that a spreadsheet would run as formulas. This function removes the apostrophe.
 *
 * Cost: O(length).
 *
 * All issues have the code `recipe.tables`:
 * - A text of more than 2²⁶ characters, a row of more than 65,536 cells, or more than 1,000,000 rows.
 * - No header. A column that is missing, has no name or occurs twice.
 * - A row with more or fewer cells than the header. A cell of the wrong type for its column.
 * - Unmatched quotes.
 *
 * Checks each row separately. {@link parseTables} then checks that ids and words are unique, and that the recipe has
 * the stats.
 */
export function parseWordCsv(text: string, options: WordCsvOptions = {}): WordCsv {
  const { file } = readOptions("parseWordCsv", options, ["file"]);
  checkText("text", text);
  const { rows, isWhole, issues } = readWordCsv(text, { file });
  return { rows, isWhole, issues };
}

/** A word table in CSV, and the position of each row. Offsets count UTF-16 units from the start of `body`. */
export interface ReadWordCsv extends WordCsv {
  /** The text without its byte order mark. */
  readonly body: string;
  readonly header: CsvRecord | undefined;
  readonly columns: readonly string[];
  readonly records: readonly ReadRecord[];
}

export interface ReadRecord extends Pick<CsvRecord, "offset" | "end"> {
  /** The row, if the record has no error. */
  readonly row: WordInput | undefined;
  readonly cells: readonly string[];
  readonly issues: readonly Issue[];
}

/** Reads a word table as {@link parseWordCsv} does. Also returns the place of each row. */
export function readWordCsv(text: string, { file }: WordCsvOptions): ReadWordCsv {
  const body = text.startsWith(BOM) ? text.slice(1) : text;
  const reader = new WordReader(body, file);
  if (body.length > MAX_LENGTH) {
    reader.report(0, {
      problem: "the text is too long",
      got: body.length,
      expected: `at most ${MAX_LENGTH} characters`,
    });
    return reader.result({ isWhole: false });
  }
  const flaw = parseCsv(body, (record) => reader.read(record));
  if (flaw !== undefined) {
    const { offset, ...finding } = flaw;
    reader.report(offset, finding);
  } else if (!reader.hasHeader) {
    reader.report(0, {
      problem: "the table has no header",
      expected: "a first line with names of columns, such as id,word,active",
    });
  }
  return reader.result({ isWhole: flaw === undefined });
}

/**
 * Writes a word table as CSV. {@link parseWordCsv} reads the same rows from this CSV. The first columns are id, word
 * and active. The columns status, tier, proposer and proposed follow, if any row has them. Then come the stats, in
 * order of first appearance. A missing stat is an empty cell.
 *
 * Puts an apostrophe before a text that a spreadsheet would run as a formula. With `rawCells`, puts one only before a
 * text that already begins with an apostrophe, if the reader would otherwise remove the text's own apostrophe.
 *
 * @throws RollmillError `argument.type` for rows or cells of a wrong type; `argument.range` for too many rows or
 * columns, for a key that is empty or has white space at its ends, and for a CSV that is longer than
 * {@link parseWordCsv} reads; `argument.option`.
 */
export function toWordCsv(given: readonly WordInput[], options: CsvOptions = {}): string {
  const { rawCells = false } = readOptions("toWordCsv", options, ["rawCells"]);
  checkFlag("rawCells", rawCells);
  const rows = readList("rows", given, { of: "words", most: MAX_ROWS }).map((row, i) => {
    return typeof row === "object" && row !== null ? (row as WordInput) : refuseArgument(`rows[${i}]`, row, "a word");
  });
  return csvOf(rows, (text) => csvField(rawCells && !text.startsWith("'") ? text : safeText(text)));
}

function csvOf(rows: readonly WordInput[], field: (text: string) => string): string {
  const found = new Set(rows.flatMap((row) => Object.keys(row).filter((key) => row[key] !== undefined)));
  const known = ["id", "word", "active", ...["status", "tier", "proposer", "proposed"].filter((key) => found.has(key))];
  const columns = [...known, ...[...found].filter((key) => !known.includes(key))];
  const unnamed = columns.find((column) => column === "" || column.trim() !== column);
  if (unnamed !== undefined) {
    const expected = "a name without white space at its ends";
    fail(error("argument.range", { problem: "a key cannot be the name of a column", got: unnamed, expected }));
  }
  if (columns.length > MOST_COLUMNS) {
    const problem = "the words have too many different keys";
    fail(error("argument.range", { problem, got: columns.length, expected: `at most ${MOST_COLUMNS}` }));
  }
  const lines = [lineOf(columns, field)];
  let characters = 0;
  for (const [i, row] of rows.entries()) {
    const line = lineOf(
      columns.map((column) => cellOf(row, column, `rows[${i}].${column}`)),
      field,
    );
    characters += line.length;
    // the CSV can be far longer than the input in memory, because many rows may share one long string
    if (characters > MAX_LENGTH) {
      const problem = `the CSV has ${characters} characters after ${i + 1} of ${rows.length} rows`;
      fail(error("argument.range", { problem, expected: `at most ${MAX_LENGTH} characters` }));
    }
    lines.push(line);
  }
  return lines.join("");
}

function lineOf(cells: readonly string[], field: (text: string) => string): string {
  return `${cells.map(field).join(",")}\n`;
}

/**
 * Returns the text of a cell. For a missing value: "1" in the column `active`, "0" in `tier`, and "" in all others.
 *
 * @param name - The name of the cell, for messages.
 * @throws RollmillError `argument.type` for anything but a text, a number or a boolean.
 */
export function cellOf(row: WordInput, column: string, name = column): string {
  if (column === "active") return row.active === false || row.active === 0 ? "0" : "1";
  const value = ownCell(row, column) ?? (column === "tier" ? 0 : "");
  if (["string", "number", "bigint", "boolean"].includes(typeof value)) return String(value);
  return refuseArgument(name, value, "a text, a number or a boolean");
}

const WITHOUT_FLAWS: Pick<ReadRecord, "cells" | "issues"> = { cells: [], issues: [] };

class WordReader {
  readonly #rows: WordInput[] = [];
  readonly #records: ReadRecord[] = [];
  readonly #issues = new IssueList({ most: MAX_ISSUES, code: "recipe.tables" });
  readonly #body: string;
  readonly #places: CsvPlaces;
  readonly #file: string | undefined;
  #header: CsvRecord | undefined;
  #columns: readonly string[] = [];
  #isWhole = true;

  constructor(body: string, file: string | undefined) {
    this.#body = body;
    this.#places = new CsvPlaces(body);
    this.#file = file;
  }

  get hasHeader(): boolean {
    return this.#header !== undefined;
  }

  /** Returns everything that was read. `isWhole` is true if the text is valid CSV up to its end. */
  result({ isWhole }: { readonly isWhole: boolean }): ReadWordCsv {
    return {
      rows: this.#rows,
      isWhole: isWhole && this.#isWhole && this.hasHeader,
      issues: this.#issues.list(),
      body: this.#body,
      header: this.#header,
      columns: this.#columns,
      records: this.#records,
    };
  }

  read(record: CsvRecord): boolean {
    this.#isWhole = this.#readRecord(record);
    return this.#isWhole;
  }

  #readRecord(record: CsvRecord): boolean {
    if (this.#header === undefined) {
      this.#header = record;
      // trims twice, because the text of a name can begin with an apostrophe and a tab
      this.#columns = record.cells.map((name) => fromSafeText(name.trim()).trim());
      this.#checkHeader(record, this.#columns);
      return this.#issues.errors === 0;
    }
    if (this.#rows.length === MAX_ROWS) {
      this.report(record.offset, { problem: "the table has too many rows", expected: `at most ${MAX_ROWS} rows` });
      return false;
    }
    const before = this.#issues.list().length;
    const row = this.#readRow(record, this.#columns);
    if (row !== undefined) this.#rows.push(row);
    const flaws =
      row === undefined ? { cells: record.cells, issues: this.#issues.list().slice(before) } : WITHOUT_FLAWS;
    this.#records.push({ offset: record.offset, end: record.end, row, ...flaws });
    return !this.#issues.isFull;
  }

  /** Adds an error with its line and column. Does nothing if the list is full. */
  report(offset: number, finding: Finding): void {
    if (this.#issues.isFull) return;
    const where = { file: this.#file, ...this.#places.placeAt(offset) };
    this.#issues.add(error("recipe.tables", { ...finding, where }));
  }

  #checkHeader(header: CsvRecord, columns: readonly string[]): void {
    const names = new Set<string>();
    for (const [i, name] of columns.entries()) {
      if (this.#issues.isFull) return;
      if (name === "")
        this.#reportCell(header, i, { problem: "a column has no name", expected: "a name in the header" });
      else if (names.has(name)) {
        this.#reportCell(header, i, {
          problem: "two columns have the same name",
          got: name,
          remedy: "Rename or remove one of the two columns",
        });
      }
      names.add(name);
    }
    for (const name of REQUIRED.filter((required) => !names.has(required))) {
      const near = nearest(name, columns);
      const remedy =
        near === undefined
          ? "Is the first line a header, with commas between the columns?"
          : `Is ${JSON.stringify(near)} a misspelling of ${name}?`;
      const expected = "a header with the columns id and word";
      this.report(header.offset, { problem: `the column ${name} is missing`, expected, remedy });
    }
  }

  /** Returns the row of a record; undefined after an error. */
  #readRow(record: CsvRecord, columns: readonly string[]): WordInput | undefined {
    const { cells } = record;
    if (cells.length !== columns.length) {
      const cell = Math.min(cells.length - 1, columns.length);
      const expected = `${columns.length} cells, as in the header`;
      const remedy = 'Write a cell with commas as "…", and leave a cell without a value empty';
      this.#reportCell(record, cell, {
        problem: "the row has a wrong number of cells",
        got: cells.length,
        expected,
        remedy,
      });
      return undefined;
    }
    const before = this.#issues.errors;
    const entries: [string, unknown][] = [];
    for (const [i, column] of columns.entries()) {
      const reading = readCell(column, cells[i]);
      if ("problem" in reading)
        this.#reportCell(record, i, { got: cells[i], ...reading, problem: `${reading.problem} (column ${column})` });
      else if (reading.value !== undefined) entries.push([column, reading.value]);
    }
    return this.#issues.errors === before ? (Object.fromEntries(entries) as unknown as WordInput) : undefined;
  }

  #reportCell(record: CsvRecord, cell: number, finding: Finding): void {
    if (!this.#issues.isFull) this.report(this.#places.cellOffset(record.offset, cell), finding);
  }
}
