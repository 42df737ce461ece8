import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import type { World, WorldInput, WorldWindow } from "../../src/worlds/index.js";
import { codeOf } from "../refusal.js";
import { IS_SOAK } from "../soak.js";
import { expectSame, readWindow, windowOf } from "./compare.js";
import { cellsIn, type Rect } from "./hexes.js";
import { Dice, randomWorld, SOURCES } from "./randomWorld.js";
import { type TwinWindow, WorldTwin } from "./twin.js";

/** What holds for the windows of every world. */

/** Hills, rivers that end at a finite sea, and roads that start on hills: references to both kinds of layers. */
const LAND: WorldInput = {
  layers: [
    { name: "sea", walkers: 20, steps: 90, start: [[40, 40]], firstVisit: true },
    { name: "hills", steps: 40, scatter: { side: 64, walkers: 6 }, preset: "five-ways", firstVisit: true },
    {
      name: "rivers",
      steps: 70,
      scatter: { side: 128, walkers: 9 },
      start: { layer: "hills" },
      until: { on: "sea" },
      preset: "rf50-lf50",
    },
    { name: "roads", steps: 30, scatter: { side: 256, walkers: 20 }, closed: { layers: ["sea", "rivers"] } },
  ],
  terrain: [
    { terrain: "water", when: { any: [{ sea: { visits: [1, null] } }, { rivers: { visits: [1, null] } }] } },
    { terrain: "shore", when: { sea: { within: 2 } } },
    { terrain: "hill", tags: ["dry"], when: { hills: { within: 1 } } },
    { terrain: "wood", tags: ["dry"], when: { chance: "1/3" } },
    { terrain: "plain", tags: ["dry"] },
  ],
  placements: [
    { name: "villages", on: ["dry"], density: "1/40", distance: 9, content: { table: "loot" } },
    { name: "stones", density: "1/30" },
    { name: "beasts", on: ["hill"], density: "1/90", content: { pools: "stock", pool: "beasts", stock: "region" } },
    { name: "gear", density: "1/2000", distance: 3, content: { objects: "gear", level: { from: 1, perCells: 64 } } },
  ],
  ...SOURCES,
};
const AREA: Rect = { row: -70, col: -45, rows: 150, cols: 130 };
const SEED = "moria";

function open(options: { readonly maxMemory?: number; readonly maxRegions?: number } = {}): World {
  return createMill({ seed: SEED }).world("land", LAND, options);
}

function read(world: World, rect: Rect): TwinWindow {
  return readWindow(windowOf(world, rect), LAND);
}

/** The window that a window has of its part. */
function cut(whole: TwinWindow, rect: Rect, part: Rect): TwinWindow {
  const indices = [...cellsIn(part)].map(([row, col]) => (row - rect.row) * rect.cols + col - rect.col);
  const of = <Value>(values: readonly Value[]) => indices.map((k) => values[k]);
  const ofAll = (lists: TwinWindow["visits"]) =>
    Object.fromEntries(Object.entries(lists).map(([name, values]) => [name, of(values)]));
  return {
    terrain: of(whole.terrain),
    visits: ofAll(whole.visits),
    fields: ofAll(whole.fields),
    firstVisits: ofAll(whole.firstVisits),
    placements: whole.placements.filter(
      ({ row, col }) => row >= part.row && col >= part.col && row < part.row + part.rows && col < part.col + part.cols,
    ),
  };
}

/** A random division of a rectangle into parts. */
function parts(dice: Dice, rect: Rect, depth: number): Rect[] {
  const { row, col, rows, cols } = rect;
  if (depth === 0 || rows * cols === 1) return [rect];
  const across = rows > 1 && (cols === 1 || dice.holds(0.5));
  const at = dice.integer(1, (across ? rows : cols) - 1);
  const halves = across
    ? [
        { ...rect, rows: at },
        { row: row + at, col, rows: rows - at, cols },
      ]
    : [
        { ...rect, cols: at },
        { row, col: col + at, rows, cols: cols - at },
      ];
  return halves.flatMap((half) => parts(dice, half, depth - 1));
}

function shuffled<Entry>(dice: Dice, list: readonly Entry[]): Entry[] {
  const rest = [...list];
  return list.map(() => rest.splice(dice.integer(0, rest.length - 1), 1)[0]);
}

describe("a window", () => {
  const whole = read(open(), AREA);

  test("is that of the twin", () => {
    expectSame(whole, new WorldTwin(LAND, { seed: SEED, name: "land" }).window(AREA), "land");
    expect(new Set(whole.terrain).size).toBe(5);
    expect(new Set(whole.placements.map(({ kind }) => kind)).size).toBe(4);
  });

  test("is its parts put together, in every order", () => {
    for (let k = 0; k < 4; k++) {
      const dice = new Dice(`parts ${k}`);
      using world = open();
      for (const part of shuffled(dice, parts(dice, AREA, 4))) {
        expectSame(read(world, part), cut(whole, AREA, part), JSON.stringify(part));
      }
    }
  });

  test("does not depend on the windows that were made before", () => {
    using world = open();
    const elsewhere: Rect[] = [
      { row: 5000, col: -9000, rows: 20, cols: 300 },
      { row: -300, col: -300, rows: 10, cols: 10 },
      { row: 2 ** 30, col: -(2 ** 30), rows: 1, cols: 1 },
    ];
    for (const rect of elsewhere) windowOf(world, rect);
    world.window({ row0: -400, col0: 0, rows: 500, cols: 40 });
    expectSame(read(world, AREA), whole, "after others");
    expectSame(read(world, AREA), whole, "again");
  });

  test("that moves has the cells of fresh worlds", () => {
    const straight = (direction: "E" | "SE" | "W") => ({ tensor: { absolute: { [direction]: 1 } } });
    const input: WorldInput = {
      ...LAND,
      layers: [
        ...LAND.layers,
        // walkers that go as far as they can from their regions, and end or rest on what they find there
        { name: "walls", steps: 65, scatter: { side: 64, walkers: 2 }, ...straight("SE") },
        {
          name: "runners",
          steps: 65,
          scatter: { side: 64, walkers: 40 },
          closed: { layers: ["walls"] },
          ...straight("E"),
        },
        { name: "birds", steps: 129, scatter: { side: 64, walkers: 20 }, until: { on: "walls" }, ...straight("W") },
        { name: "mice", steps: 64, scatter: { side: 64, walkers: 9 }, open: { layers: ["runners", "birds", "walls"] } },
      ],
    };
    const make = () => createMill({ seed: SEED }).world("land", input, { maxMemory: 2 ** 27 });
    const dice = new Dice("moves");
    using world = make();
    let [row, col] = [0, 0];
    for (let k = 0; k < (IS_SOAK ? 12 : 6); k++) {
      row += dice.of([0, 0, 64, 256, -300]);
      col += dice.of([64, 64, 200, 256, -600]);
      using fresh = make();
      expect(world.digest({ row0: row, col0: col, rows: 100, cols: 120 })).toBe(
        fresh.digest({ row0: row, col0: col, rows: 100, cols: 120 }),
      );
    }
  });

  test("does not depend on how far the walkers of an earlier window went", () => {
    const straight = { tensor: { absolute: { E: 1 } } };
    const layers: WorldInput["layers"] = [
      // column 192, where the walkers of column 127 take their last step
      { name: "wall", steps: 511, start: [[-256, 192]], tensor: { absolute: { SE: 1 } } },
      { name: "runners", steps: 65, scatter: { side: 64, walkers: 400 }, closed: { layers: ["wall"] }, ...straight },
      { name: "birds", steps: 65, scatter: { side: 64, walkers: 400 }, until: { on: "wall" }, ...straight },
    ];
    using world = createMill({ seed: SEED }).world("land", { layers });
    windowOf(world, { row: 0, col: -256, rows: 256, cols: 256 });
    const after = { row: 0, col: 0, rows: 256, cols: 256 };
    using fresh = createMill({ seed: SEED }).world("land", { layers });
    expectSame(readWindow(windowOf(world, after), { layers }), readWindow(windowOf(fresh, after), { layers }), "after");
    expect(
      Math.max(...world.window({ row0: 0, col0: 191, rows: 256, cols: 1 }, { visits: ["runners"] }).visits("runners")),
    ).toBeGreaterThan(0);
    expect(
      Math.max(...world.window({ row0: 0, col0: 192, rows: 256, cols: 1 }, { visits: ["runners"] }).visits("runners")),
    ).toBe(0);
  });

  test.each([
    ["the last rows", { row: 250, col: 3, rows: 6, cols: 200 }],
    ["the first columns", { row: 3, col: 0, rows: 200, cols: 6 }],
    ["a corner", { row: 226, col: 226, rows: 30, cols: 30 }],
  ])("knows what is behind %s of a region", (_, rect) => {
    const input: WorldInput = {
      layers: [{ name: "hills", scatter: { side: 64, walkers: 500 } }],
      terrain: [{ terrain: "hill", when: { hills: { visits: [1, null] } } }, { terrain: "plain" }],
      placements: [
        { name: "towers", on: ["hill"], density: 1, distance: 7 },
        { name: "huts", on: ["plain"], density: 1, distance: 9 },
      ],
    };
    const made = readWindow(windowOf(createMill({ seed: SEED }).world("land", input), rect), input);
    expectSame(made, new WorldTwin(input, { seed: SEED, name: "land" }).window(rect), "ends");
  });

  test("is the same if the memory suffices for its regions one by one, but not together", () => {
    const layers: WorldInput["layers"] = [
      { name: "hills", steps: 90, scatter: { side: 64, walkers: 12 }, preset: "sf66-rf33", firstVisit: true },
      { name: "rivers", steps: 40, scatter: { side: 64, walkers: 9 }, closed: { layers: ["hills"] } },
    ];
    const make = (maxMemory: number) => createMill({ seed: SEED }).world("land", { layers }, { maxMemory });
    const digest = make(2 ** 28).digest({ row0: -100, col0: -100, rows: 900, cols: 900 });
    const visits = make(2 ** 28).window(
      { row0: -100, col0: -100, rows: 900, cols: 900 },
      { visits: ["hills", "rivers"] },
    );
    let made = 0;
    for (let maxMemory = 2 ** 23; maxMemory <= 2 ** 25; maxMemory += IS_SOAK ? 2 ** 21 : 2 ** 22) {
      using world = make(maxMemory);
      const code = codeOf(() => {
        const window = world.window({ row0: -100, col0: -100, rows: 900, cols: 900 }, { visits: ["hills", "rivers"] });
        for (const name of ["hills", "rivers"]) expect(window.visits(name)).toEqual(visits.visits(name));
        expect(window.firstVisits("hills")).toEqual(visits.firstVisits("hills"));
        expect(world.digest({ row0: -100, col0: -100, rows: 900, cols: 900 })).toBe(digest);
        made++;
      });
      expect([undefined, "kernel.memory"]).toContain(code);
    }
    expect(made).toBeGreaterThan(IS_SOAK ? 5 : 2);
  });

  test.each([2 ** 22, 5 * 2 ** 20, 2 ** 23, 2 ** 25])("is the same with %d bytes", (maxMemory) => {
    const dice = new Dice(`memory ${maxMemory}`);
    using world = memoryThatWorks(maxMemory);
    for (const part of shuffled(dice, parts(dice, AREA, 3))) {
      expectSame(read(world, part), cut(whole, AREA, part), JSON.stringify(part));
    }
    expectSame(read(world, AREA), whole, "whole");
  });

  test("region (i, j) is the window of its cells", () => {
    using world = open();
    for (const [i, j] of [
      [0, -1],
      [-1, 0],
      [3, -2],
    ]) {
      const visits = world.layers.map(({ name }) => name);
      const region = readWindow(world.region(i, j, { visits }), LAND);
      const rect = { row: 256 * i, col: 256 * j, rows: 256, cols: 256 };
      using other = open();
      expectSame(region, read(other, rect), `region ${i},${j}`);
    }
  });

  test.each([
    ["much memory", open],
    ["so little memory that maps and regions are dropped (audit 5)", () => memoryThatWorks(2 ** 22)],
  ])("at has the values of the window, with %s", (_, openWith) => {
    using world = openWith();
    const cells = [...cellsIn(AREA)];
    const places = new Map<string, unknown[]>();
    for (const placement of whole.placements) {
      const key = `${placement.row},${placement.col}`;
      places.set(key, [...(places.get(key) ?? []), placement]);
    }
    const dice = new Dice("cells");
    const some = [...Array.from({ length: 40 }, () => dice.integer(0, cells.length - 1))];
    for (const { row, col } of whole.placements.slice(0, 40)) {
      some.push((row - AREA.row) * AREA.cols + col - AREA.col);
    }
    for (const k of some) {
      const [row, col] = cells[k];
      const { terrain, visits, placements } = world.at(row, col);
      expect(terrain?.name).toBe(whole.terrain[k]);
      expect(visits).toEqual(
        Object.fromEntries(Object.entries(whole.visits).map(([name, counts]) => [name, counts[k]])),
      );
      expect(placements).toEqual(
        (places.get(`${row},${col}`) ?? []).map((placement) => withoutNothing(placement as object)),
      );
    }
  });

  test("at reads one cell of a region that is made, in at most 20 µs (audit 5)", () => {
    const layers = [{ name: "hills", steps: 40, scatter: { side: 64, walkers: 6 } }];
    const terrain = [{ terrain: "hill", when: { hills: { within: 1 } } }, { terrain: "plain" }];
    const spec = { layers, terrain, placements: [{ name: "stones", density: "1/2" }] };
    using world = createMill({ seed: SEED }).world("one", spec);
    // regions that are made by several calls stay fast
    for (const j of [0, 8, 16]) world.region(0, j);
    const stones = (calls: number) => {
      let count = 0;
      for (let k = 0; k < calls; k++) count += world.at(k % 256, 2048 * (k % 3) + (k % 251)).placements.length;
      return count;
    };
    stones(3000);
    const { user, system } = process.cpuUsage();
    expect(stones(20_000)).toBeGreaterThan(9000);
    const after = process.cpuUsage();
    expect((after.user + after.system - user - system) / 20_000).toBeLessThan(20);
  });

  test("placements are those of the window", () => {
    using world = open();
    const { row, col, rows, cols } = AREA;
    expect([...world.placements({ row0: row, col0: col, rows, cols })]).toEqual([...windowOf(open(), AREA).placements]);
  });

  test("without contents has the same placements without them", () => {
    using world = open();
    const { row, col, rows, cols } = AREA;
    const bare = [...world.window({ row0: row, col0: col, rows, cols }, { contents: false }).placements];
    expect(bare).toEqual(whole.placements.map(({ content: _, ...placement }) => placement));
    expectSame(read(world, AREA), whole, "with contents, later");
  });

  test("is a copy", () => {
    using world = open();
    const first = windowOf(world, AREA);
    first.terrain.fill(9);
    first.visits("hills").fill(9);
    first.placements.rows.fill(9);
    expectSame(read(world, AREA), whole, "after a change of a copy");
  });
});

/** The placement without the content `undefined`. */
function withoutNothing(placement: object): object {
  return Object.fromEntries(Object.entries(placement).filter(([, value]) => value !== undefined));
}

/** A world with this memory, or with the least power of two times it in which a window can be made. */
function memoryThatWorks(bytes: number): World {
  for (let maxMemory = bytes; ; maxMemory *= 2) {
    const world = open({ maxMemory });
    try {
      windowOf(world, AREA);
      return world;
    } catch (thrown) {
      expect(thrown).toMatchObject({ code: "kernel.memory" });
      world.dispose();
    }
  }
}

describe("a digest", () => {
  test("is equal for equal cells, in every order and with any memory", () => {
    using world = open();
    using other = memoryThatWorks(2 ** 22);
    windowOf(other, { row: 300, col: 10, rows: 9, cols: 9 });
    const { row, col, rows, cols } = AREA;
    const digest = world.digest({ row0: row, col0: col, rows, cols });
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(other.digest({ row0: row, col0: col, rows, cols })).toBe(digest);
    expect(world.digest({ row0: row, col0: col, rows, cols })).toBe(digest);
    expect(world.digest({ row0: row, col0: col, rows, cols: cols - 1 })).not.toBe(digest);
    expect(world.digest({ row0: row + 1, col0: col, rows, cols })).not.toBe(digest);
    const visits = world.layers.map(({ name }) => name);
    expect(world.digest({ row0: row, col0: col, rows, cols }, { visits: visits.toReversed() })).toBe(digest);
    expect(world.digest({ row0: row, col0: col, rows, cols }, { visits: visits.slice(1) })).not.toBe(digest);
  });

  test("depends on the seed, the name and each part of the spec", () => {
    const of = (input: WorldInput, seed = "a", name = "land") =>
      createMill({ seed }).world(name, input).digest({ row0: -20, col0: -20, rows: 60, cols: 60 });
    const [first, ...others] = [
      of(LAND),
      of(LAND, "b"),
      of(LAND, "a", "sea"),
      of({ ...LAND, layers: LAND.layers.map((layer) => ({ ...layer, steps: 41 })) }),
      of({ ...LAND, terrain: [{ terrain: "plain", tags: ["dry", "hill"] }] }),
      of({ ...LAND, placements: [] }),
    ];
    expect(new Set([first, ...others]).size).toBe(6);
    expect(of(LAND)).toBe(first);
  });
});

describe("forks", () => {
  test("of a world are those of the twin, and leave their parent as it is", () => {
    using world = open();
    const before = read(world, AREA);
    const child = world.fork("player/7").fork([-1, 2]);
    const twin = new WorldTwin(LAND, { seed: SEED, name: "land", forks: ["player/7", [-1, 2]] });
    expectSame(read(child, AREA), twin.window(AREA), "fork");
    expectSame(read(world, AREA), before, "parent");
    expectSame(read(world.fork("player/7").fork([-1, 2]), AREA), read(child, AREA), "the same fork again");
  });

  test("of a mill have other worlds, which equal ids repeat", () => {
    const mill = createMill({ seed: SEED });
    const { row, col, rows, cols } = AREA;
    const digest = (id: string) => mill.fork(id).world("land", LAND).digest({ row0: row, col0: col, rows, cols });
    expect(digest("a")).toBe(digest("a"));
    expect(
      new Set([digest("a"), digest("b"), mill.world("land", LAND).digest({ row0: row, col0: col, rows, cols })]).size,
    ).toBe(3);
  });
});

describe("long calls", () => {
  test("progress rises to the number of cells", () => {
    using world = open();
    const reports: { done: number; total: number }[] = [];
    world.window(
      { row0: -300, col0: -300, rows: 600, cols: 700 },
      { onProgress: ({ done, total }) => void reports.push({ done, total }) },
    );
    expect(reports.length).toBeGreaterThan(0);
    expect(reports.at(-1)).toEqual({ done: 420_000, total: 420_000 });
    for (const [k, { done, total }] of reports.entries()) {
      expect(total).toBe(420_000);
      if (k > 0) expect(done).toBeGreaterThanOrEqual(reports[k - 1].done);
    }
  });

  test("an aborted call throws the reason and changes nothing", () => {
    const fresh = read(open(), AREA);
    for (const after of [0, 1, 2]) {
      using world = open();
      const controller = new AbortController();
      const reason = new Error("enough");
      let reports = 0;
      const abortLater = () => {
        if (reports++ >= after) controller.abort(reason);
      };
      const call = () =>
        world.window(
          { row0: -600, col0: -600, rows: 1200, cols: 1200 },
          { signal: controller.signal, onProgress: abortLater },
        );
      expect(call).toThrow(reason);
      expectSame(read(world, AREA), fresh, `aborted after ${after}`);
    }
  });

  test("a signal that is aborted already is an abort before the first step", () => {
    using world = open();
    const signal = AbortSignal.abort(new Error("no"));
    expect(() => world.window({ row0: 0, col0: 0, rows: 9, cols: 9 }, { signal })).toThrow("no");
    expect(() => world.digest({ row0: 0, col0: 0, rows: 9, cols: 9 }, { signal })).toThrow("no");
    expect(() => world.placements({ row0: 0, col0: 0, rows: 9, cols: 9 }, { signal })).toThrow("no");
    expect(() => world.region(0, 0, { signal })).toThrow("no");
  });
});

describe("a finite world", () => {
  test("has the visits and first visits of the walk with the same name", () => {
    let compared = 0;
    for (let number = 0; number < 80; number++) {
      const { input, seed, name, window } = randomWorld(number);
      if (input.layers.some(({ scatter }) => scatter !== undefined)) continue;
      const mill = createMill({ seed });
      const walk = createMill({ seed }).walk(name, { ...(input.grid && { grid: input.grid }), layers: input.layers });
      let maps: ReturnType<typeof walk.run>["layers"];
      try {
        maps = walk.run().layers;
      } catch {
        // no walker has an open start
        continue;
      }
      const made: WorldWindow = windowOf(mill.world(name, input), window);
      for (const [l, { map }] of maps.entries()) {
        const layer = input.layers[l];
        const visits = [...cellsIn(window)].map(([row, col]) => map.visitsAt(row, col));
        expect([...made.visits(layer.name)]).toEqual(visits);
        if (layer.firstVisit !== true) continue;
        const first = [...cellsIn(window)].map(([row, col]) => map.firstVisitAt(row, col));
        expect([...cellsIn(window)].map(([row, col]) => made.firstVisitAt(layer.name, row, col))).toEqual(first);
      }
      compared++;
    }
    expect(compared).toBeGreaterThan(10);
  });
});

describe("walkers", () => {
  test("start returns the walkers of a region, whose maps add up to the visits of the world", () => {
    const layers = [{ name: "hills", steps: 25, scatter: { side: 64, walkers: 5 } }];
    using world = createMill({ seed: SEED }).world("land", { layers });
    const rect = { row: -64, col: 0, rows: 64, cols: 64 };
    const sums = new Map<string, number>();
    for (let i = -2; i <= 0; i++) {
      for (let j = -1; j <= 1; j++) {
        using run = world.start({ layer: "hills", region: [i, j] });
        expect([...run.positions()].every(({ row, col }) => row >> 6 === i && col >> 6 === j)).toBe(true);
        for (let step = 0; step < 5; step++) run.advance(5);
        for (const [row, col] of cellsIn(rect)) {
          sums.set(`${row},${col}`, (sums.get(`${row},${col}`) ?? 0) + run.visitsAt(row, col));
        }
      }
    }
    expect([...windowOf(world, rect).visits("hills")]).toEqual([...sums.values()]);
  });
});

test("levels grow with the number of steps in the coordinates of the grid", () => {
  const land: WorldInput = {
    grid: { kind: "bounded", rows: 4096, cols: 4096, coordinates: "odd-r" },
    layers: [{ name: "path" }],
    placements: [{ name: "gear", density: "1/500", content: { objects: "gear", level: { from: 1, perCells: 64 } } }],
    ...SOURCES,
  };
  const world = createMill({ seed: SEED }).world("land", land);
  const area = { row: 3000, col: 100, rows: 60, cols: 60 };
  const theirs = new WorldTwin(land, { seed: SEED, name: "land" }).window(area);
  expect(theirs.placements.length).toBeGreaterThan(3);
  expectSame(readWindow(windowOf(world, area), land), theirs, "an odd-r grid");
});
