import { dirname, join } from "node:path";
import { Watch } from "../../calls/index.js";
import { writeWhole } from "../../files/index.js";
import { makeFolder } from "../../files/makeFolder.js";
import {
  type ZarrAttributes,
  type ZarrDataType,
  zarrArray,
  zarrGroup,
  zarrShard,
  zarrShardPath,
} from "../../formats/index.js";
import { SECTOR_SIDE } from "../../walks/map/chunk.js";
import type { CellRectangle } from "../../walks/rectangles.js";
import { NO_TERRAIN } from "../../worlds/types.js";
import { folderNameOf } from "../folder/names.js";
import type { ExportSource } from "./source.js";
import { removeFile } from "./tiles.js";
import type { Exporter, WriteOptions } from "./types.js";

const HEAD = "zarr.json";

export const ZARR: Exporter = { to: "map.zarr", main: `map.zarr/${HEAD}`, options: ["window"], write: writeZarr };

/** Element [0, 0] of each array is the first cell of the window. The file of the group is written last. */
async function writeZarr(source: ExportSource, folder: string, { signal, onProgress }: WriteOptions): Promise<void> {
  const { window, layers, terrains, job, result } = source;
  const watch = new Watch("the arrays", window.rows * window.cols * (1 + layers.length), { signal, onProgress });
  const origin = [window.row0, window.col0];
  makeFolder(folder);
  await removeFile(join(folder, HEAD));
  const call = { window, watch, origin, folder };
  await writeArray(call, {
    path: "terrain",
    dataType: "uint8",
    fillValue: NO_TERRAIN,
    done: 0,
    cells: (cells) => source.terrain(cells),
  });
  for (const [n, { name }] of layers.entries()) {
    await writeArray(call, {
      path: join("visits", folderNameOf(name)),
      dataType: "uint32",
      fillValue: 0,
      done: (n + 1) * window.rows * window.cols,
      cells: (cells) => source.visits(name, cells),
    });
  }
  if (layers.length > 0) await writeWhole(join(folder, "visits", HEAD), zarrGroup());
  const attributes: ZarrAttributes = {
    origin,
    name: job.manifest.name,
    seed: job.manifest.seed,
    digest: result.digest,
    coordinates: source.coordinates,
    terrains: terrains.map(({ name, color }) => ({ name, color: [...color] })),
  };
  await writeWhole(join(folder, HEAD), zarrGroup(attributes));
}

interface ArrayCall {
  readonly window: CellRectangle;
  readonly watch: Watch;
  readonly origin: number[];
  readonly folder: string;
}

async function writeArray(
  { window, watch, origin, folder }: ArrayCall,
  array: {
    /** Relative to `folder`. */
    readonly path: string;
    readonly dataType: ZarrDataType;
    readonly fillValue: number;
    /** Cells of the arrays before, for the progress. */
    readonly done: number;
    readonly cells: (cells: CellRectangle) => Uint8Array | Uint32Array;
  },
): Promise<void> {
  const { path, dataType, fillValue } = array;
  const { row0, col0, rows, cols } = window;
  const shards = { shardSide: SECTOR_SIDE, fillValue };
  let { done } = array;
  for (let r = 0; r * SECTOR_SIDE < rows; r++) {
    for (let c = 0; c * SECTOR_SIDE < cols; c++) {
      const corner = { row0: row0 + r * SECTOR_SIDE, col0: col0 + c * SECTOR_SIDE };
      // cells outside the window have the fill value
      const cells = array.cells({ ...corner, rows: SECTOR_SIDE, cols: SECTOR_SIDE });
      const file = join(folder, path, zarrShardPath(r, c));
      makeFolder(dirname(file), folder);
      await writeWhole(file, await zarrShard(cells, shards));
      done += Math.min(SECTOR_SIDE, rows - r * SECTOR_SIDE) * Math.min(SECTOR_SIDE, cols - c * SECTOR_SIDE);
      watch.passed(done);
    }
  }
  const head = zarrArray({ shape: [rows, cols], dataType, ...shards, attributes: { origin } });
  await writeWhole(join(folder, path, HEAD), head);
}
