// The weights of the picks and the masses of the pools: the same list for every contender.

import { Words } from "../rivals/js/words.mjs";

/** Largest mass of a record in the pools. */
export const HEAVIEST_MASS = 100;

/** The quantity of every record in the pools. */
export const QUANTITY = 3;

/**
 * Returns n integer weights that are spread evenly over 1 … heaviest, in an order shuffled by a fixed seed. If the
 * weights of a short list were random, the seed would decide how often a branch predictor is right. There are no zeros,
 * because walker-sample refuses them.
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
