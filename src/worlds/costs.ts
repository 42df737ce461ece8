import type { GridSpec, LayerPlan } from "../walks/index.js";
import { canWait, wholeChunks } from "../walks/kernel/scatter.js";
import { layersMet, layersOfStarts, layersUsedBy } from "../walks/layersUsed.js";
import { placeKey } from "../walks/map/chunk.js";
import type { CellRectangle } from "../walks/map/openCells.js";
import { leavesOf, reachesOf } from "./conditions.js";
import { type LayerCost, REGION_SIDE, type RegionCost, type WorldPlan, type WorldSpec } from "./types.js";

/**
 * Returns the cells where an earlier layer must be known if the walkers of `layer` start in `cells`. If `layer` uses
 * the earlier layer only for start cells, returns `cells`. If `layer` uses the earlier layer for `closed`, `open` or
 * `until`, returns all cells that the walkers can reach and the cells one step further, extended to whole chunks.
 */
export function areaUsed(layer: LayerPlan, earlier: number, cells: CellRectangle): CellRectangle {
  return layersMet(layer).includes(earlier) ? wholeChunks(grown(cells, layer.steps + 1)) : cells;
}

/** In the map of a scattered layer, a visit count takes COUNT_BYTES, and a first visit FIRST_VISIT_BYTES. */
const COUNT_BYTES = 1;
const FIRST_VISIT_BYTES = 4;
/** A walker that waits until its steps are needed takes this many bytes. */
const WALKER_BYTES = 80;

/**
 * The map of a scattered layer takes about this many times the memory of the counts of all cells in its regions.
 * Measured: 1.2 to 1.4 times. A map is larger than these counts for three reasons: walkers also reach tiles around the
 * regions; tiles have rims and sets of closed cells; and the visits of cells on which walkers end are counted outside
 * the tiles.
 */
const MAP_FACTOR = 4 / 3;

/** Estimates how much memory the map of a scattered layer takes for one region, in bytes. 0 for any other layer. */
export function regionBytes({ scatter, walkers, firstVisit }: LayerPlan): number {
  if (scatter === undefined) return 0;
  const mapBytes = MAP_FACTOR * scatter.side ** 2 * (COUNT_BYTES + (firstVisit ? FIRST_VISIT_BYTES : 0));
  return mapBytes + (canWait({ scatter, walkers }) ? walkers * WALKER_BYTES : 0);
}

/** Returns the cost of each layer of a world. */
export function worldCosts(
  layers: readonly LayerPlan[],
  { terrainLayers, halo }: Pick<WorldPlan, "terrainLayers" | "halo">,
): LayerCost[] {
  const reaches = layerCosts(layers);
  const margins = layers.map((_, l) => (terrainLayers.includes(l) ? halo : undefined));
  const region = { row0: 0, col0: 0, rows: REGION_SIDE, cols: REGION_SIDE };
  const ranges = regionsNeeded(region, layers, margins);
  return reaches.map((cost, l) => ({ ...cost, region: regionCost(layers[l], ranges[l]) }));
}

function regionCost({ scatter, walkers, steps, firstVisit }: LayerPlan, range: RegionRange | undefined): RegionCost {
  if (scatter === undefined) return { regions: 0, steps: walkers * steps, bytes: 0 };
  if (range === undefined) return { regions: 0, steps: 0, bytes: 0 };
  const { rows, cols } = wholeChunks(grown(cellsOf(range, scatter.side), steps));
  const regions = countOf(range);
  return {
    regions,
    steps: regions * walkers * steps,
    bytes: rows * cols * (COUNT_BYTES + (firstVisit ? FIRST_VISIT_BYTES : 0)),
  };
}

/**
 * Returns the cost of each layer, without the field `region`. A walker can go `steps` cells. If the layer uses an
 * earlier scattered layer, the visits of a cell also depend on cells of that layer:
 *
 * - `until`: on the cells that a walker can reach. Counts one cell more, because the engine makes it.
 * - `start`, `closed`, `open`: a start cell is drawn from a list of cells of the whole region. So the visits depend on
 *   all cells of the regions in which these walkers start: side − 1 cells further.
 */
function layerCosts(layers: readonly LayerPlan[]): Omit<LayerCost, "region">[] {
  const costs: Omit<LayerCost, "region">[] = [];
  for (const layer of layers) {
    const { name, scatter, walkers, steps } = layer;
    const common = { name, walkers, steps };
    if (scatter === undefined) {
      costs.push({ ...common, kind: "finite", reach: 0, side: 0 });
      continue;
    }
    const { side } = scatter;
    const forStarts = layersOfStarts(layer);
    const further = layersUsedBy(layer).map((index) =>
      costs[index].kind === "scattered" ? costs[index].reach + (forStarts.includes(index) ? side - 1 : 1) : 0,
    );
    costs.push({ ...common, kind: "scattered", reach: steps + Math.max(0, ...further), side });
  }
  return costs;
}

/** The regions (i0, j0) … (i1, j1), both inclusive. */
export interface RegionRange {
  readonly i0: number;
  readonly j0: number;
  readonly i1: number;
  readonly j1: number;
}

/** Cells have rows and columns −LIMIT … LIMIT − 1. */
const LIMIT = 2 ** 31;

/** Returns the regions with a cell that is at most `distance` rows and columns away from a rectangle. */
export function regionsNear(
  { row0, col0, rows, cols }: CellRectangle,
  { side, distance = 0 }: { readonly side: number; readonly distance?: number },
): RegionRange {
  const first = (at: number) => Math.max(-LIMIT / side, Math.floor((at - distance) / side));
  const last = (at: number) => Math.min(LIMIT / side - 1, Math.floor((at + distance) / side));
  return { i0: first(row0), j0: first(col0), i1: last(row0 + rows - 1), j1: last(col0 + cols - 1) };
}

/** Returns the regions whose cells are all in a rectangle. The range can be empty. */
export function regionsInside({ row0, col0, rows, cols }: CellRectangle, side: number): RegionRange {
  const first = (at: number) => Math.ceil(at / side);
  const last = (end: number) => Math.floor(end / side) - 1;
  return { i0: first(row0), j0: first(col0), i1: last(row0 + rows), j1: last(col0 + cols) };
}

/** Returns the number of regions of a range. */
export function countOf({ i0, j0, i1, j1 }: RegionRange): number {
  return (i1 - i0 + 1) * (j1 - j0 + 1);
}

/** Returns the regions of a range one by one, row by row. */
export function singles({ i0, j0, i1, j1 }: RegionRange): RegionRange[] {
  const pieces: RegionRange[] = [];
  for (let i = i0; i <= i1; i++) for (let j = j0; j <= j1; j++) pieces.push({ i0: i, j0: j, i1: i, j1: j });
  return pieces;
}

/** Returns the cells of a range of regions. */
export function cellsOf({ i0, j0, i1, j1 }: RegionRange, side: number): CellRectangle {
  return { row0: i0 * side, col0: j0 * side, rows: (i1 - i0 + 1) * side, cols: (j1 - j0 + 1) * side };
}

/** Returns the cells of a grid. */
export function cellsOfGrid(grid: GridSpec): CellRectangle {
  return grid.kind === "unbounded"
    ? { row0: -LIMIT, col0: -LIMIT, rows: 2 * LIMIT, cols: 2 * LIMIT }
    : { row0: 0, col0: 0, rows: grid.rows, cols: grid.cols };
}

/** Returns a rectangle with `margin` more rows and columns on each side, cut at the limits of coordinates. */
export function grown({ row0, col0, rows, cols }: CellRectangle, margin: number): CellRectangle {
  const [top, left] = [Math.max(-LIMIT, row0 - margin), Math.max(-LIMIT, col0 - margin)];
  const [end, right] = [Math.min(LIMIT, row0 + rows + margin), Math.min(LIMIT, col0 + cols + margin)];
  return { row0: top, col0: left, rows: end - top, cols: right - left };
}

/**
 * Returns, for each layer, the regions that a rectangle needs. `margins[l]` is how far beyond the rectangle layer l
 * must be known; undefined if the layer is not needed. If a needed layer refers to an earlier layer, the earlier layer
 * is needed too.
 */
export function regionsNeeded(
  rectangle: CellRectangle,
  layers: readonly LayerPlan[],
  margins: readonly (number | undefined)[],
): (RegionRange | undefined)[] {
  const needs = margins.map((margin) => (margin === undefined ? undefined : grown(rectangle, margin)));
  const ranges: (RegionRange | undefined)[] = layers.map(() => undefined);
  for (let l = layers.length - 1; l >= 0; l--) {
    const { scatter, steps } = layers[l];
    const need = needs[l];
    if (scatter === undefined || need === undefined) continue;
    const range = regionsNear(need, { side: scatter.side, distance: steps });
    ranges[l] = range;
    const cells = cellsOf(range, scatter.side);
    for (const earlier of layersUsedBy(layers[l])) {
      needs[earlier] = union(needs[earlier], areaUsed(layers[l], earlier, cells));
    }
  }
  return ranges;
}

/** A rectangle on which layers must be complete. */
export interface Need {
  readonly cells: CellRectangle;
  readonly layers: readonly number[];
}

/** Returns the regions of each layer that some rectangles need, for each rectangle alone. */
export function rangesOf(
  needs: readonly Need[],
  layers: readonly LayerPlan[],
): { readonly layer: number; readonly range: RegionRange }[] {
  return needs.flatMap(({ cells, layers: needed }) => {
    const margins = layers.map((_, l) => (needed.includes(l) ? 0 : undefined));
    const ranges = regionsNeeded(cells, layers, margins);
    return ranges.flatMap((range, layer) => (range === undefined ? [] : [{ layer, range }]));
  });
}

/** Returns the regions of each layer that some rectangles need, by {@link placeKey}. */
export function neededRegions(
  needs: readonly Need[],
  layers: readonly LayerPlan[],
): ReadonlyMap<number, RegionRange>[] {
  const regions = layers.map(() => new Map<number, RegionRange>());
  for (const { layer, range } of rangesOf(needs, layers)) {
    for (const region of singles(range)) regions[layer].set(placeKey(region.i0, region.j0), region);
  }
  return regions;
}

/** Share of a world's memory for the kernel, which has the maps of the layers. */
export const KERNEL_SHARE = 1 / 2;

/**
 * Estimates the memory that a world needs to make rectangles of a size one after another without walking a region
 * again, in bytes. 0 if no layer is scattered.
 *
 * @param visits - Indices of the layers whose visits are needed.
 */
export function memoryFor(
  cells: CellRectangle,
  { walk: { layers }, terrainLayers, halo }: Pick<WorldPlan, "walk" | "terrainLayers" | "halo">,
  visits: readonly number[],
): number {
  const needs = [
    { cells, layers: visits },
    { cells: grown(cells, halo), layers: terrainLayers },
  ];
  const bytes = neededRegions(needs, layers).map(({ size }, layer) => size * regionBytes(layers[layer]));
  return bytes.reduce((sum, each) => sum + each, 0) / KERNEL_SHARE;
}

/** Returns the smallest rectangle that contains two rectangles. */
function union(a: CellRectangle | undefined, b: CellRectangle): CellRectangle {
  if (a === undefined) return b;
  const [row0, col0] = [Math.min(a.row0, b.row0), Math.min(a.col0, b.col0)];
  const end = Math.max(a.row0 + a.rows, b.row0 + b.rows);
  const right = Math.max(a.col0 + a.cols, b.col0 + b.cols);
  return { row0, col0, rows: end - row0, cols: right - col0 };
}

/**
 * Divides the missing regions of a range into rectangles. Splits each row of regions into runs of missing regions.
 * Joins a run with runs of the same columns in the rows below.
 */
export function missingParts(range: RegionRange, isMissing: (i: number, j: number) => boolean): RegionRange[] {
  const parts: RegionRange[] = [];
  let open: RegionRange[] = [];
  for (let i = range.i0; i <= range.i1; i++) {
    const runs = missingRuns(range, (j) => isMissing(i, j));
    const next = runs.map(({ j0, j1 }) => {
      const above = open.find((part) => part.j0 === j0 && part.j1 === j1);
      return { i0: above?.i0 ?? i, j0, i1: i, j1 };
    });
    parts.push(...open.filter((part) => !next.some(({ i0, j0 }) => i0 === part.i0 && j0 === part.j0)));
    open = next;
  }
  return [...parts, ...open];
}

function missingRuns(
  { j0, j1 }: RegionRange,
  isMissing: (j: number) => boolean,
): { readonly j0: number; readonly j1: number }[] {
  const runs: { j0: number; j1: number }[] = [];
  for (let j = j0; j <= j1; j++) {
    if (!isMissing(j)) continue;
    const last = runs.at(-1);
    if (last?.j1 === j - 1) last.j1 = j;
    else runs.push({ j0: j, j1: j });
  }
  return runs;
}

/** Returns the indices of the layers that the rules of the terrain refer to. */
export function layersOfTerrain({ rules }: Pick<WorldSpec, "rules">): number[] {
  const layers = [...leavesOf(rules)].flatMap((leaf) => ("layer" in leaf ? [leaf.layer] : []));
  return [...new Set(layers)].sort((a, b) => a - b);
}

/** Returns the cells that two rectangles have in common. If there are none, `rows` or `cols` is below 1. */
export function overlap(a: CellRectangle, b: CellRectangle): CellRectangle {
  const [row0, col0] = [Math.max(a.row0, b.row0), Math.max(a.col0, b.col0)];
  const end = Math.min(a.row0 + a.rows, b.row0 + b.rows);
  const right = Math.min(a.col0 + a.cols, b.col0 + b.cols);
  return { row0, col0, rows: end - row0, cols: right - col0 };
}

/** Whether a cell is in a rectangle. */
export function contains({ row0, col0, rows, cols }: CellRectangle, row: number, col: number): boolean {
  return row >= row0 && row < row0 + rows && col >= col0 && col < col0 + cols;
}

/** Whether all cells of rectangle `a` are in rectangle `b`. */
export function isInside(a: CellRectangle, b: CellRectangle): boolean {
  const { rows, cols } = overlap(a, b);
  return rows === a.rows && cols === a.cols;
}

/**
 * Returns how far beyond a rectangle the layers must be known to compute the rectangle's terrain and placements. This
 * is the greatest distance of a `within` condition, plus the greatest distance of a kind of placement whose density is
 * not 0.
 */
export function haloOf({ rules, placements }: Pick<WorldSpec, "rules" | "placements">): number {
  const reach = Math.max(0, ...reachesOf(rules).values());
  const standing = placements.filter(({ density }) => density.numerator > 0n);
  return reach + Math.max(0, ...standing.map(({ distance }) => distance));
}
