import { reasonOf, refuseThrown } from "../calls/index.js";
import { error, RollmillError } from "../errors/index.js";
import { isCsvHeader } from "../formats/read/csvEntries.js";
import { readJsonText } from "../formats/read/json.js";
import { checkFunction, checkText, type Parsed, readOptions } from "../spec/index.js";
import { readTableCsv } from "./parse/csv.js";
import { TableLinker } from "./parse/link.js";
import { readTableObject } from "./parse/object.js";
import { nothingRead, type ReadTable } from "./parse/read.js";
import { readTableTwoDa } from "./parse/twoda.js";
import type { ParseTableOptions, TableSpec } from "./types.js";

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

async function readFirst(file: string, read: (file: string) => string | Promise<string>): Promise<string> {
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
