import type { WeightedPlan, WeightedSpec } from "./types.js";

/** Lays the weights out for the kernel. Pure. Cost: O(n). */
export function compileWeighted({ weights, total }: WeightedSpec): WeightedPlan {
  return { weights: Uint32Array.from(weights), total };
}
