import { type LongCall, Watch } from "../../calls/watch.js";
import { checkFlag, readOptions } from "../../spec/index.js";
import { checkChoice } from "../checks.js";
import { BACKGROUND, type Rgb, readBackground } from "../pictures/colors.js";
import { drawMark, markPixels, markSize } from "../pictures/marks.js";
import { indexedPng } from "../pictures/pngFile.js";
import { extentOf, pixelOf, skewOf } from "./hexGeometry.js";
import { arrangeLegend, drawTerrainLegend, type TerrainEntry } from "./legend.js";
import { checkFrame, FRAME_OPTIONS, type FrameOptions, frameOf } from "./pictureFrame.js";
import { drawTerrain, type TerrainDrawing } from "./terrainCells.js";
import { type TerrainColors, terrainColors } from "./terrainColors.js";
import { type CheckedMap, MAX_KINDS, readMap, TERRAIN_POOLS, type TerrainMap, type TerrainPool } from "./terrainMap.js";

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
