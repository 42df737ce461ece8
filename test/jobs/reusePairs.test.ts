import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type JobInput, startJob } from "../../src/jobs/index.js";
import type { WorldInput } from "../../src/worlds/index.js";
import { IS_SOAK } from "../soak.js";
import { Dice, randomWorld, uprightWorld } from "../worlds/randomWorld.js";
import { finished, NOW, SMALL } from "./samples.js";

/** Number of pairs of worlds. `npm run soak:cases` compares all of them. */
const PAIRS = IS_SOAK ? 300 : 6;
const SIDE = 256;

const root = mkdtempSync(join(tmpdir(), "rollmill-pairs-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

type World = WorldInput & Record<string, unknown>;
type Change = (job: JobInput, world: World, dice: Dice) => JobInput;

const withWorld = (job: JobInput, world: object): JobInput => ({ ...job, world: world as WorldInput });

/** Replaces a random entry of a list of the world. Returns the world unchanged if the list has no entries. */
function withEntry(job: JobInput, world: World, list: "layers" | "terrain" | "placements", dice: Dice, change: object) {
  const entries = (world[list] ?? []) as readonly object[];
  if (entries.length === 0) return job;
  const chosen = dice.integer(0, entries.length - 1);
  return withWorld(job, { ...world, [list]: entries.map((one, n) => (n === chosen ? { ...one, ...change } : one)) });
}

const CHANGES: readonly Change[] = [
  (job, world, dice) => withEntry(job, world, "placements", dice, { color: "#010203" }),
  (job, world, dice) => withEntry(job, world, "placements", dice, { density: "1/77" }),
  (job, world, dice) => withEntry(job, world, "placements", dice, { distance: 3 }),
  (job, world, dice) => withEntry(job, world, "layers", dice, { steps: 17 }),
  (job, world) =>
    withWorld(job, { ...world, placements: [...(world.placements ?? []), { name: "new", density: "1/60" }] }),
  (job, world) => withWorld(job, { ...world, placements: (world.placements ?? []).slice(0, -1) }),
  (job, world) =>
    withWorld(job, { ...world, layers: [...world.layers, { name: "new", preset: "uniform", walkers: 1, steps: 9 }] }),
  (job, world) => withWorld(job, { ...world, terrain: world.terrain?.slice(1) }),
  (job, world) =>
    withWorld(job, { ...world, tables: { ...(world.tables as object), chest: "result,weight\ngem,1\n" } }),
  (job) => ({ ...job, seed: "other" }),
  (job, world) => withWorld(job, { ...world, name: "other" }),
  (job, { layers }) => ({ ...job, visits: layers.slice(1).map(({ name }) => name) }),
  (job) => {
    const extent = job.extent as { readonly rows: number };
    return { ...job, extent: { ...(job.extent as object), rows: extent.rows + SIDE } as JobInput["extent"] };
  },
];

/** Returns job number n. The extent of every second job has whole regions, so that their contents can be taken. */
function jobOf(number: number): JobInput {
  const found = randomWorld(number);
  const { seed, name, window, input } =
    number % 3 === 0 && found.input.grid === undefined ? uprightWorld(found) : found;
  const { row: row0, col: col0, rows, cols } = window;
  const aligned = {
    row0: SIDE * Math.floor(row0 / SIDE),
    col0: SIDE * Math.floor(col0 / SIDE),
    rows: SIDE,
    cols: SIDE,
  };
  const isWhole = number % 2 === 0 && input.grid === undefined;
  return {
    name: "job",
    seed: seed || "none",
    world: { name, ...input },
    extent: isWhole ? aligned : { row0, col0, rows, cols },
  };
}

async function digestOf(folder: string, job: JobInput, from?: string): Promise<string | undefined> {
  const path = join(root, folder);
  const earlier = from === undefined ? undefined : join(root, from);
  return (await finished(startJob(path, job, { seed: job.seed, now: NOW, from: earlier, ...SMALL }))).digest;
}

const numbers = Array.from({ length: PAIRS }, (_, n) => n);
test.each(numbers)("a job that takes parts of an earlier job has the digest of a fresh one: pair %d", async (n) => {
  const dice = new Dice(`pair ${n}`);
  const before = jobOf(n);
  const after = CHANGES[n % CHANGES.length](before, before.world as World, dice);
  await digestOf(`${n} before`, before);
  const fresh = await digestOf(`${n} fresh`, after).catch((cause: { code?: string }) => cause.code);
  const again = await digestOf(`${n} again`, after, `${n} before`).catch((cause: { code?: string }) => cause.code);
  expect(again).toBe(fresh);
});
