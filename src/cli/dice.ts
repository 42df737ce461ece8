import { type Command, Option } from "commander";
import { checkRange } from "../calls/index.js";
import type { Dice } from "../dice/index.js";
import { createMill } from "../index.js";
import { withExamples } from "./examples.js";
import {
  oddsOption,
  printCounts,
  printOdds,
  putResults,
  type ResultFlags,
  withOutput,
  withRange,
} from "./shared/draws.js";
import { forkOf, withSource } from "./shared/forks.js";
import type { Io } from "./shared/io.js";
import { seedOr } from "./shared/options.js";

const ROLLS_PER_WRITE = 2 ** 18;

interface DiceFlags extends ResultFlags {
  readonly count?: boolean;
}

export function addDice(dice: Command, io: Io): void {
  withExamples(dice, io, "dice 2d6+1 -n 10 --seed moria", "dice 1-100 --odds")
    .argument("<dice>", "dice such as 2d6+1 or d20, or a range such as 1-100")
    .action((input: string, flags: DiceFlags) => run(io, input, flags));
  withRange(dice, "roll")
    .addOption(new Option("--count", "count the values instead of listing the rolls").conflicts("output"))
    .addOption(
      oddsOption("print the exact odds instead, with -n of at least one in n rolls; independent of the seed", "count"),
    );
  withOutput(withSource(dice, "rolls", "dice"), "rolls");
}

async function run(io: Io, input: string, flags: DiceFlags): Promise<void> {
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
    make: (count, done) => noun.rollMany(count, { from: from + done }),
    lineOf: String,
    columnsOf: (values) => [{ kind: "integer", name: "value", values }],
  });
}
