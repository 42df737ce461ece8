import { error, fail, readFields } from "./errors/index.js";

/**
 * An exact rational number in lowest terms, with `denominator` ≥ 1. `JSON.stringify` writes a fraction of this package
 * as a text, such as "1/3", "0/1" or "-2/7". Lists and tables accept such a text as a weight if it is not negative.
 */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** A fraction that `JSON.stringify` writes as a text. For other objects with bigints, `JSON.stringify` throws. */
class ExactFraction implements Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;

  constructor(numerator: bigint, denominator: bigint) {
    this.numerator = numerator;
    this.denominator = denominator;
  }

  toJSON(): string {
    return `${this.numerator}/${this.denominator}`;
  }
}

export const ZERO: Fraction = new ExactFraction(0n, 1n);
export const ONE: Fraction = new ExactFraction(1n, 1n);

/**
 * Reduces `numerator / denominator` to lowest terms. `denominator` must not be 0. In the result, only the numerator can
 * be negative.
 */
export function fraction(numerator: bigint, denominator: bigint): Fraction {
  const divisor = greatestCommonDivisor(numerator, denominator);
  const sign = denominator < 0n ? -1n : 1n;
  return new ExactFraction((sign * numerator) / divisor, (sign * denominator) / divisor);
}

/** Returns numerator / denominator. They must be in lowest terms already. */
export function reducedFraction(numerator: bigint, denominator: bigint): Fraction {
  return new ExactFraction(numerator, denominator);
}

/**
 * Returns a + b. Both must be in lowest terms. Cheap if one denominator is small, even if the other one is large.
 * Source: Knuth, The Art of Computer Programming, volume 2, section 4.5.1.
 */
export function add(a: Fraction, b: Fraction): Fraction {
  const divisor = greatestCommonDivisor(a.denominator, b.denominator);
  const sum = a.numerator * (b.denominator / divisor) + b.numerator * (a.denominator / divisor);
  const common = greatestCommonDivisor(sum, divisor);
  return new ExactFraction(sum / common, (a.denominator / divisor) * (b.denominator / common));
}

/** Returns a − b. Both must be in lowest terms. */
export function subtract(a: Fraction, b: Fraction): Fraction {
  return add(a, { numerator: -b.numerator, denominator: b.denominator });
}

/** Returns a · b. Both must be in lowest terms. */
export function multiply(a: Fraction, b: Fraction): Fraction {
  const first = greatestCommonDivisor(a.numerator, b.denominator);
  const second = greatestCommonDivisor(b.numerator, a.denominator);
  return new ExactFraction(
    (a.numerator / first) * (b.numerator / second),
    (a.denominator / second) * (b.denominator / first),
  );
}

/** Returns a / b. Both must be in lowest terms, and b must not be 0. */
export function divide(a: Fraction, b: Fraction): Fraction {
  const sign = b.numerator < 0n ? -1n : 1n;
  return multiply(a, { numerator: sign * b.denominator, denominator: sign * b.numerator });
}

/**
 * Converts a fraction to a double. The error is at most one unit in the last place. Numerator and denominator may have
 * any length.
 *
 * @throws RollmillError `argument.type` for anything but a fraction.
 */
export function toNumber(value: Fraction): number {
  const { numerator, denominator } = readFields("the fraction", value, ["numerator", "denominator"]);
  if (typeof numerator !== "bigint" || typeof denominator !== "bigint" || denominator <= 0n) {
    const expected = "an object with the bigints numerator and denominator, the denominator above 0";
    fail(error("argument.type", { problem: "not a fraction", got: value, expected }));
  }
  // after the shift, the quotient has at least 64 significant bits; a double has 53
  const shift = Math.max(0, bitLength(denominator) - bitLength(numerator) + 64);
  const quotient = Number((numerator << BigInt(shift)) / denominator);
  // in two steps: 2^-shift alone may underflow to 0, even if the product does not
  const half = Math.floor(shift / 2);
  return quotient * 2 ** -half * 2 ** (half - shift);
}

/** Returns the least common multiple of two integers above 0. */
export function leastCommonMultiple(a: bigint, b: bigint): bigint {
  return (a / greatestCommonDivisor(a, b)) * b;
}

function bitLength(value: bigint): number {
  return (value < 0n ? -value : value).toString(16).length * 4;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x === 0n ? 1n : x;
}
