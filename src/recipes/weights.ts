import { commonDivisor } from "../fractions.js";
import type { RecipeSpec } from "./types.js";

/** Returns the name of the weight column. Without one, all words have the weight 1. */
export function weightColumn({ stats, weight }: RecipeSpec): string | undefined {
  if (weight !== undefined) return weight;
  return stats.some(({ name }) => name === "weight") ? undefined : "weight";
}

/** Divides integers ≥ 0 by their greatest common divisor, so equal weights become 1. */
export function lowestTerms(weights: readonly number[]): readonly number[] {
  let divisor = 0;
  for (const weight of weights) {
    if (divisor === 1) return weights;
    divisor = commonDivisor(weight, divisor);
  }
  return divisor <= 1 ? weights : weights.map((weight) => weight / divisor);
}
