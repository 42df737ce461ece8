import type { System } from "../../calls/index.js";
import type { WeightedOptions } from "../types.js";
import { compileNoRepeats, type NoRepeatsPlan } from "./compile.js";
import { NoRepeats, RecentState } from "./noRepeats.js";
import { type NoRepeatsSpec, parseNoRepeats } from "./parse.js";

/** Tells a mill how to parse, compile and open a list without repeats. */
export const noRepeats: System<
  WeightedOptions,
  NoRepeatsSpec,
  NoRepeatsPlan,
  NoRepeats<string | null, unknown>,
  RecentState
> = {
  noun: "noRepeats",
  options: ["file"],
  parse: (input, { file }) => parseNoRepeats(input, { file }),
  compile: compileNoRepeats,
  state: (plan) => (saved) => new RecentState(saved, plan),
  open: (setup) => new NoRepeats(setup),
};
