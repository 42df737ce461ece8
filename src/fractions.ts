/** An exact rational number in lowest terms; `denominator` ≥ 1. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** 0 as a fraction. */
export const ZERO: Fraction = { numerator: 0n, denominator: 1n };
/** 1 as a fraction. */
export const ONE: Fraction = { numerator: 1n, denominator: 1n };

/** The fraction `numerator / denominator` in lowest terms; the numerator has the sign. `denominator` is not 0. */
export function fraction(numerator: bigint, denominator: bigint): Fraction {
  const divisor = greatestCommonDivisor(numerator, denominator);
  const sign = denominator < 0n ? -1n : 1n;
  return { numerator: (sign * numerator) / divisor, denominator: (sign * denominator) / divisor };
}

/** a + b. */
export function add(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

/** a − b. */
export function subtract(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator);
}

/** a · b. */
export function multiply(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.numerator, a.denominator * b.denominator);
}

/** a / b; b is not 0. */
export function divide(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.denominator, a.denominator * b.numerator);
}

/** A double within one unit in the last place, for integers of any length. */
export function toNumber({ numerator, denominator }: Fraction): number {
  // the shift leaves at least 64 significant bits of the quotient; a double has 53
  const shift = Math.max(0, bitLength(denominator) - bitLength(numerator) + 64);
  const quotient = Number((numerator << BigInt(shift)) / denominator);
  // in two steps, because 2^-shift may underflow to 0 although the product does not
  const half = Math.floor(shift / 2);
  return quotient * 2 ** -half * 2 ** (half - shift);
}

function bitLength(value: bigint): number {
  return (value < 0n ? -value : value).toString(16).length * 4;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x === 0n ? 1n : x;
}
