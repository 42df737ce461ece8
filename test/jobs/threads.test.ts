import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { afterEach, describe, expect, test } from "vitest";
import type { Manifest } from "../../src/jobs/folder/manifest.js";
import type { Phase } from "../../src/jobs/types.js";
import type { WorldInput } from "../../src/worlds/index.js";
import { reasonOf } from "../refusal.js";
import { type JobFolder, newJob, RollmillError, runAll, runHere, ThreadRunner } from "./jobFolder.js";

const MEMORY = 2 ** 30;
const TENSOR = { relative: { forward: 4, rightForward: 1, leftForward: 1 } };
/** Two finite layers, the second of which starts on the first, and a scattered layer. */
const WORLD: WorldInput = {
  name: "isles",
  layers: [
    { name: "land", tensor: TENSOR, walkers: 40, steps: 4000 },
    { name: "roads", tensor: TENSOR, walkers: 9, steps: 300, start: { layer: "land" } },
    { name: "woods", tensor: TENSOR, steps: 60, scatter: { side: 256, walkers: 3 } },
  ],
  terrain: [{ terrain: "land", when: { land: { visits: [1, null] } } }, { terrain: "sea" }],
  placements: [{ name: "hut", on: ["land"], density: "1/500" }],
  paths: [{ name: "path", between: ["hut"], within: 60, cost: { sea: null }, terrain: "path" }],
};
const EXTENT = { row0: -1100, col0: -900, rows: 2300, cols: 2100 };
/** A world whose only sector takes minutes. */
const SLOW: WorldInput = {
  layers: [{ name: "sea", tensor: TENSOR, steps: 4000, scatter: { side: 256, walkers: 900 } }],
};

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const runner of open.splice(0)) await runner.close();
});

function threadsOf({ store, manifest }: JobFolder, threads: number, options: { readonly nice?: boolean } = {}) {
  const runner = new ThreadRunner(
    { store, manifest },
    {
      threads,
      maxMemory: threads * MEMORY,
      nice: false,
      ...options,
    },
  );
  open.push(runner);
  return runner;
}

/** The files of the parts, by name, also those that are being written. */
function partsOf({ folder }: JobFolder): ReadonlyMap<string, Buffer> {
  const files = readdirSync(join(folder, "parts"), { recursive: true, withFileTypes: true, encoding: "utf8" });
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  return new Map(paths.sort().map((path) => [path.slice(folder.length), readFileSync(path)]));
}

/** The error of a promise, and how long it took, in milliseconds. */
/** Calls `make`, and returns the threads that it starts. */
async function startedBy<T>(make: () => T): Promise<[T, Worker[]]> {
  const workers: Worker[] = [];
  const listener = (worker: Worker) => workers.push(worker);
  process.on("worker", listener);
  const made = make();
  await wait(0);
  process.off("worker", listener);
  return [made, workers];
}

/** Sorts the finished tasks of each phase, because they may end in any order. */
function sorted(ended: Readonly<Record<string, readonly number[]>>): Record<string, number[]> {
  return Object.fromEntries(Object.entries(ended).map(([phase, tasks]) => [phase, [...tasks].sort((a, b) => a - b)]));
}

describe("a job in threads", () => {
  test("has the same parts in 1, 2 and 4 threads and in the calling thread, and reports each task once", async () => {
    const here = newJob(WORLD, EXTENT);
    const runner = await runHere(here);
    const all = sorted(await runAll(here, runner));
    await runner.close();
    const wanted = partsOf(here);
    expect(Object.keys(all)).toEqual(["walk land", "merge land", "walk roads", "merge roads", "cells"]);
    expect(wanted.size).toBe(Object.values(all).flat().length);
    expect(all.cells).toHaveLength(12);
    for (const threads of [1, 2, 4]) {
      const job = newJob(WORLD, EXTENT);
      expect(sorted(await runAll(job, threadsOf(job, threads)))).toEqual(all);
      expect(partsOf(job)).toEqual(wanted);
    }
  });

  test("runs in threads of lower priority", async () => {
    const job = newJob(WORLD, EXTENT);
    const runner = threadsOf(job, 2, { nice: true });
    await runAll(job, runner);
    if (process.platform !== "linux") return;
    // the 19th field of a thread's status is its nice value
    const niceOf = (id: string) =>
      Number(readFileSync(`/proc/self/task/${id}/stat`, "utf8").replace(/^.*\)/, "").trim().split(" ")[16]);
    const values = readdirSync("/proc/self/task").map(niceOf);
    expect(values.filter((value) => value === 10)).toHaveLength(2);
    expect(niceOf(`${process.pid}`)).toBe(0);
  });

  test("is reported task by task, not when a thread has run all its tasks", async () => {
    // 49 sectors; at most four parts of a thread reach the disk at once
    const job = newJob(WORLD, { ...EXTENT, rows: 6144, cols: 6144 });
    const turns = new Set<number>();
    let turn = 0;
    const timer = setInterval(() => turn++, 1);
    await runAll(job, threadsOf(job, 1), { onTask: ({ kind }) => kind === "cells" && turns.add(turn) });
    clearInterval(timer);
    expect(turns.size).toBeGreaterThan(8);
  });

  test("can have several calls at once", async () => {
    const job = newJob(SLOW, { ...EXTENT, rows: 4, cols: 4 });
    const runner = threadsOf(job, 1);
    const phase = { name: "cells", kind: "cells", layer: -1 } as const;
    const [first, second] = [new AbortController(), new AbortController()];
    const calls = [first, second].map(({ signal }) =>
      reasonOf(runner.run(phase, [0], { signal, onTask: () => undefined })),
    );
    second.abort("second");
    await wait(200);
    first.abort("first");
    expect(await Promise.all(calls)).toEqual(["first", "second"]);
  });
});

describe("a job that is aborted", () => {
  test("ends in the middle of its tasks, and leaves no half-written part", async () => {
    const job = newJob(SLOW, EXTENT);
    const runner = threadsOf(job, 2);
    const controller = new AbortController();
    const running = reasonOf(runAll(job, runner, { signal: controller.signal }));
    await wait(1500);
    const reason = new Error("paused");
    controller.abort(reason);
    expect(await running).toBe(reason);
    expect(partsOf(job)).toEqual(new Map());
    // the threads are not in the way of the next call
    const next = new AbortController();
    const again = reasonOf(runAll(job, runner, { signal: next.signal }));
    await wait(200);
    next.abort(reason);
    expect(await again).toBe(reason);
  });

  test("before it begins runs nothing", async () => {
    const job = newJob(SLOW, EXTENT);
    const reason = new Error("paused");
    expect(await reasonOf(runAll(job, threadsOf(job, 2), { signal: AbortSignal.abort(reason) }))).toBe(reason);
  });

  test("by a callback that throws throws its error", async () => {
    const job = newJob(WORLD, EXTENT);
    const reason = new Error("no more");
    const onTask = () => {
      throw reason;
    };
    expect(await reasonOf(runAll(job, threadsOf(job, 2), { onTask }))).toBe(reason);
  });

  test("by closing its threads says so, and a closed runner refuses", async () => {
    const job = newJob(SLOW, EXTENT);
    const runner = threadsOf(job, 2);
    const running = reasonOf(runAll(job, runner));
    await wait(300);
    await runner.close();
    expect(await running).toMatchObject({ code: "argument.disposed" });
    expect(await reasonOf(runAll(job, runner))).toMatchObject({ code: "argument.disposed" });
  });
});

describe("a task that fails", () => {
  test("throws its error with code and issues, and stops the other threads", async () => {
    const far: WorldInput = {
      layers: [{ name: "hill" }, { name: "far", walkers: 8, steps: 1000, closed: { layers: ["hill"] } }],
    };
    const job = newJob(far, { ...EXTENT, rows: 10, cols: 10 });
    const thrown = await reasonOf(runAll(job, threadsOf(job, 2)));
    expect(thrown).toBeInstanceOf(RollmillError);
    expect(thrown).toMatchObject({ code: "walk.closed-start" });
    const here = newJob(far, { ...EXTENT, rows: 10, cols: 10 });
    const runner = await runHere(here);
    // every shard fails: which one is the first is not fixed
    const masked = (cause: unknown) => (cause as Error).message.replace(/walker \d/, "walker N");
    expect(masked(thrown)).toBe(masked(await reasonOf(runAll(here, runner))));
    await runner.close();
  });

  test("throws the cause of a failed write", async () => {
    const job = newJob(WORLD, EXTENT);
    job.store.put("parts", [Buffer.from("a file in place of the folder")]);
    const thrown = (await reasonOf(runAll(job, threadsOf(job, 2)))) as InstanceType<typeof RollmillError>;
    expect(thrown.code).toBe("file.write");
    expect(thrown.issues[0].where.file).toContain(job.folder);
    expect(thrown.cause).toMatchObject({ code: expect.stringMatching(/^E[A-Z]+$/) });
  });

  test("throws the cause of a write that fails late, when the next task runs, and leaves nothing half-written", async () => {
    const job = newJob(WORLD, EXTENT);
    // a file cannot replace a folder
    job.store.put("parts/walk/0/1.part/inside", []);
    const ended: number[] = [];
    const onTask = (_: Phase, k: number) => ended.push(k);
    const thrown = (await reasonOf(runAll(job, threadsOf(job, 1), { onTask }))) as InstanceType<typeof RollmillError>;
    expect(thrown.code).toBe("file.write");
    expect(thrown.issues[0].where.file).toContain(join("walk", "0", "1.part"));
    expect(ended).not.toContain(1);
    for (const k of ended) expect(job.store.sizeOf(`parts/walk/0/${k}.part`)).toBeGreaterThan(0);
    const names = readdirSync(job.folder, { recursive: true, encoding: "utf8" });
    expect(names.filter((name) => name.includes(".tmp."))).toEqual([]);
  });

  test("throws job.task with the name of the task for a fault that is none of Rollmill's errors", async () => {
    const job = newJob(WORLD, EXTENT);
    const phase = { name: "walk nothing", kind: "walk", layer: 7 } as const;
    const running = threadsOf(job, 2).run(phase, [3], { signal: undefined, onTask: () => undefined });
    const thrown = (await reasonOf(running)) as Error;
    expect(thrown).toMatchObject({ code: "job.task" });
    expect(thrown.message).toMatch(/^task 3 of the phase "walk nothing" failed \(.+\)\. Resume the job: /);
    expect(thrown.cause).toMatchObject({ name: "TypeError" });
  });

  test("throws the error of a manifest that cannot be opened", async () => {
    const job = newJob(WORLD, EXTENT);
    const manifest: Manifest = { ...job.manifest, files: { [job.manifest.main]: "{" } };
    const runner = threadsOf({ ...job, manifest }, 2);
    expect(await reasonOf(runAll(job, runner))).toMatchObject({ code: "file.json" });
  });
});

describe("a thread that dies", () => {
  test.each([
    ["is ended", (worker: Worker) => void worker.terminate(), /it ended with exit code 1/],
    [
      "runs out of memory",
      (worker: Worker) => {
        const code = "ERR_WORKER_OUT_OF_MEMORY";
        worker.emit("error", Object.assign(new Error("it reached its limit"), { code }));
      },
      /Use fewer threads, or allow more memory/,
    ],
  ])("because it %s is reported, the others stop, and the next call has new threads", async (_, kill, wanted) => {
    const job = newJob(SLOW, EXTENT);
    const [runner, workers] = await startedBy(() => threadsOf(job, 2));
    expect(workers).toHaveLength(2);
    const running = reasonOf(runAll(job, runner));
    await wait(500);
    kill(workers[1]);
    const thrown = (await running) as Error;
    expect(thrown).toBeInstanceOf(RollmillError);
    expect(thrown).toMatchObject({ code: "job.task" });
    expect(thrown.message).toMatch(/^a thread died(?: while it ran task \d of the phase "cells")? \(/);
    expect(thrown.message).toMatch(wanted);
    const controller = new AbortController();
    const again = reasonOf(runAll(job, runner, { signal: controller.signal }));
    await wait(300);
    controller.abort("paused");
    expect(await again).toBe("paused");
  });

  test("between two calls is replaced", async () => {
    const job = newJob(WORLD, EXTENT);
    const [runner, workers] = await startedBy(() => threadsOf(job, 2));
    await wait(300);
    await workers[0].terminate();
    expect((await runAll(job, runner)).cells).toHaveLength(12);
  });
});
