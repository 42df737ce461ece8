import { setTimeout as delay } from "node:timers/promises";
import type { Queue } from "bullmq";
import { error, fail } from "../../errors/index.js";
import type { Job } from "../job.js";
import { JobTables } from "../plan/phases.js";
import type { Runner, RunnerCall } from "../runner/types.js";
import type { Phase } from "../types.js";
import type { StepData, TaskData } from "./tickets.js";
import { SUBMIT_AGAIN, type SubmissionState, submissionState } from "./waiting.js";

const LOOK_MS = 500;
/** Of the time. A look is slow if the folder has many files. */
const LOOK_SHARE = 1 / 10;
/** At the second look, and then after this many, the runner asks the queue about the submission. */
const LOOKS = 10;

interface WaitCall {
  readonly steps: Queue<StepData>;
  readonly tasks: Queue<TaskData>;
  /** Of the step ticket. */
  readonly id: string;
  readonly onWait: ((reason: string) => void) | undefined;
}

/**
 * Waits while the workers of a queue run tasks: looks which parts exist. The step ticket takes the job from phase to
 * phase, so the job goes on if this process ends.
 */
export class QueueRunner implements Runner {
  readonly #job: Job;
  readonly #call: WaitCall;
  readonly #tables: JobTables;
  #last: SubmissionState | undefined;

  constructor(job: Job, call: WaitCall) {
    this.#job = job;
    this.#call = call;
    this.#tables = new JobTables(job.opened);
  }

  async run(phase: Phase, tasks: readonly number[], { signal, onTask }: RunnerCall): Promise<void> {
    const { store } = this.#job.opened;
    const parts = this.#tables.tasks(phase).map(({ part }) => part);
    let remaining = [...tasks];
    for (let looks = 1; remaining.length > 0; looks++) {
      const beganMs = performance.now();
      const stored = new Set(store.list("parts"));
      for (const k of remaining) if (stored.has(parts[k])) onTask(k);
      remaining = remaining.filter((k) => !stored.has(parts[k]));
      if (remaining.length === 0) return;
      await delayOr(signal, Math.max(LOOK_MS, (performance.now() - beganMs) / LOOK_SHARE));
      if (looks === 2 || looks % LOOKS === 0) await this.#ask();
    }
  }

  /** The last work of the step ticket is to make the exports of the job. */
  async untilEnded(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      const { state } = await submissionState(this.#call, this.#call.id);
      if (state !== "waiting" && state !== "running") return;
      await delayOr(signal, LOOK_MS);
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Throws if the job cannot go on, and reports why it waits. */
  async #ask(): Promise<void> {
    const [now, last] = [await submissionState(this.#call, this.#call.id), this.#last];
    this.#last = now;
    if (now.state === "lost") refuse(`${now.reason}`);
    if (now.state === "failed") refuse(`a task failed on a worker (${now.reason})`);
    // at the first time, the last parts may have been written after the last look
    if (now.state === "done" && last?.state === "done") refuse("the workers have ended the job, but it has no result");
    if (now.reason !== undefined && now.reason !== last?.reason) this.#call.onWait?.(now.reason);
  }
}

function refuse(problem: string): never {
  return fail(error("queue.failed", { problem, remedy: SUBMIT_AGAIN }));
}

async function delayOr(signal: AbortSignal | undefined, ms: number): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => signal?.throwIfAborted());
}
