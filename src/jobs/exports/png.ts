import type { LongCall } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import { checkChoice } from "../../formats/checks.js";
import { pngChunks, type TerrainMarks, terrainPng } from "../../formats/index.js";
import { MARK_SHAPES } from "../../formats/pictures/marks.js";
import { THEME_NAMES } from "../../formats/pictures/themes.js";
import { checkInteger } from "../../spec/index.js";
import { SECTOR_SIDE } from "../../walks/map/chunk.js";
import type { CellRectangle } from "../../walks/rectangles.js";
import { NO_TERRAIN } from "../../worlds/types.js";
import { type MakePieces, madeHere, type Pieces } from "./pieces.js";
import { type ExportSource, pixelMap, progressOf, type WriteOptions } from "./source.js";

/** A map with at most this many cells is drawn like `world.picture`: with shading, and with marks for placements. */
const DRAWN_CELLS = 2 ** 24;
const USUAL_SIDE = 4096;
const MAX_SIDE = 2 ** 20;

export function pngOf(
  source: ExportSource,
  { maxSide = USUAL_SIDE, darken = [], lighten, theme = "plain", ...call }: WriteOptions,
  make: MakePieces = madeHere,
): Uint8Array | AsyncIterable<Uint8Array> {
  checkInteger("maxSide", maxSide, 1, MAX_SIDE);
  const { rows, cols } = source.window;
  checkChoice('option "theme"', theme, THEME_NAMES);
  if (rows * cols > DRAWN_CELLS) {
    if (theme === "plain") return reducedPng(source, { ...call, maxSide, make });
    const expected = `at most ${DRAWN_CELLS} cells, or the theme "plain"`;
    const remedy = 'Set "window" to a part of the map';
    fail(error("argument.range", { problem: "the map is too large for a theme", got: rows * cols, expected, remedy }));
  }
  const usual = source.job.spec.terrains.length === 0 ? source.layers.map(({ name }) => name) : [];
  const { coordinates, terrains, window } = source;
  const map = {
    ...window,
    coordinates,
    terrain: source.terrain(window),
    terrains,
    darken: source.sumOfVisits(darken, window),
    lighten: source.sumOfVisits(lighten ?? usual, window),
    marks: marksOf(source),
  };
  return terrainPng(map, { maxSide, theme, ...call });
}

function marksOf(source: ExportSource): TerrainMarks[] {
  const kinds = source.job.spec.placements;
  const places = kinds.map(() => ({ rows: [] as number[], cols: [] as number[] }));
  for (const batch of source.placements()) {
    for (const [p, kind] of batch.kinds.entries()) {
      places[kind].rows.push(batch.rows[p]);
      places[kind].cols.push(batch.cols[p]);
    }
  }
  return kinds.map(({ name, color, icon }, kind) => {
    const [rows, cols] = [Int32Array.from(places[kind].rows), Int32Array.from(places[kind].cols)];
    return { name, color, rows, cols, shape: icon ?? MARK_SHAPES[kind % MARK_SHAPES.length] };
  });
}

/** Draws a pixel for each square of `side` × `side` cells, in the most common colour of the square. */
async function* reducedPng(
  source: ExportSource,
  { maxSide, make, ...call }: LongCall & { readonly maxSide: number; readonly make: MakePieces },
): AsyncGenerator<Uint8Array, void> {
  const { rows, cols, row0 } = source.window;
  const side = sideOf(source, maxSide);
  const passed = progressOf("the picture", rows * cols, call);
  const size = { width: Math.ceil(cols / side), height: Math.ceil(rows / side), colors: pixelMap(source).colors };
  yield* pngChunks(size, bands());

  async function* bands() {
    const lengths = cutAtSectors(row0, rows, side).values();
    for await (const band of make(pngPieces(source, { maxSide }))) {
      yield band;
      passed((lengths.next().value?.length ?? 0) * cols);
    }
  }
}

function sideOf({ window: { rows, cols } }: ExportSource, maxSide: number): number {
  return Math.ceil(Math.max(rows, cols) / maxSide);
}

/** Bands of pixels, for maps of more than {@link DRAWN_CELLS}. */
export function pngPieces(source: ExportSource, { maxSide = USUAL_SIDE }: WriteOptions): Pieces<Uint8Array> {
  const { rows, cols, row0, col0 } = source.window;
  const side = sideOf(source, maxSide);
  const { pixels, colors } = pixelMap(source);
  const width = Math.ceil(cols / side);
  const [down, across] = [cutAtSectors(row0, rows, side), cutAtSectors(col0, cols, side)];
  const make = (k: number) => {
    const { from: top, length: lines } = down[k];
    const band = new Uint8Array(Math.ceil(lines / side) * width);
    for (const { from, length } of across) {
      const cells = { row0: row0 + top, col0: col0 + from, rows: lines, cols: length };
      reduceInto(band.subarray(from / side), width, { ...cells, pixels: pixels(cells), side, colors: colors.length });
    }
    return band;
  };
  return { count: down.length, make };
}

/** Cuts `length` cells, the first of which has the coordinate `first`, at the first square in each sector. */
function cutAtSectors(
  first: number,
  length: number,
  side: number,
): { readonly from: number; readonly length: number }[] {
  const pieces: { from: number; length: number }[] = [];
  for (let from = 0; from < length; ) {
    const sectorEnd = (Math.floor((first + from) / SECTOR_SIDE) + 1) * SECTOR_SIDE - first;
    const end = Math.min(length, Math.ceil(sectorEnd / side) * side);
    pieces.push({ from, length: end - from });
    from = end;
  }
  return pieces;
}

interface Squares extends CellRectangle {
  readonly pixels: Uint8Array<ArrayBuffer>;
  readonly side: number;
  readonly colors: number;
}

/**
 * Writes the most common pixel value of each square: the lowest value, if several values are equally common. It is one
 * function, because its inner loops are slower with variables of an outer function.
 */
function reduceInto(out: Uint8Array, stride: number, { rows, cols, pixels, side, colors }: Squares): void {
  // reads four pixels at once, unless a square could begin or end between them
  const isFour = side % 4 === 0 && cols % 4 === 0;
  const words = isFour ? new Uint32Array(pixels.buffer) : pixels;
  const [perRow, perSquare] = isFour ? [cols / 4, side / 4] : [cols, side];
  // counts the four pixels apart: the processor waits if it adds to the same count twice in a row
  const counts = new Uint32Array(4 * VALUES);
  for (let top = 0, to = 0; top < rows; top += side, to += stride) {
    const end = Math.min(rows, top + side) * perRow;
    for (let left = 0, x = to; left < perRow; left += perSquare, x++) {
      const width = Math.min(perSquare, perRow - left);
      for (let line = top * perRow + left; line < end; line += perRow) {
        for (let i = line; i < line + width; i++) {
          const word = words[i];
          counts[word & 0xff]++;
          if (!isFour) continue;
          counts[VALUES + ((word >>> 8) & 0xff)]++;
          counts[2 * VALUES + ((word >>> 16) & 0xff)]++;
          counts[3 * VALUES + (word >>> 24)]++;
        }
      }
      let best = NO_TERRAIN;
      let most = 0;
      for (let value = 0; value < colors; value++) {
        const count = counts[value] + counts[VALUES + value] + counts[2 * VALUES + value] + counts[3 * VALUES + value];
        counts[value] = counts[VALUES + value] = counts[2 * VALUES + value] = counts[3 * VALUES + value] = 0;
        if (count <= most) continue;
        best = value;
        most = count;
      }
      out[x] = best;
    }
  }
}

/** Number of values of a pixel. */
const VALUES = 256;
