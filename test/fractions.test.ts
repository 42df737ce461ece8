import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { add, divide, type Fraction, fraction, multiply, ONE, subtract, toNumber, ZERO } from "../src/fractions.js";

const integer = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const positive = fc.bigInt({ min: 1n, max: 10n ** 30n });
const rational = fc.tuple(integer, positive).map(([numerator, denominator]) => fraction(numerator, denominator));

describe("fractions are exact and in lowest terms", () => {
  test.each([
    [6n, 4n, 3n, 2n],
    [0n, 7n, 0n, 1n],
    [5n, 5n, 1n, 1n],
    [-6n, 4n, -3n, 2n],
    [6n, -4n, -3n, 2n],
    [-6n, -4n, 3n, 2n],
    [2n ** 200n, 2n ** 199n, 2n, 1n],
  ])("%d / %d = %d / %d", (numerator, denominator, top, bottom) => {
    expect(fraction(numerator, denominator)).toEqual({ numerator: top, denominator: bottom });
  });

  test("property: a fraction keeps its value, has no common factor and a positive denominator", () => {
    fc.assert(
      fc.property(integer, integer, (numerator, denominator) => {
        fc.pre(denominator !== 0n);
        const found = fraction(numerator, denominator);
        expect(found.numerator * denominator).toBe(numerator * found.denominator);
        expect(found.denominator >= 1n).toBe(true);
        expect(greatestCommonDivisor(found.numerator, found.denominator)).toBe(1n);
      }),
      { seed: 20301 },
    );
  });

  test("1/2 and 1/3 add up, and the other way round", () => {
    const [half, third] = [fraction(1n, 2n), fraction(1n, 3n)];
    expect(add(half, third)).toEqual({ numerator: 5n, denominator: 6n });
    expect(subtract(third, half)).toEqual({ numerator: -1n, denominator: 6n });
    expect(multiply(half, third)).toEqual({ numerator: 1n, denominator: 6n });
    expect(divide(half, third)).toEqual({ numerator: 3n, denominator: 2n });
    expect(divide(half, fraction(-1n, 3n))).toEqual({ numerator: -3n, denominator: 2n });
  });

  test("property: the laws of a field", () => {
    fc.assert(
      fc.property(rational, rational, rational, (a, b, c) => {
        expect(add(a, b)).toEqual(add(b, a));
        expect(add(add(a, b), c)).toEqual(add(a, add(b, c)));
        expect(multiply(a, add(b, c))).toEqual(add(multiply(a, b), multiply(a, c)));
        expect(subtract(add(a, b), b)).toEqual(a);
        expect(add(a, ZERO)).toEqual(a);
        expect(multiply(a, ONE)).toEqual(a);
        if (b.numerator !== 0n) expect(divide(multiply(a, b), b)).toEqual(a);
      }),
      { seed: 20302 },
    );
  });
});

describe("the nearest double", () => {
  test.each<[Fraction, number]>([
    [ZERO, 0],
    [ONE, 1],
    [fraction(1n, 3n), 1 / 3],
    [fraction(-2n, 3n), -2 / 3],
    [fraction(11n, 178n), 11 / 178],
    [fraction(2n ** 53n + 1n, 1n), 2 ** 53],
    [fraction(10n ** 400n, 10n ** 399n), 10],
    [fraction(10n ** 400n + 1n, 10n ** 400n), 1],
    [fraction(10n ** 300n, 1n), 1e300],
    [fraction(10n ** 400n, 1n), Number.POSITIVE_INFINITY],
    // chances so small that a power of two for them is none
    [fraction(1n, 2n ** 1000n), 2 ** -1000],
    [fraction(1n, 10n ** 300n), 1e-300],
    [fraction(1n, 2n ** 1074n), Number.MIN_VALUE],
    [fraction(3n ** 700n, 3n ** 1300n * 2n), 3 ** -600 / 2],
    [fraction(1n, 10n ** 400n), 0],
  ])("case %#", (value, expected) => {
    const found = toNumber(value);
    expect(Math.abs(found - expected) <= unitOf(expected) || found === expected).toBe(true);
  });

  test("property: within one unit in the last place, however long the integers", () => {
    const long = fc
      .tuple(fc.bigInt({ min: 1n, max: 2n ** 64n }), fc.nat(1500))
      .map(([n, bits]) => (n << BigInt(bits)) + 1n);
    fc.assert(
      fc.property(long, long, (numerator, denominator) => {
        const found = toNumber({ numerator, denominator });
        fc.pre(found > 1e-290 && found < 1e300);
        // a double is an integer times a power of two: compare without rounding
        const [low, high] = [found - unitOf(found), found + unitOf(found)].map(exactly);
        expect(low.numerator * denominator <= numerator * low.denominator).toBe(true);
        expect(high.numerator * denominator >= numerator * high.denominator).toBe(true);
      }),
      { seed: 20303, numRuns: 500 },
    );
  });

  test("property: a double comes back as it was", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }), (value) => {
        fc.pre(Math.abs(value) > 1e-290);
        expect(toNumber(exactly(value))).toBe(value);
      }),
      { seed: 20304 },
    );
  });
});

/** The distance from a double to the next one away from 0. */
function unitOf(value: number): number {
  return Math.max(2 ** (Math.floor(Math.log2(Math.abs(value))) - 52), Number.MIN_VALUE);
}

/** A double as the fraction that it is. */
function exactly(value: number): Fraction {
  let [integer, bits] = [value, 0];
  while (!Number.isInteger(integer)) [integer, bits] = [integer * 2, bits + 1];
  return fraction(BigInt(integer), 1n << BigInt(bits));
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? (a < 0n ? -a : a) : greatestCommonDivisor(b, a % b);
}
