import { execFile, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { RollmillError } from "../../src/errors/index.js";
import { whileLocked } from "../../src/files/lock.js";
import { checkedText, FolderStore, readChecked } from "../../src/jobs/folder/store.js";
import {
  checkSpace,
  createJob,
  type JobInput,
  jobOf,
  loadJob,
  openJob,
  parseJob,
  planJob,
  resumeJob,
  startJob,
} from "../../src/jobs/index.js";
import { specOf } from "../../src/spec/index.js";
import type { WorldInput } from "../../src/worlds/index.js";
import { BIN, rollmill } from "../cli/rollmill.js";
import { codeOf } from "../refusal.js";
import { BOUNDED, finished, NOW, newFolder, newJob, REACHED, SCATTERED, SEED, SMALL } from "./samples.js";

/** The code of the error that something asynchronous throws, and the first place that it names. */
async function flawOf(work: Promise<unknown>): Promise<readonly unknown[]> {
  const cause: unknown = await work.then(
    () => undefined,
    (thrown) => thrown,
  );
  if (!(cause instanceof RollmillError)) throw cause ?? new Error("nothing was thrown");
  return [cause.code, cause.issues[0].where.path];
}

const NOBODY = 65534;

/** Runs the command as a user without special rights, and returns what it prints. Root may write everywhere. */
async function asUser(args: readonly string[]): Promise<string> {
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const { stdout } = await promisify(execFile)(process.execPath, [BIN, ...args], { ...user, encoding: "utf8" });
  return stdout;
}

describe("one job in a folder", () => {
  test("a second start finds the first job", async () => {
    const job = await newJob(REACHED);
    expect(await flawOf(createJob(job.folder, REACHED, { seed: 5 }))).toEqual(["job.exists", undefined]);
    expect((await openJob(job.folder)).seed).toBe(SEED);
  });

  test("of several starts at once, one makes the job", async () => {
    const folder = newFolder();
    const starts = Array.from({ length: 8 }, (_, seed) => startJob(folder, REACHED, { ...SMALL, seed, now: NOW }));
    const ends = await Promise.allSettled(starts);
    const results = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
    const codes = ends.flatMap((end) => (end.status === "rejected" ? [end.reason.code] : []));
    expect(results).toHaveLength(1);
    expect([...new Set(codes)].filter((code) => code !== "job.exists" && code !== "file.busy")).toEqual([]);
    const { seed } = await openJob(folder);
    expect(await startJob(newFolder(), REACHED, { ...SMALL, seed, now: NOW })).toEqual(results[0]);
  });

  test("parts without a manifest are parts of another job", async () => {
    const job = await newJob(REACHED);
    await finished(job.run(SMALL));
    rmSync(join(job.folder, "manifest.json"));
    expect(await flawOf(createJob(job.folder, REACHED, { seed: 5 }))).toEqual(["job.exists", undefined]);
  });
});

describe("a script on the command line", () => {
  test("can start a job in threads", async () => {
    const jobs = new URL("../../dist/jobs/index.js", import.meta.url).href;
    const folder = newFolder();
    const given = JSON.stringify({ folder, job: REACHED, options: { threads: 2, maxMemory: 2 ** 27, seed: SEED } });
    const script = `
      const { startJob } = await import(${JSON.stringify(jobs)});
      const { folder, job, options } = ${given};
      console.log((await startJob(folder, job, options)).digest);`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
    const { digest } = await finished(startJob(newFolder(), REACHED, { ...SMALL, seed: SEED }));
    expect(stdout.trim()).toBe(digest);
  });
});

describe("the lock of a runner", () => {
  const ownerIn = async (folder: string) => {
    const lock = join(folder, "runner.lock");
    const text = await whileLocked(lock, async () => readFileSync(join(lock, "owner.json"), "utf8"));
    return { lock, owner: JSON.parse(text) as object };
  };

  test("of a killed process is taken over, and does not count as running", async () => {
    const job = await newJob(REACHED);
    const { lock, owner } = await ownerIn(job.folder);
    mkdirSync(lock);
    writeFileSync(join(lock, "owner.json"), JSON.stringify({ ...owner, id: "dead", pid: spawnSync("true").pid }));
    expect(job.status().state).toBe("stopped");
    expect((await finished(job.run(SMALL))).digest).toMatch(/^[0-9a-f]{64}$/);
  });

  test("of another machine counts as running until a name in the folder changes 10 minutes later", async () => {
    const job = await newJob(REACHED);
    const { lock, owner } = await ownerIn(job.folder);
    mkdirSync(lock);
    writeFileSync(join(lock, "owner.json"), JSON.stringify({ ...owner, id: "other", host: "elsewhere.example" }));
    const seconds = Date.now() / 1000;
    utimesSync(lock, seconds - 660, seconds - 660);
    utimesSync(job.folder, seconds - 100, seconds - 100);
    expect(job.status().state).toBe("running");
    // the request to pause is a new file in the folder
    job.pause();
    expect(job.status().state).toBe("paused");
    utimesSync(lock, seconds - 500, seconds - 500);
    expect(job.status().state).toBe("running");
  });

  test("of a process that runs keeps others out", async () => {
    const job = await newJob(REACHED);
    const { lock, owner } = await ownerIn(job.folder);
    mkdirSync(lock);
    writeFileSync(join(lock, "owner.json"), JSON.stringify({ ...owner, id: "other" }));
    expect(job.status().state).toBe("running");
    expect(await flawOf(job.run(SMALL))).toEqual(["file.busy", undefined]);
    expect(await flawOf(createJob(dirname(lock), REACHED, { seed: 1 }))).toEqual(["job.exists", undefined]);
  });
});

test("a run deletes half-written files of another machine when they are an hour old", async () => {
  const job = await newJob(REACHED);
  const [old, young] = ["old", "young"].map((name) => join(job.folder, `${name}.tmp.elsewhere.example.1.aa`));
  for (const [path, age] of [
    [old, 3660],
    [young, 3500],
  ] as const) {
    writeFileSync(path, "");
    utimesSync(path, Date.now() / 1000 - age, Date.now() / 1000 - age);
  }
  await finished(job.run(SMALL));
  expect([old, young].map(existsSync)).toEqual([false, true]);
});

describe("pause and cancel", () => {
  test("stop a run in this process", async () => {
    const job = await newJob(BOUNDED);
    const seen: string[] = [];
    const onProgress = () => {
      seen.push(job.status().state, job.state);
      job.pause();
    };
    expect(await job.run({ ...SMALL, onProgress })).toBeUndefined();
    expect(seen.slice(0, 2)).toEqual(["running", "running"]);
    expect([job.status().state, job.state, job.result]).toEqual(["paused", "paused", undefined]);
    const result = await finished(resumeJob(job.folder, SMALL));
    expect(result.totals.cells).toBe(1100 * 1300);
    expect([job.state, job.result]).toEqual(["finished", result]);
  });

  test("cancel deletes every file of the job, also while it runs", async () => {
    const job = await newJob(BOUNDED);
    let cancelled: Promise<void> | undefined;
    const onProgress = () => {
      cancelled ??= job.cancel();
    };
    expect(await job.run({ ...SMALL, onProgress })).toBeUndefined();
    await cancelled;
    expect(new FolderStore(job.folder).list("")).toEqual([]);
    expect(job.status().state).toBe("cancelled");
    expect(await flawOf(openJob(job.folder))).toEqual(["job.missing", undefined]);
  });

  test("an aborted signal ends a run before its first task", async () => {
    const job = await newJob(REACHED);
    await expect(job.run({ ...SMALL, signal: AbortSignal.abort(new Error("no")) })).rejects.toThrow("no");
    expect(job.status().share).toBe(0);
  });
});

test("another format is refused, and the message names both", async () => {
  const job = await newJob(REACHED);
  const store = new FolderStore(job.folder);
  const manifest = readChecked(store, "manifest.json") as Readonly<Record<string, unknown>>;
  store.put("manifest.json", [Buffer.from(checkedText({ ...manifest, format: 99 }))]);
  const cause = await openJob(job.folder).catch((thrown: unknown) => thrown);
  if (!(cause instanceof RollmillError)) throw cause;
  expect(cause.code).toBe("job.version");
  expect(cause.message).toContain("99");
  expect(cause.message).toContain(String(manifest.format));
});

describe("a folder that cannot be written", () => {
  test("is refused with file.write", async () => {
    const file = join(dirname(newFolder()), "file");
    writeFileSync(file, "");
    expect(await flawOf(createJob(join(file, "job"), REACHED, { seed: 1 }))).toEqual(["file.write", undefined]);
  });

  test.runIf(process.platform !== "win32")("status and verify of a read-only job work", async () => {
    const job = await newJob(REACHED);
    const { digest } = await finished(job.run(SMALL));
    // folders of tests are closed to other users
    for (const folder of [dirname(job.folder), job.folder]) chmodSync(folder, 0o555);
    try {
      const status = await asUser(["job", "status", job.folder]);
      expect(status).toContain("state\tfinished\n");
      expect(status).toContain(`digest\t${digest}\n`);
      await asUser(["job", "verify", job.folder]);
      // the child cannot write there
      await expect(asUser(["job", "export", job.folder, "--csv"])).rejects.toThrow(/\[file\.write\]/);
    } finally {
      for (const folder of [dirname(job.folder), job.folder]) chmodSync(folder, 0o755);
    }
  });
});

test("an export of heights without a field and a kept layer is refused before anything is written", async () => {
  const world = { layers: [{ name: "land", preset: "uniform", walkers: 1, steps: 5 }] } as const;
  const input: JobInput = { world, visits: [], exports: ["png", "heights"] };
  const folder = newFolder();
  expect(await flawOf(createJob(folder, input, { seed: 1 }))).toEqual(["job.spec", "exports[1]"]);
  expect(existsSync(folder)).toBe(false);
});

describe("names that cannot be the names of folders (audit 3, audit 4b)", () => {
  const bulkOf = (...names: string[]): JobInput => ({
    world: {
      layers: [{ name: "land", preset: "uniform", walkers: 1, steps: 5 }],
      tables: { t: { rows: { t: [{ result: "a", weight: 1 }] } } },
    },
    bulk: names.map((name) => ({ name, count: 1, table: "t" })),
  });
  const layersOf = (...names: string[]): JobInput => ({
    world: { layers: names.map((name) => ({ name, preset: "uniform", walkers: 1, steps: 5 })) },
  });

  // 43 letters of 6 bytes each are more than the 255 bytes of a file name
  test.each([
    ".",
    "..",
    ".a",
    "a.",
    "0.part",
    "12.PART",
    "zarr.json",
    "Zarr.json",
    "nul",
    "é".repeat(43),
    "a".repeat(256),
  ])("%s is refused before anything is written", async (name) => {
    for (const [input, path] of [
      [bulkOf("good", name), "bulk[1].name"],
      [layersOf("good", name), "visits"],
    ] as const) {
      const folder = newFolder();
      expect(await flawOf(createJob(folder, input, { seed: 1 }))).toEqual(["job.spec", path]);
      expect(existsSync(folder)).toBe(false);
    }
  });

  test("two names that differ only by case are refused", async () => {
    expect(await flawOf(planJob(bulkOf("Gold", "gold")))).toEqual(["job.spec", "bulk[1].name"]);
    expect(await flawOf(planJob(layersOf("Land", "land")))).toEqual(["job.spec", "visits"]);
    // a layer that the job does not keep has no folder
    expect((await planJob({ ...layersOf("Land", "land"), visits: ["land"] })).phases).toHaveLength(5);
  });

  test("other names become folders, the longest too", async () => {
    const names = ["é".repeat(42), "a".repeat(255), "it's $(x) & y/z", "É", "é", "CON1"];
    const job = await newJob(bulkOf(...names));
    const result = await finished(job.run(SMALL));
    expect(Object.keys(result.bulk).sort()).toEqual([...names].sort());
    expect(job.verify()).toEqual([]);
  });
});

describe("a job with very many results in bulk (audit 20)", () => {
  const jobOfParts = (parts: number, count: number): JobInput => ({
    world: {
      grid: { kind: "bounded", rows: 2 ** 20, cols: 2 ** 20 },
      layers: [{ name: "land", preset: "uniform", walkers: 1, steps: 5 }],
      tables: { t: { rows: { t: [{ result: "a", weight: 1 }] } } },
    },
    bulk: Array.from({ length: parts }, (_, k) => ({ name: `b${k}`, count, table: "t" })),
  });

  test("has a plan that lists no tasks, up to a million of them", async () => {
    const { user } = process.cpuUsage();
    for (const [parts, count] of [
      [1, 2 ** 42],
      [256, 2 ** 34],
    ] as const) {
      const { phases } = await planJob(jobOfParts(parts, count));
      expect(phases.map(({ tasks }) => tasks)).toEqual([1, undefined, 2 ** 20, 2 ** 20]);
    }
    expect(process.cpuUsage().user - user).toBeLessThan(2e6);
  });

  test.each([
    [256, 2 ** 42],
    [256, 2 ** 34 + 1],
    [2, 2 ** 42],
  ])("of %i parts with %i results is refused", async (parts, count) => {
    expect(await flawOf(planJob(jobOfParts(parts, count)))).toEqual(["job.spec", "bulk"]);
    expect(await flawOf(createJob(newFolder(), jobOfParts(parts, count), { seed: 1 }))).toEqual(["job.spec", "bulk"]);
  });
});

describe("hostile specs", () => {
  const WORLD = { layers: [{ name: "land", preset: "uniform", walkers: 1, steps: 5 }] };
  const ENDLESS = { layers: [{ name: "land", preset: "uniform", scatter: { side: 64, walkers: 1 } }] };
  const cycle: Record<string, unknown> = { ...WORLD };
  cycle.placements = cycle;

  test("a world that is nested 90,000 deep is refused with a place, also on the command line (audit 21)", async () => {
    const text = `{"world":{"layers":${"[".repeat(90_000)}${"]".repeat(90_000)}}}`;
    expect(await flawOf(loadJob("job.json", () => text).then(specOf))).toEqual(["job.spec", "world"]);
    expect(jobOf(JSON.parse(text)).issues.map(({ code, where }) => [code, where.path])).toEqual([
      ["job.spec", "world"],
    ]);
    const folder = dirname(newFolder());
    writeFileSync(join(folder, "job.json"), text);
    for (const args of [
      ["show", "job.json"],
      ["start", "job.json", "job", "--seed", "a"],
    ]) {
      const { code, stderr } = await rollmill(["job", ...args], { cwd: folder });
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^job\.json world: .*\[job\.spec\]\n$/)]);
    }
  });

  test("bulk entries with more tasks than fit into memory are refused (audit 3)", async () => {
    const bulk = [0, 1].map((n) => ({ name: `b${n}`, table: "loot", count: 2 ** 42 }));
    const tables = { loot: { rows: { loot: [{ result: "gold", weight: 1 }] } } };
    const { issues } = jobOf({ world: { ...(WORLD as WorldInput), tables }, bulk });
    expect(issues.map(({ code, where }) => [code, where.path])).toEqual([["job.spec", "bulk"]]);
  });

  test.each<[string, unknown, string]>([
    ["no object", 5, ""],
    ["no world", {}, "world"],
    ["a wrong world", { world: { layers: 5 } }, "world.layers"],
    ["a world that JSON cannot hold", { world: cycle }, "world"],
    ["a bigint in the world", { world: { ...WORLD, grid: 5n } }, "world"],
    ["a file of a world", { world: "world.json" }, "world"],
    ["an unknown key", { world: WORLD, sed: 5 }, "sed"],
    ["an unknown layer", { world: WORLD, visits: ["sea"] }, "visits[0]"],
    ["an unknown export", { world: WORLD, exports: ["gif"] }, "exports[0]"],
    ["an unknown extent", { world: WORLD, extent: "all" }, "extent"],
    ["a grid without end", { world: WORLD, extent: "grid" }, "extent"],
    ["a world without end, and no extent", { world: ENDLESS }, "extent"],
    ["reached cells of scattered layers", { world: ENDLESS, extent: "reached" }, "extent"],
    ["an extent without rows", { world: WORLD, extent: { row0: 0, col0: 0, rows: 0, cols: 1 } }, "extent.rows"],
    [
      "an extent beyond the plane",
      { world: WORLD, extent: { row0: 2 ** 31 - 1, col0: 0, rows: 2, cols: 1 } },
      "extent.rows",
    ],
    [
      "too many sectors",
      { world: WORLD, extent: { row0: -(2 ** 31), col0: 0, rows: 2 ** 32, cols: 2 ** 31 } },
      "extent",
    ],
    ["too many cells", { world: { ...WORLD, grid: { kind: "bounded", rows: 2 ** 22, cols: 2 ** 22 } } }, "extent"],
    ["a bulk part without a source", { world: WORLD, bulk: [{ name: "a", count: 1 }] }, "bulk[0]"],
    [
      "a bulk part of an unknown source",
      { world: WORLD, bulk: [{ name: "a", count: 1, table: "x" }] },
      "bulk[0].table",
    ],
    [
      "two bulk parts with a name",
      { world: WORLD, bulk: [1, 2].map(() => ({ name: "a", count: 1, table: "x" })) },
      "bulk[1].name",
    ],
    [
      "a bulk part with a cycle",
      { world: WORLD, bulk: [{ name: "a", count: 1, recipe: "r", request: cycle }] },
      "bulk[0].request",
    ],
    [
      "a function as an option",
      { world: WORLD, bulk: [{ name: "a", count: 1, objects: "r", kind: () => 1 }] },
      "bulk[0].kind",
    ],
    ["a count of 2^60", { world: WORLD, bulk: [{ name: "a", count: 2 ** 60, table: "x" }] }, "bulk[0].count"],
  ])("%s is refused at its place", async (_, input, path) => {
    const cause = await createJob(newFolder(), input as JobInput, { seed: 1 }).catch((thrown: unknown) => thrown);
    if (!(cause instanceof RollmillError)) throw cause ?? new Error("nothing was thrown");
    const paths = cause.issues.map(({ where }) => where.path ?? "");
    expect(paths.some((one) => one === path || (path !== "" && one.startsWith(path)))).toBe(true);
    expect(await flawOf(planJob(input as JobInput))).toEqual([cause.code, cause.issues[0].where.path]);
  });

  test("cells that are too far apart to make them all are refused when they are known", async () => {
    const start = [
      [0, 0],
      [2 ** 30, 2 ** 30],
    ] as const;
    const job = await newJob({ world: { layers: [{ name: "land", preset: "uniform", walkers: 2, steps: 5, start }] } });
    expect(await flawOf(job.run(SMALL))).toEqual(["job.spec", "extent"]);
  });

  test("files that lead out of the folder, or do not exist, are named", async () => {
    const files: Readonly<Record<string, string>> = {
      "a/out.json": '{"world": "../world.json"}',
      "a/none.json": '{"world": "gone.json"}',
      "a/text.json": "{",
      "a/good.json": '{"name": "x", "world": "b/world.json"}',
      "a/b/world.json": JSON.stringify(WORLD),
    };
    const read = (file: string) => files[file];
    expect((await loadJob("a/out.json", read)).issues[0]).toMatchObject({
      where: { file: "a/out.json", path: "world" },
    });
    expect((await loadJob("a/text.json", read)).issues[0]).toMatchObject({ code: "file.json" });
    expect(
      await flawOf(loadJob("a/none.json", read).then(({ issues }) => Promise.reject(new RollmillError(issues)))),
    ).toEqual(["file.read", undefined]);
    expect(await flawOf(loadJob("a/absent.json", read))).toEqual(["file.read", undefined]);
    expect((await loadJob("a/good.json", read)).spec).toMatchObject({ worldName: "world", main: "world.json" });
  });

  test.each<unknown>([null, undefined, 5, "x", {}, { files: 5 }, { files: {}, job: {}, world: {} }, []])(
    "%j is not a job",
    async (value) => {
      for (const call of [createJob(newFolder(), value as never, { seed: 1 }), planJob(value as never)]) {
        expect((await flawOf(call))[0]).toMatch(/^job\.spec|^argument/);
      }
      expect(parseJob(value).spec).toBeUndefined();
      expect(jobOf(value as never).spec).toBeUndefined();
    },
  );

  test("a folder whose path has a null byte is refused", async () => {
    expect(await flawOf(openJob("a\0b"))).toEqual(["argument.type", undefined]);
    expect(await flawOf(createJob("a\0b", REACHED, { seed: 1 }))).toEqual(["argument.type", undefined]);
  });

  test.each<unknown>([null, undefined, 5, {}, Symbol("x")])("%s is not a folder", async (folder) => {
    for (const call of [
      createJob(folder as never, REACHED, { seed: 1 }),
      openJob(folder as never),
      resumeJob(folder as never),
    ]) {
      expect((await flawOf(call))[0]).toBe("argument.type");
    }
  });

  test("wrong options are refused", async () => {
    const job = await newJob(REACHED);
    for (const options of [
      5,
      { threads: 0 },
      { maxMemory: 5 },
      { threads: 8, maxMemory: 2 ** 26 },
      { nice: 1 },
      { signal: 5 },
      { onProgress: 5 },
      { seed: 1 },
    ]) {
      expect((await flawOf(job.run(options as never)))[0]).toMatch(/^argument\./);
    }
    expect((await flawOf(createJob(newFolder(), REACHED, { seed: 1, order: "x" as never })))[0]).toBe("argument.type");
    for (const options of [{}, { task: -1 }, { task: 0.5 }, { task: 0, phase: "none" }, { task: 8 }]) {
      expect(codeOf(() => job.work(options as never))).toBe("argument.range");
    }
    expect(codeOf(() => job.work({ task: 0, phase: "cells" }))).toBe("job.task");
    expect(job.status().phases[0].done).toBe(0);
  });
});

describe("what a job needs", () => {
  test("grows with its cells", async () => {
    const { needs, phases } = await planJob(SCATTERED);
    expect(needs.cells).toBe(1100 * 80);
    const half = await planJob({ ...SCATTERED, extent: { row0: -1040, col0: -37, rows: 550, cols: 80 } });
    expect(needs.disk / half.needs.disk).toBeGreaterThan(1.5);
    expect(needs.disk / half.needs.disk).toBeLessThan(2.5);
    expect(phases).toEqual([{ name: "cells", done: 0, tasks: 6 }]);
    expect((await newJob(SCATTERED)).needs).toMatchObject({ cells: needs.cells, steps: needs.steps });
    expect((await planJob(REACHED)).needs.cells).toBeUndefined();
  });

  test("grows with the visits and the first visits that the job keeps", async () => {
    const layer = { name: "land", preset: "uniform", walkers: 3, steps: 90 } as const;
    const extent = { row0: 0, col0: 0, rows: 1100, cols: 80 };
    const diskOf = async (visits: readonly string[], firstVisit: boolean) =>
      (await planJob({ world: { layers: [{ ...layer, firstVisit }] }, extent, visits })).needs.disk;
    const disks = [await diskOf([], true), await diskOf(["land"], false), await diskOf(["land"], true)];
    expect(disks).toEqual([...new Set(disks)].sort((a, b) => a - b));
  });

  test("has the memory of a thread for the maps around a sector", async () => {
    const extent = { row0: 0, col0: 0, rows: 5000, cols: 1024 };
    const memoryOf = async (layer: object) =>
      (
        await planJob({
          world: { layers: [{ name: "land", preset: "uniform", ...layer }] },
          extent,
          visits: ["land"],
        })
      ).needs.threadMemory;
    const scatter = { side: 512, walkers: 4 };
    expect(await memoryOf({ walkers: 4, steps: 2000 })).toBe(0);
    // the map of a region takes 4/3 bytes for each cell, and 3/8 of the memory are for maps
    const [near, far] = [await memoryOf({ steps: 400, scatter }), await memoryOf({ steps: 4000, scatter })];
    expect(near / ((4 * 512) ** 2 * (4 / 3 / (3 / 8)))).toBeCloseTo(1, 2);
    expect(far / ((18 * 512) ** 2 * (4 / 3 / (3 / 8)))).toBeCloseTo(1, 2);
  });

  test("is compared with the disk and the memory", () => {
    const needs = { disk: 1, steps: 1, seconds: 1, cells: 1, threadMemory: 0 };
    const place = { folder: join(tmpdir(), "rollmill-not-there", "job") };
    checkSpace(needs, place);
    expect(codeOf(() => checkSpace({ ...needs, disk: 2 ** 60 }, place))).toBe("job.space");
    expect(codeOf(() => checkSpace(needs, { ...place, maxMemory: 2 ** 52 }))).toBe("job.space");
    expect(codeOf(() => checkSpace(5 as never, place))).toBe("argument.type");
    for (const disk of ["x", -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(codeOf(() => checkSpace({ ...needs, disk: disk as never }, place))).toBe("argument.type");
    }
    expect(codeOf(() => checkSpace(needs, { folder: 5 as never }))).toBe("argument.type");
  });
});
