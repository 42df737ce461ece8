import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMill } from "../../src/index.js";
import { type Job, type JobInput, type JobResult, openJob, startJob } from "../../src/jobs/index.js";
import type { WorldInput } from "../../src/worlds/index.js";

/** A world with a finite and a scattered layer, and with each kind of content. */
export const WORLD: WorldInput = {
  name: "shelf",
  layers: [
    { name: "land", preset: "five-ways", walkers: 30, steps: 4000 },
    { name: "woods", preset: "uniform", steps: 150, scatter: { walkers: 6 } },
  ],
  terrain: [
    { terrain: "crystal", when: { chance: "1/50" }, color: "#b58be0" },
    { terrain: "land", when: { land: { visits: [1, null] } }, color: "#8fb56a" },
    { terrain: "wood", when: { woods: { within: 1 } }, color: "#2f6b3a" },
    { terrain: "sea", color: "#2f6c9e" },
  ],
  placements: [
    { name: "stores", on: ["land"], density: "1/20", content: { table: "stores" } },
    { name: "beast", on: ["wood"], density: "1/30", distance: 2, content: { pools: "beasts", pool: "beasts" } },
    { name: "relic", on: ["crystal"], density: "1/10", content: { pools: "relics", pool: "relics", stock: "world" } },
    { name: "blade", on: ["sea"], density: "1/500", content: { recipe: "weapon", tier: 2 } },
    { name: "cairn", on: ["wood"], density: "1/100" },
    {
      name: "camp",
      on: ["wood", "land"],
      density: "1/60",
      contents: {
        loot: { table: "herbs", on: { land: { table: "hay" } } },
        relic: { pools: "relics", pool: "relics", stock: "world" },
        guard: { drops: "orc" },
      },
    },
  ],
  realms: [{ name: "march", of: "camp", within: 20 }],
  drops: { orc: { rolls: "0-2", table: "result,weight\ntooth,2\n,1\n" } },
  tables: {
    hay: "result,weight\nhay,1\n",
    herbs: "result,weight\nmint,1\nthyme,3\n",
    stores: {
      rows: {
        Stores: [
          { result: "bread", weight: 3, quantity: "1d4" },
          { result: "rope", weight: 2 },
          { result: null, weight: 1 },
        ],
      },
    },
  },
  recipes: { weapon: "weapon" },
  pools: {
    beasts: {
      roots: {
        beasts: {
          kind: "infinite",
          records: [
            { id: "rat", mass: 3 },
            { id: "troll", mass: 1 },
          ],
        },
      },
    },
    relics: {
      roots: {
        relics: {
          kind: "finite",
          records: [
            { id: "key", mass: 2, quantity: 50 },
            { id: "ring", mass: 1, quantity: 1 },
          ],
        },
      },
    },
  },
};

/** Cells in four sectors, some with negative rows and columns. */
export const EXTENT = { row0: -130, col0: -70, rows: 300, cols: 220 };
/** A part of these cells, in all four sectors. */
export const WINDOW = { row0: -41, col0: -13, rows: 97, cols: 75 };

export const JOB: JobInput = { name: "shelf", world: WORLD, seed: "moria", extent: EXTENT };

/** A finished job in a temporary folder. */
export interface FinishedJob {
  readonly job: Job;
  readonly result: JobResult;
  /** A folder for exports. */
  readonly folder: string;
  readonly remove: () => Promise<void>;
}

/** Runs a job in the calling thread. */
export async function finishedJob(input: JobInput = JOB): Promise<FinishedJob> {
  const folder = await mkdtemp(join(tmpdir(), "rollmill-exports-"));
  const result = await startJob(join(folder, "job"), input, { threads: 1 });
  if (result === undefined) throw new Error("the job was paused");
  const remove = () => rm(folder, { recursive: true, force: true });
  return { job: await openJob(join(folder, "job")), result, folder, remove };
}

/** The cells of the job, made by the library without a job. */
export function windowOf({ row0, col0, rows, cols }: typeof EXTENT) {
  return createMill({ seed: "moria" })
    .world("shelf", WORLD)
    .window({ row0, col0, rows, cols }, { visits: ["land", "woods"] });
}

/** The custom properties of a map or an object of Tiled. */
export function valuesIn(properties: unknown): Record<string, unknown> {
  const list = (properties ?? []) as { name: string; value: unknown }[];
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}

/** The values in a content by their paths, as an export for Tiled has them. */
export function leavesOf(path: string, value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (Array.isArray(value)) return { [path]: JSON.stringify(value) };
  if (typeof value !== "object") return { [path]: value };
  return Object.assign({}, ...Object.entries(value).map(([key, part]) => leavesOf(`${path}.${key}`, part)));
}
