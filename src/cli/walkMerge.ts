import type { Command } from "commander";
import { RollmillError, type Where } from "../errors/index.js";
import { mergeSavedRuns, WalkMap } from "../walks/index.js";
import { withExamples } from "./examples.js";
import { type Io, note } from "./io.js";
import { jsonOption } from "./options.js";
import { checkOutput } from "./outputFile.js";
import { withProgress } from "./progress.js";
import { addMapOptions, type MapFlags, mapWriter, putMap } from "./walkMap.js";
import { readRun } from "./walkRun.js";

const MERGING = { what: "merging", unit: "runs" } as const;

interface MergeFlags extends MapFlags {
  readonly json?: boolean;
}

/** Adds `rollmill walk merge`. */
export function addWalkMerge(walk: Command, io: Io): void {
  const command = withExamples(walk.command("merge"), io, "walk merge part1.walk part2.walk -o map.png")
    .argument("<file...>", "runs of one layer, which walk run has saved")
    .description("merge runs of parts of a layer, and print a summary of the map");
  addMapOptions(command)
    .addOption(jsonOption())
    .action((files: readonly string[], flags: MergeFlags) => merge(io, files, flags));
}

async function merge(io: Io, files: readonly string[], flags: MergeFlags): Promise<void> {
  const { output } = flags;
  const writer = mapWriter(flags);
  if (output !== undefined) await checkOutput(io, output);
  const runs: Uint8Array[] = [];
  for (const file of files) runs.push(await readRun(io, file));
  const merging = () => withProgress(io, MERGING, (onProgress) => mergeSavedRuns(runs, { onProgress }));
  const { walk, result, walkers } = withRunFiles(files, merging);
  const head = { command: "walk merge", seed: null, name: walk };
  await putMap(io, new WalkMap([result]), flags, { head, writer });
  const ranges = walkers.map(({ from, to }) => (to - from === 1 ? `${from}` : `${from}-${to - 1}`));
  note(io, `layer ${result.name}, walkers ${ranges.join(", ") || "none"}`);
}

/** Calls `merging`. If it throws issues, replaces the path of each run, such as `runs[2]`, by the name of its file. */
function withRunFiles<T>(files: readonly string[], merging: () => T): T {
  try {
    return merging();
  } catch (cause) {
    if (!(cause instanceof RollmillError)) throw cause;
    const fileOf = ({ path = "" }: Where) => files[Number(/^runs\[(\d+)\]$/.exec(path)?.[1])];
    const placed = cause.issues.map((issue) => ({ ...issue, where: { file: fileOf(issue.where) } }));
    throw new RollmillError(placed, { cause });
  }
}
