import { type LongCall, Watch } from "../../calls/watch.js";
import { readFields } from "../../errors/index.js";
import { checkFlag, checkInteger, readList, readOptions } from "../../spec/index.js";
import { checkCells, checkChoice } from "../checks.js";
import { BACKGROUND, type Rgb, readBackground } from "../pictures/colors.js";
import { drawMark, MARK_SHAPES, type MarkShape, markPixels, markSize } from "../pictures/marks.js";
import { indexedPng } from "../pictures/pngFile.js";
import { extentOf, pixelOf, skewOf } from "./hexGeometry.js";
import { arrangeLegend, drawTerrainLegend, type TerrainEntry } from "./legend.js";
import { type CellLayout, hasOddR } from "./mapSource.js";
import { checkFrame, FRAME_OPTIONS, type FrameOptions, frameOf } from "./pictureFrame.js";
import { drawTerrain, type TerrainDrawing } from "./terrainCells.js";
import { type TerrainColors, terrainColors } from "./terrainColors.js";
import { readKind, readKinds, TERRAIN_POOLS, type TerrainKind, type TerrainPool } from "./terrainKind.js";

/** Marks of one kind in a picture. */
export interface TerrainMarks extends TerrainKind {
  /** The cells of the marks. Marks outside the map are not drawn. */
  readonly rows: Int32Array;
  readonly cols: Int32Array;
  /** Default, from kind to kind: dot, diamond, square, triangle, plus, wedge, cross, dot and so on. */
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
  /** Numbers such as visits, one for each cell. The higher the number, the darker the cell. */
  readonly darken?: Uint32Array | undefined;
  /** Like `darken`, but makes cells lighter. In a cell with both numbers, their steps cancel each other. */
  readonly lighten?: Uint32Array | undefined;
  /** At most 256 kinds. Later kinds are drawn over earlier kinds. */
  readonly marks?: readonly TerrainMarks[] | undefined;
}

/** Options of {@link terrainPng}. Progress counts cells. */
export interface TerrainPngOptions
  extends Pick<FrameOptions, "pixelsPerCell" | "maxSide" | "width" | "height" | "cells">,
    LongCall {
  /**
   * The terrain of a pixel that stands for several cells: the most common one of these cells (`common`, default), or
   * the one that comes first in `terrains` (`first`). So narrow rivers stay visible if they come first.
   */
  readonly pool?: TerrainPool | undefined;
  /** The colour around the cells. Default: a near-black blue. */
  readonly background?: Rgb | "transparent" | undefined;
  /** Whether to draw a legend below the map, with the number of cells or marks of each kind. Default false. */
  readonly legend?: boolean | undefined;
}

export const TERRAIN_PNG_OPTIONS: readonly string[] = [...FRAME_OPTIONS, "background", "legend"];

const MAX_KINDS = 256;
const MAX_CELLS = 2 ** 28;
const LIMIT = 2 ** 31;

/**
 * Draws terrain as an indexed PNG: each cell in the colour of its terrain, and marks on cells. Cells of 4 pixels and
 * more are hexagons. Marks have an outline, so they are visible on every colour. Shading has a log scale with a few
 * steps, from 1 visit to the highest number in the map. Many terrains leave fewer of the 256 colours for steps.
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
  checkChoice('option "pool"', pool, TERRAIN_POOLS);
  const read = readMap(map);
  const watch = new Watch("the picture", read.rows * read.cols, { signal, onProgress });
  const colors = terrainColors(readBackground(background), read);
  const skew = skewOf(read.isOddR, size.cells);
  const { row0, col0, rows, cols } = read;
  const extent = extentOf([row0, col0, row0 + rows - 1, col0 + cols - 1], skew);
  const entries = legend ? arrangeLegend(legendOf(read, colors), size) : undefined;
  const frame = frameOf(extent, size, entries?.strip);
  const pixels = new Uint8Array(frame.width * frame.height);
  const drawing = { frame, extent, skew, colors, pool, watch };
  drawTerrain(pixels, read, drawing);
  drawMarks(pixels, read, drawing);
  if (entries !== undefined) drawTerrainLegend({ pixels, frame, ink: colors.ink }, entries);
  return indexedPng({ width: frame.width, height: frame.height, pixels }, colors.colors, () => watch.look());
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

/** The signal is checked before each kind of marks, and each time that about this many pixels of marks are drawn. */
const PIXELS_PER_LOOK = 2 ** 18;

function drawMarks(pixels: Uint8Array, { marks }: CheckedMap, drawing: TerrainDrawing): void {
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
  const map = readFields("the map", given, ["row0", "col0", "rows", "cols", "terrain", "terrains"]);
  const { row0, col0, rows, cols, terrain } = map;
  const { darken, lighten, marks = [] } = given;
  checkInteger("row0", row0, -LIMIT, LIMIT - 1);
  checkInteger("col0", col0, -LIMIT, LIMIT - 1);
  checkInteger("rows", rows, 1, MAX_CELLS);
  checkInteger("cols", cols, 1, Math.floor(MAX_CELLS / rows));
  checkCells("terrain", terrain, { type: "Uint8Array", length: rows * cols });
  for (const [name, numbers] of Object.entries({ darken, lighten })) {
    if (numbers !== undefined) checkCells(name, numbers, { type: "Uint32Array", length: rows * cols });
  }
  const terrains = readKinds(map.terrains, MAX_KINDS);
  const kinds = readList("marks", marks, { of: "kinds of marks", most: MAX_KINDS });
  const read = kinds.map((kind, i) => marksIn(readMarks(kind as TerrainMarks, i), map));
  return { row0, col0, rows, cols, isOddR: hasOddR(given), terrain, terrains, darken, lighten, marks: read };
}

function readMarks(given: TerrainMarks, i: number): CheckedMarks {
  const path = `marks[${i}]`;
  const kind = readKind(path, given);
  const { rows, cols, shape = MARK_SHAPES[i % MARK_SHAPES.length] } = given;
  checkCells(`${path}.rows`, rows, { type: "Int32Array" });
  checkCells(`${path}.cols`, cols, { type: "Int32Array", length: rows.length });
  checkChoice("shape", shape, MARK_SHAPES);
  return { ...kind, rows, cols, shape };
}

function marksIn(marks: CheckedMarks, map: Pick<TerrainMap, "row0" | "col0" | "rows" | "cols">): CheckedMarks {
  const inside: number[] = [];
  for (let k = 0; k < marks.rows.length; k++) {
    const [r, c] = [marks.rows[k] - map.row0, marks.cols[k] - map.col0];
    if (r >= 0 && r < map.rows && c >= 0 && c < map.cols) inside.push(k);
  }
  if (inside.length === marks.rows.length) return marks;
  const rows = Int32Array.from(inside, (k) => marks.rows[k]);
  const cols = Int32Array.from(inside, (k) => marks.cols[k]);
  return { ...marks, rows, cols };
}
