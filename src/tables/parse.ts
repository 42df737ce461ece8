import { reasonOf, refuseThrown } from "../calls/index.js";
import { error, type Finding, IssueList, RollmillError, type Where } from "../errors/index.js";
import { isCsvHeader } from "../formats/read/csvEntries.js";
import { readJsonText } from "../formats/read/json.js";
import { checkFunction, checkText, fileNameKey, filePathFlaw, type Parsed, readOptions, seal } from "../spec/index.js";
import { labelFinding, labelsIn } from "./issues.js";
import { readTableCsv } from "./parse/csv.js";
import { readTableObject } from "./parse/object.js";
import { type Link, nothingRead, type ReadTable } from "./parse/read.js";
import { readTableTwoDa } from "./parse/twoda.js";
import type { ColumnSpec, LinkedFile, ParseTableOptions, RowSpec, TableSpec } from "./types.js";

/**
 * Reads a table from the text of a 2DA, CSV or JSON file, or from a {@link TableObject} or a `LabelledTable`.
 * Accepts any input and never throws. Each fault is an issue with a line and a column (text) or a path (object).
 * `mill.table` accepts the returned spec and does not parse it again.
 *
 * The extension of `file` decides how a text is read: .2da, .csv, .tsv or .json. Otherwise, a text that begins with a
 * brace is JSON, a text with a comma in its first line is CSV, and any other text is 2DA.
 *
 * Cost: O(characters) for a text, O(columns) for an object. Source: the DRDT page of NWAngband, 2006
 * (docs/formats/tables.md).
 *
 * Error cases: `twoda.*` and `file.json` (a malformed text), `table.columns`, `table.result`, `table.jump`,
 * `table.weight`, `amount.invalid` (a quantity), `argument.type` (a value of the wrong kind, or an unknown key),
 * `weights.overflow` (the total of a row is too large), `weights.decimals` (the same, after decimals and fractions were
 * converted to integers).
 *
 * Warnings: `table.gap`, `table.columns`, `table.result`, `twoda.*`.
 */
export function parseTable<const Input>(source: Input, options: ParseTableOptions = {}): Parsed<TableSpec<Input>> {
  const { file, files } = readOptions("parseTable", options, ["file", "files"]);
  const linker = new TableLinker(file, readTable(source, file));
  for (const wanted of linker.wanted()) {
    const { path } = wanted;
    const content = files !== undefined && Object.hasOwn(files, path) ? files[path] : undefined;
    const remedy = 'Pass its content in the option "files", or read all files with "loadTable"';
    if (content !== undefined) linker.add(wanted, readTable(content, wanted.file));
    else linker.refuse(wanted, { problem: "a jump leads to a file that was not given", remedy });
  }
  // the cast is safe: `Input` only decides the type of the results
  return linker.result() as Parsed<TableSpec<Input>>;
}

/**
 * Reads a table and all files that its jumps lead to, each once.
 *
 * @param file - The path of the first file. The paths in jumps are relative to its folder.
 * @param read - Returns the text of a file. `read` is called with `file`, and then with the path of every further file.
 * These paths include the folder of `file`: a jump from `data/loot.csv` to `gems.csv` reads `data/gems.csv`.
 * @returns The result of `parseTable`.
 * @throws RollmillError `argument.type`. If `read` fails for the first file, throws its RollmillError or, for any other
 * error, `argument.callback` with this `cause`. If `read` fails for a later file, the result has an issue `table.jump`.
 */
export async function loadTable(
  file: string,
  read: (file: string) => string | Promise<string>,
): Promise<Parsed<TableSpec>> {
  checkText("file", file);
  checkFunction("read", read);
  const linker = new TableLinker(file, readTable(await readFirst(file, read), file));
  for (const wanted of linker.wanted()) {
    try {
      linker.add(wanted, readTable(await read(wanted.file), wanted.file));
    } catch (cause) {
      linker.refuse(wanted, { problem: `a jump leads to a file that cannot be read (${reasonOf(cause)})` });
    }
  }
  return linker.result();
}

/** Reads the first file of a table or a world. Throws the RollmillError of `read`, or else `argument.callback`. */
export async function readFirst<T>(file: string, read: (file: string) => T | Promise<T>): Promise<T> {
  try {
    return await read(file);
  } catch (cause) {
    if (cause instanceof RollmillError) throw cause;
    return refuseThrown({ what: '"read"', where: { file } }, cause);
  }
}

function readTable(source: unknown, file: string | undefined): ReadTable {
  if (typeof source === "object" && source !== null) return readTableObject(source, file);
  if (typeof source !== "string") {
    const expected = "the text of a 2DA, CSV or JSON file, or an object with rows";
    const finding = { problem: "the source is not a table", got: source, expected, where: { file } };
    return nothingRead([error("argument.type", finding)]);
  }
  const format = formatOf(source, file);
  if (format === "csv") return readTableCsv(source, file);
  if (format === "2da") return readTableTwoDa(source, file);
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

const MAX_FILES = 1000;
/** Matches `gems.csv#Rare` and `gems.csv`. */
const FILE_LINK = /^(.+?\.(?:2da|csv|tsv|json))(?:#(.*))?$/is;

interface Wanted {
  readonly key: string;
  readonly path: string;
  readonly file: string;
  readonly where: Where;
}

interface Part extends ReadTable {
  readonly file: string | undefined;
  /** The number of the file's first row in the whole table. */
  readonly first: number;
}

/**
 * Joins a file and all files that jumps lead to into one table, in the order of the jumps. Files may jump in circles.
 * Each part of a path must be a valid file name, so a path cannot leave the folder of the first file.
 */
class TableLinker {
  readonly #file: string | undefined;
  readonly #folder: string;
  /** The files that were read, by `keyOf` of the path. The first entry is the file that the caller passed. */
  readonly #parts = new Map<string, Part>();
  /** The files that jumps lead to, read or not, by `keyOf` of their paths. */
  readonly #wanted = new Map<string, Wanted>();
  readonly #issues = new IssueList({ code: "twoda.limit" });
  #rows = 0;

  constructor(file: string | undefined, main: ReadTable) {
    const slash = file === undefined ? -1 : Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\"));
    this.#file = file;
    this.#folder = file?.slice(0, slash + 1) ?? "";
    this.add({ key: file === undefined ? "" : keyOf(file.slice(slash + 1)), file }, main);
  }

  /** Yields the files to read. If you add a file meanwhile, also yields the files that its jumps lead to. */
  wanted(): Iterable<Wanted> {
    return this.#wanted.values();
  }

  refuse({ path, where }: Wanted, finding: Finding): void {
    this.#issues.report("table.jump", { ...finding, got: path, where });
  }

  result(): Parsed<TableSpec> {
    const rows: RowSpec[] = [];
    const linked: LinkedFile[] = [];
    const [main] = this.#parts.values();
    for (const part of this.#parts.values()) {
      const { file = "", first } = part;
      if (part !== main) linked.push({ file, first });
      // pushes rows one at a time: a spread of many rows would overflow the stack
      for (const row of this.#resolved(part)) rows.push(row);
    }
    const issues = this.#issues.list();
    const isWhole = this.#issues.errors === 0 && [...this.#parts.values()].every((part) => part.isWhole);
    const spec = linked.length === 0 ? { file: this.#file, rows } : { file: this.#file, rows, linked };
    return { spec: isWhole ? seal("table", spec) : undefined, issues };
  }

  add({ key, file }: { readonly key: string; readonly file: string | undefined }, read: ReadTable): void {
    for (const issue of read.issues) this.#issues.add(issue);
    this.#parts.set(key, { ...read, file, first: this.#rows });
    this.#rows += read.rows.length;
    for (const { target, where } of read.links) {
      const path = FILE_LINK.exec(target)?.[1];
      if (path !== undefined) this.#want({ key: keyOf(path), path, file: `${this.#folder}${path}`, where });
    }
  }

  #want(wanted: Wanted): void {
    const { key, path } = wanted;
    if (this.#parts.has(key) || this.#wanted.has(key)) return;
    const expected = filePathFlaw(path);
    if (expected !== undefined) {
      const remedy = "Write the path from the folder of the first file, with / between its parts";
      this.refuse(wanted, { problem: "invalid path of a file", expected, remedy });
    } else if (this.#wanted.size + 1 >= MAX_FILES) {
      this.refuse(wanted, { problem: "the table has too many files", expected: `at most ${MAX_FILES} files` });
    } else this.#wanted.set(key, wanted);
  }

  #resolved(part: Part): readonly RowSpec[] {
    const { rows, links, first } = part;
    // the cast is safe: without links, every jump is the number of a row
    if (first === 0 && links.length === 0) return rows as readonly RowSpec[];
    const found = new Map(links.map((link) => [link, this.#rowOf(link, part)]));
    return rows.map((row) => {
      const columns = row.columns.map((column): ColumnSpec => {
        if (!("jump" in column)) return column;
        const { jump, weight } = column;
        return { jump: typeof jump === "number" ? jump + first : (found.get(jump) ?? 0), weight };
      });
      return { ...row, columns };
    });
  }

  /** Returns the number of a row in the whole table; 0 after an error. */
  #rowOf({ target, where }: Link, from: Part): number {
    const [, path, label = ""] = FILE_LINK.exec(target) ?? [];
    const part = path === undefined ? from : this.#parts.get(keyOf(path));
    // no new issue: if the file could not be read, this was already reported
    if (part === undefined || (part.rows.length === 0 && !part.isWhole)) return 0;
    const name = path === undefined ? target : label;
    const row = labelsIn(part).get(name) ?? (target === "" ? undefined : numberedRow(part, name));
    if (row !== undefined && row >= 0) return part.first + row;
    const problem = "a jump names a row that does not exist";
    this.#issues.report("table.jump", { problem, ...labelFinding(labelsIn(part), name), where });
    return 0;
  }
}

/** Reads a row number, because rows may have no labels. An empty text means the first row of another file. */
function numberedRow({ rows }: Part, name: string): number | undefined {
  return /^\d{0,10}$/.test(name) && Number(name) < rows.length ? Number(name) : undefined;
}

function keyOf(path: string): string {
  return path.split("/").map(fileNameKey).join("/");
}
