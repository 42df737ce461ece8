import type { Strip } from "./pictureFrame.js";
import { forEachPixel, GLYPH_HEIGHT, GLYPH_WIDTH } from "./pixelFont.js";

/** Height of a legend line, in units. A unit is one pixel of the font. */
export const LINE_UNITS = GLYPH_HEIGHT + 5;
/** Margin around the legend, in units. */
export const MARGIN_UNITS = 5;
/** The legend shows at most this many characters of a name. */
const NAME_CHARACTERS = 16;
/** The legend has room for this many characters of a number. */
const NUMBER_CHARACTERS = 13;
/** Minimum width of a layer's colours, in units. */
const LEAST_RAMP_UNITS = 24;

interface LegendLine {
  /** The name of the layer. "" if it has no name. */
  readonly name: string;
  /** The numbers that the first and the last colour stand for. */
  readonly least: number;
  readonly most: number;
  /** The first level of the layer, and the number of its levels. */
  readonly firstLevel: number;
  readonly levels: number;
}

/** Returns the size of the strip for a legend with these names. */
export function stripFor(names: readonly string[]): Strip {
  const characters = nameCharacters(names) + 1 + NUMBER_CHARACTERS;
  const leastWidth = 4 * MARGIN_UNITS + characters * GLYPH_WIDTH + LEAST_RAMP_UNITS;
  return { lines: names.length * LINE_UNITS + MARGIN_UNITS, leastWidth };
}

function nameCharacters(names: readonly string[]): number {
  return mostOf(names.map((name) => shownCharacters(name).length));
}

/** Returns the characters of a name that a legend shows. A character has at most two UTF-16 units. */
export function shownCharacters(name: string): string[] {
  return [...name.slice(0, 2 * NAME_CHARACTERS)].slice(0, NAME_CHARACTERS);
}

/** Returns the highest of one or more numbers. `Math.max(...numbers)` would fail for very many numbers. */
function mostOf(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number));
}

/** The picture to draw in, the place of the legend in it, and the level of the letters. */
export interface LegendPlace {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly top: number;
  readonly unit: number;
  readonly ink: number;
}

/** Draws a legend. Each line shows a layer's name, its lowest number, its colours and its highest number. */
export function drawLegend(place: LegendPlace, lines: readonly LegendLine[]): void {
  const { width, top, unit } = place;
  const nameUnits = nameCharacters(lines.map(({ name }) => name)) * GLYPH_WIDTH;
  const digits = mostOf(lines.map(({ most }) => `${most}`.length));
  for (const [i, { name, least, most, firstLevel, levels }] of lines.entries()) {
    const y = top + (MARGIN_UNITS + i * LINE_UNITS) * unit;
    const left = MARGIN_UNITS * unit;
    write(place, { x: left, y }, shownCharacters(name).join(""));
    const leastAt = left + nameUnits * unit + (nameUnits === 0 ? 0 : left);
    write(place, { x: leastAt, y }, `${least}`);
    const from = leastAt + (GLYPH_WIDTH + MARGIN_UNITS) * unit;
    const to = width - (2 * MARGIN_UNITS + digits * GLYPH_WIDTH) * unit;
    for (let x = from; x < to; x++) {
      const shade = firstLevel + Math.floor(((x - from) * levels) / (to - from));
      for (let row = 0; row < GLYPH_HEIGHT * unit; row++) place.pixels[(y + row) * width + x] = shade;
    }
    write(place, { x: to + left, y }, `${most}`);
  }
}

/** Draws a text whose top left corner is (x, y). */
export function write(
  { pixels, width, unit, ink }: LegendPlace,
  { x, y }: { readonly x: number; readonly y: number },
  text: string,
): void {
  forEachPixel(text, (column, line) => {
    for (let row = 0; row < unit; row++) {
      const from = (y + line * unit + row) * width + x + column * unit;
      pixels.fill(ink, from, from + unit);
    }
  });
}
