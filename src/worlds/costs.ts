import { sourceAt, sourcesMet, sourcesOfStarts, sourcesUsedBy } from "../walks/compile.js";
import type { LayerPlan } from "../walks/index.js";
import { mostWaiting, SPARE_STEPS } from "../walks/kernel/scatter.js";
import { RIM } from "../walks/kernel/slope.js";
import { placeKey } from "../walks/map/chunk.js";
import {
  alignedBands,
  type CellRectangle,
  cellsOf,
  countOf,
  grown,
  isUpright,
  type RegionRange,
  regionsNear,
  single,
  singles,
  union,
  walkedCells,
  wholeChunks,
} from "../walks/rectangles.js";
import { cellsNeeded } from "./areas.js";
import {
  type FieldPlan,
  type LayerCost,
  MAKE_SIDE,
  REGION_SIDE,
  type RegionCost,
  type WorldPlan,
  type WorldSpec,
} from "./types.js";

/** The layers and fields of a world, as far as they read each other. */
type Readers = Pick<WorldPlan, "walk" | "fields">;

/** A source of a layer, and the cells where the layer needs it. */
interface SourceNeed {
  readonly source: number;
  readonly area: CellRectangle;
}

/**
 * Returns whether all walkers of a layer wait until their steps can reach the wanted cells. Fields take so much time that
 * walkers which meet fields always do.
 */
export function canWait({ walk }: Pick<Readers, "walk">, layer: LayerPlan): boolean {
  const { scatter, walkers } = layer;
  if (scatter === undefined) return false;
  const meetsFields = sourcesMet(layer).some((source) => sourceAt(walk, source).field !== undefined);
  return meetsFields || walkers <= mostWaiting(scatter);
}

/** Returns the whole chunks that the walkers of a layer can meet on the way to `wanted`, if they can wait. */
export function cellsOnWay({ steps }: LayerPlan, wanted: CellRectangle): CellRectangle {
  return wholeChunks(grown(wanted, steps + SPARE_STEPS + 1));
}

/** Extends a rectangle to whole regions, so that a window can move a little without a new need. */
function wholeRegions(cells: CellRectangle): CellRectangle {
  return cellsOf(regionsNear(cells, { side: REGION_SIDE }), REGION_SIDE);
}

/**
 * Returns where a layer needs its sources, if its walkers start in `cells`. If only `start` names a source: in `cells`.
 * If `closed`, `open`, `until` or `slope` names it: one step further than walkers reach, in whole chunks. If the walkers
 * wait unless they can reach `wanted`: in `cells`, and on the way to `wanted`.
 */
export function sourcesNeeded(layer: LayerPlan, cells: CellRectangle, wanted?: CellRectangle): SourceNeed[] {
  const met = sourcesMet(layer);
  const reached = wholeChunks(grown(cells, layer.steps + 1));
  const area = wanted === undefined ? reached : wholeRegions(union(cells, cellsOnWay(layer, wanted)));
  return sourcesUsedBy(layer).map((source) => ({ source, area: met.includes(source) ? area : cells }));
}

/**
 * Returns where the earlier layers must be complete, if walkers of a layer start in `cells`, and the layer itself must be
 * complete in `wanted`; without it, on all cells that the walkers reach.
 */
export function layersNeeded(
  readers: Readers,
  layer: number,
  cells: CellRectangle,
  wanted?: CellRectangle,
): Map<number, CellRectangle> {
  const areas = new Map<number, CellRectangle>();
  const add = (earlier: number, area: CellRectangle) => {
    const before = areas.get(earlier);
    areas.set(earlier, before === undefined ? area : union(before, area));
  };
  const plan = readers.walk.layers[layer];
  for (const { source, area } of sourcesNeeded(plan, cells, canWait(readers, plan) ? wanted : undefined)) {
    const { layer: earlier, field } = sourceAt(readers.walk, source);
    if (earlier !== undefined) add(earlier, area);
    else for (const [read, reach] of reachesOf(readers.fields[field])) add(read, grown(area, RIM + reach));
  }
  return areas;
}

/** For each layer that a field depends on, how far away the cells are that its value depends on. */
function reachesOf({ layers, program }: FieldPlan): [layer: number, reach: number][] {
  return layers.map((layer) => [layer, program.reaches.get(layer) ?? 0]);
}

/** Memory of a walker that waits until its steps are needed. */
const WALKER_BYTES = 80;
/** Measured: a map takes 1.2 to 1.4 times its counts' memory, for tiles around regions, borders, closed, end cells. */
const MAP_FACTOR = 4 / 3;

/** Estimates the memory of the map of a scattered layer for one region. 0 for any other layer. */
export function regionBytes(layer: LayerPlan): number {
  const { scatter, walkers } = layer;
  if (scatter === undefined) return 0;
  const most = mostWaiting(scatter);
  // with a density, a region can have fewer walkers than `walkers`
  const waiting = walkers <= most || layer.slope !== undefined ? walkers : scatter.density === undefined ? 0 : most;
  return MAP_FACTOR * scatter.side ** 2 * cellBytes(layer) + waiting * WALKER_BYTES;
}

type TerrainPlan = Readers & Pick<WorldPlan, "spec" | "terrainLayers" | "halo" | "margin">;

/** Bytes of the counts and first visits of a cell, and of the value of a field. */
function cellBytes({ firstVisit, slope }: LayerPlan): number {
  return (firstVisit ? 5 : 1) + (slope === undefined ? 0 : 2);
}

/**
 * Returns the cost of each layer. The `reach` of a layer is at least `steps`, because a walker can go so far. If the
 * layer uses an earlier scattered layer, adds the reach of the earlier layer, and some cells. So it does if it uses a
 * field that depends on such a layer, and then adds the greatest distance that the field measures, too:
 *
 * - `until`, `slope`: 1, because the engine also makes the cells one step further than a walker can reach.
 * - `start`, `closed`, `open`: side − 1, because a start cell is drawn from a list of all possible start cells of the
 *   region.
 * - `stuck`: no cells.
 */
export function worldCosts(plan: TerrainPlan): LayerCost[] {
  const base = regionsNear(cellsOf(single(0, 0), REGION_SIDE), { side: REGION_SIDE, distance: plan.margin });
  const cells = walkedCells(cellsNeeded(plan, cellsOf(base, REGION_SIDE)), plan.spec.grid);
  const ranges = regionsNeeded({ cells, layers: plan.terrainLayers }, plan);
  const costs: LayerCost[] = [];
  for (const [l, layer] of plan.walk.layers.entries()) {
    const { name, scatter, walkers, steps } = layer;
    const [kind, side] = scatter === undefined ? (["finite", 0] as const) : (["scattered", scatter.side] as const);
    const forStarts = sourcesOfStarts(layer);
    const further = sourcesUsedBy(layer).map((source) => {
      const { layer: earlier, field } = sourceAt(plan.walk, source);
      const more = forStarts.includes(source) ? side - 1 : earlier === layer.stuckOf && earlier !== undefined ? 0 : 1;
      const read = earlier === undefined ? reachesOf(plan.fields[field]) : ([[earlier, 0]] as const);
      const scattered = read.filter(([one]) => costs[one].kind === "scattered");
      return Math.max(0, ...scattered.map(([one, distance]) => costs[one].reach + distance + more));
    });
    const reach = kind === "finite" ? 0 : steps + Math.max(0, ...further);
    const cost = { name, kind, reach, walkers, steps, side, region: regionCost(layer, ranges[l]) };
    costs.push(scatter?.density === undefined ? cost : { ...cost, density: scatter.density });
  }
  return costs;
}

function regionCost(layer: LayerPlan, range: RegionRange | undefined): RegionCost {
  const { scatter, walkers, steps } = layer;
  if (scatter === undefined) return { regions: 0, steps: walkers * steps, bytes: 0 };
  if (range === undefined) return { regions: 0, steps: 0, bytes: 0 };
  const { rows, cols } = wholeChunks(grown(cellsOf(range, scatter.side), steps));
  const regions = countOf(range);
  return { regions, steps: regions * walkers * steps, bytes: rows * cols * cellBytes(layer) };
}

/** A rectangle on which layers must be complete, in the coordinates of walkers. */
export interface Need {
  readonly cells: CellRectangle;
  readonly layers: readonly number[];
}

/**
 * Returns a need in the coordinates of the grid as needs in the coordinates of walkers. An odd-r rectangle is divided
 * at every MAKE_SIDE rows, because the rectangle around all of it has more columns than the parts that are made.
 */
export function walkedNeeds({ cells, layers }: Need, grid: WorldSpec["grid"]): Need[] {
  const bands = isUpright(grid) ? alignedBands(cells, MAKE_SIDE) : [cells];
  return Array.from(bands, (band) => ({ cells: walkedCells(band, grid), layers }));
}

/** Returns how many regions of a layer have a cell in a rectangle of the grid. */
export function regionsWith(cells: CellRectangle, grid: WorldSpec["grid"], side: number): number {
  const counts = Array.from(alignedBands(cells, side), (band) =>
    countOf(regionsNear(walkedCells(band, grid), { side })),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Returns the regions of each layer that must be walked. */
function regionsNeeded({ cells: rectangle, layers: needed }: Need, readers: Readers): (RegionRange | undefined)[] {
  const { layers } = readers.walk;
  const needs = layers.map((_, l) => (needed.includes(l) ? rectangle : undefined));
  const ranges: (RegionRange | undefined)[] = layers.map(() => undefined);
  for (let l = layers.length - 1; l >= 0; l--) {
    const { scatter, steps, stuckOf } = layers[l];
    const need = needs[l];
    if (scatter === undefined || need === undefined) continue;
    const range = regionsNear(need, { side: scatter.side, distance: steps });
    // a layer with `stuck` has no walkers, and needs the other layer only where it is needed itself
    if (stuckOf === undefined) ranges[l] = range;
    const cells = stuckOf === undefined ? cellsOf(range, scatter.side) : need;
    for (const [earlier, area] of layersNeeded(readers, l, cells, need)) {
      const before = needs[earlier];
      needs[earlier] = before === undefined ? area : union(before, area);
    }
  }
  return ranges;
}

export function rangesOf(needs: readonly Need[], readers: Readers) {
  return needs.flatMap((need) =>
    regionsNeeded(need, readers).flatMap((range, layer) => (range === undefined ? [] : [{ layer, range }])),
  );
}

/** Returns the regions that must be walked, by layer, then by {@link placeKey}. */
export function neededRegions(needs: readonly Need[], readers: Readers): Map<number, RegionRange>[] {
  const regions = readers.walk.layers.map(() => new Map<number, RegionRange>());
  for (const { layer, range } of rangesOf(needs, readers)) {
    for (const region of singles(range)) regions[layer].set(placeKey(region.i0, region.j0), region);
  }
  return regions;
}

/** Share of a world's memory for the kernel, which has the maps of the layers. */
export const KERNEL_SHARE = 1 / 2;

/** Returns what a rectangle with its terrain, its placements and the visits of some layers needs. */
export function needsOfCells(cells: CellRectangle, plan: TerrainPlan, visits: readonly number[]): Need[] {
  return [
    { cells, layers: visits },
    { cells: cellsNeeded(plan, grown(cells, plan.margin)), layers: plan.terrainLayers },
  ].flatMap((need) => walkedNeeds(need, plan.spec.grid));
}

/** Estimates the memory that is enough to make rectangles of this size one after another, without repeated walks. */
export function memoryFor(cells: CellRectangle, plan: TerrainPlan, visits: readonly number[]): number {
  const { layers } = plan.walk;
  const bytes = neededRegions(needsOfCells(cells, plan, visits), plan).map(
    ({ size }, layer) => size * regionBytes(layers[layer]),
  );
  return bytes.reduce((sum, each) => sum + each, 0) / KERNEL_SHARE;
}
