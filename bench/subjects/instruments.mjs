// Searches: all results of a range that meet a condition, against the bulk call that makes the same results.

import { searches } from "../ours.mjs";

const RANGE = 2 ** 20; // results per call

export const instruments = {
  name: "instruments",
  unit: "result",
  cases: ["list", "set of a list", "dice", "table", "recipe"].map((name) => ({
    name: `search ${name}`,
    open: () => open(name),
  })),
};

/** The law of a case is the probability that a result meets the condition, and that it does not. */
async function open(name) {
  const { chance, search, bulk } = (await searches())[name];
  const counts = (draws) => {
    const found = search(draws);
    return [found, draws - found];
  };
  return {
    law: [chance, 1 - chance],
    draws: RANGE,
    contenders: [
      { name: "rollmill", ops: RANGE, run: () => search(RANGE), sample: counts },
      { name: "rollmill, bulk", reference: true, ops: RANGE, run: () => bulk(RANGE) },
    ],
  };
}
