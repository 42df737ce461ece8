import { error, fail } from "../../errors/index.js";
import { checkInteger, checkText, readList, readOptions } from "../../spec/index.js";
import { checkCells, checkChoice } from "../checks.js";
import { indexedPng, type PixelColors, readColors, withBackground } from "../pictures/pngFile.js";
import { MAP_SCRIPT } from "./mapScript.js";
import { readKinds, TERRAIN_POOLS, type TerrainKind, type TerrainPool } from "./terrainMap.js";

/** The size of a map that is cut into square tiles. */
export interface TileGrid {
  /** Number of rows and columns of cells, at most 2³². */
  readonly rows: number;
  readonly cols: number;
  /** Number of cells along each side of a tile: a power of 2, 2 … 4096. Default 256. */
  readonly side?: number | undefined;
}

/** The tiles of one zoom level. */
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
  /** The zooms from the deepest to 0. Make them in this order: {@link parentTile} needs the tiles of a deeper zoom. */
  readonly levels: readonly TileLevel[];
}

/** The number of a cell without terrain, and of a pixel outside the map. */
const NO_TERRAIN = 255;
const SIDE = 256;
const MAX_SIDE = 4096;
const MAX_CELLS = 2 ** 32;

/**
 * Returns the zooms of a map. In the deepest zoom, each pixel is a cell. Tile (z, x, y), in column x and row y from 0,
 * shows the four tiles (z + 1, 2x or 2x + 1, 2y or 2y + 1) at half their size.
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
  checkCells("cells", cells, "Uint8Array");
  const given = readOptions("tilePng", colors, ["colors", "background"]);
  const side = Math.sqrt(cells.length);
  checkSide(side);
  const { palette, known } = readColors({ background: "transparent", ...given });
  return indexedPng(side, side, withBackground(cells, known), palette);
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
   * How a pixel gets its terrain from four pixels. `common` (default) chooses the most common terrain and, after a tie,
   * the lowest number. `first` chooses the lowest number.
   */
  readonly pool?: TerrainPool | undefined;
}

/**
 * Returns the cells of the tile that shows four tiles at half their size. A cell is 255 (no terrain) if all four cells
 * that it shows are 255.
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
    fail(error("argument.range", { problem: "a tile needs four children", got: tiles.length, expected: "4 tiles" }));
  }
  const choose = pool === "first" ? lowestOf : commonestOf;
  const parent = new Uint8Array(side ** 2).fill(NO_TERRAIN);
  for (const [k, tile] of tiles.entries()) {
    if (tile === null) continue;
    checkCells(`children[${k}]`, tile, "Uint8Array", side ** 2);
    const corner = ((k >> 1) * side * side) / 2 + ((k & 1) * side) / 2;
    // the cast is safe: the check above throws for anything else
    halve(tile as Uint8Array, side, choose, parent, corner);
  }
  return parent;
}

/** Writes a tile at half its size to `parent`, from the cell `corner` on. */
function halve(tile: Uint8Array, side: number, choose: typeof lowestOf, parent: Uint8Array, corner: number): void {
  for (let row = 0; row < side; row += 2) {
    let to = corner + (row / 2) * side;
    for (let i = row * side; i < (row + 1) * side; i += 2) {
      const [a, b, c, d] = [tile[i], tile[i + 1], tile[i + side], tile[i + side + 1]];
      parent[to++] = a === b && a === c && a === d ? a : choose(a, b, c, d);
    }
  }
}

// NO_TERRAIN is the highest number, so any terrain comes before it
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

/** Options of {@link tileViewer}. */
export interface TileViewerOptions extends TileGrid {
  /** The title of the page. Default "Map". */
  readonly title?: string | undefined;
  /** The row and the column of the map's first cell. Default 0. The page shows the coordinates under the mouse. */
  readonly row0?: number | undefined;
  readonly col0?: number | undefined;
  /** The terrains. The legend has an entry for each terrain with a name. */
  readonly terrains?: readonly TerrainKind[] | undefined;
  /** The path of a tile, relative to the page. Default `{z}/{x}/{y}.png`. */
  readonly path?: string | undefined;
  /** The path of a PMTiles file with all tiles, relative to the page. If given, the page does not use `path`. */
  readonly archive?: string | undefined;
}

const LIMIT = 2 ** 31;
const MAX_TERRAINS = 256;

/**
 * Returns the text of a page that shows the tiles of a map: drag to move; turn the wheel, pinch or use the keys to zoom.
 * The page is a single file, needs no network and works from a folder on a disk. Tiles whose file is missing are empty.
 *
 * With `archive`, the page reads only the parts of the PMTiles file that it shows, by range requests. It accepts servers
 * that do not support these, but then loads the whole file. A page that is opened from a disk cannot load other files,
 * so it asks for the file.
 *
 * @throws RollmillError `argument.type`, `argument.range`, `argument.option` for malformed options.
 */
export function tileViewer(options: TileViewerOptions): string {
  const known = ["rows", "cols", "side", "title", "row0", "col0", "terrains", "path", "archive"];
  const given = readOptions("tileViewer", options, known);
  const { rows, cols, title = "Map", row0 = 0, col0 = 0, terrains = [], path = "{z}/{x}/{y}.png", archive } = given;
  const { deepest, side } = tilePyramid({ rows, cols, side: given.side });
  checkText("title", title);
  checkText("path", path);
  if (archive !== undefined) checkText("archive", archive);
  checkInteger("row0", row0, -LIMIT, LIMIT - 1);
  checkInteger("col0", col0, -LIMIT, LIMIT - 1);
  const legend = readKinds(terrains, MAX_TERRAINS)
    .filter(({ name }) => name !== "")
    .map(({ name, color }) => `<li><span style="background: rgb(${color.join()})"></span>${escaped(name)}</li>`);
  // escapes each "<", so that no path can end the script early; JSON has "<" only in strings
  const map = JSON.stringify({ rows, cols, side, deepest, row0, col0, path, archive }).replaceAll("<", "\\u003c");
  return `${HEAD}<title>${escaped(title)}</title>
<main>
<div class="map"></div>
<h1>${escaped(title)}</h1>
<output id="cell"></output>
<ul id="legend">${legend.join("")}</ul>
</main>
<script>
const map = ${map};
${MAP_SCRIPT}</script>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

const HEAD = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<style>
html, body, main, .map, canvas { margin: 0; width: 100%; height: 100%; overflow: hidden; }
body { background: #0d0e14; color: #e6e6eb; font: 14px sans-serif; }
canvas { display: block; cursor: grab; }
.zoom, h1, #cell, #legend { position: fixed; margin: 0; background: #0d0e14cc; border-radius: 4px; }
.zoom { bottom: 8px; left: 8px; }
.zoom button { width: 32px; height: 32px; border: 0; background: none; color: inherit; font-size: 18px; }
h1, #cell, #legend { padding: 4px 8px; font: inherit; }
h1 { bottom: 11px; left: 80px; }
#cell { top: 8px; right: 8px; }
#legend { bottom: 8px; right: 8px; max-height: 80%; overflow: auto; list-style: none; }
#legend span { display: inline-block; width: 12px; height: 12px; margin-right: 6px; }
label { position: fixed; inset: 40% 0 auto; text-align: center; }
#cell:empty, #legend:empty { display: none; }
</style>
`;
