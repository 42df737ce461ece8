import { type LongCall, Watch } from "../../calls/watch.js";
import { error, fail } from "../../errors/index.js";
import { readList, readOptions } from "../../spec/index.js";
import { logScale } from "../pictures/logScale.js";
import { type Extent, extentOf, pixelOf, type Skew, skewOf } from "./hexGeometry.js";
import {
  type CellBounds,
  hasOddR,
  type MapSource,
  type MapView,
  numbersOf,
  readChunks,
  readView,
} from "./mapSource.js";
import { checkFrame, type Frame, type FrameOptions, frameOf, PICTURE_OPTIONS, type Strip } from "./pictureFrame.js";

export const MAX_LEVELS = 255;

/** Options of {@link hexPicture}. Progress counts the drawn chunks. */
export interface PictureOptions extends FrameOptions, LongCall {}

/** A picture without colours: each pixel has a level. */
export interface HexPicture {
  readonly width: number;
  readonly height: number;
  /**
   * The level of pixel (x, y) is element y · width + x. Level 0 is the background.
   *
   * Layer 0 has the levels 1 … {@link levels}, a log scale from 1 visit to the layer's highest count, layer 1 has the
   * next ones, and layer 255 those of layer 0. In a picture of first visits, step t is drawn as t + 1 visits.
   */
  readonly pixels: Uint8Array;
  /** Number of levels of each layer: ⌊255 / layers⌋, at least 1. */
  readonly levels: number;
  /** For each layer, the number that its last level stands for; 0 if the picture shows no cell of the layer. */
  readonly most: readonly number[];
  /** Width of a cell in pixels. */
  readonly cellPixels: number;
  /** Number of cells along each side of a pixel. It is above 1 if the map is larger than the picture. */
  readonly cellsPerPixel: number;
}

/**
 * Draws one or more maps on top of each other, the first at the bottom, each with its own log scale.
 *
 * Cost: two passes over all chunks. Memory: one byte for each pixel, or five if several cells share a pixel.
 *
 * @param layers - one map or more. Without `window`, at least one of them needs a visited cell.
 * @throws RollmillError `argument.range` for invalid options, maps without a visited cell, first visits of a map that
 * does not keep them, or more than 2²⁸ pixels; `argument.callback`; the reason of an aborted signal.
 */
export function hexPicture(layers: readonly MapSource[], given: PictureOptions = {}): HexPicture {
  const options = readOptions("hexPicture", given, PICTURE_OPTIONS);
  const maps = readList("layers", layers, { of: "maps" }) as MapSource[];
  return pictureOf(maps, { ...options, ...readView(options) }, { strip: undefined, mostLevels: MAX_LEVELS }).picture;
}

/** Leaves room for a legend: a strip below the map, and all levels above `mostLevels`. */
export function pictureOf(
  layers: readonly MapSource[],
  options: PictureOptions,
  { strip, mostLevels }: { readonly strip: Strip | undefined; readonly mostLevels: number },
): { readonly picture: HexPicture; readonly frame: Frame } {
  checkFrame(options);
  if (layers.length === 0) {
    fail(error("argument.range", { problem: "there is no layer to draw", got: 0, expected: "at least one layer" }));
  }
  const { pool = "max", cells: shape, window, show, signal, onProgress } = options;
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
  return { picture: { width, height, pixels, levels, most, cellPixels, cellsPerPixel }, frame };
}

interface Drawing {
  readonly pixels: Uint8Array;
  readonly frame: Frame;
  readonly extent: Extent;
  /** Called after each drawn chunk. A pass that draws nothing calls `look`. */
  readonly passed: () => void;
  readonly look: () => void;
  readonly firstLevel: number;
  readonly levels: number;
}

interface CellRun {
  readonly row: number;
  /** The slant of the first cell. From cell to cell, it grows by 2. */
  readonly slant: number;
  readonly visits: Uint32Array;
  readonly numbers: Uint32Array;
  /** 1 for first visits, which start at step 0. Otherwise 0. */
  readonly added: number;
  /** The indices in `visits` and `numbers`; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
}

/** Returns the highest number of a cell. */
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

interface View extends MapView {
  readonly layer: MapSource;
  readonly skew: Skew;
}

function* cellsOf({ layer, skew, window = EVERYWHERE, show }: View, done: () => void): Generator<CellRun, void> {
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
