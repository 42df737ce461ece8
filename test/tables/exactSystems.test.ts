import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Work } from "../../src/calls/index.js";
import { FactorBase, type Ratio } from "../../src/factors.js";
import { add, divide, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../../src/fractions.js";
import { solveExactly } from "../../src/tables/odds/dixon.js";
import { ModularFactors } from "../../src/tables/odds/modular.js";
import { tableOdds } from "../../src/tables/odds.js";
import { freeze } from "../../src/tables/rolling.js";
import { codeOf } from "../refusal.js";
import { planOf } from "./build.js";

const LARGEST_PRIME = 2 ** 21 - 9;

/** The matrix of a loop: on the diagonal totals, elsewhere −weights, and each column sums to more than 0. */
const loop = (size: number, largest: number) =>
  fc
    .tuple(
      fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1), fc.integer({ min: 1, max: largest })), {
        maxLength: size * 4,
      }),
      fc.array(fc.integer({ min: 1, max: largest }), { minLength: size, maxLength: size }),
    )
    .map(([jumps, leaving]) => {
      const rows = leaving.map((weight, i) => new Map([[i, weight]]));
      for (const [from, to, weight] of jumps) {
        if (from === to) continue;
        rows[to].set(from, (rows[to].get(from) ?? 0) - weight);
        rows[from].set(from, (rows[from].get(from) ?? 0) + weight);
      }
      return { columns: rows.map((row) => [...row.keys()]), values: rows.map((row) => [...row.values()]) };
    });

/** The slow twin: Gaussian elimination in fractions. */
function solveSlowly(matrix: { columns: number[][]; values: number[][] }, side: readonly bigint[]): Fraction[] {
  const size = side.length;
  const rows = matrix.columns.map((at, row) => {
    const line = [...Array.from({ length: size }, () => ZERO), fraction(side[row], 1n)];
    for (const [i, column] of at.entries()) line[column] = fraction(BigInt(matrix.values[row][i]), 1n);
    return line;
  });
  for (let k = 0; k < size; k++) {
    const pivot = rows.findIndex((row, i) => i >= k && row[k].numerator !== 0n);
    [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
    for (let i = 0; i < size; i++) {
      if (i === k) continue;
      const factor = divide(rows[i][k], rows[k][k]);
      rows[i] = rows[i].map((value, j) => subtract(value, multiply(factor, rows[k][j])));
    }
  }
  return rows.map((row, i) => divide(row[size], row[i]));
}

describe("a linear system", () => {
  test("has the solution of elimination in fractions", () => {
    const side = fc.array(fc.bigInt({ min: 0n, max: 2n ** 90n }), { minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(
        fc.constantFrom(3, 100, 2 ** 32 - 1).chain((largest) => loop(7, largest)),
        side,
        (matrix, b) => {
          const { numerators, denominator } = solveExactly(matrix, b, new Work());
          expect(numerators.map((numerator) => fraction(numerator, denominator))).toEqual(solveSlowly(matrix, b));
        },
      ),
      { seed: 4711, numRuns: 200 },
    );
  });

  test("a prime that divides a pivot is passed over for another", () => {
    const matrix = { columns: [[0], [1, 0]], values: [[LARGEST_PRIME], [2, -1]] };
    expect(ModularFactors.of(matrix, LARGEST_PRIME, new Work())).toBeNull();
    const { numerators, denominator } = solveExactly(matrix, [1n, 0n], new Work());
    expect(numerators.map((numerator) => fraction(numerator, denominator))).toEqual([
      { numerator: 1n, denominator: BigInt(LARGEST_PRIME) },
      { numerator: 1n, denominator: BigInt(2 * LARGEST_PRIME) },
    ]);
  });

  test("every limit below the number of its steps refuses it, and no other limit", () => {
    const matrix = {
      columns: [
        [0, 1],
        [0, 1],
      ],
      values: [
        [3, -1],
        [-1, 2],
      ],
    };
    const run = (maxWork: number) => solveExactly(matrix, [1n, 1n], new Work("loop", 2, { maxWork }));
    const refuses = (maxWork: number) => codeOf(() => run(maxWork)) === "odds.work";
    let [least, most] = [0, 2 ** 30];
    while (most - least > 1) {
      const middle = Math.floor((least + most) / 2);
      if (refuses(middle)) least = middle;
      else most = middle;
    }
    for (let limit = 1; limit <= least; limit += Math.ceil(least / 50)) expect(refuses(limit)).toBe(true);
    expect(run(most)).toEqual(run(2 ** 30));
  });
});

describe("fractions with known factors", () => {
  const part = fc.record({
    numerator: fc.bigInt({ min: 0n, max: 2n ** 40n }),
    divisors: fc.array(fc.integer({ min: 1, max: 2 ** 32 - 1 }), { maxLength: 3 }),
    large: fc.constantFrom(1n, 3n ** 50n * 7n, 2n ** 61n * 3n),
  });

  test("add up to the same lowest terms as fractions", () => {
    fc.assert(
      fc.property(fc.array(fc.array(part, { maxLength: 5 }), { maxLength: 3 }), (sums) => {
        const base = new FactorBase();
        const large = new Map([1n, 3n ** 50n * 7n, 2n ** 61n * 3n].map((n) => [n, base.productOfDeterminant(n)]));
        const unit = base.productOf(1);
        const ratios = sums.map((parts) =>
          parts.reduce<Ratio>(
            (sum, { numerator, divisors, large: determinant }) => {
              const small = divisors.reduce((product, value) => base.multiply(product, base.productOf(value)), unit);
              return base.add(sum, { numerator, divisor: base.multiply(small, large.get(determinant) ?? unit) });
            },
            { numerator: 0n, divisor: unit },
          ),
        );
        const expected = sums.map((parts) =>
          parts.reduce((sum, { numerator, divisors, large: determinant }) => {
            const denominator = divisors.reduce((product, value) => product * BigInt(value), determinant);
            return add(sum, fraction(numerator, denominator));
          }, ZERO),
        );
        expect(base.reduceAll(ratios)).toEqual(expected);
      }),
      { seed: 4712, numRuns: 300 },
    );
  });
});

describe("large tables", () => {
  test("the odds of 300 rows that jump to one another at random add up to 1, with one more step too", () => {
    let state = 1;
    const below = (n: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * n);
    };
    const rows = Array.from({ length: 300 }, (_, row) => ({
      columns: [
        { jump: (row + 1) % 300, weight: 1 + below(99) },
        ...Array.from({ length: 4 }, () => ({ jump: below(300), weight: 1 + below(99) })),
        { result: `r${below(9)}`, weight: below(3) },
      ],
    }));
    const plan = planOf({ rows });
    const oddsFrom = (start: number) =>
      tableOdds(plan, start, freeze(plan, start, { script: () => 0, context: undefined }));
    const law = oddsFrom(0);
    expect(law.odds.map(({ probability }) => probability).reduce(add)).toEqual(ONE);
    const { columns } = rows[0];
    const sum = BigInt(columns.reduce((before, { weight }) => before + weight, 0));
    const onward = columns.map((column) => {
      if ("result" in column) return ZERO;
      return multiply(fraction(BigInt(column.weight), sum), oddsFrom(column.jump).rowsVisited ?? ZERO);
    });
    expect(onward.reduce(add, ONE)).toEqual(law.rowsVisited);
  });
});
