import type { Amount, AmountInput, FormOf, QuantityIn } from "../amounts/index.js";
import type { AtOptions, BulkOptions, Odds } from "../calls/index.js";
import type { RatioInput } from "../decimals.js";
import type { Fraction } from "../fractions.js";

/** The largest weight and the largest total of a row: 2³² − 1. */
export const MAX_WEIGHT = 0xffff_ffff;

// ── input ──

/** A fixed weight, an integer 0 … 2³² − 1, or the id (0 … 2³² − 1) of a script that returns one. */
export type Weight = number | { readonly script: number };

/** A result: a text, or null for nothing. If it has a quantity, a roll returns `{ result, quantity }`. */
export interface ResultInput {
  readonly result: string | null;
  /** How many: dice "2d6+1", a range "2-5" or an integer, never negative. Default 1. */
  readonly quantity?: AmountInput | undefined;
}

/**
 * A jump to a row: its number, from 0; its label; or a row of another file, such as "gems.csv" (its first row) or
 * "gems.csv#Rare". The path of a file starts at the folder of the first file.
 */
export interface JumpInput {
  readonly jump: number | string;
}

/**
 * One column of a row. If no column of the row has a script, a weight may also be a decimal or a fraction, such as
 * "1/3" or `{ n: 1, d: 3 }`. All weights of the row are then multiplied by the smallest number that makes them
 * integers.
 */
export type ColumnInput = (ResultInput | JumpInput) & { readonly weight: Weight | RatioInput };

/** The target of a parsed column: a result, or a jump to a row. Rows are numbered from 0. */
export type Target =
  | { readonly result: string | null; readonly quantity?: Amount | undefined }
  | { readonly jump: number };

/** One column of a parsed row. */
export type ColumnSpec = Target & { readonly weight: Weight };

/** One row of a table object. */
export interface RowInput {
  readonly label?: string | undefined;
  readonly columns: readonly ColumnInput[];
}

/**
 * A table as an object. Rows are numbered from 0. A row without columns is dead: a roll that visits it ends without a
 * result.
 *
 * @example
 * { rows: [{ label: "Start", columns: [{ result: "gold", weight: 10 }, { jump: 1, weight: { script: 2 } }] }, {
 * columns: [] }] }
 */
export interface TableObject {
  readonly rows: readonly RowInput[];
}

/**
 * A table as an object that maps the label of each row to its columns. The first row is row 0. As in every JavaScript
 * object, labels that are integers, such as "10", come first, in ascending order.
 *
 * @example
 * { rows: { Start: [{ result: "gold", weight: 10 }, { jump: "Gems", weight: 1 }], Gems: [{ result: "ruby", weight: 1 }] } }
 */
export interface LabelledTable {
  readonly rows: Readonly<Record<string, readonly ColumnInput[]>>;
}

/** The source of a table: the text of a 2DA, CSV or JSON file, an object, or the spec that `parseTable` returned. */
export type TableSource = string | TableObject | LabelledTable | TableSpec;

// ── types of results ──

/** The columns of a table that is given as an object. */
type ColumnOf<Input> = Input extends { readonly rows: readonly { readonly columns: readonly (infer Column)[] }[] }
  ? Column
  : Input extends { readonly rows: Readonly<Record<string, readonly (infer Column)[]>> }
    ? Column
    : never;

type ResultIn<Column> = Column extends { readonly result: infer Result extends string | null } ? Result : never;

/** The results of a table, without null: literal types if the table is a literal; any text for unknown input. */
export type ResultOf<Input> = unknown extends Input
  ? string
  : Input extends string
    ? string
    : Exclude<ResultIn<ColumnOf<Input>>, null>;

/** Whether the type of a table says that one of its columns has a quantity. */
type TableQuantity<Input> = unknown extends Input
  ? "perhaps"
  : Input extends string
    ? "perhaps"
    : QuantityIn<Extract<ColumnOf<Input>, { readonly result: unknown }>>;

/** What a roll returns: a result, or a `Stack` if the table has quantities; null for nothing. */
export type RollOf<Input> = FormOf<ResultOf<Input>, TableQuantity<Input>> | null;

// ── spec and plan ──

/**
 * Creates a column from an object literal. A table may have millions of columns, and a spread would reserve room for
 * more properties in each of them.
 */
export function columnOf(target: Target, weight: Weight): ColumnSpec {
  if ("jump" in target) return { jump: target.jump, weight };
  const { result, quantity } = target;
  return quantity === undefined ? { result, weight } : { result, weight, quantity };
}

/** A parsed row, without the columns after a gap. */
export interface RowSpec {
  readonly label: string | undefined;
  /** In a table from a 2DA file, column N is the pair RandomN / RandomNWeight. */
  readonly columns: readonly ColumnSpec[];
  /** The line of the row in the file, from 1; undefined for a row of an object. */
  readonly line: number | undefined;
  /** The line of each column, if the columns are on lines of their own, as in CSV. */
  readonly lines?: readonly number[];
  /**
   * Positions of the columns' cells in their line, in characters from 1. The target of column c is at `places[2 * c]`,
   * and its weight is at `places[2 * c + 1]`.
   */
  readonly places: readonly number[] | undefined;
}

/**
 * A table that parsed without errors: every jump leads to a row, every weight is in range. Plain data. `Input` is the
 * type of the input, for the results.
 */
export interface TableSpec<Input = unknown> {
  /** The file that the table came from, for messages. */
  readonly file: string | undefined;
  readonly rows: readonly RowSpec[];
  /** The files whose rows follow those of the first file, in the order of their rows; undefined if there are none. */
  readonly linked?: readonly LinkedFile[];
  /** Only a type: the input that was parsed. */
  readonly input?: Input;
}

/** A file whose rows are a part of a table. */
export interface LinkedFile {
  readonly file: string;
  /** The number of its first row. */
  readonly first: number;
}

/**
 * A table as flat arrays. Row r has the columns `rowStart[r]` up to but not including `rowStart[r + 1]`. Plain data,
 * never changed.
 */
export interface TablePlan {
  /** The name of the table, for messages. */
  readonly name: string | undefined;
  /** The compiled spec, with the labels and positions that messages show. */
  readonly spec: TableSpec;
  /** Index of the first column of each row, ascending from 0. The last entry is the number of columns. */
  readonly rowStart: Uint32Array;
  /** Target of each column: an index into {@link results} if it is ≥ 0, else a jump to row `~target`. */
  readonly target: Int32Array;
  /** Fixed weight of each column; 0 if a script returns the weight. */
  readonly weight: Uint32Array;
  /** Script of each column, as an index into {@link scriptIds}; −1 if the weight is fixed. */
  readonly script: Int32Array;
  /** The distinct script ids, in order of first appearance (row by row, column by column). */
  readonly scriptIds: readonly number[];
  /**
   * The distinct results, in order of first appearance; null for nothing. A result with several quantities is listed
   * once for each of them.
   */
  readonly results: readonly (string | null)[];
  /** The quantity of each result, and a last entry, 0, for no result; undefined if no column has a quantity. */
  readonly quantities: readonly Amount[] | undefined;
}

// ── scripts ──

/** Returns the weight of a script id: an integer 0 … 2³² − 1. The context is the value of the option `context`. */
export type Script = (id: number, context: unknown) => number;

/**
 * Called with the script id after a column with a script weight has won. One-shot scripts use it to record that they
 * were used.
 */
export type ChosenCallback = (id: number, context: unknown) => void;

/**
 * A built-in set of scripts with its arguments, as plain data that a manifest can record. `spent` lists the ids of the
 * one-shot scripts that are already used.
 */
export type ScriptSetArgs =
  | { readonly set: "random_default"; readonly now?: string }
  | { readonly set: "nwangband"; readonly level?: number; readonly type?: number; readonly spent?: readonly number[] };

/** The name of a built-in set of scripts. */
export type ScriptSetName = ScriptSetArgs["set"];

/** A script of your own, or a built-in set: its name, or its name and arguments. */
export type ScriptChoice = Script | ScriptSetName | ScriptSetArgs;

// ── options ──

/** Options that decide the script weights. The options of a call override those of the table. */
export interface ScriptOptions {
  /** Returns the weights of script ids. Default: `random_default` with the time of the mill. */
  readonly script?: ScriptChoice | undefined;
  /**
   * Called with the script id of each scripted column that wins. With this callback, bulk rolls are live by default:
   * see {@link TableOptions.mode}. Frozen rolls cannot call it: a call that has it and is frozen is refused.
   */
  readonly chosen?: ChosenCallback | undefined;
  /** Passed to both callbacks. */
  readonly context?: unknown;
  /** Constant weights by script id. The script is not called for these ids. */
  readonly weights?: Readonly<Record<number, number>> | ReadonlyMap<number, number> | undefined;
}

/** Options of a table, and of each call. */
export interface TableOptions extends ScriptOptions {
  /** The row that rolls start from: its number, or its label. Default 0. */
  readonly start?: number | string | undefined;
  /** The outcome of a roll that ends on a dead row: `null` (default), or the error `table.dead`. */
  readonly onDead?: "null" | "throw" | undefined;
  /**
   * `frozen`: at the start of the call, the script is called once for each id that a roll can reach, and the kernel
   * makes the rolls with these weights. `live`: scripts are called again each time a roll visits a row, one roll at a
   * time. A pure script gives the same results in both modes. Default: `live` for a single roll with scripts. Bulk
   * calls are `live` if there is a `chosen` callback, or if a roll can reach a one-shot script of a built-in set; else
   * they are `frozen`.
   */
  readonly mode?: "frozen" | "live" | undefined;
  /** Maximum number of rows that one roll can visit, 1 … 2^31 − 1. Default 10,000. */
  readonly maxHops?: number | undefined;
}

/** Options of `mill.table`. */
export interface TableSetup extends TableOptions {
  /** The file that the source came from. Its extension decides how a text is read; messages name the file. */
  readonly file?: string | undefined;
  /**
   * The contents of the files that jumps lead to. Each key is the path of a file, relative to the folder of the first
   * file.
   */
  readonly files?: Readonly<Record<string, string | TableObject | LabelledTable>> | undefined;
}

/** Options of a single roll. */
export interface RollOptions extends TableOptions, AtOptions {}

/** Options of a call that makes many rolls. */
export interface RollManyOptions extends TableOptions, BulkOptions {}

// ── results ──

/**
 * The exact odds of one roll. They list every result that a roll from `start` could reach under any script weights. A
 * result that the current weights exclude has probability 0. All probabilities, `none` and `endless` add up to exactly
 * 1.
 */
export interface TableOdds<Result extends string = string> extends Odds<Result> {
  /** The probability that the roll enters a loop without an exit under these weights. */
  readonly endless: Fraction;
  /** The expected number of rows visited, including the start row; null if `endless` is not 0. */
  readonly rowsVisited: Fraction | null;
  /** The rows that the roll can visit, in the order of their numbers. */
  readonly rows: readonly RowOdds[];
}

/** A row that a roll can visit under the current weights. */
export interface RowOdds {
  /** The number of the row, from 0. */
  readonly row: number;
  readonly label: string | undefined;
  /** The expected number of visits of this row in one roll; null if the row is in a loop without an exit. */
  readonly visits: Fraction | null;
}

/** The ids of rolls. An id is an index into the results; the number of results is the id of a roll without a result. */
export type Ids = Uint16Array | Uint32Array;
