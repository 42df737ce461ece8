import { hostname } from "node:os";
import type { Queue } from "bullmq";
import { oneLine } from "../../errors/index.js";
import type { StepData, TaskData } from "./tickets.js";

/** The last submission of a job, as the queue sees it. */
export interface SubmissionState {
  /** `lost`: the queue does not have the step ticket of the submission. */
  readonly state: "waiting" | "running" | "done" | "failed" | "lost";
  /** Why the job waits, or why it failed. Undefined if there is nothing to say. */
  readonly reason: string | undefined;
}

export const SUBMIT_AGAIN = "Submit the job again with `rollmill job submit`, which keeps its finished tasks";
const LOST = "the queue has lost the tickets of the job: its database was emptied, or started again without its data";
const NO_WORKER = "no worker is connected to the queue";

export async function submissionState(
  { steps, tasks }: { readonly steps: Queue<StepData>; readonly tasks: Queue<TaskData> },
  id: string | undefined,
): Promise<SubmissionState> {
  const step = id === undefined ? undefined : await steps.getJob(id);
  const state = step === undefined || id === undefined ? "unknown" : await steps.getJobState(id);
  if (step === undefined || id === undefined || state === "unknown") return { state: "lost", reason: LOST };
  if (state === "completed") return { state: "done", reason: undefined };
  if (state === "failed") {
    // the reason of BullMQ if the task ticket ID failed: child QUEUE:ID failed
    const [, child] = /^child .*:([^:]*) failed$/.exec(step.failedReason) ?? [];
    const task = child === undefined ? undefined : await tasks.getJob(child);
    return { state: "failed", reason: oneLine(task?.failedReason ?? step.failedReason) };
  }
  const [workers, complaints] = await Promise.all([tasks.getWorkersCount(), complaintsOf(steps, id)]);
  const isRunning = state === "active" || state === "waiting-children";
  const given = complaints.length === 0 ? undefined : `workers gave its tickets back: ${complaints.join("; ")}`;
  return { state: isRunning ? "running" : "waiting", reason: workers === 0 ? NO_WORKER : given };
}

/** Complaints kept about one submission. */
const MAX_KEPT = 20;
/** A worker that still gets tickets of the job complains every few seconds. */
const SHOWN_MS = 60_000;
const MAX_LENGTH = 500;

/** A worker that gives tickets of a submission back complains in the log of the step ticket. */
interface Complaint {
  readonly atMs: number;
  /** The machine and the root of the worker. */
  readonly worker: string;
  readonly problem: string;
}

/** A complaint that cannot be stored is not an error. */
export async function complain(steps: Queue<StepData>, id: string, root: string, problem: string): Promise<void> {
  const complaint: Complaint = { atMs: Date.now(), worker: `${hostname()}:${root}`, problem };
  await steps.addJobLog(id, JSON.stringify(complaint), MAX_KEPT).catch(() => undefined);
}

/** The last complaint of each worker, such as `b:/srv/maps: the folder is a copy`. */
async function complaintsOf(steps: Queue<StepData>, id: string): Promise<readonly string[]> {
  const { logs } = await steps.getJobLogs(id, 0, MAX_KEPT - 1);
  const latest = new Map<string, string>();
  for (const { atMs, worker, problem } of logs.flatMap(read)) {
    if (Math.abs(Date.now() - atMs) < SHOWN_MS) latest.set(worker, `${worker}: ${problem}`);
  }
  return [...latest.values()].map((line) => oneLine(line.slice(0, MAX_LENGTH)));
}

/** Everybody who can write to the queue can add a row to a log. */
function read(row: string): Complaint[] {
  try {
    const { atMs, worker, problem } = JSON.parse(row);
    const isComplaint = Number.isFinite(atMs) && typeof worker === "string" && typeof problem === "string";
    return isComplaint ? [{ atMs, worker, problem }] : [];
  } catch {
    return [];
  }
}
