import { type Command, InvalidArgumentError } from "commander";
import type { Where } from "../../errors/index.js";
import { readBytes } from "../../files/read.js";
import {
  createMill,
  type Fraction,
  type LongCall,
  type Mill,
  toNumber,
  type Walk,
  type WalkInput,
} from "../../index.js";
import { analyseWalk, type HeadingClass } from "../../instruments/index.js";
import type { InThreads } from "../../threads/index.js";
import { DIRECTION_KEYS, HEADING_KEYS } from "../../walks/directions.js";
import {
  type DirectionKey,
  type LayerMap,
  MAX_STEPS,
  MAX_WALKERS,
  mergeSavedRuns,
  WalkMap,
} from "../../walks/index.js";
import type { WalkerRange } from "../../walks/layerParts.js";
import { resultOf } from "../../walks/map/walkMap.js";
import { decodeRun } from "../../walks/saved/savedRun.js";
import { choice, define, type Flags, option } from "../command.js";
import { exactText } from "../instruments/show.js";
import { chanceText, report, valued, withProbability } from "../shared/documents.js";
import { checkOutput, endingOf, readJson, stemOf, withPlaces, writeOutput } from "../shared/files.js";
import { type Io, note, pathIn, refuse, write } from "../shared/io.js";
import { countOf, FORK, forkOf, JSON_DOCUMENT, longCalls, openMill, SEED, seedOr, THREADS } from "../shared/options.js";
import { approximate, withProgress } from "../shared/progress.js";
import { mapOptions, mapWriter, putMap } from "./map.js";

const SPEC = ["<spec>", 'JSON spec; "-" is stdin'] as const;
const WALKING = { what: "walking", unit: "steps" } as const;

/** A spec without a name gets the name of its file. */
export function openWalk(mill: Mill, input: unknown, file: string, given?: string): Walk {
  const named = (input as { name?: unknown } | null)?.name;
  const name = typeof named === "string" && named !== "" ? named : stemOf(file, "walk");
  return mill.walk(given ?? name, input as WalkInput, { file });
}

/** Changes the number of walkers or steps of one layer. The mill checks the result later. */
function changedLayer(input: unknown, name: string | undefined, changes: object): unknown {
  if (typeof input !== "object" || input === null) return input;
  const { layers } = input as { layers?: unknown };
  if (!Array.isArray(layers)) return { ...input, ...changes };
  const only = layers.length === 1;
  return { ...input, layers: layers.map((layer) => (only || layer?.name === name ? { ...layer, ...changes } : layer)) };
}

/** Returns the index of the layer with a name. If the name is undefined, there must be only one layer. */
function layerIndex(walk: Walk, layer: string | undefined): number {
  const { layers } = walk;
  const index = layer === undefined && layers.length === 1 ? 0 : layers.findIndex(({ name }) => name === layer);
  if (index >= 0) return index;
  const expected = layers.map(({ name }) => name).join(" or ");
  const problem =
    layer === undefined ? "the walk has several layers" : `the walk has no layer ${JSON.stringify(layer)}`;
  return refuse(problem, { expected, remedy: "Choose one layer with --layer" });
}

/** Throws if a layer to be written keeps no first visits. Call this function before the walk runs. */
function refuseUndated(walk: Walk, layer: string | undefined): void {
  const written = layer === undefined ? walk.layers : [walk.layers[layerIndex(walk, layer)]];
  const undated = written.find(({ firstVisit }) => !firstVisit);
  if (undated === undefined) return;
  const remedy = 'Set "firstVisit": true in the layer, or choose another layer with --layer';
  refuse(`the layer ${JSON.stringify(undated.name)} keeps no first visits`, { remedy });
}

const RUN_ENDING = "walk";

const RUN = [
  SEED,
  FORK,
  option("--layer <name>", "run the layers up to this one; print and write only this one"),
  option("--walkers <first-last>", "run only these walkers of the layer, first and last included; from 0", walkersOf),
  option("--steps <steps>", "stop the layer's walkers after this number of steps", countOf(0, MAX_STEPS)),
  option("--save <file>", "also save the run of the layer, for --resume and for walk merge"),
  option("--resume <file>", "go on with a saved run; pass the same --seed and spec as for the saved run"),
  THREADS,
  ...mapOptions("; .walk saves the run, as --save does"),
] as const;
type RunFlags = Flags<typeof RUN>;

function addWalkRun(walk: Command, io: Io): void {
  const running = "walk run {examples/walk.json} --seed moria";
  define(walk.command("run"), io, {
    examples: [
      running,
      `${running} -o map.png --width 1200 --legend`,
      `${running} --layer land --walkers 0-11 -o part1.walk`,
      `${running} --layer land --walkers 12-23 -o part2.walk`,
      `${running} --layer land --steps 1000 --save land.walk`,
    ],
    takes: [SPEC],
    description: "run all layers and print a summary of the map; results depend on the seed and the spec's name",
    options: RUN,
    async run(flags, file) {
      const { seed, layer, output, fork, resume } = flags;
      refuseResume(flags);
      refuseThreadsOfPart(flags);
      const writer = mapWriter(flags, [RUN_ENDING]);
      const input = await readJson(io, file);
      const saves = savesOf(flags);
      for (const path of [output, ...saves]) await checkOutput(io, path);
      const saved = resume === undefined ? undefined : await readBytes(pathIn(io, resume), { shown: resume });
      using mill = await openMill(createMill, seedOr(io, seed), flags);
      const walk = forkOf(openWalk(mill, input, file), { fork });
      if (flags.firstVisits) refuseUndated(walk, layer);
      const startedAt = performance.now();
      const calls = longCalls(mill, walk);
      const { map, bytes } = await withProgress(io, WALKING, (onProgress) =>
        walkMap({ walk, calls }, { ...flags, saved }, onProgress),
      );
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

function isPart(flags: RunFlags): boolean {
  const { walkers, steps, resume } = flags;
  return [walkers, steps, resume].some((flag) => flag !== undefined) || savesOf(flags).length > 0;
}

type RunOf = Pick<Walk, "run" | "runLayer"> | InThreads<Walk>;

/** Runs all layers, one layer, or a part of one layer. Returns a saved run too, if the flags name a file for it. */
async function walkMap(
  { walk, calls }: { readonly walk: Walk; readonly calls: RunOf },
  flags: RunFlags & { readonly saved: Uint8Array | undefined },
  onProgress: LongCall["onProgress"],
): Promise<{ readonly map: WalkMap; readonly bytes?: Uint8Array }> {
  const { layer, walkers, steps, saved } = flags;
  if (!isPart(flags) && layer === undefined) return { map: await calls.run({ onProgress }) };
  const name = saved === undefined ? layer : decodeRun(saved).layer;
  if (layer !== undefined && layer !== name) {
    const problem = "--layer does not name the layer of the saved run";
    refuse(problem, { got: layer, expected: `${name}`, remedy: "Omit --layer" });
  }
  const index = layerIndex(walk, name);
  const info = walk.layers[index];
  const earlier = await earlierMaps(walk.layers.slice(0, index), calls);
  if (!isPart(flags)) {
    return { map: new WalkMap([resultOf(info.name, await calls.runLayer({ layer, earlier, onProgress }), info)]) };
  }
  if (walkers !== undefined && walkers.to > info.walkers) {
    const expected = `walkers from 0 to ${info.walkers - 1}`;
    refuse(`the layer ${JSON.stringify(info.name)} has no walker with this number`, { got: walkers.to - 1, expected });
  }
  using part = saved === undefined ? walk.start({ layer: name, walkers, earlier }) : walk.resume(saved, { earlier });
  const until = steps ?? info.steps;
  if (until < part.steps) {
    const expected = `--steps of ${part.steps} or more, or a layer with at least as many steps`;
    refuse(`the saved run has already taken ${part.steps} steps`, { got: until, expected });
  }
  part.advance(until - part.steps, { onProgress });
  const map = new WalkMap([resultOf(info.name, part.map(), info)]);
  return savesOf(flags).length === 0 ? { map } : { map, bytes: part.save() };
}

/** Runs layers, and returns their maps by name. Skips scattered layers. */
async function earlierMaps(layers: Walk["layers"], calls: RunOf): Promise<Record<string, LayerMap>> {
  const maps: Record<string, LayerMap> = {};
  for (const { name, side } of layers) {
    if (side === undefined) maps[name] = await calls.runLayer({ layer: name, earlier: maps });
  }
  return maps;
}

function refuseThreadsOfPart(flags: RunFlags): void {
  if (flags.threads === undefined || !isPart(flags)) return;
  const expected = "a run without --walkers, --steps, --resume, --save and a .walk file";
  refuse("--threads does not apply to a part of a layer", { expected, remedy: "Omit --threads" });
}

function refuseResume({ resume, seed, walkers }: RunFlags): void {
  if (resume === undefined) return;
  const remedy = "Add the --seed with which the run was saved";
  if (seed === undefined) refuse("--resume needs a seed", { expected: "--seed with a text", remedy });
  if (walkers === undefined) return;
  const problem = "--walkers does not apply to a saved run, which has its own walkers";
  refuse(problem, { remedy: "Omit --walkers or --resume" });
}

function walkersOf(text: string): WalkerRange {
  const [, first = "", last = first] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(text.trim()) ?? [];
  const range = { from: Number(first), to: Number(last) + 1 };
  if (first !== "" && range.from < range.to && range.to <= MAX_WALKERS) return range;
  throw new InvalidArgumentError("Expected the numbers of the first and the last walker, such as 0-99.");
}

function addWalkMerge(walk: Command, io: Io): void {
  define(walk.command("merge"), io, {
    examples: ["walk merge part1.walk part2.walk -o map.png"],
    takes: [["<file...>", "runs of one layer that walk run saved"]],
    description: "merge saved runs of different walkers of one layer, and print a summary of the map",
    options: mapOptions(),
    async run(flags, files) {
      const writer = mapWriter(flags);
      await checkOutput(io, flags.output);
      const runs: Uint8Array[] = [];
      for (const file of files) runs.push(await readBytes(pathIn(io, file), { shown: file }));
      // the path of an issue has the index of the run, such as runs[2]
      const placed = ({ path = "" }: Where) => ({ file: files[Number(/^runs\[(\d+)\]$/.exec(path)?.[1])] });
      const { walk, result, walkers } = await withProgress(io, { what: "merging", unit: "runs" }, (onProgress) =>
        withPlaces(placed, () => mergeSavedRuns(runs, { onProgress })),
      );
      const head = { command: "walk merge", name: walk };
      await putMap(io, new WalkMap([result]), flags, { head, writer });
      const ranges = walkers.map(({ from, to }) => (to - from === 1 ? `${from}` : `${from}-${to - 1}`));
      note(io, `layer ${result.name}, walkers ${ranges.join(", ") || "none"}`);
    },
  });
}

const LAYER = option("--layer <name>", "name of the layer; required if the spec has several layers");

const HEADING = choice("--heading <heading>", "direction of the previous step, or rest without a heading", [
  ...HEADING_KEYS.keys(),
]).default("rest");

const ANALYSE = [
  LAYER,
  HEADING,
  option("--after <steps>", "print the mean square of the distance after so many steps", countOf(0, 10_000), 100),
  JSON_DOCUMENT,
] as const;

function addWalkAnalyse(walk: Command, io: Io): void {
  define(walk.command("analyse"), io, {
    examples: ["walk analyse {examples/walk.json} --layer land"],
    takes: [SPEC],
    description: "what the tensor of a layer does in the long run, exactly: headings, drift, diffusion and period",
    options: ANALYSE,
    async run({ layer, heading = "rest", after, json }, file) {
      using mill = createMill({ seed: "" });
      const walk = openWalk(mill, await readJson(io, file), file);
      const { name } = walk.layers[layerIndex(walk, layer)];
      const { classes, meanSquare } = analyseWalk(walk, { layer: name, heading });
      const square = meanSquare(after);
      await report(
        io,
        { json },
        {
          head: { command: "walk analyse", name: walk.name },
          data: () => ({ layer: name, classes: classes.map(classData), after, meanSquare: valued(square) }),
          lines: () => [...classes.flatMap(classLines), `mean square after ${after} steps\t${valueText(square)}`],
        },
      );
    },
  });
}

function classData({ chance, headings, drift, diffusion, period, cells }: HeadingClass) {
  const shares = Object.entries(headings).map(([name, share]) => [name, withProbability(share)]);
  return {
    chance: withProbability(chance),
    headings: Object.fromEntries(shares),
    drift: { row: valued(drift.row), col: valued(drift.col) },
    diffusion: valued(diffusion),
    period,
    cells: withProbability(cells),
  };
}

function classLines({ chance, headings, drift, diffusion, period, cells }: HeadingClass): readonly string[] {
  const shares = Object.entries(headings).filter(([, { numerator }]) => numerator > 0n);
  return [
    `chance of these headings\t${chanceText(chance)}`,
    ...shares.map(([name, share]) => `  ${name}\t${chanceText(share)}`),
    `drift, rows for each step\t${valueText(drift.row)}`,
    `drift, columns for each step\t${valueText(drift.col)}`,
    `diffusion\t${valueText(diffusion)}`,
    `period\t${period}`,
    `share of cells that can be reached\t${chanceText(cells)}`,
  ];
}

function valueText(value: Fraction): string {
  return exactText(value).startsWith("≈") ? exactText(value) : chanceText(value);
}

export function addWalk(walk: Command, io: Io): void {
  addWalkRun(walk, io);
  addWalkMerge(walk, io);
  addWalkAnalyse(walk, io);
  define(walk.command("ends"), io, {
    examples: ["walk ends {examples/walk.json} --layer rivers --walkers 5 --seed moria"],
    takes: [SPEC],
    description: "print the last cell of each walker as row,col",
    options: [
      SEED,
      FORK,
      option("--walkers <walkers>", "number of walkers (default: the spec's)", countOf(1, MAX_WALKERS)),
      option("--steps <steps>", "number of steps of each walker (default: the spec's)", countOf(0, MAX_STEPS)),
      LAYER,
    ],
    async run(flags, file) {
      const { seed, layer, fork, ...changes } = flags;
      const input = changedLayer(await readJson(io, file), layer, changes);
      using mill = createMill({ seed: seedOr(io, seed) });
      const walk = forkOf(openWalk(mill, input, file), { fork });
      const index = layerIndex(walk, layer);
      const { steps } = walk.layers[index];
      using walked = walk.start({ layer, earlier: await earlierMaps(walk.layers.slice(0, index), walk) });
      await withProgress(io, WALKING, (onProgress) => walked.advance(steps, { onProgress }));
      let lines = "";
      for (const { row, col } of walked.positions()) {
        lines += `${row},${col}\n`;
        if (lines.length < 1e6) continue;
        await write(io, lines);
        lines = "";
      }
      await write(io, lines);
    },
  });
  define(walk.command("odds"), io, {
    examples: ["walk odds {examples/walk.json} --layer land --heading E"],
    takes: [SPEC],
    description: "exact chance of each of the six directions in one step",
    options: [
      HEADING,
      option("--closed <directions>", "directions that are closed, separated by commas", closedDirections),
      LAYER,
      JSON_DOCUMENT,
    ],
    async run({ heading = "rest", closed, layer, json }, file) {
      const input = await readJson(io, file);
      using mill = createMill({ seed: "" });
      const walk = openWalk(mill, input, file);
      const { name } = walk.layers[layerIndex(walk, layer)];
      const { odds } = walk.odds({ layer: name, heading, closed });
      await report(
        io,
        { json },
        {
          head: { command: "walk odds", name: walk.name },
          data: () => odds.map(({ result, probability }) => ({ direction: result, ...withProbability(probability) })),
          lines: () =>
            odds.map(({ result, probability }) => {
              const fraction = `${probability.numerator}/${probability.denominator}`;
              return `${result.padEnd(2)}  ${fraction.padEnd(12)} ${toNumber(probability).toPrecision(6)}`;
            }),
        },
      );
    },
  });
}

function closedDirections(text: string): DirectionKey[] {
  const names = text.split(",").map((name) => name.trim());
  const wrong = names.find((name) => !DIRECTION_KEYS.has(name as DirectionKey));
  if (wrong === undefined) return names as DirectionKey[];
  const expected = [...DIRECTION_KEYS.keys()].join(", ");
  return refuse("--closed has an unknown direction", { got: wrong, expected });
}
