import { describe, expect, test } from "vitest";
import { createMill, type GridSpec, LayerMap, mergeLayerMaps, type WalkInput } from "../../src/index.js";
import { parseWalk } from "../../src/walks/index.js";
import { refusalOf } from "../refusal.js";
import { cellsOf, compareWithTwin } from "./cases.js";
import { mapOf } from "./mapOf.js";

const setup = { seed: "moria", name: "isle" };
const GRIDS: readonly GridSpec[] = [
  { kind: "unbounded" },
  { kind: "bounded", rows: 130, cols: 70 },
  { kind: "torus", rows: 65, cols: 130 },
  { kind: "torus", rows: 2, cols: 9 },
  { kind: "torus", rows: 8192, cols: 8193 },
];
const LAND = { name: "land", steps: 900, walkers: 3 } as const;
const rivers = (more: object) => ({ name: "rivers", steps: 2500, walkers: 30, start: { layer: "land" }, ...more });

/** A walk of land and rivers, and the maps before the rivers. */
function open(input: WalkInput) {
  const walk = createMill({ seed: setup.seed }).walk(setup.name, input);
  const { layers } = walk.run();
  return { walk, layers, earlier: Object.fromEntries(layers.map(({ name, map }) => [name, map])) };
}

describe.each(GRIDS.map((grid) => [JSON.stringify(grid), grid] as const))("until on %s", (_, grid) => {
  test("walkers end outside a layer, and on a layer: the last cell counts", () => {
    const sea = { name: "sea", steps: 300, walkers: 2, start: [[1, 7]] } as const;
    for (const until of [{ outside: "land" }, { on: "sea" }]) {
      for (const firstVisit of [false, true]) {
        const [, , last] = compareWithTwin({ grid, layers: [LAND, sea, rivers({ until, firstVisit })] }, setup);
        const ended = last.ends.filter((end) => end.ended !== undefined).length;
        // the land covers the smallest grid
        if (until.on !== undefined || grid.kind === "unbounded" || grid.rows > 2) expect(ended).toBeGreaterThan(0);
      }
    }
  });

  test("a walker that starts on such a cell takes no step, and visits it once", () => {
    const dot = { name: "dot", start: [[1, 1]] } as const;
    const start = [
      [1, 1],
      [0, 0],
    ] as const;
    const [, { cells, ends }] = compareWithTwin(
      { grid, layers: [dot, { name: "rivers", walkers: 4, start, until: { on: "dot" }, firstVisit: true }] },
      setup,
    );
    expect(ends.map(({ ended }) => ended)).toEqual([0, undefined, 0, undefined]);
    expect(cells.map(({ visits }) => visits)).toEqual([2, 2]);
  });

  test("walkers in parts and steps in pieces give the same map, the same ends and the same totals", () => {
    const { walk, layers, earlier } = open({ grid, layers: [LAND, rivers({ until: { outside: "land" } })] });
    const whole = layers[1].map;
    for (const cuts of [
      [0, 1, 30],
      [0, 7, 8, 30],
    ]) {
      const parts = cuts
        .slice(1)
        .map((to, i) => walk.runLayer({ layer: "rivers", earlier, walkers: { from: cuts[i], to } }));
      const merged = mergeLayerMaps(parts.reverse());
      expect([cellsOf(merged), merged.walkerTotals]).toEqual([cellsOf(whole), whole.walkerTotals]);
    }
    using run = walk.start({ layer: "rivers", earlier });
    for (const steps of [0, 1, 1, 5, 1016, 1, 1024, 2500 - 2048]) run.advance(steps);
    expect([run.steps, run.walkerTotals]).toEqual([2500, whole.walkerTotals]);
    expect(cellsOf(run.map())).toEqual(cellsOf(whole));
    for (const { row, col, visits } of cellsOf(whole)) expect(run.visitsAt(row, col)).toBe(visits);
    for (const { row, col, ended } of run.positions()) {
      if (ended !== undefined) expect(earlier.land.visitsAt(row, col)).toBe(0);
    }
  });
});

test("a walker that has ended stays ended, and keeps its heading", () => {
  const { walk, earlier } = open({
    layers: [
      { name: "wall", start: [[0, 5]] },
      { name: "arrow", tensor: { absolute: { E: 1 } }, steps: 9, until: { on: "wall" }, firstVisit: true },
    ],
  });
  using run = walk.start({ layer: "arrow", earlier }).advance(4);
  expect(run.position(0)).toEqual({ row: 0, col: 4, heading: "E" });
  for (const steps of [1, 0, 2000, 2 ** 31]) {
    run.advance(steps);
    expect(run.position(0)).toEqual({ row: 0, col: 5, heading: "E", ended: 5 });
    expect(run.walkerTotals).toEqual({ walkers: 1, steps: 5, ended: 1 });
    expect([run.visitsAt(0, 5), run.firstVisitAt(0, 5)]).toEqual([1, 5]);
  }
});

test("2^42 − 1 steps of a walker that ends soon take no time, watched or not", () => {
  const layers = [
    { name: "wall", start: [[0, 5]] as const },
    { name: "arrow", tensor: { absolute: { E: 1 } }, steps: 2 ** 42 - 1, until: { on: "wall" } },
  ];
  const walk = createMill({ seed: 1 }).walk("w", { layers });
  let last = { done: 0, total: 0 };
  const watch = (progress: typeof last) => {
    last = progress;
  };
  for (const onProgress of [undefined, watch]) {
    expect(walk.run({ onProgress }).layers[1]).toMatchObject({ steps: 5, ended: 1 });
  }
  expect(last).toEqual({ done: 2 ** 42 - 1, total: 2 ** 42 - 1 });
});

test("an aborted run goes on from where it was, ended walkers included", () => {
  const { walk, layers, earlier } = open({
    grid: { kind: "torus", rows: 128, cols: 128 },
    layers: [LAND, rivers({ until: { outside: "land" }, walkers: 400, steps: 3000 })],
  });
  using run = walk.start({ layer: "rivers", earlier }).advance(20);
  const before = run.walkerTotals;
  const abort = new AbortController();
  const stop = () => abort.abort();
  expect(() => run.advance(2980, { signal: abort.signal, onProgress: stop })).toThrow(/abort/i);
  expect(run.walkerTotals).toEqual(before);
  run.advance(2980);
  expect(run.walkerTotals).toEqual(layers[1].map.walkerTotals);
  expect(run.map().digest()).toBe(layers[1].map.digest());
});

test("summaries count the ended walkers of layers with until, and steps are those that were taken", () => {
  const { walk, layers } = open({ layers: [LAND, rivers({ until: { outside: "land" } })] });
  const summary = walk.run().summary();
  expect(summary.layers.map((layer) => layer.ended)).toEqual([undefined, layers[1].ended]);
  expect(summary.ended).toBe(layers[1].ended);
  expect(summary.visits).toBe(summary.steps + 33);
  expect("ended" in open(LAND_ONLY).walk.run().summary()).toBe(false);
});

const LAND_ONLY = { layers: [LAND] };

describe("hostile until fields", () => {
  const issuesOf = (layer: object) =>
    parseWalk({ layers: [{ name: "land" }, { name: "sea" }, { name: "rivers", ...layer }] }).issues.map(
      ({ code, where }) => [code, where.path],
    );

  test.each<[string, object, string]>([
    ["an unknown layer", { until: { on: "see" } }, "layers[2].until.on"],
    ["a later layer", { until: { outside: "rivers" } }, "layers[2].until.outside"],
    ["both kinds", { until: { on: "sea", outside: "land" } }, "layers[2].until"],
    ["neither kind", { until: {} }, "layers[2].until"],
    ["a text", { until: "sea" }, "layers[2].until"],
    ["an unknown kind", { until: { in: "sea" } }, "layers[2].until.in"],
    ["a number as the layer", { until: { on: 1 } }, "layers[2].until.on"],
    ["met by every start: the same layer", { until: { on: "sea" }, start: { layer: "sea" } }, "layers[2].until"],
    ["met by every start: the only open layer", { until: { on: "sea" }, open: { layers: ["sea"] } }, "layers[2].until"],
    [
      "met by every start: outside closed cells",
      { until: { outside: "sea" }, closed: { layers: ["sea"] } },
      "layers[2].until",
    ],
    ["never met: closed cells", { until: { on: "sea" }, closed: { layers: ["sea"] } }, "layers[2].until"],
    [
      "never met: outside the only open layer",
      { until: { outside: "land" }, open: { layers: ["land"] } },
      "layers[2].until",
    ],
  ])("%s", (_, layer, path) => {
    expect(issuesOf(layer)).toEqual([["walk.spec", path]]);
  });

  test("the only layer of a walk has no earlier layer", () => {
    expect(parseWalk({ until: { on: "sea" } }).issues.map(({ where }) => where.path)).toEqual(["until.on"]);
  });

  test("the map of the layer is required, and must lie on the grid", () => {
    const grid = { kind: "bounded", rows: 9, cols: 9 } as const;
    const walk = createMill({ seed: 1 }).walk("w", {
      grid,
      layers: [{ name: "sea" }, { name: "rivers", until: { on: "sea" }, steps: 4 }],
    });
    expect(refusalOf(() => walk.start({ layer: "rivers" })).code).toBe("walk.mismatch");
    expect(refusalOf(() => walk.start({ layer: "rivers", earlier: { sea: mapOf([[9, 0, 1]]) } })).code).toBe(
      "walk.mismatch",
    );
    // no cell ends a walker if the layer visited none, and every start does outside of such a layer
    const map = walk.runLayer({ layer: "rivers", earlier: { sea: new LayerMap([]) } });
    expect(map.walkerTotals).toEqual({ walkers: 1, steps: 4, ended: 0 });
  });
});
