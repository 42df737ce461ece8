import type { LongCall } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import { checkChoice } from "../../formats/checks.js";
import { pngChunks, type TerrainMarks, terrainPng } from "../../formats/index.js";
import { MARK_SHAPES } from "../../formats/pictures/marks.js";
import { THEME_NAMES } from "../../formats/pictures/themes.js";
import { checkInteger } from "../../spec/index.js";
import type { CellRectangle } from "../../walks/rectangles.js";
import { NO_TERRAIN } from "../../worlds/types.js";
import { bandsOf, type ExportSource, pixelMap, progressOf, type WriteOptions } from "./source.js";

/** A map with at most this many cells is drawn like `world.picture`: with shading, and with marks for placements. */
const DRAWN_CELLS = 2 ** 24;
const USUAL_SIDE = 4096;
const MAX_SIDE = 2 ** 20;
const BAND_ROWS = 256;

export function pngOf(
  source: ExportSource,
  { maxSide = USUAL_SIDE, darken = [], lighten, theme = "plain", ...call }: WriteOptions,
): Uint8Array | AsyncIterable<Uint8Array> {
  checkInteger("maxSide", maxSide, 1, MAX_SIDE);
  const { rows, cols } = source.window;
  checkChoice('option "theme"', theme, THEME_NAMES);
  if (rows * cols > DRAWN_CELLS) {
    if (theme === "plain") return reducedPng(source, maxSide, call);
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
async function* reducedPng(source: ExportSource, maxSide: number, call: LongCall): AsyncGenerator<Uint8Array, void> {
  const { rows, cols } = source.window;
  const side = Math.ceil(Math.max(rows, cols) / maxSide);
  const { colors, pixels } = pixelMap(source);
  const passed = progressOf("the picture", rows * cols, call);
  yield* pngChunks({ width: Math.ceil(cols / side), height: Math.ceil(rows / side), colors }, reducedBands());

  function* reducedBands(): Generator<Uint8Array, void> {
    for (const band of bandsOf(source.window, side * Math.max(1, Math.floor(BAND_ROWS / side)))) {
      yield reduced(band, pixels(band), side, colors.length);
      passed(band.rows * band.cols);
    }
  }
}

/** Returns the most common pixel value of each square: the lowest value, if several values are equally common. */
function reduced({ rows, cols }: CellRectangle, pixels: Uint8Array, side: number, colors: number): Uint8Array {
  if (side === 1) return pixels;
  const [height, width] = [Math.ceil(rows / side), Math.ceil(cols / side)];
  const out = new Uint8Array(height * width).fill(NO_TERRAIN);
  const counts = new Uint32Array(width * colors);
  for (let y = 0; y < height; y++) {
    counts.fill(0);
    for (let row = y * side; row < Math.min(rows, (y + 1) * side); row++) {
      for (let x = 0, i = row * cols; x < width; x++) {
        const end = row * cols + Math.min(cols, (x + 1) * side);
        for (; i < end; i++) if (pixels[i] < colors) counts[x * colors + pixels[i]]++;
      }
    }
    for (let x = 0; x < width; x++) {
      let most = 0;
      for (let color = 0; color < colors; color++) {
        const count = counts[x * colors + color];
        if (count > most) [most, out[y * width + x]] = [count, color];
      }
    }
  }
  return out;
}
