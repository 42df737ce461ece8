import { CHUNK_CELLS, cellIndex, chunkIndex, placeKey, type SetChunk } from "./chunk.js";
import type { LayerMap } from "./layerMap.js";

/**
 * A set of cells. A chunk that is only partly in the set has a bitmap. Chunks without a bitmap are completely in the
 * set if `elsewhere` is true, and completely outside if it is false.
 *
 * Memory: 512 bytes for each bitmap.
 */
export class CellSet {
  /** Whether the cells of chunks without a bitmap are in the set. */
  readonly elsewhere: boolean;
  readonly #chunks = new Map<number, SetChunk>();

  constructor({ elsewhere }: { readonly elsewhere: boolean }) {
    this.elsewhere = elsewhere;
  }

  /** The chunks that have a bitmap, in no particular order. */
  chunks(): IterableIterator<SetChunk> {
    return this.#chunks.values();
  }

  /** The bitmap of the chunk at (chunkRow, chunkCol); undefined if the chunk has no bitmap. */
  chunkAt(chunkRow: number, chunkCol: number): SetChunk | undefined {
    return this.#chunks.get(placeKey(chunkRow, chunkCol));
  }

  /** Whether the set contains a cell. */
  has(row: number, col: number): boolean {
    const chunk = this.chunkAt(chunkIndex(row), chunkIndex(col));
    return chunk === undefined ? this.elsewhere : hasBit(chunk.bits, cellIndex(row, col));
  }

  /** Adds cells, given as row, col, row, col, … */
  addCells(cells: Int32Array): void {
    for (let i = 0; i < cells.length; i += 2) {
      const cell = cellIndex(cells[i], cells[i + 1]);
      const bits = this.#bitsToAdd(chunkIndex(cells[i]), chunkIndex(cells[i + 1]));
      if (bits !== undefined) bits[cell >> 3] |= 1 << (cell & 7);
    }
  }

  /** Adds the visited cells of a map. Cost: O(cells of the map's chunks). */
  addVisited(map: LayerMap): void {
    for (const { chunkRow, chunkCol, visits } of map.chunks()) {
      const bits = this.#bitsToAdd(chunkRow, chunkCol);
      if (bits === undefined) continue;
      for (let i = 0; i < CHUNK_CELLS; i++) if (visits[i] !== 0) bits[i >> 3] |= 1 << (i & 7);
    }
  }

  /** Removes the visited cells of a map. `elsewhere` must be true. Cost: O(cells of the map's chunks). */
  removeVisited(map: LayerMap): void {
    for (const { chunkRow, chunkCol, visits } of map.chunks()) {
      const { bits } = this.chunkAt(chunkRow, chunkCol) ?? this.#addChunk(chunkRow, chunkCol);
      for (let i = 0; i < CHUNK_CELLS; i++) if (visits[i] !== 0) bits[i >> 3] &= ~(1 << (i & 7));
    }
  }

  /**
   * Returns the bitmap of a chunk, and creates it if needed. Undefined if all cells of the chunk are already in the
   * set.
   */
  #bitsToAdd(chunkRow: number, chunkCol: number): Uint8Array | undefined {
    const chunk = this.chunkAt(chunkRow, chunkCol);
    if (chunk !== undefined || this.elsewhere) return chunk?.bits;
    return this.#addChunk(chunkRow, chunkCol).bits;
  }

  #addChunk(chunkRow: number, chunkCol: number): SetChunk {
    const bits = new Uint8Array(CHUNK_CELLS / 8).fill(this.elsewhere ? 0xff : 0);
    const chunk = { chunkRow, chunkCol, bits };
    this.#chunks.set(placeKey(chunkRow, chunkCol), chunk);
    return chunk;
  }
}

/** Whether cell i of a chunk is in a set. */
export function hasBit(bits: Uint8Array, i: number): boolean {
  return ((bits[i >> 3] >> (i & 7)) & 1) !== 0;
}

/**
 * Returns the closed cells of a layer: the listed cells, and the visited cells of the `closed` maps. If there are
 * `open` maps, a cell is also closed if it has visits in none of the `open` maps.
 *
 * Cost: O(listed cells + cells of the maps' chunks).
 *
 * @param cells - The listed cells: row, col, row, col, …
 */
export function closedCells(
  cells: Int32Array,
  closed: Iterable<LayerMap> = [],
  open: readonly LayerMap[] = [],
): CellSet {
  const set = new CellSet({ elsewhere: open.length > 0 });
  for (const map of open) set.removeVisited(map);
  set.addCells(cells);
  for (const map of closed) set.addVisited(map);
  return set;
}

/**
 * Returns the cells on which walkers end. For `on`, these are the visited cells of the map. For `outside`, these are
 * all unvisited cells.
 */
export function endCells(map: LayerMap, kind: "on" | "outside"): CellSet {
  const set = new CellSet({ elsewhere: kind === "outside" });
  if (kind === "on") set.addVisited(map);
  else set.removeVisited(map);
  return set;
}
