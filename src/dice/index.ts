export type { Amount, AmountInput } from "../amounts/index.js";
export { Dice } from "./dice.js";
export { type DiceInput, type Interval, parseDice } from "./parse.js";
export { dice } from "./system.js";
export type { DiceOptions, DiceRollOptions, DiceSpec } from "./types.js";
