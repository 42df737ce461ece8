import { describe, expect, test } from "vitest";
import { parseTable } from "../../src/tables/index.js";
import { specOf } from "./build.js";

describe("a table from an object", () => {
  test("reads rows, labels, results, jumps, weights and scripts", () => {
    const spec = specOf({
      rows: [
        {
          label: "Start",
          columns: [
            { result: "gold", weight: 10 },
            { jump: 1, weight: { script: 2 } },
          ],
        },
        { columns: [] },
      ],
    });
    expect(spec.rows).toEqual([
      {
        label: "Start",
        columns: [
          { result: "gold", weight: 10 },
          { jump: 1, weight: { script: 2 } },
        ],
        line: undefined,
      },
      { label: undefined, columns: [], line: undefined, places: undefined },
    ]);
  });

  test("every issue has its path", () => {
    const { spec, issues } = parseTable(
      {
        rows: [
          {
            label: 5,
            columns: [
              { result: 5, weight: 1 },
              { jump: 3, weight: -1 },
              { weight: 1 },
              { result: "a", jump: 0, weight: 1 },
            ],
          },
          null,
          {
            columns: [
              null,
              { result: "a", weight: { script: 1.5 } },
              { result: "a" },
              { result: "a", weight: "5" },
              { jump: "9", weight: 1 },
            ],
          },
        ],
      },
      { file: "a.json" },
    );
    expect(spec).toBeUndefined();
    expect(issues.map((issue) => `${issue.where.path} ${issue.code}`)).toEqual([
      "rows[0].label argument.type",
      "rows[0].columns[0].result table.result",
      "rows[0].columns[1].weight table.weight",
      "rows[0].columns[2] table.result",
      "rows[0].columns[3] table.result",
      "rows[0].columns[1].jump table.jump",
      "rows[1] argument.type",
      "rows[2].columns[0] argument.type",
      "rows[2].columns[1].weight.script table.weight",
      "rows[2].columns[2].weight table.weight",
      "rows[2].columns[3].weight table.weight",
      "rows[2].columns[4].jump table.jump",
    ]);
    expect(issues.every((issue) => issue.where.file === "a.json" && issue.severity === "error")).toBe(true);
  });

  test("fractions of a row become integers in the same proportions", () => {
    const weightsOf = (weights: readonly unknown[]) =>
      parseTable({ rows: [{ columns: weights.map((weight) => ({ result: "a", weight })) }] });
    const spec = weightsOf([{ n: 1, d: 3 }, "1/4", 2, 0]).spec;
    expect(spec?.rows[0].columns.map(({ weight }) => weight)).toEqual([4, 3, 24, 0]);
    expect(weightsOf([0.5, 1.25]).spec?.rows[0].columns.map(({ weight }) => weight)).toEqual([50, 125]);
    expect(weightsOf([0.5, "1/3"]).spec?.rows[0].columns.map(({ weight }) => weight)).toEqual([3, 2]);
    const flawsOf = (weights: readonly unknown[]) =>
      weightsOf(weights).issues.map(({ code, where }) => `${where.path} ${code}`);
    expect(flawsOf(["1/3", { script: 2 }])).toEqual(["rows[0].columns[0].weight table.weight"]);
    expect(flawsOf([0.5, { script: 2 }])).toEqual(["rows[0].columns[0].weight table.weight"]);
    expect(flawsOf(["1/0", 1])).toEqual(["rows[0].columns[0].weight table.weight"]);
    expect(flawsOf(["1/3", -1])).toEqual(["rows[0].columns[1].weight table.weight"]);
    expect(flawsOf(["1/4294967296", 1])).toEqual(["rows[0].columns weights.decimals"]);
  });

  test("inherited properties are not read, and holes are not skipped", () => {
    const polluted = Object.create({ result: "x", weight: 5 }) as object;
    const issues = parseTable({ rows: Object.assign(new Array(2), [{ columns: [polluted] }]) }).issues;
    expect(issues.map((issue) => issue.where.path)).toEqual([
      "rows[0].columns[0]",
      "rows[0].columns[0].weight",
      "rows[1]",
    ]);
    expect(parseTable(JSON.parse('{"__proto__": {"rows": []}}')).spec).toBeUndefined();
  });

  test.each([undefined, null, 5, true, Symbol("x"), () => 1, 5n])("%s is not a table", (source) => {
    const { spec, issues } = parseTable(source);
    expect(spec).toBeUndefined();
    expect(issues.map((issue) => issue.code)).toEqual(["argument.type"]);
  });

  test("an object without rows is not a table", () => {
    expect(parseTable({}).issues.map((issue) => [issue.code, issue.where.path])).toEqual([["argument.type", "rows"]]);
    expect(parseTable([]).issues).toHaveLength(1);
  });

  test.each([-1, 4294967296, 0.5, Number.NaN, "5", null, true, [5]])("a weight or an id of %s is refused", (bad) => {
    // a decimal weight is scaled, but an id is an integer
    for (const weight of bad === 0.5 ? [{ script: bad }] : [bad, { script: bad }]) {
      const { issues } = parseTable({ rows: [{ columns: [{ result: "a", weight }] }] });
      expect(issues.map((issue) => issue.code)).toEqual(["table.weight"]);
    }
  });

  test.each([-1, 1, 0.5, Number.NaN])("a jump to row %s of one is refused", (jump) => {
    const { issues } = parseTable({ rows: [{ columns: [{ jump, weight: 1 }] }] });
    expect(issues.map((issue) => issue.code)).toEqual(["table.jump"]);
  });

  test("minus zero is zero", () => {
    const spec = specOf({
      rows: [
        {
          columns: [
            { jump: -0, weight: -0 },
            { result: "", weight: { script: -0 } },
          ],
        },
      ],
    });
    expect(spec.rows[0].columns).toStrictEqual([
      { jump: 0, weight: 0 },
      { result: "", weight: { script: 0 } },
    ]);
  });
});
