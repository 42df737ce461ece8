import { Watch } from "../../calls/index.js";
import type { Column } from "../../formats/index.js";
import { npyHeader } from "../../formats/maps/npy.js";
import { littleEndian } from "../folder/numbers.js";
import { placementBatches } from "../tasks/placements.js";
import { bandsOf, type ExportSource } from "./source.js";
import type { WriteOptions } from "./types.js";

const BAND_ROWS = 256;

export function placementRows(source: ExportSource, call: WriteOptions): Generator<readonly Column[], void> {
  const watch = new Watch("the placements", source.sectors.length, call);
  let done = 0;
  return placementBatches(source, () => watch.passed(++done));
}

/** The terrain (u8), or the visits of a layer (u32). */
export function* npyPieces(source: ExportSource, { layer, ...call }: WriteOptions): Generator<Uint8Array, void> {
  const { row0, rows, cols } = source.window;
  const watch = new Watch("the array", rows * cols, call);
  yield npyHeader(rows, cols, layer === undefined ? "|u1" : "<u4");
  for (const band of bandsOf(source.window, BAND_ROWS)) {
    yield layer === undefined ? source.terrain(band) : littleEndian(source.visits(layer, band));
    watch.passed((band.row0 + band.rows - row0) * cols);
  }
}
