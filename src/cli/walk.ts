import { basename, extname } from "node:path";
import { type Command, Option } from "commander";
import { error, fail } from "../errors/index.js";
import { toNpy, toPng } from "../formats/index.js";
import {
  createMill,
  DirectionTensor,
  type LayerBody,
  type LayerMap,
  type Mill,
  toNumber,
  type Walk,
  type WalkInput,
  type WalkMap,
} from "../index.js";
import { DIRECTION_KEYS, DIRECTIONS, type DirectionKey, HEADING_KEYS, type HeadingKey } from "../walks/index.js";
import { integer, jsonOption, seedOption } from "./options.js";
import {
  approximate,
  checkFolderOf,
  json,
  note,
  readJson,
  seedOr,
  withProgress,
  write,
  writeWhole,
} from "./terminal.js";

const MAX_WALKERS = 2 ** 32 - 1;
const MAX_STEPS = 2 ** 42 - 1;
const WALKING = { what: "walking", unit: "steps" } as const;
const WRITERS = { ".png": png, ".npy": npy, ".json": cellList } as const;

/** Adds `rollmill walk run`, `walk ends` and `walk probabilities`. */
export function addWalk(program: Command): void {
  const walk = program.command("walk").description("drunken walks over hex grids, from a JSON spec");
  walk
    .command("run")
    .argument("<spec>", 'JSON spec; "-" is stdin')
    .description(
      "walk every layer to its end and sum the map up; its random words go by the spec's name, or the file's stem",
    )
    .addOption(seedOption())
    .option("-o, --output <file>", "write the map: .png a picture, .npy a dense u32 array, .json its visited cells")
    .addOption(jsonOption())
    .action(run);
  walk
    .command("ends")
    .argument("<spec>", 'JSON spec; "-" is stdin')
    .description("print row,col of the cell where each walker ends")
    .addOption(seedOption())
    .option("--walkers <walkers>", "instead of the spec's", integer(1, MAX_WALKERS))
    .option("--steps <steps>", "instead of the spec's", integer(0, MAX_STEPS))
    .option("--layer <name>", "layer, where the spec has several")
    .action(ends);
  walk
    .command("probabilities")
    .argument("<spec>", 'JSON spec; "-" is stdin')
    .description("the exact chances of the six directions for a step")
    .addOption(
      new Option("--heading <heading>", "the last step's direction, or rest")
        .choices([...HEADING_KEYS.keys()])
        .default("rest"),
    )
    .option("--closed <directions>", "directions that may not be taken, with commas between them", closedDirections)
    .option("--layer <name>", "layer, where the spec has several")
    .addOption(jsonOption())
    .action(probabilities);
}

interface RunFlags {
  readonly seed?: string;
  readonly output?: string;
  readonly json?: boolean;
}

async function run(file: string, { seed, output, json: asJson }: RunFlags): Promise<void> {
  const writeMap = output === undefined ? undefined : writerFor(output);
  const input = await readJson(file);
  if (output !== undefined) await checkFolderOf(output);
  const { walk } = open(input, { file, seed: seedOr(seed) });
  const startedAt = performance.now();
  const map = withProgress(WALKING, (onProgress) => walk.run({ onProgress }));
  const seconds = (performance.now() - startedAt) / 1000;
  if (output !== undefined && writeMap !== undefined) await writeWhole(output, writeMap(map));
  const summary = map.summary();
  if (asJson) return write(json(summary));
  const { cells, steps, visits, maxVisits, bounds, digest } = summary;
  const lines = { cells, steps, visits, maxVisits, bounds: bounds?.join(" ") ?? "none", digest };
  await write(
    Object.entries(lines)
      .map(([name, value]) => `${name.padEnd(10)} ${value}\n`)
      .join(""),
  );
  note(`${seconds.toFixed(2)} s, ${approximate(steps / seconds)} steps a second`);
}

interface EndsFlags {
  readonly seed?: string;
  readonly walkers?: number;
  readonly steps?: number;
  readonly layer?: string;
}

async function ends(file: string, { seed, layer, ...changes }: EndsFlags): Promise<void> {
  const input = changedLayer(await readJson(file), layer, changes);
  const { walk } = open(input, { file, seed: seedOr(seed) });
  const plan = walk.plan.layers.find(({ name }) => layer === undefined || name === layer);
  using walked = walk.start({ ...(layer === undefined ? {} : { layer }), earlier: earlierMaps(walk, layer) });
  withProgress(WALKING, (onProgress) => walked.advance(plan?.steps ?? 0, { onProgress }));
  let lines = "";
  for (const { row, col } of walked.positions()) {
    lines += `${row},${col}\n`;
    if (lines.length < 1e6) continue;
    await write(lines);
    lines = "";
  }
  await write(lines);
}

interface ProbabilitiesFlags {
  readonly heading: HeadingKey;
  readonly closed?: readonly DirectionKey[];
  readonly layer?: string;
  readonly json?: boolean;
}

async function probabilities(
  file: string,
  { heading, closed = [], layer, json: asJson }: ProbabilitiesFlags,
): Promise<void> {
  const input = await readJson(file);
  const { walk } = open(input, { file, seed: "" });
  const index = layerIndex(walk, layer);
  const { layers } = input as { layers?: readonly LayerBody[] };
  const { preset, tensor } = layers?.[index] ?? (input as LayerBody);
  const chances = new DirectionTensor(preset ?? tensor ?? "uniform").probabilities(heading, closed);
  const list = chances.map((chance, i) => ({ direction: DIRECTIONS[i], ...chance, probability: toNumber(chance) }));
  if (asJson) return write(json(list));
  const lines = list.map(
    ({ direction, numerator, denominator, probability }) =>
      `${direction.padEnd(2)}  ${`${numerator}/${denominator}`.padEnd(12)} ${probability.toPrecision(6)}\n`,
  );
  await write(lines.join(""));
}

function open(input: unknown, { file, seed }: { file: string; seed: string }): { mill: Mill; walk: Walk } {
  const mill = createMill({ seed });
  const named = (input as { name?: unknown } | null)?.name;
  const name =
    typeof named === "string" && named !== "" ? named : file === "-" ? "walk" : basename(file, extname(file));
  return { mill, walk: mill.walk(name, input as WalkInput, { file }) };
}

/** The spec with other walkers or steps in one layer, left to the parser to judge. */
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

/** The maps of the layers before one, each made from those before it. */
function earlierMaps(walk: Walk, layer: string | undefined): Record<string, LayerMap> {
  const maps: Record<string, LayerMap> = {};
  for (const { name } of walk.plan.layers.slice(0, layerIndex(walk, layer))) {
    maps[name] = walk.runLayer({ layer: name, earlier: maps });
  }
  return maps;
}

function layerIndex(walk: Walk, layer: string | undefined): number {
  const { layers } = walk.plan;
  const index = layer === undefined && layers.length === 1 ? 0 : layers.findIndex(({ name }) => name === layer);
  if (index >= 0) return index;
  const expected = layers.map(({ name }) => name).join(" or ");
  const problem = layer === undefined ? "the walk has several layers" : `the walk has no layer ${layer}`;
  return fail(error("cli.usage", { problem, expected, remedy: "Name one with --layer" }));
}

function closedDirections(text: string): DirectionKey[] {
  const names = text.split(",").map((name) => name.trim());
  const wrong = names.find((name) => !DIRECTION_KEYS.has(name));
  if (wrong === undefined) return names as DirectionKey[];
  const expected = [...DIRECTION_KEYS.keys()].join(", ");
  return fail(error("cli.usage", { problem: "--closed names no direction", got: wrong, expected }));
}

function writerFor(output: string): (map: WalkMap) => string | Uint8Array | Iterable<string> {
  const extension = extname(output).toLowerCase();
  const writer = new Map<string, (map: WalkMap) => string | Uint8Array | Iterable<string>>(Object.entries(WRITERS)).get(
    extension,
  );
  if (writer !== undefined) return writer;
  const expected = Object.keys(WRITERS).join(", ");
  return fail(
    error("cli.usage", {
      problem: "-o does not know this kind of file",
      got: output,
      expected,
      remedy: "Change its ending",
    }),
  );
}

function png(map: WalkMap): Uint8Array {
  const [only, ...others] = map.layers;
  return others.length === 0 ? toPng(only.map) : toPng(map.layers.map((layer) => ({ map: layer.map })));
}

function npy(map: WalkMap): Uint8Array {
  return toNpy(map.total);
}

/** The summary, and every visited cell as [row, col, visits] by row, then column, under `visited`. */
function* cellList(map: WalkMap): Generator<string, void> {
  yield `${JSON.stringify(map.summary()).slice(0, -1)},"visited":[`;
  let separator = "";
  for (const batch of map.total.records()) {
    const view = new DataView(batch.buffer, batch.byteOffset, batch.byteLength);
    let cells = "";
    for (let at = 0; at < batch.byteLength; at += 12) {
      cells += `${separator}[${view.getInt32(at, true)},${view.getInt32(at + 4, true)},${view.getUint32(at + 8, true)}]`;
      separator = ",\n";
    }
    yield cells;
  }
  yield "]}\n";
}
