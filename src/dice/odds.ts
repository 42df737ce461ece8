import { amountOdds } from "../amounts/index.js";
import type { Odds } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { ZERO } from "../fractions.js";
import type { DicePlan } from "./types.js";

/** Maximum number of values that odds and counts list. */
const MAX_LISTED = 2 ** 20;

export function isListed({ least, most }: DicePlan): boolean {
  return most - least < MAX_LISTED;
}

/** @throws RollmillError `argument.range` if the dice have more than 2^20 values. */
export function diceOdds(plan: DicePlan): Odds<number> {
  if (isListed(plan)) return { odds: amountOdds(plan.amount), none: ZERO };
  const values = plan.most - plan.least + 1;
  const [problem, expected] = ["the dice have too many values to list their odds", `at most ${MAX_LISTED} values`];
  const remedy = `Use the probability 1/${values}: it is the same for each value`;
  return fail(error("argument.range", { problem, got: values, expected, remedy }));
}
