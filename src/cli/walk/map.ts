import { InvalidArgumentError } from "commander";
import {
  type CellRectangle,
  COLOR_MAP_NAMES,
  type ColorMapName,
  csvChunks,
  type MapView,
  type PngLayer,
  type PngOptions,
  parquetChunks,
  toNpy,
  toPng,
} from "../../formats/index.js";
import type { WalkMap } from "../../walks/index.js";
import { choice, type Flags, option } from "../command.js";
import { documentOf, documentText, type Head, unknownEnding } from "../shared/documents.js";
import { endingOf, writeOrSummarise } from "../shared/files.js";
import { type Io, print, refuse, write } from "../shared/io.js";
import { integer, JSON_DOCUMENT } from "../shared/options.js";

const side = integer(1, 2 ** 28);

export const FRAME = [
  option(
    "--size <pixels>",
    "of a .png: maximum length of the longer side (default: 2048); 800x600 is short for --width 800 --height 600",
    sizeOf,
  ),
  option("--width <pixels>", "of a .png: width; the map is drawn in the centre, as large as possible", side),
  option("--height <pixels>", "of a .png: height; the map is drawn in the centre, as large as possible", side),
  option("--scale <pixels>", "of a .png: width of a cell, 1 to 256; smaller if the size requires it", integer(1, 256)),
  choice("--cells <shape>", "of a .png: draw cells as hexagons (default), or as square pixels", ["hexagons", "pixels"]),
  option("--background <colour>", "of a .png: colour where no cell is drawn, #rrggbb or transparent", backgroundOf),
  option("--legend", "of a .png: draw a legend below the map"),
] as const;
const COLORS = COLOR_MAP_NAMES.join(", ");
const PICTURE = [
  ...FRAME,
  option("--palette <names>", `of a .png: a colour map for each layer, separated by commas: ${COLORS}`, paletteOf),
] as const;

type PictureFlags = Flags<typeof PICTURE>;

export function frameOptions({ size, scale, width, height, cells, background, legend }: Flags<typeof FRAME>) {
  const sides = typeof size === "object" ? size : { maxSide: size, width, height };
  return { ...sides, pixelsPerCell: scale, cells, background, legend };
}

function refusePictureFlags(flags: PictureFlags): void {
  const given = PICTURE.find((one) => flags[one.attributeName() as keyof PictureFlags] !== undefined)?.long;
  if (given === undefined) return;
  refuse(`${given} applies only to a picture`, { expected: "-o with a .png file", remedy: `Remove ${given}` });
}

function pictureOfMap({ layers }: WalkMap, view: MapView, flags: PictureFlags): Uint8Array {
  const { palette = [] } = flags;
  if (palette.length > layers.length) {
    const expected = `at most ${layers.length} names, one for each layer`;
    refuse("--palette has more names than the map has layers", { got: palette.length, expected });
  }
  const drawn = layers.map(({ name, map }, i): PngLayer => {
    return { name, map, colorMap: palette[i] ?? (layers.length === 1 ? "inferno" : undefined) };
  });
  return toPng(drawn, { ...view, ...frameOptions(flags) });
}

function sizeOf(text: string): number | { readonly width: number; readonly height: number } {
  const [width, height] = text.split(/[x×]/i);
  return height === undefined ? side(text) : { width: side(width), height: side(height) };
}

function paletteOf(text: string): ColorMapName[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.every((name): name is ColorMapName => COLOR_MAP_NAMES.some((known) => known === name))) return names;
  throw new InvalidArgumentError(`Expected names from ${COLORS}.`);
}

function backgroundOf(text: string): NonNullable<PngOptions["background"]> {
  if (text === "transparent") return text;
  const [, digits] = /^#?([0-9a-f]{6})$/i.exec(text) ?? [];
  if (digits === undefined) throw new InvalidArgumentError('Expected #rrggbb or "transparent".');
  const byteAt = (i: number) => Number.parseInt(digits.slice(i, i + 2), 16);
  return [byteAt(0), byteAt(2), byteAt(4)];
}

/** Returns the options of a command that makes a map. `also` adds types of output files to the help text. */
export function mapOptions(also = "") {
  return [
    option(
      "-o, --output <file>",
      `write the map: .png (a picture), .npy (a dense u32 array), .json, .csv or .parquet (the visited cells)${also}`,
    ),
    option("--first-visits", "with -o: write steps of first visits instead of visits; lists of cells have both"),
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
  ["csv", (map, flags) => csvChunks(columnsOf(map, flags))],
  ["parquet", (map, flags) => parquetChunks(columnsOf(map, flags))],
]);

/** Returns the writer for the `-o` file. Undefined without `-o`, and for types in `also`, which the caller writes. */
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

export function refuseWithoutOutput(flags: Readonly<Record<string, unknown>>): void {
  const given = Object.keys(flags).find((flag) => flags[flag] !== undefined);
  if (given === undefined) return;
  refuse(`${given} applies only to a file`, { expected: "-o with a file", remedy: `Add -o, or remove ${given}` });
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

function viewOf({ window, firstVisits }: MapFlags): MapView {
  return { window, show: firstVisits ? "firstVisits" : "visits" };
}

function columnsOf({ total }: WalkMap, { window, firstVisits = false }: MapFlags) {
  return total.columnBatches({ window, firstVisits });
}

/** Yields the summary with the field `visited`: [row, col, visits] or [row, col, visits, firstVisit] of each cell. */
function* cellList(map: WalkMap, flags: MapFlags): Generator<string, void> {
  yield `${JSON.stringify(map.summary()).slice(0, -1)},"visited":[`;
  let separator = "";
  for (const columns of columnsOf(map, flags)) {
    let text = "";
    for (let i = 0; i < columns[0].values.length; i++) {
      text += `${separator}[${columns.map(({ values }) => values[i]).join()}]`;
      separator = ",\n";
    }
    yield text;
  }
  yield "]}";
}
