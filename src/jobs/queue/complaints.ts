import { hostname } from "node:os";
import type { Queue } from "bullmq";
import { oneLine } from "../../errors/index.js";
import type { StepData } from "./tickets.js";

/** About one submission. */
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
export async function complain(
  steps: Queue<StepData>,
  id: string,
  { root, problem }: { readonly root: string; readonly problem: string },
): Promise<void> {
  const complaint: Complaint = { atMs: Date.now(), worker: `${hostname()}:${root}`, problem };
  await steps.addJobLog(id, JSON.stringify(complaint), MAX_KEPT).catch(() => undefined);
}

/** The last complaint of each worker, such as `b:/srv/maps: the folder is a copy`. */
export async function complaintsOf(steps: Queue<StepData>, id: string): Promise<readonly string[]> {
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
