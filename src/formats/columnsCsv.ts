import { type Column, checkColumns, checkSameColumns } from "./columns.js";
import { csvField } from "./csv.js";

/** The most lines of a chunk. */
const LINES_PER_CHUNK = 2 ** 14;

/**
 * Writes columns as CSV (RFC 4180, but lines end in LF): a line of names, then one line for each row. A field with a
 * comma, a quote or a line break is quoted, an empty cell is an empty field, and decimals are exact, without trailing
 * zeros.
 *
 * Cost: the whole text in memory; {@link csvChunks} needs memory for 2¹⁴ lines.
 *
 * @throws RollmillError `argument.range` as {@link csvChunks}.
 */
export function toCsv(columns: readonly Column[]): string {
  return [...csvChunks([columns])].join("");
}

/**
 * As {@link toCsv}, for batches of rows and lazily: yields the text in chunks. All batches have the columns of the
 * first.
 *
 * @throws RollmillError `argument.range` for columns with different lengths or one name, or a batch with other columns.
 */
export function* csvChunks(batches: Iterable<readonly Column[]>): Generator<string, void> {
  let first: readonly Column[] | undefined;
  for (const columns of batches) {
    const rows = checkColumns(columns);
    if (first === undefined) yield `${columns.map(({ name }) => csvField(name)).join(",")}\n`;
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

/** The fields of a column, by row. */
function cellsOf(column: Column): (row: number) => string {
  switch (column.kind) {
    case "text":
      return (row) => csvField(column.values[row]);
    case "word": {
      const fields = column.words.map((word) => (word === null ? "" : csvField(word)));
      return (row) => fields[column.indices[row]];
    }
    case "integer":
      return (row) => String(column.values[row]);
    case "decimal":
      return decimals(column.values, column.decimals);
  }
}

// The quotient is the double nearest to a decimal of at most 15 digits, and its shortest form is that decimal
// (ECMA-262, Number::toString). 32 bits have ten digits. With more than 6 decimals, String would write small values as
// 1e-7.
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
