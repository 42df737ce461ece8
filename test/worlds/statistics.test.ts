import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import type { World, WorldInput } from "../../src/worlds/index.js";
import { agrees, Z } from "../statistics/chiSquare.js";
import { cellsIn, type Pair } from "./hexes.js";
import { Dice } from "./randomWorld.js";

/** Starts, visits, chances and placements of worlds against their laws. The seeds are fixed, α = 1e-6. */

const EVEN = (size: number) => Array.from({ length: size }, () => 1 / size);
const PLAIN = [{ terrain: "plain" }];
/** A layer without visits where the tests look: a world needs a layer. */
const FAR = { name: "far", start: [[2 ** 30, 2 ** 30]] } as const;

function open(input: WorldInput): World {
  return createMill({ seed: "statistics" }).world("land", input);
}

/** Whether the mean of independent values is compatible with an expectation. */
function hasMean(values: readonly number[], expected: number): boolean {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  return Math.abs(mean - expected) <= Z * Math.sqrt(variance / n);
}

describe("starts", () => {
  test("are uniform on the cells of a region", () => {
    using world = open({ layers: [{ name: "hills", scatter: { side: 64, walkers: 400 } }] });
    const visits = world
      .window({ row0: -512, col0: 1024, rows: 1024, cols: 1024 }, { visits: ["hills"] })
      .visits("hills");
    const counts = new Uint32Array(64 * 64);
    for (const [k, count] of visits.entries()) counts[((k >> 10) & 63) * 64 + (k & 63)] += count;
    expect(counts.reduce((a, b) => a + b, 0)).toBe(256 * 400);
    expect(agrees(counts, EVEN(64 * 64))).toBe(true);
  });

  test("in neighbouring regions are independent", () => {
    using world = open({ layers: [{ name: "hills", scatter: { side: 64, walkers: 1 } }] });
    const visits = world.window({ row0: 0, col0: 0, rows: 4096, cols: 1024 }, { visits: ["hills"] }).visits("hills");
    const places = new Map<string, number>();
    for (const [k, count] of visits.entries()) {
      // the eighth of the region, in rows, in which its walker starts
      if (count > 0) places.set(`${k >> 16},${(k & 1023) >> 6}`, ((k >> 10) & 63) >> 3);
    }
    const counts = new Uint32Array(64);
    for (let i = 0; i < 64; i++) {
      for (let j = 0; j < 16; j += 2)
        counts[8 * Number(places.get(`${i},${j}`)) + Number(places.get(`${i},${j + 1}`))]++;
    }
    expect(agrees(counts, EVEN(64))).toBe(true);
  });

  test("are uniform on the open cells of a region with closed cells", () => {
    const dice = new Dice("closed");
    const cells = [...cellsIn({ row: 0, col: 0, rows: 64, cols: 64 })].filter(() => dice.holds(0.7));
    using world = open({ layers: [{ name: "hills", scatter: { side: 64, walkers: 65_536 }, closed: { cells } }] });
    const counts = world.window({ row0: 0, col0: 0, rows: 64, cols: 64 }, { visits: ["hills"] }).visits("hills");
    const isClosed = new Uint8Array(64 * 64);
    for (const [row, col] of cells) isClosed[row * 64 + col] = 1;
    const law = Array.from(isClosed, (closed) => (closed === 1 ? 0 : 1 / (4096 - cells.length)));
    expect(agrees(counts, law)).toBe(true);
  });

  test("in a layer are uniform on its cells in the region", () => {
    const layers = [
      { name: "hills", steps: 60, scatter: { side: 64, walkers: 9 } },
      { name: "rivers", scatter: { side: 64, walkers: 65_536 }, start: { layer: "hills" } },
    ];
    const window = open({ layers }).window(
      { row0: 64, col0: -64, rows: 64, cols: 64 },
      { visits: ["hills", "rivers"] },
    );
    const visited = window.visits("hills").filter((count) => count > 0).length;
    const law = Array.from(window.visits("hills"), (count) => (count > 0 ? 1 / visited : 0));
    expect(visited).toBeGreaterThan(100);
    expect(agrees(window.visits("rivers"), law)).toBe(true);
  });
});

describe("visits", () => {
  // walkers · (steps + 1) / side² for each cell, wherever it lies in its region
  test.each([
    [64, 3, 20, "uniform"],
    [64, 1, 100, "sf66-rf33"],
    [128, 10, 60, "rb50-lb50"],
    [256, 40, 33, "rf50-lf50"],
  ] as const)("side %d, %d walkers, %d steps, %s", (side, walkers, steps, preset) => {
    using world = open({ layers: [{ name: "hills", steps, preset, scatter: { side, walkers } }] });
    const expected = (walkers * (steps + 1)) / side ** 2;
    const means: number[] = [];
    for (let i = 0; i < 25; i++) {
      for (let j = 0; j < 12; j++) {
        // too far apart for a walker to visit two of these windows; each begins elsewhere in its region
        const visits = world
          .window({ row0: 1024 * i + 7 * i, col0: 1024 * j + 11 * j, rows: 30, cols: 40 }, { visits: ["hills"] })
          .visits("hills");
        means.push(visits.reduce((a, b) => a + b, 0) / visits.length);
      }
    }
    expect(hasMean(means, expected)).toBe(true);
    expect(hasMean(means, expected * 2)).toBe(false);
  });
});

describe("chances", () => {
  const when = { any: [{ all: [{ chance: "2/7" }, { chance: 0.55 }] }, { chance: 0 }] };
  const counted = (input: WorldInput, terrain: string, size: number) =>
    open(input)
      .window({ row0: -size / 2, col0: -size / 2, rows: size, cols: size })
      .terrain.filter((_, k, all) => input.terrain?.[all[k]].terrain === terrain).length;

  test.each([
    ["1/7", 1 / 7],
    [0.05, 0.05],
    ["999999937/1999999943", 0.5],
    ["4294967294/4294967295", 1],
    [1, 1],
    ["0/5", 0],
  ])("%s", (chance, p) => {
    const input: WorldInput = {
      layers: [FAR],
      terrain: [{ terrain: "wood", when: { chance } }, { terrain: "plain" }],
    };
    const wood = counted(input, "wood", 512);
    expect(agrees([wood, 512 ** 2 - wood], [p, 1 - p])).toBe(true);
  });

  test("of one rule are independent", () => {
    const input = { layers: [FAR], terrain: [{ terrain: "wood", when }, { terrain: "plain" }] };
    const wood = counted(input, "wood", 512);
    const p = (2 / 7) * 0.55;
    expect(agrees([wood, 512 ** 2 - wood], [p, 1 - p])).toBe(true);
  });

  test("of different terrains, and of neighbouring cells, are independent", () => {
    const terrain = [
      { terrain: "wood", when: { chance: "1/2" } },
      { terrain: "marsh", when: { chance: "1/2" } },
      { terrain: "plain" },
    ];
    const window = open({ layers: [FAR], terrain }).window({ row0: -300, col0: -300, rows: 600, cols: 600 });
    const law = [1 / 2, 1 / 4, 1 / 4];
    const pairLaw = law.flatMap((p) => law.map((q) => p * q));
    for (const step of [1, 600, 599]) {
      const counts = new Uint32Array(9);
      for (let k = 0; k + step < 360_000; k += 2) counts[3 * window.terrain[k] + window.terrain[k + step]]++;
      expect(agrees(counts, pairLaw)).toBe(true);
    }
  });
});

describe("placements", () => {
  const placed = (density: string | number, distance: number, size: number): Pair[] => {
    const placements = [{ name: "ore", density, distance }];
    using world = open({ layers: [FAR], terrain: PLAIN, placements });
    const { rows, cols } = world.placements({ row0: -size / 2, col0: 0, rows: size, cols: size });
    return Array.from(rows, (row, k) => [row, cols[k]] as const);
  };

  test.each([
    ["1/200", 1 / 200],
    [0.3, 0.3],
    ["2863311531/4294967295", 2 / 3],
  ])("candidates have the density %s", (density, p) => {
    const { length } = placed(density, 0, 1024);
    expect(agrees([length, 1024 ** 2 - length], [p, 1 - p])).toBe(true);
  });

  // Matérn's second process of thinning keeps a candidate if it is the first of the candidates among m + 1 cells.
  // Matérn, Spatial Variation (1960), chapter 3
  test.each([
    [1, 1, 1],
    [1, 1, 3],
    ["1/2", 1 / 2, 1],
    ["2/3", 2 / 3, 2],
    ["1/10", 1 / 10, 2],
    ["1/10", 1 / 10, 5],
    ["1/50", 1 / 50, 4],
    ["1/50", 1 / 50, 12],
    [0.004, 0.004, 9],
    ["1/1000", 1 / 1000, 20],
  ])("density %s (%d) and distance %d leave the share that Matérn's formula gives", (density, p, d) => {
    const size = 2048;
    const m = 3 * d * (d + 1);
    const share = (1 - (1 - p) ** (m + 1)) / (m + 1);
    // blocks with 2d cells between them have no candidate in common that decides
    const block = 128;
    const side = block - 2 * d;
    const counts = new Uint32Array((size / block) ** 2);
    for (const [row, col] of placed(density, d, size)) {
      const [r, c] = [row + size / 2, col];
      if (r % block >= side || c % block >= side) continue;
      counts[Math.floor(r / block) * (size / block) + Math.floor(c / block)]++;
    }
    const expected = side ** 2 * share;
    expect(hasMean([...counts], expected)).toBe(true);
    expect(hasMean([...counts], expected * 1.3)).toBe(false);
  });

  test("have no two of a kind within their distance", () => {
    const cells = placed(1, 5, 256);
    const has = new Set(cells.map((cell) => cell.join()));
    for (const [row, col] of cells) {
      for (let dr = -5; dr <= 5; dr++) {
        for (let dc = Math.max(-5, -5 - dr); dc <= Math.min(5, 5 - dr); dc++) {
          if (dr !== 0 || dc !== 0) expect(has.has(`${row + dr},${col + dc}`)).toBe(false);
        }
      }
    }
    expect(cells.length).toBeGreaterThan(500);
  });
});
