import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkStart, compileTable, reachableRows, reachableScripts } from "../../src/tables/compile.js";
import type { TablePlan } from "../../src/tables/types.js";
import { refusalOf } from "../refusal.js";
import { planOf, specOf, twoDaOf } from "./build.js";
import { SEED_TABLE } from "./seedTable.js";

const MAX = 4294967295;

describe("compile", () => {
  test("the seed's table is laid out row by row, column by column", () => {
    const plan = planOf(SEED_TABLE);
    expect(plan).toMatchObject({
      rowStart: Uint32Array.of(0, 5, 8, 10),
      target: Int32Array.of(0, 1, 2, ~1, ~2, 3, 4, 5, 6, ~0),
      weight: Uint32Array.of(10, 25, 100, 25, 2, 0, 0, 25, 0, 10),
      script: Int32Array.of(-1, -1, -1, -1, -1, 0, 1, -1, 0, -1),
      scriptIds: [1, 2],
      results: ["0", "1", "2", "4", "5", "6", "10"],
    });
    expect(plan.spec.rows[2].label).toBe("Set2");
  });

  test("equal results share an index, in order of first appearance and not of their numbers", () => {
    const plan = planOf(twoDaOf(["r9 1 r1 1 r9 1", "r__proto__ 1 rconstructor 1 r 1 r1 1 r01 1", "r9 s9 r9 s2 r9 s9"]));
    expect(plan.results).toEqual(["9", "1", "__proto__", "constructor", "", "01"]);
    expect([...plan.target]).toEqual([0, 1, 0, 2, 3, 4, 1, 5, 0, 0, 0]);
    expect(plan.scriptIds).toEqual([9, 2]);
    expect([...plan.script.slice(-3)]).toEqual([0, 1, 0]);
  });

  test("dead rows and empty tables have no columns", () => {
    expect([...planOf(twoDaOf(["", "r0 1", ""])).rowStart]).toEqual([0, 0, 1, 1]);
    expect([...planOf({ rows: [] }).rowStart]).toEqual([0]);
  });

  test("a row of fixed weights may total 2^32 - 1; a larger total is an error at the first column past it", () => {
    expect(planOf(twoDaOf([`r0 ${MAX - 1} r1 1 r2 0`])).weight).toEqual(Uint32Array.of(MAX - 1, 1, 0));
    expect(planOf(twoDaOf([`r0 ${MAX} r1 s1`])).weight[0]).toBe(MAX);
    const spec = specOf(twoDaOf([`r0 ${MAX} r1 1`, "r0 1", `r0 1 r1 s1 r2 ${MAX}`]), { name: "loot", file: "a.2da" });
    expect(refusalOf(() => compileTable(spec)).issues.map(({ code, where }) => [code, where])).toEqual([
      ["weights.overflow", { file: "a.2da", line: 4, column: 25 }],
      ["weights.overflow", { file: "a.2da", line: 6, column: 22 }],
    ]);
  });
});

describe("the reach of a start", () => {
  const plan = planOf(twoDaOf(["3 1 1 s7 4 0", "r0 s5 3 s7", "r9 1", "r1 s6 0 s8", "r2 s1", "4 1"]));

  test("rows come breadth-first, and a fixed weight of 0 leads nowhere", () => {
    expect(reachableRows(plan, 0)).toEqual([0, 3, 1]);
    expect(reachableRows(plan, 4)).toEqual([4]);
    expect(reachableRows(plan, 5)).toEqual([5, 4]);
  });

  test("scripts come in order of first appearance over those rows", () => {
    expect(reachableScripts(plan, 0).map((index) => plan.scriptIds[index])).toEqual([7, 6, 8, 5]);
    expect(reachableScripts(plan, 2)).toEqual([]);
    expect(reachableScripts(plan, 5).map((index) => plan.scriptIds[index])).toEqual([1]);
  });
});

describe("the start", () => {
  const plan = planOf(twoDaOf(["r0 1", "r1 1"]), { name: "loot", file: "a.2da" });

  test.each([0, 1])("row %s of two is accepted", (start) => expect(() => checkStart(plan, start)).not.toThrow());

  test.each([-1, 2, 0.5, Number.NaN, Number.POSITIVE_INFINITY, "0", null, undefined, 0n])(
    "%s is not a row",
    (start) => {
      expect(refusalOf(() => checkStart(plan, start)).code).toBe("table.start");
    },
  );

  test("an empty table has no start row", () => {
    expect(refusalOf(() => checkStart(planOf({ rows: [] }), 0)).code).toBe("table.start");
  });
});

describe("a table that can never end is refused when it is compiled, a cycle is not", () => {
  const endless = (rows: readonly string[], start = 0) => {
    try {
      checkStart(planOf(twoDaOf(rows), { file: "a.2da" }), start);
      return undefined;
    } catch (thrown) {
      return refusalOf(() => {
        throw thrown;
      }).code;
    }
  };

  test.each<[string, string[]]>([
    ["a row that holds itself (oldschooljs)", ["0 1"]],
    ["two rows that jump to each other", ["1 1", "0 1"]],
    ["a loop behind a row that has a result", ["r0 1 1 1", "2 1", "1 5"]],
    ["a loop behind a script", ["r0 1 1 s1", "1 1"]],
    ["a result of weight 0 in the loop", ["0 1 r0 0"]],
    ["a dead row behind a weight of 0", ["0 1 1 0", ""]],
    ["a script that leads back only, beside a fixed weight", ["0 1 0 s1"]],
  ])("%s", (_, rows) => expect(endless(rows)).toBe("table.endless"));

  test.each<[string, string[]]>([
    ["a cycle with a result", ["0 1000 r0 1"]],
    ["the seed's own cycle", ["1 1 r0 1", "0 10 r10 s1"]],
    ["a cycle whose only way out is a scripted result", ["0 1 r0 s1"]],
    ["a cycle whose only way out is a script to a dead row", ["0 1 1 s1", ""]],
    ["a jump to a blank row", ["1 1", ""]],
    ["a loop of scripts only, which can all be 0", ["0 s1"]],
    ["a row whose weights are all 0", ["0 0 r1 0"]],
    ["a loop that is out of reach", ["r0 1", "1 1"]],
    ["a loop behind a weight of 0", ["r0 1 1 0", "1 1"]],
  ])("legal: %s", (_, rows) => expect(endless(rows)).toBeUndefined());

  test("it depends on the start", () => {
    expect(endless(["r0 1", "1 1"], 1)).toBe("table.endless");
  });

  test("the error is at the first row that cannot end, in a file or in an object", () => {
    const plan = planOf(twoDaOf(["r0 1 1 1", "2 1", "1 5"]), { file: "a.2da" });
    const looped = planOf({ rows: [{ columns: [{ jump: 0, weight: 1 }] }] });
    expect([plan, looped].map((one) => refusalOf(() => checkStart(one, 0)).issues[0].where)).toEqual([
      { file: "a.2da", line: 5, column: 1 },
      { file: undefined, path: "rows[0]" },
    ]);
  });

  test("property: exactly the tables are refused in which some reachable row cannot end, found row by row", () => {
    const size = 5;
    const weight = fc.oneof(fc.constantFrom(0, 0, 3), fc.constant({ script: 1 }));
    const target = fc.oneof(
      fc.nat(size - 1).map((jump) => ({ jump })),
      fc.constant({ result: "x" }),
    );
    const column = fc.tuple(target, weight).map(([to, w]) => ({ ...to, weight: w }));
    const row = fc.array(column, { maxLength: 3 }).map((columns) => ({ columns }));
    fc.assert(
      fc.property(fc.array(row, { minLength: size, maxLength: size }), (rows) => {
        const plan = planOf({ rows });
        for (let start = 0; start < size; start++) {
          const refused = (() => {
            try {
              checkStart(plan, start);
              return false;
            } catch {
              return true;
            }
          })();
          expect(refused).toBe(closure(plan, start).some((r) => !closure(plan, r).some((end) => canEndAt(plan, end))));
        }
      }),
      { seed: 20266, numRuns: 400 },
    );
  });
});

/** The rows that can be reached, by repeated passes over the spec. */
function closure({ spec }: TablePlan, start: number): number[] {
  const found = new Set([start]);
  for (let before = 0; before !== found.size; ) {
    before = found.size;
    for (const row of [...found]) {
      for (const column of spec.rows[row].columns) if ("jump" in column && column.weight !== 0) found.add(column.jump);
    }
  }
  return [...found];
}

function canEndAt({ spec }: TablePlan, row: number): boolean {
  const { columns } = spec.rows[row];
  const canDie = columns.every(({ weight }) => weight === 0 || typeof weight === "object");
  return canDie || columns.some((column) => "result" in column && column.weight !== 0);
}
