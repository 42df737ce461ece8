import { embeddedKernel } from "../kernel/embedded.js";
import { compileKernel, isKernelCompiled, Kernel } from "../kernel/index.js";
import { createMill, type Mill } from "../mill.js";
import { ChunkSums } from "../walks/kernel/chunkSums.js";
import type { World } from "../worlds/index.js";
import type { OpenedJob } from "./manifest.js";
import { JobTables } from "./plan.js";
import type { JobStore } from "./store/types.js";
import { StoredMaps } from "./storedMaps.js";

/** Share of a thread's memory for the maps of finite layers, which tasks read from parts. */
const MAPS_SHARE = 1 / 4;
/** Maximum memory of the sums of one sector: 8 MiB of visits and first visits, and the memory of the kernel itself. */
const SUMS_BYTES = 2 ** 24;

/** A kernel cannot have more memory. */
const MOST_MEMORY = 2 ** 32;

/** A job, as the tasks of one thread see it. The world is opened once, so that tasks share its maps. */
export class TaskContext {
  readonly job: OpenedJob;
  readonly store: JobStore;
  /** Maximum memory of the thread, in bytes. */
  readonly maxMemory: number;
  /** Aborted when the job is paused. A task checks it every few milliseconds. */
  readonly signal: AbortSignal | undefined;
  readonly tables: JobTables;
  /** The maps of finite layers that are merged. */
  readonly maps: StoredMaps;
  #sumsKernel: Kernel | undefined;
  #mill: Mill | undefined;
  #bulkMill: Mill | undefined;
  #world: World | undefined;

  constructor(
    job: OpenedJob,
    { store, maxMemory, signal }: { store: JobStore; maxMemory: number; signal: AbortSignal | undefined },
  ) {
    this.job = job;
    this.store = store;
    this.maxMemory = Math.min(MOST_MEMORY, maxMemory);
    this.signal = signal;
    this.tables = new JobTables(job, store);
    this.maps = new StoredMaps(this.tables, { job, store, maxBytes: Math.floor(maxMemory * MAPS_SHARE) });
  }

  /** A mill with the seed of the job. */
  get mill(): Mill {
    this.#mill ??= this.#createMill();
    return this.#mill;
  }

  /** Another mill with the seed of the job, for bulk parts: a part may have the name of the world. */
  get bulkMill(): Mill {
    this.#bulkMill ??= this.#createMill();
    return this.#bulkMill;
  }

  /** The world of the job. It reads the maps of finite layers from their parts. All finite layers must be merged. */
  get world(): World {
    if (this.#world === undefined) {
      const { spec, manifest } = this.job;
      const maxMemory = Math.floor(this.maxMemory * (1 - MAPS_SHARE));
      const world = this.mill.world(manifest.world, spec, { maxMemory, maxRegions: 2 ** 32 });
      world.useMaps(this.maps);
      this.#world = world;
    }
    return this.#world;
  }

  /** Returns empty sums of chunks. The sums that an earlier call returned are invalid then. */
  sums(firstVisits: boolean): ChunkSums {
    if (!isKernelCompiled()) compileKernel(embeddedKernel());
    this.#sumsKernel ??= new Kernel(SUMS_BYTES);
    this.#sumsKernel.reset();
    return new ChunkSums({ kernel: this.#sumsKernel, firstVisits });
  }

  /** Frees the memory of the world and of the mills. */
  dispose(): void {
    this.#sumsKernel?.dispose();
    this.#sumsKernel = undefined;
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
