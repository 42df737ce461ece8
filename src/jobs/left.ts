import { RollmillError } from "../errors/index.js";
import type { OpenedJob } from "./manifest.js";
import { Part } from "./part.js";
import { JobTables, phasesOf, type ShardMeta } from "./plan.js";
import { finishJob, readResult } from "./result.js";
import type { JobStore } from "./store/types.js";
import type { Phase } from "./types.js";

/** A phase that is not finished. */
interface OpenPhase {
  readonly phase: Phase;
  /** Number of all tasks of the phase, finished or not. */
  readonly tasks: number;
  /** The numbers of the tasks that are left. */
  readonly left: readonly number[];
}

/**
 * Returns the first phase of a job that is not finished. If all tasks of the job are done, writes the result and
 * returns undefined.
 *
 * @throws RollmillError `job.damaged`, `file.read`, `file.write`.
 */
export function openPhaseOrFinish({
  job,
  store,
}: {
  readonly job: OpenedJob;
  readonly store: JobStore;
}): OpenPhase | undefined {
  if (readResult(store) !== undefined) return undefined;
  const tables = new JobTables(job, store);
  for (const phase of phasesOf(job)) {
    const tasks = tables.tasks(phase);
    const left = tasks.filter(({ part }) => !isDoneElseRemoved(store, part)).map(({ k }) => k);
    if (left.length > 0) return { phase, tasks: tasks.length, left };
  }
  finishJob({ job, store, tables });
  return undefined;
}

/**
 * Whether a task is done: its part exists, and so do all further parts that this part names. If a further part is
 * missing, or a head is damaged, deletes the part of the task, so that the task runs again.
 */
export function isDoneElseRemoved(store: JobStore, part: string): boolean {
  try {
    const opened = Part.open<Partial<ShardMeta>>(store, part);
    if (opened === undefined) return false;
    const further = opened.meta.further ?? [];
    if (further.every((name) => Part.open(store, name) !== undefined)) return true;
    store.remove(part);
    return false;
  } catch (cause) {
    if (!(cause instanceof RollmillError && cause.code === "job.damaged")) throw cause;
    store.remove(part);
    return false;
  }
}
