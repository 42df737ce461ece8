import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMill, type LayerMap, mergeLayerMaps, type Walk, type WalkInput } from "../../src/index.js";
import type { LayerOptions } from "../../src/walks/index.js";
import { refusalOf } from "../refusal.js";
import { cellsOf } from "./cases.js";

const setup = { seed: "moria", name: "land" };
const open = (input: WalkInput): Walk => createMill({ seed: setup.seed }).walk(setup.name, input);

/** A layer's map, merged from `parts` of nearly equal size, the last one first. */
function inParts(walk: Walk, parts: number, options: LayerOptions = {}): LayerMap {
  const { walkers } = walk.layers.find(({ name }) => name === (options.layer ?? name)) ?? { walkers: 0 };
  const cuts = Array.from({ length: parts + 1 }, (_, i) => Math.floor((walkers * i) / parts));
  const maps = cuts.slice(1).map((to, i) => walk.runLayer({ ...options, walkers: { from: cuts[i], to } }));
  return mergeLayerMaps(maps.reverse());
}

const same = (a: LayerMap, b: LayerMap) => {
  expect(a.digest()).toBe(b.digest());
  expect(cellsOf(a)).toEqual(cellsOf(b));
};

const WALKS: [string, WalkInput][] = [
  [
    "an unbounded map",
    {
      walkers: 21,
      steps: 3000,
      start: [
        [0, 0],
        [100, -70],
      ],
    },
  ],
  [
    "an unbounded map with first visits",
    {
      walkers: 21,
      steps: 3000,
      start: [
        [0, 0],
        [40, 3],
      ],
      firstVisit: true,
    },
  ],
  [
    "a torus with drawn starts",
    { walkers: 50, steps: 900, grid: { kind: "torus", rows: 65, cols: 130 }, start: { rect: [0, 0, 64, 129] } },
  ],
  [
    "a bounded map among closed cells",
    {
      walkers: 9,
      steps: 4000,
      grid: { kind: "bounded", rows: 40, cols: 9 },
      closed: {
        cells: [
          [0, 1],
          [1, 1],
          [5, 5],
        ],
      },
      firstVisit: true,
    },
  ],
];

describe.each(WALKS)(
  "any split = whole: %s (Paper 14125: 75 of 169 chunks differed by the number of workers)",
  (_, input) => {
    const walk = open(input);
    const whole = walk.run().total;

    test("walkers in 1, 2, 7 and many parts, merged in any order", () => {
      for (const parts of [1, 2, 7, input.layers === undefined ? (input.walkers ?? 1) : 1])
        same(inParts(walk, parts), whole);
    });

    test("steps in any pieces, over blocks and within", () => {
      const { steps } = walk.layers[0];
      const piece = fc.oneof(fc.nat(40), fc.constantFrom(1023, 1024, 1025, 512), fc.nat(steps));
      fc.assert(
        fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
          const run = walk.start();
          for (const each of pieces) run.advance(Math.min(each, steps - run.steps));
          run.advance(steps - run.steps);
          expect(run.steps).toBe(steps);
          same(run.map(), whole);
        }),
        { seed: 30320, numRuns: 12 },
      );
    });

    test("one step at a time, the map in between is the map of a shorter walk", () => {
      const run = walk.start();
      for (let t = 0; t < 70; t++) run.advance(1);
      const short = open({ ...input, steps: 70 } as WalkInput).run().total;
      same(run.map(), short);
      for (const { row, col, visits, first } of cellsOf(short)) {
        expect([run.visitsAt(row, col), run.firstVisitAt(row, col)]).toEqual([visits, first]);
      }
      expect([run.visitsAt(-(2 ** 31), 5), run.firstVisitAt(5, 2 ** 31 - 1)]).toEqual([0, undefined]);
    });
  },
);

describe("layers", () => {
  const walk = open({
    layers: [
      { name: "land", walkers: 14, steps: 1000 },
      { name: "rivers", walkers: 21, steps: 300, start: { layer: "land" }, firstVisit: true },
      { name: "sea", walkers: 7, steps: 500, start: [[500, 500]], closed: { layers: ["land", "rivers"] } },
    ],
  });

  test("each layer's parts add up to the layer, given the maps of the layers before it", () => {
    const { layers } = walk.run();
    for (const parts of [1, 2, 7]) {
      const earlier: Record<string, LayerMap> = {};
      for (const { name, map } of layers) {
        earlier[name] = inParts(walk, parts, { layer: name, earlier });
        same(earlier[name], map);
      }
    }
  });

  test("missing maps of earlier layers and unknown layers are refused", () => {
    expect(refusalOf(() => walk.runLayer({ layer: "rivers" })).code).toBe("walk.mismatch");
    expect(refusalOf(() => walk.start({ layer: "roads" })).code).toBe("argument.range");
    expect(refusalOf(() => walk.start()).code).toBe("argument.range");
  });
});

describe("large numbers of walkers and steps", () => {
  test("70,000 walkers in two batches, 3 of 7 million steps in several calls, one of more than 2^24 steps in pieces", () => {
    const crowd = open({ walkers: 70_000, steps: 5, start: { rect: [-90, -90, 90, 90] }, firstVisit: true });
    const { total } = crowd.run();
    same(inParts(crowd, 7), total);
    expect([total.visits, crowd.start().advance(5).map().digest()]).toEqual([420_000, total.digest()]);
    const grid = { kind: "torus", rows: 64, cols: 64 } as const;
    for (const [walkers, steps] of [
      [3, 7_000_000],
      [1, 2 ** 24 + 3000],
    ]) {
      const long = open({ walkers, steps, grid });
      const pieces = long
        .start()
        .advance(2 ** 22 + 77)
        .advance(1000);
      pieces.advance(steps - pieces.steps);
      const whole = long.run().total;
      expect([whole.visits, pieces.map().digest()]).toEqual([walkers * (steps + 1), whole.digest()]);
      same(inParts(long, walkers), whole);
    }
  });

  test("progress reaches the end, over all layers, and an aborted run goes on from where it was", () => {
    const walk = open({
      layers: [
        { name: "a", walkers: 70_000, steps: 30 },
        { name: "b", steps: 500 },
      ],
    });
    const shares: number[] = [];
    walk.run({ onProgress: ({ done, total }) => shares.push(done / total) });
    expect([shares.length > 2, shares.at(-1)]).toEqual([true, 1]);
    expect(shares.every((share, i) => i === 0 || share > shares[i - 1])).toBe(true);
    const controller = new AbortController();
    const stop = () => controller.abort(new Error("stop"));
    expect(() => walk.run({ signal: controller.signal, onProgress: stop })).toThrow("stop");
    const run = walk.start({ layer: "a" }).advance(10);
    const before = run.map().digest();
    expect(() => run.advance(1000, { signal: controller.signal })).toThrow("stop");
    expect([run.steps, run.map().digest()]).toEqual([10, before]);
    expect(run.advance(20).map().digest()).toBe(walk.runLayer({ layer: "a" }).digest());
    expect(walk.run().total.digest()).toBe(walk.run().total.digest());
  });

  test.each([-1, 0.5, Number.NaN, 2 ** 42])(
    "advancing by %s steps is refused and leaves the run as it was",
    (steps) => {
      const run = open({ steps: 5 }).start().advance(3);
      expect(refusalOf(() => run.advance(steps)).code).toBe("argument.range");
      expect(run.advance(0).map().visits).toBe(4);
      expect(
        refusalOf(() =>
          open({ firstVisit: true })
            .start()
            .advance(2 ** 32 - 1),
        ).code,
      ).toBe("argument.range");
    },
  );

  test("unknown options are refused by every call", () => {
    const walk = open({ walkers: 3, steps: 5 });
    const odd = { walker: 3 } as object;
    for (const use of [
      () => walk.run(odd),
      () => walk.runLayer(odd),
      () => walk.start(odd),
      () => walk.start({ walkers: { form: 1 } as object }),
      () => walk.start().advance(1, odd),
      () => mergeLayerMaps([], odd),
    ]) {
      expect(refusalOf(use).code).toBe("argument.option");
    }
  });

  test.each([
    [-1, 2],
    [0, 4],
    [3, 2],
    [0.5, 2],
    [0, Number.NaN],
  ])("walkers %s to %s of 3 are refused", (from, to) => {
    const walk = open({ walkers: 3, steps: 5 });
    expect(refusalOf(() => walk.runLayer({ walkers: { from, to } })).code).toBe("argument.range");
    expect(walk.runLayer({ walkers: { from: 2, to: 2 } }).cells).toBe(0);
  });
});
