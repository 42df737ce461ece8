// The weights of the picks and the masses of the pools: the same list for every contender.

import { Words } from "../rivals/js/words.mjs";

/** The greatest mass of a record in the pools. */
export const HEAVIEST_MASS = 100;

/** The quantity of every record in the pools. */
export const QUANTITY = 3;

/**
 * n integer weights spread evenly over 1 … heaviest, in a seeded order. Evenly, because the seed of a short random list
 * would decide how well a branch predictor does; no zeros, because walker-sample refuses them.
 */
export function weightsOf(n, heaviest = 1000) {
  const weights = Array.from({ length: n }, (_, i) => 1 + Math.floor(((i + 0.5) * heaviest) / n));
  const words = new Uint32Array(n);
  new Words(n).fill(words);
  for (let i = n - 1; i > 0; i--) {
    const j = words[i] % (i + 1);
    [weights[i], weights[j]] = [weights[j], weights[i]];
  }
  return weights;
}
