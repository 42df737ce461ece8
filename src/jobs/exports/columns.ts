import { Watch } from "../../calls/index.js";
import { writeWhole } from "../../files/index.js";
import { type Column, csvChunks, parquetChunks } from "../../formats/index.js";
import { npyHeader } from "../../formats/maps/npy.js";
import { littleEndian } from "../folder/numbers.js";
import { placementBatches } from "../tasks/placements.js";
import { bandsOf, type ExportSource } from "./source.js";
import type { Exporter, WriteOptions } from "./types.js";

export const PARQUET: Exporter = {
  to: "placements.parquet",
  main: "placements.parquet",
  options: ["window"],
  write: async (source, to, options) => writeWhole(to, parquetChunks(columnsOf(source, options))),
};

export const CSV: Exporter = {
  to: "placements.csv",
  main: "placements.csv",
  options: ["window"],
  write: async (source, to, options) => writeWhole(to, csvChunks(columnsOf(source, options))),
};

function columnsOf(source: ExportSource, { signal, onProgress }: WriteOptions): Generator<readonly Column[], void> {
  const watch = new Watch("the placements", source.sectors.length, { signal, onProgress });
  let done = 0;
  return placementBatches(source, () => watch.passed(++done));
}

const BAND_ROWS = 256;

export const NPY: Exporter = {
  to: "terrain.npy",
  main: "terrain.npy",
  options: ["window", "layer"],
  write: async (source, to, options) => writeWhole(to, npyPieces(source, options)),
};

/** The terrain (u8), or the visits of a layer (u32). */
function* npyPieces(source: ExportSource, { layer, signal, onProgress }: WriteOptions): Generator<Uint8Array, void> {
  const { row0, rows, cols } = source.window;
  const watch = new Watch("the array", rows * cols, { signal, onProgress });
  yield npyHeader(rows, cols, layer === undefined ? "|u1" : "<u4");
  for (const band of bandsOf(source.window, BAND_ROWS)) {
    yield layer === undefined ? source.terrain(band) : littleEndian(source.visits(layer, band));
    watch.passed((band.row0 + band.rows - row0) * cols);
  }
}
