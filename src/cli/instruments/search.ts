import { availableParallelism } from "node:os";
import type { Command } from "commander";
import { createMill } from "../../index.js";
import type { Segment } from "../../instruments/search.js";
import { ObjectMaker } from "../../objects/objectMaker.js";
import { define, option } from "../command.js";
import { type Io, note, refuse } from "../shared/io.js";
import { countOf, FORK, SEED, seedOr } from "../shared/options.js";
import { approximate, progressBar } from "../shared/progress.js";
import { MAX_INDEX, NAME } from "./check.js";
import { openSearching, type Searching, type Sought } from "./searching.js";
import { type Split, searchInThreads } from "./searchThreads.js";
import { printRows, SHOWN } from "./show.js";
import { FILE, SOURCE } from "./source.js";

/** How many results, or seeds, are searched in about the time that a thread takes to start. */
const LEAST = { results: 2 ** 22, seeds: 2 ** 13 } as const;
const MAX_THREADS = 256;
const MAX_MATCHES = 10_000_000;

const SEARCH = [
  option("--from <index>", "index of the first result that is looked at", countOf(0, MAX_INDEX), 0),
  option(
    "--to <index>",
    "index after the last result that is looked at (default: --from plus 1,000,000; plus 100,000 for --seeds)",
    countOf(0, MAX_INDEX),
  ),
  option("-n <matches>", "stop after so many matches", countOf(1, MAX_MATCHES), 100),
  option("--seeds", "search the seeds from --from to --to, which are integers").conflicts("seed"),
  option("--first <results>", "--seeds: how many results of each seed are looked at (default: 1)", countOf(1, 2 ** 15)),
  option(
    "--threads <n>",
    "number of threads, which does not change what is found (default: one for each core, or 1 for a short search)",
    countOf(1, MAX_THREADS),
  ),
  SEED,
  NAME,
  FORK,
  ...SOURCE,
  ...SHOWN,
] as const;

export function addSearch(command: Command, io: Io): void {
  define(command, io, {
    examples: [
      "search {examples/loot.csv} crown --to 1e6 -n 3 --seed moria",
      "search {examples/loot.csv} crown --seeds --first 3 -n 5 --threads 1",
    ],
    takes: [
      FILE,
      ["<conditions...>", "a result; of recipes and objects PART=RESULT, such as attack=20.. (all must be met)"],
    ],
    options: SEARCH,
    async run(flags, file, texts) {
      const { from, n: limit, fork, seeds = false, first } = flags;
      if (first !== undefined && !seeds) refuse("--first needs --seeds", { remedy: "Add --seeds, or use --to" });
      const { to = Math.min(MAX_INDEX, from + (seeds ? 100_000 : 1_000_000)) } = flags;
      using mill = createMill({ seed: seeds ? "" : seedOr(io, flags.seed) });
      const sought: Sought = { file, texts, flags };
      const searching = await openSearching(io, mill, sought);
      announceTries(io, seeds ? "seeds" : "results", () => searching.tries);
      const range = { from, to, limit };
      const data = { seed: mill.seed, sought, cwd: io.cwd };
      const { onProgress, stop } = progressBar(io, { what: "searching", unit: seeds ? "seeds" : "results" });
      const split = splitOf(searching, range, sought, flags.threads);
      const { found, next } = await (split.threads === 1
        ? Promise.resolve().then(() => searching.in(range, onProgress))
        : searchInThreads(data, range, { ...split, onProgress })
      ).finally(stop);
      await printRows(io, flags, {
        head: { command: "search", seed: mill.seed, name: searching.name, fork, from },
        rows: found.map((match) => {
          return {
            cells: typeof match === "number" ? { index: match } : { seed: String(match.seed), index: match.index },
          };
        }),
        data: () => ({ found, next }),
      });
      if (!flags.json) note(io, `matches: ${found.length}; to go on, add --from ${next}`);
    },
  });
}

/** Chooses the number of threads, and the length of the segments that they search. */
function splitOf(
  { noun }: Searching,
  { from, to }: Segment,
  { file, flags: { seeds = false } }: Sought,
  wanted: number | undefined,
): Split {
  const least = seeds ? LEAST.seeds : LEAST.results;
  const useful = Math.min(availableParallelism(), Math.ceil((to - from) / least));
  // stdin can be read only once
  const threads = file === "-" ? 1 : Math.max(1, Math.min(to - from, wanted ?? useful));
  const share = Math.ceil((to - from) / threads);
  // a maker of objects makes the artifacts before each segment again, so each thread gets only one segment
  return { threads, size: noun instanceof ObjectMaker && !seeds ? share : Math.min(least, share) };
}

/** Some conditions have no exact odds, for example a stat of an item: then nothing is announced. */
function announceTries(io: Io, what: string, compute: () => number | undefined): void {
  let tries: number | undefined;
  try {
    tries = compute();
  } catch {
    return;
  }
  if (tries === undefined) note(io, "no result can meet the condition");
  else note(io, `expected number of ${what} for one match: ${approximate(tries)}`);
}
