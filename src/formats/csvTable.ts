import { CsvError, type Options, parse } from "csv-parse/browser/esm/sync";
import { error, type Finding, type Issue, nearest } from "../errors/index.js";
import { readCell } from "./csvCells.js";

/** A word and what it adds to stats, as a row of a CSV table; what word tables of recipes are read from. */
export interface CsvRow {
  /** Integer ≥ 1. */
  readonly id: number;
  readonly word: string;
  /** Read as true or false; absent where the table has no such column, which means active. */
  readonly active?: boolean | 0 | 1;
  /** Absent where the cell is empty or the table has no such column, which means accepted. */
  readonly status?: "accepted" | "proposed";
  /** Integer 0 … 255; absent where the table has no such column. */
  readonly tier?: number;
  /** Every other column: a finite number, absent where the cell is empty. */
  readonly [stat: string]: unknown;
}

/** What {@link parseCsvTable} made of a text. */
export interface CsvTable {
  /** The rows that nothing is wrong with, in the order of the text. */
  readonly rows: readonly CsvRow[];
  /** Errors, with line and column from 1, columns in UTF-16 units; of more than 100 the rest is not listed, as the last says. */
  readonly issues: readonly Issue[];
}

/** What {@link parseCsvTable} may be told. */
export interface CsvTableOptions {
  /** The file that the text came from, for messages. */
  readonly file?: string | undefined;
}

const MAX_ISSUES = 100;
const REQUIRED = ["id", "word"];
const BOM = "\uFEFF";
const QUOTING: Pick<Finding, "expected" | "remedy"> = {
  expected: "quotes around a whole cell",
  remedy: 'Write a cell with commas, quotes or line breaks as "…", and a quote within it as ""',
};
const FLAWS = new Map<string, string>([
  ["CSV_QUOTE_NOT_CLOSED", "a quote opens and never closes"],
  ["CSV_INVALID_CLOSING_QUOTE", "a quoted cell goes on after its closing quote"],
  ["INVALID_OPENING_QUOTE", "a quote stands within a cell that is not quoted"],
]);

/** A record of the text: its cells, and where it starts. */
interface CsvRecord {
  readonly cells: readonly string[];
  readonly offset: number;
}

/** A cell that the quotes spoil, and where its record starts. */
interface Flaw {
  readonly problem: string;
  readonly offset: number;
  readonly cell: number;
}

/**
 * Reads a table of words from CSV (RFC 4180): a header, then a row a word. The columns `id` and `word` must be there;
 * `active` (0, 1, true or false), `status` (accepted, proposed or empty) and `tier` (integer 0 … 255) may be; every other
 * column is a stat: a decimal number, or empty for none. A byte order mark, CRLF and blank lines are taken; white space
 * around anything but a word is dropped.
 *
 * Cost: O(length), and O(length) more for each issue's place.
 *
 * Error cases, all `recipe.tables`: no header; a column that is missing, without a name or there twice; a row with more or
 * fewer cells than the header; a cell that is not what its column holds; quotes that do not match. Whether ids and words
 * differ, and whether the recipe has such a stat, is not seen here.
 */
export function parseCsvTable(text: string, { file }: CsvTableOptions = {}): CsvTable {
  const body = text.startsWith(BOM) ? text.slice(1) : text;
  const { records, flaw } = readRecords(body);
  const reader = new TableReader(body, file);
  if (records.length > 0) reader.read(records);
  else if (flaw === undefined) reader.report(0, { problem: "the table has no header", expected: "id,word,active,…" });
  if (flaw !== undefined)
    reader.report(cellOffset(body, flaw.offset, flaw.cell), { problem: flaw.problem, ...QUOTING });
  return { rows: reader.rows, issues: reader.issues };
}

/**
 * Writes rows as CSV, which {@link parseCsvTable} reads back: the columns id, word and active; status and tier where a row
 * has one; then the stats in the order in which the rows first have them. A missing stat is an empty cell.
 */
export function toCsvTable(rows: readonly CsvRow[]): string {
  const found = new Set(rows.flatMap((row) => Object.keys(row).filter((key) => row[key] !== undefined)));
  const known = ["id", "word", "active", ...["status", "tier"].filter((key) => found.has(key))];
  const columns = [...known, ...[...found].filter((key) => !known.includes(key))];
  const lines = rows.map((row) => columns.map((column) => cellOf(row, column)));
  return [columns, ...lines].map((cells) => `${cells.map(quote).join(",")}\n`).join("");
}

function cellOf(row: CsvRow, column: string): string {
  if (column === "active") return row.active === false || row.active === 0 ? "0" : "1";
  return String(row[column] ?? (column === "tier" ? 0 : ""));
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

// The records up to the first that cannot be read.
function readRecords(body: string): { readonly records: readonly CsvRecord[]; readonly flaw?: Flaw } {
  const records: CsvRecord[] = [];
  let offset = 0;
  const take = ({ record: cells, raw }: { readonly record: string[]; readonly raw: string }): null => {
    // a blank line is one empty cell
    if (cells.length > 1 || cells[0] !== "") records.push({ cells, offset });
    offset += raw.length;
    // the parser's raw text of a record lacks the LF of its CRLF
    if (raw.endsWith("\r") && body[offset] === "\n") offset++;
    return null;
  };
  try {
    // with `raw` a record comes with its text, which the parser's types leave out
    const on_record = take as unknown as NonNullable<Options["on_record"]>;
    parse(body, { record_delimiter: ["\r\n", "\n", "\r"], relax_column_count: true, raw: true, on_record });
  } catch (thrown) {
    const problem = thrown instanceof CsvError ? FLAWS.get(thrown.code) : undefined;
    if (problem === undefined) throw thrown;
    return { records, flaw: { problem, offset, cell: Number((thrown as CsvError).column) } };
  }
  return { records };
}

/** Makes rows of records, and issues of what is wrong with them. */
class TableReader {
  readonly rows: CsvRow[] = [];
  readonly issues: Issue[] = [];
  readonly #body: string;
  readonly #file: string | undefined;

  constructor(body: string, file: string | undefined) {
    this.#body = body;
    this.#file = file;
  }

  /** Reads a header and the rows under it; nothing more once the list of issues is full. */
  read([header, ...records]: readonly CsvRecord[]): void {
    const columns = header.cells.map((name) => name.trim());
    this.#checkHeader(header, columns);
    if (this.issues.length > 0) return;
    for (const record of records) {
      if (this.issues.length > MAX_ISSUES) return;
      this.#readRow(record, columns);
    }
  }

  /** Adds an error; past the most that are listed, one that says so. */
  report(offset: number, finding: Finding): void {
    if (this.issues.length > MAX_ISSUES) return;
    const where = { file: this.#file, ...placeAt(this.#body, offset) };
    const rest = { problem: "the issues from here on are not listed", expected: `at most ${MAX_ISSUES} in a table` };
    this.issues.push(error("recipe.tables", { ...(this.issues.length < MAX_ISSUES ? finding : rest), where }));
  }

  #checkHeader(header: CsvRecord, columns: readonly string[]): void {
    for (const [i, name] of columns.entries()) {
      if (name === "")
        this.#reportCell(header, i, { problem: "a column has no name", expected: "a name in the header" });
      else if (columns.indexOf(name) < i) {
        this.#reportCell(header, i, { problem: "a column is there twice", got: name, remedy: "Rename or remove one" });
      }
    }
    for (const name of REQUIRED.filter((required) => !columns.includes(required))) {
      const near = nearest(name, columns);
      const remedy =
        near === undefined
          ? "Is the first line a header, with commas between the columns?"
          : `Is it ${JSON.stringify(near)}?`;
      this.report(header.offset, { problem: `the column ${name} is missing`, got: columns.join(), remedy });
    }
  }

  #readRow(record: CsvRecord, columns: readonly string[]): void {
    const { cells } = record;
    if (cells.length !== columns.length) {
      const cell = Math.min(cells.length - 1, columns.length);
      const expected = `${columns.length}, as in the header`;
      const remedy = 'Write a cell that has commas as "…", and an empty one for what there is nothing of';
      this.#reportCell(record, cell, {
        problem: "a row has a wrong number of cells",
        got: cells.length,
        expected,
        remedy,
      });
      return;
    }
    const before = this.issues.length;
    const entries: [string, unknown][] = [];
    for (const [i, column] of columns.entries()) {
      const reading = readCell(column, cells[i]);
      if ("problem" in reading)
        this.#reportCell(record, i, { got: cells[i], ...reading, problem: `${reading.problem} (column ${column})` });
      else if (reading.value !== undefined) entries.push([column, reading.value]);
    }
    if (this.issues.length === before) this.rows.push(Object.fromEntries(entries) as CsvRow);
  }

  #reportCell(record: CsvRecord, cell: number, finding: Finding): void {
    this.report(cellOffset(this.#body, record.offset, cell), finding);
  }
}

// Where a cell of the record that starts at an offset starts.
function cellOffset(body: string, start: number, cell: number): number {
  let quoted = false;
  let left = cell;
  let at = start;
  for (; left > 0 && at < body.length; at++) {
    if (body[at] === '"') quoted = !quoted;
    else if (body[at] === "," && !quoted) left--;
  }
  return at;
}

function placeAt(body: string, offset: number): { readonly line: number; readonly column: number } {
  const lines = body.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length, column: lines[lines.length - 1].length + 1 };
}
