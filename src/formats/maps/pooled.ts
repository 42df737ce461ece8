import type { Watch } from "../../calls/watch.js";
import { type Extent, type Frame, pictureSize, pixelOf, type Skew } from "./pictureFrame.js";
import type { CheckedMap, TerrainPool } from "./terrainMap.js";

/** Returns the colour of a terrain that `dark` visits darken and `light` visits lighten. */
export type CellColor = (terrain: number, dark: number, light: number) => number;

interface PooledDrawing {
  readonly frame: Pick<Frame, "scale" | "left" | "top" | "width">;
  readonly extent: Extent;
  readonly skew: Skew;
  readonly pool: TerrainPool;
  readonly watch: Watch;
  readonly color: CellColor;
}

/** Draws several cells in each pixel. The visits of a pixel are the highest visits of its cells. */
export function drawPooled(
  pixels: Uint8Array,
  cells: CheckedMap,
  { frame, extent, skew, pool, watch, color }: PooledDrawing,
): void {
  const { row0, col0, rows } = cells;
  const { scale } = frame;
  const { cellsPerPixel } = scale;
  const lineOf = (r: number) => pixelOf(scale, 0, row0 + r - extent.row0)[1];
  const slantOf = (r: number) => 2 * col0 + skew(row0 + r) - extent.slant0;
  const [width] = pictureSize(scale, extent);
  const strip = pixelStrip(Math.min(width, STRIP_PIXELS), cells, pool);
  let drawn = 0;
  for (let first = 0, end = 0; first < rows; first = end) {
    const y = lineOf(first);
    while (end < rows && lineOf(end) === y) end++;
    const start = (frame.top + y) * frame.width + frame.left;
    for (let x = 0; x < width; x += STRIP_PIXELS) {
      for (let r = first; r < end; r++) {
        const added = strip.addRow(r, slantOf(r) - 2 * cellsPerPixel * x, cellsPerPixel);
        drawn += added;
        if (added > 0) watch.passed(drawn);
      }
      strip.drawInto(pixels, start + x, color);
    }
  }
}

/** Lines are drawn in parts of this length: a pixel has a count for each terrain, so 2²⁶ pixels could need 64 GiB. */
const STRIP_PIXELS = 4096;

/** A part of a line of pixels. Chooses the terrain of each pixel from all cells that `addRow` adds. */
function pixelStrip(width: number, { cols, terrain, terrains, darken, lighten }: CheckedMap, pool: TerrainPool) {
  const known = terrains.length;
  /** For each pixel, the terrain chosen up to now, or NONE. `most` is the number of added cells with this terrain. */
  const chosen = new Uint16Array(width).fill(NONE);
  const most = new Uint32Array(width);
  /** Number of cells for each pixel and terrain. */
  const counts = new Uint32Array(width * known);
  const [darkest, lightest] = [new Uint32Array(width), new Uint32Array(width)];
  /** Of two equally common terrains, chooses the one that comes first in the list. */
  const choose = (pixel: number, kind: number) => {
    if (pool === "first") {
      if (kind < chosen[pixel]) chosen[pixel] = kind;
      return;
    }
    const count = ++counts[pixel * known + kind];
    if (count < most[pixel] || (count === most[pixel] && kind > chosen[pixel])) return;
    most[pixel] = count;
    chosen[pixel] = kind;
  };
  return {
    /** Returns the number of added cells. The row's first cell is `slant` half cells from the strip's left edge. */
    addRow(r: number, slant: number, cellsPerPixel: number): number {
      // the first cell of a pixel; `>> 0` makes the engine count cells as integers, not as doubles
      const firstOf = (pixel: number) => Math.min(cols, Math.max(0, Math.ceil(pixel * cellsPerPixel - slant / 2))) >> 0;
      const [from, to] = [firstOf(0), firstOf(width)];
      for (let c = from, i = r * cols + from; c < to; c++, i++) {
        const pixel = Math.floor((slant + 2 * c) / (2 * cellsPerPixel));
        if (terrain[i] >= known) continue;
        choose(pixel, terrain[i]);
        if (darken !== undefined && darken[i] > darkest[pixel]) darkest[pixel] = darken[i];
        if (lighten !== undefined && lighten[i] > lightest[pixel]) lightest[pixel] = lighten[i];
      }
      return to - from;
    },
    drawInto(pixels: Uint8Array, start: number, color: CellColor): void {
      for (let x = 0; x < width; x++) {
        if (chosen[x] !== NONE) pixels[start + x] = color(chosen[x], darkest[x], lightest[x]);
      }
      chosen.fill(NONE);
      for (const numbers of [most, counts, darkest, lightest]) numbers.fill(0);
    },
  };
}

const NONE = 0xffff;
