import type { Amount } from "../amounts/index.js";
import type { BulkOptions } from "../calls/index.js";

/** Parsed dice: the sum of `count` dice, each with the faces 1 … `sides`, plus `plus`. */
export type DiceSpec = Amount;

/** Dice for the kernel. A roll is `least` plus the sum of the dice of `amount`, each with the faces 0 … `sides` − 1. */
export interface DicePlan {
  readonly amount: Amount;
  readonly least: number;
  readonly most: number;
}

/** Options of `mill.dice` and `mill.int`. */
export interface DiceOptions {
  /** The file that the dice came from. Messages name it. */
  readonly file?: string | undefined;
}

/** Options of a call that makes many rolls. */
export type DiceRollOptions = BulkOptions;
