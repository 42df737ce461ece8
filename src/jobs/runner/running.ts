import { reportProgress } from "../../calls/index.js";
import { type Control, type Desired, isDesired, leftLog, logEvent, storedControl } from "../folder/control.js";
import { checkStillThere, type OpenedJob, refuseOtherBuild } from "../folder/manifest.js";
import { openPart, shardMeta } from "../folder/part.js";
import { finishJob, readResult } from "../folder/result.js";
import { type FolderStore, unlessDamaged } from "../folder/store.js";
import { JobTables, phasesOf, sumOf, UNITS } from "../plan/phases.js";
import { type Limits, limitsOf } from "../plan/space.js";
import type { ExportName, JobOptions, JobResult, Phase, Sector, Task } from "../types.js";
import { Forecast } from "./forecast.js";
import type { Throttle } from "./throttle.js";

const LOOK_MS = 100;

export interface Runner {
  /**
   * Calls `onTask` when the part of a task is stored. When the signal is aborted, ends the running tasks within
   * milliseconds, and throws the signal's reason. Throws the error of the first task that fails.
   */
  run(phase: Phase, tasks: readonly number[], call: RunnerCall): Promise<void>;
  close(): Promise<void>;
}

export interface RunnerCall {
  readonly signal: AbortSignal | undefined;
  /** `ms` is the time that the task took, if the runner knows it. `piece` is what a task of an export made. */
  readonly onTask: (k: number, ms?: number, piece?: unknown) => void;
  /** The sector that task k makes. Undefined for tasks that make no sectors. */
  readonly sectorOf?: ((k: number) => Sector) | undefined;
}

/** The abort reason of work whose request in `control.json` has changed. */
const PAUSED = new Error("the job was paused");

/**
 * Returns the result of `work`, or undefined if the request for the job changes before `work` ends. Calls `onLook` ten
 * times a second with an undamaged `control.json`. If `onLook` throws, the work ends with its error.
 */
export async function whileDesired<T>(
  store: FolderStore,
  desired: Desired,
  signal: AbortSignal | undefined,
  work: (stop: AbortSignal) => Promise<T>,
  onLook: (control: Control) => void = () => undefined,
): Promise<T | undefined> {
  const stop = new AbortController();
  const look = () => {
    let control: Control | undefined;
    try {
      control = storedControl(store);
    } catch {
      // if `control.json` cannot be read now, the next look tries again
      return;
    }
    try {
      if (control !== undefined) onLook(control);
      // a damaged file counts as a request to run, as in `readControl`
      if (!isDesired(store, desired, control ?? { desired: "run" })) stop.abort(PAUSED);
    } catch (cause) {
      stop.abort(cause);
    }
  };
  look();
  const timer = setInterval(look, LOOK_MS);
  try {
    return await work(signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]));
  } catch (cause) {
    logEvent(store, cause === PAUSED ? "paused" : "stopped", cause === PAUSED ? {} : { reason: String(cause) });
    if (cause === PAUSED) return undefined;
    throw cause;
  } finally {
    clearInterval(timer);
  }
}

export async function runPhases(
  job: OpenedJob,
  runner: Runner,
  {
    throttle,
    limits = limitsOf({ threads: 1 }),
    exports = [],
    ...call
  }: Pick<JobOptions, "onProgress" | "signal"> & {
    readonly throttle?: Throttle;
    readonly limits?: Limits;
    /** The exports that the job makes after its tasks. */
    readonly exports?: readonly ExportName[];
  },
): Promise<JobResult> {
  const { store } = job;
  try {
    const phases = phasesOf(job);
    const tables = new JobTables(job);
    const forecast = new Forecast(job, tables, limits, exports);
    const logLeft = leftLog(store);
    let share = 0;
    let report = () => {};
    throttle?.onWait.push(() => report());
    for (const phase of phases) {
      const tasks = tables.tasks(phase);
      const open = remainingOf(job, tasks);
      const whole = sumOf(tasks);
      const remaining = sumOf(open);
      forecast.begin(phase, tasks, open);
      let done = tasks.length - open.length;
      report = () => {
        // if a phase has more work than predicted, the computed share decreases, but the reported share must not
        share = Math.max(share, forecast.share);
        const counts = { done, tasks: tasks.length, amount: whole.amount - remaining.amount, total: whole.amount };
        const progress = { phase: phase.name, ...counts, unit: UNITS[phase.kind], share };
        const now = { seconds: throttle && forecast.seconds(throttle.atOnce), waits: throttle?.reason };
        logLeft(now.seconds);
        reportProgress(job.manifest.name, { ...progress, ...now }, call);
      };
      report();
      const list = open.map(({ k }) => k);
      const sectorOf = phase.kind === "cells" ? (k: number) => tables.sectors[k] : undefined;
      const onTask = (k: number, ms?: number) => {
        checkStillThere(store);
        done++;
        forecast.end(k, ms);
        remaining.amount -= tasks[k].amount;
        report();
      };
      await runner.run(phase, list, { signal: call.signal, sectorOf, onTask });
      logEvent(store, "phase finished", { phase: phase.name, tasks: tasks.length, made: open.length });
    }
    return finishJob(job, tables);
  } finally {
    await runner.close();
  }
}

/** Returns the first phase that is not finished. If all are finished, writes the result and returns undefined. */
export function openPhaseOrFinish(job: OpenedJob) {
  if (readResult(job) !== undefined) return undefined;
  refuseOtherBuild(job);
  const tables = new JobTables(job);
  for (const phase of phasesOf(job)) {
    const tasks = tables.tasks(phase);
    const remaining = remainingOf(job, tasks).map(({ k }) => k);
    if (remaining.length > 0) return { phase, tasks: tasks.length, remaining };
  }
  finishJob(job, tables);
  return undefined;
}

/**
 * Returns the name of the first phase with a missing part. Looks only at the names of the parts, because an array job
 * calls this for each of its tasks. If no part is missing, does the same as {@link openPhaseOrFinish}.
 *
 * @param asked - If this phase has a part, earlier phases are finished: a phase begins only after the ones before it.
 */
export function unfinishedPhase(job: OpenedJob, asked?: string): string | undefined {
  if (readResult(job) !== undefined) return undefined;
  refuseOtherBuild(job);
  const tables = new JobTables(job);
  const phases = phasesOf(job);
  const isStored = ({ part }: Task) => job.store.sizeOf(part) !== undefined;
  const begun = phases.find(({ name }) => name === asked);
  // the tasks of a phase may be known only when the phases before it are finished
  if (begun !== undefined && unlessDamaged(() => tables.tasks(begun).some(isStored)) === true) return asked;
  const isOpen = (phase: Phase) => tables.tasks(phase).findLast((task) => !isStored(task)) !== undefined;
  return phases.find(isOpen)?.name ?? openPhaseOrFinish(job)?.phase.name;
}

function remainingOf(job: OpenedJob, tasks: readonly Task[]): Task[] {
  return tasks.filter(({ part }) => !isDoneElseRemoved(job, part));
}

/** Whether a part is complete. If its head is damaged or wrong, or a further part is missing, deletes the part. */
export function isDoneElseRemoved(job: OpenedJob, part: string): boolean {
  const isDone = unlessDamaged(() => {
    const isShard = part.startsWith("parts/walk/");
    const opened = openPart(job, part, isShard ? shardMeta(part) : () => ({ steps: 0, further: [] }));
    if (opened === undefined) return false;
    return opened.meta.further.every((name) => openPart(job, name) !== undefined) || undefined;
  });
  if (isDone === undefined) job.store.remove(part);
  return isDone === true;
}
