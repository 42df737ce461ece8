import { describe, expect, test } from "vitest";
import { SharedTasks } from "../../src/jobs/runner/tasksInMemory.js";

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n * 3);

/** Runs all tasks by threads in turn; returns for each thread its tasks. `speeds`: tasks of a thread in a round. */
function runInTurn(
  count: number,
  speeds: readonly number[],
  inOrder: boolean,
): { readonly tasks: SharedTasks; readonly runs: number[][] } {
  const memory = SharedTasks.memoryFor(upTo(count), { threads: speeds.length, inOrder });
  const views = speeds.map(() => new SharedTasks(memory));
  const runs: number[][] = speeds.map(() => []);
  for (let isLeft = true; isLeft; ) {
    isLeft = false;
    for (const [thread, view] of views.entries()) {
      for (let n = 0; n < speeds[thread]; n++) {
        const k = view.begin(thread);
        if (k === undefined) break;
        isLeft = true;
        runs[thread].push(k);
        view.end(thread, k);
      }
    }
  }
  return { tasks: new SharedTasks(memory), runs };
}

/** How often the next task of a thread is not the next one of the list. */
const breaks = (runs: readonly number[][]) =>
  runs.reduce((sum, run) => sum + run.filter((k, n) => n > 0 && k !== run[n - 1] + 3).length, 0);

describe("the tasks that threads share", () => {
  test.each([1, 2, 3, 4, 7])("are each run once by %i threads, and threads of one speed end together", (threads) => {
    for (const count of [0, 1, 2, 5, 8, 36, 100, 1000, 2000]) {
      const { tasks, runs } = runInTurn(count, Array(threads).fill(1), count % 1000 === 0);
      expect(runs.flat().sort((a, b) => a - b)).toEqual(upTo(count));
      const lengths = runs.map(({ length }) => length);
      expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
      expect([...tasks.newlyEnded()].sort((a, b) => a - b)).toEqual(upTo(count));
      expect([...tasks.newlyEnded()]).toEqual([]);
    }
  });

  test("are run in long rows", () => {
    expect(breaks(runInTurn(1000, [1, 1, 1, 1], false).runs)).toBe(0);
    expect(breaks(runInTurn(36, [1, 1], false).runs)).toBe(0);
    expect(breaks(runInTurn(1000, [1, 1, 1, 1], true).runs)).toBeLessThan(40);
  });

  test.each([true, false])("leave a slow thread few tasks (in order: %s)", (inOrder) => {
    const { runs } = runInTurn(400, [1, 9, 9, 9], inOrder);
    expect(runs[0].length).toBeLessThan(20);
    expect(breaks(runs)).toBeLessThan(30);
  });

  test("begin about in their order, if asked: the first tenth is done when half of all is", () => {
    const memory = SharedTasks.memoryFor(upTo(1000), { threads: 4, inOrder: true });
    const tasks = new SharedTasks(memory);
    for (let n = 0; n < 500; n++) {
      const k = tasks.begin(n % 4);
      if (k !== undefined) tasks.end(n % 4, k);
    }
    const done = new Set(tasks.newlyEnded());
    expect(upTo(100).filter((k) => !done.has(k))).toEqual([]);
  });

  test("can be stopped, and say which task a thread runs", () => {
    const memory = SharedTasks.memoryFor([5, 6, 7], { threads: 2, inOrder: true });
    const [here, there] = [new SharedTasks(memory), new SharedTasks(memory)];
    expect(there.begin(1)).toBe(5);
    expect([here.runningIn(0), here.runningIn(1), here.isStopped]).toEqual([undefined, 5, false]);
    // a task can end after the next one of its thread has begun
    expect(there.begin(1)).toBe(6);
    there.end(1, 5);
    expect([here.runningIn(1), ...here.newlyEnded()]).toEqual([6, 5]);
    there.end(1, 6);
    expect([here.runningIn(1), ...here.newlyEnded()]).toEqual([undefined, 6]);
    here.stop();
    expect(there.isStopped).toBe(true);
  });
});
