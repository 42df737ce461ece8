import { MapTotals } from "../../walks/map/chunk.js";
import { encodeChunks, storedChunksIn } from "../../walks/map/chunkCodec.js";
import type { TaskContext } from "../context.js";
import { putPart } from "../part.js";
import { type LayerMeta, layerPart, sectorName } from "../plan.js";

/** Adds up the visits of all shards in one sector. */
export function mergeSector(context: TaskContext, layer: number, k: number): void {
  const { job, store, tables, signal } = context;
  const sector = tables.merged(layer)[k];
  const sums = context.sums(job.plan.walk.layers[layer].firstVisit);
  for (const part of tables.shardParts(layer)) {
    signal?.throwIfAborted();
    const bytes = part.section(sectorName(sector));
    if (bytes !== undefined) for (const chunk of storedChunksIn(bytes)) sums.add(chunk);
  }
  const chunks = [...sums.chunks()];
  const totals = new MapTotals();
  for (const chunk of chunks) totals.add(chunk);
  const { bounds, cells, visits } = totals;
  const meta: LayerMeta = { bounds, cells, visits };
  putPart(store, layerPart(layer, sector), [{ name: "chunks", bytes: encodeChunks(chunks) }], () => meta);
}
