import { inkFor, isDark, type Rgb } from "../pictures/colors.js";
import type { MarkColors } from "../pictures/marks.js";
import type { CheckedMap } from "./terrainMap.js";

const MAX_COLORS = 256;
/** From a terrain's colour to its darkest colour, and to its lightest. */
const MAX_STEPS = 6;
/** Shares of BLACK in the darkest shade, and of WHITE in the lightest. */
const DARKEST = 0.6;
const LIGHTEST = 0.55;
const BLACK: Rgb = [10, 10, 14];
const WHITE: Rgb = [250, 250, 250];

/** All other fields refer to `colors` by index. */
export interface TerrainColors {
  readonly colors: readonly (readonly number[])[];
  /** For each terrain. Step s, negative for darker, is entry `darker` + s. */
  readonly shades: readonly Uint8Array[];
  readonly darker: number;
  readonly lighter: number;
  readonly marks: readonly MarkColors[];
  readonly ink: number;
}

/** Chooses at most 256 colours: all needed ones, and as many steps of shading as then fit. */
export function terrainColors(
  background: readonly number[],
  { terrains, marks: kinds, darken, lighten }: CheckedMap,
): TerrainColors {
  const palette = new Palette(background);
  const ink = palette.add(inkFor(background));
  for (const { color } of terrains) palette.add(color);
  const marks = kinds.map(({ color }) => ({
    color: palette.add(color),
    outline: palette.add(isDark(color) ? WHITE : BLACK),
  }));
  const ways = (darken ? 1 : 0) + (lighten ? 1 : 0);
  const room = Math.floor(palette.free / Math.max(1, terrains.length * ways));
  const steps = Math.min(MAX_STEPS, room);
  const [darker, lighter] = [darken ? steps : 0, lighten ? steps : 0];
  const shades = terrains.map(({ color }) =>
    Uint8Array.from({ length: darker + 1 + lighter }, (_, i) => palette.add(shade(color, i - darker, steps))),
  );
  return { colors: palette.colors, shades, darker, lighter, marks, ink };
}

function shade(color: Rgb, step: number, steps: number): Rgb {
  if (step === 0) return color;
  const share = (Math.abs(step) / steps) * (step < 0 ? DARKEST : LIGHTEST);
  const target = step < 0 ? BLACK : WHITE;
  const part = (i: 0 | 1 | 2) => Math.round(color[i] + (target[i] - color[i]) * share);
  return [part(0), part(1), part(2)];
}

class Palette {
  readonly colors: (readonly number[])[] = [];
  readonly #isClear: boolean;

  constructor(background: readonly number[]) {
    this.#isClear = background.length === 4;
    this.colors.push([...background]);
  }

  get free(): number {
    return MAX_COLORS - this.colors.length;
  }

  /** If the palette is full, returns the nearest colour. */
  add(color: Rgb): number {
    // a transparent background is no candidate for the nearest colour
    const first = this.#isClear ? 1 : 0;
    const distances = this.colors.slice(first).map((other) => distance(color, other));
    const nearest = distances.indexOf(Math.min(...distances));
    if (distances[nearest] === 0 || this.free === 0) return first + nearest;
    this.colors.push(this.#isClear ? [...color, 255] : [...color]);
    return this.colors.length - 1;
  }
}

function distance(color: Rgb, other: readonly number[]): number {
  return color.reduce((sum, part, i) => sum + (part - other[i]) ** 2, 0);
}
