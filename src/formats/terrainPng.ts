import { type LongCall, Watch } from "../calls/watch.js";
import { error, fail, readFields } from "../errors/index.js";
import { checkFlag, checkInteger, checkText, readList, readOptions, refuseArgument } from "../spec/index.js";
import { checkCells } from "./cellArrays.js";
import type { Rgb } from "./colormap.js";
import { type Extent, extentOf, pixelOf, type Skew, skewOf } from "./hexGeometry.js";
import { indexedPng } from "./indexedPng.js";
import { type CellLayout, hasOddR } from "./mapSource.js";
import { drawMark, MARK_SHAPES, type MarkShape, markPixels, markSize } from "./marks.js";
import { BACKGROUND, inkFor, readBackground, readRgb } from "./pictureColors.js";
import { checkFrame, type Frame, type FrameOptions, frameOf } from "./pictureFrame.js";
import { drawTerrain, type TerrainPool } from "./terrainCells.js";
import { type TerrainColors, terrainColors } from "./terrainColors.js";
import { arrangeLegend, drawTerrainLegend, type TerrainEntry, type TerrainLegend } from "./terrainLegend.js";

/** A terrain in a picture. */
export interface TerrainKind {
  /**
   * The name in the legend. The legend shows the first 16 characters. A terrain without a name ("") is not in the
   * legend.
   */
  readonly name: string;
  readonly color: Rgb;
}

/** Marks of one kind in a picture. */
export interface TerrainMarks extends TerrainKind {
  /** The cells of the marks. Marks outside the map are not drawn. */
  readonly rows: Int32Array;
  readonly cols: Int32Array;
  /**
   * The shape of the marks. Default: the first kind has dots. The next kinds have diamond, square, triangle, plus,
   * wedge, cross, dot and so on.
   */
  readonly shape?: MarkShape | undefined;
}

/** A rectangle of cells with terrain. */
export interface TerrainMap extends CellLayout {
  /** The first row and the first column. */
  readonly row0: number;
  readonly col0: number;
  readonly rows: number;
  readonly cols: number;
  /** The terrain of each cell, row by row: an index into `terrains`. A greater number shows the background. */
  readonly terrain: Uint8Array;
  /** At most 256 terrains. */
  readonly terrains: readonly TerrainKind[];
  /**
   * Numbers such as visits, one for each cell. The higher the number, the darker the cell. 0 does not change the
   * colour.
   */
  readonly darken?: Uint32Array | undefined;
  /**
   * Like `darken`, but makes cells lighter. In a cell with both numbers, lighter steps and darker steps cancel each
   * other.
   */
  readonly lighten?: Uint32Array | undefined;
  /** At most 256 kinds. Later kinds are drawn over earlier kinds. */
  readonly marks?: readonly TerrainMarks[] | undefined;
}

/** Options of {@link terrainPng}. Progress counts cells. */
export interface TerrainPngOptions
  extends Pick<FrameOptions, "pixelsPerCell" | "maxSide" | "width" | "height" | "cells">,
    LongCall {
  /**
   * Chooses the terrain of a pixel that stands for several cells. `common` (default) is the most common terrain of
   * these cells. `first` is the terrain of these cells that comes first in `terrains`. For example, narrow rivers stay
   * visible if they come first in `terrains`.
   */
  readonly pool?: TerrainPool | undefined;
  /** The colour around the cells. Default: a near-black blue. */
  readonly background?: Rgb | "transparent" | undefined;
  /**
   * Whether to draw a legend below the map. It shows each terrain and each kind of mark, with the numbers of cells and
   * marks. Default false.
   */
  readonly legend?: boolean | undefined;
}

export const TERRAIN_PNG_OPTIONS = [
  "pixelsPerCell",
  "maxSide",
  "width",
  "height",
  "cells",
  "pool",
  "background",
  "legend",
  "signal",
  "onProgress",
] as const;

const MAP_KEYS = [
  "row0",
  "col0",
  "rows",
  "cols",
  "coordinates",
  "terrain",
  "terrains",
  "darken",
  "lighten",
  "marks",
] as const;
const MAX_KINDS = 256;
const MAX_CELLS = 2 ** 28;
const LIMIT = 2 ** 31;

/**
 * Draws terrain as an indexed PNG: each cell in the colour of its terrain, and marks on cells. Cells of 4 pixels and
 * more are hexagons. Marks have an outline, so they are visible on every colour. Shading has a log scale with a few
 * steps, from 1 visit to the highest number in the map. With many terrains there are fewer steps, because a picture has
 * at most 256 colours.
 *
 * Cost: O(cells + pixels). The same map gives the same bytes on every platform.
 *
 * @throws RollmillError `argument.type`, `argument.range`, `argument.option` for a malformed map and invalid options;
 * `argument.range` for more than 2²⁸ cells or pixels, or no room for the legend; `argument.callback`; the reason of an
 * aborted signal.
 */
export function terrainPng(map: TerrainMap, options: TerrainPngOptions = {}): Uint8Array {
  const given = readOptions("terrainPng", options, TERRAIN_PNG_OPTIONS);
  const { pool = "common", background = BACKGROUND, legend = false, signal, onProgress, ...size } = given;
  checkFrame(size);
  checkFlag("legend", legend);
  if (pool !== "common" && pool !== "first") {
    fail(error("argument.range", { problem: 'invalid option "pool"', got: pool, expected: '"common" or "first"' }));
  }
  const read = readMap(map);
  const watch = new Watch("the picture", read.rows * read.cols, { signal, onProgress });
  const shown = readBackground(background);
  const colors = terrainColors({
    background: shown,
    ink: inkFor(shown),
    terrains: read.terrains.map(({ color }) => color),
    marks: read.marks.map(({ color }) => color),
    darkens: read.darken !== undefined,
    lightens: read.lighten !== undefined,
  });
  const skew = skewOf(read.isOddR, size.cells);
  const { row0, col0, rows, cols } = read;
  const extent = extentOf([row0, col0, row0 + rows - 1, col0 + cols - 1], skew);
  const entries = legend ? arrangeLegend(legendOf(read, colors), size) : undefined;
  const frame = frameOf(extent, size, entries?.strip ?? { lines: 0, leastWidth: 0 });
  const pixels = new Uint8Array(frame.width * frame.height);
  drawTerrain(pixels, read, { frame, extent, skew, colors, pool, watch });
  drawMarks(pixels, read, { frame, extent, skew, colors, watch });
  if (entries !== undefined) drawLegend(pixels, entries, { frame, ink: colors.ink });
  return indexedPng({ width: frame.width, height: frame.height, pixels }, colors.colors, () => watch.look());
}

function drawLegend(
  pixels: Uint8Array,
  legend: TerrainLegend,
  { frame, ink }: { readonly frame: Frame; readonly ink: number },
): void {
  const { width, stripTop: top, unit } = frame;
  drawTerrainLegend({ pixels, width, top, unit, ink }, legend);
}

function legendOf({ terrain, terrains, marks }: CheckedMap, colors: TerrainColors): TerrainEntry[][] {
  const cells = new Uint32Array(MAX_KINDS);
  for (let i = 0; i < terrain.length; i++) cells[terrain[i]]++;
  const ofTerrains = terrains.map(({ name }, i) => ({ name, count: cells[i], colors: colors.shades[i] }));
  const ofMarks = marks.map(({ name, shape, rows }, i) => ({
    name,
    count: rows.length,
    mark: { shape, ...colors.marks[i] },
  }));
  return [ofTerrains, ofMarks].map((entries) => entries.filter(({ name, count }) => name !== "" && count > 0));
}

interface MarkDrawing {
  readonly frame: Frame;
  readonly extent: Extent;
  readonly skew: Skew;
  readonly colors: TerrainColors;
  readonly watch: Watch;
}

/** The signal is checked before each kind of marks, and each time that about this many pixels of marks are drawn. */
const PIXELS_PER_LOOK = 2 ** 18;

function drawMarks(pixels: Uint8Array, { marks }: CheckedMap, drawing: MarkDrawing): void {
  const { frame, extent, skew, colors, watch } = drawing;
  const { scale, left, top, width, stripTop: bottom } = frame;
  const count = marks.reduce((sum, { rows }) => sum + rows.length, 0);
  const { diameter, hasOutline } = markSize(scale, count, width * bottom);
  const [halfWidth, halfHeight] = [scale.cellPixels >> 1, scale.lines.length >> 1];
  for (const [kind, { shape, rows, cols }] of marks.entries()) {
    watch.look();
    const mark = markPixels(shape, diameter, hasOutline);
    const marksPerLook = Math.ceil(PIXELS_PER_LOOK / mark.pixels.length);
    for (let k = 0; k < rows.length; k++) {
      if ((k + 1) % marksPerLook === 0) watch.look();
      const slant = 2 * cols[k] + skew(rows[k]) - extent.slant0;
      const [x, y] = pixelOf(scale, slant, rows[k] - extent.row0);
      const middle = { x: left + x + halfWidth, y: top + y + halfHeight };
      drawMark({ pixels, width, bottom }, mark, { ...middle, ...colors.marks[kind] });
    }
  }
}

type CheckedMarks = TerrainMarks & { readonly shape: MarkShape };

interface CheckedMap extends Omit<TerrainMap, "coordinates" | "marks" | "darken" | "lighten"> {
  readonly isOddR: boolean;
  readonly darken: Uint32Array | undefined;
  readonly lighten: Uint32Array | undefined;
  readonly marks: readonly CheckedMarks[];
}

function readMap(given: TerrainMap): CheckedMap {
  const map = readFields("the map", given, MAP_KEYS);
  const { row0, col0, rows, cols, terrain, darken, lighten } = map;
  checkInteger("row0", row0, -LIMIT, LIMIT - 1);
  checkInteger("col0", col0, -LIMIT, LIMIT - 1);
  checkInteger("rows", rows, 1, MAX_CELLS);
  checkInteger("cols", cols, 1, Math.floor(MAX_CELLS / rows));
  checkCells("terrain", terrain, { type: "Uint8Array", length: rows * cols });
  if (darken !== undefined) checkCells("darken", darken, { type: "Uint32Array", length: rows * cols });
  if (lighten !== undefined) checkCells("lighten", lighten, { type: "Uint32Array", length: rows * cols });
  const kinds = readList("terrains", map.terrains, { of: "terrains", most: MAX_KINDS });
  const terrains = kinds.map((kind, i) => readKind(`terrains[${i}]`, kind as TerrainKind));
  const marks = readList("marks", map.marks ?? [], { of: "kinds of marks", most: MAX_KINDS });
  const read = marks.map((kind, i) => marksIn(readMarks(kind as TerrainMarks, i), { row0, col0, rows, cols }));
  return { row0, col0, rows, cols, isOddR: hasOddR(map), terrain, terrains, darken, lighten, marks: read };
}

function readKind(path: string, given: TerrainKind): TerrainKind {
  const { name, color } = readFields(path, given, ["name", "color"]);
  checkText(`${path}.name`, name);
  const rgb =
    readRgb(`${path}.color`, color) ?? refuseArgument(`${path}.color`, color, "[red, green, blue], each 0 … 255");
  return { name, color: rgb };
}

function readMarks(given: TerrainMarks, i: number): CheckedMarks {
  const path = `marks[${i}]`;
  const kind = readKind(path, given);
  const {
    rows,
    cols,
    shape = MARK_SHAPES[i % MARK_SHAPES.length],
  } = readFields(path, given, ["rows", "cols", "shape"]);
  checkCells(`${path}.rows`, rows, { type: "Int32Array" });
  checkCells(`${path}.cols`, cols, { type: "Int32Array", length: rows.length });
  if (!MARK_SHAPES.includes(shape)) {
    fail(error("argument.range", { problem: "unknown shape", got: shape, expected: MARK_SHAPES.join(", ") }));
  }
  return { ...kind, rows, cols, shape };
}

function marksIn(
  marks: CheckedMarks,
  { row0, col0, rows, cols }: Pick<TerrainMap, "row0" | "col0" | "rows" | "cols">,
): CheckedMarks {
  const inside: number[] = [];
  for (let k = 0; k < marks.rows.length; k++) {
    const [r, c] = [marks.rows[k] - row0, marks.cols[k] - col0];
    if (r >= 0 && r < rows && c >= 0 && c < cols) inside.push(k);
  }
  if (inside.length === marks.rows.length) return marks;
  return {
    ...marks,
    rows: Int32Array.from(inside, (k) => marks.rows[k]),
    cols: Int32Array.from(inside, (k) => marks.cols[k]),
  };
}
