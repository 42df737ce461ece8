import { reasonOf, refuseThrown } from "../calls/index.js";
import { error, type Issue, IssueList, RollmillError, type Where, warning } from "../errors/index.js";
import { isCsvHeader } from "../formats/read/csvEntries.js";
import { readJsonText } from "../formats/read/json.js";
import { columnIndex, parseTwoDa, type TwoDa, type TwoDaRow, type TwoDaText } from "../formats/read/twoda.js";
import { checkFunction, checkText, type Parsed, readOptions } from "../spec/index.js";
import { numbered } from "./issues.js";
import { readTableCsv } from "./parse/csv.js";
import { type LabelledTable, MAX_WEIGHT, type TableObject, type Weight } from "./parse/input.js";
import { TableLinker, type Wanted } from "./parse/link.js";
import { readTableObject } from "./parse/object.js";
import { jumpIn, type Link, nothingRead, type ReadTable, scriptIn, UNRESOLVED } from "./parse/read.js";
import { type ColumnSpec, columnOf, type RowSpec, type TableSpec, type Target } from "./types.js";

/** Options of {@link parseTable}. */
export interface ParseTableOptions {
  /** The file that the source came from. Its extension decides how a text is read. Messages name the file. */
  readonly file?: string | undefined;
  /**
   * The contents of the files that jumps lead to. The key is the path of the file, relative to the folder of the first
   * file.
   */
  readonly files?: Readonly<Record<string, string | TableObject | LabelledTable>> | undefined;
}

/**
 * Reads a table from the text of a 2DA, CSV or JSON file, or from a {@link TableObject} or {@link LabelledTable}.
 * Accepts any input and never throws. Each fault is an issue with a line and a column (text) or a path (object).
 * `mill.table` accepts the returned spec and does not parse it again.
 *
 * The extension of `file` decides how a text is read: .2da, .csv, .tsv or .json. With any other extension, or without
 * `file`:
 * - A text that begins with a brace is JSON.
 * - A text with a comma in its first line is CSV.
 * - Any other text is 2DA.
 *
 * Cost: O(characters) for a text, O(columns) for an object. Source: the DRDT page of NWAngband, 2006 (docs/formats/tables.md).
 *
 * Error cases:
 * - `twoda.*`: the text is not a 2DA file.
 * - `file.json`: the text is not JSON.
 * - `table.columns`, `table.result`, `table.jump`, `table.weight`.
 * - `amount.invalid`: an invalid quantity.
 * - `argument.type`: a value of the wrong kind, or an unknown key.
 * - `weights.overflow`: the total of a row is too large.
 * - `weights.decimals`: the total of a row is too large after its decimals and fractions were converted to integers.
 *
 * Warnings: `table.gap`, `table.columns`, `table.result`, `twoda.*`.
 */
export function parseTable<const Input>(source: Input, options: ParseTableOptions = {}): Parsed<TableSpec<Input>> {
  const { file, files } = readOptions("parseTable", options, ["file", "files"]);
  const linker = new TableLinker(file);
  linker.addMain(readTable(source, file));
  for (let wanted = linker.wanted(); wanted !== undefined; wanted = linker.wanted()) {
    const content = contentOf(files, wanted.path);
    if (content === undefined) linker.refuse(wanted, absentIssue(wanted));
    else linker.add(wanted, readTable(content, wanted.file));
  }
  // the cast is safe: the type of the input is only for the types of results
  return linker.result() as Parsed<TableSpec<Input>>;
}

/**
 * Reads a table and all files that its jumps lead to, each once.
 *
 * @param file - The path of the first file. The paths in jumps are relative to its folder.
 * @param read - Returns the text of a file. `read` is called with `file`, and then with the path of every further file.
 * These paths include the folder of `file`: a jump from `data/loot.csv` to `gems.csv` reads `data/gems.csv`.
 * @returns The result of `parseTable`.
 * @throws RollmillError `argument.type`; if `read` throws for the first file, its RollmillError, or else
 * `argument.callback` with the error as its `cause`. For a later file, the result has an issue `table.jump` instead.
 */
export async function loadTable(
  file: string,
  read: (file: string) => string | Promise<string>,
): Promise<Parsed<TableSpec>> {
  checkText("file", file);
  checkFunction("read", read);
  const linker = new TableLinker(file);
  linker.addMain(readTable(await readFirst(file, read), file));
  for (let wanted = linker.wanted(); wanted !== undefined; wanted = linker.wanted()) {
    try {
      linker.add(wanted, readTable(await read(wanted.file), wanted.file));
    } catch (cause) {
      const problem = `a jump leads to a file that cannot be read (${reasonOf(cause)})`;
      linker.refuse(wanted, error("table.jump", { problem, got: wanted.path }));
    }
  }
  return linker.result();
}

async function readFirst(file: string, read: (file: string) => string | Promise<string>): Promise<string> {
  try {
    return await read(file);
  } catch (cause) {
    if (cause instanceof RollmillError) throw cause;
    return refuseThrown({ what: '"read"', where: { file } }, cause);
  }
}

function contentOf(files: ParseTableOptions["files"], path: string): unknown {
  return files !== undefined && Object.hasOwn(files, path) ? files[path] : undefined;
}

function absentIssue({ path }: Wanted): Issue {
  const remedy = 'Pass its content in the option "files", or read all files with "loadTable"';
  return error("table.jump", { problem: "a jump leads to a file that was not given", got: path, remedy });
}

function readTable(source: unknown, file: string | undefined): ReadTable {
  if (typeof source === "object" && source !== null) return readTableObject(source, file);
  if (typeof source !== "string") {
    const [problem, expected] = [
      "the source is not a table",
      "the text of a 2DA, CSV or JSON file, or an object with rows",
    ];
    return nothingRead([error("argument.type", { problem, got: source, expected, where: { file } })]);
  }
  const format = formatOf(source, file);
  if (format === "csv") return readTableCsv(source, file);
  if (format === "2da") return readTableText(source, file);
  const json = readJsonText(source, { file });
  return "issue" in json ? nothingRead([json.issue]) : readTable(Object(json.value), file);
}

function formatOf(text: string, file: string | undefined): "2da" | "csv" | "json" {
  const extension = /\.(2da|csv|tsv|json)$/i.exec(file ?? "")?.[1].toLowerCase();
  if (extension !== undefined) return extension === "tsv" ? "csv" : (extension as "2da" | "csv" | "json");
  if (/^\ufeff?\s*\{/.test(text)) return "json";
  const [, first] = /^\ufeff?\s*([^\r\n]{0,1000})/.exec(text) ?? [];
  if (first === undefined || first.startsWith("2DA")) return "2da";
  const isCsv = first.includes(",") || (isCsvHeader(first) && !/Random0/i.test(first));
  return isCsv ? "csv" : "2da";
}

// ── 2DA ──

function readTableText(text: string, file: string | undefined): ReadTable {
  const twoDa = parseTwoDa(text, { file });
  if (!twoDa.complete) return nothingRead(twoDa.issues);
  const issues = new IssueList({ code: "twoda.limit" });
  const pairs = findPairs(twoDa, file, issues);
  const reading: Reading = { twoDa, file, issues, pairs, label: columnIndex(twoDa, "Label"), links: [] };
  const rows: RowSpec[] = [];
  for (const [index, row] of pairs.length === 0 ? [] : twoDa.rows.entries()) {
    if (issues.isFull) break;
    rows.push(readRow(reading, row, index));
  }
  const all = inFileOrder([...twoDa.issues, ...issues.list()]);
  const failed = all.some((issue) => issue.severity === "error");
  return { rows, links: reading.links, issues: all, isWhole: !failed };
}

/**
 * The indices of the columns RandomN and RandomNWeight; −1 for a missing column, whose cells have the DEFAULT value.
 */
interface Pair {
  readonly random: number;
  readonly weight: number;
}

interface Reading {
  readonly twoDa: TwoDa;
  readonly file: string | undefined;
  readonly issues: IssueList;
  readonly pairs: readonly Pair[];
  readonly label: number;
  readonly links: Link[];
}

/**
 * Finds the column pairs for N = 0, 1, 2 … up to the first incomplete pair. Pair 0 needs both columns. A later pair may
 * lack one column if the file has a DEFAULT value.
 */
function findPairs(twoDa: TwoDa, file: string | undefined, issues: IssueList): Pair[] {
  // the 2DA parser has reported names that occur twice; such a name selects the first column
  const indexOf = new Map(twoDa.columns.map(({ name }, index) => [name.toLowerCase(), index] as const).reverse());
  const pairs: Pair[] = [];
  for (let n = 0; ; n++) {
    const random = indexOf.get(`random${n}`) ?? -1;
    const weight = indexOf.get(`random${n}weight`) ?? -1;
    if (random < 0 && weight < 0) break;
    if ((random < 0 || weight < 0) && (n === 0 || twoDa.default === undefined)) break;
    pairs.push({ random, weight });
  }
  if (pairs.length === 0) issues.add(noPairs(twoDa, file));
  else for (const issue of strayColumns(twoDa, file, { pairs, indices: [...indexOf.values()] })) issues.add(issue);
  return pairs;
}

function noPairs(twoDa: TwoDa, file: string | undefined): Issue {
  const names = twoDa.columns.map((column) => column.name);
  const shown = names.length > 24 ? `${names.slice(0, 24).join(", ")} and ${names.length - 24} more` : names.join(", ");
  return error("table.columns", {
    problem: `a table needs the columns Random0 and Random0Weight, but the file has only ${shown}`,
    remedy:
      "Add pairs of columns: Random0 for a result and Random0Weight for its weight, then Random1 and Random1Weight, and so on",
    where: { file, line: twoDa.columnLine, column: twoDa.columns[0].column },
  });
}

function strayColumns(
  twoDa: TwoDa,
  file: string | undefined,
  { pairs, indices }: { pairs: readonly Pair[]; indices: readonly number[] },
): Issue[] {
  const used = new Set(pairs.flatMap(({ random, weight }) => [random, weight]));
  const unused = indices.filter((index) => !used.has(index)).map((index) => twoDa.columns[index]);
  const stray = unused.filter(({ name }) => /^random\d+(weight)?$/i.test(name));
  return stray.map(({ name, column }) =>
    warning("table.columns", {
      problem: `column ${name} is ignored, because Random${pairs.length} or Random${pairs.length}Weight is missing`,
      remedy: "Number the pairs 0, 1, 2 … without gaps and without leading zeros",
      where: { file, line: twoDa.columnLine, column },
    }),
  );
}

function cellAt({ twoDa }: Reading, row: TwoDaRow, index: number): TwoDaText | undefined {
  if (index < 0) return twoDa.default;
  const text = row.texts[index] ?? null;
  return text === null ? undefined : { text, line: row.line, column: row.columns[index] };
}

function readRow(reading: Reading, row: TwoDaRow, index: number): RowSpec {
  const columns: ColumnSpec[] = [];
  const places: number[] = [];
  const label = row.texts[reading.label] ?? undefined;
  const rowText = numbered(index, label);
  for (const [n, pair] of reading.pairs.entries()) {
    const random = cellAt(reading, row, pair.random);
    const weight = cellAt(reading, row, pair.weight);
    // a misplaced quote splits a result into several cells, so all cells after the result are in the wrong columns
    if (random !== undefined && isBroken(random.text)) {
      reading.issues.add(brokenIssue(reading, { row, cell: random, rowText }));
      break;
    }
    if (random === undefined || weight === undefined) {
      warnOfGap(reading, row, { gap: n, rowText });
      break;
    }
    const target = readTarget(reading, random, { rowText, row: index, column: columns.length });
    const weighed = readWeight(reading, weight, rowText);
    if (target === undefined || weighed === undefined) continue;
    columns.push(columnOf(target, weighed));
    places.push(random.column, weight.column);
  }
  return { label, columns, line: row.line, places };
}

/**
 * Whether a cell is the first word of a result such as `r"roast boar"`, or the arrow of a jump such as `-> Gems`. White
 * space ends a cell, unless the cell begins with a quote.
 */
function isBroken(text: string): boolean {
  return text === "->" || (text.startsWith('r"') && !text.includes('"', 2));
}

function brokenIssue(
  { file }: Reading,
  { row, cell, rowText }: { readonly row: TwoDaRow; readonly cell: TwoDaText; readonly rowText: string },
): Issue {
  const { text, line, column } = cell;
  const where = { file, line, column };
  if (text === "->") {
    const problem = `in a Random cell of ${rowText}, white space follows the arrow of a jump and ends the cell`;
    const remedy = `Write ->${row.texts[row.columns.indexOf(column) + 1] ?? "Gems"}, or put quotes around the whole cell`;
    const expected = "one cell with the arrow and a label";
    return error("table.jump", { problem, got: text, expected, remedy, where });
  }
  // the cell may come from the DEFAULT value, which is on another line
  const first = line === row.line ? row.columns.indexOf(column) : row.texts.length;
  const rest = row.texts.slice(first + 1).map((one) => one ?? "****");
  const last = rest.findIndex((one) => one.endsWith('"'));
  const words = [text.slice(2), ...(last < 0 ? ["…"] : rest.slice(0, last + 1))].join(" ").replace(/"$/, "");
  const problem = `in a Random cell of ${rowText}, the quote is not the first character, so it does not join words`;
  const remedy = `Move the quote to the start of the cell, before the r. Then the cell is "r${words}"`;
  return error("table.result", { problem, got: text, expected: "a cell that begins with the quote", remedy, where });
}

/** A row ends at its first incomplete pair, `gap`. Warns if values in this pair or later pairs are ignored. */
function warnOfGap(
  reading: Reading,
  row: TwoDaRow,
  { gap, rowText }: { readonly gap: number; readonly rowText: string },
): void {
  const indices = reading.pairs.slice(gap).flatMap(({ random, weight }) => [random, weight]);
  const lost = indices.filter((index) => index >= 0 && cellAt(reading, row, index) !== undefined);
  if (lost.length === 0) return;
  const first = lost.reduce((a, b) => (row.columns[b] < row.columns[a] ? b : a));
  const where = { file: reading.file, line: row.line, column: row.columns[first] };
  const cells = lost.length === 1 ? "1 filled cell is ignored" : `${lost.length} filled cells are ignored`;
  const problem = `Random${gap} of ${rowText} has no value or no weight, so the row ends there, and ${cells}`;
  const remedy = "Fill the gap, or clear the cells after it";
  reading.issues.add(warning("table.gap", { problem, remedy, where }));
}

function readTarget(
  { twoDa, file, issues, links }: Reading,
  { text, line, column }: TwoDaText,
  { rowText, ...place }: { readonly rowText: string; readonly row: number; readonly column: number },
): Target | undefined {
  const where: Where = { file, line, column };
  const to = jumpIn(text);
  if (to !== undefined) {
    links.push({ ...place, target: to, where });
    return { jump: UNRESOLVED };
  }
  if (text.startsWith("r")) {
    if (/^r".*"$/.test(text)) {
      const problem = `the quotes in a Random cell of ${rowText} become a part of the result`;
      issues.add(warning("table.result", { problem, got: text, remedy: `Write "r${text.slice(2, -1)}"`, where }));
    }
    return { result: text.slice(1) };
  }
  const remedy = `Write ${quoted(`r${text}`)} if this is a result`;
  if (!/^\d+$/.test(text)) {
    const problem = `invalid Random cell in ${rowText}`;
    const expected = 'r and a result ("rsword"), the number of a row ("12"), or the label of a row ("->gems")';
    const flawAt = text.search(/\D/);
    issues.add(error("table.result", { problem, got: text, flawAt, expected, remedy, where }));
    return undefined;
  }
  const row = Number(text);
  if (row < twoDa.rows.length) return { jump: row };
  const last = twoDa.rows.length - 1;
  const expected = last === 0 ? "row 0, the only row" : `a row from 0 to ${last}`;
  const problem = `a jump in ${rowText} leads to a row that does not exist`;
  issues.add(error("table.jump", { problem, got: text, expected, remedy, where }));
  return undefined;
}

/** Puts quotes around a text, so that it stays one cell even if it has spaces. Cuts it to 60 characters. */
function quoted(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 59)}…` : text;
  return text.includes('"') ? short : `"${short}"`;
}

function readWeight({ file, issues }: Reading, { text, line, column }: TwoDaText, rowText: string): Weight | undefined {
  const weight = scriptIn(text) ?? (/^\d+$/.test(text) ? Number(text) : Number.NaN);
  if (typeof weight === "object" || weight <= MAX_WEIGHT) return weight;
  const problem = `invalid weight in ${rowText}`;
  const expected = `an integer from 0 to ${MAX_WEIGHT}, or the letter s followed by the id or the name of a script`;
  const flawAt = Math.max(0, text.search(/(?!^s)\D/));
  issues.add(error("table.weight", { problem, got: text, flawAt, expected, where: { file, line, column } }));
  return undefined;
}

function inFileOrder(issues: readonly Issue[]): Issue[] {
  const place = ({ where: { line = 0, column = 0 } }: Issue) => [line, column];
  return issues.toSorted((a, b) => {
    const [[lineA, columnA], [lineB, columnB]] = [place(a), place(b)];
    return lineA - lineB || columnA - columnB;
  });
}
