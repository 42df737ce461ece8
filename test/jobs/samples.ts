import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createMill } from "../../src/index.js";
import { createJob, type Job, type JobInput, type JobOptions, type JobResult } from "../../src/jobs/index.js";
import type { WorldInput } from "../../src/worlds/index.js";

export const SEED = "moria";
/** The time that jobs see. The heads of parts contain the hash of the manifest, which contains the time. */
export const NOW = "2026-01-05T08:30";
/** Runs in the calling thread, in little memory. */
export const SMALL: JobOptions = { threads: 1, maxMemory: 2 ** 26 };

const TERRAIN = [
  { terrain: "hill", when: { land: { visits: [3, null] } } },
  { terrain: "coast", when: { land: { within: 3 } }, tags: ["dry"] },
  { terrain: "sea" },
] as const;
const PLACEMENTS = [
  { name: "tree", density: "1/30", distance: 2 },
  { name: "chest", on: ["coast"], density: "1/50", content: { table: "loot" } },
] as const;
const REST = {
  terrain: TERRAIN,
  placements: PLACEMENTS,
  tables: {
    loot: {
      rows: {
        loot: [
          { result: "gold", weight: 3 },
          { result: "gem", weight: 1, quantity: "1d4" },
        ],
      },
    },
  },
} as const;

/** Walkers of finite layers only. The cells that they reach decide the extent. */
export const REACHED: JobInput = {
  world: { layers: [{ name: "land", preset: "five-ways", walkers: 11, steps: 9000 }], ...REST },
};

/** A finite layer on a grid whose last sectors are not complete. */
export const BOUNDED: JobInput = {
  world: {
    grid: { kind: "bounded", rows: 1100, cols: 1300 },
    layers: [{ name: "land", preset: "uniform", walkers: 9, steps: 6000, start: { rect: [900, 900, 1090, 1290] } }],
    ...REST,
  },
};

/** A corner that is not the corner of a sector, and negative cells. */
const ACROSS = { row0: -1040, col0: -37, rows: 1100, cols: 80 } as const;

/** Scattered layers only. */
export const SCATTERED: JobInput = {
  world: { layers: [{ name: "land", preset: "uniform", steps: 200, scatter: { side: 256, walkers: 5 } }], ...REST },
  extent: ACROSS,
};

/** Layers of both kinds, with first visits. The rivers end on the land or avoid it. */
export const MIXED: JobInput = {
  name: "mixed",
  world: {
    name: "both",
    layers: [
      { name: "land", preset: "five-ways", walkers: 6, steps: 5000, firstVisit: true },
      { name: "ponds", preset: "uniform", steps: 90, scatter: { side: 128, walkers: 2 } },
      {
        name: "rivers",
        preset: "five-ways",
        walkers: 5,
        steps: 700,
        start: { layer: "land" },
        until: { outside: "land" },
      },
      {
        name: "reefs",
        preset: "uniform",
        walkers: 4,
        steps: 800,
        start: { rect: [-900, -30, -800, 40] },
        closed: { layers: ["land"] },
      },
    ],
    ...REST,
  },
  extent: ACROSS,
};

/** Every kind of world, by name. */
export const JOBS: Readonly<Record<string, JobInput>> = {
  "finite layers, reached cells": REACHED,
  "a finite layer on a bounded grid": BOUNDED,
  "scattered layers": SCATTERED,
  "both kinds of layers, first visits, until and closed": MIXED,
};

/** Returns the path of a folder that does not exist yet. It is deleted after the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "rollmill-job-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "job");
}

/** Creates a job in a new folder. */
export function newJob(input: JobInput, seed = SEED): Promise<Job> {
  return createJob(newFolder(), input, { seed, now: NOW });
}

/** The digest that a world has without a job. */
export function worldDigest({ world }: JobInput, { extent }: JobResult): string {
  const { name = "world" } = world as WorldInput;
  const { row0, col0, rows, cols } = extent;
  return createMill({ seed: SEED })
    .world(name, world as WorldInput)
    .digest({ row0, col0, rows, cols });
}

/** The result of a run that nobody pauses. */
export async function finished(running: Promise<JobResult | undefined>): Promise<JobResult> {
  const result = await running;
  if (result === undefined) throw new Error("the job was paused");
  return result;
}
