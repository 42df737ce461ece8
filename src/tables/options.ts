import type { LongCall } from "../calls/index.js";
import type { ScriptSetArgs, ScriptSetName } from "./scripts.js";
import type { ChosenCallback, Script } from "./types.js";

/** A script of the caller's, or a built-in set by name, or by name with its arguments. */
export type ScriptChoice = Script | ScriptSetName | ScriptSetArgs;

/** What decides a table's script weights. A call's own options go before the table's. */
export interface ScriptOptions {
  /** Answers the script ids. Default `random_default` with the mill's clock. */
  readonly script?: ScriptChoice;
  /** Told the id of each scripted column that wins. Makes bulk rolls live. */
  readonly chosen?: ChosenCallback;
  /** Passed to both callbacks. */
  readonly context?: unknown;
  /** Constant answers by script id, before any script is asked. */
  readonly weights?: Readonly<Record<number, number>> | ReadonlyMap<number, number>;
}

/** What a table can be given when it is made, and again with any call. */
export interface TableOptions extends ScriptOptions {
  /** The row that rolls start from. Default 0. */
  readonly start?: number;
  /** What a dead roll is: `null` (default), or a typed error. */
  readonly onDead?: "null" | "throw";
  /**
   * `frozen`: every script id in reach is asked once per call, and the rolls run in the kernel. `live`: scripts are asked
   * on every visit, one roll at a time. The results are the same for a pure script. Default: live where something listens
   * for what was chosen (a `chosen` callback, or a one-shot of a built-in set in reach), else frozen.
   */
  readonly mode?: "frozen" | "live";
  /** Rows that one roll may visit, 1 … 2^31 − 1. Default 10,000. */
  readonly maxHops?: number;
}

/** What a call that rolls takes. */
export interface RollOptions extends TableOptions, LongCall {
  /** Index of the first roll, 0 … 2^42 − 1. Without it the table's cursor is, and moves on. */
  readonly from?: number;
}

/** Options of a table, when a mill opens it. */
export interface TableSetup extends TableOptions {
  /** The file that it came from, for messages. */
  readonly file?: string | undefined;
}
