import type { RegionContents } from "./contents.js";
import type { StandingCells } from "./kernel/terrain.js";

/** A region of REGION_SIDE × REGION_SIDE cells that was made. Parts that nobody has asked for are missing. */
export interface MadeRegion {
  /** The terrain of each cell, row by row. */
  readonly terrain: Uint8Array;
  /** The standing placements of each kind. */
  readonly placements: readonly StandingCells[];
  /** The contents of each kind. */
  contents: readonly (RegionContents | undefined)[] | undefined;
}

/** About the memory of the objects around the arrays of a region, and of one placement with its content. */
const BYTES_PER_REGION = 1024;
const BYTES_PER_PLACEMENT = 200;

/** Keeps regions until they exceed a number of bytes. The region that was used least recently goes first. */
export class RegionCache {
  readonly #most: () => number;
  /** A Map keeps its entries in the order of insertion: the first one was used least recently. */
  readonly #regions = new Map<number, MadeRegion>();
  #bytes = 0;

  /** @param most - Returns the maximum number of bytes. */
  constructor(most: () => number) {
    this.#most = most;
  }

  /** Memory of the regions, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#regions.size;
  }

  /** Whether a region is in the cache. Does not count as a use. */
  has(key: number): boolean {
    return this.#regions.has(key);
  }

  get(key: number): MadeRegion | undefined {
    const region = this.#regions.get(key);
    if (region === undefined) return undefined;
    this.#regions.delete(key);
    this.#regions.set(key, region);
    return region;
  }

  /** Adds a region. Drops others if there are too many bytes. */
  set(key: number, region: MadeRegion): void {
    this.#regions.set(key, region);
    this.#bytes += bytesOf(region);
    this.#shrink();
  }

  /** Counts the bytes by which a region has grown, if the cache still has it. */
  grown(key: number, bytes: number): void {
    if (bytes === 0 || !this.#regions.has(key)) return;
    this.#bytes += bytes;
    this.#shrink();
  }

  /** Drops regions while there are too many bytes, but never the one that was used last. */
  #shrink(): void {
    for (const [key, region] of this.#regions) {
      if (this.#bytes <= this.#most() || this.#regions.size === 1) return;
      this.#regions.delete(key);
      this.#bytes -= bytesOf(region);
    }
  }

  clear(): void {
    this.#regions.clear();
    this.#bytes = 0;
  }
}

/** Returns about how many bytes a region takes. */
export function bytesOf({ terrain, placements, contents }: MadeRegion): number {
  let bytes = BYTES_PER_REGION + terrain.byteLength;
  for (const { rows, cols } of placements) bytes += rows.byteLength + cols.byteLength;
  for (const content of contents ?? []) bytes += BYTES_PER_PLACEMENT * (content?.length ?? 0);
  return bytes;
}
