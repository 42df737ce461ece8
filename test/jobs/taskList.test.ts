import { describe, expect, test } from "vitest";
import { sectorsIn } from "../../src/jobs/plan/phases.js";
import { inWedges, taskList } from "../../src/jobs/runner/pieces.js";

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n * 3);

/** Runs all tasks by threads in turn; returns for each thread its tasks. `speeds`: tasks of a thread in a round. */
function runInTurn(count: number, speeds: readonly number[]): number[][] {
  const list = taskList(upTo(count), speeds.length);
  const runs: number[][] = speeds.map(() => []);
  while (!list.isEmpty()) {
    for (const [thread, speed] of speeds.entries()) {
      for (let n = 0; n < speed; n++) {
        const k = list.next(thread);
        if (k !== undefined) runs[thread].push(k);
      }
    }
  }
  expect(speeds.map((_, thread) => list.next(thread))).toEqual(speeds.map(() => undefined));
  return runs;
}

/** How often the next task of a thread is not the next one of the list. */
const breaks = (runs: readonly number[][]) =>
  runs.reduce((sum, run) => sum + run.filter((k, n) => n > 0 && k !== run[n - 1] + 3).length, 0);

describe("the tasks that threads share", () => {
  test.each([1, 2, 3, 4, 7])("are each run once by %i threads, and threads of one speed end together", (threads) => {
    for (const count of [0, 1, 2, 5, 8, 36, 100, 1000, 2000]) {
      const runs = runInTurn(count, Array(threads).fill(1));
      expect(runs.flat().sort((a, b) => a - b)).toEqual(upTo(count));
      const lengths = runs.map(({ length }) => length);
      expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
    }
  });

  test("are run in long rows", () => {
    expect(breaks(runInTurn(1000, [1, 1, 1, 1]))).toBe(0);
    expect(breaks(runInTurn(36, [1, 1]))).toBe(0);
  });

  test("leave a slow thread few tasks", () => {
    const runs = runInTurn(400, [1, 9, 9, 9]);
    expect(runs[0].length).toBeLessThan(20);
    expect(breaks(runs)).toBeLessThan(30);
  });
});

describe("the wedges of a concentric job", () => {
  const sectors = sectorsIn({ row0: -4096, col0: 0, rows: 8192, cols: 8192 }, "concentric");
  const list = [...sectors.keys()];
  const wedges = (threads: number) => {
    const arranged = inWedges(list, threads, (k) => sectors[k]);
    const size = list.length / threads;
    return Array.from({ length: threads }, (_, t) => arranged.slice(Math.ceil(t * size), Math.ceil((t + 1) * size)));
  };

  test.each([1, 2, 3, 4, 7, 64, 100])(
    "have each task once, and keep the order inside a wedge: %i threads",
    (threads) => {
      const made = wedges(threads);
      expect(made.flat().toSorted((a, b) => a - b)).toEqual(list);
      for (const wedge of made) expect(wedge).toEqual(wedge.toSorted((a, b) => a - b));
    },
  );

  test("begin in the middle, and are compact", () => {
    for (const wedge of wedges(4)) {
      expect(wedge[0]).toBeLessThan(4);
      const [rows, cols] = [wedge.map((k) => sectors[k].i), wedge.map((k) => sectors[k].j)];
      expect(Math.max(...rows) - Math.min(...rows)).toBe(3);
      expect(Math.max(...cols) - Math.min(...cols)).toBe(3);
    }
  });

  test("no tasks", () => {
    expect(inWedges([], 2, () => ({ i: 0, j: 0 }))).toEqual([]);
  });
});
