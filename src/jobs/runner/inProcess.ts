import { setImmediate as turn } from "node:timers/promises";
import type { TaskContext } from "../context.js";
import { runTask } from "../tasks/run.js";
import type { Phase } from "../types.js";
import type { Runner, RunnerCall } from "./types.js";

/** Runs tasks in the calling thread, one after another. */
export class InProcessRunner implements Runner {
  readonly #context: TaskContext;

  constructor(context: TaskContext) {
    this.#context = context;
  }

  async run(phase: Phase, tasks: readonly number[], { signal, onTask }: RunnerCall): Promise<void> {
    for (const k of tasks) {
      // between two tasks, timers and signals of the process can run
      await turn();
      signal?.throwIfAborted();
      runTask(this.#context, phase, k);
      onTask(k);
    }
  }

  close(): Promise<void> {
    this.#context.dispose();
    return Promise.resolve();
  }
}
