import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { benchModule } from "./modules.js";

const { jobs, kernelPhases, kernelTasks } = await benchModule("ours");
const { WALK } = await benchModule("inputs/jobs");

test("the tasks of a job, made by its kernel alone, count the cells that the job counts", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rollmill-bench-"));
  try {
    const [layer] = WALK.world.layers;
    const world = { ...WALK.world, layers: [{ ...layer, walkers: 20, steps: 5000 }] };
    const { counts } = await (await jobs({ world })).make(join(folder, "job"), { threads: 1, maxMemory: 2 ** 28 });
    const tasks = await kernelTasks(join(folder, "job"), { maxMemory: 2 ** 28 });
    let last: readonly number[] = [];
    for (const { phase, list, memoryFor } of await kernelPhases(join(folder, "job"))) {
      await tasks.open();
      expect(tasks.runAlone({ phase, list })).toEqual([]);
      last = tasks.run({ phase, tasks: memoryFor(1), thread: 0 });
    }
    expect(last).toEqual(counts);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
