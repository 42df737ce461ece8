import type { OpenedJob } from "../folder/manifest.js";
import { BackgroundStore } from "../folder/store.js";
import { TaskContext } from "../tasks/context.js";
import { runTask } from "../tasks/run.js";
import { Flow } from "./flow.js";
import type { Runner } from "./types.js";

/** Runs tasks in the calling thread, one after another. `signal` stops a task that runs. */
export function inProcessRunner(job: OpenedJob, maxMemory: number, signal: AbortSignal | undefined): Runner {
  const store = new BackgroundStore(job.store.place, signal);
  const flow = new Flow(store);
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
          flow.run(run, () => call.onTask(k)).catch((cause: unknown) => failures.push(cause));
          await flow.pause();
        }
      } finally {
        await flow.end();
      }
      throwFailure();
    },
    close: async () => context.dispose(),
  };
}
