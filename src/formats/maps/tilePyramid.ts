import { error, fail } from "../../errors/index.js";
import { checkInteger, readList, readOptions } from "../../spec/index.js";
import { checkCells, checkChoice } from "../checks.js";
import { indexedPng, type PixelColors, readColors, withBackground } from "../pictures/pngFile.js";
import { TERRAIN_POOLS, type TerrainPool } from "./terrainMap.js";

/** The size of a map that is cut into square tiles. */
export interface TileGrid {
  /** Number of rows and columns of cells, at most 2³². */
  readonly rows: number;
  readonly cols: number;
  /** Number of cells along each side of a tile: a power of 2, at most 4096. Default 256. */
  readonly side?: number | undefined;
}

/** The tiles of one zoom. */
export interface TileLevel {
  /** The zoom. At 0, one tile shows the whole map. */
  readonly z: number;
  /** Number of rows and columns of tiles. */
  readonly rows: number;
  readonly cols: number;
}

/** The zooms of a map, from the deepest to 0. */
export interface TilePyramid {
  /** The deepest zoom, in which each pixel is a cell. */
  readonly deepest: number;
  /** Number of cells along each side of a tile. */
  readonly side: number;
  /** The zooms from the deepest to 0: the order in which they can be made. */
  readonly levels: readonly TileLevel[];
}

/** Of a cell without terrain, and of a pixel outside the map. */
const NO_TERRAIN = 255;
const SIDE = 256;
const MAX_SIDE = 4096;
const MAX_CELLS = 2 ** 32;

/**
 * Returns the zooms of a map. In the deepest zoom, each pixel is a cell. Tile (z, x, y) shows the four tiles (z + 1, 2x
 * or 2x + 1, 2y or 2y + 1) at half their size. x is the column and y the row of a tile, both from 0 at the first cell
 * of the map.
 *
 * @throws RollmillError `argument.type`, `argument.range`, `argument.option`.
 */
export function tilePyramid(grid: TileGrid): TilePyramid {
  const { rows, cols, side = SIDE } = readOptions("tilePyramid", grid, ["rows", "cols", "side"]);
  checkInteger("rows", rows, 1, MAX_CELLS);
  checkInteger("cols", cols, 1, MAX_CELLS);
  checkSide(side);
  const levels: { z: number; rows: number; cols: number }[] = [];
  let [tileRows, tileCols] = [Math.ceil(rows / side), Math.ceil(cols / side)];
  const deepest = Math.ceil(Math.log2(Math.max(tileRows, tileCols)));
  for (let z = deepest; z >= 0; z--) {
    levels.push({ z, rows: tileRows, cols: tileCols });
    [tileRows, tileCols] = [Math.ceil(tileRows / 2), Math.ceil(tileCols / 2)];
  }
  return { deepest, side, levels };
}

/**
 * Writes one tile as an indexed PNG.
 *
 * Cost: O(pixels). The same cells give the same bytes on every platform.
 *
 * @param cells - the numbers of a square of cells, row by row.
 * @param colors - default background: transparent.
 * @throws RollmillError `argument.type`, `argument.range`, `argument.option` for malformed arguments.
 */
export function tilePng(cells: Uint8Array, colors: PixelColors = {}): Uint8Array {
  checkCells("cells", cells, { type: "Uint8Array" });
  const given = readOptions("tilePng", colors, ["colors", "background"]);
  const side = Math.sqrt(cells.length);
  checkSide(side);
  const { palette, known } = readColors({ background: "transparent", ...given });
  return indexedPng({ width: side, height: side, pixels: withBackground(cells, known) }, palette);
}

/** The cells of four tiles: north-west, north-east, south-west, south-east. Null stands for a tile outside the map. */
export type FourTiles = readonly [
  northWest: Uint8Array | null,
  northEast: Uint8Array | null,
  southWest: Uint8Array | null,
  southEast: Uint8Array | null,
];

/** Options of {@link parentTile}. */
export interface ParentTileOptions {
  /** Number of cells along each side of a tile. Default 256. */
  readonly side?: number | undefined;
  /**
   * The terrain of a pixel, which stands for four pixels: their most common one (`common`, default), or the lowest
   * number (`first`). Of equally common terrains, the lowest number is chosen.
   */
  readonly pool?: TerrainPool | undefined;
}

/**
 * Returns the cells of the tile that shows four tiles at half their size. A cell with the number 255 has no terrain. It
 * is chosen only if all four cells have none.
 *
 * Cost: O(cells of a tile).
 *
 * @throws RollmillError `argument.type`, `argument.range`, `argument.option` for malformed arguments.
 */
export function parentTile(children: FourTiles, options: ParentTileOptions = {}): Uint8Array {
  const { side = SIDE, pool = "common" } = readOptions("parentTile", options, ["side", "pool"]);
  checkSide(side);
  checkChoice('option "pool"', pool, TERRAIN_POOLS);
  const tiles = readList("children", children, { of: "tiles", most: 4 });
  if (tiles.length !== 4) {
    fail(error("argument.range", { problem: "a tile has four children", got: tiles.length, expected: "4 tiles" }));
  }
  const choose = pool === "first" ? lowestOf : commonestOf;
  const parent = new Uint8Array(side ** 2).fill(NO_TERRAIN);
  for (const [k, tile] of tiles.entries()) {
    if (tile === null) continue;
    checkCells(`children[${k}]`, tile, { type: "Uint8Array", length: side ** 2 });
    // the cast is safe: the line above checks it
    halve(tile as Uint8Array, parent, { side, corner: ((k >> 1) * side * side) / 2 + ((k & 1) * side) / 2, choose });
  }
  return parent;
}

function halve(
  tile: Uint8Array,
  parent: Uint8Array,
  { side, corner, choose }: { readonly side: number; readonly corner: number; readonly choose: typeof lowestOf },
): void {
  for (let row = 0; row < side; row += 2) {
    let to = corner + (row / 2) * side;
    for (let i = row * side; i < (row + 1) * side; i += 2) {
      const [a, b, c, d] = [tile[i], tile[i + 1], tile[i + side], tile[i + side + 1]];
      parent[to++] = a === b && a === c && a === d ? a : choose(a, b, c, d);
    }
  }
}

// 255 is the highest number, so any terrain comes before it
function lowestOf(a: number, b: number, c: number, d: number): number {
  return Math.min(a, b, c, d);
}

function commonestOf(a: number, b: number, c: number, d: number): number {
  let [best, most] = [NO_TERRAIN, 0];
  for (const terrain of [a, b, c, d]) {
    if (terrain === NO_TERRAIN) continue;
    const count = +(terrain === a) + +(terrain === b) + +(terrain === c) + +(terrain === d);
    if (count < most || (count === most && terrain > best)) continue;
    [best, most] = [terrain, count];
  }
  return best;
}

function checkSide(side: number): void {
  checkInteger("the side of a tile", side, 2, MAX_SIDE);
  if (Math.log2(side) % 1 === 0) return;
  fail(error("argument.range", { problem: "invalid side of a tile", got: side, expected: "a power of 2" }));
}
