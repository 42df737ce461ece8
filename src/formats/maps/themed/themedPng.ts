import type { Watch } from "../../../calls/watch.js";
import { error, fail } from "../../../errors/index.js";
import { Canvas } from "../../pictures/canvas.js";
import { isDark, logScale, type Rgb, readBackground } from "../../pictures/colors.js";
import { indexedPng } from "../../pictures/pngFile.js";
import { THEMES, type Theme, type ThemeName } from "../../pictures/themes.js";
import { arrangeLegend, drawTerrainLegend } from "../legend.js";
import {
  checkFrame,
  type Extent,
  extentOf,
  type Frame,
  type FrameOptions,
  frameOf,
  type HexScale,
  hexagonLines,
  pictureSize,
  pixelOf,
  type Skew,
  skewOf,
} from "../pictureFrame.js";
import type { CheckedMap } from "../terrainMap.js";
import { deepen, drawCoasts, LAND, shoreDistances, stain, surfaces } from "./coasts.js";
import { type Grid, gridOf, paintGround, type ThemedColors, themedColors } from "./ground.js";
import { drawLines, groundBelow } from "./lines.js";
import { drawCompass, drawTitle } from "./ornaments.js";
import { drawLabels, drawRealms, drawScaleBar, drawThemedMarks } from "./overlays.js";
import { pooledGrid } from "./pooledGrid.js";
import { drawSymbols } from "./symbols.js";

interface ThemedOptions extends FrameOptions {
  readonly theme: Exclude<ThemeName, "plain">;
  readonly background: Rgb | "transparent" | undefined;
  readonly legend: boolean;
  readonly border: boolean;
  readonly scaleBar: boolean;
  readonly title: string;
  readonly compass: boolean;
  readonly relief: number;
  readonly terrainPool: "common" | "first";
}

const MAX_STEPS = 6;
/** Up to this cell width, symbols and marks have the same size. */
const SMALL_CELL = 8;
/** How far, in pixels, a cell can change the picture around it. */
const REACH_PIXELS = 48;
const MAX_MARGIN = 256;
/** A theme needs several bytes for each pixel. */
const MAX_PIXELS = 2 ** 26;
/** Width of the frame, and the length of its dark and light parts, in units. */
const FRAME_UNITS = 8;
const BAND_UNITS = 24;

/** Draws a map in a theme. The outer `margin` cells of the map are not shown; they change what is near them. */
export function themedPng(map: CheckedMap, options: ThemedOptions, watch: Watch): Uint8Array {
  const theme = THEMES[options.theme];
  const colors = themedColors(theme, readBackground(options.background ?? theme.background), map);
  const inner = shownCells(map);
  const skew = skewOf(map.isOddR, options.cells);
  const extent = extentOf(inner, skew);
  const entries = options.legend ? arrangeLegend(legendOf(map, inner, colors), options) : undefined;
  const strip = { lines: 0, leastWidth: 0, ...entries?.strip, border: options.border ? FRAME_UNITS : 0 };
  const frame = solid(frameOf(extent, options, strip));
  const whole = paddedExtent(map, extent, skew, frame.scale);
  const [width, height] = pictureSize(frame.scale, whole);
  checkPixels(Math.max(width * height, frame.width * frame.height));
  const canvas = new Canvas(width, height, new Uint8Array(width * height), colors.palette);
  const offset = pixelOf(frame.scale, extent.slant0 - whole.slant0, extent.row0 - whole.row0);
  drawMap(canvas, map, { theme, colors, frame, extent: whole, shown: extent, skew, offset, options, watch });
  const pixels = new Uint8Array(frame.width * frame.height);
  copyShown(pixels, canvas, { inner, frame, skew, extent, whole });
  if (options.border) squareEdges(pixels, frame, extent);
  if (options.border) drawFrame(pixels, frame, extent, colors);
  if (entries !== undefined) drawTerrainLegend({ pixels, frame, ink: colors.letters }, entries);
  return indexedPng(frame.width, frame.height, pixels, colors.palette.colors, () => watch.look());
}

function checkPixels(pixels: number): void {
  if (pixels <= MAX_PIXELS) return;
  const remedy = 'Use a smaller "pixelsPerCell", or set "maxSide"';
  const problem = "the picture is too large for a theme";
  fail(error("argument.range", { problem, got: pixels, expected: "at most 2^26 pixels, with the margin", remedy }));
}

type Corners = readonly [row0: number, col0: number, row1: number, col1: number];

function shownCells({ row0, col0, rows, cols, margin }: CheckedMap): Corners {
  return [row0 + margin, col0 + margin, row0 + rows - 1 - margin, col0 + cols - 1 - margin];
}

/** Returns a frame whose hexagons have no gaps. */
function solid(frame: Frame): Frame {
  const { cellPixels, rowPixels, lines } = frame.scale;
  if (lines.length === rowPixels) return frame;
  return { ...frame, scale: { ...frame.scale, lines: hexagonLines(cellPixels, rowPixels, 0) } };
}

/** Returns the extent of the map with its margin. It begins a whole number of pixels before the shown extent. */
function paddedExtent(map: CheckedMap, shown: Extent, skew: Skew, { cellsPerPixel }: HexScale): Extent {
  const { row0, col0, rows, cols } = map;
  const whole = extentOf([row0, col0, row0 + rows - 1, col0 + cols - 1], skew);
  const before = (from: number, step: number) => step * Math.ceil(from / step);
  return {
    ...whole,
    row0: shown.row0 - before(shown.row0 - whole.row0, cellsPerPixel),
    slant0: shown.slant0 - before(shown.slant0 - whole.slant0, 2 * cellsPerPixel),
  };
}

/** Returns the number of cells around a map that can change its picture; at most MAX_MARGIN, which bounds the cost. */
export function themedMargin(corners: Corners, isOddR: boolean, options: FrameOptions): number {
  checkFrame(options);
  const { scale } = frameOf(extentOf(corners, skewOf(isOddR, options.cells)), options);
  const margin = Math.ceil((REACH_PIXELS * zoomOf(scale) * scale.cellsPerPixel) / scale.cellPixels) + 1;
  // an even number of rows keeps the shift of the rows
  return Math.min(MAX_MARGIN, margin + (margin & 1));
}

/** How much larger symbols and marks are than on small cells. */
function zoomOf({ cellPixels }: HexScale): number {
  return Math.max(1, cellPixels / SMALL_CELL);
}

interface Drawing {
  readonly theme: Theme;
  readonly colors: ThemedColors;
  readonly frame: Frame;
  readonly extent: Extent;
  readonly shown: Extent;
  readonly skew: Skew;
  readonly offset: readonly [x: number, y: number];
  readonly options: ThemedOptions;
  readonly watch: Watch;
}

function drawMap(canvas: Canvas, map: CheckedMap, drawing: Drawing): void {
  const { theme, colors, frame, extent, skew, offset, options, watch } = drawing;
  const { scale } = frame;
  const isPooled = scale.cellsPerPixel > 1;
  const stepsOf = visitSteps(map);
  const pooling = { scale, extent, skew, pool: options.terrainPool, watch, stepsOf };
  const grid: Grid = isPooled
    ? pooledGrid(map, { ...pooling, size: [canvas.width, canvas.height] })
    : { ...map, ...gridOf(map, scale, extent, skew), steps: stepsOfCells(map, stepsOf) };
  const hasLines = !isPooled && options.cells !== "pixels";
  const below = hasLines ? groundBelow(grid, colors.forms) : grid.terrain;
  const lighting = { relief: options.relief, cellsPerPixel: scale.cellsPerPixel, watch };
  const ground = new Uint8Array(canvas.pixels.length);
  paintGround(ground, canvas.width, { ...grid, terrain: below }, colors, lighting);
  const x0 = Math.floor((extent.slant0 * scale.cellPixels) / (2 * scale.cellsPerPixel));
  const y0 = Math.floor((extent.row0 * scale.rowPixels) / scale.cellsPerPixel);
  const kinds = surfaces(colors);
  const far = shoreDistances(ground, canvas.width, kinds);
  if (grid.depths === undefined) deepen(ground, far, colors, zoomOf(scale));
  if (theme.isDrawn) stain(ground, canvas.width, colors, [x0, y0]);
  watch.look();
  canvas.pixels.set(ground);
  drawCoasts(canvas, ground, { kinds, far, ink: colors.ink, theme });
  watch.look();
  const hasRelief = grid.heights !== undefined && !theme.isDrawn;
  drawSymbols(canvas, ground, colors, { x0, y0, zoom: zoomOf(scale), hasRelief });
  if (hasLines) drawLines(canvas, grid, colors.forms, colors);
  const isLand = (i: number) => kinds[ground[i]] === LAND;
  drawRealms(canvas, grid, { isLand, border: colors.border, zoom: zoomOf(scale) });
  drawOverlays(canvas, map, { ...drawing, isLand }, offset);
}

function drawOverlays(
  canvas: Canvas,
  map: CheckedMap,
  { theme, colors, frame, extent, shown, skew, options, isLand }: Drawing & { isLand: (i: number) => boolean },
  [left, top]: readonly [number, number],
): void {
  const { scale } = frame;
  const middleOf = (row: number, col: number): readonly [number, number] => {
    const [x, y] = pixelOf(scale, 2 * col + skew(row) - extent.slant0, row - extent.row0);
    return [x + (scale.cellPixels >> 1), y + (scale.lines.length >> 1)];
  };
  const drawn = drawThemedMarks(canvas, map, colors, { cellPixels: scale.cellPixels, middleOf });
  const [width, height] = pictureSize(scale, shown);
  const area = { x0: left + 2, y0: top + 2, x1: left + width - 2, y1: top + height - 2 };
  const isNight = isDark(theme.background);
  const [letters, halo] = isNight ? [colors.paper, colors.ink] : [colors.ink, colors.paper];
  const text = { area, letters, halo, zoom: Math.max(1, Math.min(3, scale.cellPixels / 14)) };
  const taken = options.scaleBar ? drawScaleBar(canvas, text, scale.cellsPerPixel / scale.cellPixels) : [];
  const isLandAt = (x: number, y: number) => isLand(y * canvas.width + x);
  const free = { isLand: isLandAt, marks: [...drawn.drawn, ...drawn.dots], taken, unit: frame.unit };
  taken.push(...drawTitle(canvas, options.title, text, free));
  if (options.compass) taken.push(...drawCompass(canvas, text, free));
  drawLabels(canvas, map, drawn, { ...text, taken });
}

/** Returns a function that computes how much lighter or darker visits make a cell, in levels. */
function visitSteps({ darken, lighten }: CheckedMap): (dark: number, light: number) => number {
  const [down, up] = [darken, lighten].map((counts) => logScale(counts === undefined ? 0 : mostOf(counts), MAX_STEPS));
  return (dark, light) => (light === 0 ? 0 : 1 + up(light)) - (dark === 0 ? 0 : 1 + down(dark));
}

function mostOf(counts: Uint32Array): number {
  let most = 0;
  for (let i = 0; i < counts.length; i++) if (counts[i] > most) most = counts[i];
  return most;
}

function stepsOfCells({ darken, lighten }: CheckedMap, stepsOf: ReturnType<typeof visitSteps>): Grid["steps"] {
  if (darken === undefined && lighten === undefined) return undefined;
  return (i) => stepsOf(darken?.[i] ?? 0, lighten?.[i] ?? 0);
}

function legendOf(
  { terrain, terrains, cols, marks, row0, col0 }: CheckedMap,
  [r0, c0, r1, c1]: Corners,
  { ramps, marks: inks }: ThemedColors,
) {
  const counts = new Uint32Array(256);
  for (let row = r0; row <= r1; row++) {
    const start = (row - row0) * cols - col0;
    for (let i = start + c0; i <= start + c1; i++) counts[terrain[i]]++;
  }
  const ofTerrains = terrains.map(({ name }, i) => {
    const { first, levels } = ramps[i];
    return { name, count: counts[i], colors: Uint8Array.from({ length: levels }, (_, k) => first + k) };
  });
  const ofMarks = marks.map(({ name, shape, rows, cols: columns }, i) => {
    const isShown = (row: number, k: number) => row >= r0 && row <= r1 && columns[k] >= c0 && columns[k] <= c1;
    return { name, count: rows.filter(isShown).length, mark: { shape, ...inks[i] } };
  });
  return [ofTerrains, ofMarks].map((entries) => entries.filter(({ name, count }) => name !== "" && count > 0));
}

interface Copying {
  readonly inner: Corners;
  readonly frame: Frame;
  readonly skew: Skew;
  readonly extent: Extent;
  readonly whole: Extent;
}

/** Copies the pixels of the shown cells. */
function copyShown(
  pixels: Uint8Array,
  canvas: Canvas,
  { inner: [r0, c0, r1, c1], frame, skew, extent, whole }: Copying,
): void {
  const { scale, left, top, width } = frame;
  const caps = scale.lines.length - scale.rowPixels;
  for (let row = r0; row <= r1; row++) {
    const slant = 2 * c0 + skew(row);
    const [fromX, fromY] = pixelOf(scale, slant - whole.slant0, row - whole.row0);
    const [toX, toY] = pixelOf(scale, slant - extent.slant0, row - extent.row0);
    const [lastX] = pixelOf(scale, slant + 2 * (c1 - c0) - whole.slant0, 0);
    for (const [line, [start]] of scale.lines.entries()) {
      // between the caps of a row are cells of the next row, which the first and the last row do not have
      const isRim = (row === r0 && line < caps) || (row === r1 && line >= scale.rowPixels);
      const length = (isRim ? 0 : lastX - fromX) + scale.cellPixels - 2 * start;
      for (let x = start; x <= start + (isRim ? lastX - fromX : 0); x += scale.cellPixels) {
        const from = (fromY + line) * canvas.width + fromX + x;
        pixels.set(canvas.pixels.subarray(from, from + length), (top + toY + line) * width + left + toX + x);
      }
    }
  }
}

/** Fills the gaps between the hexagons at the edges and the frame with the colours beside them. */
function squareEdges(pixels: Uint8Array, { scale, left, top, width }: Frame, extent: Extent): void {
  const [mapWidth, mapHeight] = pictureSize(scale, extent);
  const fill = (x: number, y: number, from: number) => {
    const at = (top + y) * width + left + x;
    if (pixels[at] === 0) pixels[at] = pixels[at + from];
  };
  const [across, down] = [Math.min(mapWidth, scale.cellPixels) >> 1, scale.lines.length - scale.rowPixels];
  for (let x = 0; x < mapWidth; x++) {
    for (let y = down - 1; y >= 0; y--) fill(x, y, width);
    for (let y = mapHeight - down; y < mapHeight; y++) fill(x, y, -width);
  }
  for (let y = 0; y < mapHeight; y++) {
    for (let x = across; x >= 0; x--) fill(x, y, 1);
    for (let x = mapWidth - 1 - across; x < mapWidth; x++) fill(x, y, -1);
  }
}

/** Draws a frame: a band between two lines, dark in the corners, and alternately light and dark along the sides. */
function drawFrame(
  pixels: Uint8Array,
  { scale, left, top, width, unit }: Frame,
  extent: Extent,
  { letters, palette }: ThemedColors,
): void {
  const [mapWidth, mapHeight] = pictureSize(scale, extent);
  const canvas = new Canvas(width, pixels.length / width, pixels, palette);
  const [from, to] = [2 * unit, 5 * unit];
  const isDarkAlong = (place: number, length: number) => {
    const bands = 2 * Math.max(1, Math.round(length / (2 * BAND_UNITS * unit))) + 1;
    return place < 0 || place >= length || Math.floor((place * bands) / length) % 2 === 1;
  };
  for (let y = -to - 1; y <= mapHeight + to; y++) {
    for (let x = -to - 1; x <= mapWidth + to; x++) {
      const [beside, above] = [Math.max(-x - 1, x - mapWidth), Math.max(-y - 1, y - mapHeight)];
      const out = Math.max(beside, above);
      if (out < from) continue;
      const isLine = out < from + unit || out > to - unit;
      const isBand = above === out ? isDarkAlong(x, mapWidth) : isDarkAlong(y, mapHeight);
      if (isLine || isBand) canvas.cover(left + x, top + y, letters, isLine ? 8 : 5);
    }
  }
}
