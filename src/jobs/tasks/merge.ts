import { type Bounds, CHUNK_SIDE } from "../../walks/map/chunk.js";
import { type StoredChunk, storedChunksIn } from "../../walks/map/chunkCodec.js";
import { layerPart, sectorName } from "../folder/names.js";
import { putPart } from "../folder/part.js";
import type { TaskContext } from "./context.js";

export function mergeSector(context: TaskContext, layer: number, k: number): void {
  const { job, tables, signal, chunks, workspace } = context;
  const sector = tables.merged(layer)[k];
  const sums = context.sums(job.plan.walk.layers[layer].firstVisit);
  for (const part of tables.shardParts(layer)) {
    signal?.throwIfAborted();
    // new memory for each section would take longer: V8 counts it, and then collects garbage
    const bytes = part.section(sectorName(sector), (length) => workspace.bytes("section", length));
    if (bytes !== undefined) for (const chunk of storedChunksIn(bytes)) sums.add(chunk);
  }
  let bounds: Bounds | null = null;
  chunks.clear();
  for (const chunk of sums.storedChunks()) {
    chunks.add(chunk);
    bounds = grownTo(bounds, chunk);
  }
  putPart(job, layerPart(layer, sector), [{ name: "chunks", bytes: chunks.finish() }], () => ({ bounds }));
}

/** Reads only the cells that are not inside the rectangle. */
function grownTo(bounds: Bounds | null, { chunkRow, chunkCol, visitBytes }: StoredChunk): Bounds | null {
  const [top, left] = [chunkRow * CHUNK_SIDE, chunkCol * CHUNK_SIDE];
  let [row0, col0, row1, col1] = bounds ?? [Infinity, Infinity, -Infinity, -Infinity];
  const rowBytes = visitBytes.length / CHUNK_SIDE;
  const isVisited = (byte: number) => byte !== 0;
  for (let r = 0; r < CHUNK_SIDE; r++) {
    const row = top + r;
    const isInside = row0 <= row && row <= row1;
    if (isInside && col0 <= left && left + CHUNK_SIDE - 1 <= col1) continue;
    const bytes = visitBytes.subarray(r * rowBytes, (r + 1) * rowBytes);
    const first = bytes.findIndex(isVisited);
    if (first === -1) continue;
    const colOf = (byte: number) => left + Math.floor((byte * CHUNK_SIDE) / rowBytes);
    row0 = Math.min(row0, row);
    row1 = Math.max(row1, row);
    col0 = Math.min(col0, colOf(first));
    col1 = Math.max(col1, colOf(bytes.findLastIndex(isVisited)));
  }
  return row0 > row1 ? null : [row0, col0, row1, col1];
}
