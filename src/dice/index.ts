export type { Amount, AmountInput } from "../amounts/index.js";
export { Dice } from "./dice.js";
export { parseDice } from "./parse.js";
export { dice } from "./system.js";
export type { DiceInput, DiceOptions, DiceRollOptions, DiceSpec, Interval } from "./types.js";
