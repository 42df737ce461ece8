import type { Watch } from "../../../calls/watch.js";
import type { Extent, HexScale, Skew } from "../pictureFrame.js";
import { pixelOf } from "../pictureFrame.js";
import { drawPooled } from "../pooled.js";
import type { CheckedMap, TerrainPool } from "../terrainMap.js";
import type { Grid } from "./ground.js";
import { NO_REALM } from "./overlays.js";

interface Pooling {
  readonly scale: HexScale;
  readonly extent: Extent;
  readonly skew: Skew;
  readonly pool: TerrainPool;
  readonly size: readonly [width: number, height: number];
  readonly watch: Watch;
  /** How much lighter or darker visits make a cell, in levels. */
  readonly stepsOf: (dark: number, light: number) => number;
}

const ZERO = 128;

/** Returns a grid whose cells are the pixels of a picture. Each pixel shows several cells of the map. */
export function pooledGrid(map: CheckedMap, { size: [cols, rows], stepsOf, ...drawing }: Pooling): Grid {
  const frame = { scale: drawing.scale, left: 0, top: 0, width: cols };
  const drawn = (color: (terrain: number, dark: number, light: number) => number) => {
    const out = new Uint8Array(rows * cols).fill(0xff);
    drawPooled(out, map, { ...drawing, frame, color });
    return out;
  };
  const terrain = drawn((kind) => kind);
  const hasVisits = map.darken !== undefined || map.lighten !== undefined;
  const steps = hasVisits ? drawn((_, dark, light) => ZERO + stepsOf(dark, light)) : undefined;
  return {
    rows,
    cols,
    terrain,
    heights: map.heights && means(map, map.heights, cols, rows, drawing),
    depths: map.depths && means(map, map.depths, cols, rows, drawing),
    realms: map.realms && firsts(map, map.realms, cols, rows, drawing),
    around: () => [1, -1, -cols, -cols, cols, cols],
    weights: [6, 6],
    scale: { ...drawing.scale, cellsPerPixel: 1 },
    cornerOf: (r) => [0, r],
    steps: steps && ((i) => steps[i] - ZERO),
  };
}

type Places = Pick<Pooling, "scale" | "extent" | "skew">;

/** Calls `take` for each cell, with its index and that of its pixel. */
function forEachCell(
  { row0, col0, rows, cols, terrain, terrains }: CheckedMap,
  width: number,
  { scale, extent, skew }: Places,
  take: (i: number, pixel: number) => void,
): void {
  for (let r = 0; r < rows; r++) {
    const slant = 2 * col0 + skew(row0 + r) - extent.slant0;
    const start = pixelOf(scale, 0, row0 + r - extent.row0)[1] * width;
    for (let c = 0, i = r * cols; c < cols; c++, i++) {
      if (terrain[i] < terrains.length) take(i, start + Math.floor((slant + 2 * c) / (2 * scale.cellsPerPixel)));
    }
  }
}

function means(map: CheckedMap, values: Uint16Array, width: number, height: number, places: Places): Uint16Array {
  const sums = new Float64Array(width * height);
  const counts = new Uint32Array(width * height);
  forEachCell(map, width, places, (i, pixel) => {
    sums[pixel] += values[i];
    counts[pixel]++;
  });
  return Uint16Array.from(sums, (sum, pixel) => (counts[pixel] === 0 ? 0 : Math.floor(sum / counts[pixel])));
}

function firsts(map: CheckedMap, values: Uint32Array, width: number, height: number, places: Places): Uint32Array {
  const out = new Uint32Array(width * height).fill(NO_REALM);
  forEachCell(map, width, places, (i, pixel) => {
    if (out[pixel] === NO_REALM) out[pixel] = values[i];
  });
  return out;
}
