import { LayerMap } from "../../walks/index.js";
import { placeKey, sectorIndex } from "../../walks/map/chunk.js";
import { decodeChunks, narrowChunkOf, type StoredChunk, storedChunksIn } from "../../walks/map/chunkCodec.js";
import type { ChunkSource, FiniteMaps } from "../../worlds/finite.js";
import { failDamaged } from "../folder/checked.js";
import type { OpenedJob } from "../folder/manifest.js";
import { layerPart } from "../folder/names.js";
import { Part } from "../folder/part.js";
import type { JobTables } from "../plan/phases.js";
import type { Sector } from "../types.js";
import { ByteCache } from "./byteCache.js";

interface StoredSector {
  readonly chunks: ReadonlyMap<number, StoredChunk>;
  readonly bytes: number;
}

/** The merged maps of finite layers. Reads a sector when one of its cells is needed, and keeps the latest. */
export class StoredMaps implements FiniteMaps {
  readonly #tables: JobTables;
  readonly #job: OpenedJob;
  readonly #sectors: ByteCache<StoredSector>;
  readonly #sources = new Map<number, ChunkSource>();
  readonly #whole = new Map<number, LayerMap>();

  constructor(job: OpenedJob, tables: JobTables, maxBytes: number) {
    this.#tables = tables;
    this.#job = job;
    this.#sectors = new ByteCache({ maxBytes, bytesOf: ({ bytes }) => bytes });
  }

  /** Infinite, so that the world's cache of regions gets no memory: a job makes each region only once. */
  readonly bytes = Number.POSITIVE_INFINITY;

  run(): void {}

  map(layer: number): ChunkSource {
    const source = this.#sources.get(layer) ?? this.#sourceOf(layer);
    this.#sources.set(layer, source);
    return source;
  }

  #sourceOf(layer: number): ChunkSource {
    const reached = new Set(this.#tables.merged(layer).map((sector) => layerPart(layer, sector)));
    return {
      chunkAt: (chunkRow, chunkCol) => {
        const name = layerPart(layer, { i: sectorIndex(chunkRow), j: sectorIndex(chunkCol) });
        const chunk = reached.has(name) ? this.#sector(name).chunks.get(placeKey(chunkRow, chunkCol)) : undefined;
        return chunk && narrowChunkOf(chunk);
      },
    };
  }

  freeWhole(): void {
    this.#whole.clear();
  }

  /** By name. Keeps the maps for the next call, and drops those of other layers. */
  whole(layers: readonly number[]): Readonly<Record<string, LayerMap>> {
    const { layers: plans, grid } = this.#job.plan.walk;
    const coordinates = "coordinates" in grid && grid.coordinates === "odd-r" ? "odd-r" : "axial";
    const mapOf = (layer: number): LayerMap => {
      const chunks = this.#tables
        .merged(layer)
        .flatMap((sector: Sector) => decodeChunks(readChunks(this.#job, layerPart(layer, sector))));
      return new LayerMap(chunks, { coordinates });
    };
    for (const layer of this.#whole.keys()) if (!layers.includes(layer)) this.#whole.delete(layer);
    for (const layer of layers) if (!this.#whole.has(layer)) this.#whole.set(layer, mapOf(layer));
    return Object.fromEntries([...this.#whole].map(([layer, map]) => [plans[layer].name, map]));
  }

  #sector(name: string): StoredSector {
    return this.#sectors.get(name, () => {
      const stored = readChunks(this.#job, name);
      const chunks = new Map(storedChunksIn(stored).map((chunk) => [placeKey(chunk.chunkRow, chunk.chunkCol), chunk]));
      return { chunks, bytes: stored.length };
    });
  }
}

function readChunks(job: OpenedJob, name: string): Uint8Array {
  return Part.open(job, name)?.section("chunks") ?? failDamaged(job.store, name);
}
