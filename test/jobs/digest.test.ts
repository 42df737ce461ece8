import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { createJob, type JobProgress, openJob, type PhaseStatus, resumeJob, startJob } from "../../src/jobs/index.js";
import type { WorldInput } from "../../src/worlds/index.js";
import { randomFrom } from "./kills.mjs";
import { finished, JOBS, MIXED, newFolder, newJob, REACHED, SCATTERED, SEED, SMALL, worldDigest } from "./samples.js";

test("walkers without steps visit their start cells", async () => {
  const input = {
    name: "start",
    world: {
      layers: [{ name: "land", walkers: 5, steps: 0 }],
      terrain: [{ terrain: "land", when: { land: { visits: [1, null] } } }, { terrain: "sea" }],
    },
    extent: { row0: -4, col0: -4, rows: 9, cols: 9 },
  } as const;
  const result = await finished(startJob(newFolder(), input, { ...SMALL, seed: SEED }));
  expect(result.totals.terrain).toEqual({ land: 1, sea: 80 });
  expect(result.world).toBe(worldDigest(input, result));
});

test("layers that read fields are those of the world", async () => {
  const scatter = { side: 64, density: "1/90" } as const;
  const input = {
    name: "rivers",
    world: {
      layers: [
        { name: "rivers", steps: 80, scatter, start: { field: "height", from: 36_000 }, slope: { field: "height" } },
        { name: "lakes", stuck: "rivers" },
      ],
      fields: [{ name: "height", kind: "noise", scale: 32, octaves: 2 }],
      terrain: [{ terrain: "lake", when: { lakes: { within: 1 } } }, { terrain: "land" }],
    },
    extent: { row0: -40, col0: 1000, rows: 90, cols: 70 },
    visits: ["lakes", "rivers"],
  } as const;
  const result = await finished(startJob(newFolder(), input, { ...SMALL, seed: SEED }));
  expect(result.totals.terrain.lake).toBeGreaterThan(0);
  expect(result.world).toBe(worldDigest(input, result));
});

test("with paths, the digest is that of the world, whatever the memory", async () => {
  const input = {
    name: "vale",
    world: {
      layers: [{ name: "land" }],
      fields: [{ name: "height", kind: "noise", scale: 32, octaves: 2 }],
      terrain: [{ terrain: "lake", when: { height: [0, 25_000] } }, { terrain: "meadow" }],
      placements: [{ name: "village", on: ["meadow"], density: "1/300", distance: 15 }],
      paths: [{ name: "road", between: ["village"], within: 60, cost: { lake: 9 }, terrain: "road" }],
    },
    extent: { row0: -130, col0: 900, rows: 300, cols: 260 },
  } as const;
  for (const maxMemory of [SMALL.maxMemory, 2 ** 30]) {
    const result = await finished(startJob(newFolder(), input, { ...SMALL, maxMemory, seed: SEED }));
    expect(result.totals.terrain.road).toBeGreaterThan(1000);
    expect(result.world).toBe(worldDigest(input, result));
  }
});

describe("the steps of a job (audit 4)", () => {
  test("of scattered layers are those of the walkers in each region with cells of the extent", async () => {
    const { totals } = await finished((await newJob(SCATTERED)).run(SMALL));
    const walk = createMill({ seed: SEED }).walk("walk", { layers: (SCATTERED.world as WorldInput).layers });
    let steps = 0;
    // rows -1040 to 59 and columns -37 to 42, in regions of 256 × 256 cells
    for (let i = -5; i <= 0; i++)
      for (let j = -1; j <= 0; j++) steps += walk.runLayer({ region: [i, j] }).walkerTotals?.steps ?? 0;
    expect(totals.steps).toBe(steps);
  });

  test("of layers of both kinds are added up", async () => {
    const { totals } = await finished((await newJob(MIXED)).run(SMALL));
    // ponds: regions of 128 × 128 cells. Rivers end early
    const [land, ponds, reefs] = [6 * 5000, 10 * 2 * 2 * 90, 4 * 800];
    expect(totals.steps).toBeGreaterThan(land + ponds + reefs);
    expect(totals.steps).toBeLessThan(land + ponds + reefs + 5 * 700);
  });
});

describe.each(Object.entries(JOBS))("%s", (_, input) => {
  test("the digest is that of the world, in every order and with every memory", async () => {
    const one = await finished(startJob(newFolder(), input, { ...SMALL, seed: SEED }));
    expect(one.world).toBe(worldDigest(input, one));
    const other = await finished(
      startJob(newFolder(), input, { threads: 1, maxMemory: 2 ** 30, seed: SEED, order: "row" }),
    );
    // the heads of parts contain the hash of the manifest, which contains the order
    expect(other).toEqual({ ...one, parts: other.parts });
    expect(Object.keys(other.parts).sort()).toEqual(Object.keys(one.parts).sort());
    const { extent, totals } = one;
    expect(totals.cells).toBe(extent.rows * extent.cols);
    expect(Object.values(totals.terrain).reduce((sum, count) => sum + count, 0)).toBe(totals.cells);
    expect(totals.placements.tree).toBeGreaterThan(0);
  });

  test("a job that is paused after any task goes on to the same digest", async () => {
    const whole = await finished((await newJob(input)).run(SMALL));
    const random = randomFrom(7);
    const job = await newJob(input);
    let result: typeof whole | undefined;
    let pauses = 0;
    while (result === undefined) {
      const stop = new AbortController();
      let left = 1 + Math.floor(random() * 6);
      let last: JobProgress | undefined;
      const onProgress = (progress: JobProgress) => {
        if (last?.phase === progress.phase && last.done < progress.done && --left === 0)
          stop.abort(new Error("enough"));
        last = progress;
      };
      // each time in a new process, as far as the files tell
      const again = await openJob(job.folder);
      result = await again.run({ ...SMALL, signal: stop.signal, onProgress }).catch((cause: Error) => {
        expect(cause.message).toBe("enough");
        pauses++;
        return undefined;
      });
    }
    expect(pauses).toBeGreaterThan(0);
    expect(result).toEqual(whole);
  });

  test("tasks of work in random order give the same digest", async () => {
    const whole = await finished((await newJob(input)).run(SMALL));
    const job = await newJob(input);
    const random = randomFrom(3);
    for (let isFinished = false; !isFinished; ) {
      const phase = job.status().phases.find(({ done = 0, tasks = 1 }) => done < tasks);
      const order = Array.from({ length: phase?.tasks ?? 0 }, (_, k) => k);
      order.sort(() => random() - 0.5);
      for (const task of order) isFinished = job.work({ task, phase: phase?.name, maxMemory: 2 ** 26 });
    }
    expect(job.status().result).toEqual(whole);
  });
});

describe("progress", () => {
  test("grows from 0 to 1, phase by phase, and counts steps, sectors and cells", async () => {
    const seen: {
      phase: string;
      unit: string;
      amount: number;
      total: number;
      share: number;
      done: number;
      tasks: number;
    }[] = [];
    const { totals } = await finished(
      (await newJob(REACHED)).run({ ...SMALL, onProgress: (one) => void seen.push(one) }),
    );
    expect(seen.map(({ share }) => share)).toEqual(seen.map(({ share }) => share).toSorted((a, b) => a - b));
    expect([seen[0].share, seen.at(-1)?.share]).toEqual([0, 1]);
    const ends = seen.filter(({ done, tasks }) => done === tasks);
    expect(ends.map(({ phase, unit, amount, total }) => [phase, unit, amount === total, total])).toEqual([
      ["walk land", "steps", true, totals.steps],
      ["merge land", "sectors", true, ends[1].tasks],
      ["cells", "cells", true, totals.cells],
    ]);
  });

  test("an onProgress that throws or returns a promise ends the run with argument.callback", async () => {
    const fails = () => {
      throw new Error("no");
    };
    for (const onProgress of [fails, async () => undefined]) {
      await expect((await newJob(REACHED)).run({ ...SMALL, onProgress })).rejects.toMatchObject({
        code: "argument.callback",
      });
    }
  });
});

describe("the seed", () => {
  test("of the call replaces that of the job; without both, there is no job", async () => {
    const job = await createJob(newFolder(), { ...REACHED, seed: 5 });
    expect(job.seed).toBe("5");
    expect((await createJob(newFolder(), { ...REACHED, seed: 5 }, { seed: "x" })).seed).toBe("x");
    await expect(createJob(newFolder(), REACHED)).rejects.toMatchObject({ code: "argument.type" });
  });
});

describe("clean", () => {
  test("needs a finished job; the result stays complete, and repair walks again", async () => {
    const job = await newJob(MIXED);
    expect(() => job.clean()).toThrow(expect.objectContaining({ code: "job.task" }));
    const seen = new Map<string, PhaseStatus>();
    const onProgress = ({ phase, done, tasks }: JobProgress) => seen.set(phase, { name: phase, done, tasks });
    const { digest } = await finished(job.run({ ...SMALL, onProgress }));
    const phases = [...seen.values()];
    expect(phases.map(({ name }) => name)).toContain("merge rivers");
    expect(job.status().phases).toEqual(phases);
    expect(job.clean()).toBeGreaterThan(0);
    const left = readdirSync(join(job.folder, "parts"), { recursive: true, encoding: "utf8" });
    expect(left.filter((name) => name.endsWith(".part") && !name.startsWith("cells"))).toEqual([]);
    expect(job.verify()).toEqual([]);
    // only the deleted parts tell how many tasks a merge had
    const isMerge = ({ name }: PhaseStatus) => name.startsWith("merge ");
    const known = phases.map((one) => (isMerge(one) ? { ...one, done: undefined, tasks: undefined } : one));
    expect(job.status()).toMatchObject({ state: "finished", share: 1, phases: known });
    expect((await finished(resumeJob(job.folder, SMALL))).digest).toBe(digest);
    const [cells] = readdirSync(join(job.folder, "parts/cells"));
    rmSync(join(job.folder, "parts/cells", cells));
    expect(job.verify({ repair: true }).map(({ file }) => file)).toEqual([`parts/cells/${cells}`]);
    expect((await finished(job.run(SMALL))).digest).toBe(digest);
  });
});
