import { error, fail, readFields, reading } from "../errors/index.js";
import { readList, readOptions } from "../spec/index.js";
import { type ColorMapName, palette, type Rgb } from "./colormap.js";
import { hexPicture, MAX_LEVELS, type PictureOptions } from "./hexPicture.js";
import { indexedPng } from "./indexedPng.js";
import type { MapSource } from "./mapSource.js";

/** A map to draw, with its colours. */
export interface PngLayer {
  readonly map: MapSource;
  /**
   * Default: inferno for the first layer, then blues, greens, greys, inferno and so on. A picture has 255 colours, so
   * layer 255 (from 0) has the colours of layer 0, layer 256 those of layer 1, and so on.
   */
  readonly colorMap?: ColorMapName;
}

/** Options of {@link toPng}. */
export interface PngOptions extends PictureOptions {
  /**
   * The colours of a single map. For several maps, set the colours of each {@link PngLayer} instead. Default inferno.
   */
  readonly colorMap?: ColorMapName;
  /** The colour of unvisited cells. Default: a near-black blue. */
  readonly background?: Rgb | "transparent";
}

const PNG_OPTIONS = ["pixelsPerCell", "maxSide", "pool", "window", "show", "colorMap", "background"];
const BACKGROUND: Rgb = [13, 14, 20];
const LAYER_COLORS = ["inferno", "blues", "greens", "greys"] as const;

/**
 * Draws a map, or several maps above one another, as an indexed PNG. Cells of 4 pixels and more are hexagons; smaller
 * cells are squares, and each row is shifted by half a cell. If a map is too large for the picture, each pixel stands
 * for several cells. The colour of a cell depends on its visits or on its first visit, on a separate log scale for each layer.
 *
 * Cost: the cost of {@link hexPicture}, plus O(pixels) to compress them. The same map gives the same bytes on every
 * platform.
 *
 * @throws The errors of {@link hexPicture}; RollmillError `argument.range` for an unknown colour map or a malformed
 * background.
 */
export function toPng(source: MapSource | readonly PngLayer[], options: PngOptions = {}): Uint8Array {
  const read = readOptions("toPng", options, PNG_OPTIONS);
  const { colorMap = "inferno", background, ...rest } = read;
  const layers = readLayers(source, colorMap);
  const picture = hexPicture(
    layers.map((layer) => layer.map),
    rest,
  );
  return indexedPng(picture, colorsOf(layers, picture.levels, background));
}

function readLayers(source: MapSource | readonly PngLayer[], colorMap: ColorMapName): PngLayer[] {
  return reading("the layers", () => {
    if (!Array.isArray(source)) return [{ map: source as MapSource, colorMap }];
    return readList("layers", source, { of: "layers" }).map((layer) =>
      readFields("a layer", layer as PngLayer, ["map", "colorMap"]),
    );
  });
}

// Returns the palette. Entry 0 is the background. Then come the colours of each layer's levels, in the order of levels
// that hexPicture defines.
function colorsOf(
  layers: readonly PngLayer[],
  levels: number,
  background: PngOptions["background"] = BACKGROUND,
): number[][] {
  const names = layers.slice(0, MAX_LEVELS).map(({ colorMap }, i) => colorMap ?? LAYER_COLORS[i % LAYER_COLORS.length]);
  for (const [i, { colorMap }] of layers.entries()) {
    const shared = names[i % MAX_LEVELS];
    if (colorMap === undefined || colorMap === shared) continue;
    const problem = `layer ${i} shares its colours with layer ${i % MAX_LEVELS}, because a picture has 255 colours`;
    const remedy = "Omit the colour map of the later layer";
    fail(error("argument.range", { problem, got: colorMap, expected: `the colour map ${shared}`, remedy }));
  }
  const colors = names.flatMap((name) => palette(name, levels));
  if (background === "transparent") return [[0, 0, 0, 0], ...colors.map((color) => [...color, 255])];
  return [readBackground(background), ...colors.map((color) => [...color])];
}

function readBackground(background: unknown): number[] {
  const isByte = (part: unknown) => typeof part === "number" && Number.isInteger(part) && part >= 0 && part <= 255;
  const parts: unknown[] = reading('the option "background"', () =>
    Array.isArray(background) ? [...background.slice(0, 4)] : [],
  );
  // the cast is safe: every part is a byte
  if (parts.length === 3 && parts.every(isByte)) return parts as number[];
  const expected = '[red, green, blue], each from 0 to 255, or "transparent"';
  return fail(error("argument.range", { problem: 'invalid option "background"', got: background, expected }));
}
