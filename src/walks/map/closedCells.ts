import { CHUNK_CELLS, type ClosedChunk, cellIndex, chunkIndex, placeKey } from "./chunk.js";
import type { LayerMap } from "./layerMap.js";

/**
 * Returns the union of the listed cells and the visited cells of the maps. The result has a bitmap for each chunk that
 * contains such a cell, in no particular order.
 *
 * @param cells - Coordinates of the listed cells: row, col, row, col, …
 */
export function closedChunks(cells: Int32Array, maps: Iterable<LayerMap>): ClosedChunk[] {
  const chunks = new Map<number, ClosedChunk>();
  const bitsOf = (chunkRow: number, chunkCol: number): Uint8Array => {
    const key = placeKey(chunkRow, chunkCol);
    const chunk = chunks.get(key) ?? { chunkRow, chunkCol, bits: new Uint8Array(CHUNK_CELLS / 8) };
    chunks.set(key, chunk);
    return chunk.bits;
  };
  for (let i = 0; i < cells.length; i += 2) {
    const cell = cellIndex(cells[i], cells[i + 1]);
    bitsOf(chunkIndex(cells[i]), chunkIndex(cells[i + 1]))[cell >> 3] |= 1 << (cell & 7);
  }
  for (const map of maps) {
    for (const { chunkRow, chunkCol, visits } of map.chunks()) {
      const bits = bitsOf(chunkRow, chunkCol);
      for (let i = 0; i < CHUNK_CELLS; i++) if (visits[i] !== 0) bits[i >> 3] |= 1 << (i & 7);
    }
  }
  return [...chunks.values()];
}
