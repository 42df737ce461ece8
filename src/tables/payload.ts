import { error, fail, failOnErrors } from "../errors/index.js";
import { CsvPlaces, parseCsv, separatorOf } from "../formats/read/csv.js";
import { columnIndex, parseTwoDa } from "../formats/read/twoda.js";
import { checkText } from "../spec/index.js";
import { AMBIGUOUS, type Labels, labelsOf } from "./issues.js";

/** A row of a payload table: the text of each column, by the column's name. Null for an empty cell. */
export type PayloadRow = Readonly<Record<string, string | null>>;

export interface Payload {
  readonly columns: readonly string[];
  readonly rows: readonly PayloadRow[];
  readonly labels: Labels;
}

type Cells = readonly (string | null)[];

/**
 * Reads a 2DA, with row labels in the column `Label`. Reads any other text as CSV, with a header and row labels in
 * column 1. Throws `table.columns` for malformed CSV; `twoda.*`.
 */
export function parsePayload(text: string, file?: string): Payload {
  checkText("payload", text);
  const { columns, rows, label } = /^\ufeff?\s*2DA/.test(text) ? readTwoDa(text, file) : readCsv(text, file);
  return {
    columns,
    rows: rows.map((cells) => Object.fromEntries(columns.map((name, i) => [name, cells[i] ?? null]))),
    labels: labelsOf(rows.map((cells) => cells[label] ?? undefined)),
  };
}

/** Returns the row whose label equals the result. If no label does, reads the result as a row number. */
export function payloadRow({ rows, labels }: Payload, result: string): PayloadRow | undefined {
  const row = labels.get(result) ?? (/^\d+$/.test(result) ? Number(result) : undefined);
  if (row !== AMBIGUOUS) return row === undefined ? undefined : rows[row];
  const [problem, remedy] = ["several rows of the payload have this label", "Make the labels unique"];
  return fail(error("table.result", { problem, got: result, remedy }));
}

function readTwoDa(text: string, file: string | undefined) {
  const twoDa = parseTwoDa(text, { file });
  failOnErrors(twoDa.issues);
  const [columns, rows] = [twoDa.columns.map(({ name }) => name), twoDa.rows.map(({ texts }): Cells => texts)];
  return { columns, rows, label: columnIndex(twoDa, "Label") };
}

function readCsv(given: string, file: string | undefined) {
  const text = given.replace(/^\ufeff/, "");
  const separator = separatorOf(text);
  const refuse = (offset: number, finding: { readonly problem: string; readonly expected?: string }) => {
    const where = { file, ...new CsvPlaces(text, separator).placeAt(offset) };
    return fail(error("table.columns", { ...finding, where }));
  };
  const records: Cells[] = [];
  const flaw = parseCsv(
    text,
    ({ cells, offset }) => {
      const row = cells.map((cell) => cell.trim() || null);
      const [columns = row] = records;
      if (row.length > columns.length) refuse(offset, { problem: "a line has more cells than the header" });
      return records.push(row) > 0;
    },
    separator,
  );
  if (flaw !== undefined) return refuse(flaw.offset, flaw);
  const [columns = [], ...rows] = records;
  const names = columns.filter((name) => name !== null);
  if (names.length === 0 || new Set(columns).size < columns.length || names.length < columns.length) {
    const expected = "a first line with a different name for each column";
    refuse(0, { problem: "invalid header of a payload", expected });
  }
  return { columns: names, rows, label: 0 };
}
