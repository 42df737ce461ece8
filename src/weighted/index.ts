export { compileWeighted, MAX_ENTRIES, type WeightedPlan } from "./compile.js";
export { type PickOptions, WeightedList } from "./weightedList.js";
