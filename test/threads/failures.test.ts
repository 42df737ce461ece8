import { execFileSync } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ThreadedMill } from "../../src/threads/index.js";
import { reasonOf } from "../refusal.js";
import { bytesOf, callsOf, nounsOf, openThreads, RollmillError, threadsOf } from "./nouns.js";

/** More results than a test waits for. */
const ENDLESS = 1e12;

function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (cause) {
    return cause;
  }
  throw new Error("nothing was thrown");
}

/** Opens a mill with two threads, and returns them too. */
async function openWithWorkers(): Promise<[ThreadedMill, Worker[]]> {
  const workers: Worker[] = [];
  const listener = (worker: Worker) => workers.push(worker);
  process.on("worker", listener);
  const mill = await openThreads({ seed: "moria", threads: 2 });
  process.off("worker", listener);
  return [mill, workers];
}

const TENSOR = { relative: { forward: 4, rightForward: 1, leftForward: 1 } };

function allOf(mill: ThreadedMill) {
  const layers = [{ name: "sea", tensor: TENSOR, steps: 4000, scatter: { side: 256, walkers: 900 } }];
  return {
    ...nounsOf(mill),
    walk: mill.walk("walk", { tensor: TENSOR, walkers: 9, steps: 100 }),
    scattered: mill.walk("scattered", { layers }),
    world: mill.world("slow", { layers }),
  };
}

describe("a mill with threads", () => {
  let mill: ThreadedMill;
  let nouns: ReturnType<typeof allOf>;
  beforeAll(async () => {
    mill = await openThreads({ seed: "moria", threads: 2 });
    nouns = allOf(mill);
  });
  afterAll(() => mill.close());

  /** The calls that one thread refuses. */
  const REFUSED: readonly [keyof ReturnType<typeof allOf>, string, unknown, unknown?][] = [
    ["weights", "count", -1],
    ["weights", "count", 1.5],
    ["weights", "count", 2 ** 42 + 1],
    ["weights", "count", 10, { from: -1 }],
    ["weights", "count", 10, { form: 3 }],
    ["weights", "count", 10, null],
    ["weights", "count", 10, new Map()],
    ["weights", "count", 10, { onProgress: 3 }],
    ["weights", "count", 10, { signal: 3 }],
    ["weights", "pickMany", 2 ** 31],
    ["weights", "pickInto", new Int32Array(4)],
    ["dice", "rollInto", structuredClone(new Int32Array(4), { transfer: [] }).subarray(0).buffer],
    ["table", "rollMany", 10, { start: 7 }],
    ["table", "rollMany", 10, { start: 2, onDead: "throw" }],
    ["table", "rollMany", 100_000, { onDead: "throw" }],
    ["table", "rollInto", new Uint16Array(3)],
    ["sample", "count", 10, { position: 3 }],
    ["weapon", "count", 10, { of: "nothing" }],
    ["weapon", "makeMany", 10, { request: { kind: "sword" } }],
    ["words", "words", 10, { plane: -1 }],
    ["walk", "run", { steps: 3 }],
    ["walk", "run", null],
    ["walk", "runLayer", { walkers: { from: 3, to: 2 } }],
    ["walk", "runLayer", { layer: "sea" }],
    ["scattered", "run", {}],
    ["world", "window", { row0: 0, col0: 0, rows: 0, cols: 5 }],
    ["world", "window", { row0: 0, col0: 0, rows: 5, cols: 5 }, { visits: ["sky"] }],
    ["world", "window", { row0: 0, col0: 0, rows: 5, cols: 5 }, 7],
  ];

  test.each(REFUSED)(
    "%s.%s(%s, %o) fails as in one thread, and changes nothing",
    async (name, method, first, options) => {
      const noun = nouns[name];
      const given = options === undefined ? [first] : [first, options];
      const wanted = thrownBy(() => callsOf(noun)[method](...(given as [unknown, object]))) as Error;
      const before = (noun as { next?: number }).next;
      const thrown = (await reasonOf(
        threadsOf(mill, noun)[method](...(given as [unknown, object])) as Promise<unknown>,
      )) as Error;
      expect(thrown).toBeInstanceOf(RollmillError);
      expect(thrown).toMatchObject({
        code: (wanted as InstanceType<typeof RollmillError>).code,
        message: wanted.message,
      });
      expect((noun as { next?: number }).next).toBe(before);
    },
  );

  test("throws what onProgress throws, as in one thread", async () => {
    const onProgress = () => {
      throw new Error("enough");
    };
    const call = (count: (n: number, options: object) => unknown) => count(1e8, { from: 0, onProgress });
    const wanted = thrownBy(() => call((n, options) => nouns.labels.count(n, options))) as Error;
    const thrown = await reasonOf(
      call((n, options) => mill.inThreads(nouns.labels).count(n, options)) as Promise<unknown>,
    );
    expect(thrown).toMatchObject({ code: "argument.callback", message: wanted.message });
  });

  test("refuses nouns whose results depend on earlier results", () => {
    const pools = mill.pools("pools", "id,pool,mass,quantity\n1,i.deck,1,3\n");
    const list = { a: 1, b: 2 };
    const pity = mill.pity("pity", { list, of: "a", hard: 5 });
    const scripted = mill.table("spent", { rows: [{ columns: [{ result: "a", weight: { script: 1600 } }] }] }, {
      script: "nwangband",
    } as never);
    for (const noun of [pools, pity, scripted]) {
      expect(thrownBy(() => mill.inThreads(noun))).toMatchObject({ code: "argument.type" });
    }
  });

  test("refuses nouns of other mills, forks of the mill that another mill opened, and anything else", async () => {
    const other = await openThreads({ seed: "erebor", threads: 1 });
    const foreign = nounsOf(other).labels;
    const forked = mill.fork("ann").get("labels");
    for (const noun of [foreign, forked, { name: "labels" }, null, undefined]) {
      expect(thrownBy(() => mill.inThreads(noun as never))).toMatchObject({ code: "argument.type" });
    }
    await other.close();
  });

  test("refuses functions by the names of their options", async () => {
    const scripted = {
      rows: [
        {
          columns: [
            { result: "a", weight: { script: "moon" } },
            { result: "b", weight: 1 },
          ],
        },
      ],
    };
    const scripts = { moon: () => 3 };
    const opened = mill.table("scripted", scripted, { scripts } as never);
    expect(thrownBy(() => mill.inThreads(opened))).toMatchObject({
      code: "argument.option",
      message: expect.stringContaining('"scripts" of "scripted"'),
    });
    const chosen = { from: 0, mode: "frozen", context: () => 1 };
    expect(await reasonOf(threadsOf(mill, nouns.table).rollMany(10, chosen) as Promise<unknown>)).toMatchObject({
      code: "argument.option",
      message: expect.stringContaining('"context"'),
    });
  });

  test("an aborted call throws the reason, sets `next` back, and leaves the threads free", async () => {
    const { labels } = nouns;
    labels.next = 40;
    const reason = new Error("enough");
    expect(await reasonOf(mill.inThreads(labels).count(5, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    const controller = new AbortController();
    const running = reasonOf(mill.inThreads(labels).count(ENDLESS, { signal: controller.signal }));
    await wait(100);
    controller.abort(reason);
    expect(await running).toBe(reason);
    const inProgress = new AbortController();
    const onProgress = () => inProgress.abort(reason);
    expect(await reasonOf(mill.inThreads(labels).count(ENDLESS, { onProgress, signal: inProgress.signal }))).toBe(
      reason,
    );
    expect(labels.next).toBe(40);
    expect((await mill.inThreads(labels).count(100_000)).total).toBe(100_000);
    expect(labels.next).toBe(100_040);
  });

  test("an aborted walk and an aborted window end in the middle of their tasks", async () => {
    const tensor = { relative: { forward: 4, rightForward: 1, leftForward: 1 } };
    const walk = mill.walk("long", {
      tensor,
      walkers: 2,
      steps: 1_000_000_000,
      grid: { kind: "torus", rows: 512, cols: 512 },
    } as never);
    const slow = { layers: [{ name: "sea", tensor, steps: 4000, scatter: { side: 256, walkers: 900 } }] };
    const world = mill.world("slow", slow as never);
    const cells = { row0: 0, col0: 0, rows: 2000, cols: 2000 };
    const calls = [
      (signal: AbortSignal) => mill.inThreads(walk).run({ signal }),
      (signal: AbortSignal) => mill.inThreads(world).window(cells, { visits: ["sea"], signal }),
    ];
    for (const call of calls) {
      const controller = new AbortController();
      const running = reasonOf(call(controller.signal));
      await wait(200);
      controller.abort("enough");
      expect(await running).toBe("enough");
    }
  });

  test("a walk that is aborted between two layers does not begin the second one", async () => {
    const layers = [
      { name: "land", tensor: TENSOR, walkers: 3, steps: 10 },
      { name: "roads", tensor: TENSOR, walkers: 2, steps: 1_000_000_000, start: { layer: "land" } },
    ];
    const walk = mill.walk("two layers", { layers, grid: { kind: "torus", rows: 512, cols: 512 } });
    const controller = new AbortController();
    const call = { signal: controller.signal, onProgress: () => controller.abort("enough") };
    expect(await reasonOf(mill.inThreads(walk).run(call))).toBe("enough");
  });

  test("an array that is not shared stays unchanged if its call fails", async () => {
    const out = new Uint32Array(10_000_000).fill(9);
    const controller = new AbortController();
    const onProgress = () => controller.abort("enough");
    const call = mill.inThreads(nouns.weights).pickInto(out, { onProgress, signal: controller.signal });
    expect(await reasonOf(call)).toBe("enough");
    expect(out.every((entry) => entry === 9)).toBe(true);
  });
});

describe("a thread that dies", () => {
  test.each([
    ["is ended", (worker: Worker) => void worker.terminate(), /it ended with exit code 1/],
    ["runs out of memory", (worker: Worker) => void worker.emit("error", new Error("no memory")), /no memory/],
  ])("because it %s fails its calls, and the next call has a new thread", async (_, kill, wanted) => {
    const [mill, workers] = await openWithWorkers();
    const { labels } = nounsOf(mill);
    expect(workers).toHaveLength(2);
    const running = reasonOf(mill.inThreads(labels).count(ENDLESS, { from: 0 }));
    await wait(200);
    kill(workers[1]);
    const thrown = (await running) as Error;
    expect(thrown).toBeInstanceOf(RollmillError);
    expect(thrown).toMatchObject({ code: "thread.failed" });
    expect(thrown.message).toMatch(/^a thread died \(/);
    expect(thrown.message).toMatch(wanted);
    const made = await mill.inThreads(labels).pickMany(500_000, { from: 0 });
    expect(bytesOf(made).equals(bytesOf(labels.pickMany(500_000, { from: 0 })))).toBe(true);
    await mill.close();
  });

  test("between two calls is replaced, and the new thread knows the nouns", async () => {
    const [mill, workers] = await openWithWorkers();
    const { dice } = nounsOf(mill);
    await mill.inThreads(dice).count(100_000);
    for (const worker of workers) await worker.terminate();
    // a noun that was opened while no thread lived
    const { weights } = nounsOf(mill);
    expect((await mill.inThreads(dice).count(200_000)).total).toBe(200_000);
    expect((await mill.inThreads(weights).count(200_000)).total).toBe(200_000);
    await mill.close();
  });
});

describe("closed threads", () => {
  test("fail their calls, and refuse others", async () => {
    const [mill, workers] = await openWithWorkers();
    const { labels } = nounsOf(mill);
    const calls = mill.inThreads(labels);
    const running = reasonOf(calls.count(ENDLESS));
    await wait(100);
    await mill.close();
    expect(await running).toMatchObject({ code: "argument.disposed" });
    expect(await reasonOf(calls.count(5))).toMatchObject({ code: "argument.disposed" });
    expect(thrownBy(() => labels.pick())).toMatchObject({ code: "argument.disposed" });
    expect(workers.every(({ threadId }) => threadId === -1)).toBe(true);
    await mill.close();
  });

  const run = (program: string): string => {
    const file = JSON.stringify(new URL("../../dist/threads/index.js", import.meta.url).href);
    const start = `import { openThreads } from ${file}; const mill = await openThreads({ seed: "moria", threads: 2 });`;
    const given = { encoding: "utf8", timeout: 120_000 } as const;
    return execFileSync(process.execPath, ["--input-type=module", "--eval", `${start}\n${program}`], given);
  };

  test("idle threads do not keep a process alive, and busy ones do", () => {
    const program = `mill.inThreads(mill.dice("dice", "2d6")).count(1e8).then(({ total }) => console.log(total));`;
    expect(run(program)).toBe("100000000\n");
  });

  test("closing waits for the threads, also if they have answered meanwhile", () => {
    const program = `
      const call = mill.inThreads(mill.dice("dice", "2d6")).count(1000).catch(({ code }) => code);
      await null;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
      await mill.close();
      console.log(await call);`;
    expect(run(program)).toBe("argument.disposed\n");
  });
});

test("openThreads refuses invalid options", async () => {
  for (const threads of [0, 1025, 1.5, "2"]) {
    expect(await reasonOf(openThreads({ seed: "moria", threads: threads as never }))).toMatchObject({
      code: "argument.range",
    });
  }
  expect(await reasonOf(openThreads({ seed: "moria", thread: 2 } as never))).toMatchObject({
    code: "argument.option",
  });
  expect(await reasonOf(openThreads({ seed: {} as never }))).toMatchObject({ code: "argument.type" });
});
