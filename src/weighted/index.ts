export { compileWeighted } from "./compile.js";
export { weightedOdds } from "./odds.js";
export { MAX_ENTRIES, parseWeights } from "./parse.js";
export { weighted } from "./system.js";
export type { PickOptions, WeightedOptions, WeightedPlan, WeightedSpec, WeightsInput } from "./types.js";
export { WeightedList } from "./weightedList.js";
