import type { Amount, AmountInput } from "../amounts/index.js";
import type { BulkOptions } from "../calls/index.js";

/** A whole number from `least` to `most`, both inclusive. */
export interface Interval {
  readonly least: number;
  readonly most: number;
}

/** Dice as users write them: "2d6+1", "d20", an integer, an interval, or a range "2-5" with both ends included. */
export type DiceInput = AmountInput | Interval;

/** Parsed dice: the sum of `count` dice, each with the faces 1 … `sides`, plus `plus`. */
export type DiceSpec = Amount;

/** Dice in the form for the kernel: `least` plus the sum of `count` dice that show 0 … `sides` − 1. */
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
