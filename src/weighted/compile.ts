import type { LabelledPlan, LabelledSpec, WeightedPlan, WeightedSpec } from "./types.js";

/** Lays the weights out for the kernel. Pure. Cost: O(n). */
export function compileWeighted({ weights, total }: WeightedSpec): WeightedPlan {
  return { weights: Uint32Array.from(weights), total };
}

/** Lays a labelled list out for the kernel. Pure. Cost: O(n). */
export function compileLabelled(spec: LabelledSpec): LabelledPlan {
  const { labels, quantities } = spec;
  return { ...compileWeighted(spec), labels, quantities };
}
