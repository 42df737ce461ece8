import { error, fail } from "../errors/index.js";
import { type Fraction, reducedFraction, ZERO } from "../fractions.js";

/** Two exact fractions that enclose a number: `least` ≤ number ≤ `most`. */
export interface Bounds {
  readonly least: Fraction;
  readonly most: Fraction;
}

/** mantissa · 2^exponent, for numbers ≥ 0. */
interface Float {
  readonly mantissa: bigint;
  readonly exponent: number;
}

/** Default precision. Enough for 10⁻¹² after 2⁶⁰ operations: each widens the interval by at most 2^(1 − bits) of it. */
const BITS = 160;

/**
 * Encloses a number ≥ 0. The lower end is always rounded down and the upper end up, so the number stays inside. Sums,
 * products and quotients of such numbers lose no relative precision, because nothing cancels.
 */
export class Interval {
  readonly #low: Float;
  readonly #high: Float;
  readonly #bits: number;

  private constructor(low: Float, high: Float, bits: number) {
    this.#low = rounded(low, bits, false);
    this.#high = rounded(high, bits, true);
    this.#bits = bits;
  }

  /** @param value - Not negative. */
  static of({ numerator, denominator }: Fraction, bits = BITS): Interval {
    return new Interval(
      quotient(numerator, denominator, bits, false),
      quotient(numerator, denominator, bits, true),
      bits,
    );
  }

  /** Encloses all numbers between two fractions that are not negative. */
  static between({ least, most }: Bounds, bits = BITS): Interval {
    return new Interval(
      quotient(least.numerator, least.denominator, bits, false),
      quotient(most.numerator, most.denominator, bits, true),
      bits,
    );
  }

  plus(other: Interval): Interval {
    const bits = this.#bits;
    return new Interval(sum(this.#low, other.#low, bits, false), sum(this.#high, other.#high, bits, true), bits);
  }

  /** The other number must not be larger than this one. */
  minus(other: Interval): Interval {
    return new Interval(
      difference(this.#low, other.#high, this.#bits, false),
      difference(this.#high, other.#low, this.#bits, true),
      this.#bits,
    );
  }

  times(other: Interval): Interval {
    return new Interval(product(this.#low, other.#low), product(this.#high, other.#high), this.#bits);
  }

  /** Multiplies by a / b, for integers above 0. */
  scaled(a: bigint, b: bigint): Interval {
    const scale = ({ mantissa, exponent }: Float, isUp: boolean) => {
      const { mantissa: ratio, exponent: shift } = quotient(mantissa * a, b, this.#bits, isUp);
      return { mantissa: ratio, exponent: exponent + shift };
    };
    return new Interval(scale(this.#low, false), scale(this.#high, true), this.#bits);
  }

  /** @param exponent - An integer ≥ 0. */
  power(exponent: number): Interval {
    const one = { mantissa: 1n, exponent: 0 };
    let result = new Interval(one, one, this.#bits);
    let square: Interval = this;
    for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
      if (rest % 2 === 1) result = result.times(square);
      if (rest > 1) square = square.times(square);
    }
    return result;
  }

  /** Returns the interval from 0 to the upper end of this one. */
  orLess(): Interval {
    return new Interval({ mantissa: 0n, exponent: 0 }, this.#high, this.#bits);
  }

  /** Whether the number is certainly less than 2^−bits times the other. */
  isBelow(other: Interval, bits: number): boolean {
    const { mantissa, exponent } = this.#high;
    const { mantissa: over, exponent: up } = other.#low;
    return bitLength(mantissa) + exponent + bits + 4 < bitLength(over) + up;
  }

  /** −1 if the number is less than the fraction, 1 if it is greater, 0 if the interval contains the fraction. */
  compare({ numerator, denominator }: Fraction): -1 | 0 | 1 {
    const sign = ({ mantissa, exponent }: Float) =>
      exponent >= 0
        ? (mantissa << BigInt(exponent)) * denominator - numerator
        : mantissa * denominator - (numerator << BigInt(-exponent));
    if (sign(this.#high) < 0n) return -1;
    return sign(this.#low) > 0n ? 1 : 0;
  }

  get bounds(): Bounds {
    return { least: fractionOf(this.#low), most: fractionOf(this.#high) };
  }
}

/** A number below 2^-MAX_BITS is too small for bounds: its denominator would have more than a million bits. */
const MAX_BITS = 2 ** 20;

function fractionOf({ mantissa, exponent }: Float): Fraction {
  if (mantissa === 0n) return ZERO;
  if (exponent < -MAX_BITS) refuseTooSmall();
  if (exponent >= 0) return reducedFraction(mantissa << BigInt(exponent), 1n);
  let [rest, shift] = [mantissa, -exponent];
  for (; shift > 0 && (rest & 1n) === 0n; shift--) rest >>= 1n;
  return reducedFraction(rest, 1n << BigInt(shift));
}

export function refuseTooSmall(): never {
  const problem = "the probability is too small to be computed";
  return fail(error("odds.work", { problem, expected: "at least about 2^-1000000", remedy: "Use fewer attempts" }));
}

function bitLength(value: bigint): number {
  return value.toString(16).length * 4;
}

function shifted(mantissa: bigint, shift: number, isUp: boolean): bigint {
  const short = mantissa >> BigInt(shift);
  return isUp && short << BigInt(shift) !== mantissa ? short + 1n : short;
}

function rounded({ mantissa, exponent }: Float, bits: number, isUp: boolean): Float {
  const extra = bitLength(mantissa) - bits;
  // shortens seldom, because it costs more than a product of slightly longer mantissas
  if (extra <= 64) return { mantissa, exponent };
  return { mantissa: shifted(mantissa, extra, isUp), exponent: exponent + extra };
}

function quotient(numerator: bigint, denominator: bigint, bits: number, isUp: boolean): Float {
  const shift = Math.max(0, bits + bitLength(denominator) - bitLength(numerator));
  const whole = numerator << BigInt(shift);
  const down = whole / denominator;
  return { mantissa: isUp && down * denominator !== whole ? down + 1n : down, exponent: -shift };
}

function product(a: Float, b: Float): Float {
  return { mantissa: a.mantissa * b.mantissa, exponent: a.exponent + b.exponent };
}

function sum(a: Float, b: Float, bits: number, isUp: boolean): Float {
  if (a.mantissa === 0n) return b;
  if (b.mantissa === 0n) return a;
  const [low, high] = a.exponent < b.exponent ? [a, b] : [b, a];
  const apart = high.exponent - low.exponent;
  // a number that is far smaller only decides the direction of the rounding
  if (apart > bitLength(low.mantissa) + 2 * bits) {
    const mantissa = high.mantissa << BigInt(2 * bits);
    return { mantissa: isUp ? mantissa + 1n : mantissa, exponent: high.exponent - 2 * bits };
  }
  return { mantissa: (high.mantissa << BigInt(apart)) + low.mantissa, exponent: low.exponent };
}

function difference(a: Float, b: Float, bits: number, isUp: boolean): Float {
  if (b.mantissa === 0n) return a;
  const far = a.exponent - b.exponent - bitLength(b.mantissa) - 2 * bits;
  if (far > 0) {
    const mantissa = a.mantissa << BigInt(2 * bits);
    return { mantissa: isUp ? mantissa : mantissa - 1n, exponent: a.exponent - 2 * bits };
  }
  const exponent = Math.min(a.exponent, b.exponent);
  const over = ({ mantissa, exponent: own }: Float) => mantissa << BigInt(own - exponent);
  const mantissa = over(a) - over(b);
  return { mantissa: mantissa < 0n ? 0n : mantissa, exponent };
}
