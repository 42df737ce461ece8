import { error, type Finding, fail } from "../errors/index.js";
import { isObject } from "../spec/index.js";

/** The map of a stamp, and the placements on its cells, in the form that the parser of stamps reads. */
export interface StampMap {
  readonly map: unknown;
  readonly places: readonly (readonly [row: number, col: number, kind: string])[];
}

type Json = Readonly<Record<string, unknown>>;
type NamedCell = Readonly<{ row: number; col: number; name: string }>;

/** Tiled stores flips and turns of a tile in the four highest bits of its number. */
const TILE_NUMBER = 0x0fffffff;
const MAX_CELLS = 2 ** 20;
const MAX_SIDE = 128;
/** Groups of layers inside more groups than this are ignored. */
const MAX_DEPTH = 64;
const COMPRESSIONS: ReadonlyMap<unknown, CompressionFormat> = new Map([
  ["zlib", "deflate"],
  ["gzip", "gzip"],
] as const);

/**
 * Reads a stamp from a map of the Tiled map editor with hexagons in rows (doc.mapeditor.org, JSON Map Format). The
 * class of a tile is the sign of its cell, and the class of an object is a kind of placement. Tiles and objects without
 * a class are ignored. If several layers have a tile with a class, the topmost one counts.
 */
export class TiledStamp {
  readonly #map: Json;
  readonly #file: string;
  /** 1 if even rows are shifted: a stamp shifts odd rows. */
  readonly #down: number;

  constructor(map: Json, file: string) {
    this.#map = map;
    this.#file = file;
    this.#down = map.staggerindex === "even" ? 1 : 0;
  }

  /** @throws RollmillError `world.spec`. */
  async read(): Promise<StampMap> {
    const { orientation, staggeraxis } = this.#map;
    if (orientation !== "hexagonal" || staggeraxis !== "y") {
      const expected = 'a map of Tiled with the orientation "hexagonal" and the stagger axis "y"';
      this.#refuse({ problem: "not a map of hexagons in rows", got: `${orientation}, ${staggeraxis}`, expected });
    }
    const layers = layersIn(this.#map);
    const classes = this.#classes();
    const cells = new Map<string, NamedCell>();
    for (const layer of layers.filter(({ type }) => type === "tilelayer")) {
      for (const chunk of layer.chunks === undefined ? [layer] : recordsIn(layer.chunks)) {
        for (const cell of await this.#cells(layer, chunk, classes)) cells.set(`${cell.row} ${cell.col}`, cell);
      }
    }
    const objects = layers.flatMap((layer) => recordsIn(layer.objects).flatMap((one) => this.#cellOf(one)));
    return this.#moved([...cells.values()], objects);
  }

  /** Returns the classes of tiles by their numbers in the map. */
  #classes(): Map<number, string> {
    const tilesets = recordsIn(this.#map.tilesets);
    const got = tilesets.find(({ source }) => source !== undefined)?.source;
    if (got !== undefined) {
      this.#refuse({ problem: "a tileset is in a file of its own", got, remedy: "Embed the tileset in the map" });
    }
    const tiles = tilesets.flatMap(({ firstgid, tiles }) =>
      recordsIn(tiles).map((tile) => [Number(firstgid) + Number(tile.id), classOf(tile)] as const),
    );
    return new Map(tiles.flatMap(([tile, name]) => (name === undefined ? [] : [[tile, name] as const])));
  }

  async #cells(layer: Json, chunk: Json, classes: ReadonlyMap<number, string>): Promise<NamedCell[]> {
    const [left, top, cols, rows] = [chunk.x ?? 0, chunk.y ?? 0, chunk.width, chunk.height].map(Number);
    const isSound = [left, top, cols, rows].every(Number.isSafeInteger) && cols > 0 && rows > 0;
    if (!isSound || cols * rows > MAX_CELLS) {
      const expected = `integers, and at most ${MAX_CELLS} cells`;
      this.#refuse({ problem: "invalid size of a layer", got: `${cols} × ${rows} at ${left}, ${top}`, expected });
    }
    const tiles = await this.#tiles(layer, chunk.data, cols * rows);
    return tiles.flatMap((tile, k) => {
      const name = classes.get(tile & TILE_NUMBER);
      const row = top + this.#down + Math.floor(k / cols);
      return name === undefined ? [] : [{ row, col: left + (k % cols), name }];
    });
  }

  async #tiles({ compression = "" }: Json, data: unknown, count: number): Promise<readonly number[]> {
    const form = COMPRESSIONS.get(compression);
    if (compression !== "" && form === undefined) {
      const remedy = "Choose the layer format CSV, or Base64 with zlib or gzip";
      this.#refuse({ problem: "unknown compression of a layer", got: compression, remedy });
    }
    const given = typeof data === "string" ? await tilesIn(data, form, count).catch(() => []) : data;
    const tiles: readonly unknown[] = Array.isArray(given) ? given : [];
    if (tiles.length === count) return tiles.map(Number);
    return this.#refuse({ problem: "a layer has the wrong number of tiles", got: tiles.length, expected: `${count}` });
  }

  /** Returns the cell whose centre is nearest to an object with a class: first its row, then its column. */
  #cellOf(object: Json): NamedCell[] {
    const name = classOf(object);
    const { tilewidth, tileheight, hexsidelength } = this.#map;
    const [width, height, side, x, y] = [tilewidth, tileheight, hexsidelength, object.x, object.y].map(Number);
    const row = this.#down + Math.round((y - height / 2) / ((height + side) / 2));
    const col = Math.round((x - width / 2) / width - (row & 1) / 2);
    return name === undefined ? [] : [{ row, col, name }];
  }

  /** Moves the cells to row 0 or 1 and column 0. An odd row stays odd, because it is shifted. */
  #moved(cells: readonly NamedCell[], objects: readonly NamedCell[]): StampMap {
    const [first, last] = rangeOf(cells.map(({ row }) => row));
    const [left, right] = rangeOf(cells.map(({ col }) => col));
    const top = 2 * Math.floor(first / 2);
    const [rows, cols] = [last - top + 1, right - left + 1];
    if (rows > MAX_SIDE || cols > MAX_SIDE) {
      const expected = `at most ${MAX_SIDE} × ${MAX_SIDE} cells with tiles`;
      this.#refuse({ problem: "the map is too large for a stamp", got: `${rows} × ${cols}`, expected });
    }
    const map = Array.from({ length: rows }, () => new Array<string>(cols).fill(""));
    for (const { row, col, name } of cells) map[row - top][col - left] = name;
    return { map, places: objects.map(({ row, col, name }) => [row - top, col - left, name] as const) };
  }

  #refuse(finding: Finding): never {
    return fail(error("world.spec", { ...finding, where: { file: this.#file } }));
  }
}

function rangeOf(numbers: readonly number[]): [least: number, most: number] {
  return numbers.reduce(
    ([least, most], one) => [Math.min(least, one), Math.max(most, one)],
    [numbers[0] ?? 0, numbers[0] ?? 0],
  );
}

/** Returns the numbers of tiles of a Base64 text: 32 bits each, little-endian. */
async function tilesIn(data: string, form: CompressionFormat | undefined, count: number): Promise<number[]> {
  const packed = Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
  const bytes = form === undefined ? packed : await unpacked(packed, form, 4 * count);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, k) => view.getUint32(4 * k, true));
}

/** Unpacks bytes. Stops after `most` bytes, so that a small file cannot fill the memory. */
async function unpacked(packed: Uint8Array<ArrayBuffer>, form: CompressionFormat, most: number): Promise<Uint8Array> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream(form)).getReader();
  const bytes = new Uint8Array(most);
  let length = 0;
  while (length < most) {
    const { done, value } = await reader.read();
    if (done) return bytes.subarray(0, length);
    bytes.set(value.subarray(0, most - length), length);
    length += value.length;
  }
  await reader.cancel();
  return bytes;
}

/** Returns the layers of a map, with those inside groups, from the lowest to the topmost. */
function layersIn(of: Json, depth = 0): Json[] {
  if (depth > MAX_DEPTH) return [];
  return recordsIn(of.layers).flatMap((layer) => (layer.type === "group" ? layersIn(layer, depth + 1) : [layer]));
}

function recordsIn(list: unknown): Json[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Tiled 1.9 writes `class`, other versions write `type`. */
function classOf({ type, class: other }: Json): string | undefined {
  return [type, other].find((name): name is string => typeof name === "string" && name !== "");
}
