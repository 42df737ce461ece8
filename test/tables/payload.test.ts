import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { codeOf, refusalOf } from "../refusal.js";

const mill = () => createMill({ seed: "moria" });
const AFFIXES = [
  "2DA V2.0",
  "",
  "   Label     Text           Property1",
  "0  none      ****           0",
  '1  Strength1 "+1 Strength"  11',
  '2  twice     "+2 Strength"  12',
  "3  twice     ****           13",
].join("\n");
const ROLLS = "result,weight\n1,1\nStrength1,1\n7,1\n,1\n";

describe("payload: a result joins its row of another table (first hour 18)", () => {
  test("by its label, or else by its number", () => {
    const table = mill().table("affix", ROLLS, { payload: AFFIXES });
    const strength = { Label: "Strength1", Text: "+1 Strength", Property1: "11" };
    expect(table.payload("Strength1")).toEqual(strength);
    expect(table.payload("1")).toEqual(strength);
    expect(table.payload("7")).toBeUndefined();
    expect(table.payload(null)).toBeUndefined();
    expect(mill().table("zero", "result,weight\n0,1\n", { payload: AFFIXES }).payload("0")).toEqual({
      Label: "none",
      Text: null,
      Property1: "0",
    });
  });

  test("from CSV, whose labels are in the first column; a label of digits comes before a number", () => {
    const payload = "\ufeffid;price;note\n1;12; \ngold;3;heavy\n";
    const table = mill().table("loot", "item,min,max\ngold,2,5\n1,1,1\n0,1,1\n", { payload });
    expect(table.payload("gold")).toEqual({ id: "gold", price: "3", note: "heavy" });
    expect(table.payload({ result: "1", quantity: 1 })).toEqual({ id: "1", price: "12", note: null });
    expect(table.payload("0")).toEqual({ id: "1", price: "12", note: null });
    expect(table.fork(3).payload("gold")?.price).toBe("3");
  });

  test("errors", () => {
    const open = (payload: string, result = "twice") => mill().table("a", `result,weight\n${result},1\n`, { payload });
    expect(codeOf(() => open(AFFIXES).payload("twice"))).toBe("table.result");
    expect(codeOf(() => open(AFFIXES).payload("nothing"))).toBe("argument.range");
    expect(codeOf(() => mill().table("a", "result,weight\na,1\n").payload("a"))).toBe("argument.option");
    expect(codeOf(() => mill().table("a", "result,weight\na,1\n", { payload: 3 } as object))).toBe("argument.type");
    expect(refusalOf(() => open("a,b\n1,2,3\n")).issues[0]).toMatchObject({
      code: "table.columns",
      where: { line: 2 },
    });
    expect(codeOf(() => open("a,a\n1,2\n"))).toBe("table.columns");
    expect(codeOf(() => open("a,\n1,2\n"))).toBe("table.columns");
    expect(codeOf(() => open('a\n"1\n'))).toBe("table.columns");
    expect(codeOf(() => open(""))).toBe("table.columns");
    expect(codeOf(() => open("2DA V2.0\n\n"))).toMatch(/^twoda\./);
  });
});
