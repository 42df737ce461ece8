import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { checkWorld, type Placement, type PlacementInput, parseWorld, type World } from "../../src/worlds/index.js";
import { codeOf } from "../refusal.js";
import { IS_SOAK } from "../soak.js";
import { expectSame, readWindow, windowOf } from "./compare.js";
import { distance } from "./hexes.js";
import { randomRelations } from "./randomRelations.js";
import { WorldTwin } from "./twin.js";

/** Kinds of placements with relations: random worlds, compared with the twin, and what holds for larger worlds. */
const WORLDS = IS_SOAK ? 500 : 20;

describe("random worlds", () => {
  let placements = 0;

  test.each(Array.from({ length: WORLDS }, (_, number) => number))("world %d is that of the twin", (number) => {
    const { input, window, seed, name } = randomRelations(number);
    using world = createMill({ seed }).world(name, input);
    const theirs = new WorldTwin(input, { seed, name }).window(window);
    expectSame(readWindow(windowOf(world, window), input), theirs, `world ${number}`);
    placements += theirs.placements.length;
  });

  test("have something to compare", () => {
    expect(placements).toBeGreaterThan(WORLDS * 8);
  });
});

const LAYERS = [{ name: "paths", steps: 30, scatter: { side: 64, density: "1/2000" } }] as const;
const TERRAIN = [{ terrain: "sea", when: { height: [0, 30_000] } }, { terrain: "land" }] as const;
const FIELDS = [{ name: "height", kind: "noise", scale: 64, octaves: 3 }] as const;
const VILLAGES = {
  name: "village",
  on: ["land"],
  density: "1/300",
  distance: 12,
  at: [
    [0, 0],
    [3, 250],
  ],
  least: { count: 9, within: 40, of: [-20, 40] },
  most: { count: 2, within: 30, of: [200, 200] },
  sizes: { hamlet: 6, town: 1 },
} as const;
const FARMS = {
  name: "farm",
  on: ["land"],
  density: "1/10",
  distance: 2,
  near: { kind: "village", within: 9 },
  alone: true,
  where: { height: [0, 40_000], not: { paths: { visits: [1, null] } } },
  facing: true,
} as const;
const LAIRS = {
  name: "lair",
  density: "1/200",
  distance: 20,
  apart: { kind: "village", distance: 25 },
  least: { count: 1, within: 60, of: [0, 0] },
  most: { count: 0, within: 50 },
} as const;
const INPUT = { layers: LAYERS, fields: FIELDS, terrain: TERRAIN, placements: [VILLAGES, FARMS, LAIRS] } as const;

function open(placements: readonly PlacementInput[] = INPUT.placements): World {
  return createMill({ seed: "moria" }).world("land", { ...INPUT, placements });
}

function steps(a: Pick<Placement, "row" | "col">, b: Pick<Placement, "row" | "col">): number {
  return distance({ kind: "unbounded" }, [a.row, a.col], [b.row, b.col]);
}

describe("a world with relations", () => {
  const AREA = { row0: -256, col0: -256, rows: 768, cols: 768 };
  const world = open();
  const window = world.window(AREA, { visits: ["paths"], fields: ["height"] });
  const all = [...window.placements];
  const of = (name: string) => all.filter(({ kind }) => kind === name);
  const [villages, farms, lairs] = ["village", "farm", "lair"].map(of);
  /** Placements that are not at the edge of the area. */
  const inner = (list: readonly Placement[], margin: number) =>
    list.filter(({ row, col }) => Math.max(Math.abs(row - 128), Math.abs(col - 128)) < 384 - margin);

  test("has the same placements as its regions, each made by a new world", () => {
    for (const [i, j] of [
      [-1, -1],
      [0, 0],
      [0, 1],
      [1, 0],
    ] as const) {
      using fresh = open();
      const inside = all.filter(({ row, col }) => Math.floor(row / 256) === i && Math.floor(col / 256) === j);
      expect([...fresh.region(i, j).placements]).toEqual(inside);
    }
  });

  test("has all cells of `at`, also in the sea, and no village too close to another one", () => {
    for (const [row, col] of VILLAGES.at) expect(villages).toContainEqual(expect.objectContaining({ row, col }));
    for (const [k, one] of villages.entries()) {
      for (const other of villages.slice(k + 1)) expect(steps(one, other)).toBeGreaterThan(12);
    }
  });

  test("has as many placements in a disc as `least` and `most` ask for", () => {
    const within = (list: readonly Placement[], [row, col]: readonly [number, number], most: number) =>
      list.filter((one) => steps(one, { row, col }) <= most).length;
    expect(within(villages, VILLAGES.least.of, 40)).toBe(9);
    expect(within(villages, VILLAGES.most.of, 30)).toBeLessThanOrEqual(2);
    // `most` leaves none, and `least` then adds one
    expect(within(lairs, [0, 0], 60)).toBe(1);
  });

  test("has farms near villages, on their own cells, under their condition", () => {
    expect(farms.length).toBeGreaterThan(300);
    for (const farm of inner(farms, 9)) {
      const { row, col, facing } = farm;
      expect(Math.min(...villages.map((village) => steps(farm, village)))).toBeLessThanOrEqual(9);
      expect(villages.some((village) => steps(farm, village) === 0)).toBe(false);
      expect(window.fieldAt("height", row, col)).toBeLessThanOrEqual(40_000);
      expect(window.visitsAt("paths", row, col)).toBe(0);
      expect(["NW", "NE", "E", "SE", "SW", "W"]).toContain(facing);
    }
  });

  test("has lairs far from villages", () => {
    for (const lair of inner(lairs, 25)) {
      expect(Math.min(...villages.map((village) => steps(lair, village)))).toBeGreaterThan(25);
    }
  });

  test("has sizes in about the shares of their weights, and facings in equal shares", () => {
    const towns = villages.filter(({ size }) => size === "town").length;
    expect(villages.filter(({ size }) => size === "hamlet")).toHaveLength(villages.length - towns);
    const p = towns / villages.length;
    expect(Math.abs(p - 1 / 7)).toBeLessThan(4 * Math.sqrt(6 / 49 / villages.length));
    for (const facing of ["NW", "NE", "E", "SE", "SW", "W"]) {
      const share = farms.filter((farm) => farm.facing === facing).length / farms.length;
      expect(Math.abs(share - 1 / 6)).toBeLessThan(4 * Math.sqrt(5 / 36 / farms.length));
    }
  });

  test("keeps the placements of a kind without relations, whatever other kinds there are", () => {
    const stones = { name: "stone", density: "1/90", distance: 3 } as const;
    using alone = open([stones]);
    using together = open([stones, { ...FARMS, near: { kind: "stone", within: 200 } }]);
    const cells = { row0: 40, col0: -70, rows: 60, cols: 90 };
    const found = [...together.placements(cells)].filter(({ kind }) => kind === "stone");
    expect(found).toEqual([...alone.placements(cells)]);
  });

  test("is the same at the ends of the 32-bit range", () => {
    const edge = 2 ** 31;
    const cells = { row0: edge - 20, col0: edge - 30, rows: 20, cols: 30 };
    const ends = { at: [[edge - 1, edge - 1]], least: { count: 2, within: 8, of: [edge - 4, edge - 3] } } as const;
    const kinds = [{ ...VILLAGES, ...ends, most: undefined }, FARMS, LAIRS];
    using world = open(kinds);
    const twin = new WorldTwin({ ...INPUT, placements: kinds }, { seed: "moria", name: "land" });
    const { row0: row, col0: col, rows, cols } = cells;
    expect([...world.placements(cells)].map(({ kind, row, col }) => [kind, row, col])).toEqual(
      twin.window({ row, col, rows, cols }).placements.map(({ kind, row, col }) => [kind, row, col]),
    );
  });

  test("covers sizes and facings in its digest", () => {
    const cells = { row0: 0, col0: 0, rows: 64, cols: 64 };
    const digestOf = (kind: PlacementInput) => {
      using world = open([kind]);
      return world.digest(cells);
    };
    const { sizes: _, ...plain } = VILLAGES;
    const kinds = [plain, VILLAGES, { ...plain, facing: true }, { ...plain, sizes: { hamlet: 1, town: 6 } }];
    expect(new Set(kinds.map(digestOf)).size).toBe(4);
  });
});

test("the camps are those of docs/determinism.md", () => {
  using world = createMill({ seed: "moria" }).world("land", {
    layers: [{ name: "road", steps: 1, tensor: { absolute: { E: 1 } } }],
    terrain: [
      { terrain: "road", when: { road: { visits: [1, null] } } },
      { terrain: "rock", when: { all: [{ not: { road: { within: 1 } } }, { chance: "1/4" }] } },
      { terrain: "grass" },
    ],
    placements: [
      { name: "tree", on: ["grass"], density: "2/5", distance: 1 },
      {
        name: "camp",
        on: ["grass"],
        distance: 1,
        near: { kind: "tree", within: 1 },
        alone: true,
        at: [[0, 1]],
        least: { count: 3, within: 2 },
        sizes: { tent: 1, hut: 5 },
        facing: true,
      },
    ],
  });
  const camps = [...world.placements({ row0: -9, col0: -9, rows: 18, cols: 18 })].filter(({ kind }) => kind === "camp");
  expect(camps.map(({ row, col, size, facing }) => [row, col, size, facing].join(" ")).toSorted()).toEqual([
    "-2 1 tent SW",
    "0 1 tent SE",
    "1 -1 hut W",
  ]);
});

describe("nearest", () => {
  const world = open();
  const around = [...world.placements({ row0: -600, col0: -600, rows: 1200, cols: 1200 })];

  test("is the nearest placement of all, by distance, then row, then column", () => {
    for (const [row, col] of [
      [0, 0],
      [255, 255],
      [-3, 256],
      [77, -140],
      [-256, -1],
    ]) {
      for (const kind of ["village", "farm", "lair"]) {
        const [best] = around
          .filter((one) => one.kind === kind)
          .map((placement) => ({ placement, distance: steps(placement, { row, col }) }))
          .sort(
            (a, b) => a.distance - b.distance || a.placement.row - b.placement.row || a.placement.col - b.placement.col,
          );
        expect(world.nearest(kind, row, col)).toEqual(best);
        expect(world.nearest(kind, row, col, { within: best.distance })).toEqual(best);
        expect(best.distance === 0 || world.nearest(kind, row, col, { within: best.distance - 1 }) === undefined).toBe(
          true,
        );
      }
    }
  });

  test("stays in the grid, and refuses what it cannot search", () => {
    const grid = { kind: "bounded", rows: 20, cols: 30 } as const;
    const layers = [{ name: "a", steps: 1, start: [[0, 0]] }] as const;
    const input = { grid, layers, placements: [{ name: "x", at: [[19, 29]] }] } as const;
    using small = createMill({ seed: "moria" }).world("small", input);
    expect(small.nearest("x", 0, 0)).toEqual({ placement: { row: 19, col: 29, kind: "x" }, distance: 48 });
    expect(small.nearest("x", 0, 0, { within: 47 })).toBeUndefined();
    expect(codeOf(() => small.nearest("y" as "x", 0, 0))).toBe("argument.range");
    expect(codeOf(() => small.nearest("x", 20, 0))).toBe("world.window");
    expect(codeOf(() => small.nearest("x", 0, 0, { within: 2049 }))).toBe("argument.range");
  });
});

describe("an invalid kind", () => {
  const A = { name: "a", density: 1 };
  test.each<[unknown[], string, string?]>([
    [[{ ...A, near: { kind: "a", within: 3 } }], "placements[0].near.kind"],
    [
      [
        { ...A, near: { kind: "b", within: 3 } },
        { ...A, name: "b" },
      ],
      "placements[0].near.kind",
    ],
    [[A, { ...A, name: "b", near: { kind: "a", within: 257 } }], "placements[1].near.within"],
    [[A, { ...A, name: "b", apart: { kind: "a" } }], "placements[1].apart.distance"],
    [[{ ...A, alone: 1 }], "placements[0].alone"],
    [[{ ...A, where: { hight: [1, 2] } }], "placements[0].where.hight"],
    [[{ ...A, where: {} }], "placements[0].where"],
    [[{ ...A, at: [[0, 0.5]] }], "placements[0].at[0]"],
    [
      [
        {
          ...A,
          at: [
            [5, 5],
            [0, 0],
            [5, 5],
          ],
        },
      ],
      "placements[0].at",
    ],
    [
      [
        {
          ...A,
          distance: 3,
          at: [
            [0, 3],
            [0, 0],
          ],
        },
      ],
      "placements[0].at",
    ],
    [[{ ...A, least: { count: 0, within: 3 } }], "placements[0].least.count"],
    [[{ ...A, least: { count: 1, within: 257 } }], "placements[0].least.within"],
    [[{ ...A, most: { count: -1, within: 3 } }], "placements[0].most.count"],
    [[{ ...A, most: { count: 1, within: 3, of: [0] } }], "placements[0].most.of"],
    [[{ ...A, sizes: {} }], "placements[0].sizes"],
    [[{ ...A, sizes: { a: 0 } }], "placements[0].sizes.a"],
    [[{ ...A, sizes: { a: 1.5 } }], "placements[0].sizes.a"],
    [[{ ...A, facing: "NE" }], "placements[0].facing"],
  ])("%j is refused at its place", (placements, path, code = "world.spec") => {
    const { spec, issues } = parseWorld({ ...INPUT, placements });
    expect(spec).toBeUndefined();
    expect(issues.map(({ code, where }) => [code, where.path])).toContainEqual([code, path]);
  });

  test("is refused if its cells are outside the grid", () => {
    const grid = { kind: "bounded", rows: 5, cols: 5 };
    const layers = [{ name: "a", steps: 1 }];
    const placements = [
      { ...A, at: [[5, 0]] },
      { ...A, name: "b", least: { count: 1, within: 3, of: [0, -1] } },
    ];
    const { issues } = parseWorld({ grid, layers, placements });
    expect(issues.map(({ code, where }) => [code, where.path])).toEqual([
      ["walk.off-grid", "placements[0].at"],
      ["walk.off-grid", "placements[1].least.of"],
    ]);
  });

  test("is refused if it depends on cells too far away, with the field that costs most", () => {
    const far = [1, 2, 3, 4].map((k) => ({ ...A, name: `k${k}`, near: { kind: `k${k - 1}`, within: 256 } }));
    const placements = [{ ...A, name: "k0", least: { count: 1, within: 40 } }, ...far];
    const [issue] = parseWorld({ ...INPUT, placements }).issues;
    expect([issue.code, issue.where.path]).toEqual(["world.spec", "placements[4].near"]);
    expect(issue.message).toContain("1104");
  });
});

describe("check", () => {
  const warned = (placements: readonly PlacementInput[]) =>
    checkWorld({ ...INPUT, placements })
      .map(({ where }) => where.path)
      .filter((path) => path?.startsWith("placements"));
  const A = { name: "a", density: 1 } as const;
  const near = (within: number) => ({ near: { kind: "a", within } });

  test.each<[string, PlacementInput[], string[]]>([
    [
      "a kind near one that is never placed",
      [
        { ...A, density: 0 },
        { ...A, name: "b", ...near(3) },
      ],
      ["placements[0].density", "placements[1].near"],
    ],
    ["near and apart", [A, { ...A, name: "b", ...near(3), apart: { kind: "a", distance: 3 } }], ["placements[1].near"]],
    ["near 0 and alone", [A, { ...A, name: "b", ...near(0), alone: true }], ["placements[1].near"]],
    ["a condition that never holds", [{ ...A, where: { chance: 0 } }], ["placements[0].where"]],
    ["a disc that is too small", [{ ...A, least: { count: 8, within: 1 } }], ["placements[0].least"]],
    ["a long reach", [A, { ...A, name: "b", distance: 1, ...near(256) }], ["placements[1].near"]],
    [
      "nothing",
      [A, { ...A, name: "b", ...near(3), apart: { kind: "a", distance: 2 } }, { name: "c", at: [[0, 0]] }],
      [],
    ],
  ])("warns of %s", (_, placements, paths) => {
    expect(warned(placements)).toEqual(paths);
  });

  test("does not warn of a field or a layer that only `where` reads", () => {
    const placements = [{ ...A, where: { height: [0, 5], paths: { within: 3 } } }] as const;
    expect(checkWorld({ layers: LAYERS, fields: FIELDS, placements })).toEqual([]);
  });
});

test("odds are unknown if layers, fields or other kinds decide, and count the chances of `where`", () => {
  using world = open([
    { name: "a", density: "1/2", where: { chance: "1/3" }, at: [[0, 0]] },
    { name: "b", density: "1/2", where: { height: [0, 9] } },
    { name: "c", density: "1/2", near: { kind: "a", within: 3 } },
    { name: "d", density: "1/2", apart: { kind: "a", distance: 3 } },
    { name: "e", density: "1/2", alone: true },
  ]);
  const shares = world.odds().placements.map(({ standing }) => standing?.exact);
  expect(shares).toEqual([{ numerator: 1n, denominator: 6n }, undefined, undefined, undefined, undefined]);
});
