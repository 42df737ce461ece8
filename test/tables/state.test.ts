import { describe, expect, test } from "vitest";
import {
  createMill,
  parseTable,
  type RollManyOptions,
  type Table,
  type TableObject,
  type TableSource,
} from "../../src/index.js";
import type { TableOptions } from "../../src/tables/index.js";
import { refusalOf } from "../refusal.js";
import { resultsOf, TwinTable } from "./cases.js";
import { SEED_TABLE } from "./seedTable.js";

const seed = "moria";
const open = (source: TableSource, options: TableOptions = {}) => createMill({ seed }).table("loot", source, options);

/** Two artifacts that can come once, one for the caller and one for all callers, and rags. */
const HOARD: TableObject = {
  rows: [
    {
      columns: [
        { result: "Ringil", weight: { script: 1600 } },
        { result: "Grond", weight: { script: 1700 } },
        { result: "rags", weight: 20 },
      ],
    },
  ],
};
/** One roll in eight jumps to a dead row. */
const DRY: TableObject = {
  rows: [
    {
      columns: [
        { result: "water", weight: 7 },
        { jump: 1, weight: 1 },
      ],
    },
    { columns: [] },
  ],
};

const count = (rolls: { ids: ArrayLike<number>; results: readonly (string | null)[] }, result: string | null) =>
  resultsOf(rolls).filter((each) => each === result).length;

describe("one-shots and chosen", () => {
  test("nwangband, live: an artifact comes once, and the bulk default is live", () => {
    const rolls = open(HOARD, { script: "nwangband" }).rollMany(200);
    expect(["Ringil", "Grond", "rags"].map((result) => count(rolls, result))).toEqual([1, 1, 198]);
  });

  test("nwangband, frozen: nothing is used up, and any range rolls without the ones before it", () => {
    const table = open(HOARD, { script: "nwangband", mode: "frozen" });
    const rolls = table.rollMany(2200, { from: 0 });
    expect(count(rolls, "Ringil")).toBeGreaterThan(800);
    expect(resultsOf(table.rollMany(700, { from: 1500 }))).toEqual(resultsOf(rolls).slice(1500));
  });

  test.each([
    ["a one-shot of nwangband in reach", HOARD, { script: "nwangband" }],
    ["a chosen callback", SEED_TABLE, { script: () => 1, chosen: () => undefined }],
  ] as const)("live rolls that depend on those before them refuse from: %s", (_, source, options) => {
    const table = open(source, options);
    for (const use of [
      () => table.roll({ at: 3 }),
      () => table.rollMany(3, { from: 3 }),
      () => table.count(3, { from: 0 }),
      () => table.rollInto(new Uint16Array(3), { from: 3 }),
    ]) {
      expect(refusalOf(use).code).toBe("table.live-from");
    }
    expect(table.next).toBe(0);
    expect(table.rollMany(3, { from: 3, mode: "frozen" }).ids).toHaveLength(3);
  });

  test("a table of nwangband without one-shots in reach is frozen in bulk, and takes from", () => {
    const plain = {
      rows: [
        {
          columns: [
            { result: "a", weight: { script: 1203 } },
            { result: "b", weight: 50 },
          ],
        },
      ],
    };
    const table = open(plain, { script: { set: "nwangband", level: 9 } });
    expect(count(table.rollMany(900, { from: 5_000_000 }), "a")).toBeGreaterThan(400);
  });

  test("chosen gets the winning script ids, in order, and the context, as in the twin", () => {
    const context = { shop: 3 };
    const heard: unknown[] = [];
    const expected: unknown[] = [];
    const options = { script: () => 60, context, chosen: (id: number, with_: unknown) => heard.push([id, with_]) };
    const table = open(SEED_TABLE, options);
    const rolls = resultsOf(table.rollMany(500));
    const twin = new TwinTable(SEED_TABLE, { seed, name: "loot" });
    for (let k = 0; k < 500; k++) {
      twin.outcome(k, { ...options, chosen: (id, with_) => expected.push([id, with_]) } as typeof options);
    }
    expect(rolls).toEqual(twin.rolls(0, 500, { script: () => 60 }));
    expect(heard).toEqual(expected);
    expect(heard.length).toBeGreaterThan(20);
  });

  test("one-shots 16xx are each table's own, 17xx are shared by all tables of a mill", () => {
    const mill = createMill({ seed });
    const [mine, yours] = ["mine", "yours"].map((name) => mill.table(name, HOARD, { script: "nwangband" }));
    const first = mine.rollMany(300);
    const second = yours.rollMany(300);
    expect([count(first, "Ringil"), count(first, "Grond")]).toEqual([1, 1]);
    expect([count(second, "Ringil"), count(second, "Grond")]).toEqual([1, 0]);
  });

  test("what is spent from the start never wins; if all is spent, a roll has no result", () => {
    const table = open(HOARD, { script: { set: "nwangband", spent: [1600, 1700] } });
    expect(count(table.rollMany(100), "rags")).toBe(100);
    const only = { rows: [{ columns: [{ result: "Ringil", weight: { script: 1600 } }] }] };
    expect(resultsOf(open(only, { script: "nwangband" }).rollMany(3))).toEqual(["Ringil", null, null]);
  });
});

describe("rolls without a result", () => {
  test("are null one by one, and have an id and a count of their own in bulk", () => {
    const table = open(DRY);
    const rolls = table.rollMany(4000, { from: 0 });
    const none = count(rolls, null);
    expect([rolls.none, Math.max(...rolls.ids)]).toEqual([none, rolls.results.length]);
    expect(none).toBeGreaterThan(400);
    expect(Array.from({ length: 100 }, (_, k) => table.roll({ at: k }))).toEqual(resultsOf(rolls).slice(0, 100));
    expect(table.count(4000, { from: 0 })).toEqual({ total: 4000, counts: new Map([["water", 4000 - none]]), none });
    const out = new Uint32Array(4000);
    expect(table.rollInto(out, { from: 0 })).toBe(out);
    expect([...out]).toEqual([...rolls.ids]);
  });

  test.each(["frozen", "live"] as const)('%s: onDead "throw" names the first of them', (mode) => {
    const scripted = { rows: [DRY.rows[0], { columns: [{ result: "mud", weight: { script: 1 } }] }] };
    const table = open(scripted, { onDead: "throw", script: () => 0, mode });
    const first = resultsOf(table.rollMany(200, { from: 70_000, onDead: "null" })).indexOf(null) + 70_000;
    const refusal = refusalOf(() => table.rollMany(200, { from: 70_000 }));
    expect(refusal.code).toBe("table.dead");
    expect(refusal.message).toContain(`roll ${first} `);
    expect(refusalOf(() => table.count(100_000, { from: first - 66_000 })).code).toBe("table.dead");
    expect(refusalOf(() => table.roll({ at: first })).message).toBe(refusal.message);
    expect(table.roll({ at: first, onDead: "null" })).toBeNull();
    expect(refusalOf(() => table.roll({ start: 1 })).code).toBe("table.dead");
  });
});

describe("a call that fails changes nothing", () => {
  /** Ways to fail somewhere in the middle of 140,000 rolls. */
  const failures: [string, TableObject, RollManyOptions, RegExp][] = [
    ["a dead roll", DRY, { onDead: "throw" }, /table\.dead/],
    [
      "too many hops",
      {
        rows: [
          {
            columns: [
              { result: "out", weight: 3 },
              { jump: 0, weight: 1 },
            ],
          },
        ],
      },
      { maxHops: 5 },
      /table\.hops/,
    ],
    [
      "a script",
      { rows: [DRY.rows[0], { columns: [{ result: "x", weight: { script: 9 } }] }] },
      { script: () => -1 },
      /table\.script/,
    ],
    ["an abort", DRY, aborting(), /stop/],
  ];
  test.each(failures)("%s: cursor and out stay as they were", (_, source, options, message) => {
    const table = open(source);
    table.next = 17;
    const out = new Uint32Array(2_200_000).fill(7);
    expect(() => table.rollInto(out, options)).toThrow(message);
    expect(out.every((id) => id === 7)).toBe(true);
    expect(() => table.rollMany(2_200_000, options)).toThrow(message);
    expect(() => table.count(2_200_000, options)).toThrow(message);
    expect(table.next).toBe(17);
    table.next = 0;
    expect(table.roll({ script: () => 1 })).toBe(open(source).roll({ script: () => 1 }));
  });

  function aborting(): RollManyOptions {
    const controller = new AbortController();
    return { signal: controller.signal, onProgress: () => controller.abort(new Error("stop")) };
  }

  test.each([-1, 2, "0"])("a start of %s is refused", (row) => {
    const table = open(DRY);
    const start = row as number;
    for (const use of [
      () => table.roll({ start }),
      () => table.rollMany(5, { start }),
      () => table.count(5, { start }),
      () => table.odds({ start }),
    ]) {
      expect(refusalOf(use).code).toBe("table.start");
    }
    expect(table.next).toBe(0);
  });

  test("an option that rollInto or odds do not have is refused", () => {
    const table = open(DRY);
    for (const use of [
      () => table.rollInto(new Uint16Array(5), { strat: 1 } as object),
      () => table.odds({ from: 1 } as object),
    ]) {
      expect(refusalOf(use).code).toBe("argument.option");
    }
    expect(table.next).toBe(0);
  });

  test("the last index rolls, and nothing beyond it", () => {
    const table = open(DRY);
    table.next = 2 ** 42 - 1;
    table.roll();
    expect(refusalOf(() => table.roll()).code).toBe("argument.range");
    expect(refusalOf(() => table.rollMany(2, { from: 2 ** 42 - 1 })).code).toBe("argument.range");
  });

  test("a Uint16Array does not take ids of 4 bytes, and a Uint32Array takes those of 2", () => {
    const columns = Array.from({ length: 32_767 }, (_, i) => ({ result: `${i}`, weight: 1 }));
    const wide = open({ rows: [{ columns }] });
    expect(refusalOf(() => wide.rollInto(new Uint16Array(4))).code).toBe("argument.type");
    expect(wide.next).toBe(0);
    const narrow = open(SEED_TABLE, { script: () => 1 });
    const out = new Uint32Array(500);
    narrow.rollInto(out, { from: 0 });
    expect([...out]).toEqual([...narrow.rollMany(500, { from: 0 }).ids]);
  });
});

test("a copy of a parsed spec is an object like any other, with keys that tables do not have", () => {
  const { spec } = parseTable(SEED_TABLE, { file: "a.2da" });
  if (spec === undefined) throw new Error("refused");
  expect(refusalOf(() => open({ ...spec } as TableObject)).code).toBe("argument.type");
});

test("a script that rolls another table or a fork from inside a live roll does not disturb it; the same one is refused", () => {
  const mill = createMill({ seed });
  const other = mill.table("other", DRY);
  const calm = resultsOf(open(SEED_TABLE, { script: () => 60 }).rollMany(200, { from: 0, mode: "live" }));
  const table: Table = mill.table("loot", SEED_TABLE, {
    script: () => {
      other.roll();
      table.fork("other").rollMany(7, { from: 0, script: () => 3, mode: "live" });
      expect(refusalOf(() => table.rollMany(7, { from: 0, script: () => 3 })).code).toBe("argument.busy");
      return 60;
    },
  });
  expect(resultsOf(table.rollMany(200, { from: 0, mode: "live" }))).toEqual(calm);
  expect(resultsOf(table.rollMany(200, { from: 0, mode: "frozen" }))).toEqual(calm);
});
