import { error, fail, readFields } from "../../errors/index.js";
import { checkInteger, checkText, readList, readOptions, refuseArgument } from "../../spec/index.js";
import { checkCells, checkChoice, checkLength, checkNumbers, type Pieces, readPieces } from "../checks.js";
import { type Rgb, readColor } from "../pictures/colors.js";
import { indexedPng } from "../pictures/pngFile.js";
import { type CellLayout, type CellRectangle, hasOddR } from "./mapSource.js";
import { hexagonLines } from "./pictureFrame.js";
import { readKinds, type TerrainKind } from "./terrainMap.js";
import { TILE_ENCODERS, TILED_ENCODINGS, type TiledEncoding } from "./tiledTiles.js";

/** A rectangle of cells of a layer. */
export interface TiledSector extends CellRectangle {
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
  readonly cells: Pieces<TiledPoints>;
}

/** A batch of placements. */
export interface TiledPoints {
  readonly rows: Int32Array;
  readonly cols: Int32Array;
  /** For each placement, the custom properties of its point, by name. Default: no properties. */
  readonly properties?: readonly Readonly<Record<string, string | number | boolean | undefined>>[] | undefined;
}

/** A map for {@link tiledMap}. */
export interface TiledMap extends CellLayout {
  /** At most 247 terrains. */
  readonly terrains: readonly TerrainKind[];
  /** The path of the picture that `tiledTileset` makes from `terrains`, relative to the map. Default `tiles.png`. */
  readonly image?: string | undefined;
  /** How the tiles are stored. Default `zlib`. */
  readonly encoding?: TiledEncoding | undefined;
  /**
   * Makes a finite map of these cells, in a rectangle of at most 2²⁴ tiles. Its tile (0, 0) is the tile (x0, y0) of an
   * infinite map; `x0` and `y0` are custom properties of the map. Default: an infinite map.
   */
  readonly window?: CellRectangle | undefined;
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
/** Maximum number of tiles of a finite map, whose layers are written as a whole. */
const MAX_TILES = 2 ** 24;
/** Points of an object layer are written in pieces of about this length: one text with all points could be too long. */
const PIECE_CHARACTERS = 2 ** 16;
/** The tile of terrain 0, because tile 0 is an empty cell. */
const FIRST_TILE = 1;

/**
 * Writes a map of the Tiled map editor: a `.tmj` file (doc.mapeditor.org, JSON Map Format) with hexagons. Without
 * `window`, the map is infinite, so rows and columns may be negative. Yields the text in pieces.
 *
 * An axial cell becomes the tile with x = col + ⌊row / 2⌋ and y = row. With odd-r coordinates, x = col. Odd rows are
 * shifted to the right by half a tile, as in Tiled's hexagonal maps with the stagger axis y and the stagger index odd.
 * If you shift a map, shift it by an even number of rows, so that odd rows stay odd.
 *
 * Cost: O(cells). Memory of an infinite map: one sector, and about 5 bytes for each cell in a band of 2²⁰ cells; of a
 * finite map: one sector, and one layer as it is stored. The same map gives the same text on every platform.
 *
 * @throws RollmillError `argument.type`, `argument.range`, `argument.option` for a malformed map; `argument.range` for
 * cells more than 2²⁶ rows or tiles from cell (0, 0), and for sectors outside `window`. Errors that an iterable of the
 * map throws pass unchanged.
 */
export function tiledMap(map: TiledMap): AsyncGenerator<string, void> {
  return tiledText(map);
}

/** Writes a map. `readyChunks` returns the chunks of a layer of an infinite map, if other threads have made them. */
export async function* tiledText(map: TiledMap, readyChunks?: ReadyChunks): AsyncGenerator<string, void> {
  const known = ["coordinates", "terrains", "image", "encoding", "window", "layers", "placements"];
  const given = readOptions("tiledMap", map, known);
  const isOddR = hasOddR(given);
  const { image = "tiles.png", encoding = "zlib", placements = [] } = given;
  checkText("image", image);
  checkChoice('option "encoding"', encoding, TILED_ENCODINGS);
  const terrains = readTerrains(given.terrains);
  const layers = readList("layers", given.layers, { of: "layers", most: MAX_LAYERS }).map((layer, i) => {
    const { name, sectors } = readFields(`layers[${i}]`, layer as TiledLayer, ["name", "sectors"]);
    checkText(`layers[${i}].name`, name);
    return { name, sectors };
  });
  const kinds = readList("placements", placements, { of: "kinds of placements", most: MAX_KINDS }).map(readKind);
  const frame = given.window === undefined ? INFINITE : finiteFrame(given.window, isOddR);
  const tilesets = [{ firstgid: FIRST_TILE, ...tilesetOf(terrains, image) }];
  yield `${JSON.stringify({ ...HEAD, ...frame.fields, tilesets }).slice(0, -1)},"layers":[`;
  const drawing = { isOddR, frame, encoder: TILE_ENCODERS[encoding], toTiles: tilesOf(terrains.length), readyChunks };
  let id = 1;
  for (const { name, sectors } of layers) {
    yield id === 1 ? "" : ",";
    yield* tileLayer(id++, name, sectors, drawing);
  }
  let nextObject = 1;
  for (const kind of kinds) {
    yield id === 1 ? "" : ",";
    nextObject = yield* objectLayer(kind, id++, drawing, nextObject);
  }
  yield `],"nextlayerid":${id},"nextobjectid":${nextObject}}\n`;
}

const HEAD = {
  type: "map",
  version: "1.10",
  orientation: "hexagonal",
  renderorder: "right-down",
  tilewidth: TILE_WIDTH,
  tileheight: TILE_HEIGHT,
  hexsidelength: SIDE_PIXELS,
  staggeraxis: "y",
  staggerindex: "odd",
};

const LAYER = { opacity: 1, visible: true, x: 0, y: 0 };

/** The tile (left, top) of an infinite map is the tile (0, 0) of this map. `top` is even. */
interface Frame {
  readonly left: number;
  readonly top: number;
  /** Fields of the map. */
  readonly fields: object;
  /** The cells of a finite map, and the number of its tiles in each direction. */
  readonly finite?: { readonly window: CellRectangle; readonly width: number; readonly height: number };
}

/** Tiled requires a width and a height even for an infinite map, but ignores them. */
const INFINITE: Frame = { left: 0, top: 0, fields: { infinite: true, width: 1, height: 1 } };

/** The rectangle of tiles that contains a rectangle of cells. A parallelogram of axial cells leaves some tiles empty. */
function tileFrame({ row0, col0, rows, cols }: CellRectangle, isOddR: boolean) {
  const [left, top] = [xOf(row0, col0, isOddR), evenFrom(row0)];
  return { left, top, width: xOf(row0 + rows - 1, col0 + cols - 1, isOddR) - left + 1, height: row0 + rows - top };
}

/** Whether {@link tiledMap} can write these cells as a finite map. */
export function isFiniteMap(window: CellRectangle, isOddR: boolean): boolean {
  const { width, height } = tileFrame(window, isOddR);
  return width * height <= MAX_TILES;
}

function finiteFrame(given: CellRectangle, isOddR: boolean): Frame {
  const window = readRectangle("window", given, isOddR);
  const { left, top, width, height } = tileFrame(window, isOddR);
  if (!isFiniteMap(window, isOddR)) {
    const expected = `at most ${MAX_TILES} tiles`;
    const remedy = "Write an infinite map, or several maps and a file of tiledWorld";
    const got = `${width} × ${height} tiles`;
    fail(error("argument.range", { problem: "the map is too large for a finite map of Tiled", got, expected, remedy }));
  }
  const properties = propertiesOf({ x0: left, y0: top });
  return { left, top, fields: { infinite: false, width, height, properties }, finite: { window, width, height } };
}

interface TileDrawing {
  readonly isOddR: boolean;
  readonly frame: Frame;
  readonly encoder: (typeof TILE_ENCODERS)[TiledEncoding];
  readonly toTiles: ReturnType<typeof tilesOf>;
  readonly readyChunks?: ReadyChunks | undefined;
}

type ReadyChunks = () => AsyncIterable<TiledChunks>;

/** Chunks of an infinite map. */
export interface TiledChunks {
  /** JSON, without the brackets of the list. */
  readonly text: string;
  /** The first and the last tile, plus 1, in each direction. */
  readonly bounds: readonly [left: number, top: number, right: number, bottom: number];
}

/** Returns the chunks of a sector, as {@link tiledText} needs them. */
export async function tiledChunks(
  { coordinates, terrains, encoding = "zlib" }: Pick<TiledMap, "coordinates" | "terrains" | "encoding">,
  sector: TiledSector,
): Promise<TiledChunks[]> {
  const isOddR = hasOddR({ coordinates });
  const encoder = TILE_ENCODERS[encoding];
  const drawing = { isOddR, frame: INFINITE, encoder, toTiles: tilesOf(terrains.length) };
  const chunks: TiledChunks[] = [];
  for await (const some of chunksIn(sector, drawing)) chunks.push(some);
  return chunks;
}

async function* tileLayer(id: number, name: string, sectors: TiledLayer["sectors"], drawing: TileDrawing) {
  yield JSON.stringify({ id, name, type: "tilelayer", ...LAYER, ...drawing.encoder.fields }).slice(0, -1);
  const { finite } = drawing.frame;
  if (finite === undefined) yield* chunksOf(sectors, drawing);
  else {
    const { width, height } = finite;
    const [data] = await drawing.encoder.encode([await finiteTiles(sectors, drawing, finite)]);
    yield `,"width":${width},"height":${height},"data":`;
    yield data;
  }
  yield "}";
}

/** Returns the tiles of a finite map, row by row. */
async function finiteTiles(
  sectors: TiledLayer["sectors"],
  { isOddR, frame: { left, top }, toTiles }: TileDrawing,
  { window, width, height }: NonNullable<Frame["finite"]>,
): Promise<Uint8Array> {
  const all = new Uint8Array(width * height);
  for await (const given of readPieces("the sectors", sectors)) {
    const { row0, col0, rows, cols, cells } = readSector(given, isOddR);
    checkInteger("row0", row0, window.row0, window.row0 + window.rows - rows);
    checkInteger("col0", col0, window.col0, window.col0 + window.cols - cols);
    const tiles = toTiles(cells);
    if (tiles === undefined) continue;
    for (let r = 0; r < rows; r++) {
      const at = (row0 + r - top) * width + xOf(row0 + r, col0, isOddR) - left;
      all.set(tiles.subarray(r * cols, (r + 1) * cols), at);
    }
  }
  return all;
}

/** Yields the text of the chunks of an infinite map. */
async function* chunksOf(sectors: TiledLayer["sectors"], drawing: TileDrawing): AsyncGenerator<string, void> {
  yield ',"chunks":[';
  let [left, top, right, bottom] = [0, 0, 0, 0];
  let isFirst = true;
  for await (const { text, bounds } of drawing.readyChunks?.() ?? chunksInAll(sectors, drawing)) {
    [left, top] = [Math.min(left, bounds[0]), Math.min(top, bounds[1])];
    [right, bottom] = [Math.max(right, bounds[2]), Math.max(bottom, bounds[3])];
    // one text, because a file is written piece by piece
    yield (isFirst ? "" : ",") + text;
    isFirst = false;
  }
  yield `],"startx":${left},"starty":${top},"width":${right - left},"height":${bottom - top}`;
}

async function* chunksInAll(sectors: TiledLayer["sectors"], drawing: TileDrawing): AsyncGenerator<TiledChunks, void> {
  for await (const given of readPieces("the sectors", sectors)) {
    yield* chunksIn(readSector(given, drawing.isOddR), drawing);
  }
}

/** Yields the chunks of each band of a sector. */
async function* chunksIn(sector: TiledSector, drawing: TileDrawing): AsyncGenerator<TiledChunks, void> {
  for (const band of bandsOf(sector, drawing)) {
    const data = await drawing.encoder.encode(band.map(({ tiles }) => tiles));
    const texts = band.map(
      ({ x, y, width, height }, k) => `{"x":${x},"y":${y},"width":${width},"height":${height},"data":${data[k]}}`,
    );
    const most = (of: (chunk: Chunk) => number) => Math.max(...band.map(of));
    // an even first row, because some programs count the rows of a layer from its first row
    const [left, top] = [-most(({ x }) => -x), -most(({ y }) => -evenFrom(y))];
    const bounds = [left, top, most(({ x, width }) => x + width), most(({ y, height }) => y + height)] as const;
    yield { text: texts.join(), bounds };
  }
}

interface Chunk {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly tiles: Uint8Array;
}

/**
 * Yields the chunks of a sector that are not empty, in bands of at most 2²⁰ cells. Chunks must not overlap: an empty
 * tile of one erases a tile of the other. A rectangle of axial cells is a parallelogram of tiles, in which only the rows
 * 2k and 2k + 1 have the same shift. So chunks of axial cells have two rows.
 */
function* bandsOf({ row0, col0, rows, cols, cells }: TiledSector, drawing: TileDrawing): Generator<Chunk[], void> {
  const { isOddR, toTiles } = drawing;
  const bandRows = Math.max(2, Math.floor(BAND_CELLS / cols / 2) * 2);
  for (let top = row0; top < row0 + rows; ) {
    const bottom = Math.min(row0 + rows, evenFrom(top) + bandRows);
    const band: Chunk[] = [];
    for (let y = top; y < bottom; ) {
      const end = isOddR ? bottom : Math.min(bottom, evenFrom(y) + 2);
      const tiles = toTiles(cells.subarray((y - row0) * cols, (end - row0) * cols));
      if (tiles !== undefined) band.push({ x: xOf(y, col0, isOddR), y, width: cols, height: end - y, tiles });
      y = end;
    }
    if (band.length > 0) yield band;
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
  // visits 4^k … 4^(k + 1) − 1 get the shade k; the table is by the number of bits of the visits
  const shadeOf = (bits: number) => Math.min(VISIT_TILES - 1, (bits - 1) >> 1);
  const ofBits = Uint8Array.from({ length: 33 }, (_, bits) => (bits === 0 ? 0 : FIRST_TILE + terrains + shadeOf(bits)));
  return (cells) => {
    const tiles = new Uint8Array(cells.length);
    let any = 0;
    if (cells.BYTES_PER_ELEMENT === 1) {
      for (let i = 0; i < cells.length; i++) any |= tiles[i] = ofTerrain[cells[i]];
    } else {
      for (let i = 0; i < cells.length; i++) any |= tiles[i] = ofBits[32 - Math.clz32(cells[i])];
    }
    return any === 0 ? undefined : tiles;
  };
}

async function* objectLayer(
  { name, color, cells }: TiledPlacements,
  id: number,
  { isOddR, frame }: TileDrawing,
  nextObject: number,
): AsyncGenerator<string, number> {
  const hex = color?.map((part) => part.toString(16).padStart(2, "0")).join("");
  const layer = { id, name, type: "objectgroup", ...LAYER, draworder: "index", ...(hex && { color: `#${hex}` }) };
  yield `${JSON.stringify(layer).slice(0, -1)},"objects":[`;
  const fixed = '"point":true,"width":0,"height":0,"rotation":0,"visible":true';
  const point = `"type":${JSON.stringify(name)},"name":"",${fixed}`;
  let next = nextObject;
  for await (const batch of readPieces("the cells of placements", cells)) {
    const { rows, cols, properties } = readPoints(batch);
    let points = "";
    for (let k = 0; k < rows.length; k++) {
      const x = xOf(rows[k], cols[k], isOddR);
      checkPlace(rows[k], x);
      const px = (x - frame.left) * TILE_WIDTH + ((rows[k] & 1) * TILE_WIDTH) / 2 + TILE_WIDTH / 2;
      const py = (rows[k] - frame.top) * ROW_PIXELS + TILE_HEIGHT / 2;
      const own = properties === undefined ? "" : `,"properties":${JSON.stringify(propertiesOf(properties[k]))}`;
      points += `${next === nextObject ? "" : ","}{"id":${next++},"x":${px},"y":${py},${point}${own}}`;
      if (points.length < PIECE_CHARACTERS) continue;
      yield points;
      points = "";
    }
    yield points;
  }
  yield "]}";
  return next;
}

function readPoints(batch: TiledPoints): TiledPoints {
  const read = readFields("a batch of placements", batch, ["rows", "cols", "properties"]);
  checkCells("rows", read.rows, "Int32Array");
  const { length } = read.rows;
  checkCells("cols", read.cols, "Int32Array", length);
  if (read.properties === undefined) return read;
  const properties = readList("properties", read.properties, { of: "objects" }) as typeof read.properties;
  checkLength("properties", properties.length, length);
  return { ...read, properties };
}

function propertiesOf(given: Readonly<Record<string, unknown>>): object[] {
  if (typeof given !== "object" || given === null) refuseArgument("properties", given, "an object for each placement");
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return present.map(([name, value]) => ({ name, type: propertyType(name, value), value }));
}

/** Returns the type of a custom property. An `int` of Tiled has 32 bits. */
function propertyType(name: string, value: unknown): string {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number" && Number.isFinite(value)) return value === (value | 0) ? "int" : "float";
  return refuseArgument(`properties.${name}`, value, "a string, a finite number, true or false");
}

function readKind(given: unknown, i: number): TiledPlacements {
  const path = `placements[${i}]`;
  const { name, color, cells } = readFields(path, given as TiledPlacements, ["name", "color", "cells"]);
  checkText(`${path}.name`, name);
  return { name, color: color === undefined ? color : readColor(`${path}.color`, color), cells };
}

function readSector(given: TiledSector, isOddR: boolean): TiledSector {
  const { cells } = readFields("a sector", given, ["cells"]);
  const sector = readRectangle("a sector", given, isOddR);
  checkNumbers("cells", cells);
  checkLength("cells", cells.length, sector.rows * sector.cols);
  return { ...sector, cells };
}

function readRectangle(what: string, given: CellRectangle, isOddR: boolean): CellRectangle {
  const rectangle = readFields(what, given, ["row0", "col0", "rows", "cols"]);
  const { row0, col0, rows, cols } = rectangle;
  checkInteger("row0", row0, -LIMIT, LIMIT);
  checkInteger("col0", col0, -2 * LIMIT, 2 * LIMIT);
  checkInteger("rows", rows, 1, LIMIT);
  checkInteger("cols", cols, 1, LIMIT);
  checkPlace(row0, xOf(row0, col0, isOddR));
  checkPlace(row0 + rows - 1, xOf(row0 + rows - 1, col0 + cols - 1, isOddR));
  return rectangle;
}

function checkPlace(y: number, x: number): void {
  if (Math.abs(y) <= LIMIT && Math.abs(x) <= LIMIT) return;
  const expected = "at most 2^26 rows and tiles from the cell (0, 0)";
  const remedy = "Shift the map by an even number of rows, or write only a part of it";
  fail(error("argument.range", { problem: "a cell is too far away for Tiled", got: [y, x], expected, remedy }));
}

/** A finite map of a world for {@link tiledWorld}. */
export interface TiledWorldMap {
  /** The path of the map's file, relative to the file of the world. */
  readonly fileName: string;
  /** The cells of the map: its option `window`. */
  readonly window: CellRectangle;
}

/**
 * Returns a world of Tiled: the text of a `.world` file (doc.mapeditor.org, Worlds), which shows finite maps beside each
 * other. Tiled loads a map when it is shown, so a world can be larger than a map.
 *
 * @throws RollmillError `argument.type`, `argument.range`, `argument.option` for malformed maps.
 */
export function tiledWorld(maps: readonly TiledWorldMap[], options: CellLayout = {}): string {
  const isOddR = hasOddR(readOptions("tiledWorld", options, ["coordinates"]));
  const placed = readList("maps", maps, { of: "maps" }).map((given, i) => {
    const { fileName, window } = readFields(`maps[${i}]`, given as TiledWorldMap, ["fileName", "window"]);
    checkText(`maps[${i}].fileName`, fileName);
    const { left, top, width, height } = tileFrame(readRectangle(`maps[${i}].window`, window, isOddR), isOddR);
    return {
      fileName,
      x: left * TILE_WIDTH,
      y: top * ROW_PIXELS,
      // an odd row reaches half a tile further to the right, and a tile reaches below the row of the next one
      width: width * TILE_WIDTH + TILE_WIDTH / 2,
      height: height * ROW_PIXELS + TILE_HEIGHT - ROW_PIXELS,
    };
  });
  return `${JSON.stringify({ maps: placed, onlyShowAdjacentMaps: false, type: "world" })}\n`;
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
