import type { System } from "../calls/index.js";
import { compileWeighted } from "./compile.js";
import { parseWeights } from "./parse.js";
import type { WeightedOptions, WeightedPlan, WeightedSpec } from "./types.js";
import { WeightedList } from "./weightedList.js";

/** How a mill parses, compiles and opens a weighted list. */
export const weighted: System<WeightedOptions, WeightedSpec, WeightedPlan, WeightedList> = {
  noun: "weighted",
  options: ["file"],
  parse: (input, { file }) => parseWeights(input, { file }),
  compile: compileWeighted,
  open: (setup) => new WeightedList(setup),
};
