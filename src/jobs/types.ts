import type { LongCall } from "../calls/index.js";
import type { CellRectangle } from "../walks/rectangles.js";

export const EXPORT_NAMES = [
  "png",
  "tiles",
  "pmtiles",
  "tiled",
  "heights",
  "zarr",
  "parquet",
  "csv",
  "npy",
  "report",
] as const;
/**
 * The exports of a finished job:
 *
 * - `png`: a picture of the map;
 * - `tiles`: small pictures of the map for all zoom levels, and a page that shows them;
 * - `pmtiles`: the same pictures in one PMTiles file, with a page beside it;
 * - `tiled`: a map for the Tiled map editor;
 * - `heights`: a field, or numbers of a layer, as 16-bit heights for 3D engines;
 * - `zarr`: the terrain and the visits of each layer as Zarr arrays;
 * - `parquet`, `csv`: a row for each placement;
 * - `npy`: the terrain, or the visits of a layer, as one NumPy array;
 * - `report`: a page with the map, all counts, and the exact odds beside them.
 */
export type ExportName = (typeof EXPORT_NAMES)[number];

/** A bulk part as parsed. */
export interface BulkSpec {
  readonly name: string;
  readonly kind: "table" | "recipe" | "objects";
  readonly source: string;
  readonly count: number;
  readonly options: Readonly<Record<string, unknown>>;
}

/** A job as parsed: plain data. */
export interface JobSpec {
  readonly name?: string;
  /** The path of the world's file. Undefined if the job contains the world. */
  readonly worldFile: string | undefined;
  readonly world: unknown;
  readonly seed?: string;
  readonly extent?: "grid" | "reached" | CellRectangle;
  readonly visits?: readonly string[];
  readonly bulk: readonly BulkSpec[];
  readonly exports: readonly ExportName[];
}

/** The order in which sectors are made. `concentric` begins in the middle, so that the middle can be used early. */
export type SectorOrder = "concentric" | "row";

/**
 * The phases in order. For each finite layer, `walk` walks the shards, and `merge` adds them up sector by sector.
 * `cells` makes the sectors, `ordered` draws from stocks of the whole world, and `bulk` makes results in bulk.
 */
export type PhaseKind = "walk" | "merge" | "cells" | "ordered" | "bulk";

/** The tasks of a phase do not depend on one another, but on the results of all earlier phases. */
export interface Phase {
  /** The name, such as `cells`, `walk sea` or `merge sea`. */
  readonly name: string;
  readonly kind: PhaseKind;
  /** Index of the layer of a `walk` or `merge`; -1 for the other phases. */
  readonly layer: number;
}

export interface Task {
  readonly k: number;
  /** The file that exists when the task is done. */
  readonly part: string;
  /** Estimated time in nanoseconds. */
  readonly cost: number;
  /** The work, in the unit of the phase. */
  readonly amount: number;
}

/** A square of 1,024 × 1,024 cells. Its first cell is (1024·i, 1024·j). A job makes and stores its cells by sector. */
export interface Sector {
  readonly i: number;
  readonly j: number;
}

/** The unit in which the work of a phase is counted. */
export type JobUnit = "steps" | "sectors" | "cells" | "results" | "tasks" | "pieces";

/** Progress of a job. Reported when a phase begins, after each task, and when the job begins or ends to wait. */
export interface JobProgress {
  /** The phase that runs, such as `cells`. */
  readonly phase: string;
  /** Number of finished tasks of the phase. */
  readonly done: number;
  /** Number of all tasks of the phase. */
  readonly tasks: number;
  /** The work of the finished tasks of the phase, in the unit `unit`. */
  readonly amount: number;
  /** All work of the phase, in the unit `unit`. */
  readonly total: number;
  readonly unit: JobUnit;
  /** Share of all tasks that is done, 0 … 1, by estimated time. It never decreases while a job runs. */
  readonly share: number;
  /**
   * Estimated seconds until the job is done, exports included, from the times of finished tasks. Undefined as long as no
   * task of this run is finished, and if the workers of a queue do the tasks.
   */
  readonly seconds: number | undefined;
  /** What holds the job back now, for people, such as `waits until 22:00: …`. Undefined if nothing does. */
  readonly waits: string | undefined;
}

/**
 * What a job may use of the machine on which it runs. The job's folder stores these limits, so they also apply when the
 * job is resumed. null removes a limit.
 */
export interface LoadLimits {
  /**
   * Share of the processor time of all cores, 0.01 … 1: 0.5 is half of the cores. The job pauses between tasks, so
   * that the process keeps this share over a minute. If tasks take longer than some seconds, it takes longer, too.
   */
  readonly load?: number | null | undefined;
  /**
   * Hours in local time in which tasks may begin, such as `22:00-06:00`. The first minute counts, the last one does
   * not. A task that runs at the end of the hours is not stopped.
   */
  readonly between?: string | null | undefined;
  /**
   * Begins no task while the load of the other programs of the machine is above this number, at least 0.01. The load is
   * the average number of running threads in the last minute.
   */
  readonly pauseAbove?: number | null | undefined;
}

/** Options of a call that works on a job. */
export interface JobOptions extends Omit<LongCall, "onProgress">, LoadLimits {
  readonly onProgress?: ((progress: JobProgress) => void) | undefined;
  /**
   * Number of threads. Default: one for each core, or one fewer with `nice`. If 1 without `nice` and `signal`, the tasks
   * run in the calling thread.
   */
  readonly threads?: number | undefined;
  /**
   * Maximum memory of all threads together in bytes: at least 64 MiB, and at least 16 MiB for each thread. Default: 1
   * GiB for each thread, but at most three quarters of the memory of the machine.
   */
  readonly maxMemory?: number | undefined;
  /** If true, lowers the priority of the threads, so that other programs go first. Default false. */
  readonly nice?: boolean | undefined;
}

/** Options of a call that creates or starts a job. */
export interface StartOptions extends JobOptions {
  readonly seed?: string | number | undefined;
  /** The local time that scripts of tables see, such as 2026-01-05T08:30. Default: now. */
  readonly now?: string | undefined;
  readonly order?: SectorOrder | undefined;
  /**
   * The folder of an earlier job. The new job takes from it every part that it would make with the same content, and
   * makes the rest. The result is the same as without `from`. The seed and `now` of the earlier job are the defaults.
   */
  readonly from?: string | undefined;
}

/** The result of a job. */
export interface JobResult {
  /** SHA-256 of the whole result. Equal on every machine, for every number of threads, and after every resume. */
  readonly digest: string;
  /** What `world.digest` returns for the extent, if the option `visits` names the layers whose visits the job keeps. */
  readonly world: string;
  /** SHA-256 of all contents from stocks that the whole world shares. Absent if the world has no stock of this kind. */
  readonly ordered?: string;
  /** SHA-256 of each bulk part, by name. */
  readonly bulk: Readonly<Record<string, string>>;
  readonly extent: CellRectangle;
  readonly totals: JobTotals;
  /**
   * A hash of each part of the result, by name: the SHA-256 of its head, without the sizes of compressed sections. The
   * head has the CRC-32 of each section, before it is compressed.
   */
  readonly parts: Readonly<Record<string, string>>;
}

/** The totals of a job. */
export interface JobTotals {
  readonly cells: number;
  /**
   * Number of steps of walkers, exact up to 2⁵³ − 1. A finite layer adds the steps that its walkers took. A scattered
   * layer adds all steps of each walker that starts in a region with cells of the extent, even if `until` ended the
   * walker early. With `density`, it adds the steps of the mean number of walkers. Walkers that start in regions around
   * the extent add nothing.
   */
  readonly steps: number;
  /** Number of cells of each terrain, by name. */
  readonly terrain: Readonly<Record<string, number>>;
  /** Number of placements of each kind, by name. */
  readonly placements: Readonly<Record<string, number>>;
}
