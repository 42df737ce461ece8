import { layersUsedBy } from "../../walks/compile.js";
import { type ChunkPlace, sectorIndex } from "../../walks/map/chunk.js";
import type { ChunkWriter, StoredChunk } from "../../walks/map/chunkCodec.js";
import type { ShardMeta } from "../folder/heads.js";
import { furtherPart, sectorName, shardPart } from "../folder/names.js";
import { putPart, type Section } from "../folder/part.js";
import { shardOf } from "../plan/phases.js";
import type { TaskContext } from "./context.js";

/** A map of visits that becomes too large for the memory is written as a further part, and begun again. */
export function walkShard(context: TaskContext, layer: number, k: number): void {
  const { job, signal, maxMemory, maps, world } = context;
  const plan = job.plan.walk.layers[layer];
  const walkers = shardOf({ walkers: plan.walkers, shards: job.manifest.shards[plan.name] }, k);
  const earlier = maps.whole(layersUsedBy(plan));
  const further: string[] = [];
  for (const { walkerTotals, storedChunks } of world.walk.runParts({
    layer: plan.name,
    walkers,
    earlier,
    signal,
    maxMemory,
  })) {
    const isLast = walkerTotals !== undefined;
    const name = isLast ? shardPart(layer, k) : furtherPart(layer, k, { maxMemory, n: further.length });
    const meta: ShardMeta = isLast ? { steps: walkerTotals.steps, further } : { steps: 0, further: [] };
    putPart(context.job, name, sectionsOf(storedChunks(), context.chunks), () => meta);
    if (!isLast) further.push(name);
  }
}

/** Yields a section for each sector. The chunks are sorted by sector. */
function* sectionsOf(chunks: Iterable<StoredChunk>, writer: ChunkWriter): Generator<Section, void> {
  let name = "";
  // if an earlier task was stopped, the writer still has its chunks
  writer.clear();
  for (const chunk of chunks) {
    const next = nameOf(chunk);
    if (next !== name && !writer.isEmpty) yield { name, bytes: writer.finish() };
    name = next;
    writer.add(chunk);
  }
  if (!writer.isEmpty) yield { name, bytes: writer.finish() };
}

function nameOf({ chunkRow, chunkCol }: ChunkPlace): string {
  return sectorName({ i: sectorIndex(chunkRow), j: sectorIndex(chunkCol) });
}
