import { error, fail } from "../../errors/index.js";
import { checkInteger, checkText, readList, readOptions } from "../../spec/index.js";
import { checkCells, checkChoice } from "../checks.js";
import { indexedPng, type PixelColors, readColors, withBackground } from "../pictures/pngFile.js";
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
 * Returns the text of a page that shows the tiles of a map: drag to move, and turn the wheel to zoom. The page is a
 * single file, needs no network and works from a folder on a disk. Tiles whose file is missing are empty.
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
    .map(({ name, color }) => ({ name, color: `rgb(${color.join()})` }));
  const map = { rows, cols, side, deepest, row0, col0, path, archive, legend };
  // escapes each "<", so that no name can end the script early; JSON has "<" only in strings
  const script = JSON.stringify(map).replaceAll("<", "\\u003c");
  const escaped = title.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
  // replaces only the first TITLE, which is before the script
  const [page, load] = archive === undefined ? [PAGE, LOAD_FILE] : [PAGE, LOAD_PART];
  return page
    .replace("LOAD", () => load)
    .replace("{}", () => script)
    .replace("TITLE", () => escaped);
}

/** Loads a tile from a file of its own. */
const LOAD_FILE = `function load(image, z, x, y) {
  image.src = map.path.replace("{z}", z).replace("{x}", x).replace("{y}", y);
}
`;

/** Loads a tile from a PMTiles file. `root` is a promise of what `open` returns; undefined if the page asks for a file. */
const LOAD_PART = `let file, root;
const directories = new Map();

async function bytes(from, length) {
  if (file === undefined) {
    const response = await fetch(map.archive, { headers: { range: "bytes=" + from + "-" + (from + length - 1) } });
    if (response.status === 206) return response.arrayBuffer();
    if (!response.ok) throw new Error(response.statusText);
    // the server does not support range requests, and sends the whole file
    file = await response.blob();
  }
  return file.slice(from, from + length).arrayBuffer();
}

async function open() {
  const head = new DataView(await bytes(0, 127));
  if (head.getUint32(0) !== 0x504d5469 || head.getUint8(7) !== 3) throw new Error("not a PMTiles file");
  const number = (at) => Number(head.getBigUint64(at, true));
  return { leaves: number(40), data: number(56), entries: await directory(number(8), number(16)) };
}

async function directory(from, length) {
  const packed = new Blob([await bytes(from, length)]).stream().pipeThrough(new DecompressionStream("gzip"));
  const data = new Uint8Array(await new Response(packed).arrayBuffer());
  let at = 0, id = 0, end = 0;
  const next = () => {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = data[at++];
      value += (byte & 127) * unit;
      if (byte < 128) return value;
    }
  };
  const entries = Array.from({ length: next() }, () => ({}));
  for (const entry of entries) entry.id = id += next();
  for (const entry of entries) entry.run = next();
  for (const entry of entries) entry.length = next();
  for (const entry of entries) {
    const place = next();
    entry.from = place === 0 ? end : place - 1;
    end = entry.from + entry.length;
  }
  return entries;
}

function idOf(z, x, y) {
  let id = (4 ** z - 1) / 3;
  for (let side = 2 ** z / 2; side >= 1; side /= 2) {
    const [east, south] = [x >= side, y >= side];
    id += side ** 2 * (east ? (south ? 2 : 3) : +south);
    [x, y] = [x % side, y % side];
    if (!south) [x, y] = east ? [side - 1 - y, side - 1 - x] : [y, x];
  }
  return id;
}

async function load(image, z, x, y) {
  const opened = await root;
  if (opened === undefined) return;
  const { leaves, data, entries } = opened;
  const id = idOf(z, x, y);
  const find = (list) => list.findLast((entry) => entry.id <= id);
  let entry = find(entries);
  while (entry !== undefined && entry.run === 0) {
    const from = leaves + entry.from;
    if (!directories.has(from)) directories.set(from, directory(from, entry.length));
    entry = find(await directories.get(from));
  }
  if (entry === undefined || id >= entry.id + entry.run) return;
  image.onload = () => {
    URL.revokeObjectURL(image.src);
    redraw();
  };
  image.src = URL.createObjectURL(new Blob([await bytes(data + entry.from, entry.length)]));
}

function start() {
  tiles.clear();
  root = open().catch(ask);
  root.then(redraw);
}

function ask() {
  const input = document.createElement("input");
  input.type = "file";
  input.onchange = () => {
    file = input.files[0];
    label.remove();
    start();
  };
  const label = document.createElement("label");
  label.append("Choose the file " + map.archive + ": ", input);
  document.body.append(label);
}
start();
`;

/** `scale` is the width of a cell in pixels. The page's top left corner is cell (`top_`, `left`) of the map. */
const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>TITLE</title>
<style>
html, body { margin: 0; height: 100%; overflow: hidden; background: #0d0e14; color: #e6e6eb; font: 14px sans-serif; }
canvas { display: block; width: 100%; height: 100%; cursor: grab; touch-action: none; }
#cell, #legend { position: fixed; right: 8px; padding: 4px 8px; background: #0d0e14cc; border-radius: 4px; }
#cell { top: 8px; }
#legend { bottom: 8px; max-height: 80%; overflow: auto; }
#legend span { display: inline-block; width: 12px; height: 12px; margin-right: 6px; }
label { position: fixed; inset: 40% 0 auto; text-align: center; }
#cell:empty, #legend:empty { display: none; }
</style>
<canvas></canvas>
<div id="cell"></div>
<div id="legend"></div>
<script>
const map = {};
const canvas = document.querySelector("canvas");
const pen = canvas.getContext("2d");
const tiles = new Map();
let scale, left, top_, dragged = null;

for (const { name, color } of map.legend) {
  const line = document.createElement("div");
  const box = document.createElement("span");
  box.style.background = color;
  line.append(box, name);
  document.getElementById("legend").append(line);
}

LOAD
function tile(z, x, y) {
  const place = [z, x, y].join();
  let image = tiles.get(place);
  if (image === undefined) {
    image = new Image();
    image.onload = redraw;
    load(image, z, x, y);
  }
  // moves the tile to the end, so that the first tile in the map is the least recently used
  tiles.delete(place);
  tiles.set(place, image);
  if (tiles.size > 600) tiles.delete(tiles.keys().next().value);
  return image.complete && image.naturalWidth > 0 ? image : null;
}

function draw() {
  const [width, height] = [canvas.width, canvas.height];
  pen.clearRect(0, 0, width, height);
  pen.imageSmoothingEnabled = scale < 1;
  const best = Math.max(0, Math.min(map.deepest, Math.ceil(map.deepest + Math.log2(scale))));
  // draws two coarser zooms first: they remain visible until the best tiles are loaded
  for (const z of new Set([0, Math.max(0, best - 2), best])) {
    const cells = map.side * 2 ** (map.deepest - z);
    const last = (count, end) => Math.min(Math.ceil(count / cells) - 1, Math.floor(end / cells));
    for (let y = Math.max(0, Math.floor(top_ / cells)); y <= last(map.rows, top_ + height / scale); y++) {
      for (let x = Math.max(0, Math.floor(left / cells)); x <= last(map.cols, left + width / scale); x++) {
        const image = tile(z, x, y);
        if (image === null) continue;
        const at = (cell, corner) => Math.round((cell * cells - corner) * scale);
        const [px, py] = [at(x, left), at(y, top_)];
        const [w, h] = [at(x + 1, left) - px, at(y + 1, top_) - py];
        pen.clearRect(px, py, w, h);
        pen.drawImage(image, px, py, w, h);
      }
    }
  }
}

let isAsked = false;
function redraw() {
  if (isAsked) return;
  isAsked = true;
  requestAnimationFrame(() => {
    isAsked = false;
    draw();
  });
}

function zoom(factor, x, y) {
  const next = Math.max(2 ** -map.deepest / 4, Math.min(64, scale * factor));
  left += x / scale - x / next;
  top_ += y / scale - y / next;
  scale = next;
  redraw();
}

function resize() {
  const ratio = devicePixelRatio;
  canvas.width = Math.round(innerWidth * ratio);
  canvas.height = Math.round(innerHeight * ratio);
  if (scale === undefined) {
    scale = Math.min(canvas.width / map.cols, canvas.height / map.rows, 16);
    left = (map.cols - canvas.width / scale) / 2;
    top_ = (map.rows - canvas.height / scale) / 2;
  }
  redraw();
}

const pointOf = (event) => [event.clientX * devicePixelRatio, event.clientY * devicePixelRatio];
canvas.onpointerdown = (event) => {
  dragged = pointOf(event);
  canvas.setPointerCapture(event.pointerId);
};
canvas.onpointerup = canvas.onpointercancel = () => {
  dragged = null;
};
canvas.onpointermove = (event) => {
  const [x, y] = pointOf(event);
  if (dragged !== null) {
    left -= (x - dragged[0]) / scale;
    top_ -= (y - dragged[1]) / scale;
    dragged = [x, y];
    redraw();
  }
  const [row, col] = [Math.floor(top_ + y / scale), Math.floor(left + x / scale)];
  const isInside = row >= 0 && row < map.rows && col >= 0 && col < map.cols;
  document.getElementById("cell").textContent = isInside ? "row " + (map.row0 + row) + ", col " + (map.col0 + col) : "";
};
canvas.onwheel = (event) => {
  event.preventDefault();
  zoom(2 ** (-event.deltaY / 400), ...pointOf(event));
};
onkeydown = ({ key }) => {
  const step = 100 / scale;
  if (key === "+" || key === "=") zoom(1.5, canvas.width / 2, canvas.height / 2);
  if (key === "-") zoom(1 / 1.5, canvas.width / 2, canvas.height / 2);
  left += { ArrowLeft: -step, ArrowRight: step }[key] ?? 0;
  top_ += { ArrowUp: -step, ArrowDown: step }[key] ?? 0;
  redraw();
};
onresize = resize;
resize();
</script>
</html>
`;
