import { InvalidArgumentError } from "commander";
import { csvChunks, type MapView, parquetChunks, toNpy } from "../../formats/index.js";
import type { Walk } from "../../index.js";
import type { Bounds, WalkMap } from "../../walks/index.js";
import { type Flags, option } from "../command.js";
import { documentOf, documentText, type Head } from "../shared/documents.js";
import { endingOf, writeOrSummarise } from "../shared/files.js";
import { type Io, print, refuse, write } from "../shared/io.js";
import { JSON_DOCUMENT } from "../shared/options.js";
import { unknownEnding } from "../shared/rows.js";
import { PICTURE, pictureOfMap, refusePictureFlags } from "./picture.js";
import { layerIndex } from "./spec.js";

/** The options of a command that makes a map. `also` adds further types of output files to the help text. */
export function mapOptions(also = "") {
  return [
    option(
      "-o, --output <file>",
      `write the map: .png (a picture), .npy (a dense u32 array), .json, .csv or .parquet (the visited cells)${also}`,
    ),
    option("--first-visits", "with -o: pictures and arrays show first visits instead of visits, lists show both"),
    option("--window <row0,col0,row1,col1>", "with -o: write only these cells, corners inclusive", windowOf),
    ...PICTURE,
    JSON_DOCUMENT,
  ] as const;
}

type MapFlags = Flags<ReturnType<typeof mapOptions>>;

type MapWriter = (map: WalkMap, flags: MapFlags, head: Head) => string | Uint8Array | Iterable<string | Uint8Array>;

const WRITERS: ReadonlyMap<string, MapWriter> = new Map<string, MapWriter>([
  ["png", (map, flags) => pictureOfMap(map, viewOf(flags), flags)],
  ["npy", (map, flags) => toNpy(map.total, viewOf(flags))],
  ["json", (map, flags, head) => documentOf(head, cellList(map, flags))],
  ["csv", (map, flags) => csvChunks(cellColumns(map, flags))],
  ["parquet", (map, flags) => parquetChunks(cellColumns(map, flags))],
]);

/**
 * Returns a function that writes a map in the format of the `-o` file. Returns undefined without `-o`, or for a type in
 * `also`, which the caller writes itself.
 */
export function mapWriter(flags: MapFlags, also: readonly string[] = []): MapWriter | undefined {
  const { output } = flags;
  if (output === undefined) {
    refuseWithoutOutput({ "--first-visits": flags.firstVisits, "--window": flags.window });
    refusePictureFlags(flags);
    return undefined;
  }
  const ending = endingOf(output);
  if (ending !== "png") refusePictureFlags(flags);
  if (also.includes(ending)) return undefined;
  return WRITERS.get(ending) ?? unknownEnding(output, [...WRITERS.keys(), ...also]);
}

export async function putMap(
  io: Io,
  map: WalkMap,
  flags: MapFlags,
  { head, writer }: { readonly head: Head; readonly writer: MapWriter | undefined },
): Promise<void> {
  const { output, json } = flags;
  const summary = map.summary();
  const text = json ? documentText(head, summary) : summaryText(summary);
  if (output !== undefined && writer !== undefined) {
    await writeOrSummarise(io, output, { content: () => writer(map, flags, head), summary: () => text });
  }
  await (json ? write(io, text) : print(io, text));
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

/** Refuses to write the first visits of a layer that keeps none. Call it before the walk runs. */
export function refuseUndated(walk: Walk, layer: string | undefined): void {
  const written = layer === undefined ? walk.layers : [walk.layers[layerIndex(walk, layer)]];
  const undated = written.find(({ firstVisit }) => !firstVisit);
  if (undated === undefined) return;
  const remedy = 'Set "firstVisit": true in the layer, or choose another layer with --layer';
  refuse(`the layer ${JSON.stringify(undated.name)} keeps no first visits`, { remedy });
}

export function refuseWithoutOutput(flags: Readonly<Record<string, unknown>>): void {
  const given = Object.keys(flags).find((flag) => flags[flag] !== undefined);
  if (given === undefined) return;
  refuse(`${given} applies only to a file`, { expected: "-o with a file", remedy: `Add -o, or remove ${given}` });
}

export function windowOf(text: string): Bounds {
  const numbers = text.split(",").map((part) => (/^-?\d+$/.test(part.trim()) ? Number(part) : Number.NaN));
  const [row0, col0, row1, col1] = numbers;
  const inRange = numbers.every((value) => value >= -(2 ** 31) && value < 2 ** 31);
  if (numbers.length === 4 && inRange && row0 <= row1 && col0 <= col1) return [row0, col0, row1, col1];
  throw new InvalidArgumentError("Expected row0,col0,row1,col1: 32-bit integers, row0 ≤ row1 and col0 ≤ col1.");
}

function viewOf({ window, firstVisits }: MapFlags): MapView {
  return { window, show: firstVisits ? "firstVisits" : "visits" };
}

function cellColumns(map: WalkMap, { window, firstVisits = false }: MapFlags) {
  return map.total.columnBatches({ window, firstVisits });
}

/** Yields the summary with the field `visited`: [row, col, visits] or [row, col, visits, firstVisit] of each cell. */
function* cellList(map: WalkMap, flags: MapFlags): Generator<string, void> {
  const batches = cellColumns(map, flags);
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
