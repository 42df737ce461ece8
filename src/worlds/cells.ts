import { CHUNK_CELLS, CHUNK_SIDE, type MapChunk } from "../walks/map/chunk.js";
import { LayerMap } from "../walks/map/layerMap.js";
import type { CellRectangle } from "../walks/rectangles.js";

/** Returns the visits of a rectangle of whole chunks, given row by row, as a map. */
export function mapOfCells(visits: Uint32Array, { row0, col0, rows, cols }: CellRectangle): LayerMap {
  const chunks: MapChunk[] = [];
  for (let row = 0; row < rows; row += CHUNK_SIDE) {
    for (let col = 0; col < cols; col += CHUNK_SIDE) {
      const cells = new Uint32Array(CHUNK_CELLS);
      for (let r = 0; r < CHUNK_SIDE; r++) {
        const at = (row + r) * cols + col;
        cells.set(visits.subarray(at, at + CHUNK_SIDE), r * CHUNK_SIDE);
      }
      chunks.push({ chunkRow: (row0 + row) / CHUNK_SIDE, chunkCol: (col0 + col) / CHUNK_SIDE, visits: cells });
    }
  }
  return new LayerMap(chunks);
}
