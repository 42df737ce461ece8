/** The largest weight and the largest total of a row: 2³² − 1. */
export const MAX_WEIGHT = 0xffff_ffff;

/** What a column leads to: a result, always a string, or a jump to a row (from 0). */
export type Target = { readonly result: string } | { readonly jump: number };

/** A fixed weight, an integer 0 … 2³² − 1, or the id (0 … 2³² − 1) of a script that answers one. */
export type Weight = number | { readonly script: number };

/** One column of a row. */
export type ColumnInput = Target & { readonly weight: Weight };

/** A column of its two parts. A table may have millions: no spread, which would leave room for more properties. */
export function columnOf(target: Target, weight: Weight): ColumnInput {
  return "result" in target ? { result: target.result, weight } : { jump: target.jump, weight };
}

/**
 * A table as an object. Rows are numbered from 0; a row without columns is dead. A label is for people and decides
 * nothing. Further properties are ignored.
 *
 * @example
 * { rows: [{ label: "Start", columns: [{ result: "gold", weight: 10 }, { jump: 1, weight: { script: 2 } }] }, { columns: [] }] }
 */
export interface TableObject {
  readonly rows: readonly { readonly label?: string; readonly columns: readonly ColumnInput[] }[];
}

/** Where a table may come from: the text of a 2DA file, or an object. */
export type TableSource = string | TableObject;

/** A row as parsed: only the columns that count. */
export interface RowSpec {
  readonly label: string | undefined;
  /** A column's position is the N of its RandomN pair. */
  readonly columns: readonly ColumnInput[];
  /** The row's line in the file, from 1; undefined for an object's. */
  readonly line: number | undefined;
  /** Where column c stands in that line, in characters from 1: its target at `2c`, its weight at `2c + 1`. */
  readonly places: readonly number[] | undefined;
}

/** A table that parsed without errors: every jump leads to a row, every weight is in range. Plain data. */
export interface TableSpec {
  /** What messages call the table. */
  readonly name: string | undefined;
  /** The file that it came from, for messages. */
  readonly file: string | undefined;
  readonly rows: readonly RowSpec[];
}

/**
 * A table as flat arrays, for the kernel and for the analyses. The columns of row r are `rowStart[r]` up to but not
 * including `rowStart[r + 1]`. Plain data; nothing in it changes.
 */
export interface TablePlan {
  /** What it was compiled from: labels and places for messages. */
  readonly spec: TableSpec;
  /** One more than there are rows; ascending from 0. */
  readonly rowStart: Uint32Array;
  /** For each column: ≥ 0 an index into {@link results}, < 0 a jump to row `~target`. */
  readonly target: Int32Array;
  /** For each column: its fixed weight, 0 where a script decides. */
  readonly weight: Uint32Array;
  /** For each column: an index into {@link scriptIds}, −1 where the weight is fixed. */
  readonly script: Int32Array;
  /** The distinct script ids, in order of first appearance (row by row, column by column). */
  readonly scriptIds: readonly number[];
  /** The distinct results, in order of first appearance. */
  readonly results: readonly string[];
}

/** Answers a script id with a weight: an integer 0 … 2³² − 1. The context is whatever the caller passed with the roll. */
export type Script = (id: number, context: unknown) => number;

/** Told after a pick that the column of this script id has won, so that a one-shot weight can mark itself used. */
export type ChosenCallback = (id: number, context: unknown) => void;
