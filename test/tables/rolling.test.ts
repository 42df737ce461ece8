import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMill, type Table, type TableObject } from "../../src/index.js";
import type { TableOptions } from "../../src/tables/index.js";
import { refusalOf } from "../refusal.js";
import { resultsOf } from "./cases.js";
import { SEED_TABLE } from "./seedTable.js";

const MONDAY: TableOptions = { script: { set: "random_default", now: "2026-01-05T08:30" } };

function open(source: string | TableObject = SEED_TABLE, options: TableOptions = MONDAY): Table {
  return createMill({ seed: "moria" }).table("loot", source, options);
}

/** Row 0 wins gold nearly always, and else jumps to row 1. */
const trapdoor = (row1: TableObject["rows"][number], gold = 999): TableObject => ({
  rows: [
    {
      columns: [
        { result: "gold", weight: gold },
        { jump: 1, weight: 1 },
      ],
    },
    row1,
  ],
});

/** The first roll from `from` on that leaves row 0 of a trapdoor. */
function firstThrough(table: Table, from: number): number {
  const { ids } = table.rollMany(20_000, { from, weights: { 5: 1 } });
  return from + ids.findIndex((id) => id !== 0);
}

describe("rollMany over any range = single rolls", () => {
  const table = open();
  const whole = resultsOf(table.rollMany(220_000, { from: 0 }));

  test("over ranges that cross blocks and batches of 65,536", () => {
    const edge = fc.constantFrom(0, 1, 1023, 1024, 1025, 65_535, 65_536, 65_537, 131_072, 130_000);
    const from = fc.oneof(edge, fc.nat(140_000));
    const count = fc.oneof(fc.nat(3000), fc.constantFrom(0, 1, 1024, 65_535, 65_536, 65_537, 59_999));
    fc.assert(
      fc.property(from, count, (first, length) => {
        expect(resultsOf(table.rollMany(length, { from: first }))).toEqual(whole.slice(first, first + length));
      }),
      { seed: 30210, numRuns: 120 },
    );
  });

  test("one by one, frozen, live and by cursor", () => {
    for (let k = 1000; k < 1060; k++) {
      for (const mode of ["frozen", "live"] as const) expect(table.roll({ at: k, mode })).toBe(whole[k]);
    }
    const cursor = open();
    expect(Array.from({ length: 3000 }, () => cursor.roll())).toEqual(whole.slice(0, 3000));
    const constant = open(SEED_TABLE, { weights: { 1: 100, 2: 100 } });
    expect(Array.from({ length: 3000 }, () => constant.roll())).toEqual(whole.slice(0, 3000));
  });

  test("a start row has a number or a label", () => {
    const labelled = open({
      rows: [
        {
          label: "a",
          columns: [
            { result: "x", weight: 1 },
            { result: "y", weight: 2 },
          ],
        },
        {
          label: "b",
          columns: [
            { result: "z", weight: 1 },
            { jump: 0, weight: 2 },
          ],
        },
        { label: "c", columns: [] },
        { label: "c", columns: [] },
      ],
    });
    const byNumber = resultsOf(labelled.rollMany(300, { start: 1 }));
    expect(resultsOf(labelled.rollMany(300, { start: "b", from: 0 }))).toEqual(byNumber);
    expect(labelled.roll({ at: 7, start: "b" })).toBe(byNumber[7]);
    expect(labelled.odds({ start: "b" })).toEqual(labelled.odds({ start: 1 }));
    for (const start of ["c", "d", "", "1", 1.5, null]) {
      expect(refusalOf(() => labelled.roll({ start: start as string })).code).toBe("table.start");
    }
  });

  test("a table without scripts rolls ahead, and a jump of the cursor or another start does not mix blocks up", () => {
    const plain = open(trapdoor({ columns: [{ result: "silver", weight: 1 }] }, 1), {});
    const all = resultsOf(plain.rollMany(4000, { from: 0 }));
    const other = resultsOf(plain.rollMany(4000, { from: 0, start: 1 }));
    for (const k of [0, 1, 1023, 1024, 5, 2047, 2048, 1024, 3999]) {
      expect([k, plain.roll({ at: k })]).toEqual([k, all[k]]);
      expect([k, plain.roll({ at: k, start: 1 })]).toEqual([k, other[k]]);
      plain.next = k;
      expect([plain.roll(), plain.next]).toEqual([all[k], k + 1]);
    }
  });

  test("count = the tally of rollMany, with every result of the table in order of first appearance", () => {
    for (const [from, rolls] of [
      [0, 200_000],
      [777, 66_000],
      [1023, 2],
      [5, 0],
    ] as const) {
      const tally = new Map(["0", "1", "2", "4", "5", "6", "10"].map((result) => [result, 0]));
      for (const result of whole.slice(from, from + rolls)) tally.set(`${result}`, (tally.get(`${result}`) ?? 0) + 1);
      for (const mode of ["frozen", "live"] as const) {
        if (mode === "live" && rolls > 100_000) continue;
        const counted = table.count(rolls, { from, mode });
        expect([counted.total, [...counted.counts], counted.none]).toEqual([rolls, [...tally], 0]);
      }
    }
    expect([...table.count(100, { from: 0, start: 1 }).counts.keys()]).toEqual([...table.results]);
  });
});

describe("the hop limit", () => {
  /** Rows that each jump to the next; the last has the result. */
  const chain = (rows: number): TableObject => ({
    rows: Array.from({ length: rows }, (_, r) => ({
      columns: [r < rows - 1 ? { jump: r + 1, weight: 1 } : { result: "end", weight: 1 }],
    })),
  });

  test.each([1, 2, 20, 10_000])("a result on the %s-th row is within as many hops, and not within one less", (rows) => {
    const table = open(chain(rows), {});
    for (const mode of ["frozen", "live"] as const) {
      expect(table.roll({ at: 5, mode, maxHops: rows })).toBe("end");
      expect(resultsOf(table.rollMany(3, { from: 5, mode, maxHops: rows }))).toEqual(["end", "end", "end"]);
      if (rows === 1) continue;
      const refusal = refusalOf(() => table.rollMany(3, { from: 5, mode, maxHops: rows - 1 }));
      expect(refusal.code).toBe("table.hops");
      expect(refusal.issues[0].where.path).toBe(`rows[${rows - 1}]`);
      expect(refusal.message).toContain("roll 5 ");
      expect(refusalOf(() => table.roll({ at: 5, mode, maxHops: rows - 1 })).code).toBe("table.hops");
    }
  });

  test("the default is 10,000: a self-containing table returns, as an error (oldschooljs)", () => {
    expect(open(chain(10_000), {}).roll()).toBe("end");
    expect(refusalOf(() => open(chain(10_001), {}).roll()).code).toBe("table.hops");
    const rarely = {
      rows: [
        {
          columns: [
            { jump: 0, weight: 2 ** 32 - 2 },
            { result: "out", weight: 1 },
          ],
        },
      ],
    };
    expect(refusalOf(() => open(rarely, {}).rollMany(10)).code).toBe("table.hops");
    const never = {
      rows: [
        {
          columns: [
            { jump: 0, weight: 1 },
            { result: "out", weight: 0 },
          ],
        },
      ],
    };
    expect(refusalOf(() => open(never, {}).roll()).code).toBe("table.endless");
  });

  test("the error names the first roll that exceeds the limit, and the rolls before it are made", () => {
    const table = open(
      {
        rows: [
          {
            columns: [
              { result: "out", weight: 9 },
              { jump: 0, weight: 1 },
            ],
          },
        ],
      },
      {},
    );
    // with two rows allowed, the first roll that jumps twice fails
    const twice = Array.from({ length: 4000 }, (_, k) => k).find((k) => hops(table, k) > 2);
    const refusal = refusalOf(() => table.rollMany(4000, { from: 0, maxHops: 2 }));
    expect([refusal.code, refusal.issues[0].where.path]).toEqual(["table.hops", "rows[0]"]);
    expect(refusal.message).toContain(`roll ${twice} `);
    expect(table.rollMany(Number(twice), { from: 0, maxHops: 2 })).toHaveLength(Number(twice));
  });

  /** The rows that a roll visits. */
  function hops(table: Table, at: number): number {
    for (let maxHops = 1; ; maxHops++) {
      try {
        table.roll({ at, maxHops });
        return maxHops;
      } catch {
        // allow one row more
      }
    }
  }

  test.each([0, -1, 1.5, 2 ** 31, Number.NaN])("maxHops %s is refused", (maxHops) => {
    expect(refusalOf(() => open().roll({ maxHops })).code).toBe("argument.range");
  });
});

describe("rows that cannot be weighed", () => {
  const poisoned = trapdoor({ columns: [{ result: "silver", weight: { script: 5 } }] });
  const script = () => Number.NaN;

  test.each(["frozen", "live"] as const)("%s: are reported only when a roll visits one", (mode) => {
    const table = open(poisoned, { script, mode });
    const bad = firstThrough(table, 0);
    expect(bad).toBeGreaterThan(10);
    expect(resultsOf(table.rollMany(bad, { from: 0 }))).toEqual(new Array(bad).fill("gold"));
    const refusal = refusalOf(() => table.rollMany(bad + 1, { from: 0 }));
    expect(refusal.code).toBe("table.script");
    expect(refusal.issues[0].where.path).toBe("rows[1].columns[0].weight");
    expect(refusalOf(() => table.roll({ at: bad })).message).toBe(refusal.message);
    expect(table.roll({ at: bad + 1 })).toBe("gold");
    // in the middle of a block, in a later batch, and alone
    for (const from of [bad - 3, bad, Math.max(0, bad - 70_000)]) {
      expect(refusalOf(() => table.count(bad + 1 - from, { from })).code).toBe("table.script");
    }
  });

  test.each(["frozen", "live"] as const)("%s: a row whose scripts add up to more than 2^32 − 1", (mode) => {
    const columns = [1, 2].map((n) => ({ result: `${n}`, weight: { script: n } }));
    const table = open({ rows: [{ columns }] }, { mode });
    const half = 2 ** 31;
    expect(refusalOf(() => table.roll({ script: () => half })).code).toBe("weights.overflow");
    expect(refusalOf(() => table.rollMany(3, { script: () => half })).code).toBe("weights.overflow");
    const { counts } = table.count(1000, { script: (id) => half - id + 1 });
    expect([...counts.values()].every((count) => count > 400)).toBe(true);
  });

  test("a script of one call does not stick to the next: weights are written anew when they change", () => {
    const table = open(SEED_TABLE, {});
    const roll = (weights: Record<number, number>) => resultsOf(table.rollMany(3000, { from: 0, weights }));
    const monday = roll({ 1: 100, 2: 100 });
    expect(roll({ 1: 0, 2: 0 })).not.toEqual(monday);
    expect(roll({ 1: 100, 2: 100 })).toEqual(monday);
    expect(refusalOf(() => roll({ 1: Number.NaN, 2: 100 })).code).toBe("table.script");
    expect(roll({ 1: 100, 2: 100 })).toEqual(monday);
    expect(resultsOf(table.rollMany(3000, { from: 0, script: () => 100 }))).toEqual(monday);
  });
});
