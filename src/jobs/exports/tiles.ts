import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../../files/folders.js";
import { writeWhole } from "../../files/index.js";
import { failToWrite } from "../../files/problem.js";
import { parentTile, tilePng, tilePyramid, tileViewer } from "../../formats/index.js";
import { NO_TERRAIN } from "../../worlds/types.js";
import { type ExportSource, type PixelMap, pixelMap, progressOf, type WriteOptions } from "./source.js";

export const PAGE = "index.html";
const AT_ONCE = 16;

type Tile = Uint8Array | null;

export async function writeTiles(source: ExportSource, folder: string, call: WriteOptions): Promise<void> {
  const { rows, cols, row0, col0 } = source.window;
  const { deepest, side } = tilePyramid({ rows, cols });
  const map = pixelMap(source);
  const pyramid = tileWriter(folder, { colors: map.colors, side });
  const passed = progressOf("the tiles", rows * cols, call);
  makeFolder(folder);
  await removeFile(join(folder, PAGE));
  for (let y = 0; y * side < rows; y++) {
    const tiles = Array.from({ length: Math.ceil(cols / side) }, (_, x) => {
      const tile = map.pixels({ row0: row0 + y * side, col0: col0 + x * side, rows: side, cols: side });
      return tile.every((pixel) => pixel === NO_TERRAIN) ? null : tile;
    });
    await pyramid.add(deepest, y, tiles);
    passed(Math.min(side, rows - y * side) * cols);
  }
  for (let z = deepest; z > 0; z--) await pyramid.merge(z, []);
  const { terrains, job } = source;
  const page = tileViewer({ rows, cols, row0, col0, side, title: job.manifest.name, terrains });
  await writeWhole(join(folder, PAGE), page);
}

/** Makes the tiles of a zoom level from the tiles of the next deeper level. Keeps one row of each level in memory. */
function tileWriter(folder: string, { colors, side }: Pick<PixelMap, "colors"> & { readonly side: number }) {
  /** For each zoom level: the last row with an even y, until the row below it is made. */
  const north: ({ readonly y: number; readonly tiles: readonly Tile[] } | undefined)[] = [];

  async function write(name: string, tile: Tile): Promise<void> {
    const file = join(folder, ...name.split("/"));
    if (tile === null) return removeFile(file);
    makeFolder(dirname(file), folder);
    await writeWhole(file, tilePng(tile, { colors }));
  }

  /** Writes row y of the zoom level z. If y is odd, also makes a row of the level z − 1. */
  async function add(z: number, y: number, tiles: readonly Tile[]): Promise<void> {
    for (let x = 0; x < tiles.length; x += AT_ONCE) {
      await Promise.all(tiles.slice(x, x + AT_ONCE).map((tile, k) => write(`${z}/${x + k}/${y}.png`, tile)));
    }
    if (z > 0 && y % 2 === 0) north[z] = { y, tiles };
    else if (z > 0) await merge(z, tiles);
  }

  /** Makes a row of the level z − 1 from `north[z]` and the row `south` below it. Below the map, `south` is empty. */
  async function merge(z: number, south: readonly Tile[]): Promise<void> {
    const upper = north[z];
    if (upper === undefined) return;
    north[z] = undefined;
    const parents = Array.from({ length: Math.ceil(upper.tiles.length / 2) }, (_, x) => {
      const tile = (row: readonly Tile[], k: number) => row[2 * x + k] ?? null;
      const four = [tile(upper.tiles, 0), tile(upper.tiles, 1), tile(south, 0), tile(south, 1)] as const;
      return four.every((one) => one === null) ? null : parentTile([...four], { side });
    });
    await add(z - 1, upper.y / 2, parents);
  }

  return { add, merge };
}

export async function removeFile(file: string): Promise<void> {
  await rm(file, { force: true }).catch((cause) => failToWrite(file, cause));
}
