import type { Watch } from "../../../calls/watch.js";
import { Palette } from "../../pictures/canvas.js";
import { inkFor, isDark, type Rgb } from "../../pictures/colors.js";
import { blend, colorIn, type Form, formOf, type Theme } from "../../pictures/themes.js";
import type { Extent, HexScale, Skew } from "../pictureFrame.js";
import { pixelOf } from "../pictureFrame.js";
import type { CheckedMap } from "../terrainMap.js";

/** The colours of a terrain, from dark to light, or from deep to shallow: `levels` colours of the palette. */
interface Ramp {
  readonly first: number;
  readonly levels: number;
}

const MAX_LEVELS = 17;
/** Colours that are left for lines, letters and marks. */
const OTHER_COLORS = 12;
const MARK_COLORS = 16;
const SHALLOW_PERCENT = 30;
/** Places in a ramp whose mixtures with the colour of borders are in the palette. */
const WASHED = [0.25, 0.5, 0.8];
/** How much of a wash along a border has its colour. */
export const WASH_PERCENT = 25;

export type ThemedColors = ReturnType<typeof themedColors>;

/** Chooses the palette. It depends only on the theme and the kinds, so tiles of a picture have the same colours. */
export function themedColors(theme: Theme, background: readonly number[], map: CheckedMap) {
  const { terrains, marks: kinds } = map;
  const palette = new Palette(background);
  const [ink, paper, border] = [theme.ink, theme.paper, theme.border].map((color) => palette.add(color));
  const forms = terrains.map(formOf);
  const room = palette.room - OTHER_COLORS - Math.min(kinds.length, MARK_COLORS);
  const washes = map.realms === undefined ? [] : WASHED;
  const levels = Math.max(1, Math.min(MAX_LEVELS, Math.floor(room / Math.max(1, terrains.length)) - washes.length));
  const ramps = terrains.map(({ color }, i): Ramp => {
    const level = colorIn(theme, color, forms[i]);
    const colors = forms[i] === "water" ? depthsOf(theme, level, levels) : slopesOf(theme, level, levels);
    const [first] = colors.map((one) => palette.add(one));
    return { first, levels };
  });
  // borders of realms mix their colour with all of these
  for (const { first } of ramps.filter((_, i) => forms[i] !== "water")) {
    for (const share of washes) {
      const [red, green, blue] = palette.colors[first + Math.floor(share * (levels - 1))];
      palette.find(blend([red, green, blue], theme.border, WASH_PERCENT));
    }
  }
  const formAt: (Form | undefined)[] = new Array(256).fill(undefined);
  for (const [i, { first }] of ramps.entries()) formAt.fill(forms[i], first, first + levels);
  const marks = kinds.map(({ color }) => ({
    color: palette.find(color),
    outline: isDark(color) ? paper : ink,
  }));
  const [river, road] = [theme.forms.river, theme.forms.road].map((color) => palette.find(color));
  const letters = palette.find(inkFor(background));
  return { palette, ramps, forms, formAt, marks, ink, paper, border, river, road, letters };
}

function slopesOf({ shadow, shadowPercent, light, lightPercent }: Theme, color: Rgb, levels: number): Rgb[] {
  const middle = levels >> 1;
  return Array.from({ length: levels }, (_, i) => {
    if (i < middle) return blend(color, shadow, (shadowPercent * (middle - i)) / middle);
    return i === middle ? color : blend(color, light, (lightPercent * (i - middle)) / (levels - 1 - middle));
  });
}

function depthsOf(theme: Theme, color: Rgb, levels: number): Rgb[] {
  const { deep, deepPercent } = theme;
  return slopesOf({ ...theme, shadow: deep, shadowPercent: deepPercent, lightPercent: SHALLOW_PERCENT }, color, levels);
}

/** Cells, or pixels that each show several cells, in rows. */
export interface Grid extends Pick<CheckedMap, "terrain" | "heights" | "depths" | "realms"> {
  readonly rows: number;
  readonly cols: number;
  /** The neighbours of a cell in row r: how much greater their indices are. E, W, north-east, north-west, SE, SW. */
  readonly around: (r: number) => readonly number[];
  /** How much a slope to the east, and to the south, counts: as many as 24 for the slope from cell to cell. */
  readonly weights: readonly [east: number, south: number];
  readonly scale: HexScale;
  /** Returns the pixel of the top left corner of the first cell in row r. */
  readonly cornerOf: (r: number) => readonly [x: number, y: number];
  /** How much lighter or darker the visits make a cell, in levels. */
  readonly steps: ((i: number) => number) | undefined;
}

export function gridOf(
  map: CheckedMap,
  scale: HexScale,
  extent: Extent,
  skew: Skew,
): Pick<Grid, "rows" | "cols" | "around" | "weights" | "scale" | "cornerOf"> {
  const { row0, col0, rows, cols } = map;
  const even = [1, -1, -cols, -cols - 1, cols, cols - 1];
  const odd = [1, -1, 1 - cols, -cols, cols + 1, cols];
  const axial = [1, -1, 1 - cols, -cols, cols, cols - 1];
  return {
    rows,
    cols,
    scale,
    // the plane through six neighbours (least squares) weighs these sums as 1 : √3
    weights: [4, 7],
    around: (r) => (map.isOddR ? [even, odd][(row0 + r) & 1] : axial),
    cornerOf: (r) => pixelOf(scale, 2 * col0 + skew(row0 + r) - extent.slant0, row0 + r - extent.row0),
  };
}

/** A slope of this many units for each cell gets half of the greatest light or shadow. */
const HALF_SLOPE = 420;
/** Cells have edges from this height on: a width of 6 pixels. */
const EDGE_FROM_LINES = 7;

interface Lighting {
  readonly relief: number;
  readonly cellsPerPixel: number;
  readonly watch: Watch;
}

/** Draws each cell in the colour of its terrain, with light from the north-west. */
export function paintGround(
  ground: Uint8Array,
  width: number,
  grid: Grid,
  { ramps, forms }: ThemedColors,
  { relief, cellsPerPixel, watch }: Lighting,
): void {
  const { rows, cols, terrain, depths, scale, steps } = grid;
  const height = ground.length / width;
  const half = Math.round((24 * HALF_SLOPE * cellsPerPixel * 100) / relief);
  for (let r = 0; r < rows; r++) {
    const [left, top] = grid.cornerOf(r);
    const lines = scale.lines.slice(0, Math.max(0, height - top));
    const light = lightOf(grid, ramps.length, r, half);
    for (let c = 0, i = r * cols; c < cols; c++, i++) {
      if (terrain[i] >= ramps.length) continue;
      const ramp = ramps[terrain[i]];
      const middle = ramp.levels >> 1;
      let level = middle;
      if (forms[terrain[i]] !== "water") level += Math.round((light(i, c) * middle) / 256);
      else if (depths !== undefined) level = Math.floor(((65_535 - depths[i]) * ramp.levels) / 65_536);
      if (steps !== undefined) level += steps(i);
      const shown = level < 0 ? 0 : level >= ramp.levels ? ramp.levels - 1 : level;
      paintCell(ground, top * width + left + c * scale.cellPixels, { width, lines }, ramp, shown);
    }
    watch.passed((r + 1) * cols);
  }
}

/** Fills a cell. Large cells get a darker edge on their right, so that each pair of cells has one edge. */
function paintCell(
  ground: Uint8Array,
  corner: number,
  { width, lines }: { readonly width: number; readonly lines: HexScale["lines"] },
  { first, levels }: Ramp,
  level: number,
): void {
  const isLarge = lines.length >= EDGE_FROM_LINES;
  const rim = first + Math.max(0, level - Math.ceil(levels / 9));
  for (let line = 0; line < lines.length; line++) {
    const end = corner + line * width + lines[line][1];
    for (let at = corner + line * width + lines[line][0]; at < end; at++) ground[at] = first + level;
    if (isLarge) ground[end - 1] = rim;
  }
}

/**
 * Returns a function that computes the light on cell i, which is in column c: −256 … 256, from the heights of its six
 * neighbours. A cell without six neighbours is level.
 */
function lightOf({ rows, cols, terrain, heights, around, weights }: Grid, known: number, r: number, half: number) {
  if (heights === undefined || r === 0 || r === rows - 1) return () => 0;
  const near = around(r);
  const [e, w, ne, nw, se, sw] = near;
  const [toEast, toSouth] = weights;
  const isWhole = terrain.subarray((r - 1) * cols, (r + 2) * cols).every((kind) => kind < known);
  return (i: number, c: number): number => {
    if (c === 0 || c === cols - 1 || (!isWhole && near.some((step) => terrain[i + step] >= known))) return 0;
    const [north, south] = [heights[i + ne] + heights[i + nw], heights[i + se] + heights[i + sw]];
    const across = heights[i + ne] - heights[i + nw] + heights[i + se] - heights[i + sw];
    const slope = toEast * (2 * (heights[i + e] - heights[i + w]) + across) + toSouth * (south - north);
    return (256 * slope) / (Math.abs(slope) + half);
  };
}
