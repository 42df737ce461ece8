import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../../files/folders.js";
import { writeWhole } from "../../files/index.js";
import { failToWrite } from "../../files/problem.js";
import type { Rgb } from "../../formats/index.js";
import { parentTile, tilePng, tilePyramid, tileViewer } from "../../formats/index.js";
import { overlap } from "../../walks/rectangles.js";
import { NO_TERRAIN } from "../../worlds/types.js";
import { readTile, tileSums, withSum } from "./keptTiles.js";
import type { MakePieces, Pieces } from "./pieces.js";
import { EXPORTS_FOLDER, type ExportSource, progressOf, type WriteOptions } from "./source.js";
import { type TileMap, tileMap } from "./tileMap.js";

export const PAGE = "index.html";
/** The usual name of the folder of tiles. */
export const TILES = "tiles";

/** The cells of a tile, or null if all its cells are outside the map. */
type Tile = Uint8Array | null;

interface TilePlace {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** `png` is null if all cells of the tile are outside the map, and undefined if the file of the tile is still true. */
export interface TilePicture extends TilePlace {
  readonly png: Uint8Array | null | undefined;
}

/** The pictures of a tile and of the tiles below it. */
interface TileBlock {
  readonly pictures: readonly TilePicture[];
  readonly top: Tile;
}

/** A block has a tile and the tiles of so many deeper zooms: 1,024 × 1,024 cells. */
const BLOCK_ZOOMS = 2;

export async function writeTiles(
  source: ExportSource,
  folder: string,
  call: WriteOptions,
  make: MakePieces,
): Promise<void> {
  makeFolder(folder);
  await removeFile(join(folder, PAGE));
  const write = async ({ png, ...place }: TilePicture) => {
    const file = fileOf(place, folder);
    if (png === undefined) return;
    if (png === null) return removeFile(file);
    makeFolder(dirname(file), folder);
    await writeWhole(file, png);
  };
  const map = await makeTiles({ source, folder }, write, call, make);
  await writeWhole(join(folder, PAGE), tileViewer(viewOf(source, map)));
}

/** Returns the options of the page that shows the tiles. */
export function viewOf({ job }: ExportSource, { window, legend }: TileMap) {
  const { rows, cols, row0, col0 } = window;
  return { rows, cols, row0, col0, title: job.manifest.name, terrains: legend };
}

function fileOf({ z, x, y }: TilePlace, folder: string): string {
  return join(folder, `${z}`, `${x}`, `${y}.png`);
}

/** If the tiles are files: their folder. */
interface TileTarget {
  readonly source: ExportSource;
  readonly folder?: string | undefined;
}

/** Makes the tiles of all zooms. `take` takes the tiles of a block in any order. */
export async function makeTiles(
  target: TileTarget,
  take: (picture: TilePicture) => Promise<void>,
  call: WriteOptions,
  make: MakePieces,
): Promise<TileMap> {
  const { source, folder } = target;
  const map = tileMap(source, call);
  const pyramid = pyramidOf(map);
  const { rows, cols } = map.window;
  const passed = progressOf("the tiles", rows * cols, call);
  const pictureOf = picturesFor(target, map);
  const blocks = make(tilePieces(source, call, folder));
  const nextTop = async (place: TilePlace) => {
    const { value } = await blocks.next();
    if (value === undefined) throw new Error("the tiles have too few blocks");
    await Promise.all(value.pictures.map(take));
    const { rows, cols } = pyramid.cellsOf(place);
    passed(rows * cols);
    return value.top;
  };
  try {
    const drawn = (place: TilePlace, cells: Tile) => take({ ...place, png: pictureOf(place, cells) });
    await pyramid.tileAt(TOP, { zoom: pyramid.blockZoom, made: nextTop, take: drawn });
  } finally {
    // ends the work of the threads
    await blocks.return();
  }
  return map;
}

/** The blocks of tiles, in the order in which {@link makeTiles} needs them. */
export function tilePieces(source: ExportSource, call: WriteOptions, folder?: string): Pieces<TileBlock> {
  const map = tileMap(source, call);
  const { side, deepest, tileAt, blocks } = pyramidOf(map);
  const { row0, col0 } = map.window;
  const places = [...blocks(TOP)];
  const pictureOf = picturesFor({ source, folder }, map);
  const make = async (k: number) => {
    const made: TilePicture[] = [];
    const take = async (place: TilePlace, cells: Tile) => {
      made.push({ ...place, png: pictureOf(place, cells) });
    };
    const tileIn = async (place: TilePlace) => {
      call.signal?.throwIfAborted();
      const corner = { row0: row0 + place.y * side, col0: col0 + place.x * side };
      const tile = map.pixels({ ...corner, rows: side, cols: side });
      const cells = uniformValue(tile) === NO_TERRAIN ? null : tile;
      await take(place, cells);
      return cells;
    };
    const top = await tileAt(places[k], { zoom: deepest, made: tileIn, take });
    return { pictures: made, top };
  };
  return { count: places.length, make };
}

const TOP: TilePlace = { z: 0, x: 0, y: 0 };

interface Making {
  /** The zoom whose tiles `made` returns. The tiles above it are made from these. */
  readonly zoom: number;
  readonly made: (place: TilePlace) => Promise<Tile>;
  readonly take: (place: TilePlace, cells: Tile) => Promise<void>;
}

function pyramidOf({ window }: TileMap) {
  const { rows, cols } = window;
  const { deepest, side, levels } = tilePyramid({ rows, cols });
  const blockZoom = Math.max(0, deepest - BLOCK_ZOOMS);
  const isInside = ({ z, x, y }: TilePlace) => x < levels[deepest - z].cols && y < levels[deepest - z].rows;

  /** Yields the places of the blocks below a tile. */
  function* blocks(place: TilePlace): Generator<TilePlace, void> {
    if (!isInside(place)) return;
    if (place.z === blockZoom) yield place;
    else for (const below of fourBelow(place)) yield* blocks(below);
  }

  /** Makes a tile and all tiles below it. */
  async function tileAt(place: TilePlace, making: Making): Promise<Tile> {
    if (!isInside(place)) return null;
    if (place.z === making.zoom) return making.made(place);
    const [a, b, c, d] = fourBelow(place);
    const four = [
      await tileAt(a, making),
      await tileAt(b, making),
      await tileAt(c, making),
      await tileAt(d, making),
    ] as const;
    const cells = four.every((one) => one === null) ? null : parentTile(four, { side });
    await making.take(place, cells);
    return cells;
  }

  /** The cells of a tile, counted from the first cell of the window. */
  function cellsOf({ z, x, y }: TilePlace) {
    const length = side * 2 ** (deepest - z);
    const whole = { row0: y * length, col0: x * length, rows: length, cols: length };
    return overlap(whole, { row0: 0, col0: 0, rows, cols });
  }

  return { side, deepest, blockZoom, blocks, tileAt, cellsOf };
}

function fourBelow({ z, x, y }: TilePlace): readonly TilePlace[] {
  return [0, 1, 2, 3].map((k) => ({ z: z + 1, x: 2 * x + (k & 1), y: 2 * y + (k >> 1) }));
}

/**
 * Returns a function that returns the picture of a tile: undefined if its file is still true. Takes a picture that the
 * export of the earlier job has, if the job takes parts from one.
 */
function picturesFor({ source: { job }, folder }: TileTarget, { colors }: TileMap) {
  const draw = pictures(colors);
  if (folder === undefined) return (_: TilePlace, cells: Tile) => cells && draw(cells);
  const sumOf = tileSums(colors);
  const earlier = job.from && join(job.from.store.place, EXPORTS_FOLDER, TILES);
  return (place: TilePlace, cells: Tile): TilePicture["png"] => {
    if (cells === null) return null;
    const sum = sumOf(cells);
    if (readTile(fileOf(place, folder), sum) !== undefined) return undefined;
    const before = earlier === undefined ? undefined : readTile(fileOf(place, earlier), sum);
    return before ?? withSum(draw(cells), sum);
  };
}

/** Returns a function that draws tiles. It draws a tile of one terrain, such as the open sea, only once. */
function pictures(colors: readonly Rgb[]): (cells: Uint8Array) => Uint8Array {
  const uniform = new Map<number, Uint8Array>();
  return (cells) => {
    const value = uniformValue(cells);
    const known = value === undefined ? undefined : uniform.get(value);
    const png = known ?? tilePng(cells, { colors });
    if (value !== undefined) uniform.set(value, png);
    return png;
  };
}

function uniformValue(cells: Uint8Array): number | undefined {
  const [first] = cells;
  return cells.every((cell) => cell === first) ? first : undefined;
}

export async function removeFile(file: string): Promise<void> {
  await rm(file, { force: true }).catch((cause) => failToWrite(file, cause));
}
