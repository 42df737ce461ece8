import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decimalFraction, MAX_TOTAL, scaleToIntegers, weightRemedy } from "../src/decimals.js";
import { add, fraction, ZERO } from "../src/fractions.js";

const scaledOf = (values: readonly number[], maxTotal?: number) =>
  scaleToIntegers(values, maxTotal === undefined ? {} : { maxTotal }).scaled;
const codesOf = (values: readonly unknown[]) => scaleToIntegers(values).issues.map((issue) => issue.code);

describe("decimal weights become exact integers", () => {
  test("integers enter as given, not reduced by a common factor", () => {
    expect(scaledOf([100, 50, 0])).toEqual({ integers: [100, 50, 0], total: 150, decimals: 0 });
  });

  test("a number means its shortest decimal form", () => {
    expect(scaledOf([1.2, 0.05, 3])).toEqual({ integers: [120, 5, 300], total: 425, decimals: 2 });
    expect(scaledOf([0.1, 0.2, 0.3])?.integers).toEqual([1, 2, 3]);
    expect(scaledOf([1e-7, 2.5e-7])?.integers).toEqual([10, 25]);
  });

  test("trailing zeros and exponents do not raise the power of ten", () => {
    expect(scaledOf([1e3, 1.5])).toEqual({ integers: [10000, 15], total: 10015, decimals: 1 });
    expect(scaledOf([1e9, 0])).toEqual({ integers: [1e9, 0], total: 1e9, decimals: 0 });
  });

  test("minus zero is zero, and an empty list has a total of zero", () => {
    const scaled = scaledOf([-0, 0]);
    expect(Object.is(scaled?.integers[0], 0)).toBe(true);
    expect(scaledOf([])).toEqual({ integers: [], total: 0, decimals: 0 });
  });

  test("the smallest double alone is 5 times 10^-324", () => {
    expect(scaledOf([5e-324, 0])).toEqual({ integers: [5, 0], total: 5, decimals: 324 });
  });

  test("property: every integer over the power of ten is the value's own decimal", () => {
    const weight = fc.oneof(
      fc.integer({ min: 0, max: 1e6 }),
      fc.tuple(fc.nat(99999), fc.integer({ min: -4, max: 2 })).map(([m, e]) => Number(`${m}e${e}`)),
    );
    fc.assert(
      fc.property(fc.array(weight, { maxLength: 6 }), (values) => {
        const { scaled } = scaleToIntegers(values, { maxTotal: Number.MAX_SAFE_INTEGER });
        if (scaled === undefined) throw new Error("refused");
        const power = 10n ** BigInt(scaled.decimals);
        const back = scaled.integers.map((integer) => fraction(BigInt(integer), power));
        expect(back).toEqual(values.map(decimalFraction));
        const least = scaled.decimals === 0 || scaled.integers.some((integer) => integer % 10 !== 0);
        expect(least).toBe(true);
        expect(BigInt(scaled.total)).toBe(scaled.integers.reduce((sum, integer) => sum + BigInt(integer), 0n));
      }),
      { seed: 20261 },
    );
  });
});

describe("what cannot be exact is refused", () => {
  test("a decimal comma and a percent sign get the number to write (first hour)", () => {
    expect(weightRemedy("1,5")).toMatch(/^Write 1\.5$/);
    expect(weightRemedy("70%")).toMatch(/^Write 70:/);
    expect(weightRemedy("2,5%")).toMatch(/^Write 2\.5:/);
    for (const other of ["5", 5, "1,5,6", "%", `${"1".repeat(99)}%`]) expect(weightRemedy(other)).toBeUndefined();
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, -5e-324, "5", undefined, null, 5n])(
    "%s is no weight",
    (bad) => {
      const { scaled, issues } = scaleToIntegers([1, bad], { path: "weights" });
      expect(scaled).toBeUndefined();
      expect(issues.map((issue) => [issue.code, issue.where.path])).toEqual([["weights.invalid", "weights[1]"]]);
    },
  );

  test("a total of 2^32 - 1 is taken and 2^32 is refused", () => {
    expect(scaledOf([MAX_TOTAL - 1, 1])?.total).toBe(MAX_TOTAL);
    expect(codesOf([MAX_TOTAL, 1])).toEqual(["weights.overflow"]);
    expect(codesOf([2 ** 53 + 2])).toEqual(["weights.overflow"]);
    expect(codesOf([1e308, 1e308])).toEqual(["weights.overflow"]);
  });

  test("a total that only scaling makes too large names the decimals", () => {
    expect(scaledOf([429496729.5])?.integers).toEqual([4294967295]);
    expect(codesOf([429496729.5, 0.1])).toEqual(["weights.decimals"]);
  });

  test("exactness is no memory bomb: {1, 1, 2, 5e-324} (Apache RNG-196)", () => {
    expect(codesOf([1, 1, 2, 5e-324])).toEqual(["weights.decimals"]);
    expect(codesOf(Array.from({ length: 100_000 }, (_, i) => (i === 0 ? 5e-324 : 1.7e308)))).toEqual([
      "weights.decimals",
    ]);
  });

  test("a long list of bad entries is reported in part, with the path of each", () => {
    const { issues } = scaleToIntegers(new Array(1000).fill(-1), { path: (i) => `w.${i}`, file: "a.json" });
    expect(issues).toHaveLength(20);
    expect(issues[19].where).toEqual({ path: "w.19", file: "a.json" });
  });
});

test("decimalFraction is the shortest decimal form, not the double", () => {
  expect(decimalFraction(0.1)).toEqual(fraction(1n, 10n));
  expect(decimalFraction(1.25e3)).toEqual(fraction(1250n, 1n));
  expect(decimalFraction(0)).toEqual(ZERO);
  expect([0.1, 0.2].map(decimalFraction).reduce(add)).toEqual(decimalFraction(0.3));
});
