export { bake } from "./bake.js";
export { type OpenPlanOptions, openPlan, type Plan, type PlannedNoun, type PlannedPools } from "./open.js";
export { readPlan } from "./read.js";
export type { PlanEntry, PlanItems, PlanKind, PlanNoun, PlanObjects, PlanRequest } from "./types.js";
