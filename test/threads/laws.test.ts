import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ThreadedMill } from "../../src/threads/index.js";
import type { Walk } from "../../src/walks/index.js";
import type { World } from "../../src/worlds/index.js";
import { IS_SOAK } from "../soak.js";
import { bytesOf, callsOf, createMill, NAMES, nounsOf, openThreads, threadsOf, WORLD } from "./nouns.js";

const SEED = "threads";
const THREADS = [1, 2, 3, 5];
const REQUESTS = IS_SOAK ? 10_000 : 200;
const TIMEOUT = IS_SOAK ? { timeout: 6_000_000 } : {};

/** The requests come from a stream of their own, so that they are the same in every run. */
const words = createMill({ seed: "requests" }).stream("requests");
let used = 0;
const below = (n: number) => words.word(used++) % n;
const oneOf = <T>(list: readonly T[]): T => list[below(list.length)];

/** The options that a noun takes besides `from`. */
const OPTIONS: Readonly<Record<string, readonly object[]>> = {
  sample: [{}, { position: 2 }],
  table: [{}, { start: 1 }],
  weapon: [{}, { tier: 2 }, { power: 3 }, { request: { type: "sword" } }],
  words: [{}, { plane: 7 }],
};
const VERBS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["weights", "large", "labels", "stacks"].map((name) => [name, "pick"])),
  ...Object.fromEntries(["dice", "integer", "table", "plain", "drops"].map((name) => [name, "roll"])),
  ...Object.fromEntries(["shuffle", "sample"].map((name) => [name, "draw"])),
  weapon: "make",
};
const SLOW = ["drops", "weapon"];

interface Request {
  readonly name: string;
  readonly method: string;
  readonly options: object;
  readonly n: number;
  readonly fork: string | undefined;
}

function request(): Request {
  const name = oneOf([...Object.keys(VERBS), "words"]);
  const verb = VERBS[name];
  const method = verb === undefined ? oneOf(["words", "wordsInto"]) : oneOf([`${verb}Many`, `${verb}Into`, "count"]);
  const own = oneOf(OPTIONS[name] ?? [{}]);
  const isCount = method === "count";
  const n = oneOf([0, 1, below(3000), below(IS_SOAK ? 200_000 : 400_000)]);
  const from = oneOf([undefined, 0, below(5000), 2 ** 31 - 7, 2 ** 42 - 400_001]);
  const part = name === "weapon" && isCount ? { of: oneOf(["type", "strength", "bonus", "prefix"]) } : {};
  const positioned = name === "sample" && !isCount ? {} : own;
  return {
    name,
    method,
    options: { ...positioned, ...part, ...(from !== undefined && { from }) },
    n: SLOW.includes(name) ? n >> 3 : n,
    fork: oneOf([undefined, undefined, "player/7"]),
  };
}

describe("in threads", () => {
  let mills: ThreadedMill[];
  beforeAll(async () => {
    mills = await Promise.all(THREADS.map((threads) => openThreads({ seed: SEED, threads })));
    expect(mills.map(({ threads }) => threads)).toEqual(THREADS);
  });
  afterAll(() => Promise.all(mills.map((mill) => mill.close())));

  test(`${REQUESTS} random requests have the bytes of one thread`, TIMEOUT, async () => {
    const opened = mills.map((mill) => nounsOf(mill));
    const own = nounsOf(createMill({ seed: SEED }));
    const seen = new Set<string>();
    for (let k = 0; k < REQUESTS; k++) {
      const { name, method, options, n, fork } = request();
      const nounIn = (nouns: typeof own) => {
        const noun = nouns[name as keyof typeof own];
        return fork === undefined ? noun : noun.fork(fork);
      };
      const isInto = method.endsWith("Into");
      const manyOf = method === "wordsInto" ? "words" : method.replace("Into", "Many");
      const room = (noun: unknown) => (isInto ? callsOf(noun)[manyOf](n, { from: 5 }) : n);
      const alone = nounIn(own);
      const wanted = bytesOf(callsOf(alone)[method](room(alone), options));
      for (const [m, mill] of mills.entries()) {
        const noun = nounIn(opened[m]);
        const made = await threadsOf(mill, noun)[method](room(noun), options);
        const where = JSON.stringify({ threads: mill.threads, name, method, n, options, fork });
        expect(bytesOf(made).equals(wanted), where).toBe(true);
        expect((noun as { next?: number }).next, where).toBe((alone as { next?: number }).next);
      }
      seen.add(`${name}.${method}`);
    }
    // every call of every noun
    expect(seen.size).toBe(3 * Object.keys(VERBS).length + 2);
  });

  test("arrays in shared memory are filled in place", async () => {
    for (const mill of mills) {
      const { large, dice, plain } = nounsOf(mill);
      const shared = <A>(type: new (buffer: SharedArrayBuffer) => A) => new type(new SharedArrayBuffer(4 * 300_000));
      const picks = shared(Uint32Array<SharedArrayBuffer>);
      expect(await mill.inThreads(large).pickInto(picks, { from: 77 })).toBe(picks);
      expect(Buffer.from(picks).equals(Buffer.from(large.pickMany(300_000, { from: 77 })))).toBe(true);
      const rolls = shared(Int32Array<SharedArrayBuffer>);
      await mill.inThreads(dice).rollInto(rolls, { from: 3 });
      expect(Buffer.from(rolls).equals(Buffer.from(dice.rollMany(300_000, { from: 3 })))).toBe(true);
      const ids = shared(Uint32Array<SharedArrayBuffer>);
      await threadsOf(mill, plain).rollInto(ids, { from: 3 });
      expect(Buffer.from(ids).equals(Buffer.from(plain.rollMany(300_000, { from: 3 }).ids))).toBe(true);
    }
  });

  test("forks of the mill have their own results", async () => {
    for (const mill of mills) {
      const fork = mill.fork("ann").fork([3, 4]);
      nounsOf(mill);
      const found = fork.get("labels") as ReturnType<typeof nounsOf>["labels"];
      const opened = fork.weighted("own", { a: 1, b: 2 });
      for (const noun of [found, opened, opened.fork(1)]) {
        const wanted = noun.pickMany(70_000, { from: 0 });
        expect(bytesOf(await fork.inThreads(noun).pickMany(70_000, { from: 0 })).equals(bytesOf(wanted))).toBe(true);
      }
    }
  });

  const tensor = { relative: { forward: 4, rightForward: 1, leftForward: 1 } };
  const WALKS = {
    one: { tensor, walkers: 130, steps: 6000 },
    still: { walkers: 5, steps: 0, start: [[0, 0]] },
    layered: {
      layers: [
        { name: "land", tensor, walkers: 90, steps: 3000, firstVisit: true },
        { name: "roads", tensor, walkers: 33, steps: 400, start: { layer: "land" }, firstVisit: true },
        { name: "rivers", tensor, walkers: 70, steps: 900, until: { on: "roads" } },
      ],
    },
    bounded: { grid: { kind: "bounded", rows: 90, cols: 200 }, preset: "five-ways", walkers: 50, steps: 2000 },
  } as const;

  test.each(Object.entries(WALKS))("the walk %s has the same map", async (name, spec) => {
    for (const mill of mills) {
      const walk: Walk = mill.walk(name, spec as never);
      const wanted = walk.run();
      const made = await mill.inThreads(walk).run();
      expect(made.summary()).toEqual(wanted.summary());
      expect(made.layers.map(({ map }) => map.walkerTotals)).toEqual(wanted.layers.map(({ map }) => map.walkerTotals));
      const [layer] = walk.layers;
      const given = { layer: layer.name, walkers: { from: 2, to: layer.walkers - 1 } };
      const part = await mill.inThreads(walk).runLayer(given);
      expect([part.digest(), part.walkerTotals]).toEqual([
        walk.runLayer(given).digest(),
        walk.runLayer(given).walkerTotals,
      ]);
    }
  });

  test("windows of a world are the same", async () => {
    const own = createMill({ seed: SEED }).world("world", WORLD as never);
    const windows = [
      { row0: -300, col0: -170, rows: 700, cols: 520 },
      { row0: 5, col0: 9, rows: 3, cols: 2 },
      { row0: 900, col0: 900, rows: 300, cols: 300 },
    ];
    const worlds = mills.map((mill): World => mill.world("world", WORLD as never));
    for (const cells of windows) {
      const wanted = bytesOf(own.window(cells, NAMES));
      for (const [m, mill] of mills.entries()) {
        expect(bytesOf(await mill.inThreads(worlds[m]).window(cells, NAMES)).equals(wanted)).toBe(true);
      }
    }
  });

  test("progress rises to the total, and timers go on meanwhile", async () => {
    const { weights } = nounsOf(mills[1]);
    const seen: number[] = [];
    let turns = 0;
    let isDone = false;
    const ticking = (async () => {
      for (; !isDone; turns++) await turn();
    })();
    const n = 60_000_000;
    const onProgress = ({ done, total }: { done: number; total: number }) => {
      expect(total).toBe(n);
      seen.push(done);
    };
    await mills[1].inThreads(weights).count(n, { from: 0, onProgress });
    isDone = true;
    await ticking;
    expect(seen.at(-1)).toBe(n);
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
    expect(seen.length).toBeGreaterThan(4);
    expect(turns).toBeGreaterThan(seen.length);
  });

  test("calls at the same time make results of their own", async () => {
    for (const mill of mills) {
      const { labels } = nounsOf(mill);
      labels.next = 10;
      const calls = [50_000, 200_000, 70_000].map((n) => mill.inThreads(labels).pickMany(n));
      expect(labels.next).toBe(320_010);
      const made = await Promise.all(calls);
      expect(made.map(({ from }) => from)).toEqual([10, 50_010, 250_010]);
      const all = labels.pickMany(320_000, { from: 10 }).entries;
      expect(
        Buffer.concat(made.map(({ entries }) => Buffer.from(entries.buffer))).equals(Buffer.from(all.buffer)),
      ).toBe(true);
    }
  });
});
