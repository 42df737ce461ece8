import { error, fail } from "../errors/index.js";

/** The integers of a column, one for each row. */
export type IntegerValues = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array;

/** A column of texts, each stored separately. */
export interface TextColumn {
  readonly kind: "text";
  readonly name: string;
  readonly values: readonly string[];
}

/** A column of words. `indices` has the index of each row's word in the list `words`. A null word is an empty cell. */
export interface WordColumn {
  readonly kind: "word";
  readonly name: string;
  readonly words: readonly (string | null)[];
  readonly indices: Uint8Array | Uint16Array | Uint32Array;
}

/** A column of integers. */
export interface IntegerColumn {
  readonly kind: "integer";
  readonly name: string;
  readonly values: IntegerValues;
}

/** A column of exact decimals: row i is `values[i] / 10^decimals`. */
export interface DecimalColumn {
  readonly kind: "decimal";
  readonly name: string;
  readonly values: Int8Array | Int16Array | Int32Array;
  /** Number of decimal places, 1 … 18. */
  readonly decimals: number;
}

/** A named column of a table. */
export type Column = TextColumn | WordColumn | IntegerColumn | DecimalColumn;

/** Returns the number of rows of a column. */
function rowsOf(column: Column): number {
  return column.kind === "word" ? column.indices.length : column.values.length;
}

/**
 * Checks the columns of a table, and returns the number of rows.
 *
 * @throws RollmillError `argument.range` if there is no column, two columns have the same name, lengths differ, or
 * `decimals` is out of range.
 */
export function checkColumns(columns: readonly Column[]): number {
  if (columns.length === 0)
    fail(error("argument.range", { problem: "the table has no columns", expected: "one column or more" }));
  const rows = rowsOf(columns[0]);
  const names = new Set<string>();
  for (const column of columns) {
    const where = { path: column.name };
    if (names.has(column.name)) fail(error("argument.range", { problem: "two columns have the same name", where }));
    names.add(column.name);
    const got = rowsOf(column);
    const expected = `${rows} rows, as in the column ${JSON.stringify(columns[0].name)}`;
    if (got !== rows)
      fail(error("argument.range", { problem: "a column has a different number of rows", got, expected, where }));
    if (column.kind === "decimal") checkDecimals(column);
  }
  return rows;
}

function checkDecimals({ name, decimals }: DecimalColumn): void {
  if (Number.isInteger(decimals) && decimals >= 1 && decimals <= 18) return;
  const expected = "an integer from 1 to 18";
  fail(
    error("argument.range", {
      problem: '"decimals" is out of range',
      got: decimals,
      expected,
      where: { path: name },
    }),
  );
}

/**
 * Checks that a batch has the columns of the first batch: the same names, kinds and decimals, in the same order.
 *
 * @throws RollmillError `argument.range` if the batch has other columns.
 */
export function checkSameColumns(first: readonly Column[], batch: readonly Column[]): void {
  const shape = (columns: readonly Column[]) => columns.map((column) => `${column.name} ${shapeOf(column)}`).join();
  if (shape(first) === shape(batch)) return;
  const expected = `${first.map(({ name }) => name).join(", ")}, with the same kinds and decimals`;
  fail(error("argument.range", { problem: "a batch and the first batch have different columns", expected }));
}

function shapeOf(column: Column): string {
  if (column.kind === "decimal") return `decimal ${column.decimals}`;
  return column.kind === "integer" && isUnsigned32(column) ? "unsigned" : column.kind;
}

/** Whether the integers of a column can exceed a signed 32-bit integer. */
export function isUnsigned32({ values }: IntegerColumn): boolean {
  return values instanceof Uint32Array;
}
