import { distanceBetween } from "../walks/hexes.js";
import type { Cell, GridSpec } from "../walks/index.js";
import {
  type CellRectangle,
  cellsOf,
  cellsOfGrid,
  overlap,
  type RegionRange,
  regionsNear,
  singles,
} from "../walks/rectangles.js";
import { REGION_SIDE } from "./types.js";

interface Wanted {
  readonly cell: CellRectangle;
  readonly within: number;
  readonly grid: GridSpec;
}

interface Found {
  readonly cell: Cell;
  readonly distance: number;
}

/** Returns the nearest cell of a list that `cellsIn` returns for each region; the first one by row, then column. */
export function nearestCell({ cell, within, grid }: Wanted, cellsIn: (region: CellRectangle) => readonly Cell[]) {
  const from: Cell = [cell.row0, cell.col0];
  let best: Found | undefined;
  for (let ring = 0; leastDistance(cell, ring) <= (best?.distance ?? within); ring++) {
    for (const region of ringOf(cell, ring)) {
      const cells = overlap(cellsOf(region, REGION_SIDE), cellsOfGrid(grid));
      for (const one of cells.rows < 1 || cells.cols < 1 ? [] : cellsIn(cells)) {
        const found = { cell: one, distance: distanceBetween(grid, from, one) };
        if (found.distance <= within && (best === undefined || compare(found, best) < 0)) best = found;
      }
    }
  }
  return best;
}

function compare(a: Found, b: Found): number {
  return a.distance - b.distance || a.cell[0] - b.cell[0] || a.cell[1] - b.cell[1];
}

/** Returns the regions that are `ring` regions away from the region of a cell. */
function ringOf(cell: CellRectangle, ring: number): RegionRange[] {
  const { i0, j0 } = regionsNear(cell, { side: REGION_SIDE });
  const block = { i0: i0 - ring, j0: j0 - ring, i1: i0 + ring, j1: j0 + ring };
  return singles(block).filter(({ i0: i, j0: j }) => Math.max(Math.abs(i - i0), Math.abs(j - j0)) === ring);
}

/** Returns a lower bound for the distance from a cell to a region of a ring: rows and columns differ by so many. */
function leastDistance({ row0, col0 }: CellRectangle, ring: number): number {
  const before = [row0, col0].map((at) => at - Math.floor(at / REGION_SIDE) * REGION_SIDE);
  const nearest = Math.min(...before.map((at) => Math.min(at + 1, REGION_SIDE - at)));
  return ring === 0 ? 0 : nearest + (ring - 1) * REGION_SIDE;
}
