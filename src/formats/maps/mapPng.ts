import { type LongCall, Watch } from "../../calls/watch.js";
import { error, fail } from "../../errors/index.js";
import { checkFlag, checkText, readList, readOptions } from "../../spec/index.js";
import {
  BACKGROUND,
  type ColorMapName,
  inkFor,
  logScale,
  palette,
  type Rgb,
  readBackground,
} from "../pictures/colors.js";
import { indexedPng } from "../pictures/pngFile.js";
import { drawLegend, stripFor } from "./legend.js";
import {
  type CellBounds,
  cornersOf,
  hasOddR,
  type MapSource,
  type MapView,
  numbersOf,
  readChunks,
  readView,
} from "./mapSource.js";
import {
  checkFrame,
  type Extent,
  extentOf,
  type Frame,
  type FrameOptions,
  frameOf,
  PICTURE_OPTIONS,
  pixelOf,
  type Skew,
  type Strip,
  skewOf,
} from "./pictureFrame.js";

const MAX_LEVELS = 255;

/** Options of {@link hexPicture}. Progress counts the drawn chunks. */
export interface PictureOptions extends FrameOptions, LongCall {}

/** A picture without colours: each pixel has a level. */
export interface HexPicture {
  readonly width: number;
  readonly height: number;
  /**
   * The level of pixel (x, y) is element y · width + x; 0 is the background. Layer 0 has the levels 1 … {@link levels},
   * layer 1 the next levels, and so on; layer 255 has the levels of layer 0. The levels of a layer are a log scale from
   * 1 visit to the layer's highest count. In a picture of first visits, step t is drawn as t + 1 visits.
   */
  readonly pixels: Uint8Array;
  /** Number of levels of each layer: ⌊255 / layers⌋, at least 1. */
  readonly levels: number;
  /** For each layer, the number that its highest level stands for; 0 if the picture shows no cell of the layer. */
  readonly most: readonly number[];
  /** Width of a cell in pixels. */
  readonly cellPixels: number;
  /** Number of cells along each side of a pixel. It is above 1 if the map is larger than the picture. */
  readonly cellsPerPixel: number;
}

/**
 * Draws one or more maps on top of each other, the first at the bottom, each with its own log scale.
 *
 * Cost: at most three passes over all chunks. Memory: one byte for each pixel, or five if several cells share a pixel.
 *
 * @param layers - one map or more. Without `window`, at least one of them needs a visited cell.
 * @throws RollmillError `argument.range` for invalid options, maps without a visited cell, first visits of a map that
 * does not keep them, or more than 2²⁸ pixels; `argument.callback`; the reason of an aborted signal.
 */
export function hexPicture(layers: readonly MapSource[], given: PictureOptions = {}): HexPicture {
  const options = readOptions("hexPicture", given, PICTURE_OPTIONS);
  const maps = readList("layers", layers, { of: "maps" }) as MapSource[];
  return pictureOf(maps, { ...options, ...readView(options) }, MAX_LEVELS).picture;
}

/** Draws a picture. Leaves a strip below the map, and the levels above `mostLevels`, free for a legend. */
function pictureOf(layers: readonly MapSource[], options: PictureOptions, mostLevels: number, strip?: Strip) {
  checkFrame(options);
  if (layers.length === 0) {
    fail(error("argument.range", { problem: "the map has no layers to draw", got: 0, expected: "at least one layer" }));
  }
  const { pool = "max", cells: shape, show, signal, onProgress } = options;
  const window = options.window && cornersOf(options.window);
  const before = new Watch("the picture", Number.POSITIVE_INFINITY, { signal });
  const views = layers.map((layer) => ({ layer, skew: skewOf(hasOddR(layer), shape), window, show }));
  const { extent: whole, chunks } = measure(views, before);
  const extent = window === undefined ? whole : extentOf(window, views[0].skew);
  if (extent === undefined)
    fail(error("argument.range", { problem: "the map has no visited cell", expected: "at least one visited cell" }));
  const frame = frameOf(extent, options, strip);
  const { width, height, scale } = frame;
  const levels = Math.max(1, Math.floor(mostLevels / layers.length));
  const pixels = new Uint8Array(width * height);
  const watch = new Watch("the picture", chunks, { signal, onProgress });
  let count = 0;
  const passed = () => watch.passed(++count);
  const most = views.map((view, i) => {
    const firstLevel = 1 + (i % mostLevels) * levels;
    const drawing = { pixels, frame, extent, passed, look: () => before.look(), firstLevel, levels };
    if (scale.cellsPerPixel === 1) return drawCells(view, drawing);
    return drawPooled(view, drawing, show === "firstVisits" ? "min" : pool);
  });
  const { cellPixels, cellsPerPixel } = scale;
  const picture: HexPicture = { width, height, pixels, levels, most, cellPixels, cellsPerPixel };
  return { picture, frame };
}

interface Drawing {
  readonly pixels: Uint8Array;
  readonly frame: Frame;
  readonly extent: Extent;
  /** Reports a drawn chunk as progress. A pass over the chunks that does not draw calls `look` instead. */
  readonly passed: () => void;
  readonly look: () => void;
  readonly firstLevel: number;
  readonly levels: number;
}

/** Draws each cell on its own pixels. Returns the highest number of a cell. */
function drawCells(view: View, { pixels, frame, extent, passed, look, firstLevel, levels }: Drawing): number {
  const { width } = frame;
  const { cellPixels, lines } = frame.scale;
  let most = 0;
  for (const { visits, numbers, added, from, to } of cellsOf(view, look)) {
    for (let i = from; i < to; i++) if (visits[i] > 0 && numbers[i] + added > most) most = numbers[i] + added;
  }
  const level = logScale(most, levels);
  for (const { row, slant, visits, numbers, added, from, to } of cellsOf(view, passed)) {
    const [x, y] = pixelOf(frame.scale, slant - extent.slant0, row - extent.row0);
    const start = (frame.top + y) * width + frame.left + x;
    for (let i = from; i < to; i++) {
      if (visits[i] === 0) continue;
      const shade = firstLevel + level(numbers[i] + added);
      const corner = start + (i - from) * cellPixels;
      for (let line = 0; line < lines.length; line++) {
        const end = corner + line * width + lines[line][1];
        for (let pixel = corner + line * width + lines[line][0]; pixel < end; pixel++) pixels[pixel] = shade;
      }
    }
  }
  return most;
}

/** Draws several cells in each pixel. Returns the highest number of a pixel. */
function drawPooled(view: View, drawing: Drawing, pool: "max" | "sum" | "min"): number {
  const { pixels, frame, extent, passed, firstLevel, levels } = drawing;
  const { scale, width } = frame;
  const pooled = new Uint32Array(pixels.length);
  for (const { row, slant, visits, numbers, added, from, to } of cellsOf(view, passed)) {
    const start = (frame.top + pixelOf(scale, 0, row - extent.row0)[1]) * width + frame.left;
    for (let i = from; i < to; i++) {
      if (visits[i] === 0) continue;
      const pixel = start + Math.floor((slant - extent.slant0 + 2 * (i - from)) / (2 * scale.cellsPerPixel));
      const number = numbers[i] + added;
      const before = pooled[pixel];
      if (pool === "sum") pooled[pixel] = Math.min(before + number, 0xffff_ffff);
      else if (before === 0 || (pool === "max" ? number > before : number < before)) pooled[pixel] = number;
    }
  }
  let most = 0;
  for (let i = 0; i < pooled.length; i++) if (pooled[i] > most) most = pooled[i];
  const level = logScale(most, levels);
  for (let i = 0; i < pooled.length; i++) if (pooled[i] > 0) pixels[i] = firstLevel + level(pooled[i]);
  return most;
}

function measure(views: readonly View[], before: Watch) {
  let [row0, row1, slant0, slant1] = [Infinity, -Infinity, Infinity, -Infinity];
  let chunks = 0;
  const count = () => {
    before.look();
    chunks++;
  };
  for (const { layer, skew } of views) {
    for (const { row, slant, visits, from, to } of cellsOf({ layer, skew }, count)) {
      let first = from;
      while (first < to && visits[first] === 0) first++;
      if (first === to) continue;
      let last = to - 1;
      while (visits[last] === 0) last--;
      row0 = Math.min(row0, row);
      row1 = Math.max(row1, row);
      slant0 = Math.min(slant0, slant + 2 * (first - from));
      slant1 = Math.max(slant1, slant + 2 * (last - from));
    }
  }
  const extent: Extent | undefined = row0 > row1 ? undefined : { row0, row1, slant0, slant1 };
  return { extent, chunks };
}

interface View extends Pick<MapView, "show"> {
  readonly layer: MapSource;
  readonly skew: Skew;
  readonly window?: CellBounds | undefined;
}

/** Yields each row of each chunk. The slant grows by 2 per cell. `added` is 1 for first visits, which begin at 0. */
function* cellsOf({ layer, skew, window = EVERYWHERE, show }: View, done: () => void) {
  const [row0, col0, row1, col1] = window;
  const added = show === "firstVisits" ? 1 : 0;
  for (const chunk of readChunks(layer)) {
    const { visits, side } = chunk;
    const numbers = numbersOf(chunk, show);
    const [top, left] = [chunk.chunkRow * side, chunk.chunkCol * side];
    const first = Math.max(0, col0 - left);
    const end = Math.min(side, col1 + 1 - left);
    for (let r = Math.max(0, row0 - top); r < Math.min(side, row1 + 1 - top) && first < end; r++) {
      const [row, at] = [top + r, r * side];
      const slant = 2 * (left + first) + skew(row);
      yield { row, slant, visits, numbers, added, from: at + first, to: at + end };
    }
    done();
  }
}

const EVERYWHERE: CellBounds = [-Infinity, -Infinity, Infinity, Infinity];

/** A map to draw, with its colours. */
export interface PngLayer {
  readonly map: MapSource;
  /** Default for layers 0, 1 …: inferno, blues, greens, greys, inferno …; anew after 255 layers (254 with a legend). */
  readonly colorMap?: ColorMapName | undefined;
  /** The name in the legend, which shows 16 characters, with "?" for characters that are not ASCII. Default: none. */
  readonly name?: string;
}

/** Options of {@link toPng}. */
export interface PngOptions extends PictureOptions {
  /** The colours of a single map. For several maps, set the colours in each {@link PngLayer}. Default inferno. */
  readonly colorMap?: ColorMapName | undefined;
  /** The colour of unvisited cells. Default: a near-black blue. */
  readonly background?: Rgb | "transparent" | undefined;
  /** Whether to draw a legend below the map, within the size of the picture. Default false. */
  readonly legend?: boolean | undefined;
}

const PNG_OPTIONS = [...PICTURE_OPTIONS, "colorMap", "background", "legend"];
const LAYER_COLORS = ["inferno", "blues", "greens", "greys"] as const;

/**
 * Draws a map, or several maps on top of each other, as an indexed PNG. The colour shows the visits, or the first
 * visit, on a log scale for each layer. Cells of 4 pixels and more are hexagons, smaller ones are squares. If a map is
 * too large for the picture, each pixel stands for several cells.
 *
 * Cost: the cost of {@link hexPicture}, plus O(pixels). The same map gives the same bytes on every platform.
 *
 * @throws The errors of {@link hexPicture}; RollmillError `argument.range` for an unknown colour map or background.
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
  const { picture, frame } = pictureOf(maps, { ...rest, ...readView(rest) }, mostLevels, strip);
  const { pixels, levels, most } = picture;
  const colors = colorsOf(layers, levels, mostLevels, background);
  if (legend) {
    const least = rest.show === "firstVisits" ? 0 : 1;
    const lines = names.map((name, i) => {
      const firstLevel = 1 + (i % mostLevels) * levels;
      return { name, least, most: Math.max(least, most[i] - 1 + least), firstLevel, levels };
    });
    drawLegend({ pixels, frame, ink: colors.length }, lines);
    colors.push([...inkFor(colors[0])]);
  }
  return indexedPng(picture.width, picture.height, pixels, colors, () => rest.signal?.throwIfAborted());
}

function readLayers(source: MapSource | readonly PngLayer[], colorMap: ColorMapName): PngLayer[] {
  if (!Array.isArray(source)) return [{ map: source as MapSource, colorMap }];
  return readList("layers", source, { of: "layers" }).map((given) => {
    const layer = readOptions("a layer of toPng", given as PngLayer, ["map", "colorMap", "name"]);
    if (layer.name !== undefined) checkText("name", layer.name);
    return layer;
  });
}

function colorsOf(layers: readonly PngLayer[], levels: number, mostLevels: number, background: unknown): number[][] {
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
