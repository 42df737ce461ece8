import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMill, type GridSpec, type WalkInput } from "../../src/index.js";
import { DIRECTIONS, type LayerBody } from "../../src/walks/index.js";
import { IS_SOAK } from "../soak.js";
import { cellsOf, compareWithTwin, twinWalk } from "./cases.js";

const setup = { seed: "moria", name: "land" };
const { seed, name } = setup;
const compare = (input: WalkInput) => compareWithTwin(input, setup);

const TORUSES = [
  [1, 1],
  [1, 2],
  [2, 1],
  [2, 2],
  [1, 9],
  [3, 5],
  [63, 65],
  [64, 64],
  [65, 130],
  [128, 3],
] as const;

const grid: fc.Arbitrary<GridSpec> = fc.oneof(
  fc.constant({ kind: "unbounded" as const }),
  fc
    .tuple(fc.constantFrom("bounded" as const, "torus" as const), fc.constantFrom(...TORUSES))
    .map(([kind, [rows, cols]]) => ({ kind, rows, cols })),
);

/** Twelve small weights, zeros among them; the absolute ones at times so large that a heading's sum is nearly 2^32. */
const six = fc.array(fc.nat(4), { minLength: 6, maxLength: 6 });
const tensor = fc
  .tuple(
    fc
      .tuple(fc.constantFrom(1, 1, 44_000_000), six)
      .map(([scale, weights]) => weights.map((weight) => weight * scale))
      .filter((weights) => weights.some((weight) => weight > 0)),
    six,
  )
  .map(([a, r]) => ({
    absolute: { NW: a[0], NE: a[1], E: a[2], SE: a[3], SW: a[4], W: a[5] },
    relative: { "12:00": r[0], "2:00": r[1], "4:00": r[2], "6:00": r[3], "8:00": r[4], "10:00": r[5] },
  }));

/** A layer on a grid, its start cells open and on the grid, a share of the cells around them closed. */
function layerOn(ground: GridSpec): fc.Arbitrary<LayerBody> {
  const { rows, cols } = ground.kind === "unbounded" ? { rows: 200, cols: 200 } : ground;
  const shift = ground.kind === "unbounded" ? 100 : 0;
  const cell = fc.tuple(fc.nat(rows - 1), fc.nat(cols - 1)).map(([r, c]) => [r - shift, c - shift] as const);
  return fc
    .record({
      tensor,
      walkers: fc.integer({ min: 1, max: 4 }),
      steps: fc.nat(250),
      heading: fc.constantFrom(...DIRECTIONS, "resting" as const),
      firstVisit: fc.boolean(),
      start: fc.array(cell, { minLength: 1, maxLength: 3 }),
      near: fc.array(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 })), { maxLength: 30 }),
    })
    .map(({ near, ...layer }) => {
      const starts = new Set(layer.start.map(String));
      const around = near.map(([r, c]) => [layer.start[0][0] + r, layer.start[0][1] + c] as const);
      const onGrid = around.filter(([r, c]) => shift > 0 || (r >= 0 && c >= 0 && r < rows && c < cols));
      return { ...layer, closed: { cells: onGrid.filter((each) => !starts.has(String(each))) } };
    });
}

describe("kernel = twin, step for step", () => {
  test("any tensor on any grid, among closed cells, with and without first visits", () => {
    const walk = grid.chain((ground) => layerOn(ground).map((layer) => ({ grid: ground, ...layer })));
    let rests = 0;
    fc.assert(
      fc.property(walk, (input) => {
        rests += compare(input)[0].ends.filter(({ heading }) => heading === 6).length;
      }),
      { seed: 30300, numRuns: IS_SOAK ? 350 : 90 },
    );
    expect(rests).toBeGreaterThan(5);
  });

  test.each(["unbounded", "torus", "bounded"] as const)("20,000 steps of each preset, %s", (kind) => {
    const ground: GridSpec = kind === "unbounded" ? { kind } : { kind, rows: 65, cols: 130 };
    for (const preset of ["uniform", "rb50-lb50", "sf66-rf33"] as const) {
      compare({ grid: ground, preset, steps: 20_000 });
    }
  });

  test("straight lines cross chunks in all six directions, from both sides of zero", () => {
    for (const direction of DIRECTIONS) {
      for (const start of [
        [0, 0],
        [-1, -1],
        [63, 63],
        [-64, 64],
        [-65, -63],
      ] as const) {
        const straight = { absolute: { [direction]: 1 }, relative: { forward: 1 } };
        compare({ tensor: straight, steps: 300, firstVisit: true, start: [start] });
      }
    }
  });

  test("words that seldom settle: heading sums of nearly 2^32", () => {
    const absolute = { NW: 65_521, NE: 65_519, E: 65_497, SE: 65_479, SW: 65_449, W: 65_447 };
    const relative = {
      forward: 10_007,
      rightForward: 10_009,
      rightBackward: 10_037,
      backward: 10_039,
      leftBackward: 10_061,
      leftForward: 15_360,
    };
    compare({ tensor: { absolute, relative }, steps: 40_000, walkers: 2 });
    compare({
      tensor: { absolute, relative },
      steps: 20_000,
      grid: { kind: "bounded", rows: 5, cols: 70 },
      firstVisit: true,
    });
  });

  test("a word that decides leaves its extra words to the draw after a blocked one: totals of 2^31 and 2^20", () => {
    // of such a total every word settles, but many only just: word·m mod 2^32 + m − 1 = 2^32 − 1
    for (const total of [2 ** 31, 2 ** 20]) {
      const part = Math.floor(total / 6);
      const absolute = { NW: part, NE: part, E: part, SE: part, SW: part, W: total - 5 * part };
      compare({ tensor: { absolute }, steps: 15_000, grid: { kind: "bounded", rows: 2, cols: 3 } });
    }
  });

  test("a heading without weights of its own takes the absolute ones", () => {
    // after a step E, only forward counts, and E itself weighs 0 there: the sum is 0
    const odd = { absolute: { NW: 1, SE: 2, W: 3 }, relative: { rightForward: 1 } };
    compare({ tensor: odd, steps: 5000, firstVisit: true });
    compare({ tensor: odd, steps: 5000, grid: { kind: "torus", rows: 3, cols: 70 } });
  });

  test("an enclosed walker rests, counts its rests, and the way out of a cage is found", () => {
    const ring = [
      [-1, 0],
      [-1, 1],
      [0, 1],
      [1, 0],
      [1, -1],
      [0, -1],
    ] as const;
    const [caged] = compare({ closed: { cells: ring }, steps: 2000, walkers: 3, firstVisit: true });
    expect(caged.cells).toEqual([{ row: 0, col: 0, visits: 6003, first: 0 }]);
    for (const door of ring) {
      compare({ closed: { cells: ring.filter((cell) => cell !== door) }, steps: 500, firstVisit: true });
    }
    compare({ grid: { kind: "bounded", rows: 1, cols: 1 }, steps: 1500 });
  });

  test("a walker's number is its plane, also in a part of the walk and beyond 2^16", () => {
    const input: WalkInput = { walkers: 2 ** 32 - 1, steps: 1500, start: { rect: [-200, -200, 200, 200] } };
    const walk = createMill({ seed }).walk(name, input);
    for (const from of [0, 1, 65_535, 65_536, 70_000, 2 ** 32 - 3]) {
      const walkers = { from, to: from + 2 };
      const [{ cells }] = twinWalk(input, { seed, name, walkers });
      expect(cellsOf(walk.runLayer({ walkers }))).toEqual(cells);
    }
  });
});

describe("starts", () => {
  test("walker w of a list takes entry w mod its length", () => {
    const [{ ends }] = compare({
      start: [
        [5, 5],
        [-70, 3],
      ],
      walkers: 5,
      steps: 0,
    });
    expect(ends.map(({ row }) => row)).toEqual([5, -70, 5, -70, 5]);
  });

  test("drawn from a rectangle, of any size up to all cells", () => {
    compare({ start: { rect: [-3, 60, 4, 70] }, walkers: 200, steps: 3, firstVisit: true });
    compare({ start: { rect: [7, 7, 7, 7] }, walkers: 3, steps: 30 });
    compare({ start: { rect: [0, 0, 2, 4] }, walkers: 40, steps: 30, grid: { kind: "torus", rows: 3, cols: 5 } });
    compare({ start: { rect: [1 - 2 ** 31, 1 - 2 ** 31, 2 ** 31 - 1, 2 ** 31 - 1] }, walkers: 60, steps: 2 });
    compare({ start: { rect: [-(2 ** 31), 0, 2 ** 30, 5] }, walkers: 60, steps: 2 });
  });

  test("the heading of the spec counts for the first step", () => {
    for (const heading of DIRECTIONS) {
      const [{ ends }] = compare({ tensor: { relative: { backward: 1 } }, heading, steps: 1 });
      expect(DIRECTIONS.indexOf(heading)).toBe((ends[0].heading + 3) % 6);
    }
  });
});

describe("several layers", () => {
  const land = { name: "land", steps: 4000, walkers: 2 } as const;

  test("a layer that closes an earlier one's cells, and one that starts on them", () => {
    compare({
      layers: [
        land,
        {
          name: "sea",
          steps: 1000,
          start: [
            [300, 0],
            [-300, 5],
          ],
          walkers: 2,
          closed: { layers: ["land"] },
        },
      ],
    });
    compare({
      layers: [land, { name: "rivers", steps: 300, walkers: 20, start: { layer: "land" }, firstVisit: true }],
    });
    compare({
      grid: { kind: "torus", rows: 65, cols: 130 },
      layers: [
        { ...land, steps: 600 },
        { name: "rivers", steps: 50, walkers: 5, start: { layer: "land" }, heading: "E" },
      ],
    });
  });

  test("a layer may start inside cells that another closes, and then stays in what is open", () => {
    compare({
      layers: [
        { name: "rock", steps: 2000, preset: "rf50-lf50" },
        {
          name: "cave",
          steps: 500,
          walkers: 4,
          start: [[1000, 1000]],
          closed: { layers: ["rock"], cells: [[1000, 1001]] },
        },
        {
          name: "light",
          steps: 100,
          walkers: 30,
          start: { layer: "cave" },
          closed: { layers: ["rock"] },
          firstVisit: true,
        },
      ],
    });
  });
});
