import { error, fail } from "../errors/index.js";
import { checkInteger, readList, readOptions, refuseArgument } from "../spec/index.js";
import { checkCells } from "./cellArrays.js";
import type { Rgb } from "./colormap.js";
import { BACKGROUND, readBackground, readRgb } from "./pictureColors.js";
import { type Pieces, readPieces } from "./pieces.js";
import { PngWriter } from "./pngWriter.js";

/** The colours of a picture whose pixels are numbers from 0 to 255. */
export interface PixelColors {
  /**
   * The colour of each number: at most 256. Without colours, the picture is gray: 0 is black, 255 is white. A number
   * without a colour shows the background.
   */
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
}

const MAX_WIDTH = 2 ** 28;
const MAX_HEIGHT = 2 ** 31 - 1;
const MAX_COLORS = 256;

/**
 * Writes a picture that is larger than memory as a PNG file, one pixel for each cell. Yields the bytes in pieces.
 *
 * Cost: O(pixels). Memory: one band of rows, and the compressed bytes of the band. The same pixels give the same bytes
 * on every platform, however they are divided into bands.
 *
 * @param bands - the pixels from the top. A band has one or more whole rows. A band is read only after the bytes of the
 * previous band have been taken. So the array of a band may be used again for the next band.
 * @throws RollmillError `argument.type`, `argument.range`, `argument.option` for malformed arguments; `argument.range`
 * if a band does not have whole rows, or if there are too few or too many rows. Errors that `bands` throws pass
 * unchanged.
 */
export async function* pngChunks(size: PngSize, bands: Pieces<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const given = readOptions("pngChunks", size, ["width", "height", "colors", "background"]);
  const { width, height } = given;
  checkInteger("width", width, 1, MAX_WIDTH);
  checkInteger("height", height, 1, MAX_HEIGHT);
  const { palette, known } = readColors(given);
  const writer = new PngWriter({ width, height, colors: palette });
  yield writer.start();
  let rows = 0;
  for await (const band of readPieces("the bands", bands)) {
    rows += rowsOf(band, { width, most: height - rows });
    writer.add(withBackground(band, known));
    yield* writer.take();
  }
  if (rows < height) {
    fail(error("argument.range", { problem: "the bands have too few rows", got: rows, expected: `${height} rows` }));
  }
  yield* writer.end();
}

function rowsOf(band: Uint8Array, { width, most }: { readonly width: number; readonly most: number }): number {
  checkCells("a band", band, { type: "Uint8Array" });
  const { length } = band;
  if (length > 0 && length % width === 0 && length / width <= most) return length / width;
  const expected = `a multiple of the width ${width}, at most ${most * width}`;
  return fail(error("argument.range", { problem: "a band has a wrong number of pixels", got: length, expected }));
}

/** Pixels of `known` or more show the last colour of `palette`, which is the background. */
interface ReadColors {
  readonly palette: readonly (readonly number[])[] | undefined;
  readonly known: number;
}

/** Adds the background as the last colour if there is room for it. */
export function readColors({ colors, background = BACKGROUND }: PixelColors): ReadColors {
  const last = readBackground(background);
  if (colors === undefined) return { palette: undefined, known: MAX_COLORS };
  const palette: (readonly number[])[] = readList("colors", colors, { of: "colors", most: MAX_COLORS }).map(colorAt);
  if (palette.length === MAX_COLORS) return { palette, known: MAX_COLORS };
  return { palette: [...palette, last], known: palette.length };
}

function colorAt(color: unknown, i: number): Rgb {
  const name = `colors[${i}]`;
  return readRgb(name, color) ?? refuseArgument(name, color, "[red, green, blue], each 0 … 255");
}

export function withBackground(pixels: Uint8Array, known: number): Uint8Array {
  let most = 0;
  for (let i = 0; i < pixels.length; i++) if (pixels[i] > most) most = pixels[i];
  return most <= known ? pixels : pixels.map((pixel) => Math.min(pixel, known));
}
