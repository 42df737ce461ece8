import { expect, test } from "vitest";
import { tableOdds } from "../../src/tables/odds.js";
import { prove } from "../../src/tables/proofs.js";
import { freeze } from "../../src/tables/rolling.js";
import { integers } from "../instruments/random.js";
import { anyTable } from "../instruments/tables.js";
import { planOf, twoDaOf } from "./build.js";

const proofsOf = (rows: readonly string[], overrides = new Map<number, number>()) =>
  prove(planOf(twoDaOf(rows)), 0, overrides);

test("a row that rerolls is endless if the script of its result returns 0", () => {
  expect(proofsOf(["0 5 ra s7", "rb 0"])).toEqual({
    unreached: [1],
    never: [{ row: 1, column: 0 }],
    traps: [{ rows: [0], scripts: [7] }],
    ends: false,
  });
  expect(proofsOf(["0 5 ra s7"], new Map([[7, 1]]))).toMatchObject({ traps: [], ends: true });
  expect(proofsOf(["0 5 ra s7 rb 1"])).toMatchObject({ traps: [], ends: true });
});

test("circles of several rows, and rows that lead to them", () => {
  expect(proofsOf(["1 1 ra s5", "2 1 rb s6", "1 s7 rc s8", "0 1 rd 1"])).toMatchObject({
    traps: [{ rows: [1, 2], scripts: [6, 8] }],
    ends: false,
  });
});

test("a script that would have to be 0 and above 0 is no trap, but the row may not end in live rolls", () => {
  expect(proofsOf(["0 s7 ra s7"])).toMatchObject({ traps: [], ends: false });
  expect(proofsOf(["0 s7"])).toMatchObject({ traps: [{ rows: [0], scripts: [] }], ends: false });
});

test("500 random tables, all weights 0 and 1: a trap is endless under some, and no others are", () => {
  const random = integers(33);
  let [trapped, safe] = [0, 0];
  for (let made = 0; made < 500; made++) {
    const plan = planOf(anyTable(random, { scripts: true }));
    const { ends, traps } = prove(plan, 0, new Map());
    const endless = (start: number, weights: readonly number[]) => {
      const frozen = freeze(plan, start, { script: (id) => weights[id], context: undefined });
      return tableOdds(plan, start, frozen).endless.numerator > 0n;
    };
    const all = Array.from({ length: 32 }, (_, bits) => [0, 1, 2, 3, 4].map((id) => (bits >> id) & 1));
    if (ends) {
      safe++;
      expect(all.some((weights) => endless(0, weights))).toBe(false);
    }
    for (const { rows, scripts } of traps) {
      trapped++;
      const closing = [0, 1, 2, 3, 4].map((id) => Number(!scripts.includes(id)));
      for (const row of rows) expect(endless(row, closing)).toBe(true);
    }
  }
  expect(Math.min(trapped, safe)).toBeGreaterThan(50);
});
