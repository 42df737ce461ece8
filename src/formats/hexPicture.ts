import { error, fail } from "../errors/index.js";
import { checkInteger, readList, readOptions } from "../spec/index.js";
import { type Extent, type HexScale, hexScale, pictureSize, pixelOf, pooledScale } from "./hexGeometry.js";
import { type MapSource, type ReadChunk, readChunks } from "./mapSource.js";

/** Maximum number of pixels in a picture. */
const MAX_PIXELS = 2 ** 28;
/** Maximum number of layers, because each needs a level of the 255. */
const MOST_LAYERS = 255;
/** Default of the maximum cell width, in pixels. */
const DEFAULT_CELL_PIXELS = 32;
/** Default of the maximum length of the longer side, in pixels. */
const DEFAULT_MAX_SIDE = 2048;

/** Options of {@link hexPicture}. */
export interface PictureOptions {
  /**
   * Width of a cell in pixels, 1 … 256. Cells up to 3 pixels are squares; larger cells are hexagons of an even width
   * (odd numbers are rounded down). If `maxSide` is set, this is an upper limit; otherwise it is exact.
   */
  readonly pixelsPerCell?: number;
  /**
   * Maximum length of the longer side, in pixels. Larger maps get smaller cells, and then several cells in a pixel.
   * Default 2048, or no limit if `pixelsPerCell` is set.
   */
  readonly maxSide?: number;
  /** How to compute the value of a pixel with several cells: the largest number of visits (default), or the sum. */
  readonly pool?: "max" | "sum";
}

/** A picture without colours: each pixel has a level. */
export interface HexPicture {
  readonly width: number;
  readonly height: number;
  /**
   * The level of each pixel; pixel (x, y) is element y · width + x. Level 0 is the background. Layer l (from 0) has the
   * levels 1 + l·levels … (l + 1)·levels. They are a log scale: the first level stands for 1 visit, and the last for
   * the largest number of visits in the layer.
   */
  readonly pixels: Uint8Array;
  /** Number of levels of each layer, ⌊255 / layers⌋. */
  readonly levels: number;
  /** Width of a cell in pixels. */
  readonly cellPixels: number;
  /** Number of cells along each side of a pixel. It is more than 1 if the map is larger than the picture. */
  readonly cellsPerPixel: number;
}

/**
 * Draws maps above one another, the first at the bottom. Each layer has a separate log scale, from 1 visit to the
 * largest number of visits in the layer.
 *
 * Cost: one byte for each pixel (five if several cells share a pixel), one pass over all chunks to find the extent, and
 * one pass to draw.
 *
 * @param maps - 1 … 255 maps, at least one of them with a visited cell.
 * @throws RollmillError `argument.type` for anything but maps; `argument.range` for invalid options, maps without a visited cell, or more than 2²⁸ pixels.
 */
export function hexPicture(maps: readonly MapSource[], given: PictureOptions = {}): HexPicture {
  const options = readPictureOptions(given);
  const { pool = "max" } = options;
  const layers = readList("layers", maps, { of: "maps", most: MOST_LAYERS }).map((map) => readChunks(map as MapSource));
  checkInteger("the number of layers", layers.length, 1, MOST_LAYERS);
  const extent = extentOf(layers);
  const scale = chooseScale(extent, options);
  const [width, height] = pictureSize(scale, extent);
  const levels = Math.floor(255 / layers.length);
  const picture = { width, height, pixels: new Uint8Array(width * height), levels, ...scale };
  for (const [i, layer] of layers.entries()) {
    const firstLevel = 1 + i * levels;
    if (scale.cellsPerPixel > 1) drawPooled(picture, layer, { scale, extent, firstLevel, levels }, pool);
    else drawCells(picture, layer, { scale, extent, firstLevel, levels });
  }
  return {
    width,
    height,
    pixels: picture.pixels,
    levels,
    cellPixels: scale.cellPixels,
    cellsPerPixel: scale.cellsPerPixel,
  };
}

interface Canvas {
  readonly width: number;
  readonly pixels: Uint8Array;
}

interface Drawing {
  readonly scale: HexScale;
  readonly extent: Extent;
  /** The first level of the layer, for 1 visit. */
  readonly firstLevel: number;
  readonly levels: number;
}

function drawCells(
  { width, pixels }: Canvas,
  layer: readonly ReadChunk[],
  { scale, extent, firstLevel, levels }: Drawing,
): void {
  const level = logScale(mostVisits(layer), levels);
  forEachCell(layer, (row, col, visits) => {
    const [x, y] = pixelOf(scale, 2 * col + row - extent.slant0, row - extent.row0);
    const shade = firstLevel + level(visits);
    for (let line = 0; line < scale.lines.length; line++) {
      const [start, end] = scale.lines[line];
      const offset = (y + line) * width + x;
      pixels.fill(shade, offset + start, offset + end);
    }
  });
}

function drawPooled(
  { width, pixels }: Canvas,
  layer: readonly ReadChunk[],
  drawing: Drawing,
  pool: "max" | "sum",
): void {
  const { scale, extent, firstLevel, levels } = drawing;
  const pooled = new Uint32Array(pixels.length);
  forEachCell(layer, (row, col, visits) => {
    const [x, y] = pixelOf(scale, 2 * col + row - extent.slant0, row - extent.row0);
    const before = pooled[y * width + x];
    pooled[y * width + x] = pool === "max" ? Math.max(before, visits) : Math.min(before + visits, 0xffff_ffff);
  });
  const level = logScale(
    pooled.reduce((most, visits) => Math.max(most, visits), 0),
    levels,
  );
  for (let i = 0; i < pooled.length; i++) if (pooled[i] > 0) pixels[i] = firstLevel + level(pooled[i]);
}

function chooseScale(extent: Extent, { pixelsPerCell, maxSide }: PictureOptions): HexScale {
  const most = maxSide ?? (pixelsPerCell === undefined ? DEFAULT_MAX_SIDE : Number.POSITIVE_INFINITY);
  const fits = (scale: HexScale) => Math.max(...pictureSize(scale, extent)) <= most;
  let cellPixels = pixelsPerCell ?? DEFAULT_CELL_PIXELS;
  while (cellPixels > 1 && !fits(hexScale(cellPixels))) cellPixels--;
  let scale = hexScale(cellPixels);
  if (!fits(scale)) {
    const longest = Math.max(extent.row1 - extent.row0, (extent.slant1 - extent.slant0) / 2);
    let cellsPerPixel = Math.max(2, Math.floor(longest / most));
    while (!fits(pooledScale(cellsPerPixel))) cellsPerPixel++;
    scale = pooledScale(cellsPerPixel);
  }
  const [width, height] = pictureSize(scale, extent);
  if (width * height > MAX_PIXELS) {
    const remedy = 'Use a smaller "pixelsPerCell", or set "maxSide"';
    fail(
      error("argument.range", {
        problem: `the picture is too large (${width} × ${height} pixels)`,
        expected: "at most 2^28 pixels",
        remedy,
      }),
    );
  }
  return scale;
}

function readPictureOptions(given: PictureOptions): PictureOptions {
  const options = readOptions("hexPicture", given, ["pixelsPerCell", "maxSide", "pool"]);
  const { pixelsPerCell = 1, maxSide = 1, pool = "max" } = options;
  checkInteger("pixelsPerCell", pixelsPerCell, 1, 256);
  checkInteger("maxSide", maxSide, 1, 2 ** 28);
  if (pool !== "max" && pool !== "sum") {
    fail(error("argument.range", { problem: 'invalid option "pool"', got: pool, expected: '"max" or "sum"' }));
  }
  return options;
}

function extentOf(layers: readonly (readonly ReadChunk[])[]): Extent {
  let [row0, row1, slant0, slant1] = [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  for (const layer of layers) {
    forEachCell(layer, (row, col) => {
      const slant = 2 * col + row;
      if (row < row0) row0 = row;
      if (row > row1) row1 = row;
      if (slant < slant0) slant0 = slant;
      if (slant > slant1) slant1 = slant;
    });
  }
  if (row0 > row1)
    fail(error("argument.range", { problem: "the map has no visited cell", expected: "at least one visited cell" }));
  return { row0, row1, slant0, slant1 };
}

function mostVisits(layer: readonly ReadChunk[]): number {
  let most = 0;
  for (const { visits } of layer) for (const count of visits) if (count > most) most = count;
  return most;
}

function forEachCell(layer: readonly ReadChunk[], take: (row: number, col: number, visits: number) => void): void {
  for (const chunk of layer) {
    const { chunkRow, chunkCol, visits, side } = chunk;
    for (let i = 0; i < visits.length; i++) {
      if (visits[i] === 0) continue;
      take(chunkRow * side + Math.floor(i / side), chunkCol * side + (i % side), visits[i]);
    }
  }
}

/**
 * Returns a function that maps visits 1 … most to levels 0 … levels − 1 on a log scale. If `most` is 1, it maps 1 visit
 * to the highest level.
 */
function logScale(most: number, levels: number): (visits: number) => number {
  const top = log2(most);
  const levelOf = (visits: number) => (top === 0 ? levels - 1 : Math.floor((log2(visits) / top) * (levels - 1) + 0.5));
  const small = Uint8Array.from({ length: Math.min(most, 4095) + 1 }, (_, visits) =>
    visits === 0 ? 0 : levelOf(visits),
  );
  return (visits) => (visits < small.length ? small[visits] : levelOf(visits));
}

// Computes the binary logarithm to 16 bits after the point. The result is the same on every engine, which Math.log2
// does not guarantee. The mantissa is at least 1 and below 2. Squaring it doubles its logarithm, so the next bit of the
// logarithm is 1 exactly if the square is 2 or more.
function log2(value: number): number {
  let log = 31 - Math.clz32(value);
  let mantissa = value / 2 ** log;
  for (let bit = 0.5; bit > 2 ** -17; bit /= 2) {
    mantissa *= mantissa;
    if (mantissa < 2) continue;
    mantissa /= 2;
    log += bit;
  }
  return log;
}
