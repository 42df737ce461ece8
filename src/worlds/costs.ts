import type { LayerPlan } from "../walks/index.js";
import type { LayerCost, WindowInput } from "./types.js";

/** Returns the indices of the layers that a layer refers to, ascending and distinct. */
export function layersUsedBy({ closedLayers, openLayers, until, start }: LayerPlan): number[] {
  const used = [...closedLayers, ...openLayers];
  if (until !== undefined) used.push(until.layer);
  if (start.kind === "layer") used.push(start.layer);
  return [...new Set(used)].sort((a, b) => a - b);
}

/**
 * Returns the cost of each layer. A scattered layer reaches as far as its walkers go. A layer that it refers to must be
 * known on all cells that a walker can enter or look at, which is one cell further, and has a reach of its own.
 */
export function layerCosts(layers: readonly LayerPlan[]): LayerCost[] {
  const costs: LayerCost[] = [];
  for (const layer of layers) {
    const { name, scatter, walkers, steps } = layer;
    const below = layersUsedBy(layer).map((index) => (costs[index].kind === "scattered" ? costs[index].reach + 1 : 0));
    const common = { name, walkers, steps };
    if (scatter === undefined) costs.push({ ...common, kind: "finite", reach: 0, side: 0 });
    else costs.push({ ...common, kind: "scattered", reach: steps + Math.max(0, ...below), side: scatter.side });
  }
  return costs;
}

/** Returns the rectangle of regions of a side that have a cell within `distance` rows and columns of a window. */
export function regionsNear({ row, col, rows, cols }: WindowInput, distance: number, side: number): RegionRange {
  return {
    row0: Math.floor((row - distance) / side),
    col0: Math.floor((col - distance) / side),
    row1: Math.floor((row + rows - 1 + distance) / side),
    col1: Math.floor((col + cols - 1 + distance) / side),
  };
}

/** Regions row0 … row1 × col0 … col1, inclusive. */
export interface RegionRange {
  readonly row0: number;
  readonly col0: number;
  readonly row1: number;
  readonly col1: number;
}

/** Returns the number of regions of a range. */
export function countOf({ row0, col0, row1, col1 }: RegionRange): number {
  return (row1 - row0 + 1) * (col1 - col0 + 1);
}

/** Returns the window of a range of regions. */
export function windowOf({ row0, col0, row1, col1 }: RegionRange, side: number): WindowInput {
  return { row: row0 * side, col: col0 * side, rows: (row1 - row0 + 1) * side, cols: (col1 - col0 + 1) * side };
}

/** Returns a window with `margin` more rows and columns on each side. */
export function grown({ row, col, rows, cols }: WindowInput, margin: number): WindowInput {
  return { row: row - margin, col: col - margin, rows: rows + 2 * margin, cols: cols + 2 * margin };
}
