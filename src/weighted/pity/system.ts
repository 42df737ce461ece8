import type { System } from "../../calls/index.js";
import type { ListState } from "../statefulList.js";
import type { WeightedOptions } from "../types.js";
import { compilePity, type PityPlan } from "./compile.js";
import type { Standing } from "./kernel.js";
import { type PitySpec, parsePity } from "./parse.js";
import { Pity, PityProgress } from "./pity.js";

/** Tells a mill how to parse, compile and open a list with pity. */
export const pity: System<WeightedOptions, PitySpec, PityPlan, Pity<string | null, unknown>, ListState<Standing>> = {
  noun: "pity",
  options: ["file"],
  parse: (input, { file }) => parsePity(input, { file }),
  compile: compilePity,
  state: (plan) => (saved) => new PityProgress(saved, plan),
  open: (setup) => new Pity(setup),
};
