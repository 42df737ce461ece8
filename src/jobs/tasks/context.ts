import { embeddedKernel } from "../../kernel/embedded.js";
import { compileKernel, isKernelCompiled, Kernel, moduleOf } from "../../kernel/index.js";
import { createMill, type Mill } from "../../mill.js";
import { ChunkSums } from "../../walks/kernel.js";
import { ChunkWriter } from "../../walks/map/chunkCodec.js";
import type { World } from "../../worlds/index.js";
import { Workspace } from "../../worlds/workspace.js";
import { type OpenedJob, refuseOtherBuild } from "../folder/manifest.js";
import { JobTables } from "../plan/phases.js";
import type { PhaseKind } from "../types.js";
import { type StoredMaps, storedMaps } from "./storedMaps.js";

/** Share of a thread's memory for the maps of finite layers. */
const MAPS_SHARE = 1 / 8;
/** The rest is for the cells of sectors and for the bytes of parts. */
export const WORLD_SHARE = 3 / 4;
/** The sums of a sector need 8 MiB, the half of them for first visits. The kernel itself has the rest. */
const SUMS_BYTES = 2 ** 24;

const MAX_MEMORY = 2 ** 32;

/** What all tasks of one thread share. The world is opened once, so that tasks share its maps. */
export class TaskContext {
  readonly job: OpenedJob;
  /** In bytes. */
  readonly maxMemory: number;
  readonly signal: AbortSignal | undefined;
  readonly tables: JobTables;
  readonly maps: StoredMaps;
  chunks = new ChunkWriter();
  /** For the cells of a sector, and for the sections that a merge reads. */
  workspace = new Workspace();
  /** Uses a kernel of its own. */
  #sums: { readonly kernel: Kernel; readonly firstVisits: boolean; readonly of: ChunkSums } | undefined;
  #mill: Mill | undefined;
  #bulkMill: Mill | undefined;
  #world: World | undefined;

  constructor(job: OpenedJob, maxMemory: number, signal: AbortSignal | undefined) {
    refuseOtherBuild(job);
    this.job = job;
    this.maxMemory = Math.min(MAX_MEMORY, maxMemory);
    this.signal = signal;
    this.tables = new JobTables(job);
    this.maps = storedMaps(job, this.tables, Math.floor(this.maxMemory * MAPS_SHARE));
  }

  /** For bulk parts, which may have the name of the world: one mill cannot give one name twice. */
  get bulkMill(): Mill {
    this.#bulkMill ??= this.#createMill();
    return this.#bulkMill;
  }

  /** Reads the maps of finite layers from their parts. All finite layers must be merged. */
  get world(): World {
    if (this.#world === undefined) {
      const { spec, manifest } = this.job;
      const maxMemory = Math.floor(this.maxMemory * WORLD_SHARE);
      this.#mill ??= this.#createMill();
      const world = this.#mill.world(manifest.world, spec, { maxMemory, maxRegions: 2 ** 32 });
      world.useMaps(this.maps);
      this.#world = world;
    }
    return this.#world;
  }

  freeFor(kind: PhaseKind): void {
    if (kind !== "cells" && kind !== "merge") this.workspace = new Workspace();
    if (kind !== "walk") this.maps.freeWhole();
    if (kind !== "merge") {
      this.#sums?.kernel.dispose();
      this.#sums = undefined;
    }
    if (kind !== "merge" && kind !== "walk") this.chunks = new ChunkWriter();
  }

  /** Each call uses the memory of the earlier sums again. */
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
    this.workspace = new Workspace();
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
