import type { RegionContents } from "./contents.js";
import type { StandingCells, TerrainCells } from "./kernel/terrain.js";

/** A region of REGION_SIDE × REGION_SIDE cells. */
export interface MadeRegion {
  readonly i: number;
  readonly j: number;
  readonly terrain: TerrainCells;
  /** The standing placements of each kind. */
  readonly placements: readonly StandingCells[];
  /** The contents of each kind; undefined until a caller needs them. */
  contents: readonly (RegionContents | undefined)[] | undefined;
}

/** Regions that were made together. They share one array for their terrain, so the cache drops them together. */
export interface MadePart {
  /** The regions by key. */
  readonly regions: ReadonlyMap<number, MadeRegion>;
  /** Memory of the part, in bytes. */
  bytes: number;
}

/** Keeps parts up to a total number of bytes. Drops the least recently used part first. */
export class RegionCache {
  readonly #most: () => number;
  readonly #byKey = new Map<number, MadePart>();
  /** A Set keeps its entries in the order of insertion: the first one was used least recently. */
  readonly #parts = new Set<MadePart>();
  #bytes = 0;

  /** @param most - Returns the maximum number of bytes. */
  constructor(most: () => number) {
    this.#most = most;
  }

  /** Memory of the parts, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Number of regions. */
  get size(): number {
    return this.#byKey.size;
  }

  /** Whether the cache has a region. This does not count as a use of its part. */
  has(key: number): boolean {
    return this.#byKey.has(key);
  }

  /** Returns the region with a key. This counts as a use of its part. */
  get(key: number): MadeRegion | undefined {
    const part = this.#byKey.get(key);
    if (part === undefined) return undefined;
    this.#parts.delete(part);
    this.#parts.add(part);
    return part.regions.get(key);
  }

  /** Adds a part. Its regions must not be in the cache yet. Drops older parts if the cache becomes too large. */
  add(part: MadePart): void {
    for (const key of part.regions.keys()) this.#byKey.set(key, part);
    this.#parts.add(part);
    this.#bytes += part.bytes;
    this.#shrink();
  }

  /** Records that a region has grown by some bytes. Does nothing if the region is not in the cache any more. */
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

  /** Drops parts while the cache is too large, but never the most recently used part. */
  #shrink(): void {
    for (const part of this.#parts) {
      if (this.#bytes <= this.#most() || this.#parts.size === 1) return;
      this.#parts.delete(part);
      for (const key of part.regions.keys()) this.#byKey.delete(key);
      this.#bytes -= part.bytes;
    }
  }
}
