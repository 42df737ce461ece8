import { availableParallelism } from "node:os";
import type { Command } from "commander";
import { createMill } from "../../index.js";
import type { WorldCondition } from "../../instruments/index.js";
import type { Segment } from "../../instruments/search.js";
import { ObjectMaker } from "../../objects/objectMaker.js";
import { World } from "../../worlds/index.js";
import { define, type Flags, option } from "../command.js";
import { type Io, note, refuse } from "../shared/io.js";
import { countOf, FORK, pairOf, SEED, seedOr, threadsOption } from "../shared/options.js";
import { approximate, withProgress } from "../shared/progress.js";
import { windowOf } from "../walk/map.js";
import { MAX_INDEX, NAME } from "./check.js";
import { fractionOf } from "./fraction.js";
import { openSearching, type Searching, type Sought } from "./searching.js";
import { type Split, searchInThreads } from "./searchThreads.js";
import { printRows, SHOWN } from "./show.js";
import { FILE, SOURCE } from "./source.js";

/** How many results, or seeds, are searched in about the time that a thread takes to start. */
const LEAST = { results: 2 ** 22, seeds: 2 ** 13, worlds: 2 ** 4 } as const;
const MAX_MATCHES = 10_000_000;

const SEARCH = [
  option("--from <index>", "index of the first result that is looked at", countOf(0, MAX_INDEX), 0),
  option(
    "--to <index>",
    "index after the last result that is looked at (default: --from plus 1,000,000; plus 100,000 for --seeds)",
    countOf(0, MAX_INDEX),
  ),
  option("-n <matches>", "stop after so many matches", countOf(1, MAX_MATCHES), 100),
  option("--near <row,col>", "worlds: search the seeds with placements near this cell; needs --kind", pairOf).conflicts(
    "seed",
  ),
  option("--within <distance>", "--near: greatest distance from the cell (default: 0)", countOf(0, 2048)),
  option("--count-at-least <n>", "--near: least number of placements (default: 1)", countOf(0, MAX_MATCHES)),
  option("--count-at-most <n>", "--near: greatest number of placements", countOf(0, MAX_MATCHES)),
  option(
    "--window <row0,col0,row1,col1>",
    "worlds: search the seeds with a share of a terrain in these cells, corners inclusive; needs --terrain",
    windowOf,
  ).conflicts("seed"),
  option("--terrain <name>", "--window: the terrain"),
  option("--at-least <share>", "--window: least share, such as 3/10 or 30% (default: 0)", fractionOf),
  option("--at-most <share>", "--window: greatest share (default: 1)", fractionOf),
  option("--seeds", "search the seeds from --from to --to, which are integers").conflicts("seed"),
  option("--first <results>", "--seeds: how many results of each seed are looked at (default: 1)", countOf(1, 2 ** 15)),
  threadsOption("one for each core, or 1 for a short search"),
  SEED,
  NAME,
  FORK,
  ...SOURCE,
  ...SHOWN,
] as const;
type SearchFlags = Flags<typeof SEARCH>;

export function addSearch(command: Command, io: Io): void {
  define(command, io, {
    examples: [
      "search {examples/loot.csv} crown --to 1e6 -n 3 --seed moria",
      "search {examples/loot.csv} crown --seeds --first 3 -n 5 --threads 1",
      "search {examples/coast.json} --near 0,0 --within 40 --kind village --to 20 -n 1 --threads 1",
      "search {examples/coast.json} --window 0,0,99,99 --terrain sea --at-least 30% --to 20 -n 1 --threads 1",
    ],
    takes: [
      [FILE[0], `${FILE[1]}; a world in a .json file`],
      ["[conditions...]", "a result; of recipes and objects PART=RESULT, such as attack=20.. (all must be met)"],
    ],
    options: SEARCH,
    async run(flags, file, texts) {
      const { from, n: limit, fork, first } = flags;
      const condition = conditionOf(flags);
      const seeds = flags.seeds === true || condition !== undefined;
      if (first !== undefined && !seeds) refuse("--first needs --seeds", { remedy: "Add --seeds, or use --to" });
      const { to = Math.min(MAX_INDEX, from + (seeds ? 100_000 : 1_000_000)) } = flags;
      using mill = createMill({ seed: seeds ? "" : seedOr(io, flags.seed) });
      const sought: Sought = { file, texts, flags: { ...flags, seeds, condition } };
      const searching = await openSearching(io, mill, sought);
      announceTries(io, seeds ? "seeds" : "results", () => searching.tries);
      const range = { from, to, limit };
      const data = { seed: mill.seed, sought, cwd: io.cwd };
      const split = splitOf(searching, range, sought, flags.threads);
      const job = { what: "searching", unit: seeds ? "seeds" : "results" };
      const { found, next } = await withProgress(io, job, (onProgress) =>
        split.threads === 1 ? searching.in(range, onProgress) : searchInThreads(data, range, { ...split, onProgress }),
      );
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

/** Returns the condition of a world. Undefined if the options give none. */
function conditionOf(flags: SearchFlags): WorldCondition | undefined {
  const { near, kind, within = 0, countAtLeast, countAtMost, window, terrain, atLeast, atMost } = flags;
  const counts = { "--count-at-least": countAtLeast, "--count-at-most": countAtMost };
  refuseWithout("--near", near, "--kind", kind, { "--within": flags.within, ...counts });
  refuseWithout("--window", window, "--terrain", terrain, { "--at-least": atLeast, "--at-most": atMost });
  const conditions = [
    ...(near && kind !== undefined ? [{ kind, near, within, atLeast: countAtLeast, atMost: countAtMost }] : []),
    ...(window && terrain !== undefined ? [{ terrain, window, atLeast, atMost }] : []),
  ];
  return conditions.length === 0 ? undefined : conditions;
}

/** Refuses `first` without `second`, and `second` and other options without `first`. */
function refuseWithout(
  first: string,
  value: unknown,
  second: string,
  other: unknown,
  rest: Readonly<Record<string, unknown>>,
): void {
  if (value !== undefined && other === undefined) refuse(`${first} needs ${second}`, { remedy: `Add ${second}` });
  if (value !== undefined) return;
  const given = Object.entries({ [second]: other, ...rest }).find(([, one]) => one !== undefined);
  if (given !== undefined) refuse(`${given[0]} needs ${first}`, { remedy: `Add ${first}` });
}

/** Chooses the number of threads, and the length of the segments that they search. */
function splitOf(
  { noun }: Searching,
  { from, to }: Segment,
  { file, flags: { seeds = false } }: Sought,
  wanted: number | undefined,
): Split {
  const least = noun instanceof World ? LEAST.worlds : seeds ? LEAST.seeds : LEAST.results;
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
