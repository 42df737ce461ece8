import type { Command } from "commander";
import { createMill } from "../../index.js";
import { type SelfCheck, selfCheckParts } from "../../instruments/selfCheck.js";
import { define, option } from "../command.js";
import { type Io, note } from "../shared/io.js";
import { countOf, FORK, forkOf, longCalls, openMill, SEED, seedOr, THREADS } from "../shared/options.js";
import { withProgress } from "../shared/progress.js";
import { printRows, rounded, SHOWN } from "./show.js";
import { FILE, openSource, SOURCE } from "./source.js";

export const NAME = option(
  "--name <name>",
  "results depend on the seed and this name (default: the file name without extension)",
);
export const MAX_INDEX = 2 ** 42 - 1;

const CHECK = [
  option("-n <results>", "number of results", countOf(1000, MAX_INDEX), 1_000_000),
  option("--from <index>", "index of the first result", countOf(0, MAX_INDEX), 0),
  SEED,
  NAME,
  FORK,
  THREADS,
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
      using mill = await openMill(createMill, seedOr(io, flags.seed), flags);
      const { source, name, options } = await openSource(io, mill, file, flags);
      const forked = forkOf(source as never, flags);
      const checks = await withProgress(io, { what: "checking", unit: "results" }, async (onProgress) => {
        const { noun, parts } = selfCheckParts(forked, { n, from, with: options, onProgress });
        const calls = longCalls(mill, noun);
        const made: SelfCheck[] = [];
        for (const { call, check } of parts) made.push(check(await calls.count(n, call)));
        return made;
      });
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
