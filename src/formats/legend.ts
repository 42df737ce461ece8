import type { Strip } from "./pictureFrame.js";
import { forEachPixel, GLYPH_HEIGHT, GLYPH_WIDTH } from "./pixelFont.js";

/** In units. A unit is one pixel of the font. */
export const LINE_UNITS = GLYPH_HEIGHT + 5;
export const MARGIN_UNITS = 5;
const NAME_CHARACTERS = 16;
const NUMBER_CHARACTERS = 13;
const MIN_RAMP_UNITS = 24;

interface LegendLine {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly firstLevel: number;
  readonly levels: number;
}

export function stripFor(names: readonly string[]): Strip {
  const characters = nameCharacters(names) + 1 + NUMBER_CHARACTERS;
  const leastWidth = 4 * MARGIN_UNITS + characters * GLYPH_WIDTH + MIN_RAMP_UNITS;
  return { lines: names.length * LINE_UNITS + MARGIN_UNITS, leastWidth };
}

function nameCharacters(names: readonly string[]): number {
  return mostOf(names.map((name) => shownCharacters(name).length));
}

/** A character has at most two UTF-16 units. */
export function shownCharacters(name: string): string[] {
  return [...name.slice(0, 2 * NAME_CHARACTERS)].slice(0, NAME_CHARACTERS);
}

/** `Math.max(...numbers)` would fail for very many numbers. */
function mostOf(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number));
}

export interface LegendPlace {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly top: number;
  readonly unit: number;
  readonly ink: number;
}

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
