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
import { checkFlag, checkText, isBlank, readList, readOptions, refuseArgument } from "../spec/index.js";
import { MAX_ROWS, MAX_TIER, WORD_STATUSES, type WordInput } from "./parse/rows.js";

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
  /** The file of the text, for messages. */
  readonly file?: string | undefined;
}

const MAX_ISSUES = 100;
/** Maximum length of a text in UTF-16 units: enough for every file of 64 MiB. */
const MAX_LENGTH = 2 ** 26;
const MOST_COLUMNS = 1000;
const BOM = "\uFEFF";

/**
 * Reads a word table from CSV (RFC 4180): a header, then one word on each line. The columns `id` and `word` are
 * required. These columns are optional: `active` (0, 1, true or false; default true), `status` (accepted, proposed,
 * rejected or empty), `tier` (an integer 0 … 255), and the texts `proposer` and `proposed`. Every other column is a
 * stat or the weight column, with decimal numbers. An empty cell is 0 for a stat, and 1 for a weight.
 *
 * Accepts a byte order mark, CRLF and blank lines. Trims every cell except the word, and removes the apostrophe that
 * {@link toWordCsv} puts before texts that a spreadsheet would run as formulas. Cost: O(length).
 *
 * Issues have the code `recipe.tables`. A text has at most 2²⁶ characters and 1,000,000 rows, and a row 65,536 cells.
 * {@link parseTables} then checks that ids and words are unique, and that the recipe has the stats.
 */
export function parseWordCsv(text: string, options: WordCsvOptions = {}): WordCsv {
  const { file } = readOptions("parseWordCsv", options, ["file"]);
  checkText("text", text);
  const { rows, isWhole, issues } = readWordCsv(text, { file });
  return { rows, isWhole, issues };
}

/** `body` is the text without its byte order mark. Offsets count UTF-16 units from the start of `body`. */
export interface ReadWordCsv extends WordCsv {
  readonly body: string;
  readonly header: CsvRecord | undefined;
  readonly columns: readonly string[];
  readonly records: readonly ReadRecord[];
}

interface ReadRecord extends Pick<CsvRecord, "offset" | "end"> {
  readonly row: WordInput | undefined;
  readonly cells: readonly string[];
  readonly issues: readonly Issue[];
}

export function readWordCsv(text: string, { file }: WordCsvOptions): ReadWordCsv {
  return new WordReader(text.startsWith(BOM) ? text.slice(1) : text, file).read();
}

/**
 * Writes a word table as CSV, from which {@link parseWordCsv} reads the same rows. The columns are id, word, active,
 * then status, tier, proposer and proposed if used, then the stats in order. A missing stat is an empty cell.
 *
 * Puts an apostrophe before a text that a spreadsheet would run as a formula. With `rawCells`, puts one only before a
 * text whose own apostrophe the reader would otherwise remove.
 *
 * @throws RollmillError `argument.type` for rows or cells of a wrong type; `argument.range` for a key that cannot name
 * a column, and for a CSV that is larger than {@link parseWordCsv} reads; `argument.option`.
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
    const expected = "a name that is not empty and has no white space at its ends";
    fail(error("argument.range", { problem: "a key cannot be the name of a column", got: unnamed, expected }));
  }
  if (columns.length > MOST_COLUMNS) {
    const problem = "the words have too many different keys";
    fail(error("argument.range", { problem, got: columns.length, expected: `at most ${MOST_COLUMNS}` }));
  }
  const lineOf = (cells: readonly string[]) => `${cells.map(field).join(",")}\n`;
  const lines = [lineOf(columns)];
  let characters = 0;
  for (const [i, row] of rows.entries()) {
    const line = lineOf(columns.map((column) => cellOf(row, column, `rows[${i}].${column}`)));
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

/** A missing value is "1" in the column `active`, "0" in `tier`, and "" in all others. `name` is for messages. */
export function cellOf(row: WordInput, column: string, name = column): string {
  if (column === "active") return row.active === false || row.active === 0 ? "0" : "1";
  const value = ownCell(row, column) ?? (column === "tier" ? 0 : "");
  if (["string", "number", "bigint", "boolean"].includes(typeof value)) return String(value);
  return refuseArgument(name, value, "a text, a number or a boolean");
}

class WordReader {
  readonly #rows: WordInput[] = [];
  readonly #records: ReadRecord[] = [];
  readonly #issues = new IssueList({ most: MAX_ISSUES, code: "recipe.tables" });
  readonly #body: string;
  readonly #places: CsvPlaces;
  readonly #file: string | undefined;
  #header: CsvRecord | undefined;
  #columns: readonly string[] = [];
  #cells: readonly Cell[] = [];

  constructor(body: string, file: string | undefined) {
    this.#body = body;
    this.#places = new CsvPlaces(body);
    this.#file = file;
  }

  read(): ReadWordCsv {
    const isWhole = this.#readBody() && this.#header !== undefined;
    const [rows, issues, body] = [this.#rows, this.#issues.list(), this.#body];
    return { rows, isWhole, issues, body, header: this.#header, columns: this.#columns, records: this.#records };
  }

  #readBody(): boolean {
    const { length } = this.#body;
    if (length > MAX_LENGTH) {
      this.#report(0, { problem: "the text is too long", got: length, expected: `at most ${MAX_LENGTH} characters` });
      return false;
    }
    let isWhole = true;
    const flaw = parseCsv(this.#body, (record) => {
      isWhole = this.#readRecord(record);
      return isWhole;
    });
    if (flaw !== undefined) this.#report(flaw.offset, flaw);
    else if (this.#header === undefined) {
      const expected = "a first line with names of columns, such as id,word,active";
      this.#report(0, { problem: "the table has no header", expected });
    }
    return isWhole && flaw === undefined;
  }

  /** Returns false if reading must stop. */
  #readRecord(record: CsvRecord): boolean {
    const { offset, end } = record;
    if (this.#header === undefined) {
      this.#readHeader(record);
      return this.#issues.errors === 0;
    }
    if (this.#rows.length === MAX_ROWS) {
      this.#report(offset, { problem: "the table has too many rows", expected: `at most ${MAX_ROWS} rows` });
      return false;
    }
    const before = this.#issues.list().length;
    const row = this.#readRow(record);
    if (row !== undefined) this.#rows.push(row);
    const isSound = row !== undefined;
    const issues = isSound ? NOTHING : this.#issues.list().slice(before);
    this.#records.push({ offset, end, row, cells: isSound ? NOTHING : record.cells, issues });
    return !this.#issues.isFull;
  }

  #readHeader(header: CsvRecord): void {
    // trims a second time, because white space can follow the apostrophe that `fromSafeText` removes
    const columns = header.cells.map((name) => fromSafeText(name.trim()).trim());
    this.#header = header;
    this.#columns = columns;
    this.#cells = columns.map((column) => CELLS.get(column) ?? STAT);
    const names = new Set<string>();
    for (const [i, name] of columns.entries()) {
      const remedy = "Rename or remove one of the two columns";
      if (name === "")
        this.#reportCell(header, i, { problem: "a column has no name", expected: "a name in the header" });
      else if (names.has(name))
        this.#reportCell(header, i, { problem: "two columns have the same name", got: name, remedy });
      names.add(name);
    }
    for (const name of ["id", "word"].filter((required) => !names.has(required))) {
      const near = nearest(name, columns);
      const remedy =
        near === undefined
          ? "Is the first line a header, with commas between the columns?"
          : `Is ${JSON.stringify(near)} a misspelling of ${name}?`;
      const expected = "a header with the columns id and word";
      this.#report(header.offset, { problem: `the column ${name} is missing`, expected, remedy });
    }
  }

  #readRow(record: CsvRecord): WordInput | undefined {
    const { cells } = record;
    const { length } = this.#columns;
    if (cells.length !== length) {
      const expected = `${length} cells, as in the header`;
      const remedy = "Put double quotes around a cell that contains commas, and leave a cell without a value empty";
      const finding = { problem: "the row has a wrong number of cells", got: cells.length, expected, remedy };
      this.#reportCell(record, Math.min(cells.length - 1, length), finding);
      return undefined;
    }
    const before = this.#issues.errors;
    const entries: [string, unknown][] = [];
    for (const [i, { problem, expected, read }] of this.#cells.entries()) {
      const [column, got] = [this.#columns[i], cells[i]];
      const value = read(got);
      if (value === null) this.#reportCell(record, i, { problem: `${problem} (column ${column})`, got, expected });
      else if (value !== undefined) entries.push([column, value]);
    }
    return this.#issues.errors === before ? (Object.fromEntries(entries) as unknown as WordInput) : undefined;
  }

  #reportCell(record: CsvRecord, cell: number, finding: Finding): void {
    if (!this.#issues.isFull) this.#report(this.#places.cellOffset(record.offset, cell), finding);
  }

  #report(offset: number, finding: Finding): void {
    if (this.#issues.isFull) return;
    const where = { file: this.#file, ...this.#places.placeAt(offset) };
    this.#issues.add(error("recipe.tables", { ...finding, where }));
  }
}

const NOTHING: readonly never[] = [];

interface Cell {
  readonly problem: string;
  readonly expected: string;
  /** Returns null for an invalid text, and undefined for an empty cell that is allowed. */
  readonly read: (text: string) => unknown;
}

export const ACTIVE = new Map([
  ["1", true],
  ["true", true],
  ["0", false],
  ["false", false],
]);

const TEXT_CELL: Cell = { problem: "", expected: "", read: (text) => (text === "" ? undefined : fromSafeText(text)) };

/** How to read the cells of each column that is not a stat. All columns with other names are stats. */
const CELLS = new Map<string, Cell>([
  ["id", integerCell("invalid id", 1, Number.MAX_SAFE_INTEGER)],
  [
    "word",
    {
      problem: "a word is blank",
      expected: "a word with a visible character",
      read: (text) => (isBlank(fromSafeText(text)) ? null : fromSafeText(text)),
    },
  ],
  [
    "active",
    {
      problem: "invalid value",
      expected: "0, 1, true or false",
      read: (text) => ACTIVE.get(text.trim().toLowerCase()) ?? null,
    },
  ],
  [
    "status",
    {
      problem: "invalid status",
      expected: `${WORD_STATUSES.join(", ")} or an empty cell`,
      read: (text) => (text.trim() === "" ? undefined : (WORD_STATUSES.find((one) => one === text.trim()) ?? null)),
    },
  ],
  ["proposer", TEXT_CELL],
  ["proposed", TEXT_CELL],
  ["tier", integerCell("invalid tier", 0, MAX_TIER)],
]);

const DECIMAL = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const STAT: Cell = {
  problem: "a stat is not a number",
  expected: "a decimal number such as -1 or 0.2, or an empty cell",
  read: (text) => {
    const cell = text.trim();
    if (cell === "") return undefined;
    // + 0 converts −0 to 0
    const value = Number(cell) + 0;
    return DECIMAL.test(cell) && Number.isFinite(value) ? value : null;
  },
};

function integerCell(problem: string, least: number, most: number): Cell {
  return {
    problem,
    expected: `an integer from ${least} to ${most}`,
    read: (text) => {
      const value = Number(text);
      return /^\s*\+?\d+\s*$/.test(text) && value >= least && value <= most ? value : null;
    },
  };
}

/** Reads only own properties, because a stat may have the name of an inherited property, such as "toString". */
export function ownCell(row: WordInput, column: string): unknown {
  return Object.hasOwn(row, column) ? row[column] : undefined;
}
