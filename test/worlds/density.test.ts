import { describe, expect, onTestFinished, test } from "vitest";
import { createMill, mergeLayerMaps } from "../../src/index.js";
import { type LayerInput, mergeSavedRuns, type Walk } from "../../src/walks/index.js";
import { checkWorld, parseWorld } from "../../src/worlds/index.js";
import { addressOf } from "../oracle/terrainTwin.js";
import { seedKeyTwin, startsKeyTwin, streamKey, streamWords } from "../oracle/words.js";
import { agrees } from "../statistics/chiSquare.js";
import { cellsIn } from "./hexes.js";
import { LayersTwin } from "./layersTwin.js";

/** Starts by a density: by hand, ties of words, statistics, runs and invalid specs. The twin is in world.test.ts. */

const SPRINGS = { name: "springs", steps: 100, scatter: { side: 64, density: "1/1000" } } as const;
const REGION = [-1, 2] as const;

function walkOf(...layers: readonly LayerInput[]): Walk {
  const mill = createMill({ seed: "moria" });
  onTestFinished(() => mill.dispose());
  return mill.walk("land", { layers });
}

function placesOf(walk: Walk, steps: number) {
  using run = walk.start({ layer: "springs", region: REGION }).advance(steps);
  return [...run.positions()].map(({ row, col, heading }) => [row, col, heading]);
}

/** The visits of the last layer in 512 × 512 cells. */
function visitsOf(...layers: readonly LayerInput[]): readonly Uint32Array[] {
  using mill = createMill({ seed: "density" });
  const names = layers.map(({ name }) => name);
  const window = mill
    .world("land", { layers })
    .window({ row0: -256, col0: 512, rows: 512, cols: 512 }, { visits: names });
  return names.map((name) => window.visits(name));
}

describe("by hand", () => {
  // the check of docs/determinism.md: a word below 2^32 / 1000 = 4294967.296 sends a walker
  test("the words of four cells of a region send walkers", () => {
    const starts = streamWords(startsKeyTwin(streamKey("moria", "land/springs")));
    const sent = [...cellsIn({ row: -64, col: 128, rows: 64, cols: 64 })]
      .map(([row, col]) => [row, col, starts.word(...addressOf(row, col))])
      .filter(([, , word]) => word < 4_294_968);
    expect(sent).toEqual([
      [-58, 180, 4_185_448],
      [-45, 185, 215_484],
      [-33, 146, 2_432_888],
      [-4, 136, 2_547_797],
    ]);
    expect(placesOf(walkOf(SPRINGS), 0)).toEqual(sent.map(([row, col]) => [row, col, "resting"]));
  });

  test("walkers are numbered by row, then column, and have the headings and words of their numbers", () => {
    expect(placesOf(walkOf(SPRINGS), 100)).toEqual([
      [-62, 190, "E"],
      [-58, 177, "NW"],
      [-41, 156, "SE"],
      [-6, 152, "NW"],
    ]);
    const heading = ["NW", "E", "W"] as const;
    expect(placesOf(walkOf({ ...SPRINGS, heading }), 0).map(([, , each]) => each)).toEqual(["NW", "E", "W", "NW"]);
  });

  test("a closed cell sends no walker, and the numbers close up", () => {
    const closed = { cells: [[-45, 185]] } as const;
    expect(placesOf(walkOf({ ...SPRINGS, closed }), 0).map(([row]) => row)).toEqual([-58, -33, -4]);
  });
});

test("a word equal to the bound: extra words decide, as the twin says", () => {
  const starts = streamWords(startsKeyTwin(streamKey("moria", "land/springs")));
  const whole = 2 ** 32 - 1;
  const outcomes = [...cellsIn({ row: 0, col: 0, rows: 1, cols: 16 })].map((cell) => {
    // the bound is ⌊part · 2^32 / (2^32 − 1)⌋ = part
    const layer = {
      ...SPRINGS,
      steps: 0,
      scatter: { side: 64, density: `${starts.word(...addressOf(...cell))}/${whole}` },
    };
    const identity = { mill: seedKeyTwin("moria"), name: "land", forks: [] };
    const twin = new LayersTwin({ kind: "unbounded" }, [layer], identity).ends("springs", [0, 0]);
    using run = walkOf(layer).start({ layer: "springs", region: [0, 0] });
    const found = [...run.positions()].map(({ row, col }) => [row, col]);
    expect(found).toEqual(twin.map((end) => end && [end.row, end.col]));
    return found.some(([row, col]) => row === cell[0] && col === cell[1]);
  });
  expect(new Set(outcomes).size).toBe(2);
});

describe("the density is flat", () => {
  const HILLS = { name: "hills", steps: 200, preset: "five-ways", scatter: { side: 256, walkers: 30 } } as const;
  const toBorder = (at: number) => Math.min(at & 63, 63 - (at & 63));
  /** Adds up cells by their distance to the border of a region. */
  const byDistance = (cells: Uint32Array): number[] => {
    const sums = new Array<number>(32).fill(0);
    for (const [k, count] of cells.entries()) sums[Math.min(toBorder(k >> 9), toBorder(k & 511))] += count;
    return sums;
  };
  const lawOf = (sums: readonly number[]) => sums.map((sum) => sum / sums.reduce((a, b) => a + b));

  test("on all cells: starts per cell do not depend on the distance to the border", () => {
    const [visits] = visitsOf({ name: "springs", scatter: { side: 64, density: "1/10" } });
    const starts = byDistance(visits);
    expect(agrees(starts, lawOf(byDistance(new Uint32Array(512 * 512).fill(1))))).toBe(true);
    const total = starts.reduce((a, b) => a + b);
    expect(agrees([total, 512 * 512 - total], [1 / 10, 9 / 10])).toBe(true);
  });

  test("on the cells of a layer, however many of them a region has; a number of walkers is not flat", () => {
    const of = (scatter: LayerInput["scatter"]) =>
      visitsOf(HILLS, { name: "springs", start: { layer: "hills" }, scatter: { side: 64, ...scatter } });
    /** Starts by the number of start cells in their region, in quarters of the regions. */
    const byCells = ([hills, springs]: readonly Uint32Array[]) => {
      const regions = Array.from({ length: 64 }, () => ({ cells: 0, starts: 0 }));
      for (const [k, count] of hills.entries()) {
        const region = regions[(k >> 15) * 8 + ((k & 511) >> 6)];
        region.cells += Number(count > 0);
        region.starts += springs[k];
      }
      return regions.sort((a, b) => a.cells - b.cells);
    };
    const isFlat = (regions: ReturnType<typeof byCells>) =>
      agrees(
        regions.map(({ starts }) => starts),
        lawOf(regions.map(({ cells }) => cells)),
      );
    const dense = of({ density: "1/3" });
    expect(isFlat(byCells(dense))).toBe(true);
    const visited = dense[0].map((count) => Math.min(1, count));
    expect(agrees(byDistance(dense[1]), lawOf(byDistance(visited)))).toBe(true);
    expect(isFlat(byCells(of({ walkers: 90 })))).toBe(false);
  });

  test("the side of regions does not change the starts", () => {
    const [small, large] = [64, 256].map((side) => visitsOf({ name: "springs", scatter: { side, density: 0.01 } })[0]);
    expect(large).toEqual(small);
  });

  test("1 sends a walker from each open cell, and 0 from none", () => {
    const all = (density: number) => visitsOf({ name: "springs", scatter: { side: 64, density } })[0];
    expect(all(1).every((count) => count === 1)).toBe(true);
    expect(all(0).every((count) => count === 0)).toBe(true);
  });
});

describe("runs of a region", () => {
  test("parts, saved runs and the whole have the same map", () => {
    const walk = walkOf(SPRINGS);
    const call = { layer: "springs", region: REGION } as const;
    const whole = walk.runLayer(call);
    expect(whole.walkerTotals).toEqual({ walkers: 4, steps: 400, ended: 0 });
    const parts = [{ to: 1 }, { from: 1, to: 3 }, { from: 3 }, { from: 4000 }].map((walkers) =>
      walk.runLayer({ ...call, walkers }),
    );
    expect(parts.map(({ walkerTotals }) => walkerTotals?.walkers)).toEqual([1, 2, 1, 0]);
    expect(mergeLayerMaps(parts).digest()).toBe(whole.digest());
    const saved = [{ to: 2 }, { from: 2 }].map((walkers) => {
      using run = walk.start({ ...call, walkers }).advance(30);
      return run.save();
    });
    using resumed = walk.resume(saved[1]).advance(70);
    expect([...resumed.positions()].map(({ row }) => row)).toEqual([-41, -6]);
    expect(mergeSavedRuns(saved).walkers).toEqual([{ from: 0, to: 4 }]);
  });

  test("the costs of a layer have the mean number of its walkers, rounded up", () => {
    const walk = walkOf(SPRINGS);
    expect(walk.layers[0].walkers).toBe(5);
    using world = createMill({ seed: "moria" }).world("land", { layers: [SPRINGS] });
    const [cost] = world.layers;
    expect(cost.walkers).toBe(5);
    expect(JSON.stringify(cost)).toContain('"density":"1/1000"');
  });
});

describe("invalid specs", () => {
  test.each<[string, unknown, string]>([
    ["neither a density nor walkers", { side: 64 }, "scatter.walkers"],
    ["both", { walkers: 3, density: "1/9" }, "scatter.walkers"],
    ["a density above 1", { density: 1.5 }, "scatter.density"],
    ["a density below 0", { density: -0.1 }, "scatter.density"],
    ["no number", { density: Number.NaN }, "scatter.density"],
    ["a division by 0", { density: "1/0" }, "scatter.density"],
    ["a list", { density: [1, 40] }, "scatter.density"],
    ["null", { density: null }, "scatter.density"],
    ["an object that pretends to be a text", { density: { toString: () => "1/40" } }, "scatter.density"],
    ["a large denominator", { density: "1/4294967296" }, "scatter.density"],
    ["too many walkers in a region", { side: 512, density: "65537/262144" }, "scatter.density"],
    ["too many walkers in the largest region", { side: 4096, density: 1 }, "scatter.density"],
  ])("%s", (_, scatter, path) => {
    const { issues } = parseWorld({ layers: [{ name: "hills", scatter }] });
    expect(issues.map(({ code, where }) => [code, where.path])).toEqual([["walk.spec", `layers[0].${path}`]]);
  });

  test("65,536 walkers of a region are not too many", () => {
    expect(parseWorld({ layers: [{ name: "hills", scatter: { side: 512, density: "1/4" } }] }).issues).toEqual([]);
  });

  test("checkWorld warns of a number of walkers on the cells of a layer", () => {
    const hills = { name: "hills", scatter: { walkers: 3 } };
    const warned = (scatter: LayerInput["scatter"]) =>
      checkWorld({ layers: [hills, { name: "springs", start: { layer: "hills" }, scatter }] })
        .filter(({ where }) => where?.path !== "layers[1]")
        .map(({ code, severity, where, message }) => [code, severity, where?.path, message.includes('Use "density"')]);
    expect(warned({ walkers: 30 })).toEqual([["world.spec", "warning", "layers[1].scatter", true]]);
    expect(warned({ density: "1/40" })).toEqual([]);
  });
});
