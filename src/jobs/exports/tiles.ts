import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../../files/folders.js";
import { writeWhole } from "../../files/index.js";
import { failToWrite } from "../../files/problem.js";
import { parentTile, tilePng, tilePyramid, tileViewer } from "../../formats/index.js";
import { NO_TERRAIN } from "../../worlds/types.js";
import { type ExportSource, progressOf, type WriteOptions } from "./source.js";
import { type TileMap, tileMap } from "./tileMap.js";

export const PAGE = "index.html";
const AT_ONCE = 16;

type Tile = Uint8Array | null;

/** Takes a tile: its cells, or null if all its cells are outside the map. */
type TakeTile = (z: number, x: number, y: number, cells: Tile) => Promise<void>;

export async function writeTiles(source: ExportSource, folder: string, call: WriteOptions): Promise<void> {
  const map = tileMap(source, call);
  makeFolder(folder);
  await removeFile(join(folder, PAGE));
  const write: TakeTile = async (z, x, y, cells) => {
    const file = join(folder, `${z}`, `${x}`, `${y}.png`);
    if (cells === null) return removeFile(file);
    makeFolder(dirname(file), folder);
    await writeWhole(file, tilePng(cells, { colors: map.colors }));
  };
  await makeTiles(map, write, call);
  await writeWhole(join(folder, PAGE), tileViewer(viewOf(source, map)));
}

/** Returns the options of the page that shows the tiles. */
export function viewOf({ job }: ExportSource, { window, legend }: TileMap) {
  const { rows, cols, row0, col0 } = window;
  return { rows, cols, row0, col0, title: job.manifest.name, terrains: legend };
}

/** Makes the tiles of all zooms. The tiles of a row come in any order, because up to {@link AT_ONCE} wait for `take`. */
export async function makeTiles({ pixels, window }: TileMap, take: TakeTile, call: WriteOptions): Promise<void> {
  const { rows, cols, row0, col0 } = window;
  const { deepest, side } = tilePyramid({ rows, cols });
  const pyramid = tileMaker(side, take);
  const passed = progressOf("the tiles", rows * cols, call);
  for (let y = 0; y * side < rows; y++) {
    const tiles = Array.from({ length: Math.ceil(cols / side) }, (_, x) => {
      const tile = pixels({ row0: row0 + y * side, col0: col0 + x * side, rows: side, cols: side });
      return tile.every((pixel) => pixel === NO_TERRAIN) ? null : tile;
    });
    await pyramid.add(deepest, y, tiles);
    passed(Math.min(side, rows - y * side) * cols);
  }
  for (let z = deepest; z > 0; z--) await pyramid.merge(z, []);
}

/** Makes the tiles of a zoom level from the tiles of the next deeper level. Keeps one row of each level in memory. */
function tileMaker(side: number, take: TakeTile) {
  /** For each zoom level: the last row with an even y, until the row below it is made. */
  const north: ({ readonly y: number; readonly tiles: readonly Tile[] } | undefined)[] = [];

  /** Passes on row y of the zoom level z. If y is odd, also makes a row of the level z − 1. */
  async function add(z: number, y: number, tiles: readonly Tile[]): Promise<void> {
    for (let x = 0; x < tiles.length; x += AT_ONCE) {
      await Promise.all(tiles.slice(x, x + AT_ONCE).map((tile, k) => take(z, x + k, y, tile)));
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
