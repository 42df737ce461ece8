import { error, fail } from "../../errors/index.js";
import { checkInteger } from "../../spec/index.js";
import { checkChoice } from "../checks.js";
import type { MapView } from "./mapSource.js";

/** The scale of a picture. The slant of an axial cell is 2·col + row: the x of its centre, in half cell widths. */
export interface HexScale {
  /** Width of a cell. Up to 3 pixels, cells are squares. From 4 on, cells are pointy-top hexagons of even width. */
  readonly cellPixels: number;
  readonly rowPixels: number;
  /** Number of cells along each side of a pixel. Above 1 only if `cellPixels` is 1. */
  readonly cellsPerPixel: number;
  /** The pixels of each line of a cell, counted from the cell's left edge. `end` is exclusive. */
  readonly lines: readonly (readonly [start: number, end: number])[];
}

/** The lowest and the highest row and slant of a picture's cells, inclusive. */
export interface Extent {
  readonly row0: number;
  readonly row1: number;
  readonly slant0: number;
  readonly slant1: number;
}

/** From this cell width on, one pixel of background separates neighbouring cells. */
const GAP_FROM_PIXELS = 8;

/** Returns the scale for a cell width. Makes widths above 3 even, because rows are shifted by half a cell. */
export function hexScale(cellPixels: number): HexScale {
  if (cellPixels < 4) return squareScale(cellPixels);
  const width = cellPixels - (cellPixels % 2);
  // in a regular hexagon grid, the rows are √3/2 cell widths apart, about 433/500
  const rowPixels = Math.round((width * 433) / 500);
  const lines = hexagonLines(width, rowPixels, width >= GAP_FROM_PIXELS ? 1 : 0);
  return { cellPixels: width, rowPixels, cellsPerPixel: 1, lines };
}

function squareScale(cellPixels: number): HexScale {
  const lines = Array.from({ length: cellPixels }, () => [0, cellPixels] as const);
  return { cellPixels, rowPixels: cellPixels, cellsPerPixel: 1, lines };
}

export function pooledScale(cellsPerPixel: number): HexScale {
  return { cellPixels: 1, rowPixels: 1, cellsPerPixel, lines: [[0, 1]] };
}

export function pictureSize(scale: HexScale, { row0, row1, slant0, slant1 }: Extent): [width: number, height: number] {
  const [x, y] = pixelOf(scale, slant1 - slant0, row1 - row0);
  return [x + scale.cellPixels, y + scale.lines.length];
}

/** Returns the top left corner of a cell. `slant` and `row` are relative to the lowest slant and row of the picture. */
export function pixelOf(scale: HexScale, slant: number, row: number): [x: number, y: number] {
  const { cellPixels, rowPixels, cellsPerPixel } = scale;
  return [Math.floor((slant * cellPixels) / (2 * cellsPerPixel)), Math.floor((row * rowPixels) / cellsPerPixel)];
}

/** Returns how far a row is shifted to the right, in half cells. */
export type Skew = (row: number) => number;

export function skewOf(hasOddR: boolean, shape: "hexagons" | "pixels" | undefined): Skew {
  if (shape === "pixels") return () => 0;
  return hasOddR ? (row) => row & 1 : (row) => row;
}

export function extentOf(
  [row0, col0, row1, col1]: readonly [row0: number, col0: number, row1: number, col1: number],
  skew: Skew,
): Extent {
  // these three rows always include the smallest and the largest shift
  const shifts = [row0, Math.min(row0 + 1, row1), row1].map(skew);
  return { row0, row1, slant0: 2 * col0 + Math.min(...shifts), slant1: 2 * col1 + Math.max(...shifts) };
}

/*
 *      /\        The lower cap of a row and the upper cap of the next row are on the same lines of pixels. The cells
 *     /  \  cap  must fill these lines without gaps. So if line j of an upper cap has w pixels, line j of a lower cap
 *    |    |      has width − w pixels.
 *    |    |
 *     \  /  cap  In a regular hexagon, the height of a cap is a third of the distance between rows.
 *      \/
 */
export function hexagonLines(width: number, rowPixels: number, gap: number): [number, number][] {
  const half = width / 2;
  const cap = Math.round(rowPixels / 3);
  const halves = Array.from({ length: cap }, (_, j) => Math.round(((2 * j + 1) * half) / (2 * cap)));
  const body = new Array<number>(rowPixels - cap).fill(half);
  const all = [...halves, ...body, ...halves.map((a) => half - a)];
  return all.map((a) => [half - a, Math.max(half - a, half + a - gap)]);
}

const MAX_PIXELS = 2 ** 28;
const DEFAULT_CELL_PIXELS = 32;
const MAX_CELL_PIXELS = 256;
const DEFAULT_MAX_SIDE = 2048;

export const FRAME_OPTIONS = ["pixelsPerCell", "maxSide", "width", "height", "cells", "pool", "signal", "onProgress"];
export const PICTURE_OPTIONS = [...FRAME_OPTIONS, "window", "show"];

/** Options for the size of a picture and the size of its cells. */
export interface FrameOptions extends MapView {
  /** Width of a cell, 1 … 256 pixels. If a size is set: the maximum. From 4 on, cells are hexagons of even width. */
  readonly pixelsPerCell?: number | undefined;
  /** Maximum length of the longer side in pixels. Default 2048, or no limit if another option sets a size. */
  readonly maxSide?: number | undefined;
  /** Size in pixels. The map is in the centre, as large as possible. If one side is set, the other fits the map. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** `hexagons` (default) draws cells in the hexagonal grid. `pixels` draws squares in straight rows and columns. */
  readonly cells?: "hexagons" | "pixels" | undefined;
  /**
   * The number of a pixel that shows several cells: their highest visits (`max`, default), or the sum of their visits
   * (`sum`). Not allowed for first visits.
   */
  readonly pool?: "max" | "sum" | undefined;
}

/** A strip below the map, for a legend, in units. A unit is one pixel of the legend's font. `lines` is the height. */
export interface Strip {
  readonly lines: number;
  readonly leastWidth: number;
  /** Width of a border around the map. Default 0. */
  readonly border?: number;
}

/** The side of a unit (a pixel of the legend's font) is the picture's width / 480, rounded, but 1 … MAX_UNIT pixels. */
const PIXELS_PER_UNIT = 480;
const MAX_UNIT = 8;

/** Chooses scale and size, with room for the strip. `stripTop` is the strip's y; `unit` is the pixels per unit. */
export function frameOf(extent: Extent, options: FrameOptions, strip: Strip = { lines: 0, leastWidth: 0 }) {
  const { width: setWidth, height: setHeight } = options;
  const limits = limitsOf(options);
  const first = chooseScale(extent, options, limits);
  const firstWidth = setWidth ?? pictureSize(first, extent)[0];
  const unit = Math.max(1, Math.min(MAX_UNIT, Math.round(firstWidth / PIXELS_PER_UNIT)));
  const stripHeight = strip.lines * unit;
  const border = 2 * (strip.border ?? 0) * unit;
  const leastWidth = strip.lines === 0 ? 0 : strip.leastWidth * unit;
  const room = { width: limits.width - border, height: limits.height - stripHeight - border };
  if (room.height < 1 || room.width < 1 || leastWidth > limits.width) {
    const expected = `a width of at least ${leastWidth} pixels, and a height of more than ${stripHeight}`;
    fail(error("argument.range", { problem: "the picture has no room for its legend", expected }));
  }
  const scale = chooseScale(extent, options, room);
  const [mapWidth, mapHeight] = pictureSize(scale, extent);
  const width = setWidth ?? Math.max(mapWidth + border, leastWidth);
  const height = setHeight ?? mapHeight + border + stripHeight;
  if (width * height > MAX_PIXELS) {
    const problem = `the picture is too large (${width} × ${height} pixels)`;
    const remedy = 'Use a smaller "pixelsPerCell", or set "maxSide"';
    fail(error("argument.range", { problem, expected: "at most 2^28 pixels", remedy }));
  }
  const left = Math.floor((width - mapWidth) / 2);
  const top = Math.floor((height - stripHeight - mapHeight) / 2);
  return { scale, width, height, left, top, stripTop: height - stripHeight, unit };
}

export type Frame = ReturnType<typeof frameOf>;

function limitsOf({ pixelsPerCell, maxSide, width, height }: FrameOptions) {
  const isFree = pixelsPerCell === undefined && width === undefined && height === undefined;
  const most = maxSide ?? (isFree ? DEFAULT_MAX_SIDE : Number.POSITIVE_INFINITY);
  return { width: Math.min(most, width ?? most), height: Math.min(most, height ?? most) };
}

function chooseScale(extent: Extent, options: FrameOptions, limits: ReturnType<typeof limitsOf>): HexScale {
  const { cells, width, height, pixelsPerCell } = options;
  const fits = (scale: HexScale) => {
    const [mapWidth, mapHeight] = pictureSize(scale, extent);
    return mapWidth <= limits.width && mapHeight <= limits.height;
  };
  const scaleOf = cells === "pixels" ? squareScale : hexScale;
  const largest = width === undefined && height === undefined ? DEFAULT_CELL_PIXELS : MAX_CELL_PIXELS;
  let cellPixels = pixelsPerCell ?? largest;
  while (cellPixels > 1 && !fits(scaleOf(cellPixels))) cellPixels--;
  if (fits(scaleOf(cellPixels))) return scaleOf(cellPixels);
  const rows = (extent.row1 - extent.row0) / limits.height;
  const columns = (extent.slant1 - extent.slant0) / 2 / limits.width;
  let cellsPerPixel = Math.max(2, Math.floor(Math.max(rows, columns)));
  while (!fits(pooledScale(cellsPerPixel))) cellsPerPixel++;
  return pooledScale(cellsPerPixel);
}

export function checkFrame(options: FrameOptions): void {
  const { pool = "max", cells = "hexagons" } = options;
  const { pixelsPerCell, maxSide, width, height } = options;
  if (pixelsPerCell !== undefined) checkInteger("pixelsPerCell", pixelsPerCell, 1, MAX_CELL_PIXELS);
  for (const [name, side] of Object.entries({ maxSide, width, height })) {
    if (side !== undefined) checkInteger(name, side, 1, MAX_PIXELS);
  }
  checkChoice('option "pool"', pool, ["max", "sum"]);
  checkChoice('option "cells"', cells, ["hexagons", "pixels"]);
  if (options.pool === undefined || options.show !== "firstVisits") return;
  const problem = 'a picture of first visits has no option "pool"';
  fail(error("argument.range", { problem, got: pool, expected: 'no "pool", or "show" set to "visits"' }));
}
