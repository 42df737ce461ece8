import type { Command } from "commander";
import { checkRange, MAX_INDEX } from "../calls/index.js";
import type { Dice } from "../dice/index.js";
import { createMill } from "../index.js";
import { printCounts, printOdds, printResults } from "./draws.js";
import { withExamples } from "./examples.js";
import { type ForkFlags, forkOf, forkOption } from "./forks.js";
import type { Io } from "./io.js";
import { countOf, jsonOption, seedOption, seedOr } from "./options.js";

const ROLLS_PER_WRITE = 2 ** 18;

interface DiceFlags extends ForkFlags {
  readonly seed?: string;
  readonly name: string;
  readonly odds?: boolean;
  readonly count?: boolean;
  readonly json?: boolean;
  readonly n: number;
  readonly from: number;
}

/** Adds `rollmill dice`. */
export function addDice(dice: Command, io: Io): void {
  withExamples(dice, io, "dice 2d6+1 -n 10 --seed moria", "dice 1-100 --odds")
    .argument("<dice>", "dice such as 2d6+1 or d20, or a range such as 1-100")
    .option("-n <rolls>", "how many rolls", countOf(0, MAX_INDEX), 1)
    .option("--from <index>", "index of the first roll", countOf(0, MAX_INDEX - 1), 0)
    .option("--count", "count the values instead of listing the rolls")
    .option("--odds", "print the exact odds instead; independent of the seed")
    .addOption(seedOption())
    .option("--name <name>", "rolls depend on the seed and this name", "dice")
    .addOption(forkOption())
    .addOption(jsonOption())
    .action((input: string, flags: DiceFlags) => run(io, input, flags));
}

async function run(io: Io, input: string, flags: DiceFlags): Promise<void> {
  const { name, n, from, fork, json } = flags;
  const seed = flags.odds ? null : seedOr(io, flags.seed);
  using mill = createMill({ seed: seed ?? "" });
  const noun: Dice = forkOf(mill.dice(name, input), flags);
  const head = { command: "dice", seed, name, fork };
  if (flags.odds) return printOdds(io, noun.odds(), { head, json });
  checkRange(from, n);
  const printing = { head: { ...head, from }, json };
  if (flags.count) return printCounts(io, (onProgress) => noun.count(n, { from, onProgress }), printing);
  await printResults(io, rolls(noun, flags), { ...printing, lineOf: String });
}

/** Yields the rolls in batches, because all rolls together might not fit into memory or into one string. */
function* rolls(noun: Dice, { n, from }: DiceFlags): Generator<readonly number[], void> {
  for (let done = 0; done < n; done += ROLLS_PER_WRITE) {
    yield Array.from(noun.rollMany(Math.min(ROLLS_PER_WRITE, n - done), { from: from + done }));
  }
}
