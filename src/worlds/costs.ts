import { layersMet, layersOfStarts, layersUsedBy } from "../walks/compile.js";
import type { LayerPlan } from "../walks/index.js";
import { mostWaiting } from "../walks/kernel/scatter.js";
import { placeKey } from "../walks/map/chunk.js";
import {
  type CellRectangle,
  cellsOf,
  countOf,
  grown,
  type RegionRange,
  regionsNear,
  single,
  singles,
  union,
  wholeChunks,
} from "../walks/rectangles.js";
import { type LayerCost, REGION_SIDE, type RegionCost, type WorldPlan } from "./types.js";

/**
 * Returns where the layer `earlier` must be complete, if walkers of `layer` start in `cells`. If only `start` names
 * `earlier`: in `cells`. If `closed`, `open` or `until` names it: one step further than walkers reach, in whole chunks.
 */
export function areaUsed(layer: LayerPlan, earlier: number, cells: CellRectangle): CellRectangle {
  return layersMet(layer).includes(earlier) ? wholeChunks(grown(cells, layer.steps + 1)) : cells;
}

/** Memory of a walker that waits until its steps are needed. */
const WALKER_BYTES = 80;
/** Measured: a map takes 1.2 to 1.4 times its counts' memory, for tiles around regions, borders, closed, end cells. */
const MAP_FACTOR = 4 / 3;

/** Estimates the memory of the map of a scattered layer for one region. 0 for any other layer. */
export function regionBytes({ scatter, walkers, firstVisit }: LayerPlan): number {
  if (scatter === undefined) return 0;
  const most = mostWaiting(scatter);
  // with a density, a region can have fewer walkers than `walkers`
  const waiting = walkers <= most ? walkers : scatter.density === undefined ? 0 : most;
  return MAP_FACTOR * scatter.side ** 2 * cellBytes(firstVisit) + waiting * WALKER_BYTES;
}

function cellBytes(firstVisit: boolean): number {
  return firstVisit ? 5 : 1;
}

/**
 * Returns the cost of each layer. The `reach` of a layer is at least `steps`, because a walker can go so far. If the
 * layer uses an earlier scattered layer, adds the reach of the earlier layer, and some cells:
 *
 * - `until`: 1, because the engine also makes the cells one step further than a walker can reach.
 * - `start`, `closed`, `open`: side − 1, because a start cell is drawn from a list of all possible start cells of the
 *   region.
 */
export function worldCosts(
  layers: readonly LayerPlan[],
  { terrainLayers, halo, margin }: Pick<WorldPlan, "terrainLayers" | "halo" | "margin">,
): LayerCost[] {
  const base = regionsNear(cellsOf(single(0, 0), REGION_SIDE), { side: REGION_SIDE, distance: margin });
  const cells = grown(cellsOf(base, REGION_SIDE), halo);
  const ranges = regionsNeeded({ cells, layers: terrainLayers }, layers);
  const costs: LayerCost[] = [];
  for (const [l, layer] of layers.entries()) {
    const { name, scatter, walkers, steps } = layer;
    const [kind, side] = scatter === undefined ? (["finite", 0] as const) : (["scattered", scatter.side] as const);
    const forStarts = layersOfStarts(layer);
    const further = layersUsedBy(layer).map((index) =>
      costs[index].kind === "scattered" ? costs[index].reach + (forStarts.includes(index) ? side - 1 : 1) : 0,
    );
    const reach = kind === "finite" ? 0 : steps + Math.max(0, ...further);
    const cost = { name, kind, reach, walkers, steps, side, region: regionCost(layer, ranges[l]) };
    costs.push(scatter?.density === undefined ? cost : { ...cost, density: scatter.density });
  }
  return costs;
}

function regionCost({ scatter, walkers, steps, firstVisit }: LayerPlan, range: RegionRange | undefined): RegionCost {
  if (scatter === undefined) return { regions: 0, steps: walkers * steps, bytes: 0 };
  if (range === undefined) return { regions: 0, steps: 0, bytes: 0 };
  const { rows, cols } = wholeChunks(grown(cellsOf(range, scatter.side), steps));
  const regions = countOf(range);
  return { regions, steps: regions * walkers * steps, bytes: rows * cols * cellBytes(firstVisit) };
}

/** A rectangle on which layers must be complete. */
export interface Need {
  readonly cells: CellRectangle;
  readonly layers: readonly number[];
}

/** Returns the regions of each layer that must be walked. */
function regionsNeeded(
  { cells: rectangle, layers: needed }: Need,
  layers: readonly LayerPlan[],
): (RegionRange | undefined)[] {
  const needs = layers.map((_, l) => (needed.includes(l) ? rectangle : undefined));
  const ranges: (RegionRange | undefined)[] = layers.map(() => undefined);
  for (let l = layers.length - 1; l >= 0; l--) {
    const { scatter, steps } = layers[l];
    const need = needs[l];
    if (scatter === undefined || need === undefined) continue;
    const range = regionsNear(need, { side: scatter.side, distance: steps });
    ranges[l] = range;
    const cells = cellsOf(range, scatter.side);
    for (const earlier of layersUsedBy(layers[l])) {
      const area = areaUsed(layers[l], earlier, cells);
      const before = needs[earlier];
      needs[earlier] = before === undefined ? area : union(before, area);
    }
  }
  return ranges;
}

export function rangesOf(needs: readonly Need[], layers: readonly LayerPlan[]) {
  return needs.flatMap((need) =>
    regionsNeeded(need, layers).flatMap((range, layer) => (range === undefined ? [] : [{ layer, range }])),
  );
}

/** Returns the regions that must be walked, by layer, then by {@link placeKey}. */
export function neededRegions(needs: readonly Need[], layers: readonly LayerPlan[]): Map<number, RegionRange>[] {
  const regions = layers.map(() => new Map<number, RegionRange>());
  for (const { layer, range } of rangesOf(needs, layers)) {
    for (const region of singles(range)) regions[layer].set(placeKey(region.i0, region.j0), region);
  }
  return regions;
}

/** Share of a world's memory for the kernel, which has the maps of the layers. */
export const KERNEL_SHARE = 1 / 2;

/** Estimates the memory that is enough to make rectangles of this size one after another, without repeated walks. */
export function memoryFor(
  cells: CellRectangle,
  { walk: { layers }, terrainLayers, halo, margin }: Pick<WorldPlan, "walk" | "terrainLayers" | "halo" | "margin">,
  visits: readonly number[],
): number {
  const needs = [
    { cells, layers: visits },
    { cells: grown(cells, halo + margin), layers: terrainLayers },
  ];
  const bytes = neededRegions(needs, layers).map(({ size }, layer) => size * regionBytes(layers[layer]));
  return bytes.reduce((sum, each) => sum + each, 0) / KERNEL_SHARE;
}
