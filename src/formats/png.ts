import { error, fail, reading } from "../errors/index.js";
import { checkFlag, checkText, readList, readOptions } from "../spec/index.js";
import { type ColorMapName, palette, type Rgb } from "./colormap.js";
import { type HexPicture, MAX_LEVELS, type PictureOptions, pictureOf } from "./hexPicture.js";
import { indexedPng } from "./indexedPng.js";
import { drawLegend, stripFor } from "./legend.js";
import { type MapSource, readView } from "./mapSource.js";
import { BACKGROUND, inkFor, readBackground } from "./pictureColors.js";
import { type Frame, PICTURE_OPTIONS } from "./pictureFrame.js";

/** A map to draw, with its colours. */
export interface PngLayer {
  readonly map: MapSource;
  /**
   * The colour map of this layer. Default: inferno for the first layer, then blues, greens, greys, inferno and so on. A
   * picture has 255 colours. So layer 255 (from 0) uses the colours of layer 0, layer 256 uses the colours of layer 1,
   * and so on.
   */
  readonly colorMap?: ColorMapName;
  /**
   * The name in the legend. The legend shows its first 16 characters, with "?" for each character that is not ASCII.
   * Default: no name.
   */
  readonly name?: string;
}

/** Options of {@link toPng}. */
export interface PngOptions extends PictureOptions {
  /**
   * The colours of a single map. For several maps, set the colours of each {@link PngLayer} instead. Default inferno.
   */
  readonly colorMap?: ColorMapName;
  /** The colour of unvisited cells. Default: a near-black blue. */
  readonly background?: Rgb | "transparent";
  /**
   * Whether to draw a legend of the colours below the map. The size of the picture includes the legend. Default false.
   */
  readonly legend?: boolean;
}

const PNG_OPTIONS = [...PICTURE_OPTIONS, "colorMap", "background", "legend"];
const LAYER_COLORS = ["inferno", "blues", "greens", "greys"] as const;

/**
 * Draws a map, or several maps on top of each other, as an indexed PNG. Cells of 4 pixels and more are hexagons.
 * Smaller cells are squares, and each row is shifted by half a cell. If a map is too large for the picture, each pixel
 * stands for several cells. The colour shows the number of visits, or the step of the first visit. Each layer has its
 * own log scale.
 *
 * Cost: the cost of {@link hexPicture}, plus O(pixels) for compression. The same map gives the same bytes on every
 * platform.
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
  const additions = {
    strip: legend && names.length > 0 ? stripFor(names) : { lines: 0, leastWidth: 0 },
    // keeps one colour for the letters of the legend
    mostLevels: legend ? MAX_LEVELS - 1 : MAX_LEVELS,
  };
  const maps = layers.map((layer) => layer.map);
  const { picture, frame } = pictureOf(maps, { ...rest, ...readView(rest) }, additions);
  const colors = colorsOf(layers, { levels: picture.levels, mostLevels: additions.mostLevels, background });
  if (legend) {
    drawLegendOf(names, { picture, frame, ink: colors.length, from: rest.show === "firstVisits" ? 0 : 1 });
    colors.push([...inkFor(colors[0])]);
  }
  return indexedPng(picture, colors, () => rest.signal?.throwIfAborted());
}

function drawLegendOf(
  names: readonly string[],
  { picture, frame, ink, from }: { picture: HexPicture; frame: Frame; ink: number; from: number },
): void {
  const { pixels, width, levels, most } = picture;
  const lines = names.map((name, i) => {
    const firstLevel = 1 + (i % (MAX_LEVELS - 1)) * levels;
    return { name, least: from, most: Math.max(from, most[i] - 1 + from), firstLevel, levels };
  });
  drawLegend({ pixels, width, top: frame.stripTop, unit: frame.unit, ink }, lines);
}

function readLayers(source: MapSource | readonly PngLayer[], colorMap: ColorMapName): PngLayer[] {
  return reading("the layers", () => {
    if (!Array.isArray(source)) return [{ map: source as MapSource, colorMap }];
    return readList("layers", source, { of: "layers" }).map((layer) => readLayer(layer as PngLayer));
  });
}

function readLayer(layer: PngLayer): PngLayer {
  const { map, colorMap, name = "" } = readOptions("a layer of toPng", layer, ["map", "colorMap", "name"]);
  checkText("name", name);
  return colorMap === undefined ? { map, name } : { map, colorMap, name };
}

// Entry 0 is the background. Then follow the colours of all levels, layer by layer.
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
