import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decode } from "fast-png";
import { afterAll, describe, expect, test } from "vitest";
import { type TiledMap, tiledMap, tiledTileset, tiledWorld } from "../../src/formats/index.js";

/** Tiled's own program that draws a map. Debian's package `tiled` has it; `.ci/run` installs it. */
const PROGRAM = "tmxrasterizer";
const isInstalled = hasProgram();
// without the program these tests are skipped, except under CI
const isMissing = !isInstalled && process.env.CI === undefined;
const SKIPPED = isMissing ? ` (skipped: ${PROGRAM} is not installed)` : "";

function hasProgram(): boolean {
  try {
    execFileSync("which", [PROGRAM], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const COLORS = [
  [20, 60, 120],
  [100, 160, 90],
  [250, 250, 250],
  [200, 30, 40],
  [230, 210, 140],
] as const;
const TERRAINS = COLORS.map((color, i) => ({ name: `terrain ${i}`, color }));
const [ROW0, COL0, ROWS, COLS] = [-21, -35, 55, 70];
const WINDOW = { row0: ROW0, col0: COL0, rows: ROWS, cols: COLS };
const NONE = 255;

/** Neighbouring cells differ, so a torn or shifted row has wrong colours. */
function terrainAt(row: number, col: number): number {
  const mixed = (Math.imul(row + 1000, 0x9e3779b1) ^ Math.imul(col + 1000, 0x85ebca6b)) >>> 0;
  return mixed % 11 === 0 ? NONE : mixed % COLORS.length;
}

const visitsAt = (row: number, col: number) => (col % 3 === 0 ? 0 : 4 ** ((row & 7) + (col & 1)));

/** The map in rectangles, whose rows begin at odd and at even rows. */
function* sectors<T extends Uint8Array | Uint32Array>(make: (length: number) => T, at: typeof terrainAt) {
  const side = 13;
  for (let row0 = ROW0; row0 < ROW0 + ROWS; row0 += side) {
    for (let col0 = COL0; col0 < COL0 + COLS; col0 += side) {
      const [rows, cols] = [Math.min(side, ROW0 + ROWS - row0), Math.min(side, COL0 + COLS - col0)];
      const cells = make(rows * cols);
      for (let i = 0; i < cells.length; i++) cells[i] = at(row0 + Math.floor(i / cols), col0 + (i % cols));
      yield { row0, col0, rows, cols, cells };
    }
  }
}

const terrain = () => sectors((length) => new Uint8Array(length), terrainAt);
const visits = () => sectors((length) => new Uint32Array(length), visitsAt);

describe.skipIf(isMissing)(`Tiled draws every cell of a map in its place${SKIPPED}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "rollmill-tiled-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function write(name: string, map: Omit<TiledMap, "terrains" | "image">): Promise<void> {
    const pieces: string[] = [];
    for await (const piece of tiledMap({ ...map, terrains: TERRAINS, image: "hexagons.png" })) pieces.push(piece);
    writeFileSync(join(folder, name), pieces.join(""));
    writeFileSync(join(folder, "hexagons.png"), tiledTileset(TERRAINS).png);
  }

  /** The picture that Tiled draws of a map or a world, and where the centre of a cell is in it. */
  function picture(name: string, { coordinates, window }: Pick<TiledMap, "coordinates" | "window">) {
    const file = join(folder, "map.png");
    const env = { ...process.env, QT_QPA_PLATFORM: "offscreen", XDG_RUNTIME_DIR: folder };
    execFileSync(PROGRAM, ["--no-smoothing", join(folder, name), file], { env, stdio: "pipe" });
    const { data, width, channels } = decode(readFileSync(file));
    const tileOf = (row: number, col: number) => (coordinates === "odd-r" ? col : col + Math.floor(row / 2));
    // Tiled keeps an infinite map in blocks of 16 × 16 tiles, and draws all of each block
    const block = (tile: number) => Math.floor(tile / 16) * 16;
    const corner = tileOf(ROW0, COL0);
    // a finite map begins at an even row
    const [left, top] = window === undefined ? [block(corner), block(ROW0)] : [corner, ROW0 - 1];
    // the colour of a pixel that is right of and below the centre of a cell
    return (row: number, col: number, right = 0, below = 0) => {
      const x = (tileOf(row, col) - left) * 28 + (row & 1) * 14 + 14 + right;
      const y = (row - top) * 24 + 16 + below;
      return [...data.slice((y * width + x) * channels, (y * width + x) * channels + channels)];
    };
  }

  async function drawn(map: Omit<TiledMap, "terrains" | "image">) {
    await write("map.tmj", map);
    return picture("map.tmj", map);
  }

  function expectTerrain(at: (row: number, col: number) => number[]): void {
    for (let row = ROW0; row < ROW0 + ROWS; row++) {
      for (let col = COL0; col < COL0 + COLS; col++) {
        const color = COLORS[terrainAt(row, col)];
        const wanted = color === undefined ? [0, 0, 0, 0] : [...color, 255];
        if (`${at(row, col)}` !== `${wanted}`) expect(at(row, col), `row ${row}, col ${col}`).toEqual(wanted);
      }
    }
  }

  test.each(["axial", "odd-r"] as const)("%s, with negative rows and columns", async (coordinates) => {
    expectTerrain(await drawn({ coordinates, layers: [{ name: "terrain", sectors: terrain() }] }));
  });

  test.each([
    ["csv", WINDOW],
    ["base64", WINDOW],
    ["zlib", WINDOW],
    ["zstd", WINDOW],
    ["zstd", undefined],
  ] as const)("%s, in the window %j", async (encoding, window) => {
    const at = await drawn({ encoding, window, layers: [{ name: "terrain", sectors: terrain() }] });
    expectTerrain(at);
  });

  test("a world of two maps, whose points are in the colour of their kind", async () => {
    const middle = 13;
    const windows = [
      { ...WINDOW, rows: middle },
      { ...WINDOW, row0: ROW0 + middle, rows: ROWS - middle },
    ];
    const maps = windows.map((window, i) => ({ fileName: `part${i}.tmj`, window }));
    for (const [i, { fileName, window }] of maps.entries()) {
      const own = [...terrain()].filter(({ row0 }) => row0 < ROW0 + middle === (i === 0));
      await write(fileName, { window, layers: [{ name: "terrain", sectors: own }] });
    }
    writeFileSync(join(folder, "parts.world"), tiledWorld(maps));
    expectTerrain(picture("parts.world", { window: WINDOW }));
    const cells = [{ rows: Int32Array.of(2), cols: Int32Array.of(3), properties: [{ "content.name": "Ort" }] }];
    await write(maps[1].fileName, {
      window: windows[1],
      layers: [],
      placements: [{ name: "cave", color: [255, 0, 0], cells }],
    });
    const at = picture("parts.world", { window: WINDOW });
    // the tip of a point's marker is in the centre of its cell
    const marker = Array.from({ length: 30 }, (_, above) => at(2, 3, 0, -above));
    expect(marker.some(([red, green, blue]) => red > 200 && green < 80 && blue < 80)).toBe(true);
  });

  test("a layer of visits darkens the terrain below it: the more visits, the darker", async () => {
    const at = await drawn({
      layers: [
        {
          name: "terrain",
          sectors: sectors(
            (length) => new Uint8Array(length),
            () => 2,
          ),
        },
        { name: "visits", sectors: visits() },
      ],
    });
    const shades = new Map<number, number>();
    for (let row = ROW0; row < ROW0 + ROWS; row++) {
      for (let col = COL0; col < COL0 + COLS; col++) {
        const [red, green, blue, alpha] = at(row, col);
        expect([red, green, alpha]).toEqual([blue, blue, 255]);
        const count = visitsAt(row, col);
        expect(shades.get(count) ?? red).toBe(red);
        shades.set(count, red);
      }
    }
    // hexagons leave no gaps: every pixel between the centres of two cells is drawn
    for (let x = 0; x < 28; x++) expect(at(0, 0, x, x % 24)[3]).toBe(255);
    const sorted = [...shades].sort(([a], [b]) => a - b).map(([, shade]) => shade);
    expect(sorted[0]).toBe(250);
    // the last range, from 4^7 visits on, has no end
    expect(new Set(sorted).size).toBe(9);
    expect(sorted).toEqual(sorted.toSorted((a, b) => b - a));
  });
});
