import { setTimeout as delay } from "node:timers/promises";
import type { Queue } from "bullmq";
import { error, RollmillError } from "../../errors/index.js";
import type { Job } from "../job.js";
import { JobTables } from "../plan.js";
import type { Runner, RunnerCall } from "../runner/types.js";
import type { Phase } from "../types.js";
import type { StepData } from "./tickets.js";

/** Minimum time between two looks for new parts, in milliseconds. */
const LOOK_MS = 500;
/** The looks take at most this share of the time. A look is slow if the folder has many files. */
const LOOK_SHARE = 1 / 10;
/** After this many looks, the runner asks the queue whether the step ticket is still there. */
const LOOKS = 10;

/**
 * Waits while the workers of a queue run tasks. The step ticket takes the job from phase to phase, without help from
 * this runner. So the runner only looks which parts exist. If this process ends, the job goes on.
 */
export class QueueRunner implements Runner {
  readonly #job: Job;
  readonly #steps: Queue<StepData>;
  readonly #id: string;
  readonly #tables: JobTables;

  /** @param id - The id of the step ticket. */
  constructor(job: Job, steps: Queue<StepData>, id: string) {
    const { opened } = job;
    this.#job = job;
    this.#steps = steps;
    this.#id = id;
    this.#tables = new JobTables(opened.job, opened.store);
  }

  async run(phase: Phase, tasks: readonly number[], { signal, onTask }: RunnerCall): Promise<void> {
    const { store } = this.#job.opened;
    const parts = this.#tables.tasks(phase).map(({ part }) => part);
    let left = [...tasks];
    for (let looks = 1; left.length > 0; looks++) {
      const beganMs = performance.now();
      const stored = new Set(store.list("parts"));
      for (const k of left) if (stored.has(parts[k])) onTask(k);
      left = left.filter((k) => !stored.has(parts[k]));
      if (left.length === 0) return;
      await delayOr(signal, Math.max(LOOK_MS, (performance.now() - beganMs) / LOOK_SHARE));
      if (looks % LOOKS === 0) await this.#checkTicket();
    }
  }

  /** Waits until the step ticket has ended. The last work of this ticket is to make the exports of the job. */
  async untilEnded(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      const state = await this.#state();
      if (state === "completed" || state === "failed" || state === "unknown") return;
      await delayOr(signal, LOOK_MS);
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #checkTicket(): Promise<void> {
    const state = await this.#state();
    if (state === "waiting-children" || state === "waiting" || state === "active" || state === "delayed") return;
    const problem = "the queue no longer has the job";
    const remedy =
      "Check whether the database lost its data. Then submit the job again, which keeps its finished tasks";
    throw new RollmillError([error("queue.failed", { problem, got: state, remedy })]);
  }

  async #state(): Promise<string> {
    return (await this.#steps.getJobState(this.#id)) as string;
  }
}

/** Waits for some milliseconds. If the signal is aborted, throws its reason at once. */
async function delayOr(signal: AbortSignal | undefined, ms: number): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => signal?.throwIfAborted());
}
