import { BackgroundStore } from "../folder/backgroundStore.js";
import type { OpenedJob } from "../folder/manifest.js";
import { TaskContext } from "../tasks/context.js";
import { runTask } from "../tasks/run.js";
import type { Phase } from "../types.js";
import { runInTurn } from "./inTurn.js";
import type { Runner, RunnerCall } from "./types.js";

/** Runs tasks in the calling thread, one after another. */
export class InProcessRunner implements Runner {
  readonly #store: BackgroundStore;
  readonly #context: TaskContext;

  /** @param options - `signal` stops a task that runs. */
  constructor(
    folder: string,
    job: OpenedJob,
    { maxMemory, signal }: { readonly maxMemory: number; readonly signal: AbortSignal | undefined },
  ) {
    this.#store = new BackgroundStore(folder, signal);
    this.#context = new TaskContext(job, { store: this.#store, maxMemory, signal });
  }

  async run(phase: Phase, tasks: readonly number[], { signal, onTask }: RunnerCall): Promise<void> {
    const left = tasks.values();
    await runInTurn({
      store: this.#store,
      begin: () => {
        signal?.throwIfAborted();
        return left.next().value;
      },
      run: (k) => runTask(this.#context, phase, k),
      end: onTask,
    });
  }

  close(): Promise<void> {
    this.#context.dispose();
    return Promise.resolve();
  }
}
