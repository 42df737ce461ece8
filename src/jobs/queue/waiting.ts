import type { Queue } from "bullmq";
import { oneLine } from "../../errors/index.js";
import { complaintsOf } from "./complaints.js";
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

/**
 * Works without the folder of the job, so it also knows the errors of workers that cannot write to the folder. `id` is
 * undefined if the job was never submitted.
 */
export async function submissionState(
  { steps, tasks }: { readonly steps: Queue<StepData>; readonly tasks: Queue<TaskData> },
  id: string | undefined,
): Promise<SubmissionState> {
  const step = id === undefined ? undefined : await steps.getJob(id);
  const state = step === undefined || id === undefined ? "unknown" : await steps.getJobState(id);
  if (step === undefined || id === undefined || state === "unknown") return { state: "lost", reason: LOST };
  if (state === "completed") return { state: "done", reason: undefined };
  if (state === "failed") {
    const child = failedTask(step.failedReason);
    const task = child === undefined ? undefined : await tasks.getJob(child);
    return { state: "failed", reason: oneLine(task?.failedReason ?? step.failedReason) };
  }
  const [workers, complaints] = await Promise.all([tasks.getWorkersCount(), complaintsOf(steps, id)]);
  const isRunning = state === "active" || state === "waiting-children";
  const given = complaints.length === 0 ? undefined : `workers gave its tickets back: ${complaints.join("; ")}`;
  return { state: isRunning ? "running" : "waiting", reason: workers === 0 ? NO_WORKER : given };
}

/** BullMQ gives `child QUEUE:ID failed` as the reason if the task ticket ID failed. */
function failedTask(reason: string): string | undefined {
  const [begin, end] = ["child ", " failed"];
  if (!reason.startsWith(begin) || !reason.endsWith(end)) return undefined;
  return reason.slice(reason.lastIndexOf(":") + 1, -end.length);
}
