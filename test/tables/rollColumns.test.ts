import { expect, test } from "vitest";
import { toCsv, toParquet } from "../../src/formats/index.js";
import { createMill } from "../../src/index.js";

const mill = createMill({ seed: "columns" });

test("rolls become their results, and null for no result", () => {
  // row 1 is dead: a roll that jumps there has no result
  const rows = {
    start: [
      { result: "gold", weight: 1 },
      { result: null, weight: 1 },
      { jump: "dead", weight: 1 },
    ],
    dead: [],
  };
  const rolls = mill.table("loot", { rows }).rollMany(50);
  const wanted = [...rolls].map((roll) => roll ?? "");
  expect(new Set(rolls.ids).size).toBe(3);
  expect(toCsv(rolls.columns())).toBe(["result", ...wanted, ""].join("\n"));
  expect(toParquet(rolls.columns()).length).toBeGreaterThan(0);
});

test("rolls with quantities have a column for them", () => {
  const columns = [
    { result: "gold", weight: 5, quantity: "2d6+1" },
    { result: "map", weight: 2 },
    { result: null, weight: 2 },
  ];
  const rolls = mill.table("chest", { rows: [{ columns }] }).rollMany(50);
  const wanted = [...rolls].map((roll) => (roll === null ? ",0" : `${roll.result},${roll.quantity}`));
  expect(toCsv(rolls.columns())).toBe(["result,quantity", ...wanted, ""].join("\n"));
});
