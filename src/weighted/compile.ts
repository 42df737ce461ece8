import type { LabelledPlan, LabelledSpec, WeightedPlan, WeightedSpec } from "./types.js";

/** Compiles weights to the form for the kernel. A pure function. Cost: O(n). */
export function compileWeighted({ weights, total }: WeightedSpec): WeightedPlan {
  return { weights: Uint32Array.from(weights), total };
}

/** Compiles a labelled list to the form for the kernel. A pure function. Cost: O(n). */
export function compileLabelled(spec: LabelledSpec): LabelledPlan {
  const { labels, quantities } = spec;
  return { ...compileWeighted(spec), labels, quantities };
}
