import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_ISSUES } from "../../src/errors/index.js";
import { parseTable } from "../../src/tables/index.js";
import { specOf, twoDaOf } from "./build.js";
import { SEED_TABLE } from "./seedTable.js";

const parse = (text: string) => parseTable(text, { file: "loot.2da" });
/** Issues as `line:column code`, with `!` before an error. */
const issuesOf = (text: string) =>
  parse(text).issues.map(({ code, severity, where }) => {
    return `${where.line}:${where.column} ${severity === "error" ? "!" : ""}${code}`;
  });
const columnsOf = (text: string, row = 0) => specOf(text).rows[row].columns;

describe("a table from 2DA text", () => {
  test("the seed's table is read as its page prints it", () => {
    const { spec, issues } = parse(SEED_TABLE);
    expect(issues).toEqual([]);
    expect(spec?.rows.map((row) => row.label)).toEqual(["Start", "Set1", "Set2"]);
    expect(columnsOf(SEED_TABLE)).toEqual([
      { result: "0", weight: 10 },
      { result: "1", weight: 25 },
      { result: "2", weight: 100 },
      { jump: 1, weight: 25 },
      { jump: 2, weight: 2 },
    ]);
    expect(columnsOf(SEED_TABLE, 1)).toEqual([
      { result: "4", weight: { script: 1 } },
      { result: "5", weight: { script: 2 } },
      { result: "6", weight: 25 },
    ]);
    expect(spec).toMatchObject({ file: "loot.2da" });
    expect(spec?.rows[1]).toMatchObject({ line: 4, places: [13, 21, 35, 43, 57, 65] });
  });

  test("a result is a string: it keeps its zeros, its spaces and its own r, and may be empty", () => {
    const text = twoDaOf(['r060606040404 1 "r100 gold coins" 2 rring 3 r 4 r__proto__ 5']);
    expect(columnsOf(text).map((column) => "result" in column && column.result)).toEqual([
      "060606040404",
      "100 gold coins",
      "ring",
      "",
      "__proto__",
    ]);
  });

  test("a jump and a script id are numbers, leading zeros or not", () => {
    expect(columnsOf(twoDaOf(["001 5 1 s007", "r0 1"]))).toEqual([
      { jump: 1, weight: 5 },
      { jump: 1, weight: { script: 7 } },
    ]);
  });

  test("pairs are found by name: order, case and further columns do not matter", () => {
    const text = "random1WEIGHT Cost RANDOM0 Random1 Random0Weight Label\n0 7 99 r0 r1 5 Start\n";
    expect(columnsOf(text)).toEqual([
      { result: "0", weight: 5 },
      { result: "1", weight: 7 },
    ]);
    expect(specOf(text).rows[0].label).toBe("Start");
    expect(parse(text).issues).toEqual([]);
  });

  test("any number of pairs works, and a table needs no labels", () => {
    const names = Array.from({ length: 40 }, (_, n) => `Random${n} Random${n}Weight`).join(" ");
    const cells = Array.from({ length: 40 }, (_, n) => `r${n} ${n}`).join(" ");
    const { spec } = parse(`${names}\n0 ${cells}\n`);
    expect(spec?.rows[0].columns).toHaveLength(40);
    expect(spec?.rows[0].label).toBeUndefined();
  });

  test("jumps count rows by position, whatever the file prints", () => {
    const text = "Random0 Random0Weight\n5 1 10\n7 r0 10\n";
    expect(columnsOf(text)).toEqual([{ jump: 1, weight: 10 }]);
    expect(issuesOf(text)).toEqual(["2:1 twoda.row-number", "3:1 twoda.row-number"]);
    expect(issuesOf("Random0 Random0Weight\n0 5 10\n5 r0 10\n")).toEqual(["2:3 !table.jump", "3:1 twoda.row-number"]);
  });

  test("a blank line is a row, and a dead one", () => {
    const { spec } = parse(`${twoDaOf(["2 1"])}\n\n2 x r0 1\n`);
    expect(spec?.rows.map((row) => row.columns.length)).toEqual([1, 0, 1]);
  });

  test("a table without rows parses", () => {
    expect(parse("2DA V2.0\n\nLabel Random0 Random0Weight\n")).toMatchObject({ issues: [], spec: { rows: [] } });
  });
});

describe("a row stops at its first pair without a value", () => {
  test.each([
    ["both blank", "r0 1 **** **** r2 3"],
    ["no weight", "r0 1 r1 **** r2 3"],
    ["no target", "r0 1 **** 2 r2 3"],
  ])("%s: what follows never counts, and a warning says so", (_, row) => {
    expect(columnsOf(twoDaOf([row]))).toEqual([{ result: "0", weight: 1 }]);
    expect(parse(twoDaOf([row])).issues.map((issue) => [issue.code, issue.severity])).toEqual([
      ["table.gap", "warning"],
    ]);
  });

  test("the warning is at the first value that is lost", () => {
    expect(issuesOf(twoDaOf(["r0 1 **** **** r2 3"]))).toEqual(["4:23 table.gap"]);
    expect(issuesOf(twoDaOf(["r0 1 **** 5"]))).toEqual(["4:18 table.gap"]);
  });

  test("cells that never count are not checked", () => {
    expect(issuesOf(twoDaOf(["r0 1 **** **** nonsense -5"]))).toEqual(["4:23 table.gap"]);
  });

  test("short rows and rows of **** stop without a warning; an empty value is a value", () => {
    expect(issuesOf(twoDaOf(["r0 1", "**** **** **** ****", ""]))).toEqual([]);
    expect(issuesOf(twoDaOf(['r0 1 "" ""']))).toEqual(["4:13 !table.result", "4:16 !table.weight"]);
  });
});

describe("DEFAULT fills a missing column, not a **** cell", () => {
  test("half a pair is completed by it", () => {
    const text = "2DA V2.0\nDEFAULT: 7\nRandom0 Random0Weight Random1 Random2\n0 r0 1 r1 r2\n1 **** **** r1 r2\n";
    const spec = specOf(text);
    expect(spec.rows[0].columns).toEqual([
      { result: "0", weight: 1 },
      { result: "1", weight: 7 },
      { result: "2", weight: 7 },
    ]);
    expect(spec.rows[0].places).toEqual([3, 6, 8, 10, 11, 10]);
    expect(spec.rows[1].columns).toEqual([]);
  });

  test("an unusable one is an error at its own place", () => {
    expect(issuesOf("2DA V2.0\nDEFAULT: x\nRandom0 Random0Weight Random1\n0 r0 1 r1\n")).toEqual([
      "2:10 !table.weight",
    ]);
  });

  test("a jump to a missing row stays an error, and pair 0 must be there", () => {
    expect(issuesOf("2DA V2.0\nDEFAULT: 0\nRandom0 Random0Weight\n0 9 1\n")).toEqual(["4:3 !table.jump"]);
    expect(issuesOf("2DA V2.0\nDEFAULT: 0\nLabel Random0\n0 a r0\n")).toEqual(["3:1 !table.columns"]);
  });

  test("without it, half a pair ends the pairs, and the columns left over are named", () => {
    const text = "Random0 Random0Weight Random1 Random2 Random2Weight Random03\n0 r0 1 r1 r2 5 r3\n";
    expect(columnsOf(text)).toEqual([{ result: "0", weight: 1 }]);
    expect(issuesOf(text)).toEqual([
      "1:23 table.columns",
      "1:31 table.columns",
      "1:39 table.columns",
      "1:53 table.columns",
    ]);
  });
});

describe("text that is not a table", () => {
  test("a 2DA file without the first pair", () => {
    const { spec, issues } = parse("2DA V2.0\n\n  Label Text Property1\n0 none **** 0\n");
    expect(spec).toBeUndefined();
    expect(issues.map(({ code, where }) => [code, where])).toEqual([
      ["table.columns", { file: "loot.2da", line: 3, column: 3 }],
    ]);
    expect(issuesOf(`${Array.from({ length: 900 }, (_, i) => `c${i}`).join(" ")}\n`)).toEqual(["1:1 !table.columns"]);
  });

  test.each(["R0", "x", "-1", "1.5", "+1", "0x1", "1e3", "s1", "***", "٣", '"1 2"', "toString"])(
    "%s is not a target",
    (text) => expect(issuesOf(twoDaOf([`r0 1 ${text} 5`]))).toEqual(["4:13 !table.result"]),
  );

  test.each([
    "-1",
    "1.5",
    "1e3",
    "4294967296",
    "s",
    "S1",
    "s-1",
    "s1.5",
    "s4294967296",
    "x",
    "r1",
    "NaN",
    "Infinity",
    '"1 "',
  ])("%s is not a weight", (text) => expect(issuesOf(twoDaOf([`r0 1 r1 ${text}`]))).toEqual(["4:16 !table.weight"]));

  test("the largest weight and the largest script id are accepted", () => {
    expect(columnsOf(twoDaOf(["r0 4294967295", "r0 s4294967295"]))).toEqual([{ result: "0", weight: 4294967295 }]);
  });

  test.each(["2", "99999999999999999999999"])("a jump to row %s of two is an error", (row) => {
    expect(issuesOf(twoDaOf([`${row} 1`, "r0 1"]))).toEqual(["4:8 !table.jump"]);
  });

  test("every issue is found, in the order of the file", () => {
    expect(issuesOf(twoDaOf(["x y 9 1", 'r0 -1 "r1 5']))).toEqual([
      "4:8 !table.result",
      "4:10 !table.weight",
      "4:12 !table.jump",
      "5:11 !table.weight",
      "5:14 twoda.quote",
      "5:14 table.gap",
    ]);
  });

  test("a file full of errors is not read to its end", () => {
    const { spec, issues } = parse(
      `Random0 Random0Weight\n${Array.from({ length: 11_000 }, (_, r) => `${r} x 1`).join("\n")}`,
    );
    expect(spec).toBeUndefined();
    expect(issues).toHaveLength(MAX_ISSUES + 1);
    expect(issues.at(-1)).toMatchObject({ code: "twoda.limit", severity: "error", where: { line: 10_002, column: 7 } });
  });

  test("issues of the format are kept, and a file that was not read whole is not checked as a table", () => {
    expect(issuesOf("2DA V1.0\n")).toEqual(["1:1 !twoda.header"]);
    expect(issuesOf("Random0 Random0Weight random0\n0 r0 x\n")).toEqual(["1:23 !twoda.columns", "2:6 !table.weight"]);
    expect(parse("Random0 Random0Weight random0\n0 r0 1\n").spec).toBeUndefined();
    expect(issuesOf(`Random0 Random0Weight\n0 1 5\n${"x".repeat(2 ** 20 + 1)}\n`)).toEqual(["3:1 !twoda.limit"]);
  });
});

describe("property", () => {
  const cell = fc.constantFrom(
    "r0",
    "r",
    "0",
    "1",
    "9",
    "s1",
    "10",
    "****",
    "x",
    '"',
    '"r a"',
    "-1",
    "4294967296",
    "\t",
  );
  const rows = fc.array(fc.array(cell, { maxLength: 8 }), { maxLength: 5 });
  const names = fc.constantFrom(
    "Label Random0 Random0Weight Random1 Random1Weight",
    "Random0 Random0Weight Random1",
    "Random1 Random0",
    "Random0 random0 Random0Weight",
  );
  const heads = fc.constantFrom("", "2DA V2.0\n\n", "2DA V2.0\nDEFAULT: 1\n", "\ufeff2DA V2.0\r\n\r\n");

  test("no text throws; every issue has file, line and column; there is a spec exactly if no issue is an error", () => {
    const text = fc.tuple(heads, names, rows).map(([head, columns, lines]) => {
      return head + [columns, ...lines.map((cells, r) => `${r} ${cells.join(" ")}`)].join("\n");
    });
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: "binary" })), (source) => {
        const { spec, issues } = parse(source);
        expect(spec === undefined).toBe(issues.some((issue) => issue.severity === "error"));
        for (const { where } of issues) {
          expect(where.file).toBe("loot.2da");
          expect(where.line).toBeGreaterThanOrEqual(1);
          expect(where.column).toBeGreaterThanOrEqual(1);
        }
        for (const row of spec?.rows ?? []) {
          for (const column of row.columns) {
            if ("jump" in column) expect(column.jump).toBeLessThan(spec?.rows.length ?? 0);
          }
        }
      }),
      { seed: 20264, numRuns: 500 },
    );
  });

  test("no value throws", () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withSparseArray: true }), (value) => {
        parseTable(value);
        parseTable({ rows: value });
        parseTable({
          rows: [value, { columns: [value] }, { columns: [{ result: value, weight: value, jump: value }] }],
        });
      }),
      { seed: 20265, numRuns: 300 },
    );
  });
});
