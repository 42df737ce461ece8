// A run with one walker finds the next steps in advance if it is advanced step by step.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMill, type WalkInput } from "../../src/index.js";
import type { LayerRun } from "../../src/walks/index.js";
import { cellsOf } from "./cases.js";

const STEPS = 3000;
const start = (input: WalkInput, from = 0): LayerRun =>
  createMill({ seed: "moria" })
    .walk("land", input)
    .start({ walkers: { from, to: from + 1 } });

/** With options, even without any, a call takes its steps at once. */
const AT_ONCE = {};

const WALKS: [string, WalkInput][] = [
  ["an unbounded map", {}],
  ["first visits", { firstVisit: true }],
  ["a torus smaller than a look ahead", { grid: { kind: "torus", rows: 5, cols: 3 } }],
  ["odd-r coordinates", { grid: { kind: "bounded", rows: 30, cols: 20, coordinates: "odd-r" }, start: [[15, 10]] }],
  ["weights that often leave a word undecided", { tensor: { absolute: { NW: 1, E: 70_001, SE: 99_991, W: 3 } } }],
  ["closed cells", { closed: { cells: [[1, 0], [0, 2], [2, 2]] } }], // biome-ignore format: cells
  ["no step at all", { grid: { kind: "bounded", rows: 1, cols: 1 } }],
] as [string, WalkInput][];

describe.each(WALKS)("single steps on %s", (_, input) => {
  test("every position, and in the end the map, are those of a run in one call", () => {
    const [single, whole] = [start(input), start(input)];
    for (let step = 1; step <= STEPS; step++) {
      single.advance(1);
      whole.advance(1, AT_ONCE);
      expect(single.steps).toBe(step);
      expect(single.position(0)).toEqual(whole.position(0));
    }
    expect(single.walkerTotals).toEqual(whole.walkerTotals);
    expect(single.map().digest()).toBe(whole.map().digest());
    expect(cellsOf(single.map())).toEqual(cellsOf(whole.map()));
  });

  test("calls that read the map, and longer calls, may come between", () => {
    const call = fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom("step") },
      { weight: 2, arbitrary: fc.constantFrom("position", "visits", "save", "map") },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 70 }) },
    );
    fc.assert(
      fc.property(fc.array(call, { maxLength: 150 }), (calls) => {
        const [single, whole] = [start(input), start(input)];
        for (const one of calls) {
          if (one === "step") for (let i = 0; i < 5; i++) single.advance(1);
          if (one === "step") whole.advance(5, AT_ONCE);
          else if (typeof one === "number") for (const run of [single, whole]) run.advance(one);
          else if (one === "save") expect(single.save()).toEqual(whole.save());
          else if (one === "map") expect(single.map().digest()).toBe(whole.map().digest());
          else if (one === "visits") expect(single.visitsAt(0, 0)).toBe(whole.visitsAt(0, 0));
          expect(single.position(0)).toEqual(whole.position(0));
          expect(single.steps).toBe(whole.steps);
        }
        expect(single.save()).toEqual(whole.save());
        single.dispose();
        whole.dispose();
      }),
      { numRuns: 20 },
    );
  });
});

test("a walker that ends stays where it ended", () => {
  const walk = createMill({ seed: "moria" }).walk("land", {
    grid: { kind: "torus", rows: 40, cols: 40 },
    layers: [
      { name: "sea", walkers: 1, steps: 20, start: [[20, 20]] },
      { name: "river", walkers: 1, steps: STEPS, until: { on: "sea" } },
    ],
  });
  const earlier = { sea: walk.runLayer({ layer: "sea" }) };
  const [single, whole] = [0, 1].map(() => walk.start({ layer: "river", earlier }));
  for (let step = 0; step < STEPS; step++) {
    single.advance(1);
    expect(single.position(0)).toEqual(whole.advance(1, AT_ONCE).position(0));
  }
  expect(single.position(0).ended).toBeGreaterThan(0);
  expect(single.save()).toEqual(whole.save());
});

test("a later walker reads its own words", () => {
  const [single, whole] = [start({ walkers: 9 }, 3), start({ walkers: 9 }, 3)];
  for (let step = 0; step < 200; step++) single.advance(1);
  expect(single.position(3)).toEqual(whole.advance(200).position(3));
  expect(single.map().digest()).toBe(whole.map().digest());
});

test.each(["run", "mill"] as const)(
  "no step that was found in advance is taken after the %s is disposed of",
  (gone) => {
    const mill = createMill({ seed: "moria" });
    const run = mill.walk("land", {}).start();
    for (let step = 0; step < 20; step++) run.advance(1);
    (gone === "run" ? run : mill).dispose();
    for (const call of [() => run.advance(1), () => run.position(0), () => run.map()]) {
      expect(call).toThrow(expect.objectContaining({ code: "argument.disposed" }));
    }
    expect(run.steps).toBe(20);
  },
);
