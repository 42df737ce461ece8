import { error, fail, readFields } from "../errors/index.js";
import { checkText, readList, readOptions, refuseArgument } from "../spec/index.js";
import type { Rgb } from "./colormap.js";
import { hexagonLines } from "./hexGeometry.js";
import { indexedPng } from "./indexedPng.js";
import { readRgb } from "./pictureColors.js";
import type { TerrainKind } from "./terrainPng.js";

/** A pointy-top hexagon in pixels. SIDE_PIXELS is the length of its vertical sides. */
export const TILE_WIDTH = 28;
export const TILE_HEIGHT = 32;
export const SIDE_PIXELS = 16;
export const ROW_PIXELS = (TILE_HEIGHT + SIDE_PIXELS) / 2;

/** One for each range of visits. */
export const VISIT_TILES = 8;
/** A tile is a byte above 0, and a palette has one transparent colour besides one for each tile. */
const MAX_TERRAINS = 255 - VISIT_TILES;
const COLUMNS = 16;
/** Alpha of the tile for the most visits. These tiles are black and partly transparent. */
const DARKEST = 176;

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

export function readTerrains(given: readonly TerrainKind[]): TerrainKind[] {
  const kinds = readList("terrains", given, { of: "terrains", most: MAX_TERRAINS });
  if (kinds.length === 0) fail(error("argument.range", { problem: "no terrain is given", expected: "at least one" }));
  return kinds.map((kind, i) => {
    const path = `terrains[${i}]`;
    const { name, color } = readFields(path, kind as TerrainKind, ["name", "color"]);
    checkText(`${path}.name`, name);
    const rgb = readRgb(`${path}.color`, color);
    return { name, color: rgb ?? refuseArgument(`${path}.color`, color, "[red, green, blue], each 0 … 255") };
  });
}

export function tilesetOf(terrains: readonly TerrainKind[], image: string): object {
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
  // draws no gap between hexagons, because Tiled itself can show a grid
  const lines = hexagonLines(TILE_WIDTH, ROW_PIXELS, 0);
  for (let tile = 0; tile < count; tile++) {
    const corner = Math.floor(tile / COLUMNS) * TILE_HEIGHT * width + (tile % COLUMNS) * TILE_WIDTH;
    for (const [line, [start, end]] of lines.entries()) {
      pixels.fill(1 + tile, corner + line * width + start, corner + line * width + end);
    }
  }
  const shades = Array.from({ length: VISIT_TILES }, (_, i) => [
    0,
    0,
    0,
    Math.round((DARKEST * (i + 1)) / VISIT_TILES),
  ]);
  return indexedPng({ width, height, pixels }, [[0, 0, 0, 0], ...colors.map((color) => [...color, 255]), ...shades]);
}
