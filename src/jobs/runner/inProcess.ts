import { BackgroundStore } from "../folder/backgroundStore.js";
import type { OpenedJob } from "../folder/manifest.js";
import { TaskContext } from "../tasks/context.js";
import { runTask } from "../tasks/run.js";
import type { Phase } from "../types.js";
import { Flow } from "./flow.js";
import type { Runner, RunnerCall } from "./types.js";

/** Runs tasks in the calling thread, one after another. */
export class InProcessRunner implements Runner {
  readonly #flow: Flow;
  readonly #context: TaskContext;

  /** @param given - `signal` stops a task that runs. */
  constructor(
    job: OpenedJob,
    { maxMemory, signal }: { readonly maxMemory: number; readonly signal: AbortSignal | undefined },
  ) {
    const store = new BackgroundStore(job.store.place, signal);
    this.#flow = new Flow(store);
    this.#context = new TaskContext({ ...job, store }, { maxMemory, signal });
  }

  async run(phase: Phase, tasks: readonly number[], { signal, onTask }: RunnerCall): Promise<void> {
    const failures: unknown[] = [];
    const throwFailure = () => {
      if (failures.length > 0) throw failures[0];
    };
    try {
      for (const k of tasks) {
        signal?.throwIfAborted();
        throwFailure();
        const run = () => runTask(this.#context, phase, k);
        this.#flow.run(run, () => onTask(k)).catch((cause: unknown) => failures.push(cause));
        await this.#flow.pause();
      }
    } finally {
      await this.#flow.end();
    }
    throwFailure();
  }

  close(): Promise<void> {
    this.#context.dispose();
    return Promise.resolve();
  }
}
