import type { System } from "../calls/index.js";
import { compileLabelled, compileWeighted, type LabelledPlan, type WeightedPlan } from "./compile.js";
import { LabelledList } from "./labelledList.js";
import { parseLabels, parseWeights } from "./parse.js";
import type { LabelledSpec, WeightedOptions, WeightedSpec } from "./types.js";
import { WeightedList } from "./weightedList.js";

/** Tells a mill how to parse, compile and open a weighted list. */
export const weighted: System<WeightedOptions, WeightedSpec, WeightedPlan, WeightedList> = {
  noun: "weighted",
  options: ["file"],
  parse: (input, { file }) => parseWeights(input, { file }),
  compile: compileWeighted,
  open: (setup) => new WeightedList(setup),
};

/** Tells a mill how to parse, compile and open a labelled list. */
export const labelled: System<WeightedOptions, LabelledSpec, LabelledPlan, LabelledList<string | null, unknown>> = {
  noun: "weighted",
  options: ["file"],
  parse: (input, { file }) => parseLabels(input, { file }),
  compile: compileLabelled,
  open: (setup) => new LabelledList(setup),
};
