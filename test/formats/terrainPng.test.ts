import { describe, expect, test } from "vitest";
import { type TerrainMap, type TerrainPngOptions, terrainPng } from "../../src/formats/index.js";
import { MARK_SHAPES, markPixels } from "../../src/formats/pictures/marks.js";
import { codeOf } from "../refusal.js";
import { decodedPng } from "./decodedPng.js";

const SEA = "20,60,120";
const LAND = "100,160,90";
const BACK = "13,14,20";

/** A map of sea (0) and land (1). */
const mapOf = (rows: readonly string[], more: Partial<TerrainMap> = {}): TerrainMap => ({
  row0: 0,
  col0: 0,
  rows: rows.length,
  cols: rows[0].length,
  terrain: Uint8Array.from(rows.join(""), (cell) => (cell === "~" ? 0 : cell === "." ? 1 : 255)),
  terrains: [
    { name: "sea", color: [20, 60, 120] },
    { name: "land", color: [100, 160, 90] },
  ],
  ...more,
});
const drawn = (map: TerrainMap, options: TerrainPngOptions = {}) => decodedPng(terrainPng(map, options));
const SQUARES = { cells: "pixels", pixelsPerCell: 1 } as const;

describe("cells", () => {
  test("one pixel each: every cell has the colour of its terrain, a cell without terrain the background", () => {
    const picture = drawn(mapOf(["~.", ".#"]), SQUARES);
    expect([picture.width, picture.height]).toEqual([2, 2]);
    expect([picture.at(0, 0), picture.at(1, 0), picture.at(0, 1), picture.at(1, 1)]).toEqual([SEA, LAND, LAND, BACK]);
  });

  test("axial rows are shifted by half a cell each, odd-r rows every second time", () => {
    const rows = ["....", "....", "...."];
    expect(drawn(mapOf(rows), { pixelsPerCell: 2 }).width).toBe(10);
    expect(drawn(mapOf(rows, { coordinates: "odd-r" }), { pixelsPerCell: 2 }).width).toBe(9);
    expect(drawn(mapOf(rows, { coordinates: "odd-r", row0: -5 }), { pixelsPerCell: 2 }).at(0, 0)).toBe(BACK);
    expect(drawn(mapOf(rows, { coordinates: "odd-r", row0: -4 }), { pixelsPerCell: 2 }).at(0, 0)).toBe(LAND);
  });

  test("hexagons fill their lines without gaps", () => {
    const { width, height, at } = drawn(mapOf(["......", "......", "......"], { coordinates: "odd-r" }), {
      pixelsPerCell: 6,
    });
    for (let y = 4; y < height - 4; y++) {
      for (let x = 6; x < width - 6; x++) expect(at(x, y)).toBe(LAND);
    }
  });

  test("a pixel with several cells shows the commonest terrain, or the first in the list", () => {
    const map = mapOf(["~...", "....", "~~..", "~..."]);
    const common = drawn(map, { cells: "pixels", maxSide: 2 });
    expect([common.at(0, 0), common.at(0, 1), common.at(1, 0)]).toEqual([LAND, SEA, LAND]);
    const first = drawn(map, { cells: "pixels", maxSide: 2, pool: "first" });
    expect([first.at(0, 0), first.at(0, 1), first.at(1, 1)]).toEqual([SEA, SEA, LAND]);
  });

  test("of equally common terrains, the first in the list is shown", () => {
    for (const rows of [
      ["~~", ".."],
      ["..", "~~"],
    ])
      expect(drawn(mapOf(rows), { cells: "pixels", maxSide: 1 }).at(0, 0)).toBe(SEA);
  });
});

describe("pixels with several cells", () => {
  const kinds = Array.from({ length: 256 }, (_, i) => ({ name: "", color: [i, 255 - i, i] as const }));

  test("show the commonest terrain of their cells, however long a line is", () => {
    const [rows, cols] = [5, 20_001];
    const terrain = Uint8Array.from({ length: rows * cols }, (_, i) => (Math.imul(i, 0x9e3779b1) >>> 24) % 5);
    const map = { ...mapOf(["."]), rows, cols, terrain, terrains: kinds.slice(0, 4) };
    const picture = drawn(map, { maxSide: 10_001, cells: "pixels" });
    expect([picture.width, picture.height]).toEqual([10_001, 3]);
    for (let pixel = 0; pixel < 3 * 10_001; pixel++) {
      const [x, y] = [pixel % 10_001, Math.floor(pixel / 10_001)];
      const counts = [0, 0, 0, 0];
      for (let r = 2 * y; r < Math.min(rows, 2 * y + 2); r++) {
        for (let c = 2 * x; c < Math.min(cols, 2 * x + 2); c++) counts[terrain[r * cols + c]]++;
      }
      const most = Math.max(...counts.slice(0, 4));
      const shown = counts.indexOf(most);
      const color = most === 0 ? BACK : kinds[shown].color.join();
      if (picture.at(x, y) !== color) expect(picture.at(x, y), `(${x}, ${y})`).toBe(color);
    }
  });

  test("take no memory for the pixels beside the map", () => {
    const map = mapOf(["~", "."], { terrains: kinds });
    expect(drawn(map, { width: 2 ** 26, height: 1 }).at(2 ** 25 - 1, 0)).toBe("0,255,0");
  });

  test("count each cell once in the progress", () => {
    const seen: number[] = [];
    terrainPng(mapOf(["....", "~~~~"]), { maxSide: 2, onProgress: ({ done }) => seen.push(done) });
    // a slow machine reports each row
    expect(seen).toEqual(seen.length === 1 ? [8] : [4, 8]);
  });
});

describe("shading", () => {
  const light = (color: string) => color.split(",").reduce((sum, part) => sum + Number(part), 0);

  test("more visits make a cell darker or lighter, and none leave its colour", () => {
    const counts = Uint32Array.of(0, 1, 30, 5000);
    const darker = drawn(mapOf(["...."], { darken: counts }), SQUARES);
    const lighter = drawn(mapOf(["...."], { lighten: counts }), SQUARES);
    const [down, up] = [darker, lighter].map(({ at }) => [0, 1, 2, 3].map((x) => light(at(x, 0))));
    expect(darker.at(0, 0)).toBe(LAND);
    expect(down).toEqual(down.toSorted((a, b) => b - a));
    expect(up).toEqual(up.toSorted((a, b) => a - b));
    expect(new Set(down).size).toBe(4);
    expect(new Set(up).size).toBe(4);
  });

  test("equal numbers of steps cancel", () => {
    const counts = Uint32Array.of(0, 9);
    expect(drawn(mapOf([".."], { darken: counts, lighten: counts }), SQUARES).at(1, 0)).toBe(LAND);
  });

  test("255 terrains leave no room for shading and marks, but every pixel has a colour", () => {
    const terrains = Array.from({ length: 255 }, (_, i) => ({ name: `t${i}`, color: [i, 255 - i, 7] as const }));
    const terrain = Uint8Array.from({ length: 255 }, (_, i) => i);
    const rows = Int32Array.of(0);
    const marks = [{ name: "m", color: [1, 2, 200] as const, rows, cols: Int32Array.of(254) }];
    const map = {
      row0: 0,
      col0: 0,
      rows: 1,
      cols: 255,
      terrain,
      terrains,
      marks,
      darken: new Uint32Array(255).fill(3),
    };
    const picture = drawn(map, SQUARES);
    expect(picture.colors).toBe(256);
    expect(picture.at(9, 0)).toBe("9,246,7");
  });
});

describe("marks", () => {
  const village = { name: "village", color: [215, 38, 61] as const, rows: Int32Array.of(4), cols: Int32Array.of(5) };
  const field = Array.from({ length: 9 }, () => ".".repeat(11));

  test("stand in the middle of their cells, with an outline", () => {
    const picture = drawn(mapOf(field, { marks: [village] }), { cells: "pixels", pixelsPerCell: 12 });
    expect(picture.at(5 * 12 + 6, 4 * 12 + 6)).toBe("215,38,61");
    expect(picture.counts().get("250,250,250")).toBeGreaterThan(8);
    expect(picture.at(3, 3)).toBe(LAND);
  });

  test("outside the map they are not drawn; at its edge they are cut", () => {
    const far = { ...village, rows: Int32Array.of(0, -1, 99), cols: Int32Array.of(0, 0, 5) };
    const picture = drawn(mapOf(field, { marks: [far] }), { cells: "pixels", pixelsPerCell: 12 });
    expect(picture.at(6, 6)).toBe("215,38,61");
    const alone = drawn(mapOf(field, { marks: [{ ...village, rows: Int32Array.of(-1) }] }), SQUARES);
    expect(alone.counts().has("215,38,61")).toBe(false);
  });

  test("many marks on small cells are single pixels without outlines", () => {
    const all = Array.from({ length: 99 }, (_, i) => i);
    const marks = [
      { ...village, rows: Int32Array.from(all, (i) => Math.floor(i / 11)), cols: Int32Array.from(all, (i) => i % 11) },
    ];
    expect([...drawn(mapOf(field, { marks }), SQUARES).counts()]).toEqual([["215,38,61", 99]]);
  });

  test("every shape differs, and is inside its outline", () => {
    const shapes = MARK_SHAPES.map((shape) => markPixels(shape, 11, true));
    expect(new Set(shapes.map(({ pixels }) => pixels.join(""))).size).toBe(MARK_SHAPES.length);
    for (const { side, pixels } of shapes) {
      pixels.forEach((part, i) => {
        const neighbours = [pixels[i - 1], pixels[i + 1], pixels[i - side], pixels[i + side]];
        if (part === 2) expect(neighbours.every((other) => other !== 0 && other !== undefined)).toBe(true);
      });
    }
  });
});

describe("legend and size", () => {
  test("the legend is part of the size, and lists only what the picture has", () => {
    const plain = drawn(mapOf(["...."]), { width: 400, height: 200 });
    const both = drawn(mapOf(["..~~"]), { width: 400, height: 200, legend: true });
    expect([plain.width, plain.height, both.width, both.height]).toEqual([400, 200, 400, 200]);
    expect(
      drawn(mapOf(["...."]), { legend: true, ...SQUARES })
        .counts()
        .has(SEA),
    ).toBe(false);
    expect(
      drawn(mapOf(["..~."]), { legend: true, ...SQUARES })
        .counts()
        .get(SEA),
    ).toBeGreaterThan(50);
  });

  test("equal maps give equal bytes", () => {
    const map = () => mapOf(["..~.", "~~.."], { darken: Uint32Array.of(1, 2, 3, 4, 5, 6, 7, 8) });
    expect(terrainPng(map(), { legend: true })).toEqual(terrainPng(map(), { legend: true }));
  });

  test("progress counts cells, and an aborted signal ends the picture", () => {
    const seen: unknown[] = [];
    terrainPng(mapOf(["..", ".."]), { onProgress: (progress) => seen.push(progress) });
    expect(seen.at(-1)).toEqual({ done: 4, total: 4 });
    expect(() => terrainPng(mapOf(["."]), { signal: AbortSignal.abort("stop") })).toThrow("stop");
  });

  test.each([
    ["argument.range", () => terrainPng(mapOf(["."], { terrain: new Uint8Array(2) }))],
    ["argument.type", () => terrainPng(mapOf(["."], { terrain: [0] as never }))],
    ["argument.range", () => terrainPng(mapOf(["."], { darken: new Uint32Array(2) }))],
    ["argument.range", () => terrainPng(mapOf(["."], { rows: 0 }))],
    ["argument.type", () => terrainPng(mapOf(["."], { terrains: [{ name: "a", color: [0, 0, 256] }] }))],
    ["argument.range", () => terrainPng(mapOf(["."]), { pool: "max" as never })],
    ["argument.option", () => terrainPng(mapOf(["."]), { show: "visits" } as never)],
    ["argument.range", () => terrainPng(mapOf(["."]), { width: 20, legend: true })],
    ["argument.range", () => terrainPng(mapOf(["."]), { background: "blue" as never })],
  ])("%s for a malformed map or option", (code, call) => {
    expect(codeOf(call)).toBe(code);
  });
});
