import { describe, expect, test } from "vitest";
import { error, formatIssue, RollmillError } from "../../src/errors/index.js";
import { freeze, type Script, type TablePlan, tableOdds, weighRow } from "../../src/tables/index.js";
import { planOf, refusalOf, twoDaOf } from "./build.js";
import { SEED_TABLE } from "./seedTable.js";

const MAX = 4294967295;
const frozenOf = (plan: TablePlan, script: unknown, start = 0) =>
  freeze(plan, start, { script: script as Script, context: undefined });

/** Weighs a row as a live roll does. */
function live(plan: TablePlan, row: number, script: unknown) {
  const out: number[] = [];
  return { out, ...weighRow(plan, row, { source: { script: script as Script, context: undefined }, out }) };
}

const throwing = (thrown: unknown) => () => {
  throw thrown;
};

/** Every script of oracles.md that gives no weight, and what the message must say of it. */
const HOSTILE: [string, unknown, string][] = [
  ["throws an error", throwing(new TypeError("boom")), "failed: it threw TypeError: boom"],
  ["throws a string", throwing("boom"), 'failed: it threw "boom"'],
  ["throws undefined", throwing(undefined), "failed: it threw undefined"],
  [
    "throws an error of the library",
    throwing(new RollmillError([error("table.dead", { problem: "no" })])),
    "failed: no",
  ],
  ["returns NaN", () => Number.NaN, "returned no weight: got NaN"],
  ["returns -1", () => -1, "returned no weight: got -1"],
  ["returns Infinity", () => Number.POSITIVE_INFINITY, "returned no weight: got Infinity"],
  ["returns 1e300", () => 1e300, "returned no weight: got 1e+300"],
  ["returns 2^32", () => MAX + 1, "returned no weight: got 4294967296"],
  ["returns a fraction", () => 0.5, "returned no weight: got 0.5"],
  ['returns "5"', () => "5", 'returned no weight: got "5"'],
  ["returns undefined", () => undefined, "returned no weight: got undefined"],
  ["returns null", () => null, "returned no weight: got null"],
  ["returns true", () => true, "returned no weight: got true"],
  ["returns 5n", () => 5n, "returned no weight: got 5n"],
  ["returns a Number object", () => new Number(5), "returned no weight: got an object"],
  ["returns a Promise", async () => 5, "returned no weight: got a Promise"],
  ["returns a Promise that fails", async () => Promise.reject(new Error("late")), "returned no weight: got a Promise"],
];

describe("a script that gives no weight", () => {
  const plan = planOf(SEED_TABLE, { name: "loot", file: "loot.2da" });

  test.each(HOSTILE)("%s: the message names table, row, label, column, id and what came back", (_, script, said) => {
    const { failed, poisonedRows, weights } = frozenOf(plan, script);
    const issue = failed.get(0);
    expect(issue).toMatchObject({ code: "table.script", where: { file: "loot.2da", line: 4, column: 21 } });
    expect(issue?.message).toMatch(/^table loot, row 1 \(Set1\), column 0: script 1 /);
    expect(issue?.message).toContain(said);
    expect([...failed.keys()]).toEqual([0, 1]);
    expect([...poisonedRows.keys()]).toEqual([1, 2]);
    expect([...weights.slice(5)]).toEqual([0, 0, 25, 0, 10]);
  });

  test.each(HOSTILE)("%s: a live visit gives the very issue that the frozen table holds", (_, script) => {
    const { poisonedRows } = frozenOf(plan, script);
    for (const row of [1, 2]) expect(live(plan, row, script).issue).toEqual(poisonedRows.get(row));
    expect(live(plan, 0, script)).toEqual({ out: [10, 25, 100, 25, 2], total: 162 });
  });

  test("the whole message", () => {
    expect([...frozenOf(plan, () => "5").failed.values()].map(formatIssue)).toEqual([
      'loot.2da:4:21: table loot, row 1 (Set1), column 0: script 1 returned no weight: got "5", expected an integer from 0 to 4294967295 [table.script]',
      'loot.2da:4:43: table loot, row 1 (Set1), column 1: script 2 returned no weight: got "5", expected an integer from 0 to 4294967295 [table.script]',
    ]);
  });

  test("a failure keeps its cause", () => {
    const boom = new Error("boom");
    expect(live(plan, 1, throwing(boom)).cause).toBe(boom);
  });

  test("is reported only if a roll can visit a row that holds it", () => {
    const script = (id: number) => (id === 1 ? 100 : -1);
    const { poisonedRows, failed } = frozenOf(plan, script);
    expect([...failed.keys()]).toEqual([1]);
    expect([...poisonedRows.keys()]).toEqual([1]);
    expect(refusalOf(() => tableOdds(plan, 0, frozenOf(plan, script))).code).toBe("table.script");

    const behindZero = planOf(twoDaOf(["r0 1 1 s1", "r1 s2"]));
    const odds = tableOdds(
      behindZero,
      0,
      frozenOf(behindZero, (id: number) => (id === 1 ? 0 : -1)),
    );
    expect(odds.odds).toEqual([
      { result: "0", numerator: 1n, denominator: 1n },
      { result: "1", numerator: 0n, denominator: 1n },
    ]);
  });

  test("labels are cut, and a table without a name or labels is named by its rows", () => {
    const long = planOf({ rows: [{ label: "x".repeat(99), columns: [{ result: "a", weight: { script: 3 } }] }] });
    expect([...frozenOf(long, () => -1).failed.values()].map(formatIssue)).toEqual([
      `rows[0].columns[0].weight: row 0 (${"x".repeat(29)}…), column 0: script 3 returned no weight: got -1, expected an integer from 0 to 4294967295 [table.script]`,
    ]);
    const bare = planOf({ rows: [{ columns: [{ result: "a", weight: { script: 3 } }] }] });
    expect(frozenOf(bare, () => -1).failed.get(0)?.message).toMatch(/^row 0, column 0: script 3 /);
  });
});

describe("weights that are fine", () => {
  test("0 and 2^32 - 1 are weights, and minus zero is 0", () => {
    const plan = planOf(twoDaOf(["r0 s0 r1 s1 r2 s2"]));
    const script = (id: number) => [0, MAX, -0][id];
    expect([...frozenOf(plan, script).weights]).toEqual([0, MAX, 0]);
    expect(frozenOf(plan, script)).toMatchObject({ failed: new Map(), poisonedRows: new Map() });
    expect(live(plan, 0, script)).toEqual({ out: [0, MAX, 0], total: MAX });
  });

  test("a row whose scripts take its total past 2^32 - 1 is unusable, frozen or live", () => {
    const plan = planOf(twoDaOf(["1 1", "r0 1 r1 s1"]), { name: "loot", file: "a.2da" });
    const issue = frozenOf(plan, () => MAX).poisonedRows.get(1);
    expect(issue && formatIssue(issue)).toBe(
      "a.2da:5:1: table loot, row 1 (Row1): the row's weights add up to too much: got 4294967296, expected at most 4294967295. Let its scripts answer smaller weights. [weights.overflow]",
    );
    expect(live(plan, 1, () => MAX).issue).toEqual(issue);
    expect(frozenOf(plan, () => MAX - 1).poisonedRows.size).toBe(0);
    expect(
      refusalOf(() =>
        tableOdds(
          plan,
          0,
          frozenOf(plan, () => MAX),
        ),
      ).code,
    ).toBe("weights.overflow");
  });

  test("freezing asks each reachable id once, in order of first appearance; a visit asks every column", () => {
    const plan = planOf(twoDaOf(["2 s7 r0 s7 3 0", "r0 s9", "r1 s3 r2 s7 1 s4", "r3 s5"]));
    const asked: number[] = [];
    const script = (id: number) => asked.push(id);
    const { weights } = frozenOf(plan, script);
    expect(asked).toEqual([7, 3, 4, 9]);
    expect([...weights]).toEqual([1, 1, 0, 4, 2, 1, 3, 0]);
    expect([...plan.weight]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    asked.length = 0;
    live(plan, 2, script);
    expect(asked).toEqual([3, 7, 4]);
  });

  test("a live visit stops at the first script that fails", () => {
    const asked: number[] = [];
    const plan = planOf(twoDaOf(["r0 s1 r1 s2 r2 s3"]));
    live(plan, 0, (id: number) => {
      asked.push(id);
      return id === 2 ? Number.NaN : 1;
    });
    expect(asked).toEqual([1, 2]);
  });

  test("the context goes to the script as it came", () => {
    const plan = planOf(twoDaOf(["r0 s1"]));
    const context = { level: 3 };
    const seen: unknown[] = [];
    const script: Script = (_, given) => seen.push(given);
    freeze(plan, 0, { script, context });
    weighRow(plan, 0, { source: { script, context }, out: [] });
    expect(seen).toEqual([context, context]);
    expect(seen[0]).toBe(context);
  });

  test("an override answers its id before the script, and is judged like it", () => {
    const plan = planOf(SEED_TABLE);
    const script = throwing(new Error("asked"));
    const overrides = new Map([
      [1, 100],
      [2, 0],
    ]);
    const { weights, failed } = freeze(plan, 0, { script, context: undefined, overrides });
    expect([...weights.slice(5)]).toEqual([100, 0, 25, 100, 10]);
    expect(failed.size).toBe(0);
    const bad = freeze(plan, 0, { script, context: undefined, overrides: new Map([[1, -5]]) });
    expect([...bad.failed.values()].map((issue) => issue.message.replace(/^.*: (?=script)/, ""))).toEqual([
      "script 1 returned no weight: got -5, expected an integer from 0 to 4294967295",
      "script 2 failed: it threw Error: asked",
    ]);
  });
});
