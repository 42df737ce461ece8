import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { LongCall } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import { makeFolder } from "../../files/folders.js";
import { failToRead, unless } from "../../files/problem.js";
import { isTemporary } from "../../files/temporaries.js";
import { checkInteger, checkPath, isParsed, readList, readOptions, refuseArgument } from "../../spec/index.js";
import type { CellRectangle } from "../../walks/rectangles.js";
import { RUNNER, whileHolding } from "../folder/locks.js";
import type { OpenedJob } from "../folder/manifest.js";
import { readResult } from "../folder/result.js";
import { type Limits, limitsOf } from "../plan/space.js";
import { canStartThreads, ThreadRunner } from "../runner/threads.js";
import type { Throttle } from "../runner/throttle.js";
import type { ExportName, JobResult } from "../types.js";
import { EXPORTERS } from "./exporters.js";
import { madeHere, madeIn } from "./pieces.js";
import {
  EXPORTS_FOLDER,
  type ExportableJob,
  type Exported,
  type ExportOptions,
  type ExportSource,
  exportSource,
} from "./source.js";
import { removeFile } from "./tiles.js";

/** The calling thread makes exports of at most this many cells. It takes less time than the start of threads. */
const FEW_CELLS = 2 ** 24;
const MAX_LAYERS = 256;
export const OPENED_JOB = "opened job";

/**
 * Makes a file or a folder of files from a finished job. Reads the map sector by sector, so the map can be larger than
 * memory. Each file is written completely or not at all. In a folder, {@link Exported.main} is written last.
 *
 * @throws RollmillError `job.task` if the job is not finished; `argument.type`, `argument.range`, `argument.option`;
 * `file.busy` if another process writes into the folder `exports` of the job; `job.damaged`, `file.read`, `file.write`;
 * the reason of an aborted signal.
 */
export async function exportJob(job: ExportableJob, kind: ExportName, options: ExportOptions = {}): Promise<Exported> {
  const write = writerOf(job, kind, options);
  const threads = exportThreads(job.opened, limitsOf({ threads: options.threads }));
  try {
    if (options.to !== undefined) return await write(threads);
    return await whileHolding(job.folder, RUNNER, async () => {
      await sweepExports(job);
      return write(threads);
    });
  } finally {
    await threads.close();
  }
}

/** Exports into the folder `exports` of the job. The caller must hold the lock of the runner. */
export function exportHeld(
  job: ExportableJob,
  kind: ExportName,
  call: LongCall,
  threads?: ExportThreads,
): Promise<Exported> {
  return writerOf(job, kind, call)(threads);
}

type ExportThreads = ReturnType<typeof exportThreads>;

/** Threads for exports. They start when the first large export needs them. */
export function exportThreads(job: OpenedJob, limits: Limits, throttle?: Throttle) {
  let runner: ThreadRunner | undefined;
  const isAlone = (limits.threads === 1 && !limits.nice) || !canStartThreads();
  return {
    runner(): ThreadRunner | undefined {
      if (!isAlone) runner ??= new ThreadRunner(job, limits, throttle);
      return runner;
    },
    close: async () => runner?.close(),
  };
}

/** Deletes the temporary files that killed processes left. The caller must hold the lock of the runner. */
export async function sweepExports({ folder, opened: { store } }: ExportableJob): Promise<void> {
  store.checkOwn(EXPORTS_FOLDER);
  const path = join(folder, EXPORTS_FOLDER);
  const read = () => readdir(path, { recursive: true, withFileTypes: true });
  const found = await unless(["ENOENT", "ENOTDIR"], read).catch((cause: unknown) => failToRead(path, cause));
  for (const { name, parentPath } of found ?? []) if (isTemporary(name)) await removeFile(join(parentPath, name));
}

/** Checks all arguments, and returns a function that writes the export. */
function writerOf(job: ExportableJob, kind: ExportName, options: ExportOptions) {
  if (typeof kind !== "string" || !Object.hasOwn(EXPORTERS, kind)) {
    const expected = Object.keys(EXPORTERS).join(", ");
    fail(error("argument.range", { problem: "unknown export", got: kind, expected }));
  }
  const exporter = EXPORTERS[kind];
  const given = readOptions(`export ${kind}`, options, ["to", ...exporter.options, "threads", "signal", "onProgress"]);
  const { to: path, window, threads: _, ...rest } = given;
  if (path !== undefined) checkPath("to", path);
  if (!isParsed(OPENED_JOB, job)) refuseArgument("job", job, "a job that openJob or createJob returned");
  const { opened } = job;
  const result = readResult(opened);
  if (result === undefined) {
    const remedy = "Resume the job first";
    return fail(error("job.task", { problem: "the job is not finished", remedy, where: { file: job.folder } }));
  }
  const source = exportSource(opened, result, { window: windowIn(result, window) });
  const folder = join(job.folder, EXPORTS_FOLDER);
  const to = path ?? join(folder, exporter.to);
  if (rest.layer !== undefined) checkLayer(source, rest.layer);
  const [darken, lighten] = [layersIn(source, "darken", rest.darken), layersIn(source, "lighten", rest.lighten)];
  return async (threads?: ExportThreads): Promise<Exported> => {
    if (path === undefined) {
      opened.store.checkOwn(EXPORTS_FOLDER);
      makeFolder(folder, job.folder);
    }
    const { signal, onProgress, ...plain } = { ...rest, darken, lighten };
    const isLarge = exporter.pieces !== undefined && source.window.rows * source.window.cols > FEW_CELLS;
    const runner = isLarge ? threads?.runner() : undefined;
    const part = {
      kind: "export",
      name: `export ${kind}`,
      export: kind,
      to,
      window: source.window,
      options: plain,
    } as const;
    const make = runner === undefined ? madeHere : madeIn(runner, part, signal);
    await exporter.write(source, to, { ...plain, signal, onProgress }, make);
    return { kind, to, main: join(to, exporter.main ?? "") };
  };
}

export function isExported({ opened: { store } }: ExportableJob, kind: ExportName): boolean {
  return store.sizeOf(markOf(kind)) !== undefined;
}

/** Removes the file that marks an export as complete, so that the next run makes the export again. */
export function removeExport({ opened: { store } }: ExportableJob, kind: ExportName): void {
  store.remove(markOf(kind));
}

function markOf(kind: ExportName): string {
  const { to, main } = EXPORTERS[kind];
  return [EXPORTS_FOLDER, to, ...(main === undefined ? [] : [main])].join("/");
}

/** Returns the path of the file that a user opens to see the export. */
export function exportPath({ folder }: Pick<ExportableJob, "folder">, kind: ExportName): string {
  const { to, main = "" } = EXPORTERS[kind];
  return join(folder, EXPORTS_FOLDER, to, main);
}

function windowIn({ extent }: JobResult, given: ExportOptions["window"]): CellRectangle {
  if (extent.rows === 0) fail(error("argument.range", { problem: "the job has no cells: no walker made a step" }));
  if (given === undefined) return extent;
  const { row0, col0, rows, cols } = readOptions("window", given, ["row0", "col0", "rows", "cols"]);
  const [lastRow, lastCol] = [extent.row0 + extent.rows - 1, extent.col0 + extent.cols - 1];
  checkInteger("window.row0", row0, extent.row0, lastRow);
  checkInteger("window.col0", col0, extent.col0, lastCol);
  checkInteger("window.rows", rows, 1, lastRow - row0 + 1);
  checkInteger("window.cols", cols, 1, lastCol - col0 + 1);
  return { row0, col0, rows, cols };
}

function layersIn(source: ExportSource, option: string, given: unknown): readonly string[] | undefined {
  if (given === undefined) return undefined;
  const names = readList(option, given, { of: "names of layers", most: MAX_LAYERS });
  for (const name of names) checkLayer(source, name);
  // the cast is safe: `checkLayer` has refused all other values
  return names as readonly string[];
}

function checkLayer({ layers }: ExportSource, layer: unknown): void {
  if (layers.some(({ name }) => name === layer)) return;
  const expected =
    layers.length === 0 ? "no layer, because the job keeps no visits" : layers.map(({ name }) => name).join(", ");
  fail(error("argument.range", { problem: "the job does not keep the visits of this layer", got: layer, expected }));
}
