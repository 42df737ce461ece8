import { error, fail, reading } from "../errors/index.js";
import { copyList } from "../spec/index.js";
import type { Rgb } from "./colormap.js";

export const BACKGROUND: Rgb = [13, 14, 20];
/** For dark and for light backgrounds. */
const INKS: readonly [Rgb, Rgb] = [
  [230, 230, 235],
  [20, 20, 25],
];
/** Readable on dark and on light pages. */
const NEUTRAL_INK: Rgb = [128, 128, 128];

export function inkFor([red, green, blue, alpha = 255]: readonly number[]): Rgb {
  if (alpha === 0) return NEUTRAL_INK;
  return INKS[isDark([red, green, blue]) ? 0 : 1];
}

/** The weights are those of ITU-R BT.601. */
export function isDark([red, green, blue]: Rgb): boolean {
  return 299 * red + 587 * green + 114 * blue < 128_000;
}

export function readBackground(background: unknown): number[] {
  if (background === "transparent") return [0, 0, 0, 0];
  const color = readRgb('the option "background"', background);
  if (color !== undefined) return [...color];
  const expected = '[red, green, blue], each from 0 to 255, or "transparent"';
  return fail(error("argument.range", { problem: 'invalid option "background"', got: background, expected }));
}

export function readRgb(name: string, value: unknown): Rgb | undefined {
  const isByte = (part: unknown) => typeof part === "number" && Number.isInteger(part) && part >= 0 && part <= 255;
  const parts: unknown[] = reading(name, () => (Array.isArray(value) ? (copyList(value, 3) ?? []) : []));
  // the cast is safe: every part is a byte
  return parts.length === 3 && parts.every(isByte) ? (parts as unknown as Rgb) : undefined;
}
