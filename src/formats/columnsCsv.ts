import { readOptions } from "../spec/index.js";
import { type Column, checkSameColumns, readBatches } from "./columns.js";
import { type CsvOptions, textField } from "./csv.js";

/** Maximum number of lines in a chunk. */
const LINES_PER_CHUNK = 2 ** 14;

/**
 * Writes columns as CSV (RFC 4180, but lines end in LF). The first line has the column names; each later line has one
 * row. A field with a comma, a quote or a line break is quoted. A null word is an empty field. Decimals are exact and
 * have no trailing zeros. An apostrophe comes before a text that a spreadsheet would run as a formula; `rawCells` turns
 * this off.
 *
 * Cost: memory for the whole text. {@link csvChunks} needs memory for only 2¹⁴ lines.
 *
 * @throws The errors of {@link csvChunks}.
 */
export function toCsv(columns: readonly Column[], options: CsvOptions = {}): string {
  return [...csvChunks([columns], options)].join("");
}

/**
 * Writes batches of rows as CSV, in the format of {@link toCsv}. Yields the text lazily, in chunks. All batches must
 * have the columns of the first batch.
 *
 * @throws RollmillError `argument.type` for anything but columns; `argument.range` for columns of a batch that differ in length or have the same name, and for a
 * batch with other columns than the first batch.
 */
export function* csvChunks(batches: Iterable<readonly Column[]>, options: CsvOptions = {}): Generator<string, void> {
  const field = textField(readOptions("csvChunks", options, ["rawCells"]));
  let first: readonly Column[] | undefined;
  for (const { columns, rows } of readBatches(batches)) {
    if (first === undefined) yield `${columns.map(({ name }) => field(name)).join(",")}\n`;
    first ??= columns;
    checkSameColumns(first, columns);
    const cells = columns.map((column) => cellsOf(column, field));
    for (let from = 0; from < rows; from += LINES_PER_CHUNK) {
      const lines: string[] = [];
      for (let row = from; row < Math.min(rows, from + LINES_PER_CHUNK); row++) {
        let line = "";
        for (const cell of cells) line += `${cell(row)},`;
        lines.push(line.slice(0, -1));
      }
      yield `${lines.join("\n")}\n`;
    }
  }
}

/** Returns a function that maps the index of a row to the text of the column's field in that row. */
function cellsOf(column: Column, field: (text: string) => string): (row: number) => string {
  switch (column.kind) {
    case "text":
      return (row) => field(column.values[row]);
    case "word": {
      const fields = column.words.map((word) => (word === null ? "" : field(word)));
      return (row) => fields[column.indices[row]];
    }
    case "integer":
      return (row) => String(column.values[row]);
    case "decimal":
      return decimals(column.values, column.decimals);
  }
}

// With at most 6 decimals, String(value / 10^places) is exact, for the following reason. The integers have 32 bits, so
// the exact quotient is a decimal with at most 10 digits. The division returns the double nearest to it. Two decimals
// with at most 15 digits never have the same nearest double. String returns the shortest decimal whose nearest double
// is the given one (ECMA-262, Number::toString), and that is the exact quotient. With more than 6 decimals, String
// would write small values with an exponent, such as 1e-7.
function decimals(values: ArrayLike<number>, places: number): (row: number) => string {
  const power = 10 ** places;
  if (places <= 6) return (row) => String(values[row] / power);
  return (row) => plainDecimal(values[row], places);
}

function plainDecimal(value: number, places: number): string {
  const digits = String(Math.abs(value)).padStart(places + 1, "0");
  const tail = digits.slice(-places).replace(/0+$/, "");
  return `${value < 0 ? "-" : ""}${digits.slice(0, -places)}${tail === "" ? "" : `.${tail}`}`;
}
