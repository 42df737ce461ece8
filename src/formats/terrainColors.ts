import type { Rgb } from "./colormap.js";
import { isDark } from "./pictureColors.js";

const MOST_COLORS = 256;
/** Maximum number of steps from a terrain's colour to its darkest colour, and also to its lightest colour. */
const MOST_STEPS = 6;
/**
 * Shades mix the terrain's colour with BLACK or WHITE. The darkest shade contains the share DARKEST of black. The
 * lightest shade contains the share LIGHTEST of white.
 */
const DARKEST = 0.6;
const LIGHTEST = 0.55;
const BLACK: Rgb = [10, 10, 14];
const WHITE: Rgb = [250, 250, 250];

/**
 * The colours of a terrain picture. `colors` is the palette. All other fields refer to colours by their indices in the
 * palette.
 */
export interface TerrainColors {
  readonly colors: readonly (readonly number[])[];
  /**
   * For each terrain, the colours from the darkest to the lightest. The colour of step s (negative for darker) is entry
   * `darker` + s.
   */
  readonly shades: readonly Uint8Array[];
  /**
   * `darker`: number of darker steps, 0 if no layer darkens. `lighter`: number of lighter steps, 0 if no layer
   * lightens.
   */
  readonly darker: number;
  readonly lighter: number;
  /** For each kind of mark, the colour and the colour of the outline. */
  readonly marks: readonly { readonly color: number; readonly outline: number }[];
  readonly ink: number;
}

/** The colours that a picture needs. */
interface Wanted {
  /** Three parts, or four for a transparent background. */
  readonly background: readonly number[];
  readonly ink: Rgb;
  readonly terrains: readonly Rgb[];
  readonly marks: readonly Rgb[];
  readonly darkens: boolean;
  readonly lightens: boolean;
}

/** Chooses at most 256 colours: all needed colours, and as many steps of shading as then fit. */
export function terrainColors({ background, ink, terrains, marks, darkens, lightens }: Wanted): TerrainColors {
  const palette = new Palette(background);
  const inkAt = palette.add(ink);
  for (const color of terrains) palette.add(color);
  const marked = marks.map((color) => ({
    color: palette.add(color),
    outline: palette.add(isDark(color) ? WHITE : BLACK),
  }));
  const ways = (darkens ? 1 : 0) + (lightens ? 1 : 0);
  const room = Math.floor(palette.free / Math.max(1, terrains.length * ways));
  const steps = Math.min(MOST_STEPS, room);
  const [darker, lighter] = [darkens ? steps : 0, lightens ? steps : 0];
  const shades = terrains.map((color) =>
    Uint8Array.from({ length: darker + 1 + lighter }, (_, i) => palette.add(shade(color, i - darker, steps))),
  );
  return { colors: palette.colors, shades, darker, lighter, marks: marked, ink: inkAt };
}

/** Returns a colour `step` steps lighter, or darker if `step` is negative. */
function shade(color: Rgb, step: number, steps: number): Rgb {
  if (step === 0) return color;
  const share = (Math.abs(step) / steps) * (step < 0 ? DARKEST : LIGHTEST);
  const target = step < 0 ? BLACK : WHITE;
  const part = (i: 0 | 1 | 2) => Math.round(color[i] + (target[i] - color[i]) * share);
  return [part(0), part(1), part(2)];
}

/** Collects at most 256 different colours. */
class Palette {
  readonly colors: (readonly number[])[] = [];
  readonly #isClear: boolean;

  constructor(background: readonly number[]) {
    this.#isClear = background.length === 4;
    this.colors.push([...background]);
  }

  get free(): number {
    return MOST_COLORS - this.colors.length;
  }

  /**
   * Returns the index of a colour, and adds the colour if it is new. If the palette is full, returns the index of the
   * nearest colour.
   */
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
