import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { CHUNK_SIDE, LARGE_TILE_SIDE } from "../../src/kernel/layout.js";
import { parseWalk, type WalkInput } from "../../src/walks/index.js";
import { tileSideOf } from "../../src/walks/kernel/scatter.js";
import { firstDifference } from "../kernel/open.js";
import { codeOf } from "../refusal.js";
import { IS_SOAK } from "../soak.js";
import { cellsIn, ScatterWorld, twinsOf } from "./scatterWorld.js";

type Window = { readonly row0: number; readonly col0: number; readonly rows: number; readonly cols: number };

function open(input: WalkInput, maxBytes?: number): ScatterWorld {
  const world = new ScatterWorld(input, maxBytes);
  onTestFinished(() => world.kernel.dispose());
  return world;
}

/** Compares the visits, and the first visits, of every layer in a window with those of the twin. */
function compare(input: WalkInput, window: Window): number[] {
  const world = new ScatterWorld(input);
  const twins = twinsOf(input);
  const sums = world.plan.layers.map(({ name, firstVisit }, layer) => {
    const map = world.near(layer, window);
    const visits = map.visits(window);
    const expected = cellsIn(window, (row, col) => twins[layer].visits(row, col));
    expect(firstDifference(visits, expected), `visits of ${name}`).toBe(-1);
    if (firstVisit) {
      const first = cellsIn(window, (row, col) => twins[layer].first(row, col));
      expect(firstDifference(map.firstVisits(window), first), `first visits of ${name}`).toBe(-1);
    }
    return visits.reduce((sum, each) => sum + each, 0);
  });
  world.kernel.dispose();
  return sums;
}

const WINDOW: Window = { row0: -37, col0: -70, rows: 90, cols: 141 };

const LAND = { name: "land", walkers: 4, steps: 1500, start: [[-20, -40]], firstVisit: true } as const;
const HILLS = { name: "hills", scatter: { side: 64, walkers: 3 }, steps: 60, firstVisit: true } as const;

describe("walkers take only the steps that can matter", () => {
  // several blocks of words, walkers that end, and more walkers than cells / 128 in the last layer
  const hills = { name: "hills", scatter: { side: 128, walkers: 5 }, steps: 40 };
  const input = (fields: object): WalkInput =>
    ({ layers: [hills, { name: "land", scatter: { side: 64, walkers: 9 }, steps: 1210, ...fields }] }) as never;
  const inputs: [string, WalkInput][] = [
    ["alone", input({ firstVisit: true })],
    ["until", input({ until: { on: "hills" }, firstVisit: true })],
    ["closed, and few steps", input({ closed: { layers: ["hills"] }, steps: 203 })],
    ["many walkers", input({ scatter: { side: 64, walkers: 33 }, steps: 90 })],
  ];
  const ALL_AROUND: Window = { row0: -150, col0: -150, rows: 300, cols: 300 };

  test.each(inputs)("in parts, for one rectangle after another: %s", (_, given) => {
    const whole = open(given);
    whole.walk(1, [0, 0]);
    const { firstVisit } = whole.plan.layers[1];
    const parts = open(given);
    for (const col0 of [900, -700, 300, 120, -30, 0]) {
      parts.walk(1, [0, 0], { row0: -200, col0, rows: 10, cols: 10 });
      parts.walk(1, [0, 0], { row0: 5, col0, rows: 1, cols: 1 });
    }
    parts.walk(1, [0, 0]);
    expect(firstDifference(parts.map(1).visits(ALL_AROUND), whole.map(1).visits(ALL_AROUND))).toBe(-1);
    if (firstVisit) {
      expect(firstDifference(parts.map(1).firstVisits(ALL_AROUND), whole.map(1).firstVisits(ALL_AROUND))).toBe(-1);
    }
  });

  test("a far rectangle takes few of the steps", () => {
    const [, given] = inputs[0];
    const stepsFor = (rectangle?: Window) => {
      const world = open(given);
      world.walk(1, [0, 0], rectangle);
      const visits = world.map(1).visits({ row0: -600, col0: -600, rows: 1200, cols: 1200 });
      return visits.reduce((sum, each) => sum + each, 0) - 9;
    };
    expect(stepsFor()).toBe(9 * 1210);
    // at a distance of about 1,000, a walker can matter for about 210 steps, and takes a few more
    const far = stepsFor({ row0: 0, col0: 1032, rows: 1, cols: 1 });
    expect(far).toBeGreaterThan(9 * 100);
    expect(far).toBeLessThan(9 * 500);
  });
});

describe("regions = twin, cell by cell", () => {
  test("a layer alone, with headings and a tensor", () => {
    const [sum] = compare(
      {
        ...HILLS,
        name: "land",
        preset: "five-ways",
        heading: ["E", "W", "resting"],
        scatter: { side: 64, walkers: 7 },
      },
      WINDOW,
    );
    expect(sum).toBeGreaterThan(1000);
  });

  test("no steps: only the starts", () => {
    const [sum] = compare({ scatter: { side: 64, walkers: 40 }, steps: 0, firstVisit: true }, WINDOW);
    expect(sum).toBeGreaterThan(50);
  });

  test.each<[string, object]>([
    [
      "closed cells and layers",
      {
        closed: {
          cells: [
            [0, 0],
            [-1, -1],
            [5, 64],
          ],
          layers: ["land", "hills"],
        },
      },
    ],
    ["open layers", { open: { layers: ["land", "hills"] } }],
    [
      "open and closed layers",
      { open: { layers: ["land", "hills"] }, closed: { cells: [[-20, -40]], layers: ["hills"] } },
    ],
    ["until on a scattered layer", { until: { on: "hills" } }],
    ["until on a finite layer, starts on a scattered one", { start: { layer: "hills" }, until: { on: "land" } }],
    ["until outside", { start: { layer: "hills" }, until: { outside: "hills" } }],
    ["starts on a finite layer", { start: { layer: "land" } }],
    ["starts on hills outside land", { start: { layer: "hills" }, closed: { layers: ["land"] } }],
    ["starts on a layer that is mostly closed", { start: { layer: "land" }, closed: { layers: ["hills"] } }],
    ["starts on hills, open on land", { start: { layer: "hills" }, open: { layers: ["land"] } }],
    [
      "everything",
      {
        start: { layer: "hills" },
        open: { layers: ["hills", "land"] },
        closed: { cells: [[-20, -41]], layers: ["land"] },
        until: { outside: "hills" },
      },
    ],
  ])("%s", (_, fields) => {
    // the random layers below are also without first visits
    for (const firstVisit of IS_SOAK ? [true, false] : [true]) {
      const rivers = { name: "rivers", scatter: { side: 128, walkers: 9 }, steps: 70, firstVisit, ...fields };
      const brooks = {
        name: "brooks",
        scatter: { side: 64, walkers: 5 },
        steps: 40,
        start: { layer: "rivers" },
        closed: { layers: ["hills"] },
        until: { on: "land" },
        firstVisit,
      };
      compare({ layers: [LAND, HILLS, rivers, brooks] as never }, WINDOW);
    }
  });

  test("random layers, sides and windows", () => {
    const names = ["land", "hills"];
    const some = fc.subarray(names, { minLength: 1 });
    const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
      fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
    const layer = fc.record({
      scatter: fc.record({ side: fc.constantFrom(64, 128), walkers: fc.integer({ min: 5, max: 15 }) }),
      steps: fc.nat(90),
      firstVisit: fc.boolean(),
      start: rarely(fc.constantFrom(...names).map((name) => ({ layer: name }))),
      closed: rarely(some.map((layers) => ({ layers }))),
      open: rarely(some.map((layers) => ({ layers }))),
      until: rarely(fc.constantFrom({ on: "hills" }, { outside: "hills" }, { on: "land" }, { outside: "land" })),
    });
    const place = fc.integer({ min: -130, max: 70 });
    const window = fc.record({
      row0: place,
      col0: place,
      rows: fc.integer({ min: 1, max: 80 }),
      cols: fc.integer({ min: 1, max: 80 }),
    });
    let visits = 0;
    fc.assert(
      fc.property(layer, window, (fields, cells) => {
        const input = { layers: [LAND, HILLS, { name: "rivers", ...fields }] } as WalkInput;
        fc.pre(isSound(input));
        visits += compare(input, cells)[2];
      }),
      { seed: 1500, numRuns: IS_SOAK ? 40 : 15 },
    );
    expect(visits).toBeGreaterThan(400);
  });
});

describe("large tiles = twin, cell by cell", () => {
  // as many visits a cell as large tiles need
  const moor = { name: "moor", scatter: { side: 64, walkers: 18 }, steps: 60, firstVisit: true } as const;
  // on four tiles
  const window: Window = { row0: 199, col0: -61, rows: 90, cols: 141 };

  test("a layer alone", () => {
    const { plan, kernel } = new ScatterWorld(moor);
    kernel.dispose();
    const dense = plan.layers[0];
    expect(tileSideOf(dense)).toBe(LARGE_TILE_SIDE);
    expect(tileSideOf({ ...dense, walkers: 17 })).toBe(CHUNK_SIDE);
    for (const firstVisit of [true, false]) compare({ ...moor, firstVisit }, window);
  });

  test.each<[string, object]>([
    ["closed", { closed: { layers: ["moor"] } }],
    ["open, and starts", { start: { layer: "moor" }, open: { layers: ["moor"] } }],
    ["until", { until: { on: "moor" } }],
    ["until outside, and starts", { start: { layer: "moor" }, until: { outside: "moor" } }],
  ])("a layer with sets on a dense layer: %s", (_, fields) => {
    const brooks = { name: "brooks", scatter: { side: 128, walkers: 80 }, steps: 60, ...fields };
    expect(compare({ layers: [moor, brooks] as never }, window)[1]).toBeGreaterThan(100);
  });
});

function isSound(input: WalkInput): boolean {
  return parseWalk(input).spec !== undefined;
}

describe("a map does not depend on how it is asked for", () => {
  const input: WalkInput = {
    layers: [
      HILLS,
      {
        name: "rivers",
        scatter: { side: 64, walkers: 5 },
        steps: 90,
        start: { layer: "hills" },
        until: { outside: "hills" },
      },
    ],
  };

  test("in parts, in another order, and after other windows", () => {
    const whole = open(input).near(1, WINDOW).visits(WINDOW);
    const world = open(input);
    world.near(1, { row0: 400, col0: -300, rows: 5, cols: 5 });
    for (let row = 80; row >= 0; row -= 10) {
      for (let col = 0; col < 141; col += 47) {
        const part = { row0: WINDOW.row0 + row, col0: WINDOW.col0 + col, rows: 10, cols: 47 };
        const cells = world.near(1, part).visits(part);
        const expected = cellsIn(part, (r, c) => whole[(r - WINDOW.row0) * WINDOW.cols + (c - WINDOW.col0)]);
        expect(firstDifference(cells, expected)).toBe(-1);
      }
    }
  });

  test("a window that is wider than the kernel's, and one beyond the last coordinate", () => {
    const world = open({ scatter: { side: 64, walkers: 1 } });
    const wide = { row0: 0, col0: -10, rows: 2, cols: 70_000 };
    const map = world.near(0, { row0: 0, col0: 0, rows: 64, cols: 64 });
    const cells = map.visits(wide);
    const narrow = { row0: 0, col0: 0, rows: 2, cols: 64 };
    expect([...map.visits(narrow)].reduce((a, b) => a + b)).toBe(cells.reduce((a, b) => a + b));
    const end = { row0: 2 ** 31 - 3, col0: 2 ** 31 - 64, rows: 10, cols: 70 };
    expect(map.visits(end).every((count) => count === 0)).toBe(true);
  });

  test("after the memory was released, with another tensor at the same address", () => {
    const east = { tensor: { absolute: { E: 1 } }, scatter: { side: 64, walkers: 3 }, steps: 30 } as const;
    const west = { ...east, tensor: { absolute: { W: 1 } } } as const;
    const expected = open(west).near(0, WINDOW).visits(WINDOW);
    const world = open(east);
    world.near(0, WINDOW);
    world.restart(west);
    expect(firstDifference(world.near(0, WINDOW).visits(WINDOW), expected)).toBe(-1);
  });
});

describe("limits", () => {
  test("more walkers than seats", () => {
    const small: Window = { row0: -5, col0: 60, rows: 9, cols: 9 };
    compare({ scatter: { side: 64, walkers: 4500 }, steps: 2, heading: ["E", "W", "SE"], firstVisit: true }, small);
  });

  test("a large side, where cells of a region are counted beyond one tile", () => {
    const input = {
      layers: [
        { name: "land", start: { rect: [0, 0, 250, 400] }, walkers: 300, steps: 40 },
        {
          name: "next",
          scatter: { side: 512, walkers: 200 },
          steps: 3,
          start: { layer: "land" },
          closed: { cells: [] },
        },
        { name: "last", scatter: { side: 512, walkers: 200 }, steps: 3, open: { layers: ["land"] } },
      ],
    } as const;
    compare(input, { row0: 0, col0: 0, rows: 250, cols: 400 });
  });

  test("the first and the last region of the coordinates", () => {
    const low = -(2 ** 31);
    const input: WalkInput = { scatter: { side: 4096, walkers: 3 }, steps: 20 };
    const world = open(input);
    const [i, last] = [low / 4096, 2 ** 31 / 4096 - 1];
    for (const [row, col] of [
      [i, last],
      [last, i],
    ] as const) {
      world.walk(0, [row, col]);
      const cells = world.map(0).visits({ row0: row * 4096, col0: col * 4096, rows: 4096, cols: 4096 });
      expect(cells.reduce((a, b) => a + b)).toBeGreaterThan(40);
    }
  });

  test("a walker that comes to the end of the coordinates rests there (audit 5)", () => {
    const world = open({ tensor: { absolute: { E: 1 } }, scatter: { side: 64, walkers: 4200 }, steps: 64 });
    world.walk(0, [0, 2 ** 25 - 1]);
    const visits = world.map(0).visits({ row0: 0, col0: 2 ** 31 - 64, rows: 64, cols: 64 });
    expect(visits.reduce((sum, each) => sum + each)).toBe(4200 * 65);
  });

  test("memory that runs out is an error", () => {
    const world = open({ scatter: { side: 64, walkers: 3 }, steps: 5000 }, 2 ** 20);
    expect(
      codeOf(() => {
        for (let i = 0; i < 100; i++) world.walk(0, [9 * i, 0]);
      }),
    ).toEqual("kernel.memory");
  });
});
