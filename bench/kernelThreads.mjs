// Threads that do the kernel's part of a job: the same walks and the same windows, in tasks that are handed out as in a
// job, but without parts on a disk. They can also run independent loops: each thread does the same tasks for itself.

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { kernelPhases } from "./ours.mjs";

const THREAD = new URL("./kernelThread.mjs", import.meta.url);

/** Number of tasks of an independent loop. A shard of walkers takes a second, and a sector 50 ms. */
const LOOP_TASKS = { walk: 1, cells: 32 };

/**
 * Starts threads for a finished job in a folder.
 *
 * @returns run(): the time of all tasks in milliseconds, and the number of cells of each terrain; loops(): the time in
 * which each thread does the same few tasks with maps of its own, and how many tasks of the job this is, as a share.
 */
export async function kernelThreads(folder, { threads, maxMemory }) {
  const workers = Array.from(
    { length: threads },
    () => new Worker(THREAD, { workerData: { folder, maxMemory: Math.floor(maxMemory / threads) } }),
  );
  for (const worker of workers) worker.unref();
  const phases = await kernelPhases(folder);

  /** Posts a message to each thread, and waits for all answers. */
  const ask = (messageOf) =>
    Promise.all(
      workers.map(async (worker, thread) => {
        worker.ref();
        worker.postMessage(messageOf(thread));
        const [answer] = await once(worker, "message");
        worker.unref();
        return answer;
      }),
    );
  const timed = async (messageOf) => {
    const start = performance.now();
    const answers = await ask(messageOf);
    return { time: performance.now() - start, answers };
  };

  return {
    async run() {
      await ask(() => ({ call: "open" }));
      let [time, counts] = [0, []];
      for (const { phase, memoryFor } of phases) {
        const tasks = memoryFor(threads);
        const { time: spent, answers } = await timed((thread) => ({ call: "run", given: { phase, tasks, thread } }));
        time += spent;
        counts = answers[0].map((_, k) => answers.reduce((sum, one) => sum + one[k], 0));
      }
      return { time, counts };
    },

    async loops() {
      await ask(() => ({ call: "open" }));
      const [{ phase, list }] = phases;
      const own = list.slice(0, LOOP_TASKS[phase.kind]);
      const { time } = await timed(() => ({ call: "runAlone", given: { phase, list: own } }));
      return { time, share: own.length / list.length };
    },
  };
}
