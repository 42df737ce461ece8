import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import type { WorldInput } from "../../src/worlds/index.js";

const open = (input: Omit<WorldInput, "layers">) =>
  createMill({ seed: "odds" }).world("w", {
    layers: [{ name: "hills", scatter: { walkers: 2 }, steps: 20 }],
    ...input,
  });

describe("world.odds", () => {
  test("shares of terrains that depend on chances only are exact, and add up to 1", () => {
    const { terrains } = open({
      terrain: [
        { terrain: "a", when: { chance: "1/4" } },
        { terrain: "b", when: { any: [{ chance: "1/3" }, { chance: "1/2" }], not: { chance: "1/5" } } },
        { terrain: "a", when: { all: [{ chance: "1/2" }, { hills: { visits: [0, null] } }] } },
        { terrain: "c" },
      ],
    }).odds();
    const shares = terrains.map(({ terrain, share }) => [
      terrain,
      `${share?.exact?.numerator}/${share?.exact?.denominator}`,
    ]);
    // b: 3/4 · (1 − 2/3 · 1/2) · 4/5 = 2/5; then a: 7/20 · 1/2
    expect(shares).toEqual([
      ["a", "17/40"],
      ["b", "2/5"],
      ["c", "7/40"],
    ]);
    expect(terrains.reduce((sum, { share }) => sum + (share?.value ?? 0), 0)).toBeCloseTo(1, 12);
  });

  test("a layer makes the shares of its rule and of the later rules unknown, but not of the earlier ones", () => {
    const { terrains } = open({
      terrain: [
        { terrain: "a", when: { chance: 0.5 } },
        { terrain: "b", when: { hills: { within: 2 } } },
        { terrain: "d", when: { chance: 0, hills: { within: 2 } } },
        { terrain: "c" },
      ],
    }).odds();
    expect(terrains.map(({ share }) => share?.value)).toEqual([0.5, undefined, 0, undefined]);
  });

  test("placements: Matérn's kept density, on one terrain and on a mixture by chance", () => {
    const { placements } = open({
      terrain: [{ terrain: "a", when: { chance: "1/3" } }, { terrain: "b" }],
      placements: [
        { name: "all", density: "1/2" },
        { name: "near", density: "1/2", distance: 1 },
        { name: "far", on: ["a"], density: "1/20", distance: 5 },
        { name: "never", density: 0, distance: 3 },
        { name: "full", density: 1, distance: 2 },
      ],
    }).odds();
    const [all, near, far, never, full] = placements;
    expect(all.standing?.exact).toEqual({ numerator: 1n, denominator: 2n });
    // m = 6: (1 − 1/128) / 7
    expect(near.standing?.exact).toEqual({ numerator: 127n, denominator: 896n });
    expect(near.perCell).toEqual(near.standing);
    const kept = (p: number) => (1 - (1 - p) ** 91) / 91;
    expect(far.standing?.value).toBeCloseTo(kept(1 / 20), 12);
    expect(far.perCell?.value).toBeCloseTo(kept(1 / 60), 12);
    expect(never.standing?.exact).toEqual({ numerator: 0n, denominator: 1n });
    expect(full.standing?.exact).toEqual({ numerator: 1n, denominator: 19n });
  });

  test("long fractions become numbers", () => {
    const { placements } = open({ placements: [{ name: "a", density: "1/1000", distance: 64 }] }).odds();
    expect(placements[0].standing?.exact).toBeUndefined();
    expect(placements[0].standing?.value).toBeCloseTo((1 - 0.999 ** 12481) / 12481, 12);
  });

  test("the counts of a large window agree with the odds", () => {
    const world = open({
      terrain: [{ terrain: "a", when: { chance: "2/5" } }, { terrain: "b" }],
      placements: [
        { name: "x", on: ["a"], density: "1/4", distance: 2 },
        { name: "y", on: ["b"], density: "1/9" },
      ],
    });
    const window = world.window({ row0: -300, col0: 77, rows: 1024, cols: 1024 });
    const { terrains, placements } = world.odds();
    const cells = window.terrain.length;
    const counts = terrains.map((_, terrain) => window.terrain.filter((one) => one === terrain).length);
    const standing = placements.map((_, kind) => window.placements.kinds.filter((one) => one === kind).length);
    const expectClose = (count: number, share = 0) => {
      expect(Math.abs(count - cells * share)).toBeLessThan(6 * Math.sqrt(cells * share));
    };
    for (const [i, count] of counts.entries()) expectClose(count, terrains[i].share?.value);
    for (const [i, count] of standing.entries()) expectClose(count, placements[i].perCell?.value);
  });
});

describe("costs of a layer", () => {
  test("what a region of 256 × 256 cells needs", () => {
    const world = createMill({ seed: "costs" }).world("w", {
      layers: [
        { name: "hills", scatter: { side: 256, walkers: 3 }, steps: 100 },
        { name: "rivers", scatter: { side: 64, walkers: 2 }, steps: 50, start: { layer: "hills" } },
        { name: "unused", scatter: { walkers: 1 }, steps: 9 },
      ],
      terrain: [{ terrain: "river", when: { rivers: { visits: [1, null] } } }, { terrain: "plain" }],
    });
    expect(world.layers.map(({ reach, region }) => [reach, region.regions, region.steps])).toEqual([
      [100, 9, 2700],
      [213, 36, 3600],
      [9, 0, 0],
    ]);
    expect(world.layers[1].region.bytes).toBe(512 ** 2);
  });

  test.each([
    ["where rivers start and on their way to the cells, if they wait", 2, 25],
    ["wherever rivers can go, if they are too many to wait", 600, 49],
  ])("the sea is walked %s", (_, walkers, regions) => {
    const sea = { name: "sea", scatter: { side: 256, walkers: 3 }, steps: 100 };
    const rivers = { name: "rivers", scatter: { side: 256, walkers }, steps: 200, until: { on: "sea" } };
    const terrain = [{ terrain: "river", when: { rivers: { visits: [1, null] } } }, { terrain: "plain" }] as const;
    const world = createMill({ seed: "costs" }).world("w", { layers: [sea, rivers], terrain });
    expect(world.layers[0].region.regions).toBe(regions);
  });

  test("the reach contains the whole region from whose cells a start is drawn (audit 5)", () => {
    const layers = [
      { name: "few", scatter: { side: 64, walkers: 1 }, steps: 7 },
      { name: "starts", scatter: { side: 4096, walkers: 1 }, steps: 50, start: { layer: "few" } },
      { name: "closed", scatter: { side: 512, walkers: 1 }, steps: 50, closed: { layers: ["few"] } },
      { name: "open", scatter: { side: 128, walkers: 1 }, steps: 50, open: { layers: ["few"] } },
      { name: "until", scatter: { side: 512, walkers: 1 }, steps: 50, until: { on: "open" } },
      { name: "both", scatter: { side: 64, walkers: 1 }, steps: 0, start: { layer: "few" }, until: { on: "closed" } },
    ];
    const world = createMill({ seed: "costs" }).world("w", { layers });
    expect(world.layers.map(({ reach }) => reach)).toEqual([7, 4152, 568, 184, 235, 569]);
  });
});
