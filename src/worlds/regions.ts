import type { PlacedRegion } from "./assembly.js";
import type { RegionRange } from "./costs.js";
import type { MadeTerrain, StandingCells } from "./kernel/terrain.js";
import { MAKE_SIDE, REGION_SIDE } from "./types.js";

/** Divides a part into pieces that are made together. They end where blocks of random words end. */
export function divided({ i0, j0, i1, j1 }: RegionRange): RegionRange[] {
  const pieces: RegionRange[] = [];
  const most = MAKE_SIDE / REGION_SIDE;
  const endOf = (at: number, last: number) => Math.min(last, Math.floor(at / most) * most + most - 1);
  for (let i = i0; i <= i1; i = endOf(i, i1) + 1) {
    for (let j = j0; j <= j1; j = endOf(j, j1) + 1) pieces.push({ i0: i, j0: j, i1: endOf(i, i1), j1: endOf(j, j1) });
  }
  return pieces;
}

/** Returns the regions of a range one by one, row by row. */
export function singles({ i0, j0, i1, j1 }: RegionRange): RegionRange[] {
  const pieces: RegionRange[] = [];
  for (let i = i0; i <= i1; i++) for (let j = j0; j <= j1; j++) pieces.push({ i0: i, j0: j, i1: i, j1: j });
  return pieces;
}

/** Divides the cells of a part into regions. */
export function regionsOf(part: RegionRange, { terrain, placements }: MadeTerrain): PlacedRegion[] {
  const width = (part.j1 - part.j0 + 1) * REGION_SIDE;
  const places = singles(part);
  const standing = placements.map((all) => standingByRegion(all, part, places.length));
  return places.map(({ i0: i, j0: j }, p) => {
    const cells = new Uint8Array(REGION_SIDE * REGION_SIDE);
    const first = (i - part.i0) * REGION_SIDE * width + (j - part.j0) * REGION_SIDE;
    for (let r = 0; r < REGION_SIDE; r++) {
      const at = first + r * width;
      cells.set(terrain.subarray(at, at + REGION_SIDE), r * REGION_SIDE);
    }
    const placed = standing.map((regions) => regions[p]);
    const region = {
      terrain: cells,
      placements: placed,
      contents: undefined,
    };
    return { i, j, region };
  });
}

/** Divides the placements of a kind among the `count` regions of a part. Their order in each region stays. */
function standingByRegion({ rows, cols }: StandingCells, part: RegionRange, count: number): StandingCells[] {
  const across = part.j1 - part.j0 + 1;
  const regionOf = (k: number) =>
    (Math.floor(rows[k] / REGION_SIDE) - part.i0) * across + Math.floor(cols[k] / REGION_SIDE) - part.j0;
  const sizes = new Uint32Array(count);
  for (let k = 0; k < rows.length; k++) sizes[regionOf(k)]++;
  const regions = Array.from(sizes, (size) => ({ rows: new Int32Array(size), cols: new Int32Array(size) }));
  const filled = new Uint32Array(count);
  for (let k = 0; k < rows.length; k++) {
    const p = regionOf(k);
    const at = filled[p]++;
    regions[p].rows[at] = rows[k];
    regions[p].cols[at] = cols[k];
  }
  return regions;
}

/** Index of a cell among the cells of its region, row by row. */
export function indexInRegion(row: number, col: number): number {
  return (row & (REGION_SIDE - 1)) * REGION_SIDE + (col & (REGION_SIDE - 1));
}
