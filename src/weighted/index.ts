export { MAX_ENTRIES, parseWeights } from "./parse.js";
export { weighted } from "./system.js";
export type { PickOptions, WeightedOptions, WeightedSpec, WeightsInput } from "./types.js";
export { WeightedList } from "./weightedList.js";
