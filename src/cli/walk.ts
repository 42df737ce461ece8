import { extname } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { error, fail } from "../errors/index.js";
import { csvChunks, type MapView, parquetChunks, toNpy, toPng } from "../formats/index.js";
import { createMill, type LayerMap, type LongCall, type Mill, toNumber, type Walk, type WalkInput } from "../index.js";
import { DIRECTION_KEYS, HEADING_KEYS } from "../walks/directions.js";
import { type Bounds, type DirectionKey, type HeadingKey, MAX_STEPS, MAX_WALKERS, WalkMap } from "../walks/index.js";
import { resultOf } from "../walks/map/walkMap.js";
import { documentOf, documentText, type Head, printDocument } from "./envelope.js";
import { withExamples } from "./examples.js";
import { type ForkFlags, forkOf, forkOption } from "./forks.js";
import { readJson, stemOf } from "./inputFile.js";
import { type Io, note, print, write } from "./io.js";
import { countOf, jsonOption, seedOption, seedOr } from "./options.js";
import { checkOutput, writeOrSummarise } from "./outputFile.js";
import { approximate, withProgress } from "./progress.js";
import { unknownEnding } from "./rowWriters.js";

const WALKING = { what: "walking", unit: "steps" } as const;

/** What to write of a map. */
interface MapPart {
  /** The cells to write; undefined for all. */
  readonly window: Bounds | undefined;
  /** Whether to write first visits: instead of the visits in pictures and arrays, in addition to them in lists. */
  readonly firstVisits: boolean;
}

type MapWriter = (map: WalkMap, part: MapPart, head: Head) => string | Uint8Array | Iterable<string | Uint8Array>;

const WRITERS: ReadonlyMap<string, MapWriter> = new Map<string, MapWriter>([
  ["png", png],
  ["npy", (map, part) => toNpy(map.total, viewOf(part))],
  ["json", cellList],
  ["csv", (map, part) => csvChunks(map.total.columnBatches(part))],
  ["parquet", (map, part) => parquetChunks(map.total.columnBatches(part))],
]);

/** Adds `rollmill walk run`, `walk ends` and `walk odds`. */
export function addWalk(walk: Command, io: Io): void {
  const running = "walk run {examples/walk.json} --seed moria";
  withExamples(walk.command("run"), io, running, `${running} -o map.png`)
    .argument("<spec>", 'JSON spec; "-" is stdin')
    .description("run all layers and print a summary of the map; results depend on the seed and the spec's name")
    .addOption(seedOption())
    .addOption(forkOption())
    .option("--layer <name>", "run up to this layer, and print and write this layer alone")
    .option(
      "-o, --output <file>",
      "write the map: .png (a picture), .npy (a dense u32 array), .json, .csv or .parquet (the visited cells)",
    )
    .option("--first-visits", "with -o: pictures and arrays show first visits instead of visits, lists show both")
    .option("--window <row0,col0,row1,col1>", "with -o: write only these cells, corners inclusive", windowOf)
    .addOption(jsonOption())
    .action((file: string, flags: RunFlags) => run(io, file, flags));
  withExamples(walk.command("ends"), io, "walk ends {examples/walk.json} --layer rivers --walkers 5 --seed moria")
    .argument("<spec>", 'JSON spec; "-" is stdin')
    .description("print the last cell of each walker as row,col")
    .addOption(seedOption())
    .addOption(forkOption())
    .option("--walkers <walkers>", "number of walkers (default: the spec's)", countOf(1, MAX_WALKERS))
    .option("--steps <steps>", "number of steps of each walker (default: the spec's)", countOf(0, MAX_STEPS))
    .option("--layer <name>", "name of the layer; required if the spec has several")
    .action((file: string, flags: EndsFlags) => ends(io, file, flags));
  withExamples(walk.command("odds"), io, "walk odds {examples/walk.json} --layer land --heading E")
    .argument("<spec>", 'JSON spec; "-" is stdin')
    .description("exact chance of each of the six directions in one step")
    .addOption(
      new Option("--heading <heading>", "direction of the previous step; rest if there is none")
        .choices([...HEADING_KEYS.keys()])
        .default("rest"),
    )
    .option("--closed <directions>", "directions that are closed, separated by commas", closedDirections)
    .option("--layer <name>", "name of the layer; required if the spec has several")
    .addOption(jsonOption())
    .action((file: string, flags: OddsFlags) => odds(io, file, flags));
}

interface RunFlags extends ForkFlags {
  readonly seed?: string;
  readonly layer?: string;
  readonly output?: string;
  readonly firstVisits?: boolean;
  readonly window?: Bounds;
  readonly json?: boolean;
}

async function run(io: Io, file: string, flags: RunFlags): Promise<void> {
  const { seed, layer, output, firstVisits = false, window, json: asJson, fork } = flags;
  if (output === undefined) refuseWithoutOutput({ "--first-visits": flags.firstVisits, "--window": window });
  const writeMap = output === undefined ? undefined : writerFor(output);
  const input = await readJson(io, file);
  if (output !== undefined) await checkOutput(io, output);
  using mill = createMill({ seed: seedOr(io, seed) });
  const walk = forkOf(open(mill, input, file), { fork });
  if (firstVisits) refuseUndated(walk, layer);
  const startedAt = performance.now();
  const map = withProgress(io, WALKING, (onProgress) =>
    layer === undefined ? walk.run({ onProgress }) : runLayer(walk, layer, onProgress),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const summary = map.summary();
  const head = { command: "walk run", seed: mill.seed, name: walk.name, fork };
  const text = asJson ? documentText(head, summary) : summaryText(summary);
  if (output !== undefined && writeMap !== undefined) {
    const content = () => writeMap(map, { window, firstVisits }, head);
    await writeOrSummarise(io, output, { content, summary: () => text });
  }
  if (asJson) return write(io, text);
  await print(io, text);
  note(io, `${seconds.toFixed(2)} s, ${approximate(summary.steps / seconds)} steps a second`);
}

function summaryText(summary: ReturnType<WalkMap["summary"]>): string {
  const { cells, steps, ended, visits, maxVisits, bounds, digest, firstVisits: first } = summary;
  const walkers = ended === undefined ? { steps } : { steps, ended };
  const figures = { cells, ...walkers, visits, maxVisits, bounds: bounds?.join(" ") ?? "none", digest };
  const lines = first === undefined ? figures : { ...figures, firstVisit: `latest ${first.latest}, ${first.digest}` };
  return Object.entries(lines)
    .map(([name, value]) => `${name.padEnd(10)} ${value}\n`)
    .join("");
}

/** Runs the layers up to a layer, and returns the result of this layer alone. */
function runLayer(walk: Walk, layer: string, onProgress: LongCall["onProgress"]): WalkMap {
  const info = walk.layers[layerIndex(walk, layer)];
  const map = walk.runLayer({ layer, earlier: earlierMaps(walk, layer), onProgress });
  return new WalkMap([resultOf(info.name, map, info)]);
}

/** Refuses `--first-visits` if a layer that is written keeps none, before the walk runs. */
function refuseUndated(walk: Walk, layer: string | undefined): void {
  const written = layer === undefined ? walk.layers : [walk.layers[layerIndex(walk, layer)]];
  const undated = written.find(({ firstVisit }) => !firstVisit);
  if (undated === undefined) return;
  const problem = `the layer ${JSON.stringify(undated.name)} keeps no first visits`;
  const remedy = 'Set "firstVisit": true in the layer, or choose another layer with --layer';
  fail(error("cli.usage", { problem, remedy }));
}

function refuseWithoutOutput(flags: Readonly<Record<string, unknown>>): void {
  const given = Object.keys(flags).find((flag) => flags[flag] !== undefined);
  if (given === undefined) return;
  const problem = `${given} applies only to a file`;
  fail(error("cli.usage", { problem, expected: "-o with a file", remedy: `Add -o, or remove ${given}` }));
}

function windowOf(text: string): Bounds {
  const numbers = text.split(",").map((part) => (/^-?\d+$/.test(part.trim()) ? Number(part) : Number.NaN));
  const [row0, col0, row1, col1] = numbers;
  const inRange = numbers.every((value) => value >= -(2 ** 31) && value < 2 ** 31);
  if (numbers.length === 4 && inRange && row0 <= row1 && col0 <= col1) return [row0, col0, row1, col1];
  throw new InvalidArgumentError("Expected row0,col0,row1,col1: 32-bit integers, row0 ≤ row1 and col0 ≤ col1.");
}

interface EndsFlags extends ForkFlags {
  readonly seed?: string;
  readonly walkers?: number;
  readonly steps?: number;
  readonly layer?: string;
}

async function ends(io: Io, file: string, { seed, layer, fork, ...changes }: EndsFlags): Promise<void> {
  const input = changedLayer(await readJson(io, file), layer, changes);
  using mill = createMill({ seed: seedOr(io, seed) });
  const walk = forkOf(open(mill, input, file), { fork });
  const { steps } = walk.layers[layerIndex(walk, layer)];
  using walked = walk.start({ layer, earlier: earlierMaps(walk, layer) });
  withProgress(io, WALKING, (onProgress) => walked.advance(steps, { onProgress }));
  let lines = "";
  for (const { row, col } of walked.positions()) {
    lines += `${row},${col}\n`;
    if (lines.length < 1e6) continue;
    await write(io, lines);
    lines = "";
  }
  await write(io, lines);
}

interface OddsFlags {
  readonly heading: HeadingKey;
  readonly closed?: readonly DirectionKey[];
  readonly layer?: string;
  readonly json?: boolean;
}

async function odds(io: Io, file: string, { heading, closed, layer, json: asJson }: OddsFlags): Promise<void> {
  const input = await readJson(io, file);
  using mill = createMill({ seed: "" });
  const walk = open(mill, input, file);
  const { name } = walk.layers[layerIndex(walk, layer)];
  const list = walk.odds({ layer: name, heading, closed }).odds.map(({ result: direction, probability }) => ({
    direction,
    ...probability,
    probability: toNumber(probability),
  }));
  if (asJson) return printDocument(io, { command: "walk odds", seed: null, name: walk.name }, list);
  const lines = list.map(
    ({ direction, numerator, denominator, probability }) =>
      `${direction.padEnd(2)}  ${`${numerator}/${denominator}`.padEnd(12)} ${probability.toPrecision(6)}\n`,
  );
  await print(io, lines.join(""));
}

function open(mill: Mill, input: unknown, file: string): Walk {
  const named = (input as { name?: unknown } | null)?.name;
  const name = typeof named === "string" && named !== "" ? named : stemOf(file, "walk");
  return mill.walk(name, input as WalkInput, { file });
}

/** Replaces the number of walkers or steps of one layer in an unchecked spec. The mill checks the result. */
function changedLayer(
  input: unknown,
  name: string | undefined,
  changes: { walkers?: number; steps?: number },
): unknown {
  if (typeof input !== "object" || input === null) return input;
  const { layers } = input as { layers?: unknown };
  if (!Array.isArray(layers)) return { ...input, ...changes };
  const only = layers.length === 1;
  return { ...input, layers: layers.map((layer) => (only || layer?.name === name ? { ...layer, ...changes } : layer)) };
}

/** Returns the maps of the layers before a layer, by name. */
function earlierMaps(walk: Walk, layer: string | undefined): Record<string, LayerMap> {
  const maps: Record<string, LayerMap> = {};
  for (const { name } of walk.layers.slice(0, layerIndex(walk, layer))) {
    maps[name] = walk.runLayer({ layer: name, earlier: maps });
  }
  return maps;
}

function layerIndex(walk: Walk, layer: string | undefined): number {
  const { layers } = walk;
  const index = layer === undefined && layers.length === 1 ? 0 : layers.findIndex(({ name }) => name === layer);
  if (index >= 0) return index;
  const expected = layers.map(({ name }) => name).join(" or ");
  const problem =
    layer === undefined ? "the walk has several layers" : `the walk has no layer ${JSON.stringify(layer)}`;
  return fail(error("cli.usage", { problem, expected, remedy: "Choose one layer with --layer" }));
}

function closedDirections(text: string): DirectionKey[] {
  const names = text.split(",").map((name) => name.trim());
  const wrong = names.find((name) => !DIRECTION_KEYS.has(name));
  if (wrong === undefined) return names as DirectionKey[];
  const expected = [...DIRECTION_KEYS.keys()].join(", ");
  return fail(error("cli.usage", { problem: "--closed has an unknown direction", got: wrong, expected }));
}

function writerFor(output: string): MapWriter {
  const ending = extname(output).slice(1).toLowerCase();
  return WRITERS.get(ending) ?? unknownEnding(output, [...WRITERS.keys()]);
}

function viewOf({ window, firstVisits }: MapPart): MapView {
  return { window, show: firstVisits ? "firstVisits" : "visits" };
}

function png(map: WalkMap, part: MapPart): Uint8Array {
  const [only, ...others] = map.layers;
  return toPng(others.length === 0 ? only.map : map.layers.map((layer) => ({ map: layer.map })), viewOf(part));
}

/**
 * Returns a JSON document. Its data are the fields of the summary, and `visited`, a list of the visited cells as
 * [row, col, visits], or [row, col, visits, firstVisit], sorted by row, then column.
 */
function cellList(map: WalkMap, part: MapPart, head: Head): Iterable<string> {
  return documentOf(head, cells(map, part));
}

function* cells(map: WalkMap, part: MapPart): Generator<string, void> {
  const batches = map.total.columnBatches(part);
  yield `${JSON.stringify(map.summary()).slice(0, -1)},"visited":[`;
  let separator = "";
  for (const columns of batches) {
    let text = "";
    for (let i = 0; i < columns[0].values.length; i++) {
      text += `${separator}[${columns.map(({ values }) => values[i]).join()}]`;
      separator = ",\n";
    }
    yield text;
  }
  yield "]}";
}
