import { refusePromise, refuseThrown } from "../../calls/index.js";
import { logEvent, type Wish, watchWish } from "../folder/control.js";
import { checkStillThere, type JobFiles } from "../folder/manifest.js";
import { finishJob } from "../folder/result.js";
import type { JobStore } from "../folder/storeTypes.js";
import { costOf, JobTables, phasesOf } from "../plan/phases.js";
import type { JobOptions, JobProgress, JobResult, Phase } from "../types.js";
import { isDoneElseRemoved } from "./remaining.js";
import type { Runner } from "./types.js";

/** Time between two looks of the runner at its requests, in milliseconds. */
const LOOK_MS = 100;

/** The abort reason of work whose request in `control.json` has changed. */
const PAUSED = new Error("the job was paused");

/** Does some work until it ends, or until the request for the job changes. Returns undefined if the request changes. */
export async function whileWished<T>(
  store: JobStore,
  { wish, signal }: { readonly wish: Wish; readonly signal: AbortSignal | undefined },
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const stop = new AbortController();
  const abort = () => stop.abort(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  const unwatch = watchWish(store, wish, { everyMs: LOOK_MS, onChange: () => stop.abort(PAUSED) });
  try {
    return await work(stop.signal);
  } catch (cause) {
    logEvent(store, cause === PAUSED ? "paused" : "stopped", cause === PAUSED ? {} : { reason: String(cause) });
    if (cause === PAUSED) return undefined;
    throw cause;
  } finally {
    unwatch();
    signal?.removeEventListener("abort", abort);
  }
}

/** Runs the tasks that are left, phase by phase, and writes the result. Closes the runner. */
export async function runPhases(
  { job, store }: JobFiles,
  runner: Runner,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: JobOptions["onProgress"] },
): Promise<JobResult> {
  try {
    const phases = phasesOf(job);
    const tables = new JobTables(job, store);
    let [before, share] = [0, 0];
    for (const [p, phase] of phases.entries()) {
      const tasks = tables.tasks(phase);
      const amounts = tables.amounts(phase);
      const total = phases
        .slice(p + 1)
        .reduce((sum, later) => sum + costOfOpen(tables, later, sum), before + costOf(tasks));
      const whole = tasks.reduce((sum, { k }) => sum + amounts.of(k), 0);
      const open = tasks.filter(({ part }) => !isDoneElseRemoved({ job, store }, part));
      let [done, spent] = [tasks.length - open.length, before + costOf(tasks) - costOf(open)];
      let amount = whole - open.reduce((sum, { k }) => sum + amounts.of(k), 0);
      const report = () => {
        // if a phase has more tasks than the guess, the computed share decreases, but the reported share must not
        share = Math.max(share, total === 0 ? 1 : spent / total);
        const { unit } = amounts;
        const progress = { phase: phase.name, done, tasks: tasks.length, amount, total: whole, unit, share };
        reportProgress(job.manifest.name, progress, { onProgress, signal });
      };
      report();
      await runner.run(
        phase,
        open.map(({ k }) => k),
        {
          signal,
          sectorOf: phase.kind === "cells" ? (k) => tables.sectors[k] : undefined,
          onTask: (k) => {
            checkStillThere(store);
            done++;
            spent += tasks[k].cost;
            amount += amounts.of(k);
            report();
          },
        },
      );
      before += costOf(tasks);
      logEvent(store, "phase finished", { phase: phase.name, tasks: tasks.length, made: open.length });
    }
    return finishJob({ job, store, tables });
  } finally {
    await runner.close();
  }
}

/** Calls `onProgress`. */
export function reportProgress(
  name: string,
  progress: JobProgress,
  { onProgress, signal }: Pick<JobOptions, "onProgress" | "signal">,
): void {
  if (onProgress === undefined) return;
  const callback = { what: `"onProgress" of ${JSON.stringify(name)}` };
  let returned: unknown;
  try {
    returned = onProgress(progress);
  } catch (cause) {
    // `onProgress` aborted the signal and threw the signal's reason: an abort, not an error of the callback
    if (signal?.aborted === true && cause === signal.reason) throw cause;
    refuseThrown(callback, cause);
  }
  refusePromise(returned, callback);
}

/** The cost of a phase in nanoseconds. A guess if its tasks are not known yet. */
function costOfOpen(tables: JobTables, phase: Phase, before: number): number {
  return tables.fixedCount(phase) === undefined ? tables.guess(phase, before) : costOf(tables.tasks(phase));
}
