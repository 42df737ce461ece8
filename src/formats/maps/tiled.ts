import { error, fail, readFields } from "../../errors/index.js";
import { checkInteger, checkText, readList, readOptions } from "../../spec/index.js";
import { base64 } from "../bytes.js";
import { checkCells, checkLength, checkNumbers, type Pieces, readPieces } from "../checks.js";
import { type Rgb, readColor } from "../pictures/colors.js";
import { CellDeflater } from "../pictures/deflate.js";
import { indexedPng } from "../pictures/pngFile.js";
import { type CellLayout, hasOddR } from "./mapSource.js";
import { hexagonLines } from "./pictureFrame.js";
import { readKinds, type TerrainKind } from "./terrainMap.js";

/** A rectangle of cells of a layer. */
export interface TiledSector {
  /** The first row and the first column. */
  readonly row0: number;
  readonly col0: number;
  readonly rows: number;
  readonly cols: number;
  /** The cells, row by row. Uint8Array: indices into `terrains` (others: empty). Uint32Array: visits (0: empty). */
  readonly cells: Uint8Array | Uint32Array;
}

/** A tile layer. */
export interface TiledLayer {
  readonly name: string;
  /** The cells, in rectangles that do not overlap. The rectangles are read one by one, and may be in any order. */
  readonly sectors: Pieces<TiledSector>;
}

/** Placements of one kind, which become points in an object layer. */
export interface TiledPlacements {
  /** The name of the layer, and the type of each point. */
  readonly name: string;
  /** The colour of the points. Default: the colour that Tiled chooses. */
  readonly color?: Rgb | undefined;
  /** The cells of the placements, in batches that are read one by one. */
  readonly cells: Pieces<{ readonly rows: Int32Array; readonly cols: Int32Array }>;
}

/** A map for {@link tiledMap}. */
export interface TiledMap extends CellLayout {
  /** At most 247 terrains. */
  readonly terrains: readonly TerrainKind[];
  /** The path of the picture that `tiledTileset` makes from `terrains`, relative to the map. Default `tiles.png`. */
  readonly image?: string | undefined;
  /** At most 64 layers, from the bottom to the top. */
  readonly layers: readonly TiledLayer[];
  /** At most 256 kinds, drawn above all layers. */
  readonly placements?: readonly TiledPlacements[] | undefined;
}

/** A pointy-top hexagon in pixels. SIDE_PIXELS is the length of its vertical sides. */
const TILE_WIDTH = 28;
const TILE_HEIGHT = 32;
const SIDE_PIXELS = 16;
const ROW_PIXELS = (TILE_HEIGHT + SIDE_PIXELS) / 2;

const VISIT_TILES = 8;
/** Maximum number of terrains. A palette has 256 colours: a transparent one, and one for each terrain or visit tile. */
const MAX_TERRAINS = 255 - VISIT_TILES;
const COLUMNS = 16;
/** Alpha of the tile for the most visits. Tiles of visits are black and partly transparent. */
const DARKEST = 176;
const MAX_LAYERS = 64;
const MAX_KINDS = 256;
/** Limit of x and y in tiles. Tiled computes pixels in 32 bits; 2²⁶ tiles of 28 pixels are less than 2³¹ pixels. */
const LIMIT = 2 ** 26;
const BAND_CELLS = 2 ** 20;
/** Points of an object layer are written in pieces of about this length: one text with all points could be too long. */
const PIECE_CHARACTERS = 2 ** 16;
/** The tile of terrain 0, because tile 0 is an empty cell. */
const FIRST_TILE = 1;

/**
 * Writes a map of the Tiled map editor: a `.tmj` file (doc.mapeditor.org, JSON Map Format) with hexagons. The map is
 * infinite, so rows and columns may be negative. Yields the text in pieces.
 *
 * An axial cell becomes the tile with x = col + ⌊row / 2⌋ and y = row. With odd-r coordinates, x = col. Odd rows are
 * shifted to the right by half a tile, as in Tiled's hexagonal maps with the stagger axis y and the stagger index odd.
 * If you shift a map, shift it by an even number of rows, so that odd rows stay odd.
 *
 * Cost: O(cells). Memory: one sector, and about 4 bytes for each run of equal cells in a band of 2²⁰ cells. The same
 * map gives the same text on every platform.
 *
 * @throws RollmillError `argument.type`, `argument.range`, `argument.option` for a malformed map; `argument.range` for
 * cells more than 2²⁶ rows or tiles from cell (0, 0). Errors that an iterable of the map throws pass unchanged.
 */
export async function* tiledMap(map: TiledMap): AsyncGenerator<string, void> {
  const known = ["coordinates", "terrains", "image", "layers", "placements"];
  const given = readOptions("tiledMap", map, known);
  const isOddR = hasOddR(given);
  const { image = "tiles.png", placements = [] } = given;
  checkText("image", image);
  const terrains = readTerrains(given.terrains);
  const layers = readList("layers", given.layers, { of: "layers", most: MAX_LAYERS }).map((layer, i) => {
    const { name, sectors } = readFields(`layers[${i}]`, layer as TiledLayer, ["name", "sectors"]);
    checkText(`layers[${i}].name`, name);
    return { name, sectors };
  });
  const kinds = readList("placements", placements, { of: "kinds of placements", most: MAX_KINDS }).map(readKind);
  const tileset = { firstgid: FIRST_TILE, ...tilesetOf(terrains, image) };
  yield `${JSON.stringify(HEAD).slice(0, -1)},"tilesets":[${JSON.stringify(tileset)}],"layers":[`;
  const toTiles = tilesOf(terrains.length);
  let id = 1;
  for (const { name, sectors } of layers) {
    yield id === 1 ? "" : ",";
    yield* tileLayer(id++, name, sectors, { isOddR, toTiles });
  }
  let nextObject = 1;
  for (const kind of kinds) {
    yield id === 1 ? "" : ",";
    nextObject = yield* objectLayer(kind, id++, isOddR, nextObject);
  }
  yield `],"nextlayerid":${id},"nextobjectid":${nextObject}}\n`;
}

/** Tiled requires a width and a height even for an infinite map, but ignores them. */
const HEAD = {
  type: "map",
  version: "1.10",
  orientation: "hexagonal",
  renderorder: "right-down",
  infinite: true,
  width: 1,
  height: 1,
  tilewidth: TILE_WIDTH,
  tileheight: TILE_HEIGHT,
  hexsidelength: SIDE_PIXELS,
  staggeraxis: "y",
  staggerindex: "odd",
};

const LAYER = { opacity: 1, visible: true, x: 0, y: 0 };

interface TileDrawing {
  readonly isOddR: boolean;
  readonly toTiles: ReturnType<typeof tilesOf>;
}

async function* tileLayer(id: number, name: string, sectors: TiledLayer["sectors"], drawing: TileDrawing) {
  const layer = { id, name, type: "tilelayer", ...LAYER, encoding: "base64", compression: "zlib" };
  yield `${JSON.stringify(layer).slice(0, -1)},"chunks":[`;
  let [left, top, right, bottom] = [0, 0, 0, 0];
  let isFirst = true;
  for await (const given of readPieces("the sectors", sectors)) {
    const sector = readSector(given, drawing.isOddR);
    for (const { x, y, width, height, data } of chunksOf(sector, drawing)) {
      yield `${isFirst ? "" : ","}{"x":${x},"y":${y},"width":${width},"height":${height},"data":"${base64(data)}"}`;
      isFirst = false;
      [left, top] = [Math.min(left, x), Math.min(top, y)];
      [right, bottom] = [Math.max(right, x + width), Math.max(bottom, y + height)];
    }
  }
  yield `],"startx":${left},"starty":${top},"width":${right - left},"height":${bottom - top}}`;
}

/**
 * Yields the chunks of a sector that are not empty. Chunks must not overlap: an empty tile of one erases a tile of the
 * other. A rectangle of axial cells is a parallelogram of tiles, in which only the rows 2k and 2k + 1 have the same
 * shift. So chunks of axial cells have two rows.
 */
function* chunksOf(sector: TiledSector, { isOddR, toTiles }: TileDrawing) {
  const { row0, col0, rows, cols, cells } = sector;
  const bandRows = Math.max(2, Math.floor(BAND_CELLS / cols / 2) * 2);
  for (let top = row0; top < row0 + rows; ) {
    const bottom = Math.min(row0 + rows, evenFrom(top) + bandRows);
    const deflater = new CellDeflater();
    const places: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }[] = [];
    for (let y = top; y < bottom; ) {
      const end = isOddR ? bottom : Math.min(bottom, evenFrom(y) + 2);
      const tiles = toTiles(cells.subarray((y - row0) * cols, (end - row0) * cols));
      if (tiles !== undefined) {
        deflater.add(tiles);
        places.push({ x: xOf(y, col0, isOddR), y, width: cols, height: end - y });
      }
      y = end;
    }
    if (places.length > 0) for (const [k, data] of deflater.end().entries()) yield { ...places[k], data };
    top = bottom;
  }
}

function evenFrom(row: number): number {
  return 2 * Math.floor(row / 2);
}

function xOf(row: number, col: number, isOddR: boolean): number {
  return isOddR ? col : col + Math.floor(row / 2);
}

/** Returns a function that converts cells to tiles. The function returns undefined if all cells are empty. */
function tilesOf(terrains: number): (cells: Uint8Array | Uint32Array) => Uint8Array | undefined {
  const ofTerrain = Uint8Array.from({ length: 256 }, (_, i) => (i < terrains ? FIRST_TILE + i : 0));
  const firstVisits = FIRST_TILE + terrains;
  return (cells) => {
    const tiles = new Uint8Array(cells.length);
    let any = 0;
    if (cells.BYTES_PER_ELEMENT === 1) {
      for (let i = 0; i < cells.length; i++) any |= tiles[i] = ofTerrain[cells[i]];
    } else {
      for (let i = 0; i < cells.length; i++) {
        if (cells[i] === 0) continue;
        any = 1;
        // visits 4^k … 4^(k + 1) − 1 get the shade k
        tiles[i] = firstVisits + Math.min(VISIT_TILES - 1, (31 - Math.clz32(cells[i])) >> 1);
      }
    }
    return any === 0 ? undefined : tiles;
  };
}

async function* objectLayer(
  { name, color, cells }: TiledPlacements,
  id: number,
  isOddR: boolean,
  nextObject: number,
): AsyncGenerator<string, number> {
  const hex = color?.map((part) => part.toString(16).padStart(2, "0")).join("");
  const layer = { id, name, type: "objectgroup", ...LAYER, draworder: "index", ...(hex && { color: `#${hex}` }) };
  yield `${JSON.stringify(layer).slice(0, -1)},"objects":[`;
  const fixed = '"point":true,"width":0,"height":0,"rotation":0,"visible":true';
  const point = `"type":${JSON.stringify(name)},"name":"",${fixed}`;
  let next = nextObject;
  for await (const batch of readPieces("the cells of placements", cells)) {
    const { rows, cols } = readFields("a batch of placements", batch, ["rows", "cols"]);
    checkCells("rows", rows, "Int32Array");
    checkCells("cols", cols, "Int32Array", rows.length);
    let points = "";
    for (let k = 0; k < rows.length; k++) {
      const x = xOf(rows[k], cols[k], isOddR);
      checkPlace(rows[k], x);
      const left = x * TILE_WIDTH + ((rows[k] & 1) * TILE_WIDTH) / 2;
      const [px, py] = [left + TILE_WIDTH / 2, rows[k] * ROW_PIXELS + TILE_HEIGHT / 2];
      points += `${next === nextObject ? "" : ","}{"id":${next++},"x":${px},"y":${py},${point}}`;
      if (points.length < PIECE_CHARACTERS) continue;
      yield points;
      points = "";
    }
    yield points;
  }
  yield "]}";
  return next;
}

function readKind(given: unknown, i: number): TiledPlacements {
  const path = `placements[${i}]`;
  const { name, color, cells } = readFields(path, given as TiledPlacements, ["name", "color", "cells"]);
  checkText(`${path}.name`, name);
  return { name, color: color === undefined ? color : readColor(`${path}.color`, color), cells };
}

function readSector(given: TiledSector, isOddR: boolean): TiledSector {
  const sector = readFields("a sector", given, ["row0", "col0", "rows", "cols", "cells"]);
  const { row0, col0, rows, cols, cells } = sector;
  checkInteger("row0", row0, -LIMIT, LIMIT);
  checkInteger("col0", col0, -2 * LIMIT, 2 * LIMIT);
  checkInteger("rows", rows, 1, LIMIT);
  checkInteger("cols", cols, 1, LIMIT);
  checkPlace(row0, xOf(row0, col0, isOddR));
  checkPlace(row0 + rows - 1, xOf(row0 + rows - 1, col0 + cols - 1, isOddR));
  checkNumbers("cells", cells);
  checkLength("cells", cells.length, rows * cols);
  return sector;
}

function checkPlace(y: number, x: number): void {
  if (Math.abs(y) <= LIMIT && Math.abs(x) <= LIMIT) return;
  const expected = "at most 2^26 rows and tiles from the cell (0, 0)";
  const remedy = "Shift the map by an even number of rows, or write only a part of it";
  fail(error("argument.range", { problem: "a cell is too far away for Tiled", got: [y, x], expected, remedy }));
}

/** Options of {@link tiledTileset}. */
export interface TiledTilesetOptions {
  /** The path of the picture, relative to the map. Default `tiles.png`. */
  readonly image?: string | undefined;
}

/** A tileset of the Tiled map editor. */
export interface TiledTileset {
  /** The bytes of the picture: an indexed PNG. */
  readonly png: Uint8Array;
  /** The tileset as JSON: the content of a `.tsj` file. A map lists this object, plus `firstgid`, in `tilesets`. */
  readonly tileset: object;
}

/**
 * Makes the tiles of terrains: a hexagon in the colour of each terrain. The tile of terrain i has the id i. The next 8
 * ids belong to tiles for layers of visits. These tiles darken the terrain below them.
 *
 * @param terrains - at most 247.
 * @throws RollmillError `argument.type`, `argument.range`, `argument.option` for malformed arguments.
 */
export function tiledTileset(terrains: readonly TerrainKind[], options: TiledTilesetOptions = {}): TiledTileset {
  const { image = "tiles.png" } = readOptions("tiledTileset", options, ["image"]);
  checkText("image", image);
  const read = readTerrains(terrains);
  return { png: spritesOf(read.map(({ color }) => color)), tileset: tilesetOf(read, image) };
}

function readTerrains(given: readonly TerrainKind[]): TerrainKind[] {
  const kinds = readKinds(given, MAX_TERRAINS);
  if (kinds.length === 0) fail(error("argument.range", { problem: "terrains are missing", expected: "at least one" }));
  return kinds;
}

function tilesetOf(terrains: readonly TerrainKind[], image: string): object {
  const count = terrains.length + VISIT_TILES;
  return {
    name: "terrain",
    type: "tileset",
    image,
    imagewidth: COLUMNS * TILE_WIDTH,
    imageheight: Math.ceil(count / COLUMNS) * TILE_HEIGHT,
    tilewidth: TILE_WIDTH,
    tileheight: TILE_HEIGHT,
    tilecount: count,
    columns: COLUMNS,
    margin: 0,
    spacing: 0,
    tiles: terrains.map(({ name }, id) => ({ id, type: name })),
  };
}

function spritesOf(colors: readonly Rgb[]): Uint8Array {
  const count = colors.length + VISIT_TILES;
  const width = COLUMNS * TILE_WIDTH;
  const height = Math.ceil(count / COLUMNS) * TILE_HEIGHT;
  const pixels = new Uint8Array(width * height);
  // the gap is 0, because Tiled itself can show a grid between hexagons
  const lines = hexagonLines(TILE_WIDTH, ROW_PIXELS, 0);
  for (let tile = 0; tile < count; tile++) {
    const corner = Math.floor(tile / COLUMNS) * TILE_HEIGHT * width + (tile % COLUMNS) * TILE_WIDTH;
    for (const [line, [start, end]] of lines.entries()) {
      pixels.fill(1 + tile, corner + line * width + start, corner + line * width + end);
    }
  }
  const alphas = Array.from({ length: VISIT_TILES }, (_, i) => Math.round((DARKEST * (i + 1)) / VISIT_TILES));
  const shades = alphas.map((alpha) => [0, 0, 0, alpha]);
  return indexedPng(width, height, pixels, [[0, 0, 0, 0], ...colors.map((color) => [...color, 255]), ...shades]);
}
