import { type Field, type Shape, type SpecReader, shape } from "../../spec/index.js";

type Color = readonly [number, number, number];

const BLACK: Color = [0, 0, 0];
/** Muted colours that are easy to distinguish. */
const TERRAIN_COLORS = ["#2b5f8a", "#7aa65a", "#3d6b3a", "#b59f6b", "#8c8377", "#e3dcc0", "#5b8fb0", "#a86b4c"];
/** Bright colours that are easy to see on terrain. */
const MARK_COLORS = ["#d7263d", "#f4d35e", "#ffffff", "#1b1b1e", "#f46036", "#c5d86d", "#e55bd0", "#5bc8e5"];

/** A colour such as "#2b5f8a". */
export const COLOR: Shape<string, Color> = shape(readColor, { type: "string", pattern: "^#[0-9a-fA-F]{6}$" });

export function defaultColor(of: "terrain" | "mark", index: number): Color {
  const defaults = of === "terrain" ? TERRAIN_COLORS : MARK_COLORS;
  return parseColor(defaults[index % defaults.length]) ?? BLACK;
}

function readColor(reader: SpecReader, at: Field): Color {
  const color = typeof at.value === "string" ? parseColor(at.value) : undefined;
  if (color === undefined) {
    reader.report(at, { problem: "invalid colour", got: at.value, expected: 'a text such as "#2b5f8a"' });
  }
  return color ?? BLACK;
}

function parseColor(text: string): Color | undefined {
  const [, red, green, blue] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text) ?? [];
  if (blue === undefined) return undefined;
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}
