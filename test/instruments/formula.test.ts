import { expect, test } from "vitest";
import { fraction, toNumber } from "../../src/fractions.js";
import { probabilityOf } from "../../src/instruments/condition.js";
import { formula } from "../../src/instruments/formula.js";
import { refusalOf } from "../refusal.js";
import { integers } from "./random.js";
import { anyTable, open } from "./tables.js";

test("500 random tables: exact is the odds with these weights, and at is within its bound", () => {
  const random = integers(32);
  let endless = 0;
  for (let made = 0; made < 500; ) {
    const source = anyTable(random, { scripts: true });
    const start = random(source.rows.length as number);
    const wanted = ([..."abc", null] as const)[random(4)];
    const table = open(source, { script: () => 2 });
    let found: ReturnType<typeof formula>;
    try {
      found = formula(table, wanted, { with: { start } });
    } catch {
      continue;
    }
    if (found.unknowns.length === 0) continue;
    made++;
    expect(found.errorBound).toBeLessThan(1e-13);
    for (let i = 0; i < 4; i++) {
      const ids = found.unknowns.map(({ script }) => script).filter(() => random(3) > 0);
      const weights = Object.fromEntries(ids.map((id) => [id, random(2) * random(2 ** random(29))]));
      const odds = table.odds({ start, weights });
      const exact = probabilityOf(wanted, odds);
      if (odds.endless.numerator > 0n) endless++;
      expect(JSON.stringify(found.exact(weights))).toBe(JSON.stringify(exact));
      // the conversion of the fraction adds an error
      const bound = toNumber(exact) * (found.errorBound + 2 ** -52);
      expect(Math.abs(found.at(weights) - toNumber(exact))).toBeLessThanOrEqual(bound);
    }
  }
  expect(endless).toBeGreaterThan(20);
});

/** Row i jumps to row i + 1 with the probability 1 / (1 + s), and the last row wins. */
const chain = (length: number) => ({
  rows: Array.from({ length }, (_, i) => ({
    columns: [
      i < length - 1 ? { jump: i + 1, weight: 1 } : { result: "a", weight: 1 },
      { result: "b", weight: { script: 1 } },
    ],
  })),
});

test("a probability that is too small for doubles is exact, rounded", () => {
  const found = formula(open(chain(40), { weights: { 1: 1 } }), "a");
  expect(found.at()).toBe(2 ** -40);
  expect(found.at({ 1: 2 ** 32 - 2 })).toBe(0);
  const short = formula(open(chain(31), { weights: { 1: 1 } }), "a");
  const rare = toNumber(short.exact({ 1: 2 ** 32 - 2 }));
  expect(short.at({ 1: 2 ** 32 - 2 })).toBe(rare);
  expect(rare).toBeCloseTo(0, 290);
});

test("unknowns, and what is refused", () => {
  const found = formula(open(chain(2), { script: () => 3 }), "a");
  expect(found.unknowns).toEqual([
    {
      script: 1,
      weight: 3,
      places: [
        { row: 0, column: 1 },
        { row: 1, column: 1 },
      ],
    },
  ]);
  expect(found.exact()).toEqual(fraction(1n, 16n));
  expect(found.at(new Map([[1, 0]]))).toBe(1);
  const codeOf = (job: () => unknown) => refusalOf(job).issues[0].code;
  expect(codeOf(() => found.at({ 2: 1 }))).toBe("argument.range");
  expect(codeOf(() => found.at({ 1: -1 }))).toBe("argument.range");
  expect(codeOf(() => found.at({ 1: 0.5 }))).toBe("argument.range");
  expect(codeOf(() => found.at({ 1: 2 ** 32 - 1 }))).toBe("weights.overflow");
  expect(codeOf(() => found.exact(7 as never))).toBe("argument.type");
  expect(codeOf(() => formula(open(chain(2), { weights: { 1: 1 } }), "c"))).toBe("argument.range");
});
