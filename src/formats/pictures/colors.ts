import { error, fail } from "../../errors/index.js";
import { checkInteger, checkText, refuseArgument } from "../../spec/index.js";
import { checkChoice } from "../checks.js";
import { KNOTS, RAMPS } from "./colorTables.js";

/** A colour: red, green and blue, each 0 … 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

const MAX_COLORS = 2 ** 16;

/** A perceptual colour map for dark backgrounds. Blues, greens and greys suit the upper layers of a picture. */
export type ColorMapName = "inferno" | "magma" | "plasma" | "viridis" | "cividis" | "blues" | "greens" | "greys";

type ColorMap = Readonly<{ at: (t: number) => Rgb; from: number; to: number }>;

/** `from` and `to` are the positions of the lowest and the highest count. The colours beyond resemble a background. */
const COLOR_MAPS: Readonly<Record<ColorMapName, ColorMap>> = {
  inferno: { at: stepped(RAMPS.inferno), from: 0.25, to: 1 },
  magma: { at: stepped(RAMPS.magma), from: 0.25, to: 1 },
  plasma: { at: stepped(RAMPS.plasma), from: 0, to: 1 },
  viridis: { at: stepped(RAMPS.viridis), from: 0.1, to: 1 },
  cividis: { at: cividis, from: 0.15, to: 1 },
  blues: { at: smooth(KNOTS.blues), from: 0.85, to: 0.15 },
  greens: { at: smooth(KNOTS.greens), from: 0.85, to: 0.15 },
  greys: { at: smooth(KNOTS.greys), from: 0.75, to: 0 },
};

/** Names of all colour maps. */
export const COLOR_MAP_NAMES = Object.keys(COLOR_MAPS) as readonly ColorMapName[];

/**
 * Returns `count` colours of a colour map, from the lowest visit count to the highest.
 *
 * @param count - 1 … 65,536. For 1, returns only the colour of the highest visit count.
 * @throws RollmillError `argument.type`; `argument.range` for an unknown name or a count out of range.
 */
export function palette(name: ColorMapName, count: number): Rgb[] {
  checkText("name", name);
  checkChoice("colour map", name, COLOR_MAP_NAMES);
  checkInteger("count", count, 1, MAX_COLORS);
  const { at, from, to } = COLOR_MAPS[name];
  return Array.from({ length: count }, (_, i) => {
    const t = count === 1 ? 1 : i / (count - 1);
    return at(from + t * (to - from));
  });
}

function stepped(hex: string): (t: number) => Rgb {
  const colors = colorsOf(hex);
  return (t) => colors[Math.max(0, Math.min(colors.length - 1, Math.floor(t * colors.length)))];
}

/** Returns a smooth colour map: red, green and blue each follow a uniform cubic B-spline. */
function smooth(hex: string): (t: number) => Rgb {
  const knots = colorsOf(hex);
  const parts = ([0, 1, 2] as const).map((part) => knots.map((color) => color[part]));
  return (t) => rounded((part) => splineAt(parts[part], t));
}

/** Returns the value of a B-spline at t, 0 … 1. The curve passes through the first and the last knot. */
function splineAt(knots: readonly number[], t: number): number {
  const last = knots.length - 1;
  const i = Math.min(Math.floor(t * last), last - 1);
  const [v1, v2] = [knots[i], knots[i + 1]];
  const v0 = i > 0 ? knots[i - 1] : 2 * v1 - v2;
  const v3 = i < last - 1 ? knots[i + 2] : 2 * v2 - v1;
  const u = (t - i / last) * last;
  const [u2, u3] = [u * u, u * u * u];
  return (
    ((1 - 3 * u + 3 * u2 - u3) * v0 + (4 - 6 * u2 + 3 * u3) * v1 + (1 + 3 * u + 3 * u2 - 3 * u3) * v2 + u3 * v3) / 6
  );
}

/** The colour map cividis. Source: d3-scale-chromatic, cividis.js. */
function cividis(t: number): Rgb {
  const parts = [
    -4.54 - t * (35.34 - t * (2381.73 - t * (6402.7 - t * (7024.72 - t * 2710.57)))),
    32.49 + t * (170.73 + t * (52.82 - t * (131.46 - t * (176.58 - t * 67.37)))),
    81.24 + t * (442.36 - t * (2482.43 - t * (6167.24 - t * (6614.94 - t * 2475.67)))),
  ];
  return rounded((part) => parts[part]);
}

function rounded(partAt: (part: number) => number): Rgb {
  const byteAt = (part: number) => Math.max(0, Math.min(255, Math.round(partAt(part))));
  return [byteAt(0), byteAt(1), byteAt(2)];
}

function colorsOf(hex: string): Rgb[] {
  const byteAt = (digit: number) => Number.parseInt(hex.slice(digit, digit + 2), 16);
  return Array.from({ length: hex.length / 6 }, (_, i) => [byteAt(6 * i), byteAt(6 * i + 2), byteAt(6 * i + 4)]);
}

export const BACKGROUND: Rgb = [13, 14, 20];
const LIGHT_INK: Rgb = [230, 230, 235];
const DARK_INK: Rgb = [20, 20, 25];
/** The ink on transparent backgrounds: readable on dark and on light pages. */
const NEUTRAL_INK: Rgb = [128, 128, 128];

export function inkFor([red, green, blue, alpha = 255]: readonly number[]): Rgb {
  if (alpha === 0) return NEUTRAL_INK;
  return isDark([red, green, blue]) ? LIGHT_INK : DARK_INK;
}

/** Source of the weights: ITU-R BT.601. */
export function isDark([red, green, blue]: Rgb): boolean {
  return 299 * red + 587 * green + 114 * blue < 128_000;
}

/** Returns red, green and blue, plus alpha if the background is transparent. */
export function readBackground(background: unknown): number[] {
  if (background === "transparent") return [0, 0, 0, 0];
  if (isRgb(background)) return [...background];
  const expected = '[red, green, blue], each from 0 to 255, or "transparent"';
  return fail(error("argument.range", { problem: 'invalid option "background"', got: background, expected }));
}

export function readColor(name: string, value: unknown): Rgb {
  return isRgb(value) ? value : refuseArgument(name, value, "[red, green, blue], each 0 … 255");
}

function isRgb(value: unknown): value is Rgb {
  const isByte = (part: unknown) => Number.isInteger(part) && Number(part) >= 0 && Number(part) <= 255;
  return Array.isArray(value) && value.length === 3 && Array.from(value).every(isByte);
}

/** Maps 1 … `most` visits to levels 0 … `levels` − 1 on a log scale. If `most` is 1, 1 visit has the highest level. */
export function logScale(most: number, levels: number): (visits: number) => number {
  const top = log2(most);
  const levelOf = (visits: number) => (top === 0 ? levels - 1 : Math.floor((log2(visits) / top) * (levels - 1) + 0.5));
  const small = Uint8Array.from({ length: Math.min(most, 4095) + 1 }, (_, count) => (count === 0 ? 0 : levelOf(count)));
  return (visits) => (visits < small.length ? small[visits] : levelOf(visits));
}

// Returns the binary logarithm to 16 bits after the point. Every engine gives the same result, unlike Math.log2. The
// mantissa is in [1, 2). Squaring it doubles its logarithm, so the next bit is 1 exactly if the square is 2 or more.
function log2(value: number): number {
  let log = 31 - Math.clz32(value);
  let mantissa = value / 2 ** log;
  for (let bit = 0.5; bit > 2 ** -17; bit /= 2) {
    mantissa *= mantissa;
    if (mantissa < 2) continue;
    mantissa /= 2;
    log += bit;
  }
  return log;
}
