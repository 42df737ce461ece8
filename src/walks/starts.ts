import { error, fail } from "../errors/index.js";
import { refuseArgument } from "../spec/index.js";
import { type CellSet, endCells, OpenCells } from "./map/cellSet.js";
import { CHUNK_SIDE } from "./map/chunk.js";
import { LayerMap } from "./map/layerMap.js";
import { type CellRectangle, coordinatesOf, type RegionRange, regionsNear, singles } from "./rectangles.js";
import type { Cell, GridSpec, LayerPlan, StartSpec } from "./types.js";

/** Maximum bound of a draw, because a draw uses one 32-bit random word. */
const MAX_BOUND = 2 ** 32;
/** The first draw uses random words of lower planes. If it chooses a closed cell, the next draw uses this plane. */
const REDRAW_PLANE = 2;

/** Returns the start cell of a walker. */
export interface Starts {
  (walker: number): Cell;
  /** Number of walkers, if the start cells decide it. */
  readonly count?: number;
}

interface StartSources {
  readonly grid: GridSpec;
  /** Draws a number 0 … bound − 1 from the random word at (plane, index). `bound` is at most 2³². */
  readonly draw: (plane: number, index: number, bound: number) => number;
  readonly earlier: readonly (LayerMap | undefined)[];
  readonly closed: CellSet;
  /** Lists the cells of a chunk that send a walker. Undefined for a layer without a density. */
  readonly cellsHolding?: ((chunk: RegionRange) => Cell[]) | undefined;
  readonly region: CellRectangle | undefined;
}

/**
 * Returns a function that maps a walker's number to its start cell, which is always open (docs/determinism.md, section
 * 5). Returns undefined if a region has no open start cell, and so no walkers.
 *
 * A start is drawn from all cells. If the drawn cell is closed, a second draw chooses one of the open cells. So all
 * open cells have the same probability: if N of R cells are open, 1/R + (1 − N/R) · 1/N = 1/N.
 */
export function startCells(
  { name, start }: Pick<LayerPlan, "name" | "start">,
  sources: StartSources,
): Starts | undefined {
  const starts = startsOf(start, sources);
  if (starts !== undefined || sources.region !== undefined) return starts;
  const problem = `layer ${JSON.stringify(name)} has no open cell to start on`;
  const expected = "at least one start cell that the layer does not close";
  return fail(error("walk.closed-start", { problem, expected, remedy: "Move the start, or close fewer cells" }));
}

function startsOf(start: StartSpec, sources: StartSources): Starts | undefined {
  const { earlier, grid, region, cellsHolding } = sources;
  if (region !== undefined && cellsHolding !== undefined) {
    const map = start.kind === "layer" ? earlierMap(earlier, start.layer, grid) : undefined;
    return densityStarts(map, { region, cellsHolding, closed: sources.closed });
  }
  switch (start.kind) {
    case "cells":
      return listStarts(start.cells, sources.closed);
    case "rect":
      return rectangleStarts(start, sources);
    case "region":
      return region && rectangleStarts(region, sources);
    case "layer":
      return layerStarts(earlierMap(earlier, start.layer, grid), sources);
  }
}

function listStarts(cells: Int32Array, closed: CellSet): Starts | undefined {
  const open = new Int32Array(cells.length);
  let length = 0;
  for (let i = 0; i < cells.length; i += 2) {
    if (closed.has(cells[i], cells[i + 1])) continue;
    open[length++] = cells[i];
    open[length++] = cells[i + 1];
  }
  if (length === 0) return undefined;
  return (walker) => [open[(walker * 2) % length], open[((walker * 2) % length) + 1]];
}

function rectangleStarts(rectangle: CellRectangle, { draw, closed }: StartSources): Starts | undefined {
  const { row0, col0, rows, cols } = rectangle;
  const open = new OpenCells(closed, rectangle);
  if (open.count === 0) return undefined;
  const pair = (index: number, plane: number): Cell => [
    row0 + draw(plane, index, rows),
    col0 + draw(plane + 1, index, cols),
  ];
  return (index) => {
    let cell = pair(index, 0);
    // a word cannot choose among more than 2³² open cells. But then most cells are open, so draws from all cells again
    for (let plane = REDRAW_PLANE; closed.has(cell[0], cell[1]); plane += 2) {
      if (open.count <= MAX_BOUND) return open.cellAt(draw(plane, index, open.count));
      cell = pair(index, plane);
    }
    return cell;
  };
}

function layerStarts(map: LayerMap, { draw, closed, region }: StartSources): Starts | undefined {
  if (map.bounds === null) return undefined;
  const [row0, col0, row1, col1] = map.bounds;
  const rectangle = region ?? { row0, col0, rows: row1 - row0 + 1, cols: col1 - col0 + 1 };
  const unvisited = endCells(map, "outside");
  const all = new OpenCells(unvisited, rectangle);
  const open = closed.isEmpty ? all : new OpenCells(unvisited.with(closed), rectangle);
  if (open.count === 0) return undefined;
  return (index) => {
    const cell = all.cellAt(draw(0, index, all.count));
    if (!closed.has(cell[0], cell[1])) return cell;
    return open.cellAt(draw(REDRAW_PLANE, index, open.count));
  };
}

/** The start cells for which the density holds, by row, then by column: walker q starts on cell number q. */
function densityStarts(
  map: LayerMap | undefined,
  {
    region,
    cellsHolding,
    closed,
  }: { region: CellRectangle; closed: CellSet; cellsHolding: (chunk: RegionRange) => Cell[] },
): Starts {
  const cells = singles(regionsNear(region, { side: CHUNK_SIDE }))
    .flatMap(cellsHolding)
    .filter(([row, col]) => !closed.has(row, col) && (map === undefined || map.visitsAt(row, col) > 0))
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return Object.assign((walker: number) => cells[walker], { count: cells.length });
}

export function earlierMap(earlier: readonly (LayerMap | undefined)[], index: number, grid: GridSpec): LayerMap {
  const map = earlier[index];
  if (map === undefined) {
    const problem = `"earlier" has no map of layer ${index}`;
    const remedy = `Add this map to "earlier", with the name of layer ${index} as the key`;
    return fail(error("walk.mismatch", { problem, expected: "a LayerMap", remedy }));
  }
  if (!(map instanceof LayerMap)) refuseArgument("earlier", map, "a LayerMap for each name");
  if (map.bounds === null) return map;
  if (map.coordinates !== coordinatesOf(grid)) {
    const problem = `in "earlier", the map of layer ${index} and the grid have different coordinates`;
    fail(error("walk.mismatch", { problem, got: map.coordinates, expected: coordinatesOf(grid) }));
  }
  if (grid.kind === "unbounded") return map;
  const [row0, col0, row1, col1] = map.bounds;
  if (row0 >= 0 && col0 >= 0 && row1 < grid.rows && col1 < grid.cols) return map;
  const problem = `in "earlier", the map of layer ${index} has visits outside the grid`;
  const expected = `rows from 0 to ${grid.rows - 1}, and columns from 0 to ${grid.cols - 1}`;
  return fail(error("walk.mismatch", { problem, got: `bounds ${map.bounds.join(", ")}`, expected }));
}
