// A plan file and the kernel for plan files give the results of the library.
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type ForkId, forkKey, nameKey, type StreamKey, seedKey } from "../../src/address.js";
import { crc32 } from "../../src/formats/bytes.js";
import { createMill, RollmillError } from "../../src/index.js";
import { PLAN_STATUS } from "../../src/kernel/plans.js";
import { bake, openPlan, type Plan, readPlan } from "../../src/plans/index.js";
import type { LabelledList } from "../../src/weighted/index.js";
import { DUNGEON } from "../objects/dungeon.js";
import { LIGHTHOUSE } from "../objects/lighthouse.js";
import { Host } from "./host.js";
import { COUNT, DIGEST, expectedWords, FROM, listOf, nameOf, openNouns, SEED } from "./nouns.js";

const plan = bake(listOf(openNouns()));

function digestOf(words: readonly (Uint32Array | Int32Array)[]): string {
  const hash = createHash("sha256");
  for (const some of words) hash.update(some);
  return hash.digest("hex");
}

const bits = ({ k0, k1 }: StreamKey) => (BigInt(k1 >>> 0) << 32n) | BigInt(k0 >>> 0);

describe("a plan file", () => {
  test("gives the results of the library, for every kind of noun", () => {
    const host = new Host(plan);
    expect(host.status).toBe("OK");
    const digest = digestOf(expectedWords(openNouns(), COUNT));
    expect(digestOf(host.all(COUNT))).toBe(digest);
    expect(digest).toBe(DIGEST);
  });

  test("says what it contains", async () => {
    const entries = await readPlan(plan);
    expect(entries.map(({ name }) => name)).toEqual(listOf(openNouns()).map(nameOf));
    const labels = Object.fromEntries(entries.map(({ name, labels }) => [name, labels]));
    expect(labels.chest).toEqual({ labels: ["gold", "arrow", null] });
    expect(labels.hoard).toEqual({ results: ["gold", "ruby", "opal"] });
    expect(labels.hand).toEqual({ items: ["ace", "king", "queen", "jack", "ten"] });
    expect(labels.bag).toMatchObject({
      roots: [{ name: "i" }, { name: "w", kind: "infinite", ids: [1, "b"] }, { name: "d", refill: false }],
      pools: [
        { path: "i", root: 0 },
        { path: "i.odd", root: 0 },
        { path: "w", root: 1 },
        { path: "d", root: 2 },
      ],
    });
  });

  test("is refused if it is damaged, or has another version", async () => {
    const plan = bake(openNouns().dice);
    const spoilt = (at: number) => Uint8Array.from(plan, (byte, i) => (i === at ? byte ^ 1 : byte));
    await expect(readPlan(spoilt(plan.length >> 1), { file: "game.plan" })).rejects.toMatchObject({
      issues: [{ code: "plan.invalid", where: { file: "game.plan" } }],
    });
    for (const at of [0, 8, 12, 16, plan.length - 1]) {
      const isVersion = at === 8 || at === 12;
      await expect(readPlan(spoilt(at))).rejects.toMatchObject({ code: isVersion ? "plan.version" : "plan.invalid" });
    }
    for (const length of [0, 3, 4, 20, 24, plan.length - 4]) {
      await expect(readPlan(plan.subarray(0, length))).rejects.toMatchObject({ code: "plan.invalid" });
    }
  });
});

test("drops with null, dead rows and quantities are those of the library", () => {
  const rows = {
    a: [
      { weight: 1, result: null },
      { weight: 1, result: "x" },
      { weight: 1, jump: "b" },
    ],
    b: [],
  };
  const mill = createMill({ seed: SEED });
  for (const quantity of [undefined, "2-5"]) {
    const always = [{ result: "bones", quantity }];
    const drops = mill.drops(`scarce ${quantity}`, { always, rolls: "0-4", table: { rows } });
    const plan = bake([drops as never]);
    const host = new Host(plan);
    const [codes, quantities] = host.all(5000);
    const { entries, ...made } = drops.rollMany(1001, { from: FROM });
    const named = Array.from(codes, (code) => ["bones", null, "x"][code]);
    expect(named.filter((result) => result)).toEqual(Array.from(entries, (entry) => drops.results[entry]));
    const amounts = quantities?.filter((_, i) => named[i]);
    expect(amounts).toEqual(made.quantities && Int32Array.from(made.quantities));
    expect(quantities?.some((amount, i) => amount > 0 && !named[i])).toBe(quantities && false);
  }
});

describe("an open plan", () => {
  const FULL = { from: FROM };

  const ENDLESS = {
    rows: {
      a: [
        { weight: 1, result: "x" },
        { weight: 2 ** 32 - 2, jump: "a" },
      ],
    },
  };

  /** The results of all nouns in the order of the file, as test/plans/probe.c makes them. */
  function allOf(plan: Plan) {
    return plan.entries.flatMap(({ kind, name, labels }) => {
      if (kind === "pools") {
        const pools = plan.pools(name);
        return (labels as { pools: { path: string }[] }).pools.map(({ path }) => pools.draw(path, COUNT + 1));
      }
      const noun = plan.noun(name);
      const n = Math.floor(COUNT / noun.width) + 1;
      if (!noun.hasQuantities) return [noun.many(n, FULL)];
      const { results, quantities } = noun.manyWithQuantities(n, FULL);
      return [results, quantities];
    });
  }

  test("gives the results of the library, for every kind of noun", async () => {
    const made = bake(listOf({ ...openNouns(), worlds: [] }));
    expect(digestOf(allOf(await openPlan(made, { seed: SEED })))).toBe(digestOf(new Host(made).all(COUNT)));
  });

  test("has the forks and the labels of the library", async () => {
    const opened = await openPlan(plan, { seed: SEED });
    const { lists, dice, tables, samplers } = openNouns();
    const [, , , chest] = lists as unknown as [0, 0, 0, LabelledList<string | null, unknown>];
    for (const id of ["ann", 7, -5n, 2n ** 60n, [-1, 2]] as const) {
      expect(opened.noun("hp").fork(id).many(9, FULL)).toEqual(dice[0].fork(id).rollMany(9, FULL));
    }
    const [first, other] = [opened.noun("chest").fork("ann").fork(1), chest.fork("ann").fork(1)];
    const { entries, labels } = other.pickMany(50, { from: 0 });
    expect(Array.from(first.many(50), (one) => first.label(one))).toEqual(Array.from(entries, (one) => labels[one]));
    const hoard = opened.noun("hoard");
    const rolls = Array.from(
      tables[1].rollMany(50, { from: 0 }),
      (roll) => (roll as { result: string } | null)?.result,
    );
    expect(Array.from(rolls, (_, at) => hoard.label(hoard.one(at)))).toEqual(rolls.map((result) => result ?? null));
    expect(opened.noun("hand").label(opened.noun("hand").one(3))).toBe((samplers[0].draw({ at: 3 }) as string[])[0]);
    expect(opened.noun("rarity").label(2)).toBe(2);
  });

  test("draws from pools, and saves and loads their state", async () => {
    const [first, second] = [await openPlan(plan, { seed: SEED }), await openPlan(plan, { seed: SEED })];
    const bag = openNouns().pools[0];
    const drawn = bag.pool("i.odd").drawMany(25);
    const [one, two] = [first.pools("bag"), second.pools("bag")];
    const numbers = one.draw("i.odd", 25);
    expect(Array.from(numbers, (record) => one.id("i.odd", record))).toEqual([...drawn]);
    second.load(first.save());
    expect(two.draw("i.odd", 9)).toEqual(one.draw("i.odd", 9));
    const left = one.draw("d", 1000).length;
    expect(left).toBeLessThan(1000);
    expect(one.draw("d", 1)).toHaveLength(0);
    one.restock();
    expect(one.draw("d", 1000)).toHaveLength(left);
    expect(() => second.load(first.save().fill(0, 0, 1))).toThrow(/damaged state.*\[snapshot.invalid\]/);
    const other = await openPlan(bake(openNouns().pools), { seed: SEED });
    expect(() => other.load(first.save())).toThrow(/another plan file.*\[snapshot.invalid\]/);
  });

  test("refuses what is not there", async () => {
    const opened = await openPlan(plan, { seed: 7 });
    expect(() => opened.noun("chets")).toThrow('got "chets". Did you mean "chest"? [argument.range]');
    expect(() => opened.noun("bag")).toThrow("[argument.range]");
    expect(() => opened.pools("chest")).toThrow("[argument.range]");
    expect(() => opened.pools("bag").draw("i.even", 1)).toThrow("[argument.range]");
    expect(() => opened.noun("hp").manyWithQuantities(1)).toThrow("hp has no quantities [argument.range]");
    expect(() => opened.noun("hp").many(1, { from: 2 ** 42 })).toThrow("[argument.range]");
    expect(() => opened.noun("hp").many(-1)).toThrow("[argument.range]");
    expect(() => opened.noun("hp").fork(0.5)).toThrow("[argument.range]");
    await expect(openPlan(plan, { seed: {} as never })).rejects.toMatchObject({ code: "argument.type" });
    await expect(openPlan(plan.subarray(4), { seed: 7 })).rejects.toMatchObject({ code: "plan.invalid" });
    const far = createMill({ seed: 7 }).table("far", ENDLESS, { maxHops: 9 });
    const endless = await openPlan(bake([far]), { seed: 7 });
    expect(() => endless.noun("far").many(1)).toThrow("[table.hops]");
  });
});

describe("the kernel for plan files", () => {
  const host = new Host(plan);

  test("derives the keys of seeds, names and forks", () => {
    const texts = ["", "1", "11", "moria", "moriamoria", "☃", "the mines of moria", "x".repeat(255), "é".repeat(700)];
    for (const text of texts) {
      const seed = host.keyOf(text, (at, length) => host.exports.seedKey(at, length));
      expect(seed, `seed ${text}`).toBe(bits(seedKey(text)));
      expect(host.nameKey(text), `name ${text}`).toBe(bits(nameKey(seedKey(SEED), text)));
      const fork = host.keyOf(text, (at, length) => host.exports.forkText(host.key, at, length));
      expect(fork, `fork ${text}`).toBe(bits(forkKey(seedKey(SEED), text)));
    }
    for (const id of [0, 1, -1, 2 ** 53 - 1, -(2 ** 63)] as const) {
      const fork = BigInt.asUintN(64, host.exports.forkInteger(host.key, BigInt(id)));
      expect(fork).toBe(bits(forkKey(seedKey(SEED), BigInt(id) as ForkId)));
    }
    const pair = host.exports.forkPair(host.key, -1, 2 ** 31 - 1);
    expect(BigInt.asUintN(64, pair)).toBe(bits(forkKey(seedKey(SEED), [-1, 2 ** 31 - 1])));
  });

  test("gives the words of docs/determinism.md", () => {
    const loot = host.nameKey("loot");
    expect(host.exports.wordsMany(loot, 2n, 1020n, 4)).toBe(0);
    const words = () => [...host.words(host.exports.windowAddress(), 4)];
    expect(words()).toEqual([4045842433, 3576891522, 180445478, 334943498]);
    host.exports.wordsMany(loot, 2n ** 33n + 7n, 2n ** 42n - 2n, 2);
    expect(words().slice(0, 2)).toEqual([2770695561, 1671042138]);
  });

  test("refuses numbers and indices out of range", () => {
    const { exports } = host;
    const { NOUN, KIND, RANGE, QUANTITIES, POOL } = PLAN_STATUS;
    expect(exports.makeMany(99, 0n, 0n, 1, 0)).toBe(NOUN);
    expect(exports.makeMany(13, 0n, 0n, 1, 0)).toBe(KIND);
    expect(exports.makeMany(0, 0n, 0n, 1, 1)).toBe(QUANTITIES);
    expect(exports.makeMany(0, 0n, 2n ** 42n - 1n, 2, 0)).toBe(RANGE);
    expect(exports.makeMany(0, 0n, -1n, 1, 0)).toBe(RANGE);
    expect(exports.makeMany(0, 0n, 0n, 2 ** 16 + 1, 0)).toBe(RANGE);
    expect(exports.makeMany(10, 0n, 0n, 2 ** 16, 0)).toBe(RANGE);
    expect(exports.drawMany(13, 4, 0n, 1)).toBe(POOL);
    expect(exports.nounKind(99) + exports.nounName(99) + exports.poolCount(0) + exports.resultWidth(13)).toBe(0);
  });

  test("saves the stock of pools, and continues from it", () => {
    const [first, second] = [new Host(plan), new Host(plan)];
    const key = first.nameKey("bag");
    const bag = listOf(openNouns()).findIndex((entry) => nameOf(entry) === "bag");
    const draw = (one: Host) => {
      expect(one.exports.drawMany(bag, 1, key, 25)).toBe(0);
      return [...one.words(one.exports.windowAddress(), 25)];
    };
    draw(first);
    const saved = first.save();
    const { OK, STATE, OTHER_PLAN } = PLAN_STATUS;
    expect(second.restore(saved)).toBe(OK);
    expect(draw(second)).toEqual(draw(first));
    for (const at of [0, 4, 8, 16, saved.length - 1]) {
      expect(second.restore(saved.map((byte, i) => (i === at ? byte ^ 0x80 : byte)))).toBe(STATE);
    }
    expect(second.restore(saved.subarray(0, -4))).toBe(STATE);
    expect(second.restore(saved.subarray(0, 8))).toBe(STATE);
    const other = new Host(bake(openNouns().pools));
    expect(other.restore(saved)).toBe(OTHER_PLAN);
  });
});

describe("the artifacts of objects", () => {
  const open = () => {
    const mill = createMill({ seed: SEED });
    const options = { level: 60, great: true };
    return [mill.objects("first", DUNGEON), mill.objects("second", DUNGEON)].map((noun) => ({ noun, options }));
  };
  const plan = bake(open());
  const rows = (
    host: Host,
    noun: number,
    from: number,
    count: number,
    key = host.nameKey(new TextDecoder().decode(host.heads()[noun].name)),
  ) => {
    const width = host.exports.resultWidth(noun);
    expect(host.exports.makeMany(noun, key, BigInt(from), count, 0)).toBe(0);
    return [...host.words(host.exports.resultsAddress(noun), count * width)];
  };
  /** The artifact of each object, 1 + its index. */
  const artifacts = (host: Host, noun: number, from: number, count: number) => {
    const width = host.exports.resultWidth(noun);
    return rows(host, noun, from, count).filter((_, i) => i % width === 1);
  };
  const isMade = (artifact: number) => artifact > 0;

  test("are made once by all makers of the same files, and again by the same object", () => {
    const host = new Host(plan);
    const [one, two] = open();
    for (const from of [0, 1000]) {
      for (const [i, { noun, options }] of [one, two].entries()) {
        const own = noun.makeMany(1000, { ...options, from });
        const made = artifacts(host, i, from, 1000);
        expect(made).toEqual([...own.artifact]);
        if (from === 0 && i === 0) expect(made.filter(isMade).length).toBeGreaterThan(1);
      }
    }
    expect(artifacts(host, 0, 0, 1000)).toEqual([...one.noun.makeMany(1000, { ...one.options, from: 0 }).artifact]);
  });

  test("are part of the state, which a restock empties", () => {
    const host = new Host(plan);
    const first = artifacts(host, 0, 0, 1000);
    const bytes = host.exports.stateBytes();
    const state = host.exports.allocate(bytes);
    host.exports.saveState(state);
    const saved = new Uint8Array(host.exports.memory.buffer.slice(state, state + bytes));
    const second = rows(host, 1, 0, 1000);
    const other = new Host(plan);
    expect(other.exports.loadState(other.put(saved), bytes)).toBe(0);
    expect(rows(other, 1, 0, 1000)).toEqual(second);
    // without the state, the second maker makes artifacts that the first one has
    expect(rows(new Host(plan), 1, 0, 1000)).not.toEqual(second);
    expect(other.exports.restock(1)).toBe(0);
    expect(artifacts(other, 0, 0, 1000)).toEqual(first);
    const words = new Uint32Array(saved.buffer);
    for (const [at, value] of [
      [2, 2],
      [4, 2 ** 10],
    ]) {
      const damaged = words.slice();
      damaged[at] = value;
      damaged[words.length - 1] = crc32(new Uint8Array(damaged.buffer).subarray(0, -4));
      expect(other.exports.loadState(other.put(new Uint8Array(damaged.buffer)), bytes)).toBe(9);
    }
  });
});

describe("bake refuses", () => {
  const mill = createMill({ seed: 1 });
  const scripted = {
    rows: {
      a: [
        { weight: { script: 3 }, result: "x" },
        { weight: 2, result: "y" },
      ],
    },
  } as const;
  const script = () => 5;

  test.each([
    ["other nouns", () => [{ name: "x" }], "its kind"],
    ["two nouns of one name", () => [mill.dice("d", "1d4"), mill.dice("d", "1d4")], "in the list twice"],
    ["live scripts", () => [mill.table("live", scripted, { script })], "live scripts"],
    ["callbacks", () => [mill.table("chosen", scripted, { script, chosen: () => undefined })], "live scripts"],
    ["dead rows that throw", () => [mill.table("dead", { rows: { a: [] } }, { onDead: "throw" })], "onDead"],
    ["large hop limits", () => [mill.table("far", { rows: { a: [] } }, { maxHops: 2 ** 17 })], "maxHops"],
    ["long names", () => [mill.dice("é".repeat(129), "1d4")], "256 bytes"],
    ["drops of nothing", () => [mill.drops("nil", { rolls: 0, table: { rows: { a: [] } } })], "never has a result"],
    ["scripts of drops", () => [mill.drops("orc", { table: scripted }, { script })], "live scripts"],
    [
      "requests that it cannot contain",
      () => [{ noun: mill.objects("asked", DUNGEON), options: { level: 5, tval: "sword" } }],
      "has the option tval",
    ],
    [
      "makers of other files that share artifacts",
      () => [
        { noun: mill.objects("one", DUNGEON), options: { level: 5 } },
        { noun: mill.objects("two", LIGHTHOUSE), options: { level: 5 } },
      ],
      'shares artifacts with "one"',
    ],
    ["items that are objects", () => [mill.shuffle("items", [{ a: 1 }, 2])], "neither a text nor a number"],
  ] as const)("%s", (_, nouns, problem) => {
    expect(() => bake(nouns() as never)).toThrow(
      expect.objectContaining({ code: "plan.noun", message: expect.stringContaining(problem) }),
    );
  });

  test("options that no object or item can have", () => {
    const maker = mill.objects("maker", DUNGEON);
    expect(() => bake([{ noun: maker, options: { level: 5, kind: "no such kind" } }])).toThrow(/no kind|kind/);
    expect(() => bake([{ noun: maker, options: {} as never }])).toThrow(/level/);
    const weapon = mill.recipe("weapon");
    expect(() => bake([{ noun: weapon, options: { level: 5 } as never }])).toThrow(/level/);
    expect(() => bake([{ noun: weapon, options: { request: { type: "none" }, onUnknownRequest: "throw" } }])).toThrow(
      /none/,
    );
  });

  test("anything but a list of nouns", () => {
    expect(() => bake([7] as never)).toThrow(RollmillError);
    expect(() => bake({} as never)).toThrow(RollmillError);
  });

  test("nothing of a table whose scripts have constant weights", () => {
    const table = mill.table("fixed", scripted, { script, mode: "frozen" });
    const host = new Host(bake([table]), "1");
    expect(host.all(1000)).toEqual([Uint32Array.from(table.rollMany(1001, { from: 1000 }).ids)]);
  });
});
