import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Watch } from "../../calls/index.js";
import { writeWhole } from "../../files/index.js";
import { makeFolder } from "../../files/makeFolder.js";
import { failToWrite } from "../../files/problem.js";
import { parentTile, tilePng, tilePyramid, tileViewer } from "../../formats/index.js";
import { NO_TERRAIN } from "../../worlds/types.js";
import { bandsOf, type ExportSource, type PixelMap, pixelMap } from "./source.js";
import type { Exporter, WriteOptions } from "./types.js";

const PAGE = "index.html";
/** Tiles that are written at the same time. */
const AT_ONCE = 16;

export const TILES: Exporter = { to: "tiles", main: `tiles/${PAGE}`, options: ["window"], write: writeTiles };

/** null if the tile has no cell. */
type Tile = Uint8Array | null;

async function writeTiles(source: ExportSource, folder: string, { signal, onProgress }: WriteOptions): Promise<void> {
  const { rows, cols, row0, col0 } = source.window;
  const { deepest, side } = tilePyramid({ rows, cols });
  const map = pixelMap(source);
  const pyramid = new TileFolder(folder, { colors: map.colors, deepest, side });
  const watch = new Watch("the tiles", rows * cols, { signal, onProgress });
  makeFolder(folder);
  await removeFile(join(folder, PAGE));
  let y = 0;
  for (const band of bandsOf(source.window, side)) {
    const pixels = map.pixels(band);
    const tiles = Array.from({ length: Math.ceil(cols / side) }, (_, x) => cutTile(pixels, cols, { x, side }));
    await pyramid.add(deepest, y++, tiles);
    watch.passed((band.row0 + band.rows - row0) * cols);
  }
  await pyramid.end();
  const { terrains, job } = source;
  const page = tileViewer({ rows, cols, row0, col0, side, title: job.manifest.name, terrains });
  await writeWhole(join(folder, PAGE), page);
}

/** Tile 0 is the leftmost one. Cells outside the map have no terrain. */
function cutTile(pixels: Uint8Array, cols: number, { x, side }: { x: number; side: number }): Tile {
  const tile = new Uint8Array(side ** 2).fill(NO_TERRAIN);
  const [from, to] = [x * side, Math.min(cols, (x + 1) * side)];
  for (let r = 0; r * cols < pixels.length; r++) tile.set(pixels.subarray(r * cols + from, r * cols + to), r * side);
  return tile.every((pixel) => pixel === NO_TERRAIN) ? null : tile;
}

/** Makes the tiles of each zoom from those of the next deeper one. At most one row of each zoom is in memory. */
class TileFolder {
  readonly #folder: string;
  readonly #size: Pick<PixelMap, "colors"> & { readonly deepest: number; readonly side: number };
  /** By zoom: the upper row (with an even number) of a pair whose lower row is missing. */
  readonly #north: ({ readonly y: number; readonly tiles: readonly Tile[] } | undefined)[] = [];

  constructor(folder: string, size: Pick<PixelMap, "colors"> & { readonly deepest: number; readonly side: number }) {
    this.#folder = folder;
    this.#size = size;
  }

  /** If y is odd, also makes a row of the zoom z − 1. */
  async add(z: number, y: number, tiles: readonly Tile[]): Promise<void> {
    for (let x = 0; x < tiles.length; x += AT_ONCE) {
      await Promise.all(tiles.slice(x, x + AT_ONCE).map((tile, k) => this.#write(`${z}/${x + k}/${y}.png`, tile)));
    }
    if (z === 0) return;
    const north = this.#north[z];
    if (y % 2 === 0) this.#north[z] = { y, tiles };
    else if (north !== undefined) await this.#merge(z, north, tiles);
  }

  /** A zoom with an odd number of rows has a last row without a pair. */
  async end(): Promise<void> {
    for (let z = this.#size.deepest; z > 0; z--) {
      const north = this.#north[z];
      if (north !== undefined) await this.#merge(z, north, []);
    }
  }

  async #merge(
    z: number,
    { y, tiles: north }: { readonly y: number; readonly tiles: readonly Tile[] },
    south: readonly Tile[],
  ): Promise<void> {
    this.#north[z] = undefined;
    const parents = Array.from({ length: Math.ceil(north.length / 2) }, (_, x) => {
      const four = [north[2 * x], north[2 * x + 1], south[2 * x], south[2 * x + 1]].map((tile) => tile ?? null);
      const [a, b, c, d] = four;
      return four.every((tile) => tile === null) ? null : parentTile([a, b, c, d], { side: this.#size.side });
    });
    await this.add(z - 1, y / 2, parents);
  }

  async #write(name: string, tile: Tile): Promise<void> {
    const file = join(this.#folder, ...name.split("/"));
    if (tile === null) return removeFile(file);
    makeFolder(dirname(file), this.#folder);
    await writeWhole(file, tilePng(tile, { colors: this.#size.colors }));
  }
}

export async function removeFile(file: string): Promise<void> {
  await rm(file, { force: true }).catch((cause) => failToWrite(file, cause));
}
