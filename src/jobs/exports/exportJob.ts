import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { LongCall } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import { makeFolder } from "../../files/folders.js";
import { type FileContent, writeWhole } from "../../files/index.js";
import { failToRead, unless } from "../../files/problem.js";
import { isTemporary } from "../../files/temporaries.js";
import { littleEndian } from "../../formats/bytes.js";
import { type Column, csvChunks, parquetChunks } from "../../formats/index.js";
import { npyHeader } from "../../formats/maps/npy.js";
import { checkInteger, checkPath, isParsed, readList, readOptions, refuseArgument } from "../../spec/index.js";
import type { CellRectangle } from "../../walks/rectangles.js";
import { RUNNER, whileHolding } from "../folder/locks.js";
import { readResult } from "../folder/result.js";
import { placementBatches } from "../tasks/placements.js";
import type { ExportName, JobResult } from "../types.js";
import { SCALE, writeHeights } from "./heights.js";
import { writePmtiles } from "./pmtiles.js";
import { pngOf } from "./png.js";
import { writeReport } from "./report.js";
import {
  bandsOf,
  type ExportableJob,
  type Exported,
  type ExportOptions,
  type ExportSource,
  exportSource,
  progressOf,
  type WriteOptions,
} from "./source.js";
import { writeTiled } from "./tiled.js";
import { PAGE, removeFile, writeTiles } from "./tiles.js";
import { HEAD, writeZarr } from "./zarr.js";

interface Exporter {
  /** The name of the file or folder to write, in the folder `exports`. */
  readonly to: string;
  /** If `to` is a folder: the name of the file that is written last. If this file exists, the export is complete. */
  readonly main?: string;
  /** The options of this kind of export. Every kind also has `to`, `signal` and `onProgress`. */
  readonly options: readonly (keyof ExportOptions)[];
  readonly write: (source: ExportSource, to: string, options: WriteOptions) => Promise<void>;
}

function whole(contentOf: (source: ExportSource, options: WriteOptions) => FileContent): Exporter["write"] {
  return async (source, to, options) => writeWhole(to, contentOf(source, options));
}

const EXPORTERS: Readonly<Record<ExportName, Exporter>> = {
  png: { to: "preview.png", options: ["window", "maxSide", "darken", "lighten", "theme"], write: whole(pngOf) },
  tiles: { to: "tiles", main: PAGE, options: ["window", "upright", "marks"], write: writeTiles },
  pmtiles: { to: "map.pmtiles", options: ["window", "upright", "marks"], write: writePmtiles },
  tiled: { to: "map.tmj", options: ["window", "encoding", "infinite"], write: writeTiled },
  heights: {
    to: "heights",
    main: SCALE,
    options: ["window", "field", "layer", "show", "most", "tileSide"],
    write: writeHeights,
  },
  zarr: { to: "map.zarr", main: HEAD, options: ["window"], write: writeZarr },
  parquet: {
    to: "placements.parquet",
    options: ["window"],
    write: whole((...given) => parquetChunks(rowsOf(...given))),
  },
  csv: { to: "placements.csv", options: ["window"], write: whole((...given) => csvChunks(rowsOf(...given))) },
  npy: { to: "terrain.npy", options: ["window", "layer"], write: whole(npyPieces) },
  report: { to: "report.html", options: [], write: writeReport },
};

function rowsOf(source: ExportSource, call: WriteOptions): Generator<readonly Column[], void> {
  const passed = progressOf("the placements", source.sectors.length, call);
  return placementBatches(source, () => passed(1));
}

/** Yields the terrain (u8), or the visits of a layer (u32). */
function* npyPieces(source: ExportSource, { layer, ...call }: WriteOptions): Generator<Uint8Array, void> {
  const { rows, cols } = source.window;
  const passed = progressOf("the array", rows * cols, call);
  yield npyHeader(rows, cols, layer === undefined ? "|u1" : "<u4");
  for (const band of bandsOf(source.window, BAND_ROWS)) {
    yield layer === undefined ? source.terrain(band) : littleEndian(source.visits(layer, band));
    passed(band.rows * cols);
  }
}

const BAND_ROWS = 256;
const MAX_LAYERS = 256;
export const OPENED_JOB = "opened job";
const FOLDER = "exports";

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
  if (options.to !== undefined) return write();
  return whileHolding(job.folder, RUNNER, async () => {
    await sweepExports(job);
    return write();
  });
}

/** Exports into the folder `exports` of the job. The caller must hold the lock of the runner. */
export function exportHeld(job: ExportableJob, kind: ExportName, call: LongCall): Promise<Exported> {
  return writerOf(job, kind, call)();
}

/** Deletes the temporary files that killed processes left. The caller must hold the lock of the runner. */
export async function sweepExports({ folder, opened: { store } }: ExportableJob): Promise<void> {
  store.checkOwn(FOLDER);
  const path = join(folder, FOLDER);
  const read = () => readdir(path, { recursive: true, withFileTypes: true });
  const found = await unless(["ENOENT", "ENOTDIR"], read).catch((cause: unknown) => failToRead(path, cause));
  for (const { name, parentPath } of found ?? []) if (isTemporary(name)) await removeFile(join(parentPath, name));
}

/** Checks all arguments, and returns a function that writes the export. */
function writerOf(job: ExportableJob, kind: ExportName, options: ExportOptions): () => Promise<Exported> {
  if (typeof kind !== "string" || !Object.hasOwn(EXPORTERS, kind)) {
    const expected = Object.keys(EXPORTERS).join(", ");
    fail(error("argument.range", { problem: "unknown export", got: kind, expected }));
  }
  const exporter = EXPORTERS[kind];
  const given = readOptions(`export ${kind}`, options, ["to", ...exporter.options, "signal", "onProgress"]);
  const { to: path, window, ...rest } = given;
  if (path !== undefined) checkPath("to", path);
  if (!isParsed(OPENED_JOB, job)) refuseArgument("job", job, "a job that openJob or createJob returned");
  const { opened } = job;
  const result = readResult(opened);
  if (result === undefined) {
    const remedy = "Resume the job first";
    return fail(error("job.task", { problem: "the job is not finished", remedy, where: { file: job.folder } }));
  }
  const source = exportSource(opened, result, windowIn(result, window));
  const folder = join(job.folder, FOLDER);
  const to = path ?? join(folder, exporter.to);
  if (rest.layer !== undefined) checkLayer(source, rest.layer);
  const [darken, lighten] = [layersIn(source, "darken", rest.darken), layersIn(source, "lighten", rest.lighten)];
  return async () => {
    if (path === undefined) {
      opened.store.checkOwn(FOLDER);
      makeFolder(folder, job.folder);
    }
    await exporter.write(source, to, { ...rest, darken, lighten });
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
  return [FOLDER, to, ...(main === undefined ? [] : [main])].join("/");
}

/** Returns the path of the file that a user opens to see the export. */
export function exportPath({ folder }: Pick<ExportableJob, "folder">, kind: ExportName): string {
  const { to, main = "" } = EXPORTERS[kind];
  return join(folder, FOLDER, to, main);
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
