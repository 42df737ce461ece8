import { type LongCall, Watch } from "../../calls/watch.js";
import { error, fail } from "../../errors/index.js";
import { checkFlag, checkInteger, checkText, readOptions } from "../../spec/index.js";
import { checkChoice } from "../checks.js";
import { BACKGROUND, inkFor, isDark, logScale, type Rgb, readBackground } from "../pictures/colors.js";
import { drawMark, markPixels, markSize } from "../pictures/marks.js";
import { indexedPng } from "../pictures/pngFile.js";
import { THEME_NAMES, type ThemeName } from "../pictures/themes.js";
import { arrangeLegend, drawTerrainLegend, type TerrainEntry } from "./legend.js";
import {
  checkFrame,
  type Extent,
  extentOf,
  FRAME_OPTIONS,
  type Frame,
  type FrameOptions,
  frameOf,
  pixelOf,
  type Skew,
  skewOf,
} from "./pictureFrame.js";
import { type CellColor, drawPooled } from "./pooled.js";
import { type CheckedMap, MAX_KINDS, readMap, TERRAIN_POOLS, type TerrainMap, type TerrainPool } from "./terrainMap.js";
import { themedPng } from "./themed/themedPng.js";

const MAX_COLORS = 256;
/** Maximum number of steps from a terrain's colour to its darkest colour, and to its lightest colour. */
const MAX_STEPS = 6;
/** Shares of BLACK in the darkest shade, and of WHITE in the lightest. */
const DARKEST = 0.6;
const LIGHTEST = 0.55;
const BLACK: Rgb = [10, 10, 14];
const WHITE: Rgb = [250, 250, 250];

type TerrainColors = ReturnType<typeof terrainColors>;

/** Chooses at most 256 colours: first for background, letters, terrains and marks, then steps of shading that fit. */
function terrainColors(background: readonly number[], { terrains, marks: kinds, darken, lighten }: CheckedMap) {
  const isClear = background.length === 4;
  const colors: (readonly number[])[] = [[...background]];
  /** Returns the index of a colour or, if the palette is full, of the nearest colour. */
  const add = (color: Rgb): number => {
    // skips a transparent background, which cannot replace a colour
    const first = isClear ? 1 : 0;
    const distanceTo = (other: readonly number[]) => color.reduce((sum, part, i) => sum + (part - other[i]) ** 2, 0);
    const distances = colors.slice(first).map(distanceTo);
    const nearest = distances.indexOf(Math.min(...distances));
    if (distances[nearest] === 0 || colors.length === MAX_COLORS) return first + nearest;
    return colors.push(isClear ? [...color, 255] : [...color]) - 1;
  };
  const ink = add(inkFor(background));
  for (const { color } of terrains) add(color);
  const marks = kinds.map(({ color }) => ({ color: add(color), outline: add(isDark(color) ? WHITE : BLACK) }));
  const ways = (darken ? 1 : 0) + (lighten ? 1 : 0);
  const room = Math.floor((MAX_COLORS - colors.length) / Math.max(1, terrains.length * ways));
  const steps = Math.min(MAX_STEPS, room);
  const [darker, lighter] = [darken ? steps : 0, lighten ? steps : 0];
  /** The colours of each terrain, from dark to light. Entry `darker` + s is step s; negative steps are darker. */
  const shades = terrains.map(({ color }) =>
    Uint8Array.from({ length: darker + 1 + lighter }, (_, i) => add(shade(color, i - darker, steps))),
  );
  return { colors, shades, darker, lighter, marks, ink };
}

function shade(color: Rgb, step: number, steps: number): Rgb {
  if (step === 0) return color;
  const share = (Math.abs(step) / steps) * (step < 0 ? DARKEST : LIGHTEST);
  const target = step < 0 ? BLACK : WHITE;
  const part = (i: 0 | 1 | 2) => Math.round(color[i] + (target[i] - color[i]) * share);
  return [part(0), part(1), part(2)];
}

interface Drawing {
  readonly frame: Frame;
  readonly extent: Extent;
  readonly skew: Skew;
  readonly colors: TerrainColors;
  readonly color: CellColor;
  readonly pool: TerrainPool;
  readonly watch: Watch;
}

function colorOf({ darken, lighten }: CheckedMap, { shades, darker, lighter }: TerrainColors): CellColor {
  const down = stepsOf(darken, darker);
  const up = stepsOf(lighten, lighter);
  return (terrain, dark, light) => shades[terrain][darker + up(light) - down(dark)];
}

/** Returns a function that maps visits to steps: 0 for no visits, then 1 … `steps` on a log scale. */
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
  { frame, extent, skew, colors, color, watch }: Drawing,
): void {
  const { row0, col0, rows, cols, terrain, darken, lighten } = cells;
  const { width, scale } = frame;
  const { cellPixels, lines } = scale;
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
        // cells are so small that a call of `fill` would take longer
        for (let x = lines[line][0]; x < lines[line][1]; x++) pixels[at + x] = shade;
      }
    }
    watch.passed((r + 1) * cols);
  }
}

/** Options of {@link terrainPng}. Progress counts cells. */
export interface TerrainPngOptions
  extends Pick<FrameOptions, "pixelsPerCell" | "maxSide" | "width" | "height" | "cells">,
    LongCall {
  /** The terrain of a pixel that shows several cells: the most `common` (default), or the `first` in the list. */
  readonly pool?: TerrainPool | undefined;
  /** The colour around the cells. Default: a near-black blue. */
  readonly background?: Rgb | "transparent" | undefined;
  /** Whether to draw a legend below the map, with the number of cells or marks of each kind. Default false. */
  readonly legend?: boolean | undefined;
  /** The style: `plain` (default) shows terrains and marks in their own colours; `atlas`, `parchment` or `night`. */
  readonly theme?: ThemeName | undefined;
  /** For a theme with heights: the strength of the light in percent, 1 … 10,000. Default 100. */
  readonly relief?: number | undefined;
  /** For a theme: whether to draw a frame around the map. Default false. */
  readonly border?: boolean | undefined;
  /** For a theme: whether to draw a bar that shows the length of a round number of cells. Default false. */
  readonly scaleBar?: boolean | undefined;
  /** For a theme: a title on a plate at an edge of the map, of which 32 characters are shown. Default: no title. */
  readonly title?: string | undefined;
  /** For a theme: whether to draw a compass rose. Default false. */
  readonly compass?: boolean | undefined;
}

/** The options that only a theme has. */
const THEME_OPTIONS = ["relief", "border", "scaleBar", "title", "compass"] as const;
/** What only a theme draws. */
const THEME_PARTS = ["heights", "depths", "realms"] as const;
const MAX_RELIEF = 10_000;

export const TERRAIN_PNG_OPTIONS: readonly string[] = [
  ...FRAME_OPTIONS,
  "background",
  "legend",
  "theme",
  ...THEME_OPTIONS,
];

/**
 * Draws terrain as an indexed PNG: each cell in the colour of its terrain, and marks on cells, with outlines that are
 * visible on every colour. Cells of 4 pixels and more are hexagons. Shading has a log scale of at most 6 steps, from 1
 * visit to the highest number in the map. It has fewer steps if terrains and marks need most of the 256 colours.
 *
 * Cost: O(cells + pixels). The same map gives the same bytes on every platform.
 *
 * @throws RollmillError `argument.type`, `argument.range`, `argument.option` for a malformed map and invalid options,
 * more than 2²⁸ cells or pixels, or no room for the legend; `argument.callback`; the reason of an aborted signal.
 */
export function terrainPng(map: TerrainMap, options: TerrainPngOptions = {}): Uint8Array {
  const given = readOptions("terrainPng", options, TERRAIN_PNG_OPTIONS);
  const { pool = "common", background, legend = false, signal, onProgress, ...more } = given;
  const {
    theme = "plain",
    relief = 100,
    border = false,
    scaleBar = false,
    title = "",
    compass = false,
    ...size
  } = more;
  checkFrame(size);
  for (const [name, flag] of Object.entries({ legend, border, scaleBar, compass })) checkFlag(name, flag);
  checkText("title", title);
  checkInteger("relief", relief, 1, MAX_RELIEF);
  checkChoice('option "pool"', pool, TERRAIN_POOLS);
  checkChoice('option "theme"', theme, THEME_NAMES);
  const read = readMap(map);
  const watch = new Watch("the picture", read.rows * read.cols, { signal, onProgress });
  if (theme !== "plain") {
    const ornaments = { legend, border, scaleBar, title, compass };
    return themedPng(read, { ...size, ...ornaments, theme, background, relief, terrainPool: pool }, watch);
  }
  refuseThemed(given, read);
  const colors = terrainColors(readBackground(background ?? BACKGROUND), read);
  const skew = skewOf(read.isOddR, size.cells);
  const { row0, col0, rows, cols } = read;
  const extent = extentOf([row0, col0, row0 + rows - 1, col0 + cols - 1], skew);
  const entries = legend ? arrangeLegend(legendOf(read, colors), size) : undefined;
  const frame = frameOf(extent, size, entries?.strip);
  const pixels = new Uint8Array(frame.width * frame.height);
  const drawing = { frame, extent, skew, colors, color: colorOf(read, colors), pool, watch };
  if (frame.scale.cellsPerPixel > 1) drawPooled(pixels, read, drawing);
  else drawCells(pixels, read, drawing);
  drawMarks(pixels, read, drawing);
  if (entries !== undefined) drawTerrainLegend({ pixels, frame, ink: colors.ink }, entries);
  return indexedPng(frame.width, frame.height, pixels, colors.colors, () => watch.look());
}

/** Refuses what only a theme draws. */
function refuseThemed(options: TerrainPngOptions, map: CheckedMap): void {
  const option = THEME_OPTIONS.find((name) => options[name] !== undefined);
  const part = THEME_PARTS.find((name) => map[name] !== undefined) ?? (map.margin > 0 ? "margin" : undefined);
  const hasTexts = map.marks.some(({ texts }) => texts !== undefined);
  const name = option ?? part ?? (hasTexts ? "texts" : undefined);
  if (name === undefined) return;
  const expected = `"theme" set to ${THEME_NAMES.filter((theme) => theme !== "plain").join(", ")}`;
  fail(error("argument.range", { problem: `the theme "plain" does not draw "${name}"`, expected }));
}

function legendOf({ terrain, terrains, marks }: CheckedMap, colors: TerrainColors): TerrainEntry[][] {
  const cells = new Uint32Array(MAX_KINDS);
  for (let i = 0; i < terrain.length; i++) cells[terrain[i]]++;
  const ofTerrains = terrains.map(({ name }, i) => ({ name, count: cells[i], colors: colors.shades[i] }));
  const ofMarks = marks.map(({ name, shape, rows }, i) => {
    return { name, count: rows.length, mark: { shape, ...colors.marks[i] } };
  });
  return [ofTerrains, ofMarks].map((entries) => entries.filter(({ name, count }) => name !== "" && count > 0));
}

function drawMarks(pixels: Uint8Array, { marks }: CheckedMap, drawing: Drawing): void {
  const { frame, extent, skew, colors, watch } = drawing;
  const { scale, left, top, width, stripTop: bottom } = frame;
  const count = marks.reduce((sum, { rows }) => sum + rows.length, 0);
  const { diameter, hasOutline } = markSize(scale, count, width * bottom);
  const [halfWidth, halfHeight] = [scale.cellPixels >> 1, scale.lines.length >> 1];
  for (const [kind, { shape, rows, cols }] of marks.entries()) {
    watch.look();
    const mark = markPixels(shape, diameter, hasOutline);
    for (let k = 0; k < rows.length; k++) {
      const slant = 2 * cols[k] + skew(rows[k]) - extent.slant0;
      const [x, y] = pixelOf(scale, slant, rows[k] - extent.row0);
      const middle = { x: left + x + halfWidth, y: top + y + halfHeight };
      drawMark({ pixels, width, bottom }, mark, { ...middle, ...colors.marks[kind] });
    }
  }
}
