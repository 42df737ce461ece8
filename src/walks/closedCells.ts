import type { LayerMap } from "./layerMap.js";
import { CHUNK_CELLS, cellIndex, chunkIndex, placeKey } from "./mapChunk.js";

/** The closed cells of one chunk: cell i of the chunk is closed where bit i mod 8 of byte ⌊i / 8⌋ is set. 512 bytes. */
export interface ClosedChunk {
  readonly chunkRow: number;
  readonly chunkCol: number;
  readonly bits: Uint8Array;
}

/**
 * The union of listed cells and of all that the given maps visited, as bitmaps by chunk; in no particular order.
 *
 * @param cells - row, col in turn.
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
