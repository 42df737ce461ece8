import {
  type CellRectangle,
  cellsOf,
  cellsOfGrid,
  isUpright,
  overlap,
  regionsNear,
  walkedCells,
} from "../../walks/rectangles.js";
import { areasOf, canStand, terrainArea } from "../../worlds/areas.js";
import { layersNeeded, type Need } from "../../worlds/costs.js";
import type { StoredCells } from "../../worlds/stored.js";
import type { TerrainProgram, WorldPlan, WorldSpec } from "../../worlds/types.js";

interface Stored extends Pick<StoredCells, "hasStanding"> {
  hasGround(cells: CellRectangle): boolean;
  hasVisits(layer: number, cells: CellRectangle): boolean;
}

/**
 * Returns the cells outside an extent whose terrain the placements in `cells` read because of their distances: strips
 * above, below, left and right of `cells`. `around` contains `cells` and the strips.
 */
export function rimOf({ placements, grid }: WorldSpec, cells: CellRectangle, extent: CellRectangle) {
  const width = Math.max(0, ...placements.map((kind) => (canStand(kind) ? kind.distance : 0)));
  const { row0, col0, rows, cols } = cells;
  const [end, right] = [row0 + rows, col0 + cols];
  const top = row0 === extent.row0 ? width : 0;
  const left = col0 === extent.col0 ? width : 0;
  const height = top + rows + (end === extent.row0 + extent.rows ? width : 0);
  const length = left + cols + (right === extent.col0 + extent.cols ? width : 0);
  const around = overlap({ row0: row0 - top, col0: col0 - left, rows: height, cols: length }, cellsOfGrid(grid));
  const strips = [
    { ...around, rows: row0 - around.row0 },
    { ...around, row0: end, rows: around.row0 + around.rows - end },
    { row0, col0: around.col0, rows, cols: col0 - around.col0 },
    { row0, col0: right, rows, cols: around.col0 + around.cols - right },
  ];
  return { around, strips: strips.filter((strip) => strip.rows > 0 && strip.cols > 0) };
}

/** Whether a rectangle can be made without the maps of layers, because its terrain and some kinds are stored. */
export function needsNoLayers({ spec, limits }: WorldPlan, stored: Stored, rect: CellRectangle): boolean {
  const inside = overlap(rect, cellsOfGrid(spec.grid));
  if (inside.rows < 1 || inside.cols < 1) return false;
  const areas = areasOf(spec, inside, stored);
  const readsLayers = (limit: TerrainProgram | undefined) =>
    limit !== undefined && (limit.reaches.size > 0 || limit.steps.some(({ layer }) => layer !== undefined));
  const areRead = limits.some((limit, k) => readsLayers(limit) && !stored.hasStanding(k, areas[k].known));
  return !areRead && stored.hasGround(terrainArea(areas, inside));
}

/**
 * Returns the scattered layers that need not be walked for `needs`, which have the coordinates of the grid: wherever
 * the layer is needed, its visits are stored. A layer that is not walked needs no other layer.
 */
export function layersStored(
  needs: readonly Need[],
  { walk, fields, spec: { grid } }: Pick<WorldPlan, "walk" | "fields" | "spec">,
  stored: Stored,
): ReadonlySet<number> {
  const found = new Set<number>();
  const walked = new Set<number>();
  const areas = walk.layers.map((_, l) => needs.flatMap(({ cells, layers }) => (layers.includes(l) ? [cells] : [])));
  for (const [l, { scatter, steps, stuckOf }] of [...walk.layers.entries()].reverse()) {
    if (scatter === undefined || areas[l].length === 0) continue;
    if (!walked.has(l) && areas[l].every((cells) => stored.hasVisits(l, cells))) {
      found.add(l);
      continue;
    }
    // a layer with `stuck` has no walkers: the walkers of the other layer make its visits
    if (stuckOf !== undefined) walked.add(stuckOf);
    for (const cells of areas[l]) {
      const wanted = walkedCells(cells, grid);
      const range = regionsNear(wanted, { side: scatter.side, distance: steps });
      const needed = layersNeeded({ walk, fields }, l, cellsOf(range, scatter.side), wanted);
      for (const [earlier, area] of needed) areas[earlier].push(gridCells(area, grid));
    }
  }
  return found;
}

/** Returns the rectangle of the grid around a rectangle in the coordinates of walkers. */
function gridCells(cells: CellRectangle, grid: WorldSpec["grid"]): CellRectangle {
  if (!isUpright(grid)) return cells;
  const { row0, col0, rows, cols } = cells;
  const [first, last] = [Math.floor(row0 / 2), Math.floor((row0 + rows - 1) / 2)];
  return { row0, col0: col0 + first, rows, cols: cols + last - first };
}
