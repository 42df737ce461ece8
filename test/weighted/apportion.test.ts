import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fraction } from "../../src/fractions.js";
import { apportion, createMill, RollmillError } from "../../src/index.js";

const coded = (code: string) => expect.objectContaining({ code });

describe("weights as fractions", () => {
  const weightsOf = (weights: (number | string | { n: number; d: number })[]) =>
    createMill({ seed: 1 })
      .weighted("list", weights)
      .odds()
      .odds.map(({ probability }) => probability);

  test("are exact, beside integers and decimals", () => {
    expect(weightsOf([{ n: 1, d: 3 }, "1/3", { n: 2, d: 6 }])).toEqual(new Array(3).fill(fraction(1n, 3n)));
    expect(weightsOf(["1/3", 0.5, 1, 0])).toEqual([2, 3, 6, 0].map((w) => fraction(BigInt(w), 11n)));
  });

  test("pick by the integers of the least common denominator", () => {
    const pickMany = (weights: (number | string)[]) => createMill({ seed: 1 }).weighted("list", weights).pickMany(2000);
    expect(pickMany(["1/3", 0.5, 1, 0])).toEqual(pickMany([2, 3, 6, 0]));
  });

  test.each(["1/0", "-1/3", "1/-3", "1.5/3", "1/3/5", "1 / 3", "3", `1/${2 ** 53}`, { n: 1 }, { n: 1, d: 3, e: 1 }])(
    "%j is no weight",
    (bad) => {
      expect(() => createMill({ seed: 1 }).weighted("list", [1, bad as string])).toThrow(coded("weights.invalid"));
    },
  );

  test("a fraction that throws when it is read is no weight", () => {
    const bad = {
      n: 1,
      get d(): number {
        throw new Error("no");
      },
    };
    expect(() => createMill({ seed: 1 }).weighted("list", [1, bad])).toThrow(coded("weights.invalid"));
  });

  test("without a small common denominator are refused, also at great length", () => {
    const list = Array.from({ length: 100_000 }, (_, i) => ({ n: 1, d: 2 ** 52 + 2 * i + 1 }));
    for (const weights of [list, [{ n: 1, d: 3 }, 2 ** 31], ["1/4294967296" as const, 1]]) {
      expect(() => createMill({ seed: 1 }).weighted("list", weights)).toThrow(coded("weights.decimals"));
    }
  });
});

describe("apportion", () => {
  test("gives integers of the total, by largest remainders, ties by order", () => {
    expect(apportion([1, 1, 1], 100).weights).toEqual([34, 33, 33]);
    expect(apportion([0.333333333333, 0.333333333333, 0.333333333334], 1000).weights).toEqual([333, 333, 334]);
    expect(apportion(["1/2", { n: 1, d: 3 }, { n: 1, d: 6 }], 7).weights).toEqual([4, 2, 1]);
    expect(apportion(Float64Array.of(1e-300, 1, 0), 10).weights).toEqual([0, 10, 0]);
  });

  test("a gap of a sparse array is refused, as an entry that is missing", () => {
    const sparse = [0.5, 0.5];
    sparse[3] = 1;
    const [issue] = (() => {
      try {
        apportion(sparse, 10);
        return [];
      } catch (cause) {
        return (cause as RollmillError).issues;
      }
    })();
    expect(issue).toMatchObject({ code: "weights.invalid", where: { path: "probabilities[2]" } });
  });

  test("gives the exact odds, which the list then has", () => {
    const { weights, odds } = apportion([Math.PI, Math.E, Math.SQRT2], 2 ** 32 - 1);
    const list = createMill({ seed: 1 }).weighted("list", weights);
    expect(list.odds().odds.map(({ probability }) => probability)).toEqual(odds);
    expect(() => createMill({ seed: 1 }).weighted("list", [Math.PI, Math.E])).toThrow(coded("weights.decimals"));
  });

  test("property: the sum is the total, and no weight is 1 or more from its exact share", () => {
    const probabilities = fc
      .array(fc.nat(1000), { minLength: 1, maxLength: 20 })
      .filter((list) => list.some((p) => p > 0));
    fc.assert(
      fc.property(probabilities, fc.integer({ min: 1, max: 5000 }), (list, total) => {
        const { weights } = apportion(list, total);
        const sum = list.reduce((a, b) => a + b);
        expect(weights.reduce((a, b) => a + b)).toBe(total);
        weights.forEach((weight, i) => {
          expect(Math.abs(weight * sum - list[i] * total)).toBeLessThan(sum);
        });
        const ranks = list.map((p, i) => [(p * total) % sum, weights[i] - Math.floor((p * total) / sum)] as const);
        for (const [i, [rest, extra]] of ranks.entries()) {
          for (const [other, more] of ranks.slice(i + 1))
            expect(rest >= other ? extra >= more : extra <= more).toBe(true);
        }
      }),
      { seed: 1408 },
    );
  });

  test.each<[string, () => unknown]>([
    ["argument.range", () => apportion([1], 0)],
    ["argument.range", () => apportion([1], 2 ** 32)],
    ["argument.type", () => apportion(5 as never, 10)],
    ["weights.empty", () => apportion([], 10)],
    ["weights.empty", () => apportion([0, 0], 10)],
    // found by the fuzzer: millions of fractions took more than 10 s
    ["weights.empty", () => apportion(Array(2 ** 20 + 1).fill("1/3"), 10)],
    ["weights.invalid", () => apportion([1, Number.NaN], 10)],
    [
      "weights.decimals",
      () =>
        apportion(
          Array.from({ length: 200 }, (_, i) => ({ n: 1, d: 2 ** 52 + 2 * i + 1 })),
          10,
        ),
    ],
  ])("%s", (code, call) => {
    expect(call).toThrow(RollmillError);
    expect(call).toThrow(coded(code));
  });
});
