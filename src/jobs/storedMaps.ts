import { LayerMap } from "../walks/index.js";
import { type MapChunk, placeKey, sectorIndex } from "../walks/map/chunk.js";
import { decodeChunks } from "../walks/map/chunkCodec.js";
import type { FiniteMaps } from "../worlds/finite.js";
import { ByteCache } from "./byteCache.js";
import type { OpenedJob } from "./manifest.js";
import { Part } from "./part.js";
import { type JobTables, type LayerMeta, layerPart } from "./plan.js";
import { failDamaged } from "./sealed.js";
import type { JobStore } from "./store/types.js";
import type { Sector } from "./types.js";

/** The chunks of one sector of a layer, by their place. */
interface StoredSector {
  readonly chunks: ReadonlyMap<number, MapChunk>;
  readonly bytes: number;
}

/** The merged maps of finite layers. Reads a sector when one of its cells is needed. Keeps the latest sectors. */
export class StoredMaps implements FiniteMaps {
  readonly #tables: JobTables;
  readonly #job: OpenedJob;
  readonly #store: JobStore;
  readonly #sectors: ByteCache<StoredSector>;
  readonly #whole = new Map<number, LayerMap>();

  constructor(
    tables: JobTables,
    { job, store, maxBytes }: { readonly job: OpenedJob; readonly store: JobStore; readonly maxBytes: number },
  ) {
    this.#tables = tables;
    this.#job = job;
    this.#store = store;
    this.#sectors = new ByteCache({ maxBytes, bytesOf: ({ bytes }) => bytes });
  }

  /**
   * Infinity, so that the world's cache of regions gets no memory and keeps only the latest regions: a job makes each
   * region only once. The true limit of these maps is their own share of the thread's memory.
   */
  readonly bytes = Number.POSITIVE_INFINITY;

  run(): void {}

  map(layer: number): { chunkAt(chunkRow: number, chunkCol: number): MapChunk | undefined } {
    const reached = new Set(this.#tables.merged(layer).map((sector) => layerPart(layer, sector)));
    return {
      chunkAt: (chunkRow, chunkCol) => {
        const name = layerPart(layer, { i: sectorIndex(chunkRow), j: sectorIndex(chunkCol) });
        return reached.has(name) ? this.#sector(name).chunks.get(placeKey(chunkRow, chunkCol)) : undefined;
      },
    };
  }

  /** Returns the whole maps of layers, by name. They must fit in memory. */
  whole(layers: readonly number[]): Readonly<Record<string, LayerMap>> {
    const { layers: plans, grid } = this.#job.plan.walk;
    const coordinates = "coordinates" in grid && grid.coordinates === "odd-r" ? "odd-r" : "axial";
    const mapOf = (layer: number): LayerMap => {
      const chunks = this.#tables
        .merged(layer)
        .flatMap((sector: Sector) => [...readChunks(this.#store, layerPart(layer, sector))]);
      return new LayerMap(chunks, { coordinates });
    };
    for (const layer of layers) if (!this.#whole.has(layer)) this.#whole.set(layer, mapOf(layer));
    return Object.fromEntries([...this.#whole].map(([layer, map]) => [plans[layer].name, map]));
  }

  #sector(name: string): StoredSector {
    return this.#sectors.get(name, () => {
      const chunks = new Map<number, MapChunk>();
      let bytes = 0;
      for (const chunk of readChunks(this.#store, name)) {
        chunks.set(placeKey(chunk.chunkRow, chunk.chunkCol), chunk);
        bytes += chunk.visits.byteLength + (chunk.firstVisit?.byteLength ?? 0);
      }
      return { chunks, bytes };
    });
  }
}

/** Reads the chunks of a sector of a merged layer. */
function readChunks(store: JobStore, name: string): Iterable<MapChunk> {
  const part = Part.open<LayerMeta>(store, name);
  return decodeChunks(part?.section("chunks") ?? failDamaged(store, name));
}
