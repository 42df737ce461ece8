import { type FileContent, writeWhole } from "../../files/index.js";
import { littleEndian } from "../../formats/bytes.js";
import { type Column, csvChunks, parquetChunks } from "../../formats/index.js";
import { npyHeader } from "../../formats/maps/npy.js";
import type { OpenedJob } from "../folder/manifest.js";
import { readResult } from "../folder/result.js";
import { placementBatches } from "../tasks/placements.js";
import type { ExportName } from "../types.js";
import { heightPieces, SCALE, writeHeights } from "./heights.js";
import type { ExportPart, MakePieces, Pieces } from "./pieces.js";
import { writePmtiles } from "./pmtiles.js";
import { pngOf, pngPieces } from "./png.js";
import { writeReport } from "./report.js";
import {
  bandsOf,
  type ExportOptions,
  type ExportSource,
  exportSource,
  progressOf,
  type WriteOptions,
} from "./source.js";
import { tiledPieces, writeTiled } from "./tiled.js";
import { PAGE, TILES, tilePieces, writeTiles } from "./tiles.js";
import { HEAD, writeZarr, zarrPieces } from "./zarr.js";

interface Exporter {
  /** The name of the file or folder to write, in the folder `exports`. */
  readonly to: string;
  /** If `to` is a folder: the name of the file that is written last. If this file exists, the export is complete. */
  readonly main?: string;
  /** The options of this kind of export. Every kind also has `to`, `signal` and `onProgress`. */
  readonly options: readonly (keyof ExportOptions)[];
  readonly write: (source: ExportSource, to: string, options: WriteOptions, make: MakePieces) => Promise<void>;
  /** The pieces that `write` lets `make` make. Default: it makes none. */
  readonly pieces?: (source: ExportSource, options: WriteOptions, to: string) => Pieces<unknown>;
}

type ContentOf = (source: ExportSource, options: WriteOptions, make: MakePieces) => FileContent;

function whole(contentOf: ContentOf): Exporter["write"] {
  return async (source, to, options, make) => writeWhole(to, contentOf(source, options, make));
}

export const EXPORTERS: Readonly<Record<ExportName, Exporter>> = {
  png: {
    to: "preview.png",
    options: ["window", "maxSide", "darken", "lighten", "theme"],
    write: whole(pngOf),
    pieces: pngPieces,
  },
  tiles: { to: TILES, main: PAGE, options: ["window", "upright", "marks"], write: writeTiles, pieces: tilePieces },
  pmtiles: {
    to: "map.pmtiles",
    options: ["window", "upright", "marks"],
    write: writePmtiles,
    pieces: (source, options) => tilePieces(source, options),
  },
  tiled: { to: "map.tmj", options: ["window", "encoding", "infinite"], write: writeTiled, pieces: tiledPieces },
  heights: {
    to: "heights",
    main: SCALE,
    options: ["window", "field", "layer", "show", "most", "tileSide"],
    write: writeHeights,
    pieces: heightPieces,
  },
  zarr: { to: "map.zarr", main: HEAD, options: ["window"], write: writeZarr, pieces: zarrPieces },
  parquet: {
    to: "placements.parquet",
    options: ["window"],
    write: whole((source, options) => parquetChunks(rowsOf(source, options))),
  },
  csv: {
    to: "placements.csv",
    options: ["window"],
    write: whole((source, options) => csvChunks(rowsOf(source, options))),
  },
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

/** Opens the pieces of an export in a thread. */
export function openPieces(
  job: OpenedJob,
  { export: kind, to, window, options }: ExportPart,
  { signal, maxMemory }: { readonly signal: AbortSignal; readonly maxMemory: number },
): Pieces<unknown> {
  const result = readResult(job);
  const { pieces } = EXPORTERS[kind];
  if (result === undefined || pieces === undefined) throw new Error(`the export ${kind} has no pieces`);
  return pieces(exportSource(job, result, { window, maxMemory }), { ...options, signal }, to);
}
