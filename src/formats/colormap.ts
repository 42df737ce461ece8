import { rgb } from "d3-color";
import {
  interpolateBlues,
  interpolateCividis,
  interpolateGreens,
  interpolateGreys,
  interpolateInferno,
  interpolateMagma,
  interpolatePlasma,
  interpolateViridis,
} from "d3-scale-chromatic";
import { error, fail } from "../errors/index.js";

/** A colour: red, green and blue, each 0 … 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

interface ColorMap {
  /** Returns the CSS colour at a position from 0 to 1. */
  readonly at: (t: number) => string;
  /**
   * Position of the fewest visits. The positions from `from` to `to` exclude colours that are close to the background.
   */
  readonly from: number;
  /** Position of the most visits. */
  readonly to: number;
}

/**
 * The name of a perceptual colour map for dark backgrounds. The maps of a single hue (blues, greens, greys) suit the
 * upper layers of a picture.
 */
export type ColorMapName = "inferno" | "magma" | "plasma" | "viridis" | "cividis" | "blues" | "greens" | "greys";

// the explicit type keeps the types of d3, which users do not have, out of the generated declarations
const COLOR_MAPS: Readonly<Record<ColorMapName, ColorMap>> = {
  inferno: { at: interpolateInferno, from: 0.25, to: 1 },
  magma: { at: interpolateMagma, from: 0.25, to: 1 },
  plasma: { at: interpolatePlasma, from: 0, to: 1 },
  viridis: { at: interpolateViridis, from: 0.1, to: 1 },
  cividis: { at: interpolateCividis, from: 0.15, to: 1 },
  blues: { at: interpolateBlues, from: 0.85, to: 0.15 },
  greens: { at: interpolateGreens, from: 0.85, to: 0.15 },
  greys: { at: interpolateGreys, from: 0.75, to: 0 },
};

/** Names of all colour maps. */
export const COLOR_MAP_NAMES = Object.keys(COLOR_MAPS) as readonly ColorMapName[];

/**
 * Returns `count` colours of a colour map, from the fewest visits to the most.
 *
 * @param count - 1 or more. If 1, returns only the colour for the most visits.
 * @throws RollmillError `argument.range` for an unknown name.
 */
export function palette(name: ColorMapName, count: number): Rgb[] {
  if (!Object.hasOwn(COLOR_MAPS, name)) {
    const expected = `one of ${COLOR_MAP_NAMES.join(", ")}`;
    fail(error("argument.range", { problem: "unknown colour map", got: name, expected }));
  }
  const { at, from, to } = COLOR_MAPS[name];
  return Array.from({ length: count }, (_, i) => {
    const t = count === 1 ? 1 : i / (count - 1);
    const color = rgb(at(from + t * (to - from)));
    return [Math.round(color.r), Math.round(color.g), Math.round(color.b)] as const;
  });
}
