// The inputs of the subject `threads`: what is counted, and how often.

import { freeze, resultLaw, SCRIPT_WEIGHT, SEED_TABLE } from "./tables.mjs";
import { weightsOf } from "./weights.mjs";

/** Picks, rolls and steps of a call. */
export const OPS = 1e9;
/** Sides of the torus, and number of its walkers. Each takes as many steps as make about {@link OPS} together. */
export const [SIDE, WALKERS] = [512, 64];
export const STEPS = OPS / WALKERS;
/** The weights of the cases of picks. */
export const WEIGHTS = { "picks n=8": weightsOf(8), "picks n=1024": weightsOf(1024) };
export const TABLE = freeze(SEED_TABLE, () => SCRIPT_WEIGHT);

/** For each case, its exact law. Steps are compared with a uniform map: after so many, the walkers are everywhere. */
export const LAWS = {
  ...Object.fromEntries(Object.entries(WEIGHTS).map(([name, weights]) => [name, lawOf(weights)])),
  rolls: resultLaw(TABLE),
  steps: undefined,
};

function lawOf(weights) {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}
