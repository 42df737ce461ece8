import { placeKey } from "../walks/map/chunk.js";
import type { CellRectangle } from "../walks/map/openCells.js";
import type { MadePart, MadeRegion } from "./cache.js";
import { cellsOf, type RegionRange, singles } from "./costs.js";
import type { MadeTerrain, StandingCells } from "./kernel/terrain.js";
import { type Placement, placementOf } from "./placements.js";
import { MAKE_SIDE, type PlacementSpec, REGION_SIDE } from "./types.js";

/**
 * Divides a range into parts of at most `most` × `most` regions, row by row. The regions of a part are made together.
 * Parts begin at fixed places, which do not depend on the range, so that overlapping windows share parts.
 */
export function* divided(
  { i0, j0, i1, j1 }: RegionRange,
  most = MAKE_SIDE / REGION_SIDE,
): Generator<RegionRange, void> {
  const endOf = (at: number, last: number) => Math.min(last, Math.floor(at / most) * most + most - 1);
  for (let i = i0; i <= i1; i = endOf(i, i1) + 1) {
    for (let j = j0; j <= j1; j = endOf(j, j1) + 1) yield { i0: i, j0: j, i1: endOf(i, i1), j1: endOf(j, j1) };
  }
}

/** Estimated bytes of a region without its arrays. */
const BYTES_PER_REGION = 1024;
/** Estimated bytes of one placement with its content. */
const BYTES_PER_CONTENT = 200;

/** Divides the cells of a part into regions. */
export function partOf(range: RegionRange, { terrain, placements }: MadeTerrain): MadePart {
  const places = singles(range);
  const standing = placements.map((all) => standingByRegion(all, range, places.length));
  const regions = places.map(({ i0: i, j0: j }, p): MadeRegion => {
    const at = terrain.at + (i - range.i0) * REGION_SIDE * terrain.stride + (j - range.j0) * REGION_SIDE;
    const placed = standing.map((each) => each[p]);
    return { i, j, terrain: { ...terrain, at }, placements: placed, contents: undefined };
  });
  let bytes = terrain.cells.byteLength + places.length * BYTES_PER_REGION;
  for (const { rows, cols } of placements) bytes += rows.byteLength + cols.byteLength;
  return { regions: new Map(regions.map((region) => [placeKey(region.i, region.j), region])), bytes };
}

/** Estimates how many bytes the contents of a region take. */
export function contentBytes({ contents }: MadeRegion): number {
  return (contents ?? []).reduce((sum, content) => sum + BYTES_PER_CONTENT * (content?.length ?? 0), 0);
}

/** Returns the cells of a region. */
export function cellsOfRegion({ i, j }: MadeRegion): CellRectangle {
  return cellsOf({ i0: i, j0: j, i1: i, j1: j }, REGION_SIDE);
}

/** Divides the placements of a kind among the `count` regions of a part. Keeps the order of the placements. */
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

/** Returns the terrain of a cell of a region. */
export function terrainIn({ terrain: { cells, at, stride } }: MadeRegion, row: number, col: number): number {
  return cells[at + (row & (REGION_SIDE - 1)) * stride + (col & (REGION_SIDE - 1))];
}

/** Returns the placements on a cell of a region, with their contents if these are made. */
export function placementsAt(
  { placements, contents }: MadeRegion,
  { row0: row, col0: col }: CellRectangle,
  kinds: readonly PlacementSpec[],
): Placement[] {
  return placements.flatMap((standing, kind) => {
    const rank = rankAt(standing, row, col);
    return rank === undefined ? [] : [placementOf({ row, col, kind: kinds[kind].name }, contents?.[kind]?.at(rank))];
  });
}

/** Returns the rank of the placement on a cell; undefined if there is none. Placements are sorted by row, then column. */
function rankAt({ rows, cols }: StandingCells, row: number, col: number): number | undefined {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle] < row || (rows[middle] === row && cols[middle] < col)) low = middle + 1;
    else high = middle;
  }
  return rows[low] === row && cols[low] === col ? low : undefined;
}
