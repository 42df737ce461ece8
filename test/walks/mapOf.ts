import { LayerMap, type MapChunk, NEVER } from "../../src/walks/index.js";
import { CHUNK_CELLS } from "../../src/walks/map/chunk.js";

/** row, col, visits and, where kept, the first visit. */
export type Visited = readonly [row: number, col: number, visits: number, first?: number];

/** Builds a map the slow way, cell by cell; a cell listed again replaces the first. */
export function mapOf(cells: readonly Visited[]): LayerMap {
  const chunks = new Map<string, MapChunk>();
  for (const [row, col, visits, first] of cells) {
    const [chunkRow, chunkCol] = [Math.floor(row / 64), Math.floor(col / 64)];
    const key = `${chunkRow},${chunkCol}`;
    const firstVisit = first === undefined ? {} : { firstVisit: new Uint32Array(CHUNK_CELLS).fill(NEVER) };
    const chunk = chunks.get(key) ?? { chunkRow, chunkCol, visits: new Uint32Array(CHUNK_CELLS), ...firstVisit };
    chunks.set(key, chunk);
    const cell = (row - chunkRow * 64) * 64 + (col - chunkCol * 64);
    chunk.visits[cell] = visits;
    if (first !== undefined && chunk.firstVisit !== undefined) chunk.firstVisit[cell] = first;
  }
  return new LayerMap(chunks.values());
}
