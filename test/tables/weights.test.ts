import { describe, expect, test } from "vitest";
import { error, RollmillError } from "../../src/errors/index.js";
import { ONE, ZERO } from "../../src/fractions.js";
import type { Script } from "../../src/tables/index.js";
import { tableOdds } from "../../src/tables/odds.js";
import { type FrozenWeights, freeze, weighRow } from "../../src/tables/rolling.js";
import type { TablePlan } from "../../src/tables/types.js";
import { refusalOf } from "../refusal.js";
import { planOf, twoDaOf } from "./build.js";
import { SEED_TABLE } from "./seedTable.js";

const MAX = 4294967295;
const frozenOf = (plan: TablePlan, script: unknown, start = 0) =>
  freeze(plan, start, { script: script as Script, context: undefined });

/** Weighs a row as a live roll does. */
const live = (plan: TablePlan, row: number, script: unknown) =>
  weighRow(plan, row, { script: script as Script, context: undefined });
/** Code and place of the issues of poisoned rows. */
const placesOf = ({ failed }: FrozenWeights) =>
  [...failed.values()]
    .flatMap((cause) => (cause as RollmillError).issues)
    .map(({ code, where }) => [code, where.line ?? where.path, where.column]);

const throwing = (thrown: unknown) => () => {
  throw thrown;
};

/** Scripts that give no usable weight. */
const HOSTILE: [string, unknown][] = [
  ["throws an error", throwing(new TypeError("boom"))],
  ["throws a string", throwing("boom")],
  ["throws undefined", throwing(undefined)],
  ["throws an error of the library", throwing(new RollmillError([error("table.dead", { problem: "no" })]))],
  ["returns NaN", () => Number.NaN],
  ["returns -1", () => -1],
  ["returns Infinity", () => Number.POSITIVE_INFINITY],
  ["returns 1e300", () => 1e300],
  ["returns 2^32", () => MAX + 1],
  ["returns a fraction", () => 0.5],
  ['returns "5"', () => "5"],
  ["returns undefined", () => undefined],
  ["returns null", () => null],
  ["returns true", () => true],
  ["returns 5n", () => 5n],
  ["returns a Number object", () => new Number(5)],
  ["returns a Promise", async () => 5],
  ["returns a Promise that fails", async () => Promise.reject(new Error("late"))],
];

describe("a script that gives no weight", () => {
  const plan = planOf(SEED_TABLE, { name: "loot", file: "loot.2da" });

  test.each(HOSTILE)("%s: every row with the id is poisoned, at the place of its weight", (_, script) => {
    const frozen = frozenOf(plan, script);
    expect([...frozen.failed.keys()]).toEqual([1, 2]);
    expect(placesOf(frozen)).toEqual([
      ["table.script", 4, 21],
      ["table.script", 5, 21],
    ]);
    expect([...frozen.weights.slice(5)]).toEqual([0, 0, 25, 0, 10]);
    for (const row of [1, 2]) expect(refusalOf(() => live(plan, row, script))).toEqual(frozen.failed.get(row));
    expect(live(plan, 0, script)).toEqual({ weights: [10, 25, 100, 25, 2], total: 162 });
  });

  test("a failure keeps its cause", () => {
    const boom = new Error("boom");
    expect(refusalOf(() => live(plan, 1, throwing(boom))).cause).toBe(boom);
  });

  test("is reported only if a roll can visit a row that holds it", () => {
    const script = (id: number) => (id === 1 ? 100 : -1);
    expect(placesOf(frozenOf(plan, script))).toEqual([["table.script", 4, 43]]);
    expect(refusalOf(() => tableOdds(plan, 0, frozenOf(plan, script))).code).toBe("table.script");

    const behindZero = planOf(twoDaOf(["r0 1 1 s1", "r1 s2"]));
    const odds = tableOdds(
      behindZero,
      0,
      frozenOf(behindZero, (id: number) => (id === 1 ? 0 : -1)),
    );
    expect(odds.odds).toEqual([
      { result: "0", probability: ONE },
      { result: "1", probability: ZERO },
    ]);
  });

  test("the place in an object is a path", () => {
    const bare = planOf({ rows: [{ columns: [{ result: "a", weight: { script: 3 } }] }] });
    expect(placesOf(frozenOf(bare, () => -1))).toEqual([["table.script", "rows[0].columns[0].weight", undefined]]);
  });
});

describe("weights that are fine", () => {
  test("0 and 2^32 - 1 are weights, and minus zero is 0", () => {
    const plan = planOf(twoDaOf(["r0 s0 r1 s1 r2 s2"]));
    const script = (id: number) => [0, MAX, -0][id];
    expect([...frozenOf(plan, script).weights]).toEqual([0, MAX, 0]);
    expect(frozenOf(plan, script).failed.size).toBe(0);
    expect(live(plan, 0, script)).toEqual({ weights: [0, MAX, 0], total: MAX });
  });

  test("a row whose scripts take its total past 2^32 - 1 is unusable, frozen or live", () => {
    const plan = planOf(twoDaOf(["1 1", "r0 1 r1 s1"]), { name: "loot", file: "a.2da" });
    const frozen = frozenOf(plan, () => MAX);
    expect(placesOf(frozen)).toEqual([["weights.overflow", 5, 1]]);
    expect(refusalOf(() => live(plan, 1, () => MAX))).toEqual(frozen.failed.get(1));
    expect(frozenOf(plan, () => MAX - 1).failed.size).toBe(0);
    expect(refusalOf(() => tableOdds(plan, 0, frozen)).code).toBe("weights.overflow");
  });

  test("freezing calls each reachable id once, in order of first appearance; a visit calls every column", () => {
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
    const script = (id: number) => {
      asked.push(id);
      return id === 2 ? Number.NaN : 1;
    };
    expect(refusalOf(() => live(plan, 0, script)).code).toBe("table.script");
    expect(asked).toEqual([1, 2]);
  });

  test("the context goes to the script as it came", () => {
    const plan = planOf(twoDaOf(["r0 s1"]));
    const context = { level: 3 };
    const seen: unknown[] = [];
    const script: Script = (_, given) => seen.push(given);
    freeze(plan, 0, { script, context });
    weighRow(plan, 0, { script, context });
    expect(seen).toEqual([context, context]);
    expect(seen[0]).toBe(context);
  });

  test("an override replaces the script for its id, and is checked like it", () => {
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
    expect(placesOf(bad)).toEqual([
      ["table.script", 4, 21],
      ["table.script", 5, 21],
    ]);
  });
});
