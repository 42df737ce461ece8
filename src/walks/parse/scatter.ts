import {
  type Field,
  type Fields,
  type InputOf,
  integer,
  optional,
  record,
  type SpecReader,
  shape,
} from "../../spec/index.js";
import type { GridSpec } from "./grid.js";

/** Minimum, maximum and default of the side of a region, in cells. A region has side × side cells. */
const MIN_REGION_SIDE = 64;
const MAX_REGION_SIDE = 4096;
const DEFAULT_REGION_SIDE = 256;
const SIDES = [64, 128, 256, 512, 1024, 2048, 4096];
const MAX_SCATTERED_WALKERS = 2 ** 16;

export const SCATTER = record({
  /** Number of rows of a region, and also of its columns. A power of two, 64 … 4096. Default 256. */
  side: optional(shape<number, number>(readSide, { enum: SIDES }), DEFAULT_REGION_SIDE),
  /** Number of walkers that start in each region, 1 … 65536. */
  walkers: integer({ least: 1, most: MAX_SCATTERED_WALKERS }),
});
/**
 * Scatters walkers over an unbounded grid. The grid is divided into regions of `side` × `side` cells, and each region
 * has its own walkers. Region (i, j) has the rows i · side … i · side + side − 1 and the columns j · side … j · side +
 * side − 1.
 */
export interface ScatterInput extends InputOf<typeof SCATTER> {}

function readSide(reader: SpecReader, at: Field): number {
  const side = reader.integer(at, { least: MIN_REGION_SIDE, most: MAX_REGION_SIDE });
  if ((side & (side - 1)) === 0) return side;
  const expected = `a power of two from ${MIN_REGION_SIDE} to ${MAX_REGION_SIDE}`;
  reader.report(at, { problem: "invalid side of the regions", got: side, expected });
  return DEFAULT_REGION_SIDE;
}

/** Reports what a scattered layer cannot have. */
export function checkScattered(reader: SpecReader, layer: Fields, grid: GridSpec): void {
  if (layer.has("walkers")) {
    const problem = 'a scattered layer has its number of walkers in "scatter"';
    reader.report(layer.get("walkers"), { problem, remedy: 'Remove "walkers"' });
  }
  if (grid.kind === "unbounded") return;
  const problem = "only a layer on an unbounded grid can be scattered";
  const remedy = 'Remove "scatter", or make the grid unbounded';
  reader.report(
    layer.get("scatter"),
    { problem, got: grid.kind, expected: "an unbounded grid", remedy },
    "walk.scattered",
  );
}
