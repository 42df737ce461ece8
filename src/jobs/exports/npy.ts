import { Watch } from "../../calls/index.js";
import { writeWhole } from "../../files/index.js";
import { npyHeader } from "../../formats/npy.js";
import { littleEndian } from "../folder/numbers.js";
import { bandsOf, type ExportSource } from "./source.js";
import type { Exporter, WriteOptions } from "./types.js";

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
