import { error, fail } from "../errors/index.js";
import { readList, readOptions } from "../spec/index.js";
import { type Extent, type HexScale, hexScale, pictureSize, pixelOf, pooledScale } from "./hexGeometry.js";
import {
  type CellBounds,
  hasOddR,
  type MapSource,
  type MapView,
  numbersOf,
  readChunks,
  readView,
} from "./mapSource.js";

const PICTURE_OPTIONS = ["pixelsPerCell", "maxSide", "pool", "window", "show"];
/** Maximum number of pixels in a picture. */
const MAX_PIXELS = 2 ** 28;
/** Number of levels besides the background. */
export const MAX_LEVELS = 255;
/** Default of the maximum cell width, in pixels. */
const DEFAULT_CELL_PIXELS = 32;
/** Default of the maximum length of the longer side, in pixels. */
const DEFAULT_MAX_SIDE = 2048;

/** Options of {@link hexPicture}. */
export interface PictureOptions extends MapView {
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
  /**
   * The number of a pixel with several cells: the largest number of visits (default), or the sum. For first visits it
   * is the smallest step, and `pool` is not allowed.
   */
  readonly pool?: "max" | "sum";
}

/** A picture without colours: each pixel has a level. */
export interface HexPicture {
  readonly width: number;
  readonly height: number;
  /**
   * The level of each pixel; pixel (x, y) is element y · width + x. Level 0 is the background. Layer l (from 0) has the
   * levels 1 + s·levels … (s + 1)·levels with s = l mod 255, so from layer 255 on, layers share the levels of layers 0,
   * 1 and so on. The levels are a log scale: the first level stands for 1 visit, and the last for the largest number of
   * visits in the layer. For first visits, step t is drawn as t + 1 visits.
   */
  readonly pixels: Uint8Array;
  /** Number of levels of each layer: ⌊255 / layers⌋, at least 1. */
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
 * @param layers - one map or more, at least one of them with a visited cell if `window` is absent.
 * @throws RollmillError `argument.range` for invalid options, maps without a visited cell, first visits of a map that
 * keeps none, or more than 2²⁸ pixels.
 */
export function hexPicture(layers: readonly MapSource[], given: PictureOptions = {}): HexPicture {
  const options = readOptions("hexPicture", given, PICTURE_OPTIONS);
  const maps = readList("layers", layers, { of: "maps" }) as MapSource[];
  return pictureOf(maps, { ...options, ...readView(options) });
}

function pictureOf(layers: readonly MapSource[], options: PictureOptions): HexPicture {
  checkOptions(options, layers.length);
  const { pool = "max", window, show } = options;
  const extent = window === undefined ? extentOf(layers) : extentOfWindow(window, hasOddR(layers[0]));
  const scale = chooseScale(extent, options);
  const [width, height] = pictureSize(scale, extent);
  const levels = levelsOf(layers.length);
  const picture = { width, height, pixels: new Uint8Array(width * height), levels, ...scale };
  for (const [i, layer] of layers.entries()) {
    const firstLevel = 1 + (i % MAX_LEVELS) * levels;
    const drawing = { scale, extent, firstLevel, levels, pool: show === "firstVisits" ? "min" : pool } as const;
    const cells = cellsOf(layer, { window, show });
    if (scale.cellsPerPixel > 1) drawPooled(picture, cells, drawing);
    else drawCells(picture, cells, drawing);
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
  readonly pool: "max" | "sum" | "min";
}

/** Cells next to one another in a row of a chunk. */
interface CellRun {
  readonly row: number;
  /** The slant of the first cell. The slant of each next cell is greater by 2. */
  readonly slant: number;
  readonly visits: Uint32Array;
  /** The numbers that the view shows. A number of an unvisited cell has no meaning. */
  readonly numbers: Uint32Array;
  /** What is added to a number: 1 for first visits, which count from 0. */
  readonly added: number;
  /** The first cell in the arrays, and the cell after the last one. */
  readonly from: number;
  readonly to: number;
}

/** The cells of a map that a view shows, visited or not. */
type Cells = () => Iterable<CellRun>;

/** Number of levels of each layer. From layer {@link MAX_LEVELS} on, layers share levels. */
function levelsOf(layers: number): number {
  return Math.max(1, Math.floor(MAX_LEVELS / layers));
}

function drawCells({ width, pixels }: Canvas, cells: Cells, { scale, extent, firstLevel, levels }: Drawing): void {
  const { cellPixels, lines } = scale;
  const level = logScale(mostOf(cells), levels);
  for (const { row, slant, visits, numbers, added, from, to } of cells()) {
    const [left, top] = pixelOf(scale, slant - extent.slant0, row - extent.row0);
    for (let i = from; i < to; i++) {
      if (visits[i] === 0) continue;
      const shade = firstLevel + level(numbers[i] + added);
      const corner = top * width + left + (i - from) * cellPixels;
      for (let line = 0; line < lines.length; line++) {
        const end = corner + line * width + lines[line][1];
        for (let pixel = corner + line * width + lines[line][0]; pixel < end; pixel++) pixels[pixel] = shade;
      }
    }
  }
}

function mostOf(cells: Cells): number {
  let most = 0;
  for (const { visits, numbers, added, from, to } of cells()) {
    for (let i = from; i < to; i++) if (visits[i] > 0 && numbers[i] + added > most) most = numbers[i] + added;
  }
  return most;
}

function drawPooled({ width, pixels }: Canvas, cells: Cells, drawing: Drawing): void {
  const { scale, extent, firstLevel, levels, pool } = drawing;
  const pooled = new Uint32Array(pixels.length);
  for (const { row, slant, visits, numbers, added, from, to } of cells()) {
    const top = pixelOf(scale, 0, row - extent.row0)[1] * width;
    for (let i = from; i < to; i++) {
      if (visits[i] === 0) continue;
      const pixel = top + Math.floor((slant - extent.slant0 + 2 * (i - from)) / (2 * scale.cellsPerPixel));
      const number = numbers[i] + added;
      const before = pooled[pixel];
      if (pool === "sum") pooled[pixel] = Math.min(before + number, 0xffff_ffff);
      else if (before === 0 || (pool === "max" ? number > before : number < before)) pooled[pixel] = number;
    }
  }
  let most = 0;
  for (let i = 0; i < pooled.length; i++) if (pooled[i] > most) most = pooled[i];
  const level = logScale(most, levels);
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

function checkOptions(options: PictureOptions, layers: number): void {
  const { pixelsPerCell = 1, maxSide = 1, pool = "max" } = options;
  const inRange = (value: number, most: number) => Number.isInteger(value) && value >= 1 && value <= most;
  const refuse = (problem: string, got: unknown, expected: string) =>
    fail(error("argument.range", { problem, got, expected }));
  if (!inRange(pixelsPerCell, 256))
    refuse('"pixelsPerCell" is out of range', pixelsPerCell, "an integer from 1 to 256");
  if (!inRange(maxSide, 2 ** 28)) refuse('"maxSide" is out of range', maxSide, "an integer from 1 to 2^28");
  if (pool !== "max" && pool !== "sum") refuse('invalid option "pool"', pool, '"max" or "sum"');
  if (options.pool !== undefined && options.show === "firstVisits")
    refuse('the option "pool" is only for visits', pool, 'no "pool" for first visits');
  if (layers === 0) refuse("there is no layer to draw", layers, "at least one layer");
}

/** The rows and slants of a window's cells, in the coordinates of the first layer. */
function extentOfWindow([row0, col0, row1, col1]: CellBounds, isOddR: boolean): Extent {
  if (!isOddR) return { row0, row1, slant0: 2 * col0 + row0, slant1: 2 * col1 + row1 };
  const [isFirstOdd, isLastOdd] = [row0 % 2 !== 0, row1 % 2 !== 0];
  const hasEven = row0 < row1 || !isFirstOdd;
  const hasOdd = row0 < row1 || isLastOdd;
  return { row0, row1, slant0: 2 * col0 + (hasEven ? 0 : 1), slant1: 2 * col1 + (hasOdd ? 1 : 0) };
}

function extentOf(layers: readonly MapSource[]): Extent {
  let [row0, row1, slant0, slant1] = [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  for (const layer of layers) {
    for (const { row, slant, visits, from, to } of cellsOf(layer, {})()) {
      let first = from;
      while (first < to && visits[first] === 0) first++;
      if (first === to) continue;
      let last = to - 1;
      while (visits[last] === 0) last--;
      row0 = Math.min(row0, row);
      row1 = Math.max(row1, row);
      slant0 = Math.min(slant0, slant + 2 * (first - from));
      slant1 = Math.max(slant1, slant + 2 * (last - from));
    }
  }
  if (row0 > row1)
    fail(error("argument.range", { problem: "the map has no visited cell", expected: "at least one visited cell" }));
  return { row0, row1, slant0, slant1 };
}

/** Returns the cells that a view shows. The number of a cell is its visits, or its first visit plus 1. */
function cellsOf(layer: MapSource, { window = EVERYWHERE, show }: MapView): Cells {
  const [row0, col0, row1, col1] = window;
  const added = show === "firstVisits" ? 1 : 0;
  const isOddR = hasOddR(layer);
  return function* () {
    for (const chunk of readChunks(layer)) {
      const { visits, side } = chunk;
      const numbers = numbersOf(chunk, show);
      const [top, left] = [chunk.chunkRow * side, chunk.chunkCol * side];
      const first = Math.max(0, col0 - left);
      const end = Math.min(side, col1 + 1 - left);
      for (let r = Math.max(0, row0 - top); r < Math.min(side, row1 + 1 - top); r++) {
        const [row, at] = [top + r, r * side];
        if (first < end)
          yield {
            row,
            slant: 2 * (left + first) + (isOddR ? row & 1 : row),
            visits,
            numbers,
            added,
            from: at + first,
            to: at + end,
          };
      }
    }
  };
}

const EVERYWHERE: CellBounds = [-Infinity, -Infinity, Infinity, Infinity];

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
