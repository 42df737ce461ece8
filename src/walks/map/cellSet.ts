import { CHUNK_CELLS, cellIndex, chunkIndex, placeKey, type SetChunk } from "./chunk.js";
import type { LayerMap } from "./layerMap.js";

/**
 * A set of cells. It has a bitmap for each chunk that contains some cells and lacks others. All cells of the other
 * chunks are in the set, or none of them is.
 *
 * Memory: 512 bytes for each bitmap.
 */
export class CellSet {
  /** Whether the set contains the cells of the chunks that have no bitmap. */
  readonly elsewhere: boolean;
  readonly #chunks = new Map<number, SetChunk>();

  constructor({ elsewhere }: { readonly elsewhere: boolean }) {
    this.elsewhere = elsewhere;
  }

  /** The chunks that have a bitmap, in no particular order. */
  chunks(): IterableIterator<SetChunk> {
    return this.#chunks.values();
  }

  /** The bitmap of the chunk at a place; undefined if it has none. */
  chunkAt(chunkRow: number, chunkCol: number): SetChunk | undefined {
    return this.#chunks.get(placeKey(chunkRow, chunkCol));
  }

  /** Whether the set contains a cell. */
  has(row: number, col: number): boolean {
    const chunk = this.chunkAt(chunkIndex(row), chunkIndex(col));
    return chunk === undefined ? this.elsewhere : hasBit(chunk.bits, cellIndex(row, col));
  }

  /** Adds cells: row, col, row, col, … */
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

  /** Removes the visited cells of a map from a set that contains the cells elsewhere. Cost: that of {@link addVisited}. */
  removeVisited(map: LayerMap): void {
    for (const { chunkRow, chunkCol, visits } of map.chunks()) {
      const { bits } = this.chunkAt(chunkRow, chunkCol) ?? this.#addChunk(chunkRow, chunkCol);
      for (let i = 0; i < CHUNK_CELLS; i++) if (visits[i] !== 0) bits[i >> 3] &= ~(1 << (i & 7));
    }
  }

  /** The bits of a chunk to which cells are added; undefined if the set contains all of its cells. */
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
 * The closed cells of a layer: listed cells, the visited cells of maps, and, if there are `open` maps, all cells that
 * none of these maps visited.
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

/** The cells on which walkers end: those that a map visited, or those `outside` them. */
export function endCells(map: LayerMap, kind: "on" | "outside"): CellSet {
  const set = new CellSet({ elsewhere: kind === "outside" });
  if (kind === "on") set.addVisited(map);
  else set.removeVisited(map);
  return set;
}
