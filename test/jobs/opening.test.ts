import { beforeEach, describe, expect, test, vi } from "vitest";
import { openManifest } from "../../src/jobs/folder/manifest.js";
import { FolderStore } from "../../src/jobs/folder/store.js";
import { createJob, jobOf, loadJob, openJob, planJob } from "../../src/jobs/index.js";
import { TaskContext } from "../../src/jobs/tasks/context.js";
import { specOf } from "../../src/spec/index.js";
import type * as Compile from "../../src/walks/compile.js";
import type * as Parse from "../../src/worlds/parse.js";
import { newFolder, SMALL } from "./samples.js";

const calls = vi.hoisted(() => ({ parse: 0, compile: 0 }));

vi.mock("../../src/worlds/parse.js", async (importOriginal) => {
  const real = await importOriginal<typeof Parse>();
  const parseWorld: typeof real.parseWorld = (...args) => {
    calls.parse++;
    return real.parseWorld(...args);
  };
  return { ...real, parseWorld };
});

vi.mock("../../src/walks/compile.js", async (importOriginal) => {
  const real = await importOriginal<typeof Compile>();
  const compileWalk: typeof real.compileWalk = (...args) => {
    calls.compile++;
    return real.compileWalk(...args);
  };
  return { ...real, compileWalk };
});

beforeEach(() => {
  Object.assign(calls, { parse: 0, compile: 0 });
});

const WORLD = {
  layers: [{ name: "land", preset: "uniform", walkers: 8, steps: 500 }],
  terrain: [{ terrain: "land", when: { land: { visits: [1, null] } } }, { terrain: "sea" }],
  placements: [{ name: "hut", on: ["land"], density: "1/50", content: { table: "loot" } }],
  tables: { loot: { rows: { loot: [{ result: "gold", weight: 1 }] } } },
} as const;
const JOB = { world: WORLD, bulk: [{ name: "coins", table: "loot", count: 5 }] } as const;

describe("the world of a job is parsed once and compiled once", () => {
  test.each([
    ["a job in a file", () => loadJob("job.json", () => JSON.stringify(JOB)).then(specOf)],
    ["a job in memory", async () => specOf(jobOf(JOB))],
  ])("from %s, when it is planned, created and run", async (_, read) => {
    const source = await read();
    await planJob(source);
    const job = await createJob(newFolder(), source, { seed: 1 });
    expect(await job.run(SMALL)).toBeDefined();
    expect(calls).toEqual({ parse: 1, compile: 1 });
  });

  test("when it is opened and resumed", async () => {
    const { folder } = await createJob(newFolder(), JOB, { seed: 1 });
    Object.assign(calls, { parse: 0, compile: 0 });
    const job = await openJob(folder);
    expect(await job.run(SMALL)).toBeDefined();
    expect(calls).toEqual({ parse: 1, compile: 1 });
  });

  test("in each thread", async () => {
    const { folder } = await createJob(newFolder(), JOB, { seed: 1 });
    Object.assign(calls, { parse: 0, compile: 0 });
    const context = new TaskContext(await openManifest(new FolderStore(folder)), 2 ** 28, undefined);
    expect(context.world.name).toBe(context.job.manifest.world);
    context.dispose();
    expect(calls).toEqual({ parse: 1, compile: 1 });
  });
});
