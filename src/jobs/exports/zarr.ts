import { dirname, join } from "node:path";
import { makeFolder } from "../../files/folders.js";
import { writeWhole } from "../../files/index.js";
import { type ZarrDataType, zarrArray, zarrGroup, zarrShard, zarrShardPath } from "../../formats/index.js";
import { SECTOR_SIDE } from "../../walks/map/chunk.js";
import type { CellRectangle } from "../../walks/rectangles.js";
import { NO_TERRAIN } from "../../worlds/types.js";
import { folderNameOf } from "../plan/parse.js";
import type { MakePieces, Pieces } from "./pieces.js";
import { type ExportSource, progressOf, type WriteOptions } from "./source.js";
import { removeFile } from "./tiles.js";

export const HEAD = "zarr.json";

interface StoredArray {
  readonly path: string;
  readonly dataType: ZarrDataType;
  readonly fillValue: number;
  readonly cellsOf: (cells: CellRectangle) => Uint8Array | Uint32Array;
}

function arraysOf({ layers, terrain, visits }: ExportSource): StoredArray[] {
  return [
    { path: "terrain", dataType: "uint8", fillValue: NO_TERRAIN, cellsOf: terrain },
    ...layers.map(({ name }): StoredArray => {
      const cellsOf = (cells: CellRectangle) => visits(name, cells);
      return { path: join("visits", folderNameOf(name)), dataType: "uint32", fillValue: 0, cellsOf };
    }),
  ];
}

/** Returns the shards of an array, row by row. */
function shardsOf({ rows, cols }: CellRectangle) {
  const count = (length: number) => Math.ceil(length / SECTOR_SIDE);
  const shardCols = count(cols);
  return Array.from({ length: count(rows) * shardCols }, (_, k) => ({
    r: Math.floor(k / shardCols),
    c: k % shardCols,
  }));
}

/** The shards of all arrays. */
export function zarrPieces(source: ExportSource): Pieces<Uint8Array> {
  const { row0, col0 } = source.window;
  const arrays = arraysOf(source);
  const shards = shardsOf(source.window);
  const make = (k: number) => {
    const { fillValue, cellsOf } = arrays[Math.floor(k / shards.length)];
    const { r, c } = shards[k % shards.length];
    const corner = { row0: row0 + r * SECTOR_SIDE, col0: col0 + c * SECTOR_SIDE };
    // cells outside the window have the fill value
    const cells = cellsOf({ ...corner, rows: SECTOR_SIDE, cols: SECTOR_SIDE });
    return zarrShard(cells, { shardSide: SECTOR_SIDE, fillValue });
  };
  return { count: arrays.length * shards.length, make };
}

/** Writes arrays whose element [0, 0] is the first cell of the window. Writes the file of the group last. */
export async function writeZarr(
  source: ExportSource,
  folder: string,
  call: WriteOptions,
  make: MakePieces,
): Promise<void> {
  const { window, layers, terrains, job, result } = source;
  const { row0, col0, rows, cols } = window;
  const passed = progressOf("the arrays", rows * cols * (1 + layers.length), call);
  const origin = [row0, col0];
  makeFolder(folder);
  await removeFile(join(folder, HEAD));
  const [arrays, shards] = [arraysOf(source), shardsOf(window)];
  let k = 0;
  for await (const shard of make(zarrPieces(source))) {
    const { path, dataType, fillValue } = arrays[Math.floor(k / shards.length)];
    const { r, c } = shards[k++ % shards.length];
    const file = join(folder, path, zarrShardPath(r, c));
    makeFolder(dirname(file), folder);
    await writeWhole(file, shard);
    passed(Math.min(SECTOR_SIDE, rows - r * SECTOR_SIDE) * Math.min(SECTOR_SIDE, cols - c * SECTOR_SIDE));
    if (k % shards.length > 0) continue;
    const array = { shape: [rows, cols] as const, dataType, shardSide: SECTOR_SIDE, fillValue, attributes: { origin } };
    await writeWhole(join(folder, path, HEAD), zarrArray(array));
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
}
