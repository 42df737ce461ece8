import type { RegionContents } from "./contents.js";
import type { StandingCells, TerrainCells } from "./kernel/terrain.js";

/** A region of REGION_SIDE × REGION_SIDE cells. */
export interface MadeRegion {
  readonly i: number;
  readonly j: number;
  readonly terrain: TerrainCells;
  /** The standing placements of each kind. */
  readonly placements: readonly StandingCells[];
  /** The contents of each kind; undefined until somebody asks for them. */
  contents: readonly (RegionContents | undefined)[] | undefined;
}

/** Regions that were made together. They share the array of their terrain, so the cache drops them together. */
export interface MadePart {
  /** The regions by key. */
  readonly regions: ReadonlyMap<number, MadeRegion>;
  /** Memory of the part, in bytes. */
  bytes: number;
}

/** Keeps parts until they exceed a number of bytes. The part that was used least recently goes first. */
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

  /** Returns the region with a key, and counts this as a use of its part. */
  get(key: number): MadeRegion | undefined {
    const part = this.#byKey.get(key);
    if (part === undefined) return undefined;
    this.#parts.delete(part);
    this.#parts.add(part);
    return part.regions.get(key);
  }

  /** Adds a part, whose regions are not in the cache. Drops other parts if there are too many bytes. */
  add(part: MadePart): void {
    for (const key of part.regions.keys()) this.#byKey.set(key, part);
    this.#parts.add(part);
    this.#bytes += part.bytes;
    this.#shrink();
  }

  /** Counts the bytes by which a region has grown, if the cache still has it. */
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

  /** Drops parts while there are too many bytes, but never the one that was used last. */
  #shrink(): void {
    for (const part of this.#parts) {
      if (this.#bytes <= this.#most() || this.#parts.size === 1) return;
      this.#parts.delete(part);
      for (const key of part.regions.keys()) this.#byKey.delete(key);
      this.#bytes -= part.bytes;
    }
  }
}
