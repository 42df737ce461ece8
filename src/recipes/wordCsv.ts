import { error, type Finding, type Issue, IssueList, nearest } from "../errors/index.js";
import { type CsvRecord, cellOffset, csvField, parseCsv, placeAt } from "../formats/csv.js";
import type { WordInput } from "./types.js";
import { readCell } from "./wordCells.js";

/** The result of {@link parseWordCsv}. */
export interface WordCsv {
  /** The rows without errors, in the order of the text. */
  readonly rows: readonly WordInput[];
  /** At most 100 errors. Lines and columns start at 1; columns count UTF-16 units. */
  readonly issues: readonly Issue[];
}

/** Options of {@link parseWordCsv}. */
export interface WordCsvOptions {
  /** The file that the text came from, for messages. */
  readonly file?: string | undefined;
}

const MAX_ISSUES = 100;
const REQUIRED = ["id", "word"];
const BOM = "\uFEFF";
const QUOTING: Pick<Finding, "expected" | "remedy"> = {
  expected: "quotes around a whole cell",
  remedy: 'Write a cell with commas, quotes or line breaks as "…", and a quote inside it as ""',
};

/**
 * Reads a word table from CSV (RFC 4180): a header, then one word a line. The columns `id` and `word` are required;
 * `active` (0, 1, true or false; default true), `status` (accepted, proposed, rejected or empty), `tier` (an integer
 * 0 … 255), `proposer` and `proposed` (texts) are optional. Every other column has decimal numbers: a stat, where an
 * empty cell is 0, or the weights, where an empty cell is 1. The reader accepts a byte order mark,
 * CRLF and blank lines, and trims every cell except the word.
 *
 * Cost: O(length), and O(length) more for the place of each issue.
 *
 * Issues, all `recipe.tables`: no header; a column that is missing, has no name or occurs twice; a row with more or
 * fewer cells than the header; a cell that does not have the type of its column; unmatched quotes. {@link parseTables}
 * makes the checks that need the recipe or the whole table: unique ids and words, and the names of stats.
 */
export function parseWordCsv(text: string, { file }: WordCsvOptions = {}): WordCsv {
  const body = text.startsWith(BOM) ? text.slice(1) : text;
  const { records, flaw } = parseCsv(body);
  const reader = new WordReader(body, file);
  if (records.length > 0) reader.read(records);
  else if (flaw === undefined)
    reader.report(0, {
      problem: "the table has no header",
      expected: "a first line with names of columns, such as id,word,active",
    });
  if (flaw !== undefined) reader.report(flaw.offset, { problem: flaw.problem, ...QUOTING });
  return { rows: reader.rows, issues: reader.issues };
}

/**
 * Writes a word table as CSV from which {@link parseWordCsv} reads the same rows. The columns are id, word and active,
 * then status, tier, proposer and proposed if a row has them, then the stats in the order in which they first occur in the rows. A missing
 * stat is an empty cell.
 */
export function toWordCsv(rows: readonly WordInput[]): string {
  const found = new Set(rows.flatMap((row) => Object.keys(row).filter((key) => row[key] !== undefined)));
  const known = ["id", "word", "active", ...["status", "tier", "proposer", "proposed"].filter((key) => found.has(key))];
  const columns = [...known, ...[...found].filter((key) => !known.includes(key))];
  const lines = rows.map((row) => columns.map((column) => cellOf(row, column)));
  return [columns, ...lines].map((cells) => `${cells.map(csvField).join(",")}\n`).join("");
}

function cellOf(row: WordInput, column: string): string {
  if (column === "active") return row.active === false || row.active === 0 ? "0" : "1";
  return String(row[column] ?? (column === "tier" ? 0 : ""));
}

/** Converts CSV records to rows of words, and reports errors in the records as issues. */
class WordReader {
  readonly rows: WordInput[] = [];
  readonly #issues = new IssueList({ most: MAX_ISSUES, code: "recipe.tables" });
  readonly #body: string;
  readonly #file: string | undefined;

  constructor(body: string, file: string | undefined) {
    this.#body = body;
    this.#file = file;
  }

  get issues(): readonly Issue[] {
    return this.#issues.list();
  }

  /** Reads a header and the rows after it, until the list of issues is full. */
  read([header, ...records]: readonly CsvRecord[]): void {
    const columns = header.cells.map((name) => name.trim());
    this.#checkHeader(header, columns);
    if (this.#issues.errors > 0) return;
    for (const record of records) {
      if (this.#issues.isFull) return;
      this.#readRow(record, columns);
    }
  }

  /**
   * Adds an error with its line and column. Does nothing if the list is full, because finding the line costs a pass
   * over the text.
   */
  report(offset: number, finding: Finding): void {
    if (this.#issues.isFull) return;
    this.#issues.add(
      error("recipe.tables", { ...finding, where: { file: this.#file, ...placeAt(this.#body, offset) } }),
    );
  }

  #checkHeader(header: CsvRecord, columns: readonly string[]): void {
    for (const [i, name] of columns.entries()) {
      if (name === "")
        this.#reportCell(header, i, { problem: "a column has no name", expected: "a name in the header" });
      else if (columns.indexOf(name) < i) {
        this.#reportCell(header, i, {
          problem: "two columns have the same name",
          got: name,
          remedy: "Rename or remove one of the two columns",
        });
      }
    }
    for (const name of REQUIRED.filter((required) => !columns.includes(required))) {
      const near = nearest(name, columns);
      const remedy =
        near === undefined
          ? "Is the first line a header, with commas between the columns?"
          : `Is ${JSON.stringify(near)} a misspelling of ${name}?`;
      const expected = "a header with the columns id and word";
      this.report(header.offset, { problem: `the column ${name} is missing`, expected, remedy });
    }
  }

  #readRow(record: CsvRecord, columns: readonly string[]): void {
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
      return;
    }
    const before = this.#issues.errors;
    const entries: [string, unknown][] = [];
    for (const [i, column] of columns.entries()) {
      const reading = readCell(column, cells[i]);
      if ("problem" in reading)
        this.#reportCell(record, i, { got: cells[i], ...reading, problem: `${reading.problem} (column ${column})` });
      else if (reading.value !== undefined) entries.push([column, reading.value]);
    }
    if (this.#issues.errors === before) this.rows.push(Object.fromEntries(entries) as unknown as WordInput);
  }

  #reportCell(record: CsvRecord, cell: number, finding: Finding): void {
    this.report(cellOffset(this.#body, record.offset, cell), finding);
  }
}
