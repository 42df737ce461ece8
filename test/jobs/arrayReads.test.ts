import { afterEach, expect, test, vi } from "vitest";
import { FolderStore } from "../../src/jobs/folder/store.js";
import { openJob } from "../../src/jobs/index.js";
import { newJob } from "./samples.js";

const WORLD = { layers: [{ name: "land", preset: "uniform", steps: 9, scatter: { walkers: 1 } }] } as const;

afterEach(() => {
  vi.restoreAllMocks();
});

/** Does each task in a new handle, as the processes of an array job do. Returns how often files were read or looked at. */
async function looksOf(sectors: number, order: (k: number) => number): Promise<number> {
  const extent = { row0: 0, col0: 0, rows: 1, cols: sectors * 1024 };
  const { folder } = await newJob({ world: WORLD, extent, visits: [] });
  const read = vi.spyOn(FolderStore.prototype, "read");
  const size = vi.spyOn(FolderStore.prototype, "sizeOf");
  for (let k = 0; k < sectors; k++) {
    const isFinished = (await openJob(folder)).work({ phase: "cells", task: order(k) });
    expect(isFinished).toBe(k === sectors - 1);
  }
  const looks = read.mock.calls.length + size.mock.calls.length;
  vi.restoreAllMocks();
  return looks;
}

test("an array job of N tasks looks at O(N) files, not at all parts in each task", async () => {
  const [few, many] = [await looksOf(10, (k) => k), await looksOf(40, (k) => k)];
  expect(many / few).toBeLessThan(4.5);
  expect(many).toBeLessThan(40 * 20);
});
