import { error, fail, readFields } from "./errors/index.js";

/**
 * An exact rational number in lowest terms, with `denominator` ≥ 1. `JSON.stringify` writes a fraction of this package
 * as a text, such as "1/3", "0/1" or "-2/7". Lists and tables accept such a text as a weight if it is not negative.
 */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** A class, because its `toJSON` is needed: `JSON.stringify` throws for a plain object with bigints. */
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

/** Returns a fraction in lowest terms, in which only the numerator can be negative. `denominator` must not be 0. */
export function fraction(numerator: bigint, denominator: bigint): Fraction {
  const divisor = greatestCommonDivisor(numerator, denominator);
  const sign = denominator < 0n ? -1n : 1n;
  return new ExactFraction((sign * numerator) / divisor, (sign * denominator) / divisor);
}

/** Returns the approximate number of steps that {@link fraction} needs for numbers of this many bits. */
export function stepsToReduce(bits: number): number {
  return 100 + 4 * bits + bits ** 2 / 1500;
}

/** Returns a fraction of numbers that are in lowest terms already. */
export function reducedFraction(numerator: bigint, denominator: bigint): Fraction {
  return new ExactFraction(numerator, denominator);
}

/** Cost: low if one denominator is small. Source: Knuth, The Art of Computer Programming, volume 2, section 4.5.1. */
export function add(a: Fraction, b: Fraction): Fraction {
  const divisor = greatestCommonDivisor(a.denominator, b.denominator);
  const sum = a.numerator * (b.denominator / divisor) + b.numerator * (a.denominator / divisor);
  const common = greatestCommonDivisor(sum, divisor);
  return new ExactFraction(sum / common, (a.denominator / divisor) * (b.denominator / common));
}

export function subtract(a: Fraction, b: Fraction): Fraction {
  return add(a, { numerator: -b.numerator, denominator: b.denominator });
}

export function multiply(a: Fraction, b: Fraction): Fraction {
  const first = greatestCommonDivisor(a.numerator, b.denominator);
  const second = greatestCommonDivisor(b.numerator, a.denominator);
  return new ExactFraction(
    (a.numerator / first) * (b.numerator / second),
    (a.denominator / second) * (b.denominator / first),
  );
}

/** b must not be 0. */
export function divide(a: Fraction, b: Fraction): Fraction {
  const sign = b.numerator < 0n ? -1n : 1n;
  return multiply(a, { numerator: sign * b.denominator, denominator: sign * b.numerator });
}

/**
 * Converts a fraction of any length to a double. The error is at most one unit in the last place.
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

export function overCommonDenominator(fractions: readonly Fraction[]): {
  readonly integers: bigint[];
  readonly whole: bigint;
} {
  const whole = fractions.reduce((common, { denominator }) => leastCommonMultiple(common, denominator), 1n);
  return { integers: fractions.map(({ numerator, denominator }) => numerator * (whole / denominator)), whole };
}

export function leastCommonMultiple(a: bigint, b: bigint): bigint {
  return (a / greatestCommonDivisor(a, b)) * b;
}

export function bitLength(value: bigint): number {
  return (value < 0n ? -value : value).toString(16).length * 4;
}

/** The greatest common divisor of safe integers ≥ 0. Returns 0 if both are 0. */
export function commonDivisor(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

/** Returns 1 if both are 0. */
export function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  if (x >> SHORT !== 0n && y >> SHORT !== 0n) return euclid(x < y ? [y, x] : [x, y], 0n, 0n).before;
  while (y !== 0n) [x, y] = [y, x % y];
  return x === 0n ? 1n : x;
}

/** Finds a fraction n / d that equals `residue` modulo `modulus`, with |n| ≤ most. Stops Euclid's algorithm early. */
export function fractionModulo(residue: bigint, modulus: bigint, most: bigint) {
  const { now, factor } = euclid([modulus, residue], most, 1n);
  return factor < 0n ? { numerator: -now, denominator: -factor } : { numerator: now, denominator: factor };
}

/** With numbers of this many bits, doubles hold sums and rounded-down quotients exactly. */
const LEADING_BITS = 50;
/** For numbers of at most this many bits, Euclid's algorithm is faster with one division for each quotient. */
const SHORT = 160n;

/**
 * Runs Euclid's algorithm for a ≥ b until `now` ≤ most. The leading bits decide several quotients at once, so that few
 * steps use long numbers. With the `unit` 1, `now` equals factor · b modulo a; with 0, factors are not computed.
 *
 * Source: Knuth, The Art of Computer Programming, volume 2, section 4.5.2, algorithm L (Lehmer).
 */
function euclid([a, b]: readonly [bigint, bigint], most: bigint, unit: bigint) {
  let [before, now, factorBefore, factor] = [a, b, 0n, unit];
  let shift = Math.max(0, bitLength(a) - LEADING_BITS);
  while (now > most) {
    if (shift > 0) {
      const top = Number(before >> BigInt(shift));
      if (top < 2 ** (LEADING_BITS - 8)) {
        shift = Math.max(0, shift - (LEADING_BITS - 1 - Math.floor(Math.log2(Math.max(top, 1)))));
        continue;
      }
      const [p, q, r, s] = leadingSteps(top, Number(now >> BigInt(shift))).map(BigInt);
      const after = r * before + s * now;
      if (q !== 0n && after > most) {
        [before, now] = [p * before + q * now, after];
        [factorBefore, factor] = [p * factorBefore + q * factor, r * factorBefore + s * factor];
        continue;
      }
    }
    const quotient = before / now;
    [before, now, factorBefore, factor] = [now, before % now, factor, factorBefore - quotient * factor];
  }
  return { before, now, factor };
}

/** Returns a 2 × 2 matrix, row by row: the steps of Euclid's algorithm that the leading bits x and y determine. */
function leadingSteps(x: number, y: number): readonly number[] {
  let [a, b, p, q, r, s] = [x, y, 1, 0, 0, 1];
  while (b + r !== 0 && b + s !== 0) {
    const quotient = Math.floor((a + p) / (b + r));
    if (quotient !== Math.floor((a + q) / (b + s))) break;
    [a, b, p, q, r, s] = [b, a - quotient * b, r, s, p - quotient * r, q - quotient * s];
  }
  return [p, q, r, s];
}
