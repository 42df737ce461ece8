import { forEachPixel, GLYPH_HEIGHT, GLYPH_WIDTH } from "../pictures/letters.js";
import { drawMark, type MarkColors, type MarkShape, markPixels } from "../pictures/marks.js";
import type { Frame, FrameOptions, Strip } from "./pictureFrame.js";

/** Height of a line of text in units. A unit is one pixel of the font. */
const LINE_UNITS = GLYPH_HEIGHT + 5;
const MARGIN_UNITS = 5;
const NAME_CHARACTERS = 16;
const NUMBER_CHARACTERS = 13;
const MIN_RAMP_UNITS = 24;
/** Width of the colour sample before the name of a terrain. */
const SAMPLE_UNITS = 18;
/** Maximum width of a terrain legend, unless a single column is wider. `width` and `maxSide` can lower this maximum. */
const USUAL_UNITS = 356;

interface LegendPlace {
  readonly pixels: Uint8Array;
  readonly frame: Frame;
  /** The palette index of the letters' colour. */
  readonly ink: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Returns the first 16 characters. Cuts a long name to 32 UTF-16 units first: a character has at most two units. */
function shownName(name: string): string {
  return [...name.slice(0, 2 * NAME_CHARACTERS)].slice(0, NAME_CHARACTERS).join("");
}

/** Like `Math.max(...numbers)`, but also for lists that are too long for the arguments of a call. */
function mostOf(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}

function write({ pixels, frame: { width, unit }, ink }: LegendPlace, { x, y }: Point, text: string): void {
  forEachPixel(text, (column, line) => {
    for (let row = 0; row < unit; row++) {
      const from = (y + line * unit + row) * width + x + column * unit;
      pixels.fill(ink, from, from + unit);
    }
  });
}

function drawColors(
  { pixels, frame: { width, unit } }: LegendPlace,
  { x, y, to }: Point & { readonly to: number },
  count: number,
  colorAt: (i: number) => number,
): void {
  for (let at = x; at < to; at++) {
    const color = colorAt(Math.floor(((at - x) * count) / (to - x)));
    for (let row = 0; row < GLYPH_HEIGHT * unit; row++) pixels[(y + row) * width + at] = color;
  }
}

function nameWidth(names: readonly string[]): number {
  return mostOf(names.map((name) => [...shownName(name)].length)) * GLYPH_WIDTH;
}

export function stripFor(names: readonly string[]): Strip {
  const leastWidth = 4 * MARGIN_UNITS + nameWidth(names) + (1 + NUMBER_CHARACTERS) * GLYPH_WIDTH + MIN_RAMP_UNITS;
  return { lines: names.length * LINE_UNITS + MARGIN_UNITS, leastWidth };
}

export function drawLegend(
  place: LegendPlace,
  entries: readonly Readonly<Record<"least" | "most" | "firstLevel" | "levels", number> & { name: string }>[],
): void {
  const { width, stripTop, unit } = place.frame;
  const left = MARGIN_UNITS * unit;
  const nameUnits = nameWidth(entries.map(({ name }) => name));
  const digits = mostOf(entries.map(({ most }) => `${most}`.length));
  const leastAt = left + nameUnits * unit + (nameUnits === 0 ? 0 : left);
  const x = leastAt + (GLYPH_WIDTH + MARGIN_UNITS) * unit;
  const to = width - (2 * MARGIN_UNITS + digits * GLYPH_WIDTH) * unit;
  for (const [i, { name, least, most, firstLevel, levels }] of entries.entries()) {
    const y = stripTop + (MARGIN_UNITS + i * LINE_UNITS) * unit;
    write(place, { x: left, y }, shownName(name));
    write(place, { x: leastAt, y }, `${least}`);
    drawColors(place, { x, y, to }, levels, (level) => firstLevel + level);
    write(place, { x: to + left, y }, `${most}`);
  }
}

/** An entry of the legend: a terrain with its colours, or a kind of mark. */
export interface TerrainEntry {
  readonly name: string;
  readonly count: number;
  readonly colors?: Uint8Array;
  readonly mark?: MarkColors & { readonly shape: MarkShape };
}

/** Arranges entries in columns. Each group begins a new line. */
export function arrangeLegend(
  groups: readonly (readonly TerrainEntry[])[],
  { width = USUAL_UNITS, maxSide = USUAL_UNITS }: Pick<FrameOptions, "width" | "maxSide">,
) {
  const entries = groups.flat();
  const characters = mostOf(entries.map(({ name, count }) => shownName(name).length + 1 + `${count}`.length));
  const entryUnits = SAMPLE_UNITS + 2 * MARGIN_UNITS + characters * GLYPH_WIDTH;
  const room = Math.min(USUAL_UNITS, width, maxSide) - MARGIN_UNITS;
  const columns = Math.max(1, Math.min(entries.length, Math.floor(room / entryUnits)));
  const lines = groups.reduce((sum, group) => sum + Math.ceil(group.length / columns), 0);
  const strip = { lines: lines * LINE_UNITS + MARGIN_UNITS, leastWidth: MARGIN_UNITS + columns * entryUnits };
  return { groups, strip, columns, entryUnits };
}

export function drawTerrainLegend(
  place: LegendPlace,
  { groups, columns, entryUnits }: ReturnType<typeof arrangeLegend>,
): void {
  const { stripTop, unit } = place.frame;
  let line = 0;
  for (const group of groups) {
    for (const [i, entry] of group.entries()) {
      const x = (MARGIN_UNITS + (i % columns) * entryUnits) * unit;
      const y = stripTop + (MARGIN_UNITS + (line + Math.floor(i / columns)) * LINE_UNITS) * unit;
      drawSample(place, { x, y }, entry);
      const text = `${shownName(entry.name)} ${entry.count}`;
      write(place, { x: x + (SAMPLE_UNITS + MARGIN_UNITS) * unit, y }, text);
    }
    line += Math.ceil(group.length / columns);
  }
}

function drawSample(place: LegendPlace, { x, y }: Point, { colors, mark }: TerrainEntry): void {
  const { pixels, frame } = place;
  const [width, height] = [SAMPLE_UNITS * frame.unit, GLYPH_HEIGHT * frame.unit];
  if (colors !== undefined) drawColors(place, { x, y, to: x + width }, colors.length, (i) => colors[i]);
  if (mark === undefined) return;
  const { shape, ...indices } = mark;
  // `| 1` makes the diameter odd, because a mark needs a middle pixel
  const shown = markPixels(shape, height | 1, true);
  const middle = { x: x + (width >> 1), y: y + (height >> 1), ...indices };
  drawMark({ pixels, width: frame.width, bottom: frame.height }, shown, middle);
}
