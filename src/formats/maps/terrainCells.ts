import type { Watch } from "../../calls/watch.js";
import { logScale } from "../pictures/logScale.js";
import { type Extent, pictureSize, pixelOf, type Skew } from "./hexGeometry.js";
import type { Frame } from "./pictureFrame.js";
import type { TerrainColors } from "./terrainColors.js";
import type { CheckedMap, TerrainPool } from "./terrainMap.js";

export interface TerrainDrawing {
  readonly frame: Frame;
  readonly extent: Extent;
  readonly skew: Skew;
  readonly colors: TerrainColors;
  readonly pool: TerrainPool;
  readonly watch: Watch;
}

export function drawTerrain(pixels: Uint8Array, cells: CheckedMap, drawing: TerrainDrawing): void {
  if (drawing.frame.scale.cellsPerPixel > 1) drawPooled(pixels, cells, drawing);
  else drawCells(pixels, cells, drawing);
}

type ColorOf = (terrain: number, darken: number, lighten: number) => number;

function colorOf({ darken, lighten }: CheckedMap, { shades, darker, lighter }: TerrainColors): ColorOf {
  const down = stepsOf(darken, darker);
  const up = stepsOf(lighten, lighter);
  return (terrain, dark, light) => shades[terrain][darker + up(light) - down(dark)];
}

/** 0 for no visits, then 1 … `steps` on a log scale. */
function stepsOf(counts: Uint32Array | undefined, steps: number): (visits: number) => number {
  if (counts === undefined || steps === 0) return () => 0;
  let most = 0;
  for (let i = 0; i < counts.length; i++) if (counts[i] > most) most = counts[i];
  const level = logScale(most, steps);
  return (visits) => (visits === 0 ? 0 : 1 + level(visits));
}

function drawCells(
  pixels: Uint8Array,
  cells: CheckedMap,
  { frame, extent, skew, colors, watch }: TerrainDrawing,
): void {
  const { row0, col0, rows, cols, terrain, darken, lighten } = cells;
  const { width, scale } = frame;
  const { cellPixels, lines } = scale;
  const color = colorOf(cells, colors);
  const known = colors.shades.length;
  for (let r = 0; r < rows; r++) {
    const row = row0 + r;
    const [x, y] = pixelOf(scale, 2 * col0 + skew(row) - extent.slant0, row - extent.row0);
    const start = (frame.top + y) * width + frame.left + x;
    for (let c = 0, i = r * cols; c < cols; c++, i++) {
      if (terrain[i] >= known) continue;
      const shade = color(terrain[i], darken?.[i] ?? 0, lighten?.[i] ?? 0);
      const corner = start + c * cellPixels;
      for (let line = 0; line < lines.length; line++) {
        const at = corner + line * width;
        pixels.fill(shade, at + lines[line][0], at + lines[line][1]);
      }
    }
    watch.passed((r + 1) * cols);
  }
}

/** Draws several cells in each pixel. The visits of a pixel are the highest visits of its cells. */
function drawPooled(
  pixels: Uint8Array,
  cells: CheckedMap,
  { frame, extent, skew, colors, pool, watch }: TerrainDrawing,
): void {
  const { row0, col0, rows } = cells;
  const { scale } = frame;
  const { cellsPerPixel } = scale;
  const lineOf = (r: number) => pixelOf(scale, 0, row0 + r - extent.row0)[1];
  const slantOf = (r: number) => 2 * col0 + skew(row0 + r) - extent.slant0;
  const [width] = pictureSize(scale, extent);
  const strip = new PixelStrip(Math.min(width, STRIP_PIXELS), cells, { known: colors.shades.length, pool });
  const color = colorOf(cells, colors);
  let drawn = 0;
  for (let first = 0, end = 0; first < rows; first = end) {
    const y = lineOf(first);
    while (end < rows && lineOf(end) === y) end++;
    const start = (frame.top + y) * frame.width + frame.left;
    for (let x = 0; x < width; x += STRIP_PIXELS) {
      for (let r = first; r < end; r++) {
        const added = strip.addRow(r, { slant: slantOf(r) - 2 * cellsPerPixel * x, cellsPerPixel });
        drawn += added;
        if (added > 0) watch.passed(drawn);
      }
      strip.drawInto(pixels, start + x, color);
    }
  }
}

/** Each pixel has a count for each terrain. With 256 terrains, those of a line of 2²⁶ pixels would take 64 GiB. */
const STRIP_PIXELS = 4096;

class PixelStrip {
  readonly #cells: CheckedMap;
  readonly #known: number;
  readonly #pool: TerrainPool;
  /** The terrain chosen up to now, or NONE, and how many of the pixel's cells have it. */
  readonly #chosen: Uint16Array;
  readonly #most: Uint32Array;
  /** For each pixel and terrain. */
  readonly #counts: Uint32Array;
  readonly #darken: Uint32Array;
  readonly #lighten: Uint32Array;

  constructor(width: number, cells: CheckedMap, rules: { readonly known: number; readonly pool: TerrainPool }) {
    this.#cells = cells;
    this.#known = rules.known;
    this.#pool = rules.pool;
    this.#chosen = new Uint16Array(width).fill(NONE);
    this.#most = new Uint32Array(width);
    this.#counts = new Uint32Array(width * rules.known);
    this.#darken = new Uint32Array(width);
    this.#lighten = new Uint32Array(width);
  }

  /** Returns the number of added cells. `slant` is that of the row's first cell, from the left edge of the strip. */
  addRow(r: number, { slant, cellsPerPixel }: { readonly slant: number; readonly cellsPerPixel: number }): number {
    const { cols, terrain, darken, lighten } = this.#cells;
    // the first cell of a pixel; without `>> 0`, the engine would count the cells as doubles
    const firstOf = (pixel: number) => Math.min(cols, Math.max(0, Math.ceil(pixel * cellsPerPixel - slant / 2))) >> 0;
    const [from, to] = [firstOf(0), firstOf(this.#chosen.length)];
    for (let c = from, i = r * cols + from; c < to; c++, i++) {
      const pixel = Math.floor((slant + 2 * c) / (2 * cellsPerPixel));
      if (terrain[i] >= this.#known) continue;
      this.#choose(pixel, terrain[i]);
      if (darken !== undefined && darken[i] > this.#darken[pixel]) this.#darken[pixel] = darken[i];
      if (lighten !== undefined && lighten[i] > this.#lighten[pixel]) this.#lighten[pixel] = lighten[i];
    }
    return to - from;
  }

  drawInto(pixels: Uint8Array, start: number, color: ColorOf): void {
    const chosen = this.#chosen;
    for (let x = 0; x < chosen.length; x++) {
      if (chosen[x] !== NONE) pixels[start + x] = color(chosen[x], this.#darken[x], this.#lighten[x]);
    }
    chosen.fill(NONE);
    for (const counts of [this.#most, this.#counts, this.#darken, this.#lighten]) counts.fill(0);
  }

  /** Of two equally common terrains, chooses the one that comes first in the list. */
  #choose(pixel: number, terrain: number): void {
    if (this.#pool === "first") {
      if (terrain < this.#chosen[pixel]) this.#chosen[pixel] = terrain;
      return;
    }
    const count = ++this.#counts[pixel * this.#known + terrain];
    if (count < this.#most[pixel] || (count === this.#most[pixel] && terrain > this.#chosen[pixel])) return;
    this.#most[pixel] = count;
    this.#chosen[pixel] = terrain;
  }
}

const NONE = 0xffff;
