import type { Queue, Job as Ticket } from "bullmq";
import { checkPath, readOptions } from "../../spec/index.js";
import { readControl } from "../control.js";
import { type JobStatus, openJob } from "../job.js";
import { type QueueAddress, Queues } from "./queues.js";
import { TASKS, type TaskData } from "./tickets.js";

/** The rate is that of the tasks that ended within this time, in milliseconds. */
const WINDOW_MS = 30_000;
/** As many finished tickets as the queue keeps. */
const MOST_KEPT = 1000;

/** How far a job is, from its files, and what its queue does. */
export interface QueueStatus {
  readonly job: JobStatus;
  /** Number of workers at the queue. They may work on other jobs of the queue too. */
  readonly workers: number;
  /** Number of task tickets of the queue, of all its jobs: those that wait, that run, and that wait for another try. */
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  /** Number of task tickets that failed for good and are kept, of all jobs. */
  readonly failed: number;
  /** Number of times that a running task of the job lost its worker and was begun again. */
  readonly stalled: number;
  /** Finished tasks of the job per second, in the last 30 seconds. */
  readonly rate: number;
  /** Seconds until the phase that is open is finished, at this rate. Undefined if no task ended, or no phase is open. */
  readonly left: number | undefined;
}

/**
 * Returns how far a job is and what its queue does. Any machine that sees the folder and the database can ask.
 *
 * @throws RollmillError `queue.connect`; the errors of `openJob`.
 */
export async function queueStatus(folder: string, given: QueueAddress): Promise<QueueStatus> {
  checkPath("folder", folder);
  const address = readOptions("queueStatus", given, ["redis", "postgres", "prefix"]);
  const job = await openJob(folder);
  const status = job.status();
  const queues = await Queues.load(address);
  try {
    const tasks: Queue<TaskData> = queues.queue(TASKS);
    await queues.ready(tasks);
    const { generation = 0 } = readControl(job.opened.store);
    const isOwn = ({ data }: Ticket<TaskData>) => data.generation === generation;
    const [counts, workers, ended, active] = await Promise.all([
      tasks.getJobCounts("waiting", "active", "delayed", "failed"),
      tasks.getWorkersCount(),
      tasks.getCompleted(0, MOST_KEPT - 1),
      tasks.getActive(0, MOST_KEPT - 1),
    ]);
    const now = Date.now();
    const own = ended.filter(isOwn);
    const recent = own.filter(({ finishedOn = 0 }) => finishedOn > now - WINDOW_MS);
    const seconds = Math.min(WINDOW_MS, now - generation) / 1000;
    const rate = recent.length / seconds;
    const open = status.phases.find(({ done, tasks }) => tasks !== undefined && done < tasks);
    return {
      job: status,
      workers,
      waiting: counts.waiting,
      active: counts.active,
      delayed: counts.delayed,
      failed: counts.failed,
      stalled: [...own, ...active.filter(isOwn)].reduce((sum, { stalledCounter }) => sum + stalledCounter, 0),
      rate,
      left: open?.tasks === undefined || rate === 0 ? undefined : (open.tasks - open.done) / rate,
    };
  } finally {
    await queues.close();
  }
}
