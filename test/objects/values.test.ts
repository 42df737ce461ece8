import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatIssue } from "../../src/errors/index.js";
import { parseObjects } from "../../src/objects/index.js";
import { readRandomValue } from "../../src/objects/parse/lines.js";
import { FileReport } from "../../src/objects/parse/report.js";
import type { RandomValue } from "../../src/objects/types.js";
import { SMALL, smallWith } from "./small.js";

function read(text: string): RandomValue | undefined {
  const report = new FileReport("f");
  const value = readRandomValue({ report, line: 1 }, { text, column: 1 }, "it");
  expect(report.list()).toHaveLength(value === undefined ? 1 : 0);
  return value;
}

describe("random values", () => {
  test("what is written is what is read, whatever is left out", () => {
    const parts = fc.record({
      base: fc.option(fc.nat(9999)),
      die: fc.option(fc.tuple(fc.option(fc.nat(9)), fc.integer({ min: 1, max: 99 }))),
      bonus: fc.option(fc.nat(99)),
      negated: fc.boolean(),
    });
    fc.assert(
      fc.property(parts, ({ base, die, bonus, negated }) => {
        const rest = `${die === null ? "" : `${die[0] ?? ""}d${die[1]}`}${bonus === null ? "" : `M${bonus}`}`;
        const body = base === null ? rest : [base, rest].filter((part) => part !== "").join("+");
        fc.pre(body !== "");
        expect(read(`${negated ? "-" : ""}${body}`)).toEqual({
          base: base ?? 0,
          dice: die === null ? 0 : (die[0] ?? 1),
          sides: die?.[1] ?? 0,
          bonus: bonus ?? 0,
          negated,
        });
      }),
      { seed: 3 },
    );
  });

  test.each([
    "",
    "-",
    "+",
    "+5",
    "5+",
    "2d",
    "d",
    "M",
    "d0",
    "3d0",
    "5M2",
    "1+2",
    "1.5",
    "--1",
    "1+-d4",
    "0x5",
    "d4+1",
  ])("%j is none", (text) => {
    expect(read(text)).toBeUndefined();
  });

  test("what could pass 32767, or has more than 255 dice, is none", () => {
    expect(read("32767")).toBeDefined();
    expect(read("32768")).toBeUndefined();
    expect(read("1+255d128M126")).toBeDefined();
    expect(read("1+255d128M127")).toBeUndefined();
    expect(read("256d1")).toBeUndefined();
  });

  test("a bonus above 255 is none, and the error says where and what is allowed", () => {
    expect(read("M255")?.bonus).toBe(255);
    for (const text of ["M256", "-1+d3M300"]) expect(read(text)).toBeUndefined();
    const { spec: files, issues } = parseObjects(smallWith({ egoItem: SMALL.egoItem.replace("d2M3", "d2M256") }));
    expect(files).toBeUndefined();
    const flaws = issues.filter(({ where }) => where.file === "ego_item.txt");
    expect(flaws.map(({ code, where }) => [code, where.line, where.column])).toEqual([["object.number", 2, 8]]);
    expect(flaws.map(formatIssue).join()).toMatch(/"d2M256".*M255/);
  });
});
