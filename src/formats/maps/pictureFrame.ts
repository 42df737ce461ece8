import { error, fail } from "../../errors/index.js";
import { checkInteger } from "../../spec/index.js";
import { checkChoice } from "../checks.js";
import { type Extent, type HexScale, hexScale, pictureSize, pooledScale, squareScale } from "./hexGeometry.js";
import type { MapView } from "./mapSource.js";

const MAX_PIXELS = 2 ** 28;
const DEFAULT_CELL_PIXELS = 32;
const MAX_CELL_PIXELS = 256;
const DEFAULT_MAX_SIDE = 2048;

export const FRAME_OPTIONS = ["pixelsPerCell", "maxSide", "width", "height", "cells", "pool", "signal", "onProgress"];
export const PICTURE_OPTIONS = [...FRAME_OPTIONS, "window", "show"];

/** Options for the size of a picture and the size of its cells. */
export interface FrameOptions extends MapView {
  /**
   * Width of a cell in pixels, 1 … 256; an upper limit if the size is limited. Up to 3, cells are squares. Larger cells
   * are hexagons of an even width.
   */
  readonly pixelsPerCell?: number;
  /** Maximum length of the longer side in pixels. Default 2048, or no limit if another option sets a size. */
  readonly maxSide?: number;
  /**
   * Width and height of the picture, in pixels. The map is drawn as large as possible, in the centre. If only one of
   * them is set, the other fits the drawn map.
   */
  readonly width?: number;
  readonly height?: number;
  /** `hexagons` (default) draws cells in the hexagonal grid, `pixels` squares in straight rows and columns. */
  readonly cells?: "hexagons" | "pixels";
  /**
   * The number for a pixel that stands for several cells: the highest visit count of these cells (`max`, default) or
   * the sum of their visits (`sum`). A picture of first visits shows the smallest step, and must not set `pool`.
   */
  readonly pool?: "max" | "sum";
}

/** A strip below the map, for a legend, in units. A unit is one pixel of the legend's font. `lines` is the height. */
export interface Strip {
  readonly lines: number;
  readonly leastWidth: number;
}

/** The size of a picture, and the place of the map in it, in pixels. */
export interface Frame {
  readonly scale: HexScale;
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly top: number;
  /** Where the legend's strip begins, and the size of one pixel of its font. */
  readonly stripTop: number;
  readonly unit: number;
}

/** A unit has one pixel for each 480 of the picture's width, 1 … MAX_UNIT. */
const PIXELS_PER_UNIT = 480;
const MAX_UNIT = 8;

/** Chooses the scale of a map and the size of its picture, which must have room for the strip. */
export function frameOf(extent: Extent, options: FrameOptions, strip: Strip = { lines: 0, leastWidth: 0 }): Frame {
  const { width: setWidth, height: setHeight } = options;
  const limits = limitsOf(options);
  const first = chooseScale(extent, options, limits);
  const firstWidth = setWidth ?? pictureSize(first, extent)[0];
  const unit = Math.max(1, Math.min(MAX_UNIT, Math.round(firstWidth / PIXELS_PER_UNIT)));
  const stripHeight = strip.lines * unit;
  const leastWidth = strip.lines === 0 ? 0 : strip.leastWidth * unit;
  if (stripHeight >= limits.height || leastWidth > limits.width) {
    const expected = `a width of at least ${leastWidth} pixels, and a height of more than ${stripHeight}`;
    fail(error("argument.range", { problem: "the picture has no room for its legend", expected }));
  }
  const scale = chooseScale(extent, options, { ...limits, height: limits.height - stripHeight });
  const [mapWidth, mapHeight] = pictureSize(scale, extent);
  const width = setWidth ?? Math.max(mapWidth, leastWidth);
  const height = setHeight ?? mapHeight + stripHeight;
  if (width * height > MAX_PIXELS) {
    const problem = `the picture is too large (${width} × ${height} pixels)`;
    const remedy = 'Use a smaller "pixelsPerCell", or set "maxSide"';
    fail(error("argument.range", { problem, expected: "at most 2^28 pixels", remedy }));
  }
  const left = Math.floor((width - mapWidth) / 2);
  const top = Math.floor((height - stripHeight - mapHeight) / 2);
  return { scale, width, height, left, top, stripTop: height - stripHeight, unit };
}

type Limits = ReturnType<typeof limitsOf>;

function limitsOf({ pixelsPerCell, maxSide, width, height }: FrameOptions) {
  const isFree = pixelsPerCell === undefined && width === undefined && height === undefined;
  const most = maxSide ?? (isFree ? DEFAULT_MAX_SIDE : Number.POSITIVE_INFINITY);
  return { width: Math.min(most, width ?? most), height: Math.min(most, height ?? most) };
}

function chooseScale(extent: Extent, options: FrameOptions, limits: Limits): HexScale {
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
