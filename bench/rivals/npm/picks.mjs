// Packages that people install for weighted picks. Each is prepared once if its API can prepare; a package that takes
// any generator gets the seeded one of ../js/words.mjs, which is faster than Math.random.

import { SFC32, weightedRandom } from "@thi.ng/random";
import Chance from "chance";
import pandemonium from "pandemonium";
import { RNG } from "rot-js";
import walker from "walker-sample";
import { floats } from "../js/words.mjs";

/** Most entries for a package that searches linearly; more would only take longer. */
const LINEAR_LIMIT = 1024;

/**
 * {name, pick, linear} for each package that is timed at this length. pick() returns an index; linear: it searches
 * linearly.
 */
export function npmPicks(weights) {
  const indices = weights.map((_, i) => i);
  const rivals = [
    { name: "pandemonium", pick: pandemonium.createCachedWeightedRandomIndex(floats(4), weights) },
    { name: "walker-sample", pick: walkerPick(weights) },
  ];
  if (weights.length > LINEAR_LIMIT) return rivals;
  const chance = new Chance(5);
  const byName = Object.fromEntries(weights.entries());
  RNG.setSeed(6);
  return [
    ...rivals,
    { name: "rot-js", linear: true, pick: () => Number(RNG.getWeightedValue(byName)) },
    { name: "chance", linear: true, pick: () => chance.weighted(indices, weights) },
    { name: "@thi.ng/random", linear: true, pick: weightedRandom(indices, weights, new SFC32()) },
  ];
}

function walkerPick(weights) {
  const sample = walker(weights.map((weight, i) => [weight, i]));
  const rng = floats(7);
  return () => sample(rng);
}
