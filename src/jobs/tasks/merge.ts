import { type Bounds, CHUNK_CELLS, CHUNK_SIDE } from "../../walks/map/chunk.js";
import { type StoredChunk, storedChunksIn } from "../../walks/map/chunkCodec.js";
import type { TaskContext } from "../context.js";
import { putPart } from "../part.js";
import { type LayerMeta, layerPart, sectorName } from "../plan.js";

/** Adds up the visits of all shards in one sector. */
export function mergeSector(context: TaskContext, layer: number, k: number): void {
  const { job, store, tables, signal, chunks } = context;
  const sector = tables.merged(layer)[k];
  const sums = context.sums(job.plan.walk.layers[layer].firstVisit);
  for (const part of tables.shardParts(layer)) {
    signal?.throwIfAborted();
    const bytes = part.section(sectorName(sector));
    if (bytes !== undefined) for (const chunk of storedChunksIn(bytes)) sums.add(chunk);
  }
  let bounds: Bounds | null = null;
  chunks.clear();
  for (const chunk of sums.storedChunks()) {
    chunks.add(chunk);
    bounds = grownTo(bounds, chunk);
  }
  const meta: LayerMeta = { bounds };
  putPart(store, layerPart(layer, sector), [{ name: "chunks", bytes: chunks.finish() }], () => meta);
}

/** Extends a rectangle to the visited cells of a chunk. Reads only chunks that are not inside the rectangle. */
function grownTo(bounds: Bounds | null, { chunkRow, chunkCol, visitBytes }: StoredChunk): Bounds | null {
  const [top, left] = [chunkRow * CHUNK_SIDE, chunkCol * CHUNK_SIDE];
  let [row0, col0, row1, col1] = bounds ?? [Infinity, Infinity, -Infinity, -Infinity];
  if (row0 <= top && col0 <= left && row1 >= top + CHUNK_SIDE - 1 && col1 >= left + CHUNK_SIDE - 1) return bounds;
  const width = visitBytes.length / CHUNK_CELLS;
  for (let i = 0; i < visitBytes.length; i++) {
    if (visitBytes[i] === 0) continue;
    const cell = Math.floor(i / width);
    const [row, col] = [top + Math.floor(cell / CHUNK_SIDE), left + (cell % CHUNK_SIDE)];
    row0 = Math.min(row0, row);
    col0 = Math.min(col0, col);
    row1 = Math.max(row1, row);
    col1 = Math.max(col1, col);
  }
  return row0 > row1 ? null : [row0, col0, row1, col1];
}
