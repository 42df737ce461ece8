import type { Command } from "commander";
import { createMill, toNumber } from "../../index.js";
import { parseCondition } from "../../instruments/conditionText.js";
import { expectedTries, type Searched, search, selfCheck } from "../../instruments/index.js";
import { Pool } from "../../pools/pool.js";
import { Drops } from "../../tables/drops/drops.js";
import { define, option } from "../command.js";
import { type Io, note, refuse } from "../shared/io.js";
import { countOf, FORK, forkOf, SEED, seedOr } from "../shared/options.js";
import { approximate, withProgress } from "../shared/progress.js";
import { printRows, rounded, SHOWN } from "./show.js";
import { FILE, openSource, SOURCE } from "./source.js";

const NAME = option(
  "--name <name>",
  "results depend on the seed and this name (default: the file name without extension)",
);
const MAX_INDEX = 2 ** 42 - 1;

const CHECK = [
  option("-n <results>", "number of results", countOf(1000, MAX_INDEX), 1_000_000),
  option("--from <index>", "index of the first result", countOf(0, MAX_INDEX), 0),
  SEED,
  NAME,
  FORK,
  ...SOURCE,
  ...SHOWN,
] as const;

export function addSelfCheck(command: Command, io: Io): void {
  define(command, io, {
    examples: ["selfcheck {examples/loot.csv} -n 1e7 --seed moria"],
    takes: [FILE],
    options: CHECK,
    async run(flags, file) {
      const { n, from, fork } = flags;
      using mill = createMill({ seed: seedOr(io, flags.seed) });
      const { source, name, options } = await openSource(io, mill, file, flags);
      const noun = forkOf(source as never, flags);
      const checks = withProgress(io, { what: "checking", unit: "results" }, (onProgress) =>
        selfCheck(noun, { n, from, with: options, onProgress }),
      );
      await printRows(io, flags, {
        head: { command: "selfcheck", seed: mill.seed, name, fork, from },
        rows: checks.map(({ part, chiSquare, degrees, p }) => ({
          cells: { ...(part === undefined ? {} : { part }), chiSquare: rounded(chiSquare), degrees, p: rounded(p) },
        })),
        data: () => ({ n, checks }),
      });
      if (!flags.json && !flags.csv)
        note(io, "columns: chi-square, degrees of freedom, p (the probability of a deviation as large as this)");
    },
  });
}

const SEARCH = [
  option("--from <index>", "index of the first result that is looked at", countOf(0, MAX_INDEX), 0),
  option(
    "--to <index>",
    "index after the last result that is looked at (default: --from plus 1,000,000)",
    countOf(0, MAX_INDEX),
  ),
  option("-n <matches>", "stop after so many matches", countOf(1, 10_000_000), 100),
  SEED,
  NAME,
  FORK,
  ...SOURCE,
  ...SHOWN,
] as const;

export function addSearch(command: Command, io: Io): void {
  define(command, io, {
    examples: ["search {examples/loot.csv} crown --to 1e6 --limit 3 --seed moria"],
    takes: [
      FILE,
      ["<conditions...>", "a result; of recipes and objects PART=RESULT, such as attack=20.. (all must be met)"],
    ],
    options: SEARCH,
    async run(flags, file, texts) {
      const { from, to, n: limit, fork } = flags;
      using mill = createMill({ seed: seedOr(io, flags.seed) });
      const { source, name, options } = await openSource(io, mill, file, flags);
      if (source instanceof Drops || source instanceof Pool) {
        refuse("search needs results with an index", { expected: "a list, table, recipe, objects or dice" });
      }
      const noun = forkOf(source as never, flags) as Searched;
      const condition = parseCondition(noun, texts);
      announceTries(io, () => expectedTries(noun, condition, options));
      const { found, next } = withProgress(io, { what: "searching", unit: "results" }, (onProgress) =>
        search(noun, condition, { from, to, limit, with: options, onProgress }),
      );
      await printRows(io, flags, {
        head: { command: "search", seed: mill.seed, name, fork, from },
        rows: found.map((index) => ({ cells: { index } })),
        data: () => ({ found, next }),
      });
      if (!flags.json) note(io, `matches: ${found.length}; to go on, add --from ${next}`);
    },
  });
}

/** Some conditions have no exact odds, for example a stat of an item: then nothing is announced. */
function announceTries(io: Io, compute: () => ReturnType<typeof expectedTries>): void {
  let tries: ReturnType<typeof expectedTries>;
  try {
    tries = compute();
  } catch {
    return;
  }
  if (tries === undefined) note(io, "no result can meet the condition");
  else note(io, `expected number of results for one match: ${approximate(toNumber(tries))}`);
}
