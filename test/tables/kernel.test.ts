import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMill, RollmillError, type Script, type TableObject } from "../../src/index.js";
import { IS_SOAK } from "../soak.js";
import { anyAnswers, anyTable, resultsOf, TwinTable } from "./cases.js";
import { SEED_TABLE } from "./seedTable.js";

const MAX_TOTAL = 2 ** 32 - 1;
const name = "loot";

function open(source: string | TableObject, { seed = "moria", script }: { seed?: string; script?: Script } = {}) {
  const table = createMill({ seed }).table(name, source, script === undefined ? {} : { script });
  return { table, twin: new TwinTable(source, { seed, name }) };
}

/** What a call returns, or the code of its error. */
function outcomeOf<T>(call: () => T): T | string {
  try {
    return call();
  } catch (thrown) {
    if (thrown instanceof RollmillError) return `refused: ${thrown.code}`;
    throw thrown;
  }
}

const index = fc.oneof(
  fc.nat(3000),
  fc.constantFrom(1000, 1023, 1024, 2 ** 32 - 10, 2 ** 32 - 1, 2 ** 42 - 200),
  fc.integer({ min: 0, max: 2 ** 42 - 200 }),
);

describe("kernel = twin, roll for roll", () => {
  test("any table from any row: the same results, and the same rolls fail", () => {
    let [rolled, failed, dead] = [0, 0, 0];
    fc.assert(
      fc.property(anyTable, anyAnswers, index, fc.nat(60), fc.nat(11), (source, answers, from, count, row) => {
        const script: Script = (id) => answers[id];
        const { table, twin } = open(source, { script });
        const start = row % source.rows.length;
        const options = { start, maxHops: 40 };
        fc.pre(outcomeOf(() => table.odds({ start, script: () => 1 })) !== "refused: table.endless");
        const expected = Array.from({ length: count }, (_, k) => twin.outcome(from + k, { ...options, script }));
        const codes = { failed: "table.script", hops: "table.hops" } as const;
        const each = expected.map((end) => {
          if (end.kind === "result") return end.result;
          return end.kind === "dead" ? null : `refused: ${codes[end.kind]}`;
        });
        rolled += count;
        dead += each.filter((end) => end === null).length;

        const firstBad = expected.find((end) => end.kind === "failed" || end.kind === "hops");
        const bulk = outcomeOf(() => resultsOf(table.rollMany(count, { ...options, from })));
        if (firstBad === undefined) {
          expect(bulk).toEqual(each);
          expect(table.rollMany(count, { ...options, from }).none).toBe(each.filter((end) => end === null).length);
        }
        if (firstBad !== undefined) {
          failed++;
          expect(["refused: table.script", "refused: table.hops"]).toContain(bulk);
        }

        for (const mode of ["frozen", "live"] as const) {
          const singles = each.map((_, k) => outcomeOf(() => table.roll({ ...options, mode, at: from + k })));
          expect(singles).toEqual(each);
        }
      }),
      { seed: 30200, numRuns: IS_SOAK ? 400 : 200 },
    );
    // all three kinds occurred
    expect([rolled > 5000, failed > 20, dead > 200]).toEqual([true, true, true]);
  });

  test("the seed's table, 4,000 rolls around each edge of the index", () => {
    const script: Script = (id) => (id === 3 ? 0 : 100);
    const { table, twin } = open(SEED_TABLE, { script });
    for (const from of [0, 1022, 2 ** 32 - 500, 2 ** 42 - 1000]) {
      expect(resultsOf(table.rollMany(1000, { from }))).toEqual(twin.rolls(from, 1000, { script }));
    }
  });

  const sizes: [string, TableObject][] = [
    ["totals of 2^32 − 1 that leave one word in two undecided", row(5000, (c) => 858_000 + (c % 997))],
    [
      "a row of 20 columns whose total is exactly 2^32 − 1",
      row(20, (c) => (c < 19 ? 2 ** 27 - 1 : MAX_TOTAL - 19 * (2 ** 27 - 1))),
    ],
    ["one giant weight among ones", row(300, (c) => (c === 150 ? MAX_TOTAL - 299 : 1))],
    ["a column of the whole total", row(3, (c) => (c === 1 ? MAX_TOTAL : 0))],
    ["one column", row(1, () => 1)],
    ["weights that the cells of a guide divide evenly", row(1024, () => 1)],
    ["weights that straddle the cells of a guide", row(1023, () => 1)],
  ];
  test.each(sizes)("%s", (_, source) => {
    const { table, twin } = open(source);
    expect(resultsOf(table.rollMany(1500, { from: 7 }))).toEqual(twin.rolls(7, 1500));
  });

  test("undecided words of a guide are picked exactly: 2^18 rolls of a row of 200 columns, the undecided by the twin", () => {
    const weights = Array.from({ length: 200 }, (_, c) => 21_000_000 + c * 977);
    const total = weights.reduce((a, b) => a + b);
    const source = row(200, (c) => weights[c]);
    const { table, twin } = open(source);
    const { ids } = table.rollMany(2 ** 18, { from: 0 });
    const raw = createMill({ seed: "moria" })
      .stream(name)
      .words(2 ** 18);
    const sums = weights.map(
      (
        (sum) => (weight: number) =>
          (sum += weight)
      )(0),
    );
    const wrong: number[] = [];
    let close = 0;
    for (const [k, word] of raw.entries()) {
      const at = (word / 2 ** 32) * total;
      const c = sums.findIndex((sum) => sum > at);
      // doubles settle all but the words next to a boundary
      if (Math.min(sums[c] - at, at - (sums[c - 1] ?? Number.NEGATIVE_INFINITY)) > 1.5) {
        if (ids[k] !== c) wrong.push(k);
      } else {
        close++;
        expect(table.results[ids[k]]).toBe(twin.rolls(k, 1)[0]);
      }
    }
    expect(wrong).toEqual([]);
    expect(close).toBeLessThan(50);
  });
});

describe("large tables", () => {
  /** Row 0 jumps to `inner` rows of results, all of weight 1 but each row's last, of weight 2. */
  const twoLevels = (inner: number, each: number, dead = 0): TableObject => ({
    rows: [
      { columns: Array.from({ length: inner }, (_, i) => ({ jump: i + 1, weight: i % 7 === 0 ? 2 : 1 })) },
      ...Array.from({ length: inner }, (_, i) => ({
        columns: Array.from({ length: each }, (__, c) => ({
          result: `${i * each + c}`,
          weight: c === each - 1 ? 2 : 1,
        })),
      })),
      ...Array.from({ length: dead }, () => ({ columns: [] })),
    ],
  });

  test.each([
    [32_766, 2, twoLevels(86, 381)],
    [32_767, 4, twoLevels(217, 151)],
    [40_000, 4, twoLevels(200, 200)],
  ])("%s results take %s bytes an id, and every result comes up", (results, bytes, source) => {
    const { table, twin } = open(source);
    expect(table.results).toHaveLength(results);
    const rolls = table.rollMany(1_200_000, { from: 0 });
    expect(rolls.ids.BYTES_PER_ELEMENT).toBe(bytes);
    const seen = new Uint32Array(results + 1);
    for (const id of rolls.ids) seen[id]++;
    expect([rolls.none, seen[results], seen.subarray(0, results).indexOf(0)]).toEqual([0, 0, -1]);
    expect(resultsOf({ ids: rolls.ids.slice(0, 300), results: table.results })).toEqual(twin.rolls(0, 300));
    const counted = table.count(1_200_000, { from: 0 });
    expect(Uint32Array.from(counted.counts.values())).toEqual(seen.subarray(0, results));
  });

  test.each([
    [32_766, 2],
    [32_767, 4],
  ])("%s rows of few results take %s bytes an id too", (rows, bytes) => {
    const source = twoLevels(200, 3, rows - 201);
    const { table, twin } = open(source);
    const rolls = table.rollMany(2000, { from: 0 });
    expect(rolls.ids.BYTES_PER_ELEMENT).toBe(bytes);
    expect(resultsOf(rolls)).toEqual(twin.rolls(0, 2000));
    expect(table.roll({ at: 3, start: rows - 1 })).toBeNull();
  });

  test.each([
    [2, 0],
    [4, 40_000],
  ])("none is right for any number of rolls, ids of %s bytes", (bytes, more) => {
    const columns = Array.from({ length: more }, (_, c) => ({ result: `${c}`, weight: 0 }));
    const source = {
      rows: [{ columns: [{ result: "a", weight: 1 }, { jump: 1, weight: 1 }, ...columns] }, { columns: [] }],
    };
    const { table } = open(source);
    expect(table.rollMany(0).ids.BYTES_PER_ELEMENT).toBe(bytes);
    const { ids, results } = table.rollMany(3000, { from: 0 });
    for (let count = 0; count < 40; count++) {
      for (const from of [0, 1020, 1500 + count]) {
        const dead = ids.subarray(from, from + count).filter((id) => id === results.length).length;
        expect([from, count, table.rollMany(count, { from }).none]).toEqual([from, count, dead]);
      }
    }
  });

  // guides have 10 bits up to 4,095 rows, and one bit less each time the rows double
  test.each([4095, 4096, 8192, 70_000, 2 ** 17])("%s rows with smaller guides roll the same", (rows) => {
    const far = (r: number, c: number) => (Math.imul(r * 3 + c + 1, 0x9e3779b1) >>> 0) % rows;
    const source: TableObject = {
      rows: Array.from({ length: rows }, (_, r) => ({
        columns: [
          { jump: far(r, 0), weight: 3 + (r % 5) },
          { result: `${r % 100}`, weight: 2 },
          { jump: far(r, 1), weight: 1 },
          { result: `${r % 77}`, weight: r % 3 },
        ],
      })),
    };
    const { table, twin } = open(source);
    expect(resultsOf(table.rollMany(1500, { from: 40 }))).toEqual(twin.rolls(40, 1500));
  });
});

describe("live = frozen", () => {
  test("any table with a pure script rolls the same in both modes, whatever the range", () => {
    fc.assert(
      fc.property(anyTable, anyAnswers, index, fc.nat(100), (source, answers, from, count) => {
        const { table } = open(source, { script: (id) => answers[id] });
        const roll = (mode: "live" | "frozen") =>
          outcomeOf(() => resultsOf(table.rollMany(count, { from, mode, maxHops: 50 })));
        const [live, frozen] = [roll("live"), roll("frozen")];
        if (typeof live === "string") expect(frozen).toMatch(/^refused: table\./);
        else expect(frozen).toEqual(live);
      }),
      { seed: 30201, numRuns: 300 },
    );
  });

  test("a frozen call calls a script once an id, a live one once a visit and column", () => {
    const asked: number[] = [];
    const script: Script = (id) => {
      asked.push(id);
      return 100;
    };
    const { table, twin } = open(SEED_TABLE, { script });
    table.rollMany(500, { from: 0, mode: "frozen" });
    expect(asked.splice(0)).toEqual([1, 2]);
    table.rollMany(500, { from: 0, mode: "live" });
    const visits = asked.splice(0);
    for (let k = 0; k < 500; k++) twin.outcome(k, { script });
    expect(visits).toEqual(asked);
  });
});

test("a live roll takes a row of more columns than a batch has results", () => {
  const { table, twin } = open(row(70_000, (c) => 1 + (c % 3)));
  expect(resultsOf(table.rollMany(3, { mode: "live", chosen: () => undefined }))).toEqual(twin.rolls(0, 3));
});

function row(columns: number, weight: (c: number) => number): TableObject {
  return { rows: [{ columns: Array.from({ length: columns }, (_, c) => ({ result: `${c}`, weight: weight(c) })) }] };
}
