import { error, fail, failOnErrors, type Issue } from "../../errors/index.js";
import { type CsvCell, type CsvEntries, numberOrText, readCsvEntries } from "../../formats/read/csvEntries.js";
import { parseLabels } from "../../weighted/index.js";
import { columnsOf, isJson, jsonIn, TABLE_COLUMNS } from "./texts.js";

const COLUMNS = ["result", "weight", "quantity"] as const;
type Column = (typeof COLUMNS)[number];

/**
 * Reads a list from the text of a CSV or JSON file. Issues have places in the file. `notes` are the warnings about the
 * CSV. Throws a RollmillError if the text is neither, or is a table.
 */
export function parseListText(text: string, file: string) {
  if (isJson(text, file)) {
    const input = jsonIn(text, file);
    return { ...parseLabels(input, { file }), input, csv: undefined, notes: [] };
  }
  const csv = readCsvEntries(text, { file, known: COLUMNS, required: ["result"], code: "weights.invalid" });
  refuseTable(file, text, csv.entries);
  failOnErrors(csv.issues);
  const input: unknown = csv.entries.map(({ cells }) => inputOf(cells, csv.columns));
  const { spec, issues } = parseLabels(input, { file });
  return { spec, issues: placed(issues, file, csv), input, csv, notes: csv.issues };
}

function refuseTable(file: string, text: string, entries: CsvEntries<Column>["entries"]): void {
  const jump = entries.find(({ cells }) => cells.get("result")?.text.startsWith("->"))?.cells.get("result");
  const columns = columnsOf(text.split(/[\r\n]/, 1)[0]);
  if (jump === undefined && !TABLE_COLUMNS.some((name) => columns.includes(name))) return;
  const where = { file, line: jump?.line ?? 1, column: jump?.column };
  const [expected, remedy] = ["a list, in which no entry leads to a row", `Run "rollmill table roll ${file}"`];
  fail(error("weights.invalid", { problem: "the file is a table with rows, not a list", expected, remedy, where }));
}

/** Converts a line of a CSV file to an entry. An empty result means nothing. Without a weight column, weights are 1. */
function inputOf(cells: ReadonlyMap<Column, CsvCell>, columns: ReadonlySet<Column>): object {
  const textOf = (column: Column) => cells.get(column)?.text;
  const weight = textOf("weight") ?? (columns.has("weight") ? undefined : "1");
  return { result: textOf("result") ?? null, weight: weight && numberOrText(weight), quantity: textOf("quantity") };
}

function placed(issues: readonly Issue[], file: string, csv: CsvEntries<Column>): readonly Issue[] {
  return issues.map((issue) => {
    const [, index, key] = /^\[(\d+)\](?:\.(\w+))?/.exec(issue.where.path ?? "") ?? [];
    const entry = csv.entries[Number(index ?? 0)];
    const { line, column = 1 } = entry?.cells.get(key as Column) ?? { line: entry?.line };
    return { ...issue, where: { file, line, column } };
  });
}
