import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { checkTable, nwangband, parseTable, randomDefault, type TableObject } from "../../src/tables/index.js";
import { refusalOf } from "../refusal.js";
import { twoDaOf } from "./build.js";

const found = (source: unknown, options = {}) =>
  checkTable(source, options).map(({ code, severity, where }) => [code, severity, where.line ?? where.path]);
const jumps = (...targets: readonly (readonly number[])[]): TableObject => ({
  rows: targets.map((row) => ({ columns: [{ result: "x", weight: 1 }, ...row.map((jump) => ({ jump, weight: 1 }))] })),
});

describe("check looks at every row as a start", () => {
  test("rows that are endless: errors from the start, warnings from other rows", () => {
    const text = twoDaOf(["ra 1 1 1", "1 1", "rb 1 3 1", "4 1", "3 1 rc 0"]);
    expect(found(text).filter(([code]) => code === "table.endless")).toEqual([
      ["table.endless", "error", 5],
      ["table.endless", "warning", 7],
      ["table.endless", "warning", 8],
    ]);
    expect(found(text, { start: 2 }).filter(([code]) => code === "table.endless")).toEqual([
      ["table.endless", "warning", 5],
      ["table.endless", "error", 7],
      ["table.endless", "error", 8],
    ]);
  });

  test("orphans: rows that no other row leads to, and the first row of a circle", () => {
    const table = jumps([1], [], [2], [4], [5], [4], []);
    expect(found(table)).toEqual([2, 3, 6].map((row) => ["table.orphan", "warning", `rows[${row}]`]));
    expect(found(table, { start: 6 })).toEqual([0, 2, 3].map((row) => ["table.orphan", "warning", `rows[${row}]`]));
    expect(found(jumps([], [2], [1]))).toEqual([["table.orphan", "warning", "rows[1]"]]);
  });

  test("a row without columns is no orphan; a jump of weight 0 does not lead to a row", () => {
    expect(found(twoDaOf(["ra 1 2 0", "", "rb 1"]))).toEqual([
      ["table.orphan", "warning", 6],
      ["table.never", "warning", 4],
    ]);
  });

  test("property: from the start and the orphans, every row with columns is reached; without one orphan, it is not", () => {
    const size = 7;
    const row = fc.array(fc.nat(size - 1), { maxLength: 2 });
    fc.assert(
      fc.property(fc.array(row, { minLength: size, maxLength: size }), (targets) => {
        const orphans = found(jumps(...targets)).map(([, , path]) => Number(/\d+/.exec(String(path))?.[0]));
        const reach = (starts: number[]) => {
          const seen = new Set(starts);
          for (const at of seen) for (const next of targets[at]) seen.add(next);
          return seen;
        };
        expect(reach([0, ...orphans]).size).toBe(size);
        for (const orphan of orphans) {
          expect(reach([0, ...orphans.filter((other) => other !== orphan)]).has(orphan)).toBe(false);
        }
      }),
      { seed: 20266, numRuns: 400 },
    );
  });

  test("columns that cannot win: weight 0, fixed or by `weights`", () => {
    const text = twoDaOf(["ra 1 rb 0 rc s5 rd s6"]);
    expect(found(text)).toEqual([["table.never", "warning", 4]]);
    expect(found(text, { weights: { 5: 0, 6: 1 } })).toHaveLength(2);
  });

  test("issues of the parser come first, and a table that cannot be compiled has no others", () => {
    expect(found("2DA V2.0\n\nLabel\n")).toEqual([["table.columns", "error", 3]]);
    expect(found(twoDaOf(["ra 4294967295 rb 1 rc 0"]))).toEqual([["weights.overflow", "error", 4]]);
    expect(found(7)).toEqual([["argument.type", "error", undefined]]);
  });
});

describe("absent script ids are errors", () => {
  const text = twoDaOf(["ra s9 rb s1 1 1", "rc s9 rd s1600 0 1"]);
  const absent = (job: () => unknown) =>
    refusalOf(job).issues.map(({ code, where }) => [code, where.line, where.column]);
  const open = (options = {}) => createMill({ seed: "a", now: "2026-01-05" }).table("loot", text, options);

  test("when the table is compiled, each at its first column", () => {
    expect(absent(() => open({ script: "random_default" }))).toEqual([
      ["table.unknown-script", 4, 11],
      ["table.unknown-script", 5, 17],
    ]);
    expect(absent(() => open({ script: { set: "nwangband", level: 1 } }))).toEqual([
      ["table.unknown-script", 4, 11],
      ["table.unknown-script", 4, 17],
    ]);
    expect(open({ script: "random_default", weights: { 9: 1, 1600: 1 } }).results).toHaveLength(4);
  });

  test("of the call that chooses the set, before the first roll, for every seed", () => {
    const table = open();
    for (const call of [() => table.roll(), () => table.rollMany(1), () => table.odds(), () => table.count(0)]) {
      expect(absent(call)).toHaveLength(2);
    }
    expect(absent(() => table.roll({ script: "nwangband", weights: { 9: 1 } }))).toHaveLength(1);
    expect(table.roll({ script: () => 1 })).not.toBeNull();
    expect(table.next).toBe(1);
  });

  test("rows out of reach do not matter to a call", () => {
    const table = createMill({ seed: "a" }).table("loot", twoDaOf(["ra 1", "rb s9"]));
    expect(table.roll()).toBe("a");
    expect(absent(() => table.roll({ start: 1 }))).toHaveLength(1);
  });

  test("checkTable asks a script of your own once for each id", () => {
    const asked: unknown[] = [];
    const script = (id: number, context: unknown) => {
      asked.push([id, context]);
      return id === 9 ? -1 : 5;
    };
    const issues = checkTable(text, { script, context: 7, name: "loot" });
    expect(issues.map(({ code, where }) => [code, where.line])).toEqual([
      ["table.endless", 4],
      ["table.script", 4],
    ]);
    expect(issues[0].message).toContain("do not let all of these scripts return 0: 9, 1, 1600.");
    expect(asked).toEqual([
      [9, 7],
      [1, 7],
      [1600, 7],
    ]);
    expect(refusalOf(() => checkTable(text, { script: "none" as never })).code).toBe("table.unknown-script");
  });

  test("a name that is no text is refused, and not converted to a text", () => {
    const name = { toString: () => "loot" } as never;
    expect(refusalOf(() => checkTable(text, { name, start: 99 })).code).toBe("argument.type");
  });

  test("nwangband and randomDefault are exported", () => {
    expect(randomDefault({ now: "2026-01-05T08:30" })(1, undefined)).toBe(100);
    expect(nwangband({ level: 30 }).script(1500, undefined)).toBe(100);
  });
});

describe("messages about cells", () => {
  const issuesOf = (row: string) => parseTable(twoDaOf([row], 4)).issues;

  test.each([
    ['r"roast boar" 5', '"rroast boar"'],
    ['1 1 r"roast boar on a spit" 5', '"rroast boar on a spit"'],
    ['r"roast boar', '"rroast …"'],
  ])("%s says what to write, and the cells after it are not read", (row, cell) => {
    const errors = issuesOf(row).filter(({ severity }) => severity === "error");
    expect(errors.map(({ code }) => code)).toContain("table.result");
    const { message } = errors.find(({ code }) => code === "table.result") ?? { message: "" };
    expect(message).toContain(cell);
    expect(errors.filter(({ code }) => code === "table.weight")).toEqual([]);
  });

  test("quotes that become a part of a result are a warning, and the row is read", () => {
    const { spec, issues } = parseTable(twoDaOf(['r"boar" 5'], 2));
    expect(issues.map(({ code, severity }) => [code, severity])).toEqual([["table.result", "warning"]]);
    expect(spec?.rows[0].columns).toEqual([{ result: '"boar"', weight: 5 }]);
  });

  test("got is not cut before the point: a long cell is shown around its flaw", () => {
    const number = "1".repeat(90);
    expect(issuesOf(`rx ${number}x${number}`)[0].message).toContain("1x1");
    expect(issuesOf(`${number}x${number} 1`)[0].message).toContain("1x1");
  });

  test("labels are in errors: each names the row by number and label", () => {
    for (const row of ["x 1", "rx y", "9 1", 'r"a b" 1', "**** 1 ra 1"])
      expect(issuesOf(row)[0].message).toContain("row 0 (Row0)");
    const table = createMill({ seed: "a" }).table("loot", twoDaOf(["ra 0"]), { onDead: "throw" });
    expect(refusalOf(() => table.roll()).message).toContain("row 0 (Row0)");
    const endless = createMill({ seed: "a" }).table("loot", twoDaOf(["1 1", "0 1"]));
    expect(refusalOf(() => endless.roll()).message).toContain("row 0 (Row0) or row 1 (Row1)");
  });

  test("labels are in odds: the rows with their labels and visits", () => {
    const { rows, rowsVisited } = createMill({ seed: "a" })
      .table("loot", twoDaOf(["ra 1 1 1 3 0", "rb 1", "rc 1", "rd 1"]))
      .odds();
    expect(rows).toEqual([
      { row: 0, label: "Row0", visits: { numerator: 1n, denominator: 1n } },
      { row: 1, label: "Row1", visits: { numerator: 1n, denominator: 2n } },
    ]);
    expect(rowsVisited).toEqual({ numerator: 3n, denominator: 2n });
  });
});
