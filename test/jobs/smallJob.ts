import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { manifestOf, openManifest } from "../../src/jobs/folder/manifest.js";
import { FolderStore } from "../../src/jobs/folder/store.js";
import type { JobInput } from "../../src/jobs/index.js";
import { jobOf } from "../../src/jobs/plan/load.js";
import { phasesOf } from "../../src/jobs/plan/phases.js";
import { TaskContext } from "../../src/jobs/tasks/context.js";
import { runTask } from "../../src/jobs/tasks/run.js";
import type { PhaseKind, SectorOrder } from "../../src/jobs/types.js";
import { specOf } from "../../src/spec/index.js";

export const SEED = "moria";

/** Opens a job in a folder of its own. */
export async function openJob(
  input: JobInput,
  { order = "row", signal }: { readonly order?: SectorOrder; readonly signal?: AbortSignal } = {},
): Promise<TaskContext> {
  const folder = mkdtempSync(join(tmpdir(), "rollmill-job-"));
  const manifest = manifestOf(specOf(jobOf(input)), { seed: SEED, now: "2026-01-05T08:30", order });
  const job = await openManifest(new FolderStore(folder), manifest);
  const context = new TaskContext(job, 2 ** 28, signal);
  onTestFinished(() => {
    context.dispose();
    rmSync(folder, { recursive: true });
  });
  return context;
}

/** Runs all tasks of some phases. `arrange` changes the order of the tasks of a phase. */
export function runPhases(
  context: TaskContext,
  kinds: readonly PhaseKind[],
  arrange: (tasks: number[]) => number[] = (tasks) => tasks,
): void {
  for (const phase of phasesOf(context.job)) {
    if (!kinds.includes(phase.kind)) continue;
    const tasks = context.tables.tasks(phase).map(({ k }) => k);
    for (const k of arrange(tasks)) runTask(context, phase, k);
  }
}

/** The phases up to the placements of all sectors. */
export const TO_CELLS = ["walk", "merge", "cells"] as const satisfies readonly PhaseKind[];
