import { setTimeout as delay } from "node:timers/promises";
import type { Queue } from "bullmq";
import { error, RollmillError } from "../../errors/index.js";
import type { Job } from "../job.js";
import { JobTables } from "../plan.js";
import type { Runner, RunnerCall } from "../runner/types.js";
import type { Phase } from "../types.js";
import type { StepData } from "./tickets.js";

/** Looks for new parts this often, in milliseconds. */
const LOOK_MS = 500;
/** Looking takes at most this share of the time: a folder can have many files. */
const LOOK_SHARE = 1 / 10;
/** Asks the queue whether it still has the job after this many looks. */
const LOOKS = 10;

/**
 * Runs tasks on the workers of a queue. The step ticket takes the job from phase to phase without this runner; so the
 * runner only looks which parts are there, and the job goes on if this process ends.
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

  /** Waits until the step ticket is at its end, with its exports. */
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

/** Waits. Throws the reason of the signal as soon as it is aborted. */
async function delayOr(signal: AbortSignal | undefined, ms: number): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => signal?.throwIfAborted());
}
