import { describe, expect, test } from "vitest";
import { createMill, RollmillError } from "../../src/index.js";
import type { World, WorldInput, WorldOptions } from "../../src/worlds/index.js";
import { codeOf, refusalOf } from "../refusal.js";
import { expectSame, readWindow, windowOf } from "./compare.js";
import { SOURCES } from "./randomWorld.js";
import { WorldTwin } from "./twin.js";

/** Worlds that cannot be made, and calls that cannot be answered, end in typed errors that say where. */

const EDGE = 2 ** 31;
const HILLS = { name: "hills", steps: 3, scatter: { side: 64, walkers: 2 } } as const;
const WOOD = { terrain: "wood" } as const;

/** Opens a world from plain JavaScript, which the types do not check. */
function open(input: unknown, options?: unknown): World {
  return createMill({ seed: "hostile" }).world("land", input as WorldInput, options as WorldOptions);
}

/** "code path" of each issue. */
function issuesOf(input: unknown): string[] {
  return refusalOf(() => open(input)).issues.map(({ code, where }) => `${code} ${where.path}`);
}

const withRule = (when: unknown) => ({ layers: [HILLS], terrain: [{ terrain: "sea", when }, WOOD] });
const withKind = (kind: object) => ({
  layers: [HILLS],
  terrain: [WOOD],
  placements: [{ name: "ore", density: 1, ...kind }],
  ...SOURCES,
});
const withLayer = (layer: object) => ({ layers: [{ ...HILLS, ...layer }] });

/** `not` inside `not`, this many times. */
function nested(depth: number): object {
  let inner: object = { chance: 1 };
  for (let i = 0; i < depth; i++) inner = { not: inner };
  return inner;
}

describe("a spec", () => {
  const endless: Record<string, unknown> = {};
  endless.not = endless;
  test.each([
    ["that is empty", {}, "world.spec layers"],
    ["that is null", null, "world.spec "],
    ["without layers", { layers: [] }, "world.spec layers"],
    ["with an unknown field", { ...withLayer({}), terrains: [] }, "world.spec terrains"],
    ["on a torus", { grid: { kind: "torus", rows: 4, cols: 4 }, layers: [{ name: "a" }] }, "world.spec grid"],
    [
      "with a scattered layer on a bounded grid",
      { ...withLayer({}), grid: { kind: "bounded", rows: 9, cols: 9 } },
      "walk.scattered layers[0].scatter",
    ],
    ["with 257 layers", { layers: Array.from({ length: 257 }, (_, i) => ({ name: `l${i}` })) }, "walk.spec layers"],
    [
      "that refers to a later layer",
      {
        layers: [
          { ...HILLS, start: { layer: "rivers" } },
          { ...HILLS, name: "rivers" },
        ],
      },
      "walk.spec layers[0].start.layer",
    ],
    [
      "with a circle of layers",
      {
        layers: [
          { ...HILLS, until: { on: "rivers" } },
          { ...HILLS, name: "rivers", until: { on: "hills" } },
        ],
      },
      "walk.spec layers[0].until.on",
    ],
    [
      "with a layer that refers to itself",
      withLayer({ closed: { layers: ["hills"] } }),
      "walk.spec layers[0].closed.layers[0]",
    ],
    [
      "with a finite layer on a scattered one",
      { layers: [HILLS, { name: "rivers", start: { layer: "hills" } }] },
      "walk.scattered layers[1].start.layer",
    ],
    ["with a layer named as a condition", withLayer({ name: "chance" }), "world.spec layers[0]"],
    ["with a scattered layer on listed cells", withLayer({ start: [[0, 0]] }), "walk.scattered layers[0].start"],
    ["with walkers beside scatter", withLayer({ walkers: 2 }), "walk.spec layers[0].walkers"],
    [
      "with a side that is no power of two",
      withLayer({ scatter: { side: 96, walkers: 1 } }),
      "walk.spec layers[0].scatter.side",
    ],
    [
      "with a side that is too large",
      withLayer({ scatter: { side: 8192, walkers: 1 } }),
      "walk.spec layers[0].scatter.side",
    ],
    ["with too many walkers", withLayer({ scatter: { walkers: 65_537 } }), "walk.spec layers[0].scatter.walkers"],
    ["with too many steps", withLayer({ steps: 2 ** 20 + 1 }), "walk.spec layers[0].steps"],
    ["with an empty condition", withRule({}), "world.spec terrain[0].when"],
    ["with an empty condition on a layer", withRule({ hills: {} }), "world.spec terrain[0].when.hills"],
    ["with a condition on an unknown layer", withRule({ rivers: { within: 1 } }), "world.spec terrain[0].when.rivers"],
    [
      "with a distance that is too large",
      withRule({ hills: { within: 65 } }),
      "world.spec terrain[0].when.hills.within",
    ],
    [
      "with first visits that are not kept",
      withRule({ hills: { firstVisit: [0, 1] } }),
      "world.spec terrain[0].when.hills.firstVisit",
    ],
    ["with an empty range", withRule({ hills: { visits: [3, 1] } }), "world.spec terrain[0].when.hills.visits[1]"],
    ["with a chance above 1", withRule({ chance: 1.5 }), "world.spec terrain[0].when.chance"],
    ["with a chance that is NaN", withRule({ chance: Number.NaN }), "world.spec terrain[0].when.chance"],
    ["with a chance that is too exact", withRule({ chance: "1/4294967296" }), "world.spec terrain[0].when.chance"],
    [
      "with a last rule that has a condition",
      { layers: [HILLS], terrain: [{ ...WOOD, when: { chance: 1 } }] },
      "world.spec terrain[0]",
    ],
    [
      "with an earlier rule that has none",
      { layers: [HILLS], terrain: [WOOD, { terrain: "sea" }] },
      "world.spec terrain[0]",
    ],
    ["with a placement on unknown terrain", withKind({ on: ["sea"] }), "world.spec placements[0].on[0]"],
    ["with a placement on no terrain", withKind({ on: [] }), "world.spec placements[0].on"],
    ["with a density above 1", withKind({ density: 2 }), "world.spec placements[0].density"],
    ["with a placement distance that is too large", withKind({ distance: 65 }), "world.spec placements[0].distance"],
    [
      "with a content and contents",
      withKind({ content: { table: "loot" }, contents: { a: { table: "loot" } } }),
      "world.spec placements[0].contents",
    ],
    ["with no contents", withKind({ contents: {} }), "world.spec placements[0].contents"],
    ["with a list of contents", withKind({ contents: [{ table: "loot" }] }), "world.spec placements[0].contents"],
    [
      "with 17 contents",
      withKind({ contents: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`c${i}`, { table: "loot" }])) }),
      "world.spec placements[0].contents",
    ],
    [
      "with a content without a name",
      withKind({ contents: { "": { table: "loot" } } }),
      "world.spec placements[0].contents",
    ],
    [
      "with a named content of an unknown source",
      withKind({ contents: { guard: { drops: "ork" } } }),
      "world.spec placements[0].contents.guard.drops",
    ],
    [
      "with an unknown table on a terrain",
      withKind({ content: { table: "loot", on: { wood: { table: "x" } } } }),
      "world.spec placements[0].content.on.wood.table",
    ],
    [
      "with another kind of source on a terrain",
      withKind({ content: { table: "loot", on: { wood: { drops: "orc" } } } }),
      "world.spec placements[0].content.on.wood.drops",
    ],
    [
      "with another family on a terrain",
      withKind({ content: { pools: "stock", pool: "arms", on: { wood: { pools: "stock", pool: "arms" } } } }),
      "world.spec placements[0].content.on.wood.pools",
    ],
    [
      "with a finite pool without stock on a terrain",
      withKind({ content: { pools: "stock", pool: "arms", on: { wood: { pool: "beasts" } } } }),
      "world.spec placements[0].content",
    ],
    ["with a content without a source", withKind({ content: {} }), "world.spec placements[0].content"],
    ["with an unknown source", withKind({ content: { table: "x" } }), "world.spec placements[0].content.table"],
    [
      "with an unknown root of pools",
      withKind({ content: { pools: "stock", pool: "x" } }),
      "world.spec placements[0].content.pool",
    ],
    [
      "with a finite pool without a stock",
      withKind({ content: { pools: "stock", pool: "beasts" } }),
      "world.spec placements[0].content",
    ],
    [
      "with a pool that does not refill",
      {
        ...withKind({ content: { pools: "deck", pool: "deck", stock: "region" } }),
        pools: { deck: { roots: { deck: { kind: "finite", refill: false, records: ["ace"] } } } },
      },
      "world.spec placements[0].content.pool",
    ],
    [
      "with options on unknown terrain",
      withKind({ content: { objects: "gear", level: 1, on: { sea: { level: 2 } } } }),
      "world.spec placements[0].content.on.sea",
    ],
    [
      "with objects without a level",
      withKind({ content: { objects: "gear" } }),
      "world.spec placements[0].content.level",
    ],
    ["with a broken table", { ...withLayer({}), tables: { t: "rubbish" } }, "table.columns tables.t"],
  ])("%s", (_, input, issue) => {
    expect(issuesOf(input)).toContain(issue);
  });

  test.each([
    ["with many rules inside each other", nested(100_000)],
    ["that contains itself", endless],
  ])("%s is refused quickly", (_, when) => {
    expect(issuesOf(withRule(when))[0]).toMatch(/^world\.spec terrain\[0\]\.when\.not/);
  });

  test.each([
    ["a list without entries", { layers: { length: 2 ** 40 } }],
    ["a list with holes", { layers: new Array(3) }],
  ])("with %s is refused", (_, input) => {
    expect(refusalOf(() => open(input)).code).toMatch(/^(world|walk)\.spec$/);
  });

  test.each([
    ["a pool", { pools: "stock", pool: "arms.swords" }, "pool.unknown"],
    ["a kind of object", { objects: "gear", level: 3, kind: "Harp" }, "object.name"],
    ["a tier", { recipe: "arms", tier: 4 }, "recipe.candidates"],
    [
      "a tier that only far regions have",
      { recipe: "arms", tier: { from: 1, perCells: 500, most: 6 } },
      "recipe.candidates",
    ],
    [
      "a level that only far regions have",
      { objects: "gear", tval: "sword", good: true, level: { from: 1, perCells: 64 } },
      "object.impossible",
    ],
  ])("whose content asks for %s that does not exist is refused before a window is made", (_, content, code) => {
    expect(codeOf(() => open(withKind({ content })))).toBe(code);
  });

  test.each([
    ["maxMemory", 1],
    ["maxMemory", 2 ** 40],
    ["maxRegions", 0],
    ["maxRegions", 0.5],
  ])("with the option %s %d is refused", (option, value) => {
    expect(codeOf(() => open(withLayer({}), { [option]: value }))).toBe("argument.range");
  });
});

describe("a call", () => {
  const world = open(withLayer({}));
  const call = (args: readonly unknown[]) => codeOf(() => Reflect.apply(world.window, world, args));
  const cells = { row0: 0, col0: 0, rows: 1, cols: 1 };

  test.each([
    [[{ ...cells, row0: Number.NaN }]],
    [[{ ...cells, row0: 0.5 }]],
    [[{ ...cells, row0: "0" }]],
    [[{ ...cells, rows: 0 }]],
    [[{ ...cells, cols: -1 }]],
    [[{ ...cells, row0: EDGE }]],
    [[{ ...cells, row0: -EDGE - 1 }]],
    [[{ ...cells, row0: EDGE - 1, rows: 2 }]],
    [[{ ...cells, rows: 2 ** 15, cols: 2 ** 14 }]],
    [[{ ...cells, rows: 2 ** 31, cols: 2 ** 31 }]],
    [[{}]],
    [[[0, 0, 1, 1]]],
    [[{ row: 0, col: 0, rows: 1, cols: 1 }]],
    [[cells, { visits: ["rivers"] }]],
  ])("window(%j) is out of range", (args) => {
    expect(call(args)).toBe("argument.range");
  });

  test.each([
    [{ visits: "hills" }, "argument.type"],
    [{ visits: { length: 2 ** 31 } }, "argument.type"],
    [{ signal: 4 }, "argument.type"],
    [{ onProgress: 4 }, "argument.type"],
    [{ contents: 1 }, "argument.type"],
    [{ rows: 1 }, "argument.option"],
    [null, "argument.type"],
  ])("the options %j are refused", (options, code) => {
    expect(call([cells, options])).toBe(code);
  });

  test.each([[undefined], [0], ["cells"]])("%j is no window", (given) => {
    expect(call([given])).toBe("argument.type");
  });

  test.each([
    [4, 7],
    [-1, 7],
    [0, 6],
    [0, 12],
    [0.5, 7],
    ["0", 7],
    [0n, 7],
    [Symbol("row"), 7],
    [0, {}],
    [undefined, undefined],
  ])("a window has no cell (%s, %s)", (row, col) => {
    const window = world.window({ row0: 0, col0: 7, rows: 4, cols: 5 }, { visits: ["hills"] });
    expect(codeOf(() => Reflect.apply(window.terrainAt, window, [row, col]))).toBe("argument.range");
    expect(codeOf(() => Reflect.apply(window.visitsAt, window, ["hills", row, col]))).toBe("argument.range");
    expect(window.visitsAt("hills", 3, 11)).toBe(window.visits("hills")[19]);
    expect(codeOf(() => window.visits("rivers"))).toBe("argument.range");
    expect(codeOf(() => window.firstVisits("hills"))).toBe("argument.range");
  });

  test.each([
    [{ layer: "hills", region: [EDGE / 64, 0] }],
    [{ layer: "hills", region: [0] }],
    [{ layer: "rivers", region: [0, 0] }],
  ])("start(%j) is out of range", (args) => {
    expect(codeOf(() => Reflect.apply(world.start, world, [args]))).toBe("argument.range");
  });

  test("start refuses a finite layer, and cells outside a grid are refused everywhere", () => {
    const bounded = open({ grid: { kind: "bounded", rows: 300, cols: 9 }, layers: [{ name: "path" }] });
    expect(codeOf(() => bounded.start({ layer: "path", region: [0, 0] }))).toBe("argument.range");
    expect(codeOf(() => bounded.window({ row0: 0, col0: 0, rows: 301, cols: 1 }))).toBe("world.window");
    expect(codeOf(() => bounded.window({ row0: -1, col0: 0, rows: 2, cols: 1 }))).toBe("world.window");
    expect(codeOf(() => bounded.at(0, 9))).toBe("world.window");
    expect(codeOf(() => bounded.region(2, 0))).toBe("world.window");
    expect(codeOf(() => bounded.digest({ row0: 0, col0: 0, rows: 300, cols: 10 }))).toBe("world.window");
    expect(bounded.region(1, 0)).toMatchObject({ row0: 256, col0: 0, rows: 44, cols: 9 });
  });

  test("from the callback of another one is refused, and both leave the world as it is", () => {
    const before = readWindow(windowOf(world, { row: 0, col: 0, rows: 40, cols: 40 }), withLayer({}));
    const codes: (string | undefined)[] = [];
    const onProgress = () => void codes.push(codeOf(() => world.at(5000, 5000)));
    world.window({ row0: 300, col0: 300, rows: 900, cols: 900 }, { onProgress });
    expect(codes.length).toBeGreaterThan(0);
    expect(new Set(codes)).toEqual(new Set(["argument.busy"]));
    const throwing = () => {
      throw new Error("mine");
    };
    expect(codeOf(() => world.window({ row0: -900, col0: 0, rows: 900, cols: 900 }, { onProgress: throwing }))).toBe(
      "argument.callback",
    );
    expectSame(readWindow(windowOf(world, { row: 0, col: 0, rows: 40, cols: 40 }), withLayer({})), before, "after");
  });
});

describe("the edge of the coordinates is closed (audit 5)", () => {
  const corners: [number, number][] = [
    [-EDGE, -EDGE],
    [EDGE - 40, EDGE - 50],
    [-EDGE, EDGE - 50],
    [EDGE - 40, -3],
  ];

  test.each(corners)("a window at (%d, %d) is that of the twin", (row, col) => {
    const input: WorldInput = {
      layers: [
        { name: "hills", scatter: { side: 64, walkers: 20 }, steps: 30, firstVisit: true },
        { name: "rivers", scatter: { side: 128, walkers: 9 }, steps: 70, closed: { layers: ["hills"] } },
        {
          name: "towns",
          scatter: { side: 64, walkers: 9 },
          steps: 30,
          start: { layer: "hills" },
          until: { outside: "hills" },
        },
      ],
      terrain: [
        { terrain: "hill", when: { hills: { within: 3 } } },
        { terrain: "wood", when: { all: [{ chance: "1/3" }, { rivers: { within: 64 } }] } },
        { terrain: "town", when: { towns: { visits: [2, null] } } },
        { terrain: "plain" },
      ],
      placements: [{ name: "ore", density: "1/4", distance: 12 }],
    };
    const rect = { row, col, rows: 40, cols: 50 };
    const made = readWindow(windowOf(open(input), rect), input);
    expectSame(made, new WorldTwin(input, { seed: "hostile", name: "land" }).window(rect), `corner ${row},${col}`);
    expect(made.placements.length).toBeGreaterThan(0);
  });

  test.each(corners)("walkers that come to the edge at (%d, %d) turn back: no visit is lost", (row, col) => {
    using world = open(withLayer({ steps: 100, scatter: { side: 64, walkers: 50 } }));
    const [i, j] = [Math.floor(row / 256), Math.floor(col / 256)];
    const whole = world.region(i, j, { visits: ["hills"] });
    const part = world.window({ row0: row, col0: col, rows: 40, cols: 50 }, { visits: ["hills"] });
    expect(part.visitsAt("hills", row + 1, col + 1)).toBe(whole.visitsAt("hills", row + 1, col + 1));
    expect(world.at(row + 1, col + 1).visits.hills).toBe(whole.visitsAt("hills", row + 1, col + 1));
    expect(part.visits("hills").reduce((sum, visits) => sum + visits)).toBeGreaterThan(500);
  });

  test("regions end where the coordinates end", () => {
    using world = open(withLayer({ steps: 0 }));
    expect(world.region(-EDGE / 256, EDGE / 256 - 1)).toMatchObject({ row0: -EDGE, col0: EDGE - 256, rows: 256 });
    expect(codeOf(() => world.region(EDGE / 256, 0))).toBe("argument.range");
  });
});

describe("limits", () => {
  test("a call that needs too many regions says how many, before anything is walked", () => {
    const layers = Array.from({ length: 256 }, (_, i) => ({
      ...HILLS,
      name: `l${i}`,
      steps: 1000,
      ...(i > 0 && { closed: { layers: [`l${i - 1}`] } }),
    }));
    const [issue] = refusalOf(() => windowOf(open({ layers }), { row: 0, col: 0, rows: 9, cols: 9 })).issues;
    expect(issue.code).toBe("world.regions");
    expect(issue.message).toMatch(/got \d{6,}, expected at most 65536 regions/);
  });

  test("maxRegions is the greatest number that a call may walk", () => {
    // the visits of the cells 0 … 8 depend on 3 more cells on each side: regions −1 and 0 in rows and columns
    const visits = (maxRegions: number) =>
      open(withLayer({}), { maxRegions }).window({ row0: 0, col0: 0, rows: 9, cols: 9 }, { visits: ["hills"] });
    expect(codeOf(() => visits(3))).toBe("world.regions");
    expect(visits(4).visits("hills")).toHaveLength(81);
    // terrain is made for whole regions: the cells 0 … 255 and 3 more on each side, which is regions −1 … 4
    const rule = withRule({ hills: { visits: [1, null] } });
    const terrain = (maxRegions: number) => open(rule, { maxRegions }).window({ row0: 0, col0: 0, rows: 9, cols: 9 });
    expect(codeOf(() => terrain(35))).toBe("world.regions");
    expect(terrain(36).terrain).toHaveLength(81);
  });

  test("walkers that only start on an earlier layer need it in their region alone", () => {
    // hills in the cells 0 … 63 depend on 3 more cells on each side: regions −1 … 1 in rows and columns
    const rivers = { ...HILLS, name: "rivers", steps: 1000, start: { layer: "hills" } };
    const start = (maxRegions: number, more = {}) =>
      open({ layers: [HILLS, { ...rivers, ...more }] }, { maxRegions }).start({ layer: "rivers", region: [0, 0] });
    expect(codeOf(() => start(8))).toBe("world.regions");
    using run = start(9);
    expect([...run.positions()].length).toBeGreaterThan(0);
    expect(codeOf(() => start(1000, { until: { outside: "hills" } }))).toBe("world.regions");
  });

  test("a cell needs no more regions than that, also of a layer that no rule names", () => {
    using world = open(withLayer({}), { maxRegions: 3 });
    expect(codeOf(() => world.at(0, 0))).toBe("world.regions");
    using endless = open(withLayer({ steps: 2 ** 20 }));
    expect(codeOf(() => endless.at(0, 0))).toBe("world.regions");
  });

  test("256 layers work", () => {
    const layers = Array.from({ length: 256 }, (_, i) => ({
      ...HILLS,
      name: `l${i}`,
      ...(i % 8 === 1 && { closed: { layers: [`l${i - 1}`] } }),
    }));
    const terrain = [
      ...Array.from({ length: 200 }, (_, i) => ({ terrain: `t${i}`, when: { [`l${i}`]: { visits: [1, null] } } })),
      { terrain: "plain" },
    ];
    const input = { layers, terrain } as unknown as WorldInput;
    const rect = { row: 0, col: 0, rows: 20, cols: 20 };
    const made = readWindow(windowOf(open(input), rect), input);
    expectSame(made, new WorldTwin(input, { seed: "hostile", name: "land" }).window(rect), "256 layers");
    expect(new Set(made.terrain).size).toBeGreaterThan(20);
  });

  test("a window that does not fit in memory is an error, and smaller ones still work", () => {
    const input = withLayer({ steps: 1000, scatter: { side: 64, walkers: 20 } });
    using world = open(input, { maxMemory: 2 ** 25 });
    const small = { row: 9000, col: 0, rows: 5, cols: 5 };
    const before = readWindow(windowOf(world, small), input);
    const large = () => world.window({ row0: 0, col0: 0, rows: 2 ** 14, cols: 2 ** 14 }, { visits: ["hills"] });
    using tiny = open(input, { maxMemory: 2 ** 22 });
    expect(codeOf(() => windowOf(tiny, small))).toBe("kernel.memory");
    expect(codeOf(() => open(input, { maxMemory: 2 ** 22, maxRegions: 9 }).region(0, 0, { visits: ["hills"] }))).toBe(
      "world.regions",
    );
    expect(() => large()).toThrow(RollmillError);
    expectSame(readWindow(windowOf(world, small), input), before, "after an error");
  });

  test("messages about memory name the limit that the caller gave (audit 5)", () => {
    const messageOf = (layers: WorldInput["layers"], maxMemory: number) => {
      using world = open({ layers }, { maxMemory });
      return refusalOf(() => world.at(0, 0)).message;
    };
    const scattered = [{ name: "a", steps: 3000, scatter: { side: 64, walkers: 9 } }];
    expect(messageOf(scattered, 2 ** 23)).toContain(
      `"maxMemory": ${2 ** 23} bytes, of which this kernel may use ${2 ** 22} bytes`,
    );
    const finite = [{ name: "a", walkers: 40, steps: 60_000 }];
    expect(messageOf(finite, 2 ** 22)).toContain(
      `"maxMemory": ${2 ** 22} bytes, of which this kernel may use ${2 ** 21} bytes`,
    );
  });

  test.each([
    ["one layer", [{ name: "a", walkers: 40, steps: 60_000 }]],
    [
      "several layers together",
      ["a", "b", "c", "d"].map((name) => ({ name, walkers: 40, steps: 3000, start: { rect: [0, 0, 300, 300] } })),
    ],
  ])("finite layers take no more memory than allowed: %s", (_, layers) => {
    using world = open({ layers }, { maxMemory: 2 ** 22 });
    for (let k = 0; k < 2; k++) expect(codeOf(() => world.at(0, 0))).toBe("kernel.memory");
    using large = open({ layers }, { maxMemory: 2 ** 28 });
    expect(large.at(0, 0).placements).toEqual([]);
  });

  test("rules that never hold give no terrain and no placements", () => {
    const input: WorldInput = {
      layers: [HILLS],
      terrain: [
        { terrain: "sea", when: { hills: { visits: [2 ** 32 - 1, null] } } },
        { terrain: "hill", when: { all: [{ chance: 1 }, { not: { chance: 1 } }] } },
        WOOD,
      ],
      placements: [{ name: "boats", on: ["sea", "hill"], density: 1, content: { table: "loot" } }],
      ...SOURCES,
    };
    const window = open(input).window({ row0: -100, col0: -100, rows: 200, cols: 200 });
    expect(window.terrains.map(({ name }) => name)).toEqual(["sea", "hill", "wood"]);
    expect(new Set(window.terrain)).toEqual(new Set([2]));
    expect(window.placements).toHaveLength(0);
  });

  test("a world without terrain and placements has visits only", () => {
    const window = open(withLayer({})).window({ row0: 0, col0: 0, rows: 64, cols: 64 }, { visits: ["hills"] });
    expect(new Set(window.terrain)).toEqual(new Set([0]));
    expect(window.terrainAt(0, 0)).toBeUndefined();
    expect(window.placements).toHaveLength(0);
    expect(window.visits("hills").some((count) => count > 0)).toBe(true);
  });
});

describe("after dispose", () => {
  const calls = (world: World) => [
    () => world.window({ row0: 0, col0: 0, rows: 3, cols: 3 }),
    () => world.region(0, 0),
    () => world.at(0, 0),
    () => world.placements({ row0: 0, col0: 0, rows: 3, cols: 3 }),
    () => world.digest({ row0: 0, col0: 0, rows: 3, cols: 3 }),
    () => world.start({ layer: "hills", region: [0, 0] }),
  ];

  test("of the world, its calls are refused; its windows and its forks can be used", () => {
    const world = open(withLayer({}));
    const window = world.window({ row0: 0, col0: 0, rows: 3, cols: 3 }, { visits: ["hills"] });
    using fork = world.fork("a");
    world.dispose();
    world.dispose();
    expect(calls(world).map(codeOf)).toEqual(calls(world).map(() => "argument.disposed"));
    expect(window.visits("hills")).toHaveLength(9);
    expect(fork.window({ row0: 0, col0: 0, rows: 3, cols: 3 }).rows).toBe(3);
  });

  test("of the mill, its worlds and their forks are refused", () => {
    const mill = createMill({ seed: "hostile" });
    const world = mill.world("land", withLayer({}));
    const fork = world.fork("a");
    world.at(0, 0);
    fork.at(0, 0);
    mill.dispose();
    for (const one of [world, fork]) expect(calls(one).map(codeOf)).toEqual(calls(one).map(() => "argument.disposed"));
  });
});
