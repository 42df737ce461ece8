export { bake } from "./bake.js";
export { readPlan } from "./read.js";
export type { PlanEntry, PlanKind, PlanNoun, PlanOptions, PlanRequest } from "./types.js";
