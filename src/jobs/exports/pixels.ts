import type { Rgb } from "../../formats/index.js";
import type { CellRectangle } from "../../walks/map/openCells.js";
import { NO_TERRAIN } from "../../worlds/types.js";
import type { ExportSource } from "./source.js";

/** One pixel for each cell: the number of a colour, or 255 outside the map. */
export interface PixelMap {
  readonly colors: readonly Rgb[];
  /** Row by row. */
  readonly pixels: (cells: CellRectangle) => Uint8Array<ArrayBuffer>;
}

/** One for cells without visits, and one for each power of 2. */
const VISIT_COLORS = 1 + 32;
const DARK: Rgb = [24, 26, 34];
const LIGHT: Rgb = [236, 232, 214];

/** Shows the terrain, or the visits of all layers if the world has no terrain. */
export function pixelMap(source: ExportSource): PixelMap {
  if (source.job.spec.terrains.length > 0) {
    return { colors: source.terrains.map(({ color }) => color), pixels: (cells) => source.terrain(cells) };
  }
  const layers = source.layers.map(({ name }) => name);
  const colors = Array.from({ length: VISIT_COLORS }, (_, k) => mixed(Math.min(1, k / 16)));
  return { colors, pixels: (cells) => visitPixels(source, layers, cells) };
}

function visitPixels(source: ExportSource, layers: readonly string[], cells: CellRectangle): Uint8Array<ArrayBuffer> {
  const pixels = source.terrain(cells);
  const visits = source.sumOfVisits(layers, cells);
  for (let i = 0; i < pixels.length; i++) {
    if (pixels[i] !== NO_TERRAIN) pixels[i] = visits === undefined ? 0 : 32 - Math.clz32(visits[i]);
  }
  return pixels;
}

function mixed(share: number): Rgb {
  const part = (i: 0 | 1 | 2) => Math.round(DARK[i] + (LIGHT[i] - DARK[i]) * share);
  return [part(0), part(1), part(2)];
}
