import { Watch } from "../../calls/index.js";
import { writeWhole } from "../../files/index.js";
import { type Column, csvChunks, parquetChunks } from "../../formats/index.js";
import { placementBatches } from "../tasks/placements.js";
import type { ExportSource } from "./source.js";
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
