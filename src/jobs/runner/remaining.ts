import { RollmillError } from "../../errors/index.js";
import { type ShardMeta, shardMeta } from "../folder/heads.js";
import { type JobFiles, refuseOtherBuild } from "../folder/manifest.js";
import { Part, type ReadMeta } from "../folder/part.js";
import { finishJob, readResult } from "../folder/result.js";
import { isShardPart, JobTables, phasesOf } from "../plan/phases.js";
import type { Phase } from "../types.js";

interface OpenPhase {
  readonly phase: Phase;
  readonly tasks: number;
  readonly left: readonly number[];
}

/**
 * Returns the first phase of a job that is not finished. If all tasks of the job are done, writes the result and
 * returns undefined.
 *
 * @throws RollmillError `job.version` if another build of Rollmill started the job; `job.damaged`, `file.read`,
 * `file.write`.
 */
export function openPhaseOrFinish(files: JobFiles): OpenPhase | undefined {
  const { job, store } = files;
  if (readResult(files) !== undefined) return undefined;
  refuseOtherBuild(files);
  const tables = new JobTables(job, store);
  for (const phase of phasesOf(job)) {
    const tasks = tables.tasks(phase);
    const left = tasks.filter(({ part }) => !isDoneElseRemoved(files, part)).map(({ k }) => k);
    if (left.length > 0) return { phase, tasks: tasks.length, left };
  }
  finishJob({ job, store, tables });
  return undefined;
}

const NO_META: ReadMeta<Pick<ShardMeta, "further">> = () => ({ further: [] });

/**
 * Whether a task is done: its part exists, and so do all further parts that this part names. If a further part is
 * missing, or a head is damaged or belongs to another part, deletes the part of the task, so that the task runs again.
 */
export function isDoneElseRemoved(files: JobFiles, part: string): boolean {
  const { store } = files;
  try {
    const opened = Part.open(files, part, isShardPart(part) ? shardMeta(part) : NO_META);
    if (opened === undefined) return false;
    const { further } = opened.meta;
    if (further.every((name) => Part.open(files, name) !== undefined)) return true;
    store.remove(part);
    return false;
  } catch (cause) {
    if (!(cause instanceof RollmillError && cause.code === "job.damaged")) throw cause;
    store.remove(part);
    return false;
  }
}
