import { dirname, join } from "node:path";
import { makeFolder } from "../../files/folders.js";
import { writeWhole } from "../../files/index.js";
import { type ZarrDataType, zarrArray, zarrGroup, zarrShard, zarrShardPath } from "../../formats/index.js";
import { SECTOR_SIDE } from "../../walks/map/chunk.js";
import type { CellRectangle } from "../../walks/rectangles.js";
import { NO_TERRAIN } from "../../worlds/types.js";
import { folderNameOf } from "../plan/parse.js";
import { type ExportSource, progressOf, type WriteOptions } from "./source.js";
import { removeFile } from "./tiles.js";

export const HEAD = "zarr.json";

/** Writes arrays whose element [0, 0] is the first cell of the window. Writes the file of the group last. */
export async function writeZarr(source: ExportSource, folder: string, call: WriteOptions): Promise<void> {
  const { window, layers, terrains, job, result } = source;
  const { row0, col0, rows, cols } = window;
  const passed = progressOf("the arrays", rows * cols * (1 + layers.length), call);
  const origin = [row0, col0];
  makeFolder(folder);
  await removeFile(join(folder, HEAD));
  await writeArray("terrain", { dataType: "uint8", fillValue: NO_TERRAIN }, (cells) => source.terrain(cells));
  for (const { name } of layers) {
    const path = join("visits", folderNameOf(name));
    await writeArray(path, { dataType: "uint32", fillValue: 0 }, (cells) => source.visits(name, cells));
  }
  if (layers.length > 0) await writeWhole(join(folder, "visits", HEAD), zarrGroup());
  const head = zarrGroup({
    origin,
    name: job.manifest.name,
    seed: job.manifest.seed,
    digest: result.digest,
    coordinates: source.coordinates,
    terrains: terrains.map(({ name, color }) => ({ name, color: [...color] })),
  });
  await writeWhole(join(folder, HEAD), head);

  async function writeArray(
    path: string,
    { dataType, fillValue }: { readonly dataType: ZarrDataType; readonly fillValue: number },
    cellsOf: (cells: CellRectangle) => Uint8Array | Uint32Array,
  ): Promise<void> {
    const shards = { shardSide: SECTOR_SIDE, fillValue };
    for (let r = 0; r * SECTOR_SIDE < rows; r++) {
      for (let c = 0; c * SECTOR_SIDE < cols; c++) {
        const corner = { row0: row0 + r * SECTOR_SIDE, col0: col0 + c * SECTOR_SIDE };
        // cells outside the window have the fill value
        const cells = cellsOf({ ...corner, rows: SECTOR_SIDE, cols: SECTOR_SIDE });
        const file = join(folder, path, zarrShardPath(r, c));
        makeFolder(dirname(file), folder);
        await writeWhole(file, await zarrShard(cells, shards));
        passed(Math.min(SECTOR_SIDE, rows - r * SECTOR_SIDE) * Math.min(SECTOR_SIDE, cols - c * SECTOR_SIDE));
      }
    }
    const head = zarrArray({ shape: [rows, cols], dataType, ...shards, attributes: { origin } });
    await writeWhole(join(folder, path, HEAD), head);
  }
}
