import type { System } from "../calls/index.js";
import { compileWeighted } from "./compile.js";
import { parseWeights } from "./parse.js";
import type { WeightedOptions, WeightedPlan, WeightedSpec } from "./types.js";
import { WeightedList } from "./weightedList.js";

/** Weighted lists, as a mill opens them. */
export const weighted: System<WeightedOptions, WeightedSpec, WeightedPlan, WeightedList> = {
  noun: "weighted",
  options: ["file"],
  parse: parseWeights,
  compile: compileWeighted,
  open: (setup) => new WeightedList(setup),
};
