// The weights of the picks: the same list for every contender.

import { Words } from "../rivals/js/words.mjs";

const HEAVIEST = 1000;

/**
 * n integer weights spread evenly over 1 … 1000, in a seeded order. Evenly, because a short list of random weights is
 * as kind or as cruel to a branch predictor as its seed; no zeros, which walker-sample refuses.
 */
export function weightsOf(n) {
  const weights = Array.from({ length: n }, (_, i) => 1 + Math.floor(((i + 0.5) * HEAVIEST) / n));
  const words = new Uint32Array(n);
  new Words(n).fill(words);
  for (let i = n - 1; i > 0; i--) {
    const j = words[i] % (i + 1);
    [weights[i], weights[j]] = [weights[j], weights[i]];
  }
  return weights;
}
