import { describe, expect, onTestFinished, test } from "vitest";
import { createMill, LayerMap, mergeLayerMaps, type WalkInput } from "../../src/index.js";
import { mergeSavedRuns, type Walk } from "../../src/walks/index.js";
import type { CellRectangle } from "../../src/walks/rectangles.js";
import { ScatterTwin } from "../oracle/scatterTwin.js";
import { streamKey } from "../oracle/words.js";
import { codeOf, refusalOf } from "../refusal.js";
import { around, NAME, planOf, ScatterWorld, SEED } from "./scatterWorld.js";

const HILLS = { name: "hills", scatter: { side: 64, walkers: 4 }, steps: 50, firstVisit: true } as const;
const RIVERS = {
  name: "rivers",
  scatter: { side: 128, walkers: 6 },
  steps: 70,
  start: { layer: "hills" },
  until: { outside: "hills" },
  heading: ["E", "resting"],
  firstVisit: true,
} as const;
const INPUT: WalkInput = { layers: [HILLS, RIVERS] };
const RIVER_REGION: CellRectangle = { row0: -128, col0: 0, rows: 128, cols: 128 };

function open(input: WalkInput): Walk {
  const mill = createMill({ seed: SEED });
  onTestFinished(() => mill.dispose());
  return mill.walk(NAME, input);
}

/** The map of a rectangle of whole chunks: what `earlier` of a region needs. */
function mapIn(world: ScatterWorld, layer: number, rectangle: CellRectangle): LayerMap {
  const map = world.near(layer, rectangle);
  const chunks = [];
  for (let row0 = rectangle.row0; row0 < rectangle.row0 + rectangle.rows; row0 += 64) {
    for (let col0 = rectangle.col0; col0 < rectangle.col0 + rectangle.cols; col0 += 64) {
      const chunk = { row0, col0, rows: 64, cols: 64 };
      const cells = { visits: map.visits(chunk), firstVisit: map.firstVisits(chunk) };
      chunks.push({ chunkRow: row0 / 64, chunkCol: col0 / 64, ...cells });
    }
  }
  return new LayerMap(chunks);
}

/** The hills around the region of rivers. */
function hills(): { readonly hills: LayerMap } {
  const world = new ScatterWorld(INPUT);
  const map = mapIn(world, 0, around(RIVER_REGION, 128));
  world.kernel.dispose();
  return { hills: map };
}

const REGION = [-1, 0] as const;

describe("the walkers of one region", () => {
  test("the maps of the regions in reach add up to the cells of a rectangle", () => {
    const walk = open(INPUT);
    const maps = [-2, -1, 0, 1].flatMap((i) =>
      [-2, -1, 0, 1].map((j) => walk.runLayer({ layer: "hills", region: [i, j] })),
    );
    const sum = mergeLayerMaps(maps, { firstVisits: true });
    const world = new ScatterWorld(INPUT);
    onTestFinished(() => world.kernel.dispose());
    const whole = mapIn(world, 0, { row0: -64, col0: -64, rows: 128, cols: 128 });
    for (let row = -64; row < 64; row++) {
      for (let col = -64; col < 64; col++) {
        const cell = [sum.visitsAt(row, col), sum.firstVisitAt(row, col)];
        expect([whole.visitsAt(row, col), whole.firstVisitAt(row, col)]).toEqual(cell);
      }
    }
  });

  test("step by step: each walker is where the twin's is", () => {
    const earlier = hills();
    const plan = planOf(INPUT);
    const twins = plan.layers.map(({ streamName }) => streamKey(SEED, streamName));
    const base = new ScatterTwin(plan.layers[0], { key: twins[0], earlier: [], grid: plan.grid });
    const paths = new ScatterTwin(plan.layers[1], { key: twins[1], earlier: [base], grid: plan.grid }).paths(...REGION);
    using run = open(INPUT).start({ layer: "rivers", region: REGION, earlier });
    const headings = ["NW", "NE", "E", "SE", "SW", "W", "resting"] as const;
    for (const steps of [0, 1, 30, 39]) {
      run.advance(steps);
      const expected = paths.map((path) => {
        const { row, col, heading } = path[Math.min(run.steps, path.length - 1)];
        return { row, col, heading: headings[heading] };
      });
      expect([...run.positions()].map(({ row, col, heading }) => ({ row, col, heading }))).toEqual(expected);
    }
    expect(run.walkerTotals.steps).toBe(paths.reduce((sum, path) => sum + path.length - 1, 0));
    expect(run.walkerTotals.ended).toBeGreaterThan(0);
    expect(run.steps).toBe(70);
    expect(run.map().digest()).toBe(open(INPUT).runLayer({ layer: "rivers", region: REGION, earlier }).digest());
  });

  test("some of the walkers, and a fork", () => {
    const walk = open(INPUT);
    const whole = walk.runLayer({ layer: "hills", region: [3, -4] });
    const parts = [0, 1, 3].map((from, i) =>
      walk.runLayer({ layer: "hills", region: [3, -4], walkers: { from, to: [1, 3, 4][i] } }),
    );
    expect(mergeLayerMaps(parts).digest()).toBe(whole.digest());
    expect(
      walk
        .fork("cave")
        .runLayer({ layer: "hills", region: [3, -4] })
        .digest(),
    ).not.toBe(whole.digest());
    expect(walk.runLayer({ layer: "hills", region: [-4, 3] }).digest()).not.toBe(whole.digest());
  });

  test("the walkers of a region without a start do not exist", () => {
    const earlier = { hills: new LayerMap([]) };
    using run = open(INPUT).start({ layer: "rivers", region: [0, 0], earlier });
    run.advance(70);
    expect(run.walkerTotals).toEqual({ walkers: 0, steps: 0, ended: 0 });
    expect([...run.positions()]).toEqual([]);
    expect(run.map().cells).toBe(0);
    using again = open(INPUT).resume(run.save(), { earlier });
    expect(again.walkerTotals.walkers).toBe(0);
    expect(open(INPUT).runLayer({ layer: "rivers", region: [0, 0], earlier }).walkerTotals?.walkers).toBe(0);
  });

  test("the first and the last region", () => {
    const walk = open({ scatter: { side: 64, walkers: 3 } });
    for (const region of [
      [-(2 ** 25), -(2 ** 25)],
      [2 ** 25 - 1, 2 ** 25 - 1],
    ] as const) {
      expect(walk.runLayer({ region }).visits).toBe(3);
    }
  });
});

describe("saved runs", () => {
  test("a run goes on from its bytes", () => {
    const earlier = hills();
    const walk = open(INPUT);
    using run = walk.start({ layer: "rivers", region: REGION, earlier });
    const bytes = run.advance(20).save();
    using again = open(INPUT).resume(bytes, { earlier });
    expect([...again.advance(50).positions()]).toEqual([...run.advance(50).positions()]);
    expect(again.map().digest()).toBe(run.map().digest());
  });

  test("parts of a region are merged, and those of two regions are not", () => {
    const save = (region: readonly [number, number], from: number, to: number) => {
      using run = open(INPUT).start({ layer: "hills", region, walkers: { from, to } });
      return run.advance(50).save();
    };
    const merged = mergeSavedRuns([save([0, 0], 2, 4), save([0, 0], 0, 2)]);
    expect(merged.result.map.digest()).toBe(
      open(INPUT)
        .runLayer({ layer: "hills", region: [0, 0] })
        .digest(),
    );
    expect(codeOf(() => mergeSavedRuns([save([0, 0], 0, 2), save([0, 1], 2, 4)]))).toBe("walk.mismatch");
  });

  test("another side, or another number of walkers", () => {
    using run = open(INPUT).start({ layer: "hills", region: [0, 0] });
    const bytes = run.save();
    const other = (scatter: object) => () =>
      open({ layers: [{ ...HILLS, scatter } as never] })
        .resume(bytes)
        .dispose();
    expect(codeOf(other({ side: 64, walkers: 9 }))).toBe(undefined);
    expect(codeOf(other({ side: 64, walkers: 3 }))).toBe("snapshot.invalid");
    expect(codeOf(other({ side: 128, walkers: 4 }))).toBe("snapshot.invalid");
  });
});

describe("what is refused", () => {
  test("a whole walk, or a layer without its region", () => {
    const walk = open(INPUT);
    for (const call of [
      () => walk.run(),
      () => walk.runLayer({ layer: "hills" }),
      () => walk.start({ layer: "hills" }),
    ]) {
      expect(refusalOf(call).code).toBe("walk.scattered");
    }
    expect(walk.layers.map(({ side }) => side)).toEqual([64, 128]);
  });

  test("a region of a layer that is not scattered", () => {
    const walk = open({ walkers: 2 });
    expect(codeOf(() => walk.runLayer({ region: [0, 0] }))).toBe("argument.option");
    expect(walk.layers.every((layer) => !("side" in layer))).toBe(true);
  });

  test.each<[string, unknown, string]>([
    ["a number", 5, "argument.type"],
    ["a text", "0,0", "argument.type"],
    ["null", null, "argument.type"],
    ["no numbers", [], "argument.range"],
    ["three numbers", [0, 0, 0], "argument.range"],
    ["texts", ["0", "0"], "argument.range"],
    ["decimals", [0.5, 0], "argument.range"],
    ["not a number", [Number.NaN, 0], "argument.range"],
    ["before the first region", [-(2 ** 25) - 1, 0], "argument.range"],
    ["after the last region", [0, 2 ** 25], "argument.range"],
    ["beyond 32 bits", [2 ** 40, 0], "argument.range"],
  ])("the region is %s", (_, region, code) => {
    const walk = open(INPUT);
    expect(codeOf(() => walk.runLayer({ layer: "hills", region: region as never }))).toBe(code);
    expect(codeOf(() => walk.start({ layer: "hills", region: region as never }))).toBe(code);
  });

  test("a map of an earlier layer that is missing", () => {
    expect(codeOf(() => open(INPUT).runLayer({ layer: "rivers", region: [0, 0] }))).toBe("walk.mismatch");
  });
});
