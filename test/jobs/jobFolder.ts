import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { Manifest } from "../../src/jobs/folder/manifest.js";
import type { Phase } from "../../src/jobs/types.js";
import type { WorldInput } from "../../src/worlds/index.js";

/** Loads a file of build/modules: threads run JavaScript only. The types are those of src. */
export const built = async <T>(path: string): Promise<T> =>
  import(new URL(`../../build/modules/${path}`, import.meta.url).href);

export const { RollmillError } = await built<typeof import("../../src/errors/index.js")>("errors/index.js");
export const { jobOf } = await built<typeof import("../../src/jobs/plan/load.js")>("jobs/plan/load.js");
const { putChecked } = await built<typeof import("../../src/jobs/folder/store.js")>("jobs/folder/store.js");
export const { manifestOf, openManifest } =
  await built<typeof import("../../src/jobs/folder/manifest.js")>("jobs/folder/manifest.js");
export const { JobTables, phasesOf } =
  await built<typeof import("../../src/jobs/plan/phases.js")>("jobs/plan/phases.js");
export const { FolderStore } = await built<typeof import("../../src/jobs/folder/store.js")>("jobs/folder/store.js");
export const { inProcessRunner } =
  await built<typeof import("../../src/jobs/runner/threads.js")>("jobs/runner/threads.js");
export const { ThreadRunner } =
  await built<typeof import("../../src/jobs/runner/threads.js")>("jobs/runner/threads.js");

type Runner = import("../../src/jobs/runner/running.js").Runner;
type Store = import("../../src/jobs/folder/store.js").FolderStore;

/** A job in an empty folder. */
export interface JobFolder {
  readonly folder: string;
  readonly store: Store;
  readonly manifest: Manifest;
}

/** Starts a job in an empty folder; it is deleted after the tests of the calling file. */
export function newJob(
  world: WorldInput,
  extent?: { row0: number; col0: number; rows: number; cols: number },
): JobFolder {
  const folder = mkdtempSync(join(tmpdir(), "rollmill-jobs-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const { spec, issues } = jobOf(extent === undefined ? { world } : { world, extent });
  if (spec === undefined) throw new Error(JSON.stringify(issues));
  const manifest = manifestOf(spec, { seed: "moria", now: "2026-01-05T08:30", order: "row" });
  const store = new FolderStore(folder);
  putChecked(store, "manifest.json", manifest);
  return { folder, store, manifest };
}

/** Runs all tasks of all phases. Returns the finished tasks by phase. */
export async function runAll(
  { store, manifest }: JobFolder,
  runner: Runner,
  { signal, onTask }: { readonly signal?: AbortSignal; readonly onTask?: (phase: Phase, k: number) => void } = {},
): Promise<Readonly<Record<string, readonly number[]>>> {
  const job = await openManifest(store, manifest);
  const tables = new JobTables(job);
  const ended: Record<string, number[]> = {};
  for (const phase of phasesOf(job)) {
    const list: number[] = [];
    ended[phase.name] = list;
    await runner.run(
      phase,
      tables.tasks(phase).map(({ k }) => k),
      {
        signal,
        onTask: (k) => {
          list.push(k);
          onTask?.(phase, k);
        },
      },
    );
  }
  return ended;
}

/** Runs a job in the calling thread. */
export async function runHere({ store, manifest }: JobFolder) {
  return inProcessRunner(await openManifest(store, manifest), 2 ** 30, undefined);
}
