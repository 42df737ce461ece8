import { placeKey } from "../walks/map/chunk.js";
import { type CellRectangle, cellsOf, overlap, type RegionRange, single, singles } from "../walks/rectangles.js";
import type { RegionContents } from "./contents.js";
import { type Placement, type PlacementPart, placementOf, traitsOf } from "./placements.js";
import { chosen, copyOne, indicesIn, roomFor, type StandingCells } from "./standing.js";
import type { MadeTerrain, TerrainCells } from "./stored.js";
import { type PlacementSpec, REGION_SIDE } from "./types.js";

/** Estimated bytes of a region without its arrays. */
const BYTES_PER_REGION = 1024;
const SIDE_BITS = Math.log2(REGION_SIDE);
/** Estimated bytes of a content with its placement. */
export const BYTES_PER_CONTENT = 200;

export function partOf(range: RegionRange, { terrain, placements }: MadeTerrain): MadePart {
  const places = singles(range);
  const standing = placements.map((all) => standingByRegion(all, range, places.length));
  const regions = places.map(({ i0: i, j0: j }, p): MadeRegion => {
    const at = terrain.at + (i - range.i0) * REGION_SIDE * terrain.stride + (j - range.j0) * REGION_SIDE;
    const placed = standing.map((each) => each[p]);
    return { i, j, terrain: { ...terrain, at }, placements: placed, contents: undefined };
  });
  let bytes = terrain.cells.byteLength + places.length * BYTES_PER_REGION;
  for (const { rows, cols, terrains } of placements) bytes += rows.byteLength + cols.byteLength + terrains.byteLength;
  return { regions: new Map(regions.map((region) => [placeKey(region.i, region.j), region])), bytes };
}

export function cellsOfRegion({ i, j }: MadeRegion): CellRectangle {
  return cellsOf(single(i, j), REGION_SIDE);
}

function standingByRegion(standing: StandingCells, part: RegionRange, count: number): StandingCells[] {
  const { rows, cols } = standing;
  const across = part.j1 - part.j0 + 1;
  const placeOf = (k: number) => ((rows[k] >> SIDE_BITS) - part.i0) * across + (cols[k] >> SIDE_BITS) - part.j0;
  const sizes = new Uint32Array(count);
  for (let k = 0; k < rows.length; k++) sizes[placeOf(k)]++;
  const regions = Array.from(sizes, (size) => roomFor(standing, size));
  const filled = new Uint32Array(count);
  for (let k = 0; k < rows.length; k++) {
    const place = placeOf(k);
    copyOne(standing, k, regions[place], filled[place]++);
  }
  return regions;
}

export function terrainIn({ terrain: { cells, at, stride } }: MadeRegion, row: number, col: number): number {
  return cells[at + (row & (REGION_SIDE - 1)) * stride + (col & (REGION_SIDE - 1))];
}

/** Returns the placements of a region that are in a rectangle, by kind. */
export function placementParts(region: MadeRegion, rectangle: CellRectangle, hasContents: boolean): PlacementPart[] {
  const cells = overlap(cellsOfRegion(region), rectangle);
  return region.placements.flatMap((standing, kind): PlacementPart[] => {
    const inside = placedIn(standing, cells);
    const contents = hasContents ? region.contents?.[kind] : undefined;
    return inside.ranks.length === 0 ? [] : [{ kind, ...inside, contents }];
  });
}

/** Returns the placements in `cells`, with their indices among all placements of the region. */
export function placedIn(standing: StandingCells, cells: CellRectangle): Omit<PlacementPart, "kind" | "contents"> {
  const ranks = indicesIn(standing, cells);
  // the usual case: the rectangle has the whole region
  return ranks.length === standing.rows.length ? { ...standing, ranks } : { ...chosen(standing, ranks), ranks };
}

export function placementsAt(
  { placements, contents }: MadeRegion,
  { row0: row, col0: col }: CellRectangle,
  kinds: readonly PlacementSpec[],
): Placement[] {
  return placements.flatMap((standing, kind) => {
    const rank = rankAt(standing, row, col);
    if (rank === undefined) return [];
    const traits = traitsOf(kinds[kind], standing.sizes?.[rank] ?? 0, standing.facings?.[rank] ?? 0);
    return [placementOf({ row, col, kind: kinds[kind].name, ...traits }, contents?.[kind]?.at(rank))];
  });
}

/** Returns the index of the placement on a cell; undefined without one. Placements are sorted by row, then column. */
function rankAt({ rows, cols }: StandingCells, row: number, col: number): number | undefined {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle] < row || (rows[middle] === row && cols[middle] < col)) low = middle + 1;
    else high = middle;
  }
  return rows[low] === row && cols[low] === col ? low : undefined;
}

export interface MadeRegion {
  readonly i: number;
  readonly j: number;
  readonly terrain: TerrainCells;
  readonly placements: readonly StandingCells[];
  /** The contents by kind. Undefined until a caller needs them. */
  contents: readonly (RegionContents | undefined)[] | undefined;
}

/** Regions that share one array for their terrain, so the cache drops them together. */
export interface MadePart {
  readonly regions: ReadonlyMap<number, MadeRegion>;
  bytes: number;
}

/** Keeps parts up to a total number of bytes. Drops the least recently used part first. */
export class RegionCache {
  readonly #most: () => number;
  readonly #byKey = new Map<number, MadePart>();
  /** In the order of insertion: the first part was used least recently. */
  readonly #parts = new Set<MadePart>();
  #bytes = 0;

  constructor(most: () => number) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether the cache has a region. A call does not count as a use of its part. */
  has(key: number): boolean {
    return this.#byKey.has(key);
  }

  /** Returns a region; undefined if the cache lacks it. A call counts as a use of its part. */
  get(key: number): MadeRegion | undefined {
    const part = this.#byKey.get(key);
    if (part === undefined) return undefined;
    this.#parts.delete(part);
    this.#parts.add(part);
    return part.regions.get(key);
  }

  add(part: MadePart): void {
    for (const key of part.regions.keys()) this.#byKey.set(key, part);
    this.#parts.add(part);
    this.#bytes += part.bytes;
    this.#shrink();
  }

  /** Counts more bytes for a region. Does nothing if the region is not in the cache any more. */
  grown(key: number, bytes: number): void {
    const part = this.#byKey.get(key);
    if (part === undefined) return;
    part.bytes += bytes;
    this.#bytes += bytes;
    this.#shrink();
  }

  clear(): void {
    this.#byKey.clear();
    this.#parts.clear();
    this.#bytes = 0;
  }

  /** Drops the least recently used parts, but never the most recently used part. */
  #shrink(): void {
    for (const part of this.#parts) {
      if (this.#bytes <= this.#most() || this.#parts.size === 1) return;
      this.#parts.delete(part);
      for (const key of part.regions.keys()) this.#byKey.delete(key);
      this.#bytes -= part.bytes;
    }
  }
}
