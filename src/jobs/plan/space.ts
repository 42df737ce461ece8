import { statfsSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { dirname } from "node:path";
import { error, fail, readFields } from "../../errors/index.js";
import { toNumber } from "../../fractions.js";
import { checkFlag, checkInteger, checkPath, MAX_THREADS, readOptions, refuseArgument } from "../../spec/index.js";
import { SECTOR_SIDE } from "../../walks/map/chunk.js";
import { countOf, regionsNear } from "../../walks/rectangles.js";
import { memoryFor } from "../../worlds/costs.js";
import type { OpenedJob } from "../folder/manifest.js";
import { WORLD_SHARE } from "../tasks/context.js";
import { CELL_NS, JobTables, phasesOf, STEP_NS, sectorsIn } from "./phases.js";
import { type Sample, sampleOf } from "./sample.js";
import { cellsOfSector } from "./sectors.js";
import { walkedSteps } from "./walking.js";

// estimated bytes, if no sample of the world could be made
const PLACEMENT_BYTES = 150;
const RESULT_BYTES = { table: 4, recipe: 24, objects: 40 } as const;

/** Bytes for each cell and layer in the part of a sector. */
const VISITS_BYTES = 1;
const FIRST_VISIT_BYTES = 4;

/** Default memory of a thread, in bytes. */
const THREAD_MEMORY = 2 ** 30;
const MACHINE_SHARE = 3 / 4;
/** If a job has more sectors, the steps around its cells hardly matter. */
const MAX_LISTED = 2 ** 14;

/** Estimates of what a job needs. */
export interface JobNeeds {
  /** Bytes on the disk. If the job's cells are a rectangle, some of them are made to estimate this. */
  readonly disk: number;
  /** Time that one thread of this machine takes, in seconds. Estimated from the same sample. */
  readonly seconds: number;
  /** Steps of all walkers. For a scattered layer, counts the walkers in the extent, but not those around it. */
  readonly steps: number;
  /**
   * Memory in bytes with which a thread walks each region of a scattered layer only once. With less memory, a thread
   * can take ten times as long. 0 if no layer is scattered.
   */
  readonly threadMemory: number;
  /** Number of cells of the extent. Undefined if the extent depends on the cells that the walkers reach. */
  readonly cells: number | undefined;
}

export function needsOf(job: OpenedJob): JobNeeds {
  const { manifest, plan } = job;
  const { extent, bulk } = manifest;
  const cells = extent === "reached" ? undefined : extent.rows * extent.cols;
  const sample = sampleOf(job, usualMemory(1));
  let [disk, steps] = [(cells ?? 0) * (sample?.bytesPerCell ?? bytesPerCell(job)), 0];
  for (const { scatter, walkers, steps: each } of plan.walk.layers) {
    if (scatter === undefined) {
      steps += walkers * each;
      // a walker reaches a new cell with about every tenth step, and each shard stores the cells that it reaches
      disk += Math.min((walkers * each) / 10, 2 ** 32) * 4;
    } else steps += ((cells ?? 0) / scatter.side ** 2) * walkers * each;
  }
  for (const { kind, count } of bulk) disk += count * RESULT_BYTES[kind];
  return { disk, steps, cells, seconds: secondsOf(job, sample), threadMemory: threadMemoryOf(job) };
}

/** Returns an upper bound for the terrain, the placements and the visits of a cell. */
function bytesPerCell({ manifest, plan, spec }: OpenedJob): number {
  const kept = plan.walk.layers.filter(({ name }) => manifest.visits.includes(name));
  const visits = kept.reduce((sum, { firstVisit }) => sum + VISITS_BYTES + (firstVisit ? FIRST_VISIT_BYTES : 0), 0);
  const density = spec.placements.reduce((sum, placement) => sum + toNumber(placement.density), 0);
  return 1 + visits + density * PLACEMENT_BYTES;
}

function secondsOf(job: OpenedJob, sample: Sample | undefined): number {
  const { extent, order } = job.manifest;
  const tables = new JobTables(job);
  let ns = 0;
  for (const phase of phasesOf(job)) {
    const isListed = extent !== "reached" && countOf(regionsNear(extent, { side: SECTOR_SIDE })) <= MAX_LISTED;
    if (phase.kind === "cells" && sample !== undefined && isListed) {
      const cells = sectorsIn(extent, order).map((sector) => cellsOfSector(sector, extent));
      const steps = walkedSteps(job, cells, usualMemory(1)).reduce((sum, each) => sum + each, 0);
      sample.speed.open({ walking: steps * STEP_NS, making: extent.rows * extent.cols * CELL_NS }, 1);
      ns += sample.speed.left();
    } else ns += tables.costOf(phase, ns);
  }
  return ns / 1e9;
}

/** See {@link JobNeeds}. */
export function threadMemoryOf({ manifest, plan }: Pick<OpenedJob, "manifest" | "plan">): number {
  const { extent, visits } = manifest;
  const { rows, cols } = extent === "reached" ? { rows: SECTOR_SIDE, cols: SECTOR_SIDE } : extent;
  const sector = { row0: 0, col0: 0, rows: Math.min(SECTOR_SIDE, rows), cols: Math.min(SECTOR_SIDE, cols) };
  const kept = plan.walk.layers.flatMap(({ name }, layer) => (visits.includes(name) ? [layer] : []));
  return memoryFor(sector, plan, kept) / WORLD_SHARE;
}

/**
 * Checks that the files of a job fit on the disk, and that its threads fit in the memory of the machine.
 *
 * @param needs - The needs of the job, from {@link planJob} or `job.needs`.
 * @param given - `folder` is the folder of the job, which need not exist. `maxMemory` is the memory of all threads
 * together, in bytes; the default is the same as for {@link Job.run}.
 * @throws RollmillError `job.space`; `argument.type`, `argument.range` for invalid arguments.
 */
export function checkSpace(
  needs: JobNeeds,
  given: { readonly folder: string; readonly maxMemory?: number | undefined },
): void {
  const { disk } = readFields("the needs of a job", needs, ["disk"]);
  const { folder, maxMemory = 0 } = readOptions("checkSpace", given, ["folder", "maxMemory"]);
  checkPath("folder", folder);
  checkInteger("maxMemory", maxMemory, 0, Number.MAX_SAFE_INTEGER);
  if (!Number.isFinite(disk) || Number(disk) < 0) {
    refuseArgument("needs.disk", disk, "a finite number of bytes");
  }
  const anyway = "The option --yes starts anyway";
  const free = freeBytes(folder);
  if (free !== undefined && disk > free) {
    const problem = "the job may not fit on the disk";
    const remedy = `Free some space, choose another folder, or keep the visits of fewer layers. ${anyway}`;
    const [got, expected] = [`${free} bytes free`, `about ${Math.ceil(disk)} bytes`];
    fail(error("job.space", { problem, got, expected, remedy, where: { file: folder } }));
  }
  const memory = machineMemory();
  if (maxMemory > memory) {
    const problem = "the job may use more memory than this machine has";
    const remedy = `Use fewer threads, or lower --max-memory. ${anyway}`;
    fail(error("job.space", { problem, got: `${maxMemory} bytes`, expected: `at most ${memory} bytes`, remedy }));
  }
}

export function usualMemory(threads: number): number {
  return Math.min(threads * THREAD_MEMORY, Math.floor(machineMemory() * MACHINE_SHARE));
}

function machineMemory(): number {
  // without a limit, the function returns 0 or a huge number; runtimes other than Node may lack the function
  const limit = (process.constrainedMemory as (() => number) | undefined)?.() ?? 0;
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Returns the free bytes of a disk, or undefined if the system does not report them. The folder need not exist. */
function freeBytes(folder: string): number | undefined {
  for (let at = folder; ; at = dirname(at)) {
    try {
      const { bavail, bsize } = statfsSync(at);
      return bavail * bsize;
    } catch {
      if (dirname(at) === at) return undefined;
    }
  }
}

/** Minimum memory of a job in bytes. It is enough for every task, also in a new thread. */
export const MIN_MEMORY = 2 ** 26;
/** Minimum memory of a thread in bytes. The thread's world gets only a share of it, and needs 4 MiB. */
const MIN_SHARE = 2 ** 24;

export interface Limits {
  readonly threads: number;
  /** Memory of all threads together, in bytes. Each thread gets an equal share. */
  readonly maxMemory: number;
  /** Lets other programs go first: lowers the priority of the threads on Linux, and of the process elsewhere. */
  readonly nice: boolean;
}

/** Checks the limits that are given, and fills in the others. */
export function limitsOf(given: { readonly [K in keyof Limits]?: Limits[K] | undefined }): Limits {
  const { nice = false } = given;
  checkFlag("nice", nice);
  // with `nice`, leaves one core to other programs
  const { threads = Math.max(1, availableParallelism() - (nice ? 1 : 0)) } = given;
  checkInteger("threads", threads, 1, MAX_THREADS);
  const { maxMemory = usualMemory(threads) } = given;
  checkInteger("maxMemory", maxMemory, MIN_MEMORY, Number.MAX_SAFE_INTEGER);
  checkInteger(`"maxMemory" of ${threads} threads`, maxMemory, threads * MIN_SHARE, Number.MAX_SAFE_INTEGER);
  return { threads, maxMemory, nice };
}
