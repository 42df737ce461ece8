import { setTimeout as delay } from "node:timers/promises";
import type { Queue } from "bullmq";
import { error, fail } from "../../errors/index.js";
import type { OpenedJob } from "../folder/manifest.js";
import { JobTables } from "../plan/phases.js";
import type { Runner } from "../runner/running.js";
import type { StepData, TaskData } from "./tickets.js";
import { SUBMIT_AGAIN, type SubmissionState, submissionState } from "./waiting.js";

const LOOK_MS = 500;
/** Of the time. A look is slow if the folder has many files. */
const LOOK_SHARE = 1 / 10;
/** At the second look, and then after this many, the runner asks the queue about the submission. */
const LOOKS = 10;

/** `id` is that of the step ticket. */
interface WaitCall {
  readonly steps: Queue<StepData>;
  readonly tasks: Queue<TaskData>;
  readonly id: string;
  readonly onWait: ((reason: string) => void) | undefined;
}

/** Looks which parts exist. The step ticket takes the job from phase to phase, even if this process ends. */
export function queueRunner(job: OpenedJob, call: WaitCall): Runner {
  const tables = new JobTables(job);
  let last: SubmissionState | undefined;

  /** Throws if the job cannot go on, and reports why it waits. */
  async function ask(): Promise<void> {
    const [now, before] = [await submissionState(call, call.id), last];
    last = now;
    if (now.state === "lost") refuse(`${now.reason}`);
    if (now.state === "failed") refuse(`a task failed on a worker (${now.reason})`);
    // at the first time, the last parts may have been written after the last look
    if (now.state === "done" && before?.state === "done")
      refuse("the workers have ended the job, but it has no result");
    if (now.reason !== undefined && now.reason !== before?.reason) call.onWait?.(now.reason);
  }

  return {
    async run(phase, tasks, { signal, onTask }) {
      const parts = tables.tasks(phase).map(({ part }) => part);
      let remaining = [...tasks];
      for (let looks = 1; remaining.length > 0; looks++) {
        const beganMs = performance.now();
        const stored = new Set(job.store.list("parts"));
        for (const k of remaining) if (stored.has(parts[k])) onTask(k);
        remaining = remaining.filter((k) => !stored.has(parts[k]));
        if (remaining.length === 0) return;
        await delayOr(signal, Math.max(LOOK_MS, (performance.now() - beganMs) / LOOK_SHARE));
        if (looks === 2 || looks % LOOKS === 0) await ask();
      }
    },
    close: () => Promise.resolve(),
  };
}

/** Waits until the step ticket has ended. Its last work is to make the exports of the job. */
export async function untilEnded(call: WaitCall, signal: AbortSignal | undefined): Promise<undefined> {
  for (;;) {
    const { state } = await submissionState(call, call.id);
    if (state !== "waiting" && state !== "running") return undefined;
    await delayOr(signal, LOOK_MS);
  }
}

function refuse(problem: string): never {
  return fail(error("queue.failed", { problem, remedy: SUBMIT_AGAIN }));
}

async function delayOr(signal: AbortSignal | undefined, ms: number): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => signal?.throwIfAborted());
}
