import { describe, expect, test } from "vitest";
import { CELL_NS, exportCost, phasesOf, STEP_NS } from "../../src/jobs/plan/phases.js";
import { cellsOfSector } from "../../src/jobs/plan/sectors.js";
import { Speed } from "../../src/jobs/plan/speed.js";
import { walkedSteps } from "../../src/jobs/plan/walking.js";
import { Forecast, secondsOfExports } from "../../src/jobs/runner/forecast.js";
import { piecesOf } from "../../src/jobs/runner/pieces.js";
import { runTask } from "../../src/jobs/tasks/run.js";
import { openJob } from "./smallJob.js";

const SIDE = 1024;
const MEMORY = 2 ** 30;
const FAR = {
  name: "far",
  layers: [
    { name: "land", preset: "uniform", steps: 3000, scatter: { side: 512, walkers: 200 } },
    { name: "woods", preset: "uniform", steps: 300, scatter: { side: 256, walkers: 5 } },
  ],
  terrain: [{ terrain: "land", when: { land: { within: 2 } } }, { terrain: "sea" }],
} as const;
const FINITE = {
  name: "isles",
  layers: [
    { name: "land", preset: "five-ways", walkers: 40, steps: 4000 },
    { name: "roads", preset: "uniform", walkers: 16, steps: 300, start: { layer: "land" } },
  ],
  terrain: [{ terrain: "land", when: { land: { visits: [1, null] } } }, { terrain: "sea" }],
} as const;

const TABLES = { finds: { rows: { finds: [{ result: "iron", weight: 1 }] } } };
const EXTENT = { row0: 0, col0: 0, rows: SIDE, cols: SIDE };

/** The processor time of a machine that does not measure it. */
const idle = () => 0;

describe("the time left", () => {
  test.each([
    [1, 1, 1],
    [2, 0.5, 2],
    [0.5, 4, 2],
    [3, 3, 3],
  ])(
    "of sectors is known after a tenth of them, if steps are %d and cells %d times as slow: %i threads",
    async (a, b, threads) => {
      const { job, tables } = await openJob({
        world: FAR,
        extent: { row0: 0, col0: 0, rows: 8 * SIDE, cols: 8 * SIDE },
      });
      const [phase] = phasesOf(job);
      const tasks = tables.tasks(phase);
      const forecast = new Forecast(job, tables, { threads, maxMemory: threads * MEMORY }, [], idle);
      forecast.begin(phase, tasks, tasks);
      expect([forecast.seconds(threads), forecast.share]).toEqual([undefined, 0]);
      // the threads take turns, and each walks the regions around its piece once
      const runs = piecesOf(tasks.length, threads).map(({ from, to }) => {
        const cells = tasks.slice(from, to).map(({ k }) => cellsOfSector(tables.sectors[k], tables.extent));
        const steps = walkedSteps(job, cells, MEMORY);
        return steps.map((some, n) => ({ k: from + n, ms: (a * some * 5 + b * SIDE ** 2 * 20) / 1e6 }));
      });
      const times = runs[0].flatMap((_, n) => runs.flatMap((run) => run.slice(n, n + 1)));
      const total = times.reduce((sum, { ms }) => sum + ms, 0);
      let left = total;
      for (const [n, { k, ms }] of times.entries()) {
        forecast.end(k, ms);
        left -= ms;
        // the first sector of a thread needs many regions: only the later ones show how long cells take
        if (left > 0.9 * total || n < 4 * threads) continue;
        expect(Math.abs(forecast.share - (1 - left / total))).toBeLessThan(0.25);
        expect(Math.abs((forecast.seconds(threads) as number) - left / threads / 1000)).toBeLessThan(
          (0.25 * total) / threads / 1000,
        );
      }
      expect(forecast.share).toBe(1);
    },
  );

  test("of tasks as fast as the first one is exact, and the exports are added; the share rises to 1", async () => {
    const extent = { row0: 0, col0: 0, rows: 4 * SIDE, cols: 3 * SIDE };
    const { job, tables } = await openJob({ world: FAR, extent });
    const [phase] = phasesOf(job);
    const tasks = tables.tasks(phase);
    const forecast = new Forecast(job, tables, { threads: 1, maxMemory: MEMORY }, ["png", "npy"], idle);
    forecast.begin(phase, tasks, tasks);
    const steps = walkedSteps(
      job,
      tables.sectors.map((sector) => cellsOfSector(sector, extent)),
      MEMORY,
    );
    const times = steps.map((some) => (3 * (some * STEP_NS + SIDE ** 2 * CELL_NS)) / 1e6);
    const exports = exportCost(["png", "npy"], 12 * SIDE ** 2, 1) / 1e9;
    let left = times.reduce((sum, ms) => sum + ms, 0);
    let share = 0;
    for (const [k, ms] of times.entries()) {
      forecast.end(k, ms);
      left -= ms;
      expect(forecast.seconds(1)).toBeCloseTo(left / 1000 + exports, 6);
      expect(forecast.seconds(2)).toBeCloseTo(left / 2000 + exports, 6);
      expect(forecast.share).toBeGreaterThan(share);
      share = forecast.share;
    }
    expect([share, forecast.seconds(1)]).toEqual([1, exports]);
  });

  test("of kinds without a finished task is longer if other programs take the processor", async () => {
    const bulk = [{ name: "finds", table: "finds", count: 2 ** 23 }];
    const { job, tables } = await openJob({ world: { ...FINITE, tables: TABLES }, bulk, extent: EXTENT });
    const secondsAfter = (usedMs: number) => {
      let used = 1000;
      const forecast = new Forecast(job, tables, { threads: 1, maxMemory: MEMORY }, ["png"], () => used);
      const [phase] = phasesOf(job);
      const tasks = tables.tasks(phase);
      forecast.begin(phase, tasks, tasks);
      used += usedMs;
      for (const { k } of tasks) forecast.end(k, 100);
      return forecast.seconds(1) as number;
    };
    const alone = secondsAfter(1e9);
    const [phase] = phasesOf(job);
    const busyMs = tables.tasks(phase).length * 100;
    expect(secondsAfter(busyMs)).toBe(alone);
    expect(secondsAfter(busyMs / 4) / alone).toBeGreaterThan(3);
  });

  test("of equal work is the mean of the finished tasks, even if some take much longer than others", () => {
    const speed = new Speed();
    for (let n = 0; n < 100; n++) speed.add({ walking: 100, making: 20 }, n % 5 === 0 ? 5000 : 500);
    speed.open({ walking: 100, making: 20 }, 7);
    expect(speed.left()).toBeCloseTo(7 * 1400, 6);
  });

  test("of exports is exact if they are as fast as predicted, follows their progress, and ends at 0", () => {
    const cells = 2 ** 30;
    const [png, all] = [exportCost(["png"], cells, 1), exportCost(["png", "csv"], cells, 1)];
    for (const share of [0, 0.1, 0.5, 1]) {
      const ran = { ms: (share * png) / 1e6, share, threads: 1 };
      expect(secondsOfExports(["png", "csv"], cells, ran)).toBeCloseTo((all - share * png) / 1e9, 6);
      const slow = secondsOfExports(["png"], cells, { ...ran, ms: 3 * ran.ms });
      const truth = (3 * (1 - share) * png) / 1e9;
      expect(slow).toBeLessThanOrEqual(truth);
      if (share >= 0.5) expect(slow).toBeGreaterThanOrEqual(0.75 * truth);
    }
  });

  test("of a finite world is known after the first shards, although its sectors are not", async () => {
    const context = await openJob({ world: FINITE });
    const { job, tables } = context;
    const forecast = new Forecast(job, tables, { threads: 1, maxMemory: MEMORY }, [], idle);
    const told: { readonly at: number; readonly left: number }[] = [];
    let spent = 0;
    for (const phase of phasesOf(job)) {
      const tasks = tables.tasks(phase);
      forecast.begin(phase, tasks, tasks);
      for (const { k, cost, amount } of tasks) {
        runTask(context, phase, k);
        const ns = phase.kind === "cells" ? amount * CELL_NS : cost;
        forecast.end(k, ns / 1e6);
        spent += ns / 1e9;
        told.push({ at: spent, left: forecast.seconds(1) as number });
      }
    }
    for (const { at, left } of told.slice(2)) {
      // the sectors at the border have fewer cells than a whole one
      expect((at + left) / spent).toBeGreaterThan(0.4);
      expect((at + left) / spent).toBeLessThan(3);
    }
  });
});

describe("the steps that a thread walks", () => {
  test("are those of all regions that have walkers near one of its rectangles, each once", async () => {
    const { job } = await openJob({ world: FAR, extent: { row0: 0, col0: 0, rows: 1, cols: 1 } });
    const at = (i: number, j: number) => ({ row0: i * SIDE, col0: j * SIDE, rows: SIDE, cols: SIDE });
    const [first, again, next, last] = walkedSteps(job, [at(0, 0), at(0, 0), at(0, 1), at(90, 90)], MEMORY);
    expect(again).toBe(0);
    expect(next).toBeLessThan(first / 2);
    expect(last).toBe(first);
    // the mean of many neighbours is that of the walkers that start in a sector
    const many = walkedSteps(
      job,
      Array.from({ length: 900 }, (_, n) => at(Math.floor(n / 30), n % 30)),
      2 ** 40,
    );
    const own = (200 * 3000 * SIDE ** 2) / 512 ** 2 + (5 * 300 * SIDE ** 2) / 256 ** 2;
    expect(many.reduce((sum, steps) => sum + steps, 0) / 900 / own).toBeGreaterThan(1);
    expect(many.reduce((sum, steps) => sum + steps, 0) / 900 / own).toBeLessThan(1.4);
  });
});
