import type { RecipeSpec } from "./types.js";

/**
 * Returns the name of a recipe's weight column. Returns undefined if the recipe has no weight column: then all words
 * have the weight 1.
 */
export function weightColumn({ stats, weight }: RecipeSpec): string | undefined {
  if (weight !== undefined) return weight;
  return stats.some(({ name }) => name === "weight") ? undefined : "weight";
}

/**
 * Divides integers ≥ 0 by their greatest common divisor. So weights in the same proportions become the same integers,
 * and equal weights become 1. Zeros remain zeros. Cost: O(n).
 */
export function lowestTerms(weights: readonly number[]): readonly number[] {
  let divisor = 0;
  for (const weight of weights) {
    if (divisor === 1) return weights;
    divisor = commonDivisor(weight, divisor);
  }
  return divisor <= 1 ? weights : weights.map((weight) => weight / divisor);
}

function commonDivisor(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}
