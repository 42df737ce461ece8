import type { LabelledSpec, WeightedSpec } from "./types.js";

export interface WeightedPlan extends ReturnType<typeof compileWeighted> {}
export interface LabelledPlan extends ReturnType<typeof compileLabelled> {}

export function compileWeighted({ weights, total }: WeightedSpec) {
  return { weights: Uint32Array.from(weights), total };
}

export function compileLabelled(spec: LabelledSpec) {
  const { labels, quantities } = spec;
  return { ...compileWeighted(spec), labels, quantities };
}
