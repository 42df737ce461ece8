import { hostname } from "node:os";
import type { Queue, Job as Ticket } from "bullmq";
import { oneLine } from "../../errors/index.js";
import { checkPath } from "../../spec/index.js";
import { readControl } from "../folder/control.js";
import { type JobStatus, openJob } from "../job.js";
import { type QueueAddress, withQueues } from "./queues.js";
import { MAX_KEPT, STEPS, type StepData, TASKS, type TaskData } from "./tickets.js";

/** The last submission of a job, as the queue sees it. */
export interface SubmissionState {
  /** `lost`: the queue does not have the step ticket of the submission. */
  readonly state: "waiting" | "running" | "done" | "failed" | "lost";
  /** Why the job waits, or why it failed. Undefined if no reason is known. */
  readonly reason: string | undefined;
}

/** The progress of a job, read from its files, and the state of its queue. */
export interface QueueStatus {
  readonly job: JobStatus;
  /** The last submission of the job. Undefined if the job is finished, or is not meant for the queue now. */
  readonly submission: SubmissionState | undefined;
  /** Number of workers that are connected to the queue. They may work on other jobs of the queue too. */
  readonly workers: number;
  /** Task tickets of all jobs of the queue: `waiting` for a worker, `active` in a worker, `delayed` after a failure. */
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  /** Number of failed task tickets of all jobs: their last attempt failed. The queue keeps at most 1,000 of them. */
  readonly failed: number;
  /** How often a task of the last submission lost its worker, among the last 1,000 finished and 1,000 running tasks. */
  readonly stalled: number;
  /** Finished tasks of the job per second, in the last 30 seconds. */
  readonly rate: number;
  /** Seconds until the open phase is finished, at this rate. Undefined if the rate is 0, or if no phase is open. */
  readonly remaining: number | undefined;
}

/** Returns the progress of a job and the state of its queue. Throws `queue.connect`; the errors of `openJob`. */
export async function queueStatus(folder: string, given: QueueAddress): Promise<QueueStatus> {
  checkPath("folder", folder);
  const job = await openJob(folder);
  const status = job.status();
  return withQueues(given, async (queues) => {
    const tasks: Queue<TaskData> = await queues.ready(TASKS);
    const { desired, generation = 0, ticket } = readControl(job.opened.store);
    const isSubmitted = desired === "queue" && status.result === undefined;
    const isOwn = ({ data }: Ticket<TaskData>) => data.generation === generation;
    const [submission, counts, workers, ended, running] = await Promise.all([
      isSubmitted ? submissionState({ steps: queues.queue(STEPS), tasks }, ticket) : undefined,
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
    const { waiting, active, delayed, failed } = counts;
    return {
      job: status,
      submission,
      workers,
      waiting,
      active,
      delayed,
      failed,
      stalled: [...ended, ...running].filter(isOwn).reduce((sum, { stalledCounter }) => sum + stalledCounter, 0),
      rate,
      remaining: open === undefined || rate === 0 ? undefined : ((open.tasks ?? 0) - (open.done ?? 0)) / rate,
    };
  });
}

const WINDOW_MS = 30_000;

/** Returns finished tickets per second. If `isCut`, `ended` may lack old tickets: then measures from its oldest on. */
export function rateOf(
  ended: readonly { readonly finishedOn: number; readonly isOwn: boolean }[],
  { nowMs, sinceMs, isCut }: { readonly nowMs: number; readonly sinceMs: number; readonly isCut: boolean },
): number {
  const oldestMs = isCut ? Math.min(...ended.map(({ finishedOn }) => finishedOn)) : 0;
  const fromMs = Math.max(nowMs - WINDOW_MS, sinceMs, oldestMs);
  const count = ended.filter(({ isOwn, finishedOn }) => isOwn && finishedOn > fromMs).length;
  return (1000 * count) / Math.max(1, nowMs - fromMs);
}

export const SUBMIT_AGAIN = "Submit the job again with `rollmill job submit`, which keeps its finished tasks";
const LOST = "the queue has lost the tickets of the job: its database was emptied, or started again without its data";

export async function submissionState(
  { steps, tasks }: { readonly steps: Queue<StepData>; readonly tasks: Queue<TaskData> },
  id = "",
): Promise<SubmissionState> {
  const step = id === "" ? undefined : await steps.getJob(id);
  const state = step === undefined ? "unknown" : await steps.getJobState(id);
  if (step === undefined || state === "unknown") return { state: "lost", reason: LOST };
  if (state === "completed") return { state: "done", reason: undefined };
  if (state === "failed") {
    // if the task ticket ID failed, BullMQ gives the reason "child QUEUE:ID failed"
    const [, child] = /^child .*:([^:]*) failed$/.exec(step.failedReason) ?? [];
    const task = child === undefined ? undefined : await tasks.getJob(child);
    return { state: "failed", reason: oneLine(task?.failedReason ?? step.failedReason) };
  }
  const [workers, complaints] = await Promise.all([tasks.getWorkersCount(), complaintsOf(steps, id)]);
  const given = complaints.length === 0 ? undefined : `workers gave tickets back: ${complaints.join("; ")}`;
  return {
    state: state === "active" || state === "waiting-children" ? "running" : "waiting",
    reason: workers === 0 ? "no worker is connected to the queue" : given,
  };
}

const MAX_COMPLAINTS = 20;
/** Maximum age of a shown complaint: a worker that still gets tickets of the job complains every few seconds. */
const SHOWN_MS = 60_000;
const MAX_LENGTH = 500;

/** Adds a worker's complaint to the log of the step ticket. A complaint that cannot be stored is not an error. */
export async function complain(steps: Queue<StepData>, id: string, root: string, problem: string): Promise<void> {
  const complaint = { atMs: Date.now(), worker: `${hostname()}:${root}`, problem };
  await steps.addJobLog(id, JSON.stringify(complaint), MAX_COMPLAINTS).catch(() => undefined);
}

/** Returns the last complaint of each worker, such as `b:/srv/maps: the folder is a copy`. */
async function complaintsOf(steps: Queue<StepData>, id: string): Promise<readonly string[]> {
  const { logs } = await steps.getJobLogs(id, 0, MAX_COMPLAINTS - 1);
  const latest = new Map<string, string>();
  for (const row of logs) {
    try {
      // anybody who can write to the queue can add a row to a log, so checks each row
      const { atMs, worker, problem } = JSON.parse(row);
      const isSound = Number.isFinite(atMs) && typeof worker === "string" && typeof problem === "string";
      if (isSound && Math.abs(Date.now() - atMs) < SHOWN_MS) latest.set(worker, `${worker}: ${problem}`);
    } catch {
      // skips a row that is not JSON
    }
  }
  return Array.from(latest.values(), (line) => oneLine(line.slice(0, MAX_LENGTH)));
}
