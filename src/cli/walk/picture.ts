import { InvalidArgumentError } from "commander";
import {
  COLOR_MAP_NAMES,
  type ColorMapName,
  type MapView,
  type PngLayer,
  type PngOptions,
  toPng,
} from "../../formats/index.js";
import type { WalkMap } from "../../walks/index.js";
import { choice, type Flags, option } from "../command.js";
import { refuse } from "../shared/io.js";
import { integer } from "../shared/options.js";

const side = integer(1, 2 ** 28);

export const FRAME = [
  option(
    "--size <pixels>",
    "of a .png: maximum length of the longer side (default: 2048); or 800x600, for --width and --height",
    sizeOf,
  ),
  option("--width <pixels>", "of a .png: width; the map is drawn as large as it fits, and centred", side),
  option("--height <pixels>", "of a .png: height; the map is drawn as large as it fits, and centred", side),
  option("--scale <pixels>", "of a .png: width of a cell, 1 to 256; the maximum if a size is given", integer(1, 256)),
  choice("--cells <shape>", "of a .png: draw cells as hexagons (default), or as square pixels", ["hexagons", "pixels"]),
  option("--background <colour>", "of a .png: colour where no cell is drawn, #rrggbb or transparent", backgroundOf),
  option("--legend", "of a .png: explain the colours below the map"),
] as const;
export const PICTURE = [
  ...FRAME,
  option(
    "--palette <names>",
    `of a .png: colours of each layer, separated by commas: ${COLOR_MAP_NAMES.join(", ")}`,
    paletteOf,
  ),
] as const;

type PictureFlags = Flags<typeof PICTURE>;
type Size = number | { readonly width: number; readonly height: number };

export function frameOptions({ size, scale, width, height, cells, background, legend }: Flags<typeof FRAME>) {
  const sides = typeof size === "object" ? size : { maxSide: size, width, height };
  const options = { maxSide: undefined, ...sides, pixelsPerCell: scale, cells, background, legend };
  // the cast is safe: only given options are left
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    readonly [Key in keyof typeof options]?: NonNullable<(typeof options)[Key]>;
  };
}

export function refusePictureFlags(flags: PictureFlags): void {
  const given = PICTURE.find((one) => flags[one.attributeName() as keyof PictureFlags] !== undefined)?.long;
  if (given === undefined) return;
  refuse(`${given} applies only to a picture`, { expected: "-o with a .png file", remedy: `Remove ${given}` });
}

export function pictureOfMap({ layers }: WalkMap, view: MapView, flags: PictureFlags): Uint8Array {
  const { palette = [] } = flags;
  if (palette.length > layers.length) {
    const expected = `at most ${layers.length} names, one for each layer`;
    refuse("--palette has more names than the map has layers", { got: palette.length, expected });
  }
  const drawn = layers.map(({ name, map }, i): PngLayer => {
    const colorMap = palette[i] ?? (layers.length === 1 ? "inferno" : undefined);
    return colorMap === undefined ? { name, map } : { name, map, colorMap };
  });
  return toPng(drawn, { ...view, ...frameOptions(flags) });
}

function sizeOf(text: string): Size {
  const [width, height] = text.split(/[x×]/i);
  return height === undefined ? side(text) : { width: side(width), height: side(height) };
}

function paletteOf(text: string): ColorMapName[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.every((name): name is ColorMapName => COLOR_MAP_NAMES.some((known) => known === name))) return names;
  throw new InvalidArgumentError(`Expected names from ${COLOR_MAP_NAMES.join(", ")}.`);
}

function backgroundOf(text: string): NonNullable<PngOptions["background"]> {
  if (text === "transparent") return text;
  const [, digits] = /^#?([0-9a-f]{6})$/i.exec(text) ?? [];
  if (digits === undefined) throw new InvalidArgumentError('Expected #rrggbb or "transparent".');
  const byteAt = (i: number) => Number.parseInt(digits.slice(i, i + 2), 16);
  return [byteAt(0), byteAt(2), byteAt(4)];
}
