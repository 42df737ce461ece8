import type { LabelledPlan, LabelledSpec, WeightedPlan, WeightedSpec } from "./types.js";

export function compileWeighted({ weights, total }: WeightedSpec): WeightedPlan {
  return { weights: Uint32Array.from(weights), total };
}

export function compileLabelled(spec: LabelledSpec): LabelledPlan {
  const { labels, quantities } = spec;
  return { ...compileWeighted(spec), labels, quantities };
}
