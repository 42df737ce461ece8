import { open } from "node:fs/promises";
import { join } from "node:path";
import { error, fail } from "../../errors/index.js";
import { makeFolder } from "../../files/folders.js";
import { writeWhole } from "../../files/index.js";
import { failToRead } from "../../files/problem.js";
import { littleEndian } from "../../formats/bytes.js";
import { checkChoice } from "../../formats/checks.js";
import { cellsOfPixels, type PixelRectangle, pixelsOfCells, pngChunks, squareHeights } from "../../formats/index.js";
import { checkInteger } from "../../spec/index.js";
import { type CellRectangle, grown, overlap } from "../../walks/rectangles.js";
import { FIELD_MOST } from "../../worlds/types.js";
import { unlessDamaged } from "../folder/store.js";
import { TaskContext } from "../tasks/context.js";
import { distances } from "./distances.js";
import type { MakePieces, Pieces } from "./pieces.js";
import { type ExportSource, exportSource, type LayerHeights, progressOf, type WriteOptions } from "./source.js";
import { removeFile } from "./tiles.js";

export const SCALE = "heights.json";
const NAME = "heights";
/** Heights are made in squares of so many pixels, so that the world's walkers near a square are walked once. */
const BLOCK = 1024;
const READ_BYTES = 2 ** 22;
/** For each number of a layer: the default of `most`, and its limit. */
const MOST: Readonly<Record<LayerHeights, readonly [usual: number, limit: number]>> = {
  visits: [255, 2 ** 32 - 1],
  firstVisits: [FIELD_MOST, 2 ** 32 - 1],
  distance: [64, 255],
};

/** Writes the heights as raw numbers and as pictures, whole or in tiles. Writes the file with their scale last. */
export async function writeHeights(
  source: ExportSource,
  folder: string,
  options: WriteOptions,
  make: MakePieces,
): Promise<void> {
  const { coordinates, window, job, result } = source;
  const { pixels, grid, pieces } = planOf(source, options);
  const shown = shownOf(source, options);
  const passed = progressOf(
    "the heights",
    pieces.reduce((sum, { height, width }) => sum + height * width, 0),
    options,
  );
  makeFolder(folder);
  await removeFile(join(folder, SCALE));
  const made = make(heightPieces(source, options));
  const heights = async () => {
    const { value } = await made.next();
    if (value === undefined) throw new Error("the heights have too few pieces");
    passed(value.length);
    return value;
  };
  try {
    if (grid === undefined) await writePair(join(folder, NAME), pixels, bandsIn(pixels, heights));
    else {
      for (const [k, tile] of pieces.entries()) {
        const [x, y] = [k % grid.cols, Math.floor(k / grid.cols)];
        await writePair(join(folder, `${NAME}_x${x}_y${y}`), tile, [await heights()]);
      }
    }
  } finally {
    // ends the work of the threads
    await made.return();
  }
  const { name, seed } = job.manifest;
  const of = { name, seed, digest: result.digest, ...shown.of, most: shown.most, value: FIELD_MOST };
  const tiles = grid === undefined ? null : { ...grid, name: `${NAME}_x{x}_y{y}` };
  const scale = { ...of, window, coordinates, pixels, rowsPerLine: [15, 13], tiles };
  await writeWhole(join(folder, SCALE), `${JSON.stringify(scale, null, 2)}\n`);
}

/** The heights of each tile, or of each block. */
export function heightPieces(source: ExportSource, options: WriteOptions): Pieces<Uint16Array> {
  const { coordinates, window } = source;
  const { pixels, pieces } = planOf(source, options);
  const shown = shownOf(source, options);
  let opened: ReturnType<Shown["open"]> | undefined;

  /** Returns the heights of a piece, and 0 for pixels beyond the last line or column of the map. */
  function heightsIn(piece: PixelRectangle): Uint16Array {
    const height = Math.min(piece.height, pixels.y0 + pixels.height - piece.y0);
    const width = Math.min(piece.width, pixels.x0 + pixels.width - piece.x0);
    const inside = { ...piece, height, width };
    const out = new Uint16Array(piece.height * piece.width);
    const cells = overlap(cellsOfPixels(inside, { coordinates }), window);
    if (cells.rows > 0 && cells.cols > 0) {
      opened ??= shown.open();
      const values = opened.valuesOf(cells);
      paste(squareHeights({ ...cells, coordinates, values }, inside), width, { out, width: piece.width, x: 0 });
    }
    return out;
  }

  return { count: pieces.length, make: (k) => heightsIn(pieces[k]), close: () => opened?.close?.() };
}

/** The pixels of the map, and the pieces in which they are made: tiles, or else blocks. */
function planOf({ coordinates, window }: ExportSource, { tileSide }: WriteOptions) {
  if (tileSide !== undefined) checkTileSide(tileSide);
  const pixels = pixelsOfCells({ ...window, coordinates });
  const grid = tileSide === undefined ? undefined : tilesOf(pixels, tileSide);
  const pieces = grid === undefined ? blocksOf(pixels) : tilesIn(pixels, grid);
  return { pixels, grid, pieces };
}

function tilesIn({ y0, x0 }: PixelRectangle, { side, rows, cols }: ReturnType<typeof tilesOf>): PixelRectangle[] {
  return Array.from({ length: rows * cols }, (_, k) => {
    const [x, y] = [k % cols, Math.floor(k / cols)];
    return { y0: y0 + y * (side - 1), x0: x0 + x * (side - 1), height: side, width: side };
  });
}

function blocksOf({ y0, x0, height, width }: PixelRectangle): PixelRectangle[] {
  const cols = Math.ceil(width / BLOCK);
  return Array.from({ length: Math.ceil(height / BLOCK) * cols }, (_, k) => {
    const [x, y] = [(k % cols) * BLOCK, Math.floor(k / cols) * BLOCK];
    return { y0: y0 + y, x0: x0 + x, height: Math.min(BLOCK, height - y), width: Math.min(BLOCK, width - x) };
  });
}

function checkTileSide(side: number): void {
  checkInteger("tileSide", side, 33, 4097);
  if (Math.log2(side - 1) % 1 === 0) return;
  const expected = "a power of 2, plus 1";
  fail(error("argument.range", { problem: 'invalid option "tileSide"', got: side, expected }));
}

/** Returns how many tiles cover the pixels. Each tile shares its last line and column with the next tile. */
function tilesOf({ height, width }: PixelRectangle, side: number) {
  const count = (length: number) => Math.max(1, Math.ceil((length - 1) / (side - 1)));
  return { side, rows: count(height), cols: count(width) };
}

/** Yields bands of whole lines. `heights` returns the heights of the next block. */
async function* bandsIn(
  { height, width }: PixelRectangle,
  heights: () => Promise<Uint16Array>,
): AsyncGenerator<Uint16Array, void> {
  for (let y = 0; y < height; y += BLOCK) {
    const band = new Uint16Array(Math.min(BLOCK, height - y) * width);
    for (let x = 0; x < width; x += BLOCK) {
      paste(await heights(), Math.min(BLOCK, width - x), { out: band, width, x });
    }
    yield band;
  }
}

/** Copies lines of `cols` pixels to the lines of `out`, from column x on. */
function paste(
  block: Uint16Array,
  cols: number,
  { out, width, x }: { readonly out: Uint16Array; readonly width: number; readonly x: number },
): void {
  for (let from = 0, to = x; from < block.length; from += cols, to += width) {
    out.set(block.subarray(from, from + cols), to);
  }
}

/** Writes PATH.r16, and then PATH.png from it, so that heights are made once and need not fit in memory. */
async function writePair(path: string, size: PixelRectangle, bands: Bands): Promise<void> {
  const { width, height } = size;
  await writeWhole(`${path}.r16`, bytesOf(bands));
  await writeWhole(`${path}.png`, pngChunks({ width, height, depth: 16 }, storedBands(`${path}.r16`, width)));
}

type Bands = Iterable<Uint16Array> | AsyncIterable<Uint16Array>;

async function* bytesOf(bands: Bands): AsyncGenerator<Uint8Array, void> {
  for await (const band of bands) yield littleEndian(band);
}

async function* storedBands(path: string, width: number): AsyncGenerator<Uint16Array, void> {
  const file = await open(path).catch((cause: unknown) => failToRead(path, cause));
  try {
    const lines = Math.max(1, Math.floor(READ_BYTES / (2 * width)));
    const band = new Uint16Array(lines * width);
    for (;;) {
      const { bytesRead } = await file.read(new Uint8Array(band.buffer));
      if (bytesRead === 0) return;
      const numbers = littleEndian(band.subarray(0, bytesRead / 2));
      yield new Uint16Array(numbers.buffer as ArrayBuffer, numbers.byteOffset, bytesRead / 2);
    }
  } finally {
    await file.close();
  }
}

/** What is shown, for the file with the scale, and a function that returns its values in a rectangle, row by row. */
interface Shown {
  readonly of: { readonly field: string } | { readonly layer: string; readonly show: LayerHeights };
  /** The number with the value FIELD_MOST. */
  readonly most: number;
  readonly open: () => { readonly valuesOf: (cells: CellRectangle) => Uint16Array; readonly close?: () => void };
}

function shownOf(source: ExportSource, { field, layer, show, most, signal }: WriteOptions): Shown {
  const { fields } = source.job.spec;
  if (field !== undefined && layer !== undefined) {
    fail(error("argument.range", { problem: '"field" and "layer" exclude each other', remedy: "Remove one of them" }));
  }
  const isOfLayer = field === undefined && (layer ?? show ?? most) !== undefined;
  const name = isOfLayer ? undefined : (field ?? fields[0]?.name);
  if (name === undefined) return layerShown(source, layer ?? source.layers[0]?.name, { show, most });
  if (!fields.some((one) => one.name === name)) refuseName("the world has no such field", name, fields);
  if ((show ?? most) !== undefined) {
    const remedy = 'Name a layer in "layer", or remove the option';
    fail(error("argument.range", { problem: '"show" and "most" are options of a layer', remedy }));
  }
  const open = () => {
    const context = new TaskContext(source.job, source.maxMemory, signal);
    const read = (cells: CellRectangle) => context.world.fieldValues(name, cells, { signal });
    const valuesOf = (cells: CellRectangle) => unlessDamaged(() => read(cells)) ?? refuseMaps(source.job.store.place);
    return { valuesOf, close: () => context.dispose() };
  };
  return { of: { field: name }, most: FIELD_MOST, open };
}

function refuseMaps(file: string): never {
  const problem = "the field needs the maps of finite layers, which are damaged, or were deleted by `job clean`";
  const remedy = "Verify the job with `--repair`. After `job clean`, run it again in another folder";
  return fail(error("job.damaged", { problem, remedy, where: { file } }));
}

function layerShown(
  { job, result, layers, maxMemory }: ExportSource,
  layer: string | undefined,
  { show = "visits", most: given }: Pick<WriteOptions, "show" | "most">,
): Shown {
  checkChoice('option "show"', show, ["visits", "firstVisits", "distance"]);
  if (layer === undefined) {
    const problem = "the world has no field, and the job keeps the visits of no layer";
    return fail(error("argument.range", { problem, expected: "a field or a layer" }));
  }
  const kept = layers.filter(({ firstVisit }) => firstVisit || show !== "firstVisits");
  if (!kept.some(({ name }) => name === layer)) refuseName("the layer keeps no first visits", layer, kept);
  const [usual, limit] = MOST[show];
  const most = given ?? usual;
  checkInteger("most", most, 1, limit);
  // cells outside the window decide about distances inside
  const whole = exportSource(job, result, { maxMemory });
  const numbersOf = {
    visits: (cells: CellRectangle) => whole.visits(layer, cells),
    firstVisits: (cells: CellRectangle) => whole.firstVisits(layer, cells),
    distance: (cells: CellRectangle) => {
      const { coordinates } = whole;
      const around = grown(cells, most);
      return distances({ ...around, coordinates, visits: whole.visits(layer, around) }, cells, most);
    },
  }[show];
  return { of: { layer, show }, most, open: () => ({ valuesOf: (cells) => scaled(numbersOf(cells), most) }) };
}

function refuseName(problem: string, got: string, known: readonly { readonly name: string }[]): never {
  const names = known.map(({ name }) => name).join(", ");
  return fail(error("argument.range", { problem, got, ...(names === "" ? {} : { expected: names }) }));
}

/** The scale of the world's fields: ⌊n · 65,535 / most⌋. */
function scaled(numbers: Uint8Array | Uint32Array, most: number): Uint16Array {
  const values = new Uint16Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) values[i] = Math.floor((Math.min(numbers[i], most) * FIELD_MOST) / most);
  return values;
}
