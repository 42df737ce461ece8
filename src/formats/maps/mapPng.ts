import { error, fail } from "../../errors/index.js";
import { checkFlag, checkText, readList, readOptions } from "../../spec/index.js";
import { BACKGROUND, type ColorMapName, inkFor, palette, type Rgb, readBackground } from "../pictures/colors.js";
import { indexedPng } from "../pictures/pngFile.js";
import { MAX_LEVELS, type PictureOptions, pictureOf } from "./hexPicture.js";
import { drawLegend, stripFor } from "./legend.js";
import { type MapSource, readView } from "./mapSource.js";
import { PICTURE_OPTIONS } from "./pictureFrame.js";

/** A map to draw, with its colours. */
export interface PngLayer {
  readonly map: MapSource;
  /**
   * Default: inferno for the first layer, then blues, greens, greys, inferno and so on. A picture has 255 colours, so
   * layer 255 (from 0) uses those of layer 0.
   */
  readonly colorMap?: ColorMapName;
  /** The name in the legend: its first 16 characters, with "?" for each one that is not ASCII. Default: no name. */
  readonly name?: string;
}

/** Options of {@link toPng}. */
export interface PngOptions extends PictureOptions {
  /** The colours of a single map. Several maps have them in each {@link PngLayer}. Default inferno. */
  readonly colorMap?: ColorMapName;
  /** The colour of unvisited cells. Default: a near-black blue. */
  readonly background?: Rgb | "transparent";
  /** Whether to draw a legend below the map, within the size of the picture. Default false. */
  readonly legend?: boolean;
}

const PNG_OPTIONS = [...PICTURE_OPTIONS, "colorMap", "background", "legend"];
const LAYER_COLORS = ["inferno", "blues", "greens", "greys"] as const;

/**
 * Draws a map, or several maps on top of each other, as an indexed PNG. Cells of 4 pixels and more are hexagons,
 * smaller ones are squares. If a map is too large for the picture, each pixel stands for several cells. The colour
 * shows the number of visits, or the step of the first visit. Each layer has its own log scale.
 *
 * Cost: the cost of {@link hexPicture}, plus O(pixels). The same map gives the same bytes on every platform.
 *
 * @throws The errors of {@link hexPicture}; RollmillError `argument.range` for an unknown colour map or a malformed
 * background.
 */
export function toPng(source: MapSource | readonly PngLayer[], options: PngOptions = {}): Uint8Array {
  const read = readOptions("toPng", options, PNG_OPTIONS);
  const { colorMap = "inferno", background = BACKGROUND, legend = false, ...rest } = read;
  checkFlag("legend", legend);
  const layers = readLayers(source, colorMap);
  const names = layers.map(({ name = "" }) => name);
  // keeps one colour for the letters of the legend
  const mostLevels = legend ? MAX_LEVELS - 1 : MAX_LEVELS;
  const strip = legend && names.length > 0 ? stripFor(names) : undefined;
  const maps = layers.map((layer) => layer.map);
  const { picture, frame } = pictureOf(maps, { ...rest, ...readView(rest) }, { strip, mostLevels });
  const { pixels, levels, most } = picture;
  const colors = colorsOf(layers, { levels, mostLevels, background });
  if (legend) {
    const least = rest.show === "firstVisits" ? 0 : 1;
    const lines = names.map((name, i) => {
      const firstLevel = 1 + (i % mostLevels) * levels;
      return { name, least, most: Math.max(least, most[i] - 1 + least), firstLevel, levels };
    });
    drawLegend({ pixels, frame, ink: colors.length }, lines);
    colors.push([...inkFor(colors[0])]);
  }
  return indexedPng(picture, colors, () => rest.signal?.throwIfAborted());
}

function readLayers(source: MapSource | readonly PngLayer[], colorMap: ColorMapName): PngLayer[] {
  if (!Array.isArray(source)) return [{ map: source as MapSource, colorMap }];
  return readList("layers", source, { of: "layers" }).map((given) => {
    const layer = readOptions("a layer of toPng", given as PngLayer, ["map", "colorMap", "name"]);
    if (layer.name !== undefined) checkText("name", layer.name);
    return layer;
  });
}

function colorsOf(
  layers: readonly PngLayer[],
  { levels, mostLevels, background }: { levels: number; mostLevels: number; background: unknown },
): number[][] {
  const names = layers.slice(0, mostLevels).map(({ colorMap }, i) => colorMap ?? LAYER_COLORS[i % LAYER_COLORS.length]);
  for (const [i, { colorMap }] of layers.entries()) {
    const shared = names[i % mostLevels];
    if (colorMap === undefined || colorMap === shared) continue;
    const problem = `layer ${i} shares its colours with layer ${i % mostLevels}, because a picture has ${mostLevels} colours`;
    const remedy = "Omit the colour map of the later layer";
    fail(error("argument.range", { problem, got: colorMap, expected: `the colour map ${shared}`, remedy }));
  }
  const colors = names.flatMap((name) => palette(name, levels));
  const first = readBackground(background);
  return [first, ...colors.map((color) => (first.length === 4 ? [...color, 255] : [...color]))];
}
