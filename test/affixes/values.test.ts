import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FileReport } from "../../src/affixes/report.js";
import type { RandomValue } from "../../src/affixes/types.js";
import { readRandomValue } from "../../src/affixes/values.js";

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
});
