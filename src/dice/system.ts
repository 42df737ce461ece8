import type { System } from "../calls/index.js";
import { compileDice } from "./compile.js";
import { Dice } from "./dice.js";
import { parseDice } from "./parse.js";
import type { DiceOptions, DicePlan, DiceSpec } from "./types.js";

/** Tells a mill how to parse, compile and open dice. */
export const dice: System<DiceOptions, DiceSpec, DicePlan, Dice> = {
  noun: "dice",
  options: ["file"],
  parse: (input, { file }) => parseDice(input, { file }),
  compile: compileDice,
  open: (setup) => new Dice(setup),
};
