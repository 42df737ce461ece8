// The part of the kernel for plan files that checks a file and says what is in it, for the library (src/kernel/plans.ts).

export { allocate } from "../core/memory";
export { loadPlan } from "./load";
export { nounCount, nounKind, nounLabels, nounLabelsBytes, nounName, nounNameBytes } from "./nouns";
export { failedAt } from "./reader";
