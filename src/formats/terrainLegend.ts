import { type LegendPlace, LINE_UNITS, MARGIN_UNITS, shownCharacters, write } from "./legend.js";
import { drawMark, type MarkShape, markPixels } from "./marks.js";
import type { FrameOptions, Strip } from "./pictureFrame.js";
import { GLYPH_HEIGHT, GLYPH_WIDTH } from "./pixelFont.js";

export interface TerrainEntry {
  readonly name: string;
  readonly count: number;
  readonly colors?: Uint8Array;
  readonly mark?: { readonly shape: MarkShape; readonly color: number; readonly outline: number };
}

export interface TerrainLegend {
  readonly groups: readonly (readonly TerrainEntry[])[];
  readonly strip: Strip;
  readonly columns: number;
  readonly entryUnits: number;
}

/** The colour sample in front of a name. */
const SAMPLE_UNITS = 18;
/** A picture is at least this wide, unless the caller sets a smaller width. */
const USUAL_UNITS = 356;

/** Each group begins a new line. */
export function arrangeLegend(
  groups: readonly (readonly TerrainEntry[])[],
  { width = USUAL_UNITS, maxSide = USUAL_UNITS }: Pick<FrameOptions, "width" | "maxSide">,
): TerrainLegend {
  const entries = groups.flat();
  const characters = Math.max(0, ...entries.map(({ name, count }) => nameOf(name).length + 1 + `${count}`.length));
  const entryUnits = SAMPLE_UNITS + 2 * MARGIN_UNITS + characters * GLYPH_WIDTH;
  const room = Math.min(USUAL_UNITS, width, maxSide) - MARGIN_UNITS;
  const columns = Math.max(1, Math.min(entries.length, Math.floor(room / entryUnits)));
  const lines = groups.reduce((sum, group) => sum + Math.ceil(group.length / columns), 0);
  const strip = { lines: lines * LINE_UNITS + MARGIN_UNITS, leastWidth: MARGIN_UNITS + columns * entryUnits };
  return { groups, strip, columns, entryUnits };
}

export function drawTerrainLegend(place: LegendPlace, { groups, columns, entryUnits }: TerrainLegend): void {
  const { top, unit } = place;
  let line = 0;
  for (const group of groups) {
    for (const [i, entry] of group.entries()) {
      const x = (MARGIN_UNITS + (i % columns) * entryUnits) * unit;
      const y = top + (MARGIN_UNITS + (line + Math.floor(i / columns)) * LINE_UNITS) * unit;
      drawSample(place, { x, y }, entry);
      write(place, { x: x + (SAMPLE_UNITS + MARGIN_UNITS) * unit, y }, `${nameOf(entry.name)} ${entry.count}`);
    }
    line += Math.ceil(group.length / columns);
  }
}

function nameOf(name: string): string {
  return shownCharacters(name).join("");
}

function drawSample(
  { pixels, width, unit }: LegendPlace,
  { x, y }: { readonly x: number; readonly y: number },
  { colors, mark }: TerrainEntry,
): void {
  const [sampleWidth, sampleHeight] = [SAMPLE_UNITS * unit, GLYPH_HEIGHT * unit];
  if (mark !== undefined) {
    const { shape, ...indices } = mark;
    // makes the diameter odd, because a mark has a middle pixel
    const shown = markPixels(shape, sampleHeight | 1, true);
    const middle = { x: x + (sampleWidth >> 1), y: y + (sampleHeight >> 1), ...indices };
    drawMark({ pixels, width, bottom: Math.floor(pixels.length / width) }, shown, middle);
    return;
  }
  if (colors === undefined) return;
  for (let column = 0; column < sampleWidth; column++) {
    const color = colors[Math.floor((column * colors.length) / sampleWidth)];
    for (let row = 0; row < sampleHeight; row++) pixels[(y + row) * width + x + column] = color;
  }
}
