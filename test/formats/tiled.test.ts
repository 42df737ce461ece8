import { inflateSync } from "node:zlib";
import { decode } from "fast-png";
import zstd from "numcodecs/zstd";
import { describe, expect, test } from "vitest";
import {
  type TiledEncoding,
  type TiledMap,
  type TiledPoints,
  type TiledSector,
  tiledMap,
  tiledTileset,
  tiledWorld,
} from "../../src/formats/index.js";
import { codeOf, rejectionOf } from "../refusal.js";
import { IS_SOAK } from "../soak.js";

const TERRAINS = [
  { name: "sea", color: [20, 60, 120] },
  { name: "land", color: [100, 160, 90] },
] as const;

interface WrittenChunk {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly data: string;
}

interface WrittenObject {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly type: string;
  readonly properties?: unknown;
}

interface WrittenLayer {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly compression?: string;
  readonly starty?: number;
  readonly data: unknown;
  readonly chunks: readonly WrittenChunk[];
  readonly objects: readonly WrittenObject[];
}

interface WrittenMap extends Record<string, unknown> {
  readonly layers: readonly WrittenLayer[];
}

async function textOf(map: Partial<TiledMap>): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of tiledMap({ terrains: TERRAINS, layers: [], ...map })) pieces.push(piece);
  return pieces.join("");
}

/** Custom properties by name. */
function valuesIn(properties: unknown): Record<string, number> {
  const list = (properties ?? []) as { name: string; value: number }[];
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}

const written = async (map: Partial<TiledMap>) => JSON.parse(await textOf(map)) as WrittenMap;

/** The tiles of a layer, by "x,y". A tile that two chunks have is an error. */
function tilesOf({ chunks }: WrittenLayer): Map<string, number> {
  const tiles = new Map<string, number>();
  for (const { x, y, width, height, data } of chunks) {
    const bytes = inflateSync(Buffer.from(data, "base64"));
    expect(bytes.length).toBe(width * height * 4);
    for (let i = 0; i < width * height; i++) {
      const place = `${x + (i % width)},${y + Math.floor(i / width)}`;
      if (tiles.has(place)) throw new Error(`two chunks have the tile ${place}`);
      tiles.set(place, bytes.readUInt32LE(4 * i));
    }
  }
  return tiles;
}

const sector = (row0: number, col0: number, rows: number, cols: number): TiledSector => ({
  row0,
  col0,
  rows,
  cols,
  cells: Uint8Array.from({ length: rows * cols }, (_, i) => (i + row0) & 1),
});

describe("tiledMap", () => {
  test("an axial row is shifted by half its number, rounded down, and no chunks overlap", async () => {
    const sectors = [sector(-3, -4, 5, 8), sector(-3, 4, 5, 3), sector(2, -4, 4, 11)];
    const { layers } = await written({ layers: [{ name: "terrain", sectors }] });
    const tiles = tilesOf(layers[0]);
    for (const { row0, col0, rows, cols, cells } of sectors) {
      for (let i = 0; i < rows * cols; i++) {
        const [row, col] = [row0 + Math.floor(i / cols), col0 + (i % cols)];
        expect(tiles.get(`${col + Math.floor(row / 2)},${row}`)).toBe(cells[i] + 1);
      }
    }
    expect(tiles.size).toBe(40 + 15 + 44);
  });

  test("odd-r cells are not shifted, and a sector is one chunk", async () => {
    const layer = { name: "terrain", sectors: [sector(-3, -4, 5, 8)] };
    const { layers } = await written({ coordinates: "odd-r", layers: [layer] });
    expect(layers[0].chunks.map(({ x, y, width, height }) => [x, y, width, height])).toEqual([[-4, -3, 8, 5]]);
    expect(layers[0]).toMatchObject({ startx: -4, starty: -4, width: 4 + 8 - 4, height: 6 });
  });

  test("large sectors are written in bands, and an asynchronous iterable gives the same text", async () => {
    const large = sector(0, 0, 1500, 1000);
    const layers = [{ name: "terrain", sectors: [large] }];
    const text = await textOf({ coordinates: "odd-r", layers });
    const tiles = tilesOf((JSON.parse(text) as WrittenMap).layers[0]);
    expect(tiles.size).toBe(1_500_000);
    expect(tiles.get("999,1499")).toBe(large.cells[1_499_999] + 1);
    async function* sectors() {
      yield large;
    }
    expect(await textOf({ coordinates: "odd-r", layers: [{ name: "terrain", sectors: sectors() }] })).toBe(text);
  });

  test("cells without terrain are empty, and chunks with empty cells only are left out", async () => {
    const cells = new Uint8Array(80).fill(255);
    cells[45] = 1;
    const { layers } = await written({
      layers: [{ name: "t", sectors: [{ row0: 0, col0: 0, rows: 8, cols: 10, cells }] }],
    });
    expect(layers[0].chunks.map(({ x, y }) => [x, y])).toEqual([[2, 4]]);
    expect([...tilesOf(layers[0])].filter(([, tile]) => tile !== 0)).toEqual([["7,4", 2]]);
  });

  test("visits have tiles by powers of 4, after those of the terrains", async () => {
    const cells = Uint32Array.of(0, 1, 3, 4, 15, 16, 4 ** 7 - 1, 4 ** 7, 2 ** 32 - 1);
    const { layers } = await written({
      layers: [{ name: "visits", sectors: [{ row0: 0, col0: 0, rows: 1, cols: 9, cells }] }],
    });
    expect([...tilesOf(layers[0]).values()]).toEqual([0, 3, 3, 4, 4, 5, 9, 10, 10]);
  });

  test("placements are points in the centres of their cells", async () => {
    const cells = [
      { rows: Int32Array.of(0, 1), cols: Int32Array.of(0, 0) },
      { rows: Int32Array.of(-1), cols: Int32Array.of(2) },
    ];
    const map = await written({
      layers: [{ name: "t", sectors: [] }],
      placements: [
        { name: "village", color: [255, 0, 10], cells },
        { name: "cave", cells: [] },
      ],
    });
    const [, villages, caves] = map.layers;
    expect(villages).toMatchObject({ id: 2, name: "village", type: "objectgroup", color: "#ff000a" });
    expect(villages.objects.map(({ id, x, y, type }) => [id, x, y, type])).toEqual([
      [1, 14, 16, "village"],
      [2, 28, 40, "village"],
      [3, 56, -8, "village"],
    ]);
    expect(caves.objects).toEqual([]);
    expect([map.nextlayerid, map.nextobjectid]).toEqual([4, 4]);
  });

  test("a batch of placements may be longer than a text can be", async () => {
    const [rows, cols] = [new Int32Array(600), new Int32Array(600)];
    let characters = 0;
    const placements = [{ name: "x".repeat(2 ** 20), cells: [{ rows, cols }] }];
    for await (const piece of tiledMap({ terrains: TERRAINS, layers: [], placements })) characters += piece.length;
    expect(characters).toBeGreaterThan(600 * 2 ** 20);
  });

  test("the map has the fields that Tiled's hexagonal maps have, and its tileset", async () => {
    const map = await written({ image: "hexagons.png" });
    expect(map).toMatchObject({ orientation: "hexagonal", staggeraxis: "y", staggerindex: "odd", hexsidelength: 16 });
    expect(map).toMatchObject({ tilewidth: 28, tileheight: 32, infinite: true });
    const { tileset } = tiledTileset(TERRAINS, { image: "hexagons.png" });
    expect(map.tilesets).toEqual([{ firstgid: 1, ...tileset }]);
  });

  const at = (row0: number, col0: number) => [{ name: "t", sectors: [{ ...sector(0, 0, 1, 1), row0, col0 }] }];
  test.each<[string, Partial<TiledMap>]>([
    ["argument.range", { terrains: [] }],
    ["argument.range", { terrains: new Array(248).fill(TERRAINS[0]) }],
    ["argument.type", { terrains: [{ name: "a" }] as never }],
    ["argument.range", { coordinates: "even-r" as never }],
    ["argument.type", { layers: {} as never }],
    ["argument.type", { layers: [{ name: "a", sectors: 5 as never }] }],
    ["argument.type", { layers: [{ name: "a", sectors: [5 as never] }] }],
    ["argument.range", { layers: [{ name: "a", sectors: [{ ...sector(0, 0, 1, 1), cells: new Uint8Array(2) }] }] }],
    ["argument.type", { layers: [{ name: "a", sectors: [{ ...sector(0, 0, 1, 1), cells: [1] as never }] }] }],
    ["argument.range", { layers: at(2 ** 27, 0) }],
    ["argument.range", { layers: at(2 ** 26, 2 ** 26) }],
    ["argument.type", { placements: [{ name: "a", cells: [{ rows: [1], cols: [1] }] }] as never }],
    ["argument.range", { placements: [{ name: "a", cells: [{ rows: Int32Array.of(1), cols: new Int32Array(2) }] }] }],
    ["argument.type", { placements: [{ name: "a", color: "red", cells: [] }] as never }],
    ["argument.option", { tiles: 5 } as never],
  ])("%s for %j", async (code, map) => {
    expect((await rejectionOf(textOf(map))).code).toBe(code);
  });
});

const ENCODINGS: readonly (TiledEncoding | undefined)[] = [undefined, "csv", "base64", "zlib", "zstd"];

/** The tiles of a list, row by row, however they are stored. */
async function numbersIn(data: string | readonly number[], compression?: string): Promise<number[]> {
  if (typeof data !== "string") return [...data];
  const stored = Buffer.from(data, "base64");
  const unpack = { zlib: inflateSync, zstd: (bytes: Uint8Array) => zstd.fromConfig({ id: "zstd" }).decode(bytes) };
  const bytes = Buffer.from(compression === undefined ? stored : await unpack[compression as "zlib"](stored));
  return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32LE(4 * i));
}

/** A rectangle that is cut into sectors of random sides, and each of its cells. */
function randomMap(random: (below: number) => number) {
  const window = { row0: random(30) - 15, col0: random(30) - 15, rows: 1 + random(9), cols: 1 + random(9) };
  const cells = new Map<string, number>();
  const sectors: TiledSector[] = [];
  const [height, width] = [1 + random(window.rows), 1 + random(window.cols)];
  for (let r = 0; r < window.rows; r += height) {
    for (let c = 0; c < window.cols; c += width) {
      const [rows, cols] = [Math.min(height, window.rows - r), Math.min(width, window.cols - c)];
      const at = { row0: window.row0 + r, col0: window.col0 + c, rows, cols };
      // a third of the sectors are empty
      const isEmpty = random(3) === 0;
      const numbers = Uint8Array.from({ length: rows * cols }, () => (isEmpty ? 255 : random(3)));
      for (const [i, cell] of numbers.entries()) {
        const [row, col] = [at.row0 + Math.floor(i / cols), at.col0 + (i % cols)];
        if (cell < TERRAINS.length) cells.set(`${row},${col}`, cell);
      }
      sectors.splice(random(sectors.length + 1), 0, { ...at, cells: numbers });
    }
  }
  return { window, sectors, cells };
}

function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe("finite and infinite maps in each encoding", () => {
  test("have each cell in its tile, and no other tiles", async () => {
    for (let k = 0; k < (IS_SOAK ? 500 : 100); k++) {
      const random = generator(k);
      const { window, sectors, cells } = randomMap(random);
      const isOddR = random(2) === 0;
      const isWindow = random(2) === 0;
      const map = await written({
        ...(isOddR && { coordinates: "odd-r" }),
        encoding: ENCODINGS[k % ENCODINGS.length],
        ...(isWindow && { window }),
        layers: [{ name: "terrain", sectors }],
      });
      const [layer] = map.layers;
      const { x0 = 0, y0 = 0 } = valuesIn(map.properties);
      const whole = { x: 0, y: 0, width: map.width, height: map.height, data: layer.data };
      const found = new Map<string, number>();
      for (const { x, y, width, data } of (isWindow ? [whole] : layer.chunks) as WrittenChunk[]) {
        for (const [i, tile] of (await numbersIn(data, layer.compression)).entries()) {
          const [row, left] = [y + Math.floor(i / width) + y0, x + (i % width) + x0];
          const place = `${row},${isOddR ? left : left - Math.floor(row / 2)}`;
          if (tile !== 0) found.set(place, tile - 1);
        }
      }
      expect(found, `case ${k}`).toEqual(cells);
      expect(Math.abs(y0 % 2) + Math.abs((layer.starty ?? 0) % 2)).toBe(0);
    }
  });

  test("a finite map has no more tiles than its cells need", async () => {
    const window = { row0: -3, col0: 4, rows: 5, cols: 2 };
    const layers = [{ name: "terrain", sectors: [sector(-3, 4, 5, 2)] }];
    // rows −3 … 1 begin at x = 2, 3, 3, 4, 4; the rows begin at an even one
    const axial = await written({ window, layers });
    expect(axial).toMatchObject({ infinite: false, width: 4, height: 6 });
    expect(valuesIn(axial.properties)).toEqual({ x0: 2, y0: -4 });
    const upright = await written({ window, layers, coordinates: "odd-r" });
    expect(upright).toMatchObject({ infinite: false, width: 2, height: 6 });
    expect(valuesIn(upright.properties)).toEqual({ x0: 4, y0: -4 });
  });

  test("the points of a finite map move with its tiles, and have their properties", async () => {
    const cells: TiledPoints[] = [
      {
        rows: Int32Array.of(-3, 1),
        cols: Int32Array.of(4, 5),
        properties: [
          { name: 'a"b', size: 2 ** 31, share: 0.5, deep: -7 },
          { isOpen: true, none: undefined },
        ],
      },
    ];
    const placements = [{ name: "cave", cells }];
    const window = { row0: -3, col0: 4, rows: 5, cols: 2 };
    const [finite, infinite] = [
      await written({ window, layers: [], placements }),
      await written({ layers: [], placements }),
    ];
    const { x0, y0 } = valuesIn(finite.properties);
    for (const [k, { x, y }] of infinite.layers[0].objects.entries()) {
      expect(finite.layers[0].objects[k]).toMatchObject({ x: x - x0 * 28, y: y - y0 * 24 });
    }
    expect(finite.layers[0].objects.map(({ properties }) => properties)).toEqual([
      [
        { name: "name", type: "string", value: 'a"b' },
        { name: "size", type: "float", value: 2 ** 31 },
        { name: "share", type: "float", value: 0.5 },
        { name: "deep", type: "int", value: -7 },
      ],
      [{ name: "isOpen", type: "bool", value: true }],
    ]);
  });

  const small = { row0: 0, col0: 0, rows: 2, cols: 2 };
  const points = (properties: unknown) => ({
    placements: [{ name: "a", cells: [{ rows: new Int32Array(1), cols: new Int32Array(1), properties }] }] as never,
  });
  test.each<[string, Partial<TiledMap>]>([
    ["argument.range", { encoding: "gzip" as never }],
    ["argument.type", { window: 5 as never }],
    ["argument.range", { window: { ...small, rows: 0 } }],
    ["argument.range", { window: { ...small, rows: 4096, cols: 4096 } }],
    ["argument.range", { window: small, layers: [{ name: "t", sectors: [sector(1, 0, 2, 1)] }] }],
    ["argument.range", { window: small, layers: [{ name: "t", sectors: [sector(0, -1, 1, 1)] }] }],
    ["argument.type", points(5)],
    ["argument.range", points([])],
    ["argument.type", points([null])],
    ["argument.type", points([{ a: null }])],
    ["argument.type", points([{ a: Number.NaN }])],
    ["argument.type", points([{ a: [1] }])],
  ])("%s for %j", async (code, map) => {
    expect((await rejectionOf(textOf(map))).code).toBe(code);
  });
});

describe("tiledWorld", () => {
  test.each(["axial", "odd-r"] as const)(
    "has each map where its tiles are in an infinite map: %s",
    async (coordinates) => {
      const windows = [
        { row0: -3, col0: 4, rows: 5, cols: 2 },
        { row0: 2, col0: -6, rows: 7, cols: 3 },
      ];
      const given = windows.map((window, i) => ({ fileName: `${i}.tmj`, window }));
      const { maps, type } = JSON.parse(tiledWorld(given, { coordinates }));
      expect(type).toBe("world");
      for (const [i, window] of windows.entries()) {
        const map = await written({ coordinates, window });
        const { x0, y0 } = valuesIn(map.properties);
        const [width, height] = [Number(map.width) * 28 + 14, Number(map.height) * 24 + 8];
        expect(maps[i]).toEqual({ fileName: `${i}.tmj`, x: x0 * 28, y: y0 * 24, width, height });
      }
    },
  );

  test.each<[string, unknown, unknown?]>([
    ["argument.type", {}],
    ["argument.type", [5]],
    ["argument.type", [{ fileName: 5, window: { row0: 0, col0: 0, rows: 1, cols: 1 } }]],
    ["argument.type", [{ fileName: "a.tmj" }]],
    ["argument.range", [{ fileName: "a.tmj", window: { row0: 0, col0: 0, rows: 1, cols: 0 } }]],
    ["argument.range", [], { coordinates: "even-r" }],
    ["argument.option", [], { side: 5 }],
  ])("%s for %j", (code, maps, options) => {
    expect(codeOf(() => tiledWorld(maps as never, options as never))).toBe(code);
  });
});

describe("tiledTileset", () => {
  test("has a hexagon in the colour of each terrain, and 8 shades", () => {
    const { png, tileset } = tiledTileset(
      Array.from({ length: 20 }, (_, i) => ({ name: `t${i}`, color: [i, 2 * i, 9] })),
    );
    expect(tileset).toMatchObject({ tilecount: 28, columns: 16, imagewidth: 448, imageheight: 64, image: "tiles.png" });
    const { data, palette, width, height } = decode(png);
    expect([width, height]).toEqual([448, 64]);
    const colorAt = (tile: number, x: number, y: number) =>
      palette?.[data[(Math.floor(tile / 16) * 32 + y) * 448 + (tile % 16) * 28 + x]];
    expect(colorAt(18, 14, 16)).toEqual([18, 36, 9, 255]);
    expect(colorAt(18, 0, 0)).toEqual([0, 0, 0, 0]);
    expect(colorAt(20, 14, 16)).toEqual([0, 0, 0, 22]);
    expect(colorAt(27, 14, 16)).toEqual([0, 0, 0, 176]);
  });

  test("247 terrains are the most", () => {
    const many = (length: number) => Array.from({ length }, (_, i) => ({ name: "", color: [i, 0, 0] as const }));
    expect(decode(tiledTileset(many(247)).png).palette).toHaveLength(256);
    expect(codeOf(() => tiledTileset(many(248)))).toBe("argument.range");
    expect(codeOf(() => tiledTileset(TERRAINS, { image: 5 as never }))).toBe("argument.type");
  });
});
