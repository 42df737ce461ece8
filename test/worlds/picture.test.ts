import { describe, expect, test } from "vitest";
import { terrainPng } from "../../src/formats/index.js";
import { createMill } from "../../src/index.js";
import type { WorldInput, WorldPictureOptions } from "../../src/worlds/index.js";
import { decodedPng } from "../formats/decodedPng.js";
import { codeOf } from "../refusal.js";

const LAND: WorldInput = {
  layers: [
    { name: "sea", preset: "uniform", scatter: { side: 64, walkers: 3 }, steps: 60 },
    { name: "hills", preset: "five-ways", scatter: { side: 64, walkers: 3 }, steps: 40 },
  ],
  terrain: [
    { terrain: "sea", when: { sea: { visits: [1, null] } }, color: "#2050a0" },
    { terrain: "hill", when: { hills: { visits: [1, null] } }, color: "#806040" },
    { terrain: "plain", color: "#70a050" },
  ],
  placements: [
    { name: "village", on: ["plain"], density: "1/50", distance: 3, color: "#ff0000" },
    { name: "ore", on: ["hill"], density: "1/9", color: "#ffff00" },
  ],
};
const open = (input: WorldInput = LAND) => createMill({ seed: "moria" }).world("land", input);
const PLAIN = { cells: "pixels", pixelsPerCell: 1, kinds: [] } as const;

describe("world.picture", () => {
  test("shows each cell of the window in the colour of its terrain", () => {
    const world = open();
    const window = world.window({ row0: -30, col0: 990, rows: 60, cols: 70 });
    const picture = decodedPng(world.picture({ row0: -30, col0: 990, rows: 60, cols: 70 }, PLAIN));
    expect([picture.width, picture.height]).toEqual([70, 60]);
    const shown = Array.from({ length: 4200 }, (_, i) => picture.at(i % 70, Math.floor(i / 70)));
    expect(shown).toEqual(Array.from(window.terrain, (terrain) => window.terrains[terrain].color.join()));
    expect(new Set(shown).size).toBe(3);
  });

  test("is the picture that terrainPng draws of the window, with its visits and marks", () => {
    const world = open();
    const { terrain, terrains, placements, ...window } = world.window(
      { row0: 5, col0: 5, rows: 40, cols: 50 },
      { visits: ["sea", "hills"] },
    );
    const made = world.window({ row0: 5, col0: 5, rows: 40, cols: 50 }, { visits: ["sea", "hills"] });
    const marks = world.kinds.map(({ name, color }, kind) => {
      const own = [...placements.kinds.keys()].filter((k) => placements.kinds[k] === kind);
      const rows = Int32Array.from(own, (k) => placements.rows[k]);
      return { name, color, rows, cols: Int32Array.from(own, (k) => placements.cols[k]) };
    });
    const map = { row0: 5, col0: 5, rows: window.rows, cols: window.cols, terrain, terrains, marks };
    const shaded = { ...map, darken: made.visits("sea"), lighten: made.visits("hills") };
    expect(
      world.picture({ row0: 5, col0: 5, rows: 40, cols: 50 }, { darken: ["sea"], lighten: ["hills"], legend: true }),
    ).toEqual(terrainPng(shaded, { legend: true }));
  });

  test("an upright picture begins each second row one column earlier", () => {
    const world = open();
    const [rows, cols] = [1100, 9];
    const picture = decodedPng(
      world.picture({ row0: 1000, col0: 20, rows, cols }, { upright: true, kinds: [], pixelsPerCell: 2 }),
    );
    expect([picture.width, picture.height]).toEqual([2 * cols + 1, 2 * rows]);
    const window = world.window({ row0: 1000, col0: 20 - rows / 2, rows, cols: cols + rows / 2 });
    for (let r = 0; r < rows; r++) {
      for (let k = 0; k < cols; k++) {
        const color = window.terrainAt(1000 + r, 20 + k - Math.floor(r / 2))?.color.join();
        expect(picture.at(2 * k + (r % 2), 2 * r)).toBe(color);
      }
    }
  });

  test("does not depend on the calls before it, and a fork has another picture", () => {
    const world = open();
    const first = world.picture({ row0: 0, col0: 0, rows: 300, cols: 40 }, { legend: true });
    world.window({ row0: -500, col0: 0, rows: 64, cols: 64 });
    expect(world.picture({ row0: 0, col0: 0, rows: 300, cols: 40 }, { legend: true })).toEqual(first);
    expect(open().picture({ row0: 0, col0: 0, rows: 300, cols: 40 }, { legend: true })).toEqual(first);
    expect(world.fork("b").picture({ row0: 0, col0: 0, rows: 300, cols: 40 }, { legend: true })).not.toEqual(first);
  });

  test("a world without terrain is plain, and its layers shade it", () => {
    const world = open({ layers: LAND.layers });
    const visits = world.window({ row0: 0, col0: 0, rows: 64, cols: 64 }, { visits: ["hills"] }).visits("hills");
    const picture = decodedPng(
      world.picture({ row0: 0, col0: 0, rows: 64, cols: 64 }, { ...PLAIN, lighten: ["hills"], kinds: undefined }),
    );
    visits.forEach((count, i) => {
      expect(picture.at(i % 64, Math.floor(i / 64)) === "122,128,120").toBe(count === 0);
    });
  });

  test("an upright picture of a bounded grid leaves cells outside the grid empty", () => {
    const input: WorldInput = {
      ...LAND,
      layers: [{ name: "sea" }, { name: "hills" }],
      grid: { kind: "bounded", rows: 20, cols: 30 },
    };
    const picture = decodedPng(
      open(input).picture({ row0: 0, col0: 0, rows: 20, cols: 30 }, { upright: true, kinds: [], pixelsPerCell: 2 }),
    );
    expect(picture.at(0, 0)).not.toBe("13,14,20");
    expect(picture.at(1, 38)).toBe("13,14,20");
  });

  test("works at the last row and column", () => {
    const last = 2 ** 31;
    // a scattered walker would leave the range of coordinates there
    const world = open({
      layers: [{ name: "still" }],
      terrain: [{ terrain: "a", when: { chance: 0.5 } }, { terrain: "b" }],
    });
    expect(decodedPng(world.picture({ row0: last - 8, col0: last - 8, rows: 8, cols: 8 }, PLAIN)).width).toBe(8);
    expect(() => world.picture({ row0: -last, col0: -last, rows: 8, cols: 8 }, { upright: true })).not.toThrow();
  });

  test.each<[string, WorldPictureOptions]>([
    ["argument.range", { darken: ["lakes"] }],
    ["argument.range", { kinds: ["lakes"] }],
    ["argument.type", { lighten: "hills" as never }],
    ["argument.type", { upright: 1 as never }],
    ["argument.option", { visits: ["hills"] } as never],
    ["argument.range", { maxSide: 0 }],
  ])("%s for %o", (code, options) => {
    expect(codeOf(() => open().picture({ row0: 0, col0: 0, rows: 9, cols: 9 }, options))).toBe(code);
  });

  test("reports progress in cells; a signal ends it", () => {
    const seen: number[] = [];
    open().picture(
      { row0: 0, col0: 0, rows: 40, cols: 50 },
      { onProgress: ({ done, total }) => seen.push(done / total) },
    );
    expect(seen.at(-1)).toBe(1);
    expect(() => open().picture({ row0: 0, col0: 0, rows: 9, cols: 9 }, { signal: AbortSignal.abort("stop") })).toThrow(
      "stop",
    );
  });
});
