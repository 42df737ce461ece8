import { embeddedKernel } from "../kernel/embedded.js";
import { compileKernel, isKernelCompiled, Kernel, moduleOf } from "../kernel/index.js";
import { createMill, type Mill } from "../mill.js";
import { ChunkSums } from "../walks/kernel/chunkSums.js";
import { ChunkWriter } from "../walks/map/chunkCodec.js";
import type { World } from "../worlds/index.js";
import { Workspace } from "../worlds/workspace.js";
import { type OpenedJob, refuseOtherBuild } from "./manifest.js";
import { JobTables } from "./plan.js";
import type { JobStore } from "./store/types.js";
import { StoredMaps } from "./storedMaps.js";
import type { PhaseKind } from "./types.js";

/** Tasks read the maps of finite layers from parts. The maps get this share of a thread's memory. */
const MAPS_SHARE = 1 / 8;
/** Share of a thread's memory for its world. The rest is for the cells of sectors and for the bytes of parts. */
export const WORLD_SHARE = 3 / 4;
/**
 * Maximum memory, in bytes, of the kernel that adds up the visits of a sector. The sums need 8 MiB: 4 MiB for visits,
 * and 4 MiB for first visits. The kernel itself has the rest.
 */
const SUMS_BYTES = 2 ** 24;

const MOST_MEMORY = 2 ** 32;

/**
 * A job, and the objects that all tasks of one thread share. The world is opened once, so that tasks share its maps.
 */
export class TaskContext {
  readonly job: OpenedJob;
  readonly store: JobStore;
  /** Maximum memory of the thread, in bytes. */
  readonly maxMemory: number;
  /** Aborted when the job is paused. A task checks it every few milliseconds. */
  readonly signal: AbortSignal | undefined;
  readonly tables: JobTables;
  readonly maps: StoredMaps;
  #sums: { readonly kernel: Kernel; readonly firstVisits: boolean; readonly of: ChunkSums } | undefined;
  #chunks: ChunkWriter | undefined;
  #workspace: Workspace | undefined;
  #mill: Mill | undefined;
  #bulkMill: Mill | undefined;
  #world: World | undefined;

  /** @throws RollmillError `job.version` if another build of Rollmill started the job. */
  constructor(
    job: OpenedJob,
    { store, maxMemory, signal }: { store: JobStore; maxMemory: number; signal: AbortSignal | undefined },
  ) {
    refuseOtherBuild({ job, store });
    this.job = job;
    this.store = store;
    this.maxMemory = Math.min(MOST_MEMORY, maxMemory);
    this.signal = signal;
    this.tables = new JobTables(job, store);
    this.maps = new StoredMaps(this.tables, { job, store, maxBytes: Math.floor(this.maxMemory * MAPS_SHARE) });
  }

  get mill(): Mill {
    this.#mill ??= this.#createMill();
    return this.#mill;
  }

  /**
   * A second mill with the seed of the job, only for bulk parts. A bulk part may have the same name as the world, and
   * one mill cannot give one name to both a world and a bulk part.
   */
  get bulkMill(): Mill {
    this.#bulkMill ??= this.#createMill();
    return this.#bulkMill;
  }

  /** The world of the job. It reads the maps of finite layers from their parts. All finite layers must be merged. */
  get world(): World {
    if (this.#world === undefined) {
      const { spec, manifest } = this.job;
      const maxMemory = Math.floor(this.maxMemory * WORLD_SHARE);
      const world = this.mill.world(manifest.world, spec, { maxMemory, maxRegions: 2 ** 32 });
      world.useMaps(this.maps);
      this.#world = world;
    }
    return this.#world;
  }

  /** Encodes the chunks of parts. All tasks use the same memory for this. */
  get chunks(): ChunkWriter {
    this.#chunks ??= new ChunkWriter();
    return this.#chunks;
  }

  /** Memory for the cells of a sector, and for the sections that a merge reads. All tasks use it, one after another. */
  get workspace(): Workspace {
    this.#workspace ??= new Workspace();
    return this.#workspace;
  }

  freeFor(kind: PhaseKind): void {
    if (kind !== "cells" && kind !== "merge") this.#workspace = undefined;
    if (kind !== "walk") this.maps.freeWhole();
    if (kind !== "merge") {
      this.#sums?.kernel.dispose();
      this.#sums = undefined;
    }
    if (kind !== "merge" && kind !== "walk") this.#chunks = undefined;
  }

  /**
   * Returns empty sums of chunks. Each call uses the same memory again, so do not use the sums of an earlier call.
   */
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
    this.freeFor("cells");
    this.#workspace = undefined;
    this.#mill?.dispose();
    this.#bulkMill?.dispose();
    this.#mill = undefined;
    this.#bulkMill = undefined;
    this.#world = undefined;
  }

  #createMill(): Mill {
    const { seed, now } = this.job.manifest;
    return createMill({ seed, now, maxMemory: this.maxMemory });
  }
}
