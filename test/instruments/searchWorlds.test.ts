import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { searchSeeds, type WorldCondition } from "../../src/instruments/index.js";
import type { World } from "../../src/worlds/index.js";
import { codeOf } from "../refusal.js";
import { distance } from "../worlds/hexes.js";

const INPUT = {
  layers: [{ name: "sea", preset: "five-ways", scatter: { side: 64, walkers: 2 }, steps: 60 }],
  terrain: [{ terrain: "sea", when: { sea: { visits: [1, null] } } }, { terrain: "land" }],
  placements: [
    { name: "village", on: ["land"], density: "1/100", distance: 3 },
    { name: "wreck", on: ["sea"], density: "1/50" },
  ],
} as const;
const world = createMill({ seed: "moria" }).world("land", INPUT);
const ODD_R = { ...INPUT, layers: [{ name: "sea", steps: 90, walkers: 3, start: [[5, 5]] }] } as const;
const bounded = createMill({ seed: "moria" }).world("isle", {
  ...ODD_R,
  grid: { kind: "bounded", rows: 20, cols: 30, coordinates: "odd-r" },
});

const WINDOW = { row0: -8, col0: -8, rows: 16, cols: 16 };

/** The number of placements of a kind near a cell, counted one by one. */
function countNear(one: World, kind: string, [row, col]: readonly [number, number], within: number): number {
  const { grid } = one.plan.walk;
  const least = (at: number) => (grid.kind === "bounded" ? Math.max(0, at - within) : at - within);
  const size = (at: number, most: number) => Math.min(most, at + within + 1) - least(at);
  const [rows, cols] = grid.kind === "bounded" ? [grid.rows, grid.cols] : [2 ** 31, 2 ** 31];
  const window = { row0: least(row), col0: least(col), rows: size(row, rows), cols: size(col, cols) };
  const all = [...one.placements(window, { contents: false })].filter((placed) => placed.kind === kind);
  return all.filter((placed) => distance(grid, [row, col], [placed.row, placed.col]) <= within).length;
}

function shareOf(one: World, terrain: string, window: typeof WINDOW): number {
  const { terrain: cells, terrains } = one.window(window, { contents: false });
  return cells.filter((index) => terrains[index].name === terrain).length / cells.length;
}

const CASES: readonly (readonly [
  what: string,
  world: World,
  condition: WorldCondition,
  meets: (one: World) => boolean,
])[] = [
  ["near", world, { kind: "village", near: [3, -4], within: 5 }, (one) => countNear(one, "village", [3, -4], 5) >= 1],
  [
    "several near",
    world,
    { kind: "village", near: [0, 0], within: 12, atLeast: 2, atMost: 3 },
    (one) => [2, 3].includes(countNear(one, "village", [0, 0], 12)),
  ],
  ["share", world, { terrain: "sea", window: WINDOW, atLeast: "1/20" }, (one) => shareOf(one, "sea", WINDOW) >= 0.05],
  [
    "all of a list",
    world,
    [
      { terrain: "land", window: WINDOW, atLeast: 0.5, atMost: 0.98 },
      { kind: "village", near: [2, 2], within: 9 },
    ],
    (one) => {
      const share = shareOf(one, "land", WINDOW);
      return share >= 0.5 && share <= 0.98 && countNear(one, "village", [2, 2], 9) > 0;
    },
  ],
  [
    "near the edge of an odd-r grid",
    bounded,
    { kind: "village", near: [1, 2], within: 6 },
    (one) => countNear(one, "village", [1, 2], 6) > 0,
  ],
];

describe("worlds", () => {
  test.each(CASES)("%s: finds what a function finds, split, resumed and as JSON", (_, source, condition, meets) => {
    const to = 20;
    const { found, next } = searchSeeds(source, condition, { to });
    expect(found).toEqual(searchSeeds(source, meets, { to }).found);
    expect(next).toBe(to);
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(to);
    const again = JSON.parse(JSON.stringify(condition)) as WorldCondition;
    const parts = [0, 7, 13].map((from, i, all) => searchSeeds(source, again, { from, to: all[i + 1] ?? to }));
    expect(parts.flatMap((part) => part.found)).toEqual(found);
    const first = searchSeeds(source, condition, { to, limit: 1 });
    expect(first.found).toEqual(found.slice(0, 1));
    const rest = searchSeeds(source, condition, { from: first.next, to });
    expect([...first.found, ...rest.found]).toEqual(found);
  });

  test("seeds as texts", () => {
    const seeds = ["moria", "tide", "khazad", "☃", "1", "2", "3", "4"];
    const [, , condition, meets] = CASES[1];
    const expected = seeds.filter((seed) => meets(createMill({ seed }).world("land", INPUT)));
    expect(searchSeeds(world, condition, { seeds }).found.map(({ seed }) => seed)).toEqual(expected);
  });

  test("invalid conditions are refused before a world is made", () => {
    const code = (condition: unknown, source = world) =>
      codeOf(() => searchSeeds(source, condition as never, { to: 1 }));
    const near = { kind: "village", near: [0, 0], within: 3 };
    const share = { terrain: "sea", window: WINDOW };
    for (const condition of [undefined, null, "village", 5, [], {}, [[]], { near: [0, 0] }, [near, {}]]) {
      expect(code(condition)).toMatch(/^argument\.(type|range)$/);
    }
    expect(code({ ...near, kind: "vilage" })).toBe("argument.range");
    expect(code({ ...near, kind: "__proto__" })).toBe("argument.range");
    expect(code({ ...near, near: [0] })).toMatch(/^argument/);
    expect(code({ ...near, within: -1 })).toBe("argument.range");
    expect(code({ ...near, within: 2049 })).toBe("argument.range");
    expect(code({ ...near, atLeast: 3, atMost: 2 })).toBe("argument.range");
    expect(code({ ...near, content: "gold" })).toBe("argument.option");
    expect(code({ ...near, near: [500, 500] }, bounded)).toBe("argument.type");
    expect(code({ ...share, terrain: "see" })).toBe("argument.range");
    expect(code({ ...share, window: { ...WINDOW, rows: 0 } })).toBe("argument.range");
    expect(code({ ...share, atLeast: "much" })).toBe("argument.type");
    expect(code({ ...share, atLeast: 0.5, atMost: 0.4 })).toMatch(/^argument/);
    expect(code(share, bounded)).toBe("world.window");
    expect(code(near, createMill({ seed: "" }).weighted("list", [1, 2]) as never)).toMatch(/^argument/);
  });
});
