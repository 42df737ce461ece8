import type { Queue, Job as Ticket } from "bullmq";
import { checkPath } from "../../spec/index.js";
import { readControl } from "../folder/control.js";
import { type JobStatus, openJob } from "../job.js";
import { type QueueAddress, withQueues } from "./queues.js";
import { MAX_KEPT, STEPS, type StepData, TASKS, type TaskData } from "./tickets.js";
import { type SubmissionState, submissionState } from "./waiting.js";

/** The progress of a job, read from its files, and the state of its queue. */
export interface QueueStatus {
  readonly job: JobStatus;
  /** The last submission of the job. Undefined unless the workers of the queue should work on the job now. */
  readonly submission: SubmissionState | undefined;
  /** Number of workers at the queue. They may work on other jobs of the queue too. */
  readonly workers: number;
  /** Task tickets of all jobs of the queue that wait for a worker, that a worker has, and that wait after a failure. */
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  /** Task tickets of all jobs whose last attempt has failed. The queue keeps at most 1,000 of them. */
  readonly failed: number;
  /** How often a task of the latest submission lost its worker, in at most 1,000 finished and 1,000 running tasks. */
  readonly stalled: number;
  /** Finished tasks of the job per second, in the last 30 seconds. */
  readonly rate: number;
  /** Seconds until the open phase is finished, at this rate. Undefined if the rate is 0, or if no phase is open. */
  readonly left: number | undefined;
}

/** Returns the progress of a job and the state of its queue. Throws `queue.connect`; the errors of `openJob`. */
export async function queueStatus(folder: string, given: QueueAddress): Promise<QueueStatus> {
  checkPath("folder", folder);
  const job = await openJob(folder);
  const status = job.status();
  return withQueues(given, async (queues) => {
    const tasks: Queue<TaskData> = await queues.ready(TASKS);
    const steps: Queue<StepData> = queues.queue(STEPS);
    const { desired, generation = 0, ticket } = readControl(job.opened.store);
    const isSubmitted = desired === "queue" && status.result === undefined;
    const submission = isSubmitted ? await submissionState({ steps, tasks }, ticket) : undefined;
    const isOwn = ({ data }: Ticket<TaskData>) => data.generation === generation;
    const [counts, workers, ended, active] = await Promise.all([
      tasks.getJobCounts("waiting", "active", "delayed", "failed"),
      tasks.getWorkersCount(),
      tasks.getCompleted(0, MAX_KEPT - 1),
      tasks.getActive(0, MAX_KEPT - 1),
    ]);
    const rate = rateOf(
      ended.map((one) => ({ finishedOn: one.finishedOn ?? 0, isOwn: isOwn(one) })),
      { nowMs: Date.now(), sinceMs: generation, isCut: ended.length === MAX_KEPT },
    );
    const open = status.phases.find(({ done, tasks: all }) => done !== undefined && all !== undefined && done < all);
    const left = (open?.tasks ?? 0) - (open?.done ?? 0);
    return {
      job: status,
      submission,
      workers,
      waiting: counts.waiting,
      active: counts.active,
      delayed: counts.delayed,
      failed: counts.failed,
      stalled: [...ended, ...active].filter(isOwn).reduce((sum, { stalledCounter }) => sum + stalledCounter, 0),
      rate,
      left: open === undefined || rate === 0 ? undefined : left / rate,
    };
  });
}

const WINDOW_MS = 30_000;

/** Tickets per second. If `isCut`, the queue may have dropped older ones: only the time since the oldest counts. */
export function rateOf(
  ended: readonly { readonly finishedOn: number; readonly isOwn: boolean }[],
  { nowMs, sinceMs, isCut }: { readonly nowMs: number; readonly sinceMs: number; readonly isCut: boolean },
): number {
  const oldestMs = isCut ? Math.min(...ended.map(({ finishedOn }) => finishedOn)) : 0;
  const fromMs = Math.max(nowMs - WINDOW_MS, sinceMs, oldestMs);
  const count = ended.filter(({ isOwn, finishedOn }) => isOwn && finishedOn > fromMs).length;
  return (1000 * count) / Math.max(1, nowMs - fromMs);
}
