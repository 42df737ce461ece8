// The calls for walks and worlds: any rectangle in any order, also when memory runs out, and what they refuse.
import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { bake } from "../../src/plans/index.js";
import type { World } from "../../src/worlds/index.js";
import { FIRST_VISITS, Host, PLACEMENTS, TERRAIN, VISITS } from "./host.js";
import { SEED } from "./nouns.js";
import { openWorlds, RECTANGLES } from "./worlds.js";

const mill = createMill({ seed: SEED });
const [stroll, , , isles, valley, plain] = openWorlds(mill);
const worlds = [isles, plain] as readonly World[];
/** Layers that meet others, and fields of others, far from where they start. */
const CHAIN = {
  layers: [
    { name: "walls", preset: "sf66-rf33", steps: 300, scatter: { side: 64, walkers: 1 } },
    {
      name: "paths",
      preset: "five-ways",
      steps: 200,
      scatter: { side: 64, density: "1/1500" },
      closed: { layers: ["walls"] },
    },
    { name: "wells", steps: 3, scatter: { side: 64, density: "1/3000" } },
    {
      name: "fog",
      preset: "uniform",
      steps: 90,
      scatter: { side: 64, walkers: 3 },
      open: { fields: [{ field: "near", to: 50000 }] },
    },
    // more walkers in a region than may wait without a field
    {
      name: "rain",
      steps: 70,
      scatter: { side: 64, walkers: 40 },
      slope: { field: "height", down: 9, level: 1, up: 1 },
    },
  ],
  fields: [
    { name: "near", kind: "distance", layer: "wells", most: 60 },
    { name: "height", kind: "noise", scale: 16, octaves: 2 },
  ],
} as const;
const ONE = { row0: 0, col0: 0, rows: 1, cols: 1 };
const [FIRST, LAST] = [-(2 ** 31), 2 ** 31 - 1];

function expected(world: World, cells: (typeof RECTANGLES)[number], task: number): number[] {
  const { terrain, placements } = world.window(cells, { contents: false });
  if (task === TERRAIN) return [...terrain];
  const { rows, cols, kinds, terrains, sizes, facings, length } = placements;
  const columns = [rows, cols, kinds, terrains, sizes, facings];
  return [...Uint32Array.from({ length: 6 * length }, (_, i) => columns[i % 6][Math.floor(i / 6)])];
}

let state = 2463534242;
function below(m: number): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % m;
}

describe("a world of a plan file", () => {
  test("makes any rectangles in any order, with worlds by turns", () => {
    const host = new Host(bake(worlds));
    for (let call = 0; call < 40; call++) {
      const noun = below(2);
      const cells = { row0: below(700) - 350, col0: below(700) - 350, rows: 1 + below(70), cols: 1 + below(70) };
      const task = TERRAIN + below(2);
      expect(host.makeCells(noun, task, 0, cells), JSON.stringify(cells)).toBe("OK");
      expect([...host.madeCells(task, cells)], JSON.stringify(cells)).toEqual(expected(worlds[noun], cells, task));
    }
  });

  test.each([
    ["one in an empty memory", 1000, 0],
    ["each beside the one before", 40, 1],
  ])("completes what the layers of rectangles meet, %s", (_, apart, isKept) => {
    const chain = createMill({ seed: SEED }).world("chain", CHAIN);
    const plan = bake([chain]);
    const visits = CHAIN.layers.map(({ name }) => name);
    const kept = new Host(plan);
    for (let i = 0; i < 12; i++) {
      const host = isKept ? kept : new Host(plan);
      const cells = { row0: apart * i - 300, col0: 200 - (apart + 7) * i, rows: 30, cols: 30 };
      const window = chain.window(cells, { visits });
      for (const layer of [4, 3, 2, 1, 0]) {
        expect(host.makeCells(0, VISITS, layer, cells)).toBe("OK");
        expect(host.madeCells(VISITS, cells), `${visits[layer]} ${JSON.stringify(cells)}`).toEqual(
          window.visits(visits[layer]),
        );
      }
    }
  });

  test("makes the corners of its grid", () => {
    const host = new Host(bake(worlds));
    const upright = 2 ** 30;
    for (const [noun, row0, col0] of [
      [0, FIRST, -upright],
      [0, LAST - 8, upright - 9],
      [1, FIRST, LAST - 8],
      [1, LAST - 8, FIRST],
    ]) {
      const cells = { row0, col0, rows: 9, cols: 9 };
      for (const task of [TERRAIN, PLACEMENTS]) {
        expect(host.makeCells(noun, task, 0, cells)).toBe("OK");
        expect([...host.madeCells(task, cells)]).toEqual(expected(worlds[noun], cells, task));
      }
    }
  });

  test("drops the walks when the memory is full, and makes the same", () => {
    const plan = bake([isles as World]);
    // the second host has room for a few rectangles only
    const [large, small] = [new Host(plan), new Host(plan, SEED, 2 ** 8)];
    const full: number[] = [];
    for (let i = 0; i < 12; i++) {
      const cells = { row0: 600 * i, col0: -900 * i, rows: 60, cols: 60 };
      for (const task of [TERRAIN, PLACEMENTS]) {
        expect([large.makeCells(0, task, 0, cells), small.makeCells(0, task, 0, cells)]).toEqual(["OK", "OK"]);
        expect(small.madeCells(task, cells)).toEqual(large.madeCells(task, cells));
      }
      full.push(small.exports.mark() >>> 0);
    }
    // the memory was released at least once
    expect(full.some((bytes, i) => i > 0 && bytes < full[i - 1])).toBe(true);
    expect(small.exports.memory.buffer.byteLength).toBeLessThanOrEqual(2 ** 24);
  });

  test("says that its memory does not suffice, and makes less", () => {
    const host = new Host(bake([isles as World]), SEED, 2 ** 8);
    expect(host.makeCells(0, TERRAIN, 0, { row0: 0, col0: 0, rows: 512, cols: 512 })).toBe("MEMORY");
    expect(host.makeCells(0, TERRAIN, 0, { row0: 0, col0: 0, rows: 512, cols: 512 })).toBe("MEMORY");
    const cells = { row0: 5, col0: 5, rows: 3, cols: 3 };
    expect(host.makeCells(0, TERRAIN, 0, cells)).toBe("OK");
    expect([...host.madeCells(TERRAIN, cells)]).toEqual(expected(isles as World, cells, TERRAIN));
  });

  test("belongs to a fork of the mill by its key", () => {
    const host = new Host(bake([isles as World]));
    const key = host.keyOf("player 7", (at, length) => host.exports.forkText(host.key, at, length));
    const forked = openWorlds(mill.fork("player 7"))[3] as World;
    for (const own of [key, host.key]) {
      const world = own === key ? forked : (isles as World);
      expect([...host.cells(0, RECTANGLES[1], own).slice(-2)[0]]).toEqual(expected(world, RECTANGLES[1], TERRAIN));
    }
  });

  test("refuses cells outside the grid, and other nouns", () => {
    const host = new Host(bake([isles as World, valley as World, stroll, mill.dice("d", "1d6")]));
    const made = (noun: number, task: number, cells: Partial<typeof ONE>, layer = 0) =>
      host.makeCells(noun, task, layer, { ...ONE, ...cells });
    expect(made(0, TERRAIN, { rows: 512, cols: 512 })).toBe("OK");
    for (const cells of [
      { rows: 513 },
      { cols: 513 },
      { rows: 0 },
      { cols: 0 },
      { col0: 2 ** 30 },
      { row0: LAST, rows: 2 },
    ]) {
      expect(made(0, TERRAIN, cells), JSON.stringify(cells)).toBe("RANGE");
    }
    for (const cells of [{ row0: -1 }, { row0: 60 }, { col0: 69, cols: 2 }])
      expect(made(1, VISITS, cells)).toBe("RANGE");
    expect(made(0, 4, {})).toBe("RANGE");
    expect(made(0, VISITS, {}, 6)).toBe("RANGE");
    expect(made(0, FIRST_VISITS, {}, 1)).toBe("RANGE");
    expect(made(2, TERRAIN, {})).toBe("KIND");
    expect(made(3, VISITS, {})).toBe("KIND");
    expect(made(9, PLACEMENTS, {})).toBe("NOUN");
    expect([0, 2, 3, 9].map((noun) => host.exports.layerCount(noun))).toEqual([6, 1, 0, 0]);
  });

  test("says that a layer has no cell to start on", () => {
    const layers = [
      { name: "a", steps: 9 },
      { name: "b", start: { rect: [0, 0, 0, 0] }, closed: { layers: ["a"] } },
    ] as const;
    const host = new Host(bake([mill.walk("closed", { layers })]));
    expect(host.makeCells(0, VISITS, 1, ONE)).toBe("EMPTY");
    expect(host.makeCells(0, VISITS, 0, ONE)).toBe("OK");
  });
});

describe("bake refuses", () => {
  const own = { layers: [{ name: "l", scatter: { walkers: 1 } }], terrain: [{ terrain: "a" }] };
  const spec = { ...own, placements: [{ name: "p", density: "1/9" }] };
  const stamps = { hut: { map: ["a"] } };
  const far = { name: "far", steps: 2 ** 14, scatter: { walkers: 2 ** 16 } };
  const world = (given: object) => createMill({ seed: 1 }).world("w", { ...spec, ...given } as never);
  const walk = (given: object) => createMill({ seed: 1 }).walk("w", given as never);
  const second = { name: "b", open: { layers: ["a"] }, closed: { cells: [[1, 1]] } };
  test.each([
    ["paths", () => world({ paths: [{ name: "road", between: ["p"], within: 9, terrain: "b" }] }), "has paths"],
    ["realms", () => world({ realms: [{ name: "r", of: "p", within: 9 }] }), "has realms"],
    ["stamps", () => world({ stamps, placements: [{ name: "p", density: "1/9", stamps: { hut: 1 } }] }), "has stamps"],
    ["too many steps", () => world({ layers: [far] }), "steps of walkers"],
    ["finite walks without an end", () => walk({ walkers: 9, steps: 2 ** 32 }), "steps of walkers"],
    ["large grids", () => walk({ grid: { kind: "torus", rows: 4096, cols: 4098 } }), "16777216 cells"],
    ["open and closed cells", () => walk({ layers: [{ name: "a" }, second] }), 'both "open" and "closed"'],
    [
      "large rectangles of starts",
      () => walk({ start: { rect: [0, 0, 4095, 4096] }, closed: { cells: [[0, 0]] } }),
      "starts in more than",
    ],
  ])("%s", (_, noun, problem) => {
    expect(() => bake([noun()])).toThrow(
      expect.objectContaining({ code: "plan.noun", message: expect.stringContaining(problem) }),
    );
  });

  test("nothing that the kernel accepts: their limits agree", () => {
    const most = 2 ** 31 - 2 ** 24;
    expect(new Host(bake([walk({ walkers: 1, steps: most - 1 })])).status).toBe("OK");
    expect(() => bake([walk({ walkers: 1, steps: most })])).toThrow("steps of walkers");
  });
});
