import type { Command } from "commander";
import { checkRange } from "../calls/index.js";
import type { Dice } from "../dice/index.js";
import { createMill } from "../index.js";
import { define, option } from "./command.js";
import type { Io } from "./shared/io.js";
import { forkOf, range, seedOr, source } from "./shared/options.js";
import { oddsOption, output, printCounts, printOdds, putResults, rowsBy } from "./shared/rows.js";

const ROLLS_PER_WRITE = 2 ** 18;

export function addDice(dice: Command, io: Io): void {
  define(dice, io, {
    examples: ["dice 2d6+1 -n 10 --seed moria", "dice 1-100 --odds"],
    takes: [["<dice>", "dice such as 2d6+1 or d20, or a range such as 1-100"]],
    options: [
      ...range("roll"),
      option("--count", "count the values instead of listing the rolls").conflicts("output"),
      oddsOption("print the exact odds instead, with -n of at least one in n rolls; independent of the seed", "count"),
      ...source("rolls", "dice"),
      ...output("rolls"),
    ],
    async run(flags, input) {
      const { name = "dice", n, from, fork, json } = flags;
      const seed = flags.odds ? null : seedOr(io, flags.seed);
      using mill = createMill({ seed: seed ?? "" });
      const noun: Dice = forkOf(mill.dice(name, input), flags);
      const head = { command: "dice", seed, name, fork };
      if (flags.odds) return printOdds(io, noun.odds(), { head, json, n });
      checkRange(from, n);
      const printing = { head: { ...head, from }, json };
      if (flags.count) return printCounts(io, (onProgress) => noun.count(n, { from, onProgress }), printing);
      await putResults(io, flags, {
        head: printing.head,
        unit: "rolls",
        size: ROLLS_PER_WRITE,
        make: (count, from) => noun.rollMany(count, { from }),
        rowsOf: (values) => rowsBy(values, String, () => [{ kind: "integer", name: "value", values }]),
      });
    },
  });
}
