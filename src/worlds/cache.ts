import type { RegionContents } from "./contents.js";
import type { StandingCells, TerrainCells } from "./kernel/terrain.js";

export interface MadeRegion {
  readonly i: number;
  readonly j: number;
  readonly terrain: TerrainCells;
  readonly placements: readonly StandingCells[];
  /** Undefined until a caller needs them. */
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
  /** In the order of insertion: the first one was used least recently. */
  readonly #parts = new Set<MadePart>();
  #bytes = 0;

  constructor(most: () => number) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** Does not count as a use of its part. */
  has(key: number): boolean {
    return this.#byKey.has(key);
  }

  /** Counts as a use of its part. */
  get(key: number): MadeRegion | undefined {
    const part = this.#byKey.get(key);
    if (part === undefined) return undefined;
    this.#parts.delete(part);
    this.#parts.add(part);
    return part.regions.get(key);
  }

  /** The regions must not be in the cache yet. */
  add(part: MadePart): void {
    for (const key of part.regions.keys()) this.#byKey.set(key, part);
    this.#parts.add(part);
    this.#bytes += part.bytes;
    this.#shrink();
  }

  /** Does nothing if the region is not in the cache any more. */
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

  /** Never drops the most recently used part. */
  #shrink(): void {
    for (const part of this.#parts) {
      if (this.#bytes <= this.#most() || this.#parts.size === 1) return;
      this.#parts.delete(part);
      for (const key of part.regions.keys()) this.#byKey.delete(key);
      this.#bytes -= part.bytes;
    }
  }
}
