import { extname } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { error, fail } from "../../errors/index.js";
import { type CellRectangle, csvChunks, type MapView, parquetChunks, toNpy } from "../../formats/index.js";
import type { Walk } from "../../index.js";
import type { WalkMap } from "../../walks/index.js";
import { documentOf, documentText, type Head } from "../shared/envelope.js";
import { type Io, print, write } from "../shared/io.js";
import { writeOrSummarise } from "../shared/outputFile.js";
import { unknownEnding } from "../shared/rowWriters.js";
import { addPictureOptions, type PictureFlags, pictureOfMap, refusePictureFlags } from "./picture.js";
import { layerIndex } from "./spec.js";

export interface MapFlags extends PictureFlags {
  readonly output?: string;
  readonly firstVisits?: boolean;
  readonly window?: CellRectangle;
}

interface MapPart extends PictureFlags {
  /** Undefined: all cells. */
  readonly window: CellRectangle | undefined;
  /** If true, lists show visits and first visits, and pictures and arrays only first visits. */
  readonly firstVisits: boolean;
}

type MapWriter = (map: WalkMap, part: MapPart, head: Head) => string | Uint8Array | Iterable<string | Uint8Array>;

const WRITERS: ReadonlyMap<string, MapWriter> = new Map<string, MapWriter>([
  ["png", (map, part) => pictureOfMap(map, viewOf(part), part)],
  ["npy", (map, part) => toNpy(map.total, viewOf(part))],
  ["json", (map, part, head) => documentOf(head, cellList(map, part))],
  ["csv", (map, part) => csvChunks(cellColumns(map, part))],
  ["parquet", (map, part) => parquetChunks(cellColumns(map, part))],
]);

/** `also` adds further types of output files to the help text. */
export function addMapOptions(command: Command, { also = "" }: { readonly also?: string } = {}): Command {
  const withMap = command
    .option(
      "-o, --output <file>",
      `write the map: .png (a picture), .npy (a dense u32 array), .json, .csv or .parquet (the visited cells)${also}`,
    )
    .option("--first-visits", "with -o: pictures and arrays show first visits instead of visits, lists show both")
    .option("--window <row0,col0,row1,col1>", "with -o: write only these cells, corners inclusive", windowOf);
  return addPictureOptions(withMap);
}

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
  const ending = extname(output).slice(1).toLowerCase();
  if (ending !== "png") refusePictureFlags(flags);
  if (also.includes(ending)) return undefined;
  return WRITERS.get(ending) ?? unknownEnding(output, [...WRITERS.keys(), ...also]);
}

export async function putMap(
  io: Io,
  map: WalkMap,
  flags: MapFlags & { readonly json?: boolean },
  { head, writer }: { readonly head: Head; readonly writer: MapWriter | undefined },
): Promise<void> {
  const { output, firstVisits = false, window, json: asJson } = flags;
  const summary = map.summary();
  const text = asJson ? documentText(head, summary) : summaryText(summary);
  if (output !== undefined && writer !== undefined) {
    const content = () => writer(map, { ...flags, window, firstVisits }, head);
    await writeOrSummarise(io, output, { content, summary: () => text });
  }
  await (asJson ? write(io, text) : print(io, text));
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
  const problem = `the layer ${JSON.stringify(undated.name)} keeps no first visits`;
  const remedy = 'Set "firstVisit": true in the layer, or choose another layer with --layer';
  fail(error("cli.usage", { problem, remedy }));
}

/** Refuses flags, given by name, that apply only with `-o`. */
export function refuseWithoutOutput(flags: Readonly<Record<string, unknown>>): void {
  const given = Object.keys(flags).find((flag) => flags[flag] !== undefined);
  if (given === undefined) return;
  const problem = `${given} applies only to a file`;
  fail(error("cli.usage", { problem, expected: "-o with a file", remedy: `Add -o, or remove ${given}` }));
}

export function windowOf(text: string): CellRectangle {
  const numbers = text.split(",").map((part) => (/^-?\d+$/.test(part.trim()) ? Number(part) : Number.NaN));
  const [row0, col0, row1, col1] = numbers;
  const inRange = numbers.every((value) => value >= -(2 ** 31) && value < 2 ** 31);
  if (numbers.length === 4 && inRange && row0 <= row1 && col0 <= col1) {
    return { row0, col0, rows: row1 - row0 + 1, cols: col1 - col0 + 1 };
  }
  throw new InvalidArgumentError("Expected row0,col0,row1,col1: 32-bit integers, row0 ≤ row1 and col0 ≤ col1.");
}

function viewOf({ window, firstVisits }: MapPart): MapView {
  return { window, show: firstVisits ? "firstVisits" : "visits" };
}

function cellColumns(map: WalkMap, { window, firstVisits }: MapPart) {
  return map.total.columnBatches({ window, firstVisits });
}

/** Yields the summary with the field `visited`: [row, col, visits] or [row, col, visits, firstVisit] of each cell. */
function* cellList(map: WalkMap, part: MapPart): Generator<string, void> {
  const batches = cellColumns(map, part);
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
