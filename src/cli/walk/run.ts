import { type Command, InvalidArgumentError } from "commander";
import type { Where } from "../../errors/index.js";
import { readBytes } from "../../files/read.js";
import { createMill, type LongCall, type Walk } from "../../index.js";
import { type LayerRun, MAX_STEPS, MAX_WALKERS, mergeSavedRuns, WalkMap } from "../../walks/index.js";
import type { WalkerRange } from "../../walks/layerParts.js";
import { resultOf } from "../../walks/map/walkMap.js";
import { decodeRun } from "../../walks/saved/savedRun.js";
import { define, type Flags, option } from "../command.js";
import { checkOutput, endingOf, readJson, withPlaces, writeOutput } from "../shared/files.js";
import { type Io, note, pathIn, refuse } from "../shared/io.js";
import { countOf, FORK, forkOf, SEED, seedOr } from "../shared/options.js";
import { approximate, withProgress } from "../shared/progress.js";
import { mapOptions, mapWriter, putMap, refuseUndated } from "./map.js";
import { earlierMaps, layerIndex, openWalk, WALKING } from "./spec.js";

const RUN_ENDING = "walk";

const RUN = [
  SEED,
  FORK,
  option("--layer <name>", "run up to this layer, and print and write this layer alone"),
  option("--walkers <first-last>", "walk only these walkers of the layer, both included, from 0", walkersOf),
  option("--steps <steps>", "stop the layer's walkers after this number of steps", countOf(0, MAX_STEPS)),
  option("--save <file>", "also save the run of the layer, for --resume and for walk merge"),
  option("--resume <file>", "go on with a saved run; pass the --seed and the spec of the saved run again"),
  ...mapOptions("; .walk saves the run, as --save does"),
] as const;
const MERGE = mapOptions();
type RunFlags = Flags<typeof RUN>;

export function addWalkRun(walk: Command, io: Io): void {
  const running = "walk run {examples/walk.json} --seed moria";
  define(walk.command("run"), io, {
    examples: [
      running,
      `${running} -o map.png --width 1200 --legend`,
      `${running} --layer land --walkers 0-11 -o part1.walk`,
      `${running} --layer land --walkers 12-23 -o part2.walk`,
      `${running} --layer land --steps 1000 --save land.walk`,
    ],
    takes: [["<spec>", 'JSON spec; "-" is stdin']],
    description: "run all layers and print a summary of the map; results depend on the seed and the spec's name",
    options: RUN,
    async run(flags, file) {
      const { seed, layer, output, fork, resume } = flags;
      refuseResume(flags);
      const writer = mapWriter(flags, [RUN_ENDING]);
      const input = await readJson(io, file);
      const saves = savesOf(flags);
      for (const path of [output, ...saves]) await checkOutput(io, path);
      const saved = resume === undefined ? undefined : await readBytes(pathIn(io, resume), { shown: resume });
      using mill = createMill({ seed: seedOr(io, seed) });
      const walk = forkOf(openWalk(mill, input, file), { fork });
      if (flags.firstVisits) refuseUndated(walk, layer);
      const startedAt = performance.now();
      const { map, bytes } = withProgress(io, WALKING, (onProgress) => walkMap(walk, { ...flags, saved }, onProgress));
      const seconds = (performance.now() - startedAt) / 1000;
      const head = { command: "walk run", seed: mill.seed, name: walk.name, fork };
      for (const path of saves) if (bytes !== undefined) await writeOutput(io, path, bytes);
      await putMap(io, map, flags, { head, writer });
      if (flags.json) return;
      const steps = map.layers.reduce((sum, result) => sum + result.steps, 0);
      note(io, `${seconds.toFixed(2)} s, ${approximate(steps / seconds)} steps a second`);
    },
  });
}

function savesOf({ output, save }: RunFlags): readonly string[] {
  const isRun = output !== undefined && endingOf(output) === RUN_ENDING;
  return [...(isRun ? [output] : []), ...(save === undefined ? [] : [save])];
}

/** Runs all layers, one layer, or a part of one layer. Returns a saved run if the flags name a file for it. */
function walkMap(
  walk: Walk,
  flags: RunFlags & { readonly saved: Uint8Array | undefined },
  onProgress: LongCall["onProgress"],
): { readonly map: WalkMap; readonly bytes?: Uint8Array } {
  const { layer, walkers, steps, saved } = flags;
  const isPart = [walkers, steps, saved].some((flag) => flag !== undefined) || savesOf(flags).length > 0;
  if (!isPart && layer === undefined) return { map: walk.run({ onProgress }) };
  const name = saved === undefined ? layer : savedLayer(saved, layer);
  const info = walk.layers[layerIndex(walk, name)];
  const earlier = earlierMaps(walk, name);
  if (!isPart) return { map: new WalkMap([resultOf(info.name, walk.runLayer({ layer, earlier, onProgress }), info)]) };
  if (walkers !== undefined && walkers.to > info.walkers) {
    const expected = `walkers from 0 to ${info.walkers - 1}`;
    refuse(`the layer ${JSON.stringify(info.name)} has no walker with this number`, { got: walkers.to - 1, expected });
  }
  using part = saved === undefined ? walk.start({ layer: name, walkers, earlier }) : walk.resume(saved, { earlier });
  advanceTo(part, steps ?? info.steps, onProgress);
  const map = new WalkMap([resultOf(info.name, part.map(), info)]);
  return savesOf(flags).length === 0 ? { map } : { map, bytes: part.save() };
}

function advanceTo(part: LayerRun, steps: number, onProgress: LongCall["onProgress"]): void {
  if (steps < part.steps) {
    const expected = `--steps of ${part.steps} or more, or a layer with at least as many steps`;
    refuse(`the saved run has already taken ${part.steps} steps`, { got: steps, expected });
  }
  part.advance(steps - part.steps, { onProgress });
}

function savedLayer(saved: Uint8Array, layer: string | undefined): string {
  const { layer: name } = decodeRun(saved);
  if (layer === undefined || layer === name) return name;
  const problem = "--layer does not name the layer of the saved run";
  return refuse(problem, { got: layer, expected: name, remedy: "Omit --layer" });
}

function refuseResume({ resume, seed, walkers }: RunFlags): void {
  if (resume === undefined) return;
  if (seed === undefined) {
    const remedy = "Add the --seed with which the run was saved";
    refuse("--resume needs a seed", { expected: "--seed with a text", remedy });
  }
  if (walkers === undefined) return;
  const problem = "--walkers does not apply to a saved run, which has its own walkers";
  refuse(problem, { remedy: "Omit --walkers or --resume" });
}

function walkersOf(text: string): WalkerRange {
  const [, first = "", last = first] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(text.trim()) ?? [];
  const range = { from: Number(first), to: Number(last) + 1 };
  if (first !== "" && range.from < range.to && range.to <= MAX_WALKERS) return range;
  throw new InvalidArgumentError("Expected two numbers of walkers, the first and the last, such as 0-99.");
}

export function addWalkMerge(walk: Command, io: Io): void {
  define(walk.command("merge"), io, {
    examples: ["walk merge part1.walk part2.walk -o map.png"],
    takes: [["<file...>", "runs of one layer, which walk run has saved"]],
    description: "merge runs of parts of a layer, and print a summary of the map",
    options: MERGE,
    async run(flags, files) {
      const writer = mapWriter(flags);
      await checkOutput(io, flags.output);
      const runs: Uint8Array[] = [];
      for (const file of files) runs.push(await readBytes(pathIn(io, file), { shown: file }));
      // the place of a run is its index, such as runs[2]
      const placed = ({ path = "" }: Where) => ({ file: files[Number(/^runs\[(\d+)\]$/.exec(path)?.[1])] });
      const { walk, result, walkers } = withPlaces(placed, () =>
        withProgress(io, { what: "merging", unit: "runs" }, (onProgress) => mergeSavedRuns(runs, { onProgress })),
      );
      const head = { command: "walk merge", name: walk };
      await putMap(io, new WalkMap([result]), flags, { head, writer });
      const ranges = walkers.map(({ from, to }) => (to - from === 1 ? `${from}` : `${from}-${to - 1}`));
      note(io, `layer ${result.name}, walkers ${ranges.join(", ") || "none"}`);
    },
  });
}
