import { error, fail } from "../../errors/index.js";
import { checkInteger, readList, readOptions, refuseArgument } from "../../spec/index.js";
import { crc32, joined, littleEndian } from "../bytes.js";
import { checkCells, type Pieces, readPieces } from "../checks.js";
import { BACKGROUND, type Rgb, readBackground, readColor } from "./colors.js";
import { Deflater } from "./deflate.js";

/** The colours of a picture whose pixels are numbers from 0 to 255. */
export interface PixelColors {
  /** The colour of each number, at most 256. Without `colors`, the picture is gray: 0 is black, 255 is white. */
  readonly colors?: readonly Rgb[] | undefined;
  /** The colour of pixels whose number has no entry in `colors`. Default: a near-black blue. */
  readonly background?: Rgb | "transparent" | undefined;
}

/** Options of {@link pngChunks}. */
export interface PngSize extends PixelColors {
  /** Width in pixels, 1 … 2²⁸. A row is kept in memory. */
  readonly width: number;
  /** Height in pixels, 1 … 2³¹ − 1. */
  readonly height: number;
  /**
   * Number of bits of a pixel. Default 8. A picture of 16 bits is gray, and its bands are `Uint16Array`: 0 is black,
   * 65,535 is white.
   */
  readonly depth?: 8 | 16 | undefined;
}

const MAX_WIDTH = 2 ** 28;
const MAX_HEIGHT = 2 ** 31 - 1;
const MAX_COLORS = 256;

/**
 * Writes a picture as a PNG file, even a picture that is larger than memory. Yields the bytes in pieces. The same
 * pixels give the same bytes, on every platform and for every division into bands.
 *
 * Cost: O(pixels). Memory: one band of rows, and the compressed bytes of the band.
 *
 * @param bands - the pixels from the top. A band has one or more whole rows. A band is read only after you received the
 * bytes of the previous band, so you can use one array for all bands.
 * @throws RollmillError `argument.type`, `argument.range`, `argument.option` for malformed arguments; `argument.range`
 * for a band that is not a number of whole rows, or for too few or too many rows. Passes on the errors of `bands`.
 */
export async function* pngChunks(
  size: PngSize,
  bands: Pieces<Uint8Array> | Pieces<Uint16Array>,
): AsyncGenerator<Uint8Array, void> {
  const given = readOptions("pngChunks", size, ["width", "height", "depth", "colors", "background"]);
  const { width, height, depth = 8 } = given;
  checkInteger("width", width, 1, MAX_WIDTH);
  checkInteger("height", height, 1, MAX_HEIGHT);
  checkDepth(depth, given);
  const { palette, known } = readColors(given);
  const writer = new PngWriter(width, height, palette, depth);
  yield writer.head;
  let rows = 0;
  for await (const band of readPieces<Uint8Array | Uint16Array>("the bands", bands)) {
    checkCells("a band", band, depth === 8 ? "Uint8Array" : "Uint16Array");
    rows += rowsOf(band, width, height - rows);
    // the casts are safe: the check above throws for anything else
    writer.add(depth === 16 ? bigEndian(band as Uint16Array) : withBackground(band as Uint8Array, known));
    yield* writer.take();
  }
  if (rows < height) {
    fail(error("argument.range", { problem: "the bands have too few rows", got: rows, expected: `${height} rows` }));
  }
  yield* writer.end();
}

function checkDepth(depth: unknown, { colors }: PngSize): void {
  if (depth !== 8 && depth !== 16) refuseArgument("depth", depth, "8 or 16");
  if (depth === 8 || colors === undefined) return;
  fail(error("argument.range", { problem: "a picture of 16 bits has no palette", remedy: 'Remove "colors"' }));
}

function bigEndian(pixels: Uint16Array): Uint8Array {
  const bytes = littleEndian(pixels).slice();
  for (let i = 0; i < bytes.length; i += 2) [bytes[i], bytes[i + 1]] = [bytes[i + 1], bytes[i]];
  return bytes;
}

function rowsOf(band: Uint8Array | Uint16Array, width: number, most: number): number {
  const { length } = band;
  if (length > 0 && length % width === 0 && length / width <= most) return length / width;
  const expected = `a multiple of the width ${width}, at most ${most * width} pixels`;
  return fail(error("argument.range", { problem: "a band has a wrong number of pixels", got: length, expected }));
}

/** Adds the background to the palette if there is room. Pixels with the number `known` or more show the last colour. */
export function readColors({ colors, background = BACKGROUND }: PixelColors) {
  const last = readBackground(background);
  if (colors === undefined) return { palette: undefined, known: MAX_COLORS };
  const palette: (readonly number[])[] = readList("colors", colors, { of: "colors", most: MAX_COLORS }).map(
    (color, i) => readColor(`colors[${i}]`, color),
  );
  if (palette.length === MAX_COLORS) return { palette, known: MAX_COLORS };
  return { palette: [...palette, last], known: palette.length };
}

export function withBackground(pixels: Uint8Array, known: number): Uint8Array {
  let most = 0;
  for (let i = 0; i < pixels.length; i++) if (pixels[i] > most) most = pixels[i];
  return most <= known ? pixels : pixels.map((pixel) => Math.min(pixel, known));
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Length of the chunks that `take` returns. The last chunk of the file can have any length. */
const CHUNK_BYTES = 2 ** 16;
/** Filters of a row. NONE stores the pixels, UP their differences from the row above. */
const NONE = 0;
const UP = 2;

/** Writes a PNG, some rows at a time. Source: W3C, Portable Network Graphics (PNG) Specification. */
class PngWriter {
  readonly #rowBytes: number;
  readonly head: Uint8Array;
  readonly #deflater = new Deflater();
  readonly #row: Uint8Array;
  #above: Uint8Array = new Uint8Array(0);

  /** Pixels are indices into `colors`: 1 … 256 colours, optionally with alpha. Without colours, pixels are gray. */
  constructor(width: number, height: number, colors: readonly (readonly number[])[] | undefined, depth: 8 | 16 = 8) {
    this.#rowBytes = (width * depth) / 8;
    this.#row = new Uint8Array(this.#rowBytes + 1);
    const head = new Uint8Array(13);
    const view = new DataView(head.buffer);
    view.setUint32(0, width);
    view.setUint32(4, height);
    // colour type 0 is gray, 3 has a palette
    head.set([depth, colors === undefined ? 0 : 3], 8);
    const pieces = [Uint8Array.from(SIGNATURE), ...chunk("IHDR", head)];
    if (colors !== undefined) {
      pieces.push(...chunk("PLTE", Uint8Array.from(colors.flatMap((color) => color.slice(0, 3)))));
      const alphas = colors.map(([, , , alpha = 255]) => alpha);
      if (alphas.some((alpha) => alpha < 255)) pieces.push(...chunk("tRNS", Uint8Array.from(alphas)));
    }
    this.head = joined(pieces);
  }

  add(pixels: Uint8Array): void {
    const length = this.#rowBytes;
    let above = this.#above;
    for (let from = 0; from < pixels.length; from += length) {
      const row = pixels.subarray(from, from + length);
      this.#addRow(row, above);
      above = row;
    }
    // copies the row, because the caller may use its array again
    this.#above = above.slice();
  }

  #addRow(pixels: Uint8Array, above: Uint8Array): void {
    const row = this.#row;
    row[0] = above.length > 0 && isLikeAbove(pixels, above) ? UP : NONE;
    if (row[0] === NONE) row.set(pixels, 1);
    else for (let x = 0; x < pixels.length; x++) row[x + 1] = pixels[x] - above[x];
    this.#deflater.add(row);
  }

  /** Returns the full chunks. All have the same length, so the file does not depend on the rows in each `add`. */
  take(): Uint8Array[] {
    const bytes = this.#deflater.take(CHUNK_BYTES);
    const chunks = Array.from({ length: bytes.length / CHUNK_BYTES }, (_, k) => k * CHUNK_BYTES);
    return chunks.flatMap((from) => chunk("IDAT", bytes.subarray(from, from + CHUNK_BYTES)));
  }

  end(): Uint8Array[] {
    return [...chunk("IDAT", this.#deflater.end()), ...chunk("IEND", new Uint8Array(0))];
  }
}

const ROWS_PER_LOOK = 16;

/** Writes palette indices as a PNG file. Calls `look` from time to time, which may throw to stop the work. */
export function indexedPng(
  width: number,
  height: number,
  pixels: Uint8Array,
  colors: readonly (readonly number[])[] | undefined,
  look: () => void = () => {},
): Uint8Array {
  const writer = new PngWriter(width, height, colors);
  for (let y = 0; y < height; y += ROWS_PER_LOOK) {
    look();
    writer.add(pixels.subarray(y * width, Math.min(height, y + ROWS_PER_LOOK) * width));
  }
  return joined([writer.head, ...writer.end()]);
}

/** Whether UP compresses better than NONE. A change from above counts twice: differences have more distinct values. */
function isLikeAbove(row: Uint8Array, above: Uint8Array): boolean {
  let balance = 0;
  for (let x = 1; x < row.length; x++) {
    if (row[x] !== above[x]) balance += 2;
    if (row[x] !== row[x - 1]) balance--;
  }
  return balance < 0;
}

function chunk(type: string, data: Uint8Array): Uint8Array[] {
  const head = new Uint8Array(8);
  new DataView(head.buffer).setUint32(0, data.length);
  head.set(new TextEncoder().encode(type), 4);
  const tail = new Uint8Array(4);
  new DataView(tail.buffer).setUint32(0, crc32(head.subarray(4), data));
  return [head, data, tail];
}
