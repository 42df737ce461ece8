import { readFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import {
  createMill,
  createMillAsync,
  type Mill,
  type MillOptions,
  STREAM_VERSION,
  type WalkInput,
} from "../src/index.js";
import { weighted } from "../src/weighted/system.js";
import { refusalOf } from "./refusal.js";
import { SEED_TABLE } from "./tables/seedTable.js";

const seed = "moria";

/** Each way to take a name. */
const MAKERS: [string, (mill: Mill, name: string) => unknown][] = [
  ["stream", (mill, name) => mill.stream(name)],
  ["weighted", (mill, name) => mill.weighted(name, [1, 2])],
  ["table", (mill, name) => mill.table(name, SEED_TABLE)],
  ["walk", (mill, name) => mill.walk(name, {})],
];

describe("making a mill", () => {
  test.each([undefined, null, Number.NaN, Number.POSITIVE_INFINITY, {}, [], true, () => "x"])(
    "without a seed: %s",
    (bad) => {
      expect(refusalOf(() => createMill({ seed: bad as string })).code).toBe("argument.type");
    },
  );

  test("a symbol is no seed either", () => {
    expect(refusalOf(() => createMill({ seed: Symbol("x") as unknown as string })).code).toBe("argument.type");
  });

  test('a seed is text: 1, 1n and "1" are one seed, and "" is a seed', () => {
    const first = (value: string | number | bigint) => createMill({ seed: value }).stream("a").word(0);
    expect(new Set([1, 1n, "1"].map(first)).size).toBe(1);
    expect(createMill({ seed: "" }).seed).toBe("");
    expect(createMill({ seed: 0.1 }).seed).toBe("0.1");
    expect(first("")).not.toBe(first("0"));
  });

  test.each([0, 2 ** 20 - 1, 2 ** 32 + 1, -1, 1.5 * 2 ** 20 + 0.5, Number.NaN, "1048576", null])(
    "maxMemory %s is refused",
    (maxMemory) => {
      expect(refusalOf(() => createMill({ seed, maxMemory: maxMemory as number })).code).toBe("argument.range");
    },
  );

  test.each([2 ** 20, 2 ** 20 + 1, 2 ** 32])("maxMemory %s is taken", (maxMemory) => {
    expect(createMill({ seed, maxMemory }).weighted("a", [1, 2]).pickMany(10)).toHaveLength(10);
  });

  test.each(["yesterday", "", "2026-02-30", 5])("now %s is refused", (now) => {
    expect(refusalOf(() => createMill({ seed, now: now as string })).code).toBe("argument.range");
  });

  test("the time is read once in a mill, as local time, and random_default goes by it", () => {
    vi.useFakeTimers({ now: new Date(2026, 0, 5, 8, 30) });
    try {
      const mill = createMill({ seed });
      const odds = () =>
        mill
          .table(`at ${Math.abs(Date.now())}`, SEED_TABLE)
          .odds()
          .odds.map(({ probability }) => probability.numerator);
      expect([mill.now, odds()[3]]).toEqual(["2026-01-05T08:30:00", 55n]);
      vi.setSystemTime(new Date(2026, 5, 6, 20));
      expect([mill.now, odds()[3]]).toEqual(["2026-01-05T08:30:00", 55n]);
    } finally {
      vi.useRealTimers();
    }
    expect(
      createMill({ seed, now: "2026-06-06T20:00" }).table("a", SEED_TABLE).odds().odds[3].probability.numerator,
    ).toBe(0n);
  });

  test("asynchronously, from the library's bytes, from given bytes and from a response", async () => {
    const expected = createMill({ seed }).stream("a").word(5);
    expect((await createMillAsync({ seed })).stream("a").word(5)).toBe(expected);
    const wasm = readFileSync(new URL("../build/kernel.wasm", import.meta.url));
    const response = () => new Response(wasm, { headers: { "content-type": "application/wasm" } });
    for (const kernel of [wasm, new Uint8Array(wasm).buffer, response(), Promise.resolve(response())]) {
      vi.resetModules();
      const { createMillAsync: fresh } = await import("../src/index.js");
      expect((await fresh({ seed, kernel })).stream("a").word(5)).toBe(expected);
    }
  });

  test("bytes that are no kernel, and an engine that has no WebAssembly SIMD, are a typed error", async () => {
    vi.resetModules();
    const fresh = await import("../src/index.js");
    const bad = fresh.createMillAsync({ seed, kernel: new Uint8Array([0, 97, 115, 109, 9]) });
    await expect(bad).rejects.toMatchObject({ code: "kernel.unsupported" });
    vi.spyOn(WebAssembly, "Module").mockImplementation(function refuse(): WebAssembly.Module {
      throw new WebAssembly.CompileError("invalid value type 's128'");
    });
    try {
      expect(() => fresh.createMill({ seed })).toThrow(/kernel\.unsupported/);
    } finally {
      vi.restoreAllMocks();
    }
    expect(fresh.createMill({ seed }).stream("a").word(5)).toBe(createMill({ seed }).stream("a").word(5));
  });

  test("an engine without memory for another instance says so, and not that it is too old", () => {
    vi.spyOn(WebAssembly, "Instance").mockImplementation(function refuse(): WebAssembly.Instance {
      throw new RangeError("WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory for new instance");
    });
    try {
      expect(() => createMill({ seed }).stream("a")).toThrow(/kernel\.memory/);
    } finally {
      vi.restoreAllMocks();
    }
    expect(createMill({ seed }).stream("a").word(5)).toBe(createMill({ seed }).stream("a").word(5));
  });

  test("core needs the kernel for its first mill, and says how to give it", async () => {
    vi.resetModules();
    const core = await import("../src/core/index.js");
    expect(() => core.createMill({ seed })).toThrow(/argument\.type/);
    const expected = createMill({ seed }).stream("a").word(5);
    const kernel = new WebAssembly.Module(readFileSync(new URL("../dist/kernel.wasm", import.meta.url)));
    expect(core.createMill({ seed, kernel }).stream("a").word(5)).toBe(expected);
    vi.resetModules();
    const later = await import("../src/core/index.js");
    expect((await later.createMillAsync({ seed })).stream("a").word(5)).toBe(expected);
  });

  test("the stream version is 2", () => expect(STREAM_VERSION).toBe(2));
});

describe("names", () => {
  test.each([
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "0",
    "-1",
    " ",
    "\u0000",
    "\ud800",
    "a/b",
    "x".repeat(10_000),
  ])("%j is a name like any other, for everything", (name) => {
    for (const [kind, make] of MAKERS) {
      const mill = createMill({ seed });
      expect([kind, mill.get(name)]).toEqual([kind, undefined]);
      const made = make(mill, name);
      expect(mill.get(name)).toBe(made);
      expect(make(mill, name)).toBe(made);
      expect(make(mill, `${name}!`)).not.toBe(made);
    }
  });

  test.each(["", undefined, null, 5, {}, ["a"]])("%j is none", (name) => {
    for (const [, make] of MAKERS) {
      expect(refusalOf(() => make(createMill({ seed }), name as string)).code).toBe("argument.type");
    }
  });

  test("a name that something else has is refused, whatever the system, until it is released", () => {
    for (const [first, open] of MAKERS) {
      for (const [second, reopen] of MAKERS) {
        if (first === second) continue;
        const mill = createMill({ seed });
        const before = open(mill, "a");
        expect(refusalOf(() => reopen(mill, "a")).code).toBe("argument.name-taken");
        expect(mill.get("a")).toBe(before);
        mill.release("a");
        expect(mill.get("a")).toBeUndefined();
        const after = reopen(mill, "a");
        expect(mill.get("a")).toBe(after);
      }
    }
  });

  test("a system of the caller whose functions fail, or return nothing, opens nothing", () => {
    const broken = new Error("broken");
    const throws = () => {
      throw broken;
    };
    const noSpec = expect.objectContaining({ code: "argument.type" });
    const parts: [string, unknown, unknown][] = [
      ["parse", throws, broken],
      ["parse", () => undefined, noSpec],
      ["parse", async () => ({}), noSpec],
      ["parse", () => ({ spec: {}, issues: 5 }), noSpec],
      ["compile", throws, broken],
      ["state", throws, broken],
      ["open", throws, broken],
      ["open", 5, noSpec],
      ["options", 5, noSpec],
    ];
    for (const [name, part, error] of parts) {
      const mill = createMill({ seed });
      const system = { ...weighted, [name]: part } as typeof weighted;
      expect(() => mill.open(system, "list", [1, 2])).toThrow(error as Error);
      expect(mill.get("list")).toBeUndefined();
      expect(mill.open(weighted, "list", [1, 2]).pick()).toBe(mill.weighted("list", [1, 2]).pick({ at: 0 }));
    }
  });

  test("a pair with a gap is no id of a fork", () => {
    const gap = Object.assign(new Array(2), { 1: 1 }) as [number, number];
    const list = createMill({ seed }).weighted("list", [1, 2]);
    expect(refusalOf(() => list.fork(gap)).code).toBe("argument.range");
  });

  test("the same input and options give the same object; another input or another option is refused", () => {
    const mill = createMill({ seed });
    const list = mill.weighted("list", [1, 2]);
    const table = mill.table("table", SEED_TABLE, { start: 0 });
    const walk = mill.walk("walk", { steps: 5 });
    expect(mill.weighted("list", [1, 2])).toBe(list);
    expect(mill.table("table", SEED_TABLE, { start: 0 })).toBe(table);
    expect(mill.walk("walk", { steps: 5 })).toBe(walk);
    for (const other of [
      () => mill.weighted("list", [1, 3]),
      () => mill.weighted("list", [1, 2, 3]),
      () => mill.table("table", SEED_TABLE),
      () => mill.table("table", SEED_TABLE, { start: 1 }),
      () => mill.walk("walk", { steps: 6 }),
    ]) {
      expect(refusalOf(other).code).toBe("argument.name-taken");
    }
    list.pickMany(7);
    expect(mill.weighted("list", [1, 2]).next).toBe(7);
  });

  test("a released name begins anew with the same words, and its old object continues alone", () => {
    const mill = createMill({ seed });
    const list = mill.weighted("list", [1, 2, 3]);
    const first = list.pickMany(50);
    mill.release("list");
    mill.release("never opened");
    const again = mill.weighted("list", [1, 2, 3]);
    expect(again).not.toBe(list);
    expect([again.next, list.next]).toEqual([0, 50]);
    expect(again.pickMany(50)).toEqual(first);
    list.pickMany(5);
    expect([again.next, list.next]).toEqual([50, 55]);
  });

  test("names that a 32-bit hash does not tell apart are different names", () => {
    // FNV-1a, 32 bits, has these two the same
    const mill = createMill({ seed });
    expect(mill.stream("liquid").words(4)).not.toEqual(mill.stream("costarring").words(4));
  });

  test("100,000 names in a mill are all different streams", () => {
    const mill = createMill({ seed });
    const words = new Set<string>();
    for (let i = 0; i < 100_000; i++) {
      const stream = mill.stream(`player ${i}`);
      words.add(`${stream.word(0)} ${stream.word(1)}`);
    }
    expect(words.size).toBe(100_000);
  });

  test("a walk takes only its own name; a layer has the words of the name walk/layer", () => {
    const layers: WalkInput = { layers: [{ name: "land" }, { name: "sea" }] };
    const mill = createMill({ seed });
    mill.walk("world", layers);
    expect(refusalOf(() => mill.stream("world")).code).toBe("argument.name-taken");
    for (const name of ["world/land", "world/sea", "world/sea/start"]) expect(mill.stream(name).name).toBe(name);
  });

  test("input that is refused leaves the name free", () => {
    const mill = createMill({ seed });
    for (const use of [
      () => mill.weighted("a", [-1]),
      () => mill.table("a", "nonsense"),
      () => mill.walk("a", { steps: -1 }),
      () => mill.walk("a", null as unknown as WalkInput),
      () => mill.table("a", null as unknown as string),
    ]) {
      refusalOf(use);
    }
    mill.stream("a");
  });

  test("what has a name of its own has words of its own, whatever was made before it", () => {
    const mill = createMill({ seed });
    for (let i = 0; i < 50; i++) mill.weighted(`list ${i}`, [1, 2]).pickMany(3000);
    expect(mill.stream("a").words(50)).toEqual(createMill({ seed }).stream("a").words(50));
  });
});

describe("forks of a mill", () => {
  test("a snapshot of a fork continues in the fork of the same ids, and nowhere else", () => {
    const mill = createMill({ seed: "moria" });
    const player = mill.fork("save 1").fork(7);
    const rarity = player.weighted("rarity", [3, 2, 1]);
    rarity.pickMany(10);
    rarity.fork([1, -1]).pickMany(3);
    mill.weighted("other", [1]).pickMany(5);
    const later = createMill({ seed: "moria", snapshot: player.snapshot() });
    const again = later.fork("save 1").fork(7).weighted("rarity", [3, 2, 1]);
    expect([again.next, again.fork([1, -1]).next, again.fork(2).next]).toEqual([10, 3, 0]);
    expect([...again.pickMany(5)]).toEqual([...rarity.pickMany(5)]);
    expect(later.weighted("other", [1]).next).toBe(0);
    expect(later.fork("save 1").weighted("rarity", [3, 2, 1]).next).toBe(0);
  });
});

describe("dispose", () => {
  test("ends the mill and what it made, by method or by using; maps and results stay", () => {
    let list: ReturnType<Mill["weighted"]> | undefined;
    {
      using mill = createMill({ seed });
      list = mill.weighted("a", [1, 2]);
      list.pickMany(3);
    }
    expect(refusalOf(() => list?.pickMany(3)).code).toBe("argument.disposed");
    const mill = createMill({ seed });
    const [table, stream, walk] = [mill.table("t", SEED_TABLE), mill.stream("s"), mill.walk("w", { steps: 50 })];
    const map = walk.run().total;
    mill.dispose();
    mill.dispose();
    for (const use of [
      () => table.rollMany(1),
      () => stream.word(0),
      () => stream.words(5),
      () => walk.run(),
      () => walk.start(),
      () => mill.snapshot(),
      ...MAKERS.map(
        ([, make]) =>
          () =>
            make(mill, "new"),
      ),
    ]) {
      expect(refusalOf(use).code).toBe("argument.disposed");
    }
    expect(map.visits).toBe(51);
  });

  test("mills do not share anything: one ends, the others go on", () => {
    const [a, b] = [1, 2].map(() => createMill({ seed }));
    a.stream("s").words(10);
    a.dispose();
    expect(b.stream("s").words(10)).toEqual(createMill({ seed }).stream("s").words(10));
  });
});

test("options that are not there are defaults, undefined too", () => {
  const options: MillOptions = { seed };
  for (const each of [options, { ...options, maxMemory: undefined, now: undefined, snapshot: undefined }]) {
    expect(
      createMill(each as MillOptions)
        .stream("a")
        .word(0),
    ).toBe(createMill(options).stream("a").word(0));
  }
});
