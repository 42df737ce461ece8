export { bake } from "./bake.js";
export { readPlan } from "./read.js";
export type { PlanEntry, PlanItems, PlanKind, PlanNoun, PlanObjects, PlanRequest } from "./types.js";
