import type { OpenedJob } from "../folder/manifest.js";
import { TaskContext } from "../tasks/context.js";
import { runTask } from "../tasks/run.js";
import { BackgroundStore } from "./backgroundStore.js";
import type { Runner } from "./running.js";

/** Runs tasks in the calling thread, one after another. `signal` stops a task that runs. */
export function inProcessRunner(job: OpenedJob, maxMemory: number, signal: AbortSignal | undefined): Runner {
  const store = new BackgroundStore(job.store.place, signal);
  const context = new TaskContext({ ...job, store }, maxMemory, signal);
  return {
    async run(phase, tasks, call) {
      const failures: unknown[] = [];
      const throwFailure = () => {
        if (failures.length > 0) throw failures[0];
      };
      try {
        for (const k of tasks) {
          call.signal?.throwIfAborted();
          throwFailure();
          const run = () => runTask(context, phase, k);
          store.run(run, () => call.onTask(k)).catch((cause: unknown) => failures.push(cause));
          await store.pause();
        }
      } finally {
        await store.end();
      }
      throwFailure();
    },
    close: async () => context.dispose(),
  };
}
