import type { Amount, FormOf, QuantityIn } from "../amounts/index.js";
import type { AtOptions, BulkOptions, Odds } from "../calls/index.js";
import type { Fraction } from "../fractions.js";
import type { LabelledTable, ScriptId, TableObject, Weight } from "./parse/input.js";

/** The source of a table: a text, an object, or a spec that `parseTable` returned. The text is 2DA, CSV or JSON. */
export type TableSource = string | TableObject | LabelledTable | TableSpec;

/** The target of a parsed column: a result, or a jump to a row. Rows are numbered from 0. */
export type Target =
  | { readonly result: string | null; readonly quantity?: Amount | undefined }
  | { readonly jump: number };

/** One column of a parsed row. */
export type ColumnSpec = Target & { readonly weight: Weight };

type ColumnOf<Input> = Input extends { readonly rows: readonly { readonly columns: readonly (infer Column)[] }[] }
  ? Column
  : Input extends { readonly rows: Readonly<Record<string, readonly (infer Column)[]>> }
    ? Column
    : never;

type ResultIn<Column> = Column extends { readonly result: infer Result extends string | null } ? Result : never;

/** The type of a table's results, without null: a union of the results of a literal table, else string. */
export type ResultOf<Input> = unknown extends Input
  ? string
  : Input extends string
    ? string
    : Exclude<ResultIn<ColumnOf<Input>>, null>;

type TableQuantity<Input> = unknown extends Input
  ? "perhaps"
  : Input extends string
    ? "perhaps"
    : QuantityIn<Extract<ColumnOf<Input>, { readonly result: unknown }>>;

/** The type that a roll returns: a result, or a `Stack` if the table has quantities. Null stands for nothing. */
export type RollOf<Input> = FormOf<ResultOf<Input>, TableQuantity<Input>> | null;

/** A parsed row. In a 2DA file, the columns after a gap are left out. */
export interface RowSpec {
  readonly label: string | undefined;
  /** In a 2DA file, column N is the pair RandomN / RandomNWeight. */
  readonly columns: readonly ColumnSpec[];
  /** The line of the row in its file, from 1. Undefined if the table came from an object. */
  readonly line: number | undefined;
  /** The line of each column. Set only if each column has a separate line, as in CSV. */
  readonly lines?: readonly number[];
  /** For each column, the positions of its target and of its weight in the line, in characters from 1. */
  readonly places: readonly number[] | undefined;
}

/** A valid table, as plain data: every jump leads to a row. `Input` is the type of the parsed input. */
export interface TableSpec<Input = unknown> {
  readonly file: string | undefined;
  readonly rows: readonly RowSpec[];
  /** The other files of the table, whose rows follow in this order. */
  readonly linked?: readonly LinkedFile[];
  /** Never set. It only carries the type `Input`. */
  readonly input?: Input;
}

/** A file that other files of a table jump to. */
export interface LinkedFile {
  readonly file: string;
  /** The number of the file's first row in the whole table. */
  readonly first: number;
}

/** A table as flat arrays. Row r has the columns from `rowStart[r]` to `rowStart[r + 1]` − 1. */
export interface TablePlan {
  readonly name: string | undefined;
  readonly spec: TableSpec;
  readonly rowStart: Uint32Array;
  /** The target of each column: an index into {@link results}, or `~row` for a jump. */
  readonly target: Int32Array;
  /** The weight of each column; 0 if a script returns the weight. */
  readonly weight: Uint32Array;
  /** The script of each column: an index into {@link scriptIds}; −1 for a fixed weight. */
  readonly script: Int32Array;
  readonly scriptIds: readonly ScriptId[];
  /** The distinct results, in order of first appearance; null for nothing. A result has one entry for each quantity. */
  readonly results: readonly (string | null)[];
  /** The quantity of each entry of {@link results}, then 0 for no result. Undefined if no column has a quantity. */
  readonly quantities: readonly Amount[] | undefined;
}

/** Returns the weight, 0 … 2³² − 1, of a script whose id is a number. `context` is the option `context`. */
export type Script = (id: number, context: unknown) => number;

/** Returns the weight of a script with a name, like {@link Script}. */
export type NamedScript = (context: unknown) => number;

/** Called with the id of a script after its column has won. One-shots record here that they were used. */
// the type of a method: TypeScript then also accepts a function of a number, for tables whose scripts have no names
export type ChosenCallback = { chosen(id: ScriptId, context: unknown): void }["chosen"];

/** A built-in set of scripts with its arguments, as plain data. `spent` lists the ids of used one-shots. */
export type ScriptSetArgs =
  | { readonly set: "random_default"; readonly now?: string }
  | { readonly set: "nwangband"; readonly level?: number; readonly type?: number; readonly spent?: readonly number[] };

/** The name of a built-in set of scripts. */
export type ScriptSetName = ScriptSetArgs["set"];

/** Your own script function, or a built-in set: its name, or its name with arguments. */
export type ScriptChoice = Script | ScriptSetName | ScriptSetArgs;

/** Options that decide the script weights. The options of a call override the options of the table. */
export interface ScriptOptions {
  /** Returns the weights of script ids that are numbers. Default: `random_default` with the time of the mill. */
  readonly script?: ScriptChoice | undefined;
  /** The scripts that have names, such as `{ isNight: () => 3 }`. */
  readonly scripts?: Readonly<Record<string, NamedScript>> | undefined;
  /** Called with the script id of each scripted column that wins. With it, the default `mode` is `live`. */
  readonly chosen?: ChosenCallback | undefined;
  /** Passed to `script`, to `scripts` and to `chosen`. */
  readonly context?: unknown;
  /** Constant weights by script id. The script is not called for these ids. */
  readonly weights?: Readonly<Record<string, number>> | ReadonlyMap<ScriptId, number> | undefined;
}

/** Options of a table, and of each call. */
export interface TableOptions extends ScriptOptions {
  /** The row that rolls start from, as a number or a label. Default 0. */
  readonly start?: number | string | undefined;
  /** If a roll ends on a dead row, it returns `null` (default) or throws the error `table.dead`. */
  readonly onDead?: "null" | "throw" | undefined;
  /**
   * Decides when the scripts are called. A pure script gives the same results in both modes.
   *
   * - `frozen`: once for each script id that a roll can reach, at the start of the call. The kernel makes all rolls
   *   with these weights.
   * - `live`: again each time a roll visits a row. Rolls are made one at a time.
   *
   * The default for a single roll with scripts is `live`. A bulk call is `live` by default in two cases: there is a
   * `chosen` callback, or a roll can reach a built-in one-shot script. In all other cases, it is `frozen`.
   */
  readonly mode?: "frozen" | "live" | undefined;
  /**
   * Maximum number of rows that one roll can visit, 1 … 2^31 − 1. Default 10,000. An abort signal is
   * checked between batches of rolls. If rolls jump in circles, a large maximum makes batches slow and delays an abort.
   */
  readonly maxHops?: number | undefined;
}

/** Options of `parseTable`. */
export interface ParseTableOptions {
  /** The file that the source came from. Its extension decides how a text is read. Messages name the file. */
  readonly file?: string | undefined;
  /** The contents of the files that jumps lead to, by their paths relative to the folder of the first file. */
  readonly files?: Readonly<Record<string, string | TableObject | LabelledTable>> | undefined;
}

/** Options of `mill.table`. */
export interface TableSetup extends TableOptions, ParseTableOptions {
  /**
   * The text of a payload table, 2DA or CSV. `table.payload(result)` returns the row of a result. The rows' labels are
   * in the column `Label` of a 2DA, or in the first column of a CSV, which must have a header.
   */
  readonly payload?: string | undefined;
}

/** Options of a single roll. */
export interface RollOptions extends TableOptions, AtOptions {}

/** Options of a call that makes many rolls. */
export interface RollManyOptions extends TableOptions, BulkOptions {}

/**
 * The exact odds of one roll: every result of the table, in order of first appearance. All probabilities, `none` and
 * `endless` add up to exactly 1.
 */
export interface TableOdds<Result extends string = string> extends Odds<Result> {
  /** The probability that the roll enters a loop without an exit under these weights. */
  readonly endless: Fraction;
  /** The expected number of visited rows, including the start row. Null if `endless` is not 0. */
  readonly rowsVisited: Fraction | null;
  /** The rows that the roll can visit, in the order of their numbers. */
  readonly rows: readonly RowOdds[];
}

/** A row that a roll can visit under the current weights. */
export interface RowOdds {
  /** The number of the row, from 0. */
  readonly row: number;
  readonly label: string | undefined;
  /**
   * The expected number of visits of this row in one roll. Null if the row is in a loop without an exit. The visits of
   * all rows are computed when they are first read.
   */
  readonly visits: Fraction | null;
}

/** The ids of rolls: indices into the results, or the number of results for a roll that ended on a dead row. */
export type Ids = Uint16Array | Uint32Array;
