import { describe, expect, onTestFinished, test, vi } from "vitest";
import { amountOdds, mixedAmountOdds, parseAmount } from "../../src/amounts/index.js";
import type { Amount } from "../../src/amounts/notation.js";
import { Work } from "../../src/calls/index.js";
import { add, fraction, multiply, ONE, subtract, ZERO } from "../../src/fractions.js";
import { createMill } from "../../src/index.js";
import type { TableObject } from "../../src/tables/index.js";
import { codeOf, refusalOf } from "../refusal.js";

const tableOf = (columns: (row: number) => TableObject["rows"][number]["columns"], rows: number) =>
  createMill({ seed: 1 }).table("t", { rows: Array.from({ length: rows }, (_, row) => ({ columns: columns(row) })) });
const result = (row: number) => ({ result: `r${row % 7}`, weight: 1 + ((row * 37) % 99) });
const jump = (to: number, weight = 1 + ((to * 53) % 99)) => ({ jump: to, weight });
const chain = (rows: number) => tableOf((row) => (row + 1 < rows ? [result(row), jump(row + 1)] : [result(row)]), rows);
const ring = (rows: number) => tableOf((row) => [result(row), jump((row + 1) % rows)], rows);
const dense = (rows: number) =>
  tableOf(
    (row) => [
      result(row),
      ...Array.from({ length: rows - 1 }, (_, i) => jump((row + i + 1) % rows, 1 + ((row * i) % 97))),
    ],
    rows,
  );

/** The number of steps that a call counts. */
function stepsOf(call: () => unknown): number {
  const spend = vi.spyOn(Work.prototype, "spend");
  try {
    call();
    return spend.mock.calls.reduce((sum, [steps]) => sum + steps, 0);
  } finally {
    spend.mockRestore();
  }
}

describe("a call for exact odds has a limit of work (audit 11)", () => {
  test("a table that needs more steps is refused at once; a higher limit lets it through", () => {
    const table = dense(60);
    const refusal = refusalOf(() => table.odds({ maxWork: 100_000 }));
    expect(refusal.code).toBe("odds.work");
    expect(refusal.message).toMatch(/\d+ steps of work are done, and about [1-9]\d* are left.*at most 100000 steps/);
    expect(codeOf(() => table.quantityOdds("r0", { maxWork: 100_000 }))).toBe("odds.work");
    expect(table.odds({ maxWork: 2 ** 40 }).odds.reduce((sum, one) => add(sum, one.probability), ZERO)).toEqual(ONE);
    expect(codeOf(() => table.odds({ maxWork: 0 }))).toBe("argument.range");
  });

  test("the default limit refuses many dense rows before most of the work, and allows a ring of a thousand", () => {
    expect(stepsOf(() => expect(codeOf(() => dense(600).odds())).toBe("odds.work"))).toBeLessThan(20_000_000);
    expect(ring(1000).odds().endless).toEqual(ZERO);
  });

  test("the default limit refuses a ring of a thousand rows with results of their own and long weights", () => {
    const weight = (row: number) => 2 ** 29 + ((row * 7919) % 104_729) * 1001;
    const own = (row: number) => [{ result: `r${row}`, weight: weight(row) }, jump((row + 1) % 1000, weight(row + 7))];
    expect(codeOf(() => tableOf(own, 1000).odds())).toBe("odds.work");
  });

  test("progress is reported between the parts, and onProgress can abort", () => {
    const table = dense(100);
    const seen: number[] = [];
    const onProgress = ({ done, total }: { done: number; total: number }) => {
      expect(total).toBe(100);
      seen.push(done);
    };
    expect(table.odds({ onProgress })).toEqual(table.odds());
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBe(100);
    const controller = new AbortController();
    const abort = () => controller.abort(new Error("enough"));
    expect(() => table.odds({ signal: controller.signal, onProgress: abort })).toThrow("enough");
    const late = new AbortController();
    const looks = vi.spyOn(late.signal, "throwIfAborted");
    table.odds({ signal: late.signal });
    expect(looks.mock.calls.length).toBeGreaterThan(5);
  });

  test("long fractions are reduced, and many jumps are read, in parts of less than 100 ms", () => {
    const own = tableOf((row) => [{ ...result(row), result: `r${row}` }, jump((row + 1) % 400, 2 ** 29 + row)], 400);
    const spend = vi.spyOn(Work.prototype, "spend");
    onTestFinished(() => spend.mockRestore());
    own.odds();
    expect(Math.max(...spend.mock.calls.map(([steps]) => steps))).toBeLessThan(2 ** 22);
    spend.mockClear();
    // refused when the system of equations begins
    expect(codeOf(() => dense(300).odds({ maxWork: 20_000_000 }))).toBe("odds.work");
    expect(spend.mock.calls.reduce((sum, [steps]) => sum + steps, 0)).toBeGreaterThan(300 ** 2 * 2 * 16);
    expect(Math.max(...spend.mock.calls.map(([steps]) => steps))).toBeLessThan(300 * 32);
  });

  test("sums of many quantities are computed in parts of less than 100 ms", () => {
    const spend = vi.spyOn(Work.prototype, "spend");
    onTestFinished(() => spend.mockRestore());
    const longest = () => Math.max(...spend.mock.calls.map(([steps]) => steps));
    // no array for all values between these quantities is made before the call is refused
    const columns = Array.from({ length: 3000 }, (_, i) => ({
      result: "gold",
      weight: 1 + (i % 5),
      quantity: `32d1024+${30_000 * i}`,
    }));
    const table = createMill({ seed: 1 }).table("t", { rows: [{ columns }] });
    expect(codeOf(() => table.quantityOdds("gold"))).toBe("odds.work");
    expect(longest()).toBeLessThan(2 ** 23);
    spend.mockClear();
    const always = [{ result: "gold", quantity: "2d9" }];
    const rows = [{ columns: [{ result: "gold", weight: 1, quantity: "3d30" }] }];
    const drops = createMill({ seed: 1 }).drops("d", { always, rolls: "2d2", table: { rows } });
    const { odds } = drops.quantityOdds("gold", { maxWork: 2 ** 40 });
    expect(odds.reduce((sum, { probability }) => add(sum, probability), ZERO)).toEqual(ONE);
    expect(longest()).toBeLessThan(2 ** 23);
  });

  test("visits are computed when they are first read, and once", () => {
    const { rows } = chain(50).odds();
    expect(stepsOf(() => rows.map(({ row }) => row))).toBe(0);
    expect(stepsOf(() => rows[3].visits)).toBeGreaterThan(0);
    expect(stepsOf(() => rows.map(({ visits }) => visits))).toBe(0);
    expect(JSON.parse(JSON.stringify(rows[0]))).toMatchObject({ row: 0, visits: "1/1" });
  });
});

describe("odds of small texts end soon (audit 20)", () => {
  test("the steps of chains and rings grow with the length of their fractions, not faster", () => {
    for (const shape of [chain, ring]) {
      const [small, large] = [300, 600].map((rows) => {
        const table = shape(rows);
        return stepsOf(() => table.odds());
      });
      // n rows have fractions of O(n) digits
      expect(large / small).toBeLessThan(4.5);
    }
  });

  test("drops of many results with large quantities and many rolls", () => {
    const columns = Array.from({ length: 1000 }, (_, i) => ({
      result: `r${i}`,
      weight: 1 + (i % 5),
      quantity: "32d1024",
    }));
    const drops = createMill({ seed: 1 }).drops("d", { rolls: "10d100", table: { rows: [{ columns }] } });
    const steps = stepsOf(() => drops.odds());
    expect(steps).toBeLessThan(100_000_000);
    expect(codeOf(() => drops.odds({ maxWork: 1000 }))).toBe("odds.work");
    expect(codeOf(() => drops.quantityOdds("r0"))).toBe("odds.work");
  });

  test("a drop lacks a result as often as the sum over the numbers of rolls says", () => {
    const table = {
      rows: [
        {
          columns: [
            { result: "a", weight: 3 },
            { result: "b", weight: 4 },
          ],
        },
      ],
    };
    for (const rolls of ["2d6", "d3", "0-4", "3d4-2", "5", "0"]) {
      const [{ atLeastOne }] = createMill({ seed: 1 }).drops("d", { rolls, table }).odds().odds;
      const lacking = amountOdds(parseAmount(rolls) as Amount).reduce((sum, { result: n, probability }) => {
        return add(sum, multiply(probability, fraction(4n ** BigInt(n), 7n ** BigInt(n))));
      }, ZERO);
      expect(atLeastOne).toEqual(subtract(ONE, lacking));
    }
  });

  test("quantities with the same dice are rolled together, and are exact", () => {
    const parts = Array.from({ length: 200 }, (_, i) => ({
      amount: { count: 2 + (i % 2), sides: 6, plus: (i * i) % 61 },
      share: fraction(1n, BigInt(i + 1)),
    }));
    const whole = parts.reduce((sum, { share }) => add(sum, share), ZERO);
    const expected = new Map<number, typeof ZERO>();
    for (const { amount, share } of parts) {
      for (const { result: value, probability } of amountOdds(amount)) {
        const chance = multiply(multiply(share, probability), fraction(whole.denominator, whole.numerator));
        expected.set(value, add(expected.get(value) ?? ZERO, chance));
      }
    }
    const { odds } = mixedAmountOdds(parts);
    expect(odds).toEqual(
      [...expected].sort(([a], [b]) => a - b).map(([value, probability]) => ({ result: value, probability })),
    );
    const many = Array.from({ length: 3000 }, (_, plus) => ({
      amount: { count: 32, sides: 1024, plus },
      share: fraction(1n, 3000n),
    }));
    expect(
      stepsOf(() =>
        expect(codeOf(() => mixedAmountOdds(many, new Work("m", 1, { maxWork: 2 ** 28 })))).toBeUndefined(),
      ),
    ).toBeLessThan(2 ** 28);
  });
});
