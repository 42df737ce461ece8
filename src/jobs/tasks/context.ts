import { embeddedKernel } from "../../kernel/embedded.js";
import { compileKernel, isKernelCompiled, Kernel, moduleOf } from "../../kernel/index.js";
import { createMill, type Mill } from "../../mill.js";
import { sourcesUsedBy } from "../../walks/compile.js";
import { LayerMap } from "../../walks/index.js";
import { ChunkSums } from "../../walks/kernel.js";
import type { LayerParts } from "../../walks/layerParts.js";
import { type ChunkSource, placeKey, sectorIndex } from "../../walks/map/chunk.js";
import { ChunkWriter, decodeChunks, narrowChunkOf, storedChunksIn } from "../../walks/map/chunkCodec.js";
import { coordinatesOf } from "../../walks/rectangles.js";
import type { FiniteMaps } from "../../worlds/engine.js";
import type { World } from "../../worlds/index.js";
import { Workspace } from "../../worlds/workspace.js";
import { type OpenedJob, refuseOtherBuild } from "../folder/manifest.js";
import { openPart, partName } from "../folder/part.js";
import { failDamaged } from "../folder/store.js";
import { JobTables } from "../plan/phases.js";
import type { PhaseKind, Sector } from "../types.js";
import { byteCache } from "./byteCache.js";
import { type EarlierCells, earlierCells } from "./earlier.js";

/** Share of a thread's memory for the maps of finite layers. */
const MAPS_SHARE = 1 / 8;
/** Share of a thread's memory for the world. The rest is for the cells of sectors and for the bytes of parts. */
export const WORLD_SHARE = 3 / 4;
/** Memory of a kernel for sums, in bytes. A sector's sums need 4 MiB for visits, and 4 MiB for first visits. */
const SUMS_BYTES = 2 ** 24;

const MAX_MEMORY = 2 ** 32;

/** The state that all tasks of one thread share. Opens the world only once, so that the tasks share its maps. */
export class TaskContext {
  readonly job: OpenedJob;
  readonly maxMemory: number;
  readonly signal: AbortSignal | undefined;
  readonly tables: JobTables;
  readonly maps: StoredMaps;
  chunks = new ChunkWriter();
  /** Memory for the cells of a sector, and for the sections that a merge reads. */
  workspace = new Workspace();
  #shards: { readonly layer: number; readonly parts: LayerParts } | undefined;
  #sums: { readonly kernel: Kernel; readonly firstVisits: boolean; readonly of: ChunkSums } | undefined;
  readonly #mills: Mill[] = [];
  #bulkMill: Mill | undefined;
  #world: World | undefined;
  #earlier: EarlierCells | undefined;

  constructor(job: OpenedJob, maxMemory: number, signal: AbortSignal | undefined) {
    refuseOtherBuild(job);
    this.job = job;
    this.maxMemory = Math.min(MAX_MEMORY, maxMemory);
    this.signal = signal;
    this.tables = new JobTables(job);
    this.maps = storedMaps(job, this.tables, Math.floor(this.maxMemory * MAPS_SHARE));
  }

  /** A separate mill for bulk parts: they may have the world's name, and a mill accepts each name only once. */
  get bulkMill(): Mill {
    this.#bulkMill ??= this.#newMill();
    return this.#bulkMill;
  }

  /** The world. It reads the maps of finite layers from their parts, so all finite layers must be merged. */
  get world(): World {
    if (this.#world !== undefined) return this.#world;
    const { spec, manifest } = this.job;
    const maxMemory = Math.floor(this.maxMemory * WORLD_SHARE);
    const world = this.#newMill().world(manifest.world, spec, { maxMemory, maxRegions: 2 ** 32 });
    world.useMaps(this.maps);
    if (this.earlier !== undefined) world.useStored(this.earlier);
    this.#world = world;
    return world;
  }

  /** The cells of the earlier job. Undefined without `from`, or if another build made the earlier job. */
  get earlier(): EarlierCells | undefined {
    this.#earlier ??= earlierCells(this.job, Math.floor(this.maxMemory * MAPS_SHARE));
    return this.#earlier;
  }

  freeFor(kind: PhaseKind): void {
    if (kind !== "cells" && kind !== "merge") this.workspace = new Workspace();
    if (kind !== "walk") {
      this.#shards?.parts.dispose();
      this.#shards = undefined;
      this.maps.freeWhole();
    }
    if (kind !== "merge") {
      this.#sums?.kernel.dispose();
      this.#sums = undefined;
    }
    if (kind !== "merge" && kind !== "walk") this.chunks = new ChunkWriter();
  }

  /** Opens a finite layer, whose shards then run one after another in the same memory. */
  shards(layer: number): LayerParts {
    if (this.#shards?.layer !== layer || this.#shards.parts.isDisposed) {
      this.#shards?.parts.dispose();
      const plan = this.job.plan.walk.layers[layer];
      const earlier = this.maps.whole(sourcesUsedBy(plan));
      const walkers = { from: 0, to: Math.ceil(plan.walkers / this.job.manifest.shards[plan.name]) };
      const parts = this.world.walk.openParts({ layer: plan.name, walkers, earlier, maxMemory: this.maxMemory });
      this.#shards = { layer, parts };
    }
    return this.#shards.parts;
  }

  /** Returns empty sums. Reuses the memory of the previous sums. */
  sums(firstVisits: boolean): ChunkSums {
    if (this.#sums?.firstVisits !== firstVisits) {
      if (!isKernelCompiled()) compileKernel(embeddedKernel());
      this.#sums?.kernel.dispose();
      const kernel = new Kernel(moduleOf("maps"), SUMS_BYTES);
      this.#sums = { kernel, firstVisits, of: new ChunkSums({ kernel, firstVisits }) };
    }
    this.#sums.of.clear();
    return this.#sums.of;
  }

  dispose(): void {
    this.freeFor("bulk");
    for (const mill of this.#mills) mill.dispose();
  }

  #newMill(): Mill {
    const { seed, now } = this.job.manifest;
    const mill = createMill({ seed, now, maxMemory: this.maxMemory });
    this.#mills.push(mill);
    return mill;
  }
}

/** The merged maps of finite layers. Reads a sector when a cell of it is needed, and keeps the latest sectors. */
interface StoredMaps extends FiniteMaps {
  /** Returns the maps by name. Keeps them for the next call, and drops the maps of other layers. */
  whole(layers: readonly number[]): Readonly<Record<string, LayerMap>>;
  freeWhole(): void;
}

function storedMaps(job: OpenedJob, tables: JobTables, maxBytes: number): StoredMaps {
  const { layers: plans, grid } = job.plan.walk;
  const sector = byteCache<ReturnType<typeof readSector>>(maxBytes, ({ bytes }) => bytes);
  const sources = new Map<number, ChunkSource>();
  const maps = new Map<number, LayerMap>();

  function readSector(name: string) {
    const stored = readChunks(job, name);
    const chunks = storedChunksIn(stored).map((chunk) => [placeKey(chunk.chunkRow, chunk.chunkCol), chunk] as const);
    return { chunks: new Map(chunks), bytes: stored.length };
  }

  function sourceOf(layer: number): ChunkSource {
    const reached = new Set(tables.merged(layer).map((sector) => partName.layer(layer, sector)));
    return {
      chunkAt: (chunkRow, chunkCol) => {
        const name = partName.layer(layer, { i: sectorIndex(chunkRow), j: sectorIndex(chunkCol) });
        if (!reached.has(name)) return undefined;
        const chunk = sector(name, () => readSector(name)).chunks.get(placeKey(chunkRow, chunkCol));
        return chunk && narrowChunkOf(chunk);
      },
    };
  }

  function wholeMap(layer: number): LayerMap {
    const chunksOf = (sector: Sector) => decodeChunks(readChunks(job, partName.layer(layer, sector)));
    return new LayerMap(tables.merged(layer).flatMap(chunksOf), { coordinates: coordinatesOf(grid) });
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
  return openPart(job, name)?.section("chunks") ?? failDamaged(job.store, name);
}
