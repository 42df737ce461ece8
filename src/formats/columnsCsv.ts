import { type Column, checkColumns, checkSameColumns } from "./columns.js";

/** Lines joined before they are handed on. */
const LINES_PER_CHUNK = 2 ** 14;

/**
 * Columns as CSV text (RFC 4180, but lines end in LF): a line of names, then one a row. A field with a comma, a quote or a
 * line break stands in quotes, nothing is an empty field, and decimals are written exactly, without needless zeros.
 *
 * Cost: the whole text in memory; {@link csvChunks} holds 2¹⁴ lines of it.
 *
 * @throws RollmillError `argument.range` as {@link csvChunks}.
 */
export function toCsv(columns: readonly Column[]): string {
  return [...csvChunks([columns])].join("");
}

/**
 * The same of batches, each with the columns of the first: in pieces, made as they are asked for.
 *
 * @throws RollmillError `argument.range` for columns that do not go together.
 */
export function* csvChunks(batches: Iterable<readonly Column[]>): Generator<string, void> {
  let first: readonly Column[] | undefined;
  for (const columns of batches) {
    const rows = checkColumns(columns);
    if (first === undefined) yield `${columns.map(({ name }) => field(name)).join(",")}\n`;
    first ??= columns;
    checkSameColumns(first, columns);
    const cells = columns.map(cellsOf);
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

/** What a column has in a row, as it is written. */
function cellsOf(column: Column): (row: number) => string {
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

// exact up to 15 digits as the double nearest to it, whose shortest form is the decimal itself (ECMA-262, Number::toString);
// 32 bits are ten digits, but small values with many decimals would come out as 1e-7
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

function field(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
