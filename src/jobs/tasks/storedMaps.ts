import { LayerMap } from "../../walks/index.js";
import { placeKey, sectorIndex } from "../../walks/map/chunk.js";
import { decodeChunks, narrowChunkOf, type StoredChunk, storedChunksIn } from "../../walks/map/chunkCodec.js";
import type { ChunkSource, FiniteMaps } from "../../worlds/engine.js";
import { failDamaged } from "../folder/checked.js";
import type { OpenedJob } from "../folder/manifest.js";
import { layerPart } from "../folder/names.js";
import { Part } from "../folder/part.js";
import type { JobTables } from "../plan/phases.js";
import type { Sector } from "../types.js";
import { ByteCache } from "./byteCache.js";

/** The merged maps of finite layers. Reads a sector when one of its cells is needed, and keeps the latest. */
export interface StoredMaps extends FiniteMaps {
  /** By name. Keeps the maps for the next call, and drops those of other layers. */
  whole(layers: readonly number[]): Readonly<Record<string, LayerMap>>;
  freeWhole(): void;
}

export function storedMaps(job: OpenedJob, tables: JobTables, maxBytes: number): StoredMaps {
  const { layers: plans, grid } = job.plan.walk;
  const sectors = new ByteCache<ReturnType<typeof sectorNamed>>(maxBytes, ({ bytes }) => bytes);
  const sources = new Map<number, ChunkSource>();
  const maps = new Map<number, LayerMap>();

  function sectorNamed(name: string): { readonly chunks: ReadonlyMap<number, StoredChunk>; readonly bytes: number } {
    const stored = readChunks(job, name);
    const chunks = storedChunksIn(stored).map((chunk) => [placeKey(chunk.chunkRow, chunk.chunkCol), chunk] as const);
    return { chunks: new Map(chunks), bytes: stored.length };
  }

  function sourceOf(layer: number): ChunkSource {
    const reached = new Set(tables.merged(layer).map((sector) => layerPart(layer, sector)));
    return {
      chunkAt: (chunkRow, chunkCol) => {
        const name = layerPart(layer, { i: sectorIndex(chunkRow), j: sectorIndex(chunkCol) });
        if (!reached.has(name)) return undefined;
        const chunk = sectors.get(name, () => sectorNamed(name)).chunks.get(placeKey(chunkRow, chunkCol));
        return chunk && narrowChunkOf(chunk);
      },
    };
  }

  function wholeMap(layer: number): LayerMap {
    const coordinates = "coordinates" in grid && grid.coordinates === "odd-r" ? "odd-r" : "axial";
    const chunksOf = (sector: Sector) => decodeChunks(readChunks(job, layerPart(layer, sector)));
    return new LayerMap(tables.merged(layer).flatMap(chunksOf), { coordinates });
  }

  return {
    // infinite, so that the world's cache of regions gets no memory: a job makes each region only once
    bytes: Number.POSITIVE_INFINITY,
    run: () => undefined,
    map(layer) {
      const source = sources.get(layer) ?? sourceOf(layer);
      sources.set(layer, source);
      return source;
    },
    whole(layers) {
      for (const layer of maps.keys()) if (!layers.includes(layer)) maps.delete(layer);
      for (const layer of layers) if (!maps.has(layer)) maps.set(layer, wholeMap(layer));
      return Object.fromEntries([...maps].map(([layer, map]) => [plans[layer].name, map]));
    },
    freeWhole: () => maps.clear(),
  };
}

function readChunks(job: OpenedJob, name: string): Uint8Array {
  return Part.open(job, name)?.section("chunks") ?? failDamaged(job.store, name);
}
