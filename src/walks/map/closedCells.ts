import { CHUNK_CELLS, type ClosedChunk, cellIndex, chunkIndex, placeKey } from "./chunk.js";
import type { LayerMap } from "./layerMap.js";

/**
 * The closed cells of a layer: the union of listed cells and of the visited cells of maps. It has a bitmap for each
 * chunk that contains such a cell.
 *
 * Cost: O(listed cells + cells of the maps' chunks) to build, and 512 bytes a chunk.
 */
export class ClosedCells {
  readonly #chunks = new Map<number, ClosedChunk>();

  /** @param cells - Coordinates of the listed cells: row, col, row, col, … */
  constructor(cells: Int32Array, maps: Iterable<LayerMap>) {
    for (let i = 0; i < cells.length; i += 2) {
      const cell = cellIndex(cells[i], cells[i + 1]);
      this.#bitsOf(chunkIndex(cells[i]), chunkIndex(cells[i + 1]))[cell >> 3] |= 1 << (cell & 7);
    }
    for (const map of maps) {
      for (const { chunkRow, chunkCol, visits } of map.chunks()) {
        const bits = this.#bitsOf(chunkRow, chunkCol);
        for (let i = 0; i < CHUNK_CELLS; i++) if (visits[i] !== 0) bits[i >> 3] |= 1 << (i & 7);
      }
    }
  }

  /** The chunks that contain closed cells, in no particular order. */
  chunks(): IterableIterator<ClosedChunk> {
    return this.#chunks.values();
  }

  /** The closed cells of the chunk at a place; undefined if the chunk has none. */
  chunkAt(chunkRow: number, chunkCol: number): ClosedChunk | undefined {
    return this.#chunks.get(placeKey(chunkRow, chunkCol));
  }

  /** Whether a cell is closed. */
  has(row: number, col: number): boolean {
    const chunk = this.chunkAt(chunkIndex(row), chunkIndex(col));
    return chunk !== undefined && hasBit(chunk.bits, cellIndex(row, col));
  }

  #bitsOf(chunkRow: number, chunkCol: number): Uint8Array {
    const key = placeKey(chunkRow, chunkCol);
    const chunk = this.#chunks.get(key) ?? { chunkRow, chunkCol, bits: new Uint8Array(CHUNK_CELLS / 8) };
    this.#chunks.set(key, chunk);
    return chunk.bits;
  }
}

/** Whether cell i of a chunk is closed. */
export function hasBit(bits: Uint8Array, i: number): boolean {
  return ((bits[i >> 3] >> (i & 7)) & 1) !== 0;
}
