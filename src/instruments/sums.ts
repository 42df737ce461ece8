import type { Odds } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { add, type Fraction, fraction, multiply, ONE, overCommonDenominator, subtract, ZERO } from "../fractions.js";
import type { Law } from "./distribution.js";
import {
  bitLength,
  type Certified,
  Distribution,
  difference,
  MAX_EXACT_BITS,
  type Part,
  refined,
  SURE,
  whole,
} from "./distribution.js";
import { type Bounds, Interval } from "./interval.js";

/** One amount: the probability of n is weights[n] / whole. */
interface AmountLaw {
  readonly weights: readonly bigint[];
  readonly whole: bigint;
}

/** The coefficients of a polynomial. Each is at most `error` too small. */
interface Polynomial {
  readonly coefficients: readonly bigint[];
  readonly error: bigint;
}

/** Sums of independent amounts, such as the crowns in many drops. An amount is an integer ≥ 0, and not always 0. */
export class Sums implements Law {
  readonly #law: AmountLaw;

  constructor({ odds }: Odds<number>) {
    const { integers, whole } = overCommonDenominator(odds.map(({ probability }) => probability));
    const weights = Array<bigint>(odds[odds.length - 1].result + 1).fill(0n);
    for (const [i, { result }] of odds.entries()) weights[result] += integers[i];
    this.#law = { weights, whole };
  }

  wait(times: number): Distribution {
    return new SumWait(this.#law, times);
  }

  count(attempts: number): Distribution {
    return new SumCount(this.#law, attempts);
  }
}

/** The sum of a number of independent amounts. */
class SumCount extends Distribution {
  readonly least: number;
  readonly most: number;
  readonly #law: AmountLaw;
  readonly #attempts: number;

  constructor(law: AmountLaw, attempts: number) {
    super();
    this.#law = law;
    this.#attempts = attempts;
    this.least = attempts * law.weights.findIndex((weight) => weight > 0n);
    this.most = attempts * (law.weights.length - 1);
  }

  get mean(): Fraction {
    return multiply(whole(this.#attempts), moment(this.#law, 1));
  }

  get variance(): Fraction {
    const mean = moment(this.#law, 1);
    return multiply(whole(this.#attempts), subtract(moment(this.#law, 2), multiply(mean, mean)));
  }

  /** @internal */
  override exact(part: Part, n: number): Fraction | undefined {
    if (part === "at") return exactSum(this.#law, this.#attempts, [n, n]);
    const below = exactSum(this.#law, this.#attempts, [0, part === "upTo" ? n : n - 1]);
    return part === "upTo" ? below : below && subtract(ONE, below);
  }

  /** @internal */
  override enclose(part: Part, n: number, bits: number): Bounds {
    if (part === "at") return encloseSum(this.#law, this.#attempts, [n, n], bits);
    const below = encloseSum(this.#law, this.#attempts, [0, part === "upTo" ? n : n - 1], bits);
    return part === "upTo" ? below : difference(SURE, below);
  }
}

/** How many independent amounts it takes until their sum is `times` or more. */
class SumWait extends Distribution {
  readonly least: number;
  readonly most: number | undefined;
  readonly #law: AmountLaw;
  readonly #times: number;

  constructor(law: AmountLaw, times: number) {
    super();
    this.#law = law;
    this.#times = times;
    this.least = Math.ceil(times / (law.weights.length - 1));
    const sure = law.weights.findIndex((weight) => weight > 0n);
    this.most = sure > 0 ? Math.ceil(times / sure) : undefined;
  }

  get mean(): Certified {
    if (this.#isShort(1)) return this.#moments(FRACTIONS).mean;
    return refined((bits) => this.#moments(intervals(bits)).mean.bounds);
  }

  get variance(): Certified {
    if (this.#isShort(2)) {
      const { mean, square } = this.#moments(FRACTIONS);
      return subtract(square, multiply(mean, mean));
    }
    return refined((bits) => {
      const { mean, square } = this.#moments(intervals(bits));
      return square.minus(mean.times(mean)).bounds;
    });
  }

  /** @internal */
  override exact(part: Part, n: number): Fraction | undefined {
    // more than n amounts are needed if the sum of n amounts is below `times`
    if (part === "from") return exactSum(this.#law, n - 1, [0, this.#times - 1]);
    const more = exactSum(this.#law, n, [0, this.#times - 1]);
    if (part === "upTo") return more && subtract(ONE, more);
    const from = more && exactSum(this.#law, n - 1, [0, this.#times - 1]);
    return from && subtract(from, more);
  }

  /** @internal */
  override enclose(part: Part, n: number, bits: number): Bounds {
    if (part === "from") return encloseSum(this.#law, n - 1, [0, this.#times - 1], bits);
    const more = encloseSum(this.#law, n, [0, this.#times - 1], bits);
    if (part === "upTo") return difference(SURE, more);
    return difference(encloseSum(this.#law, n - 1, [0, this.#times - 1], bits), more);
  }

  /** Whether the exact mean of wait^power has a fraction that is short enough. */
  #isShort(power: number): boolean {
    return power * this.#times * bitLength(this.#law.whole) <= MAX_EXACT_BITS;
  }

  /**
   * Returns the means of the wait and of its square. Let f be the generating function of an amount. P(wait > n) is the
   * sum of the first `times` coefficients of fⁿ. So the means are the sums of the first `times` coefficients of
   * Σ fⁿ = 1 / (1 − f) = v and of Σ (2n + 1) fⁿ = v + 2 · fv · v. fv is v − 1: only its first coefficient differs.
   */
  #moments<T>({ of, plus, times }: Arithmetic<T>): { readonly mean: T; readonly square: T } {
    const { weights, whole: all } = this.#law;
    const stays = all - weights[0];
    const shares = weights.map((weight) => of(fraction(weight, stays)));
    // visits[m]: how often the sum is expected to be m
    const visits = [of(fraction(all, stays))];
    const upTo = [visits[0]];
    for (let m = 1; m < this.#times; m++) {
      let sum = of(ZERO);
      for (let j = 1; j <= Math.min(m, weights.length - 1); j++) {
        if (weights[j] > 0n) sum = plus(sum, times(shares[j], visits[m - j]));
      }
      visits.push(sum);
      upTo.push(plus(upTo[m - 1], sum));
    }
    const products = visits.map((visit, m) => times(m === 0 ? shares[0] : visit, upTo[this.#times - 1 - m]));
    const mean = upTo[this.#times - 1];
    return { mean, square: products.reduce((sum, product) => plus(sum, plus(product, product)), mean) };
  }
}

/** Arithmetic on exact fractions, or on intervals that enclose numbers. */
interface Arithmetic<T> {
  readonly of: (value: Fraction) => T;
  readonly plus: (a: T, b: T) => T;
  readonly times: (a: T, b: T) => T;
}

const FRACTIONS: Arithmetic<Fraction> = { of: (value) => value, plus: add, times: multiply };

function intervals(bits: number): Arithmetic<Interval> {
  return { of: (value) => Interval.of(value, bits), plus: (a, b) => a.plus(b), times: (a, b) => a.times(b) };
}

function moment({ weights, whole: all }: AmountLaw, power: number): Fraction {
  const sum = weights.reduce((before, weight, n) => before + weight * BigInt(n) ** BigInt(power), 0n);
  return fraction(sum, all);
}

type Span = readonly [first: number, last: number];

/** The probability that the sum of n amounts is from `first` to `last`. Undefined if the fraction would be too long. */
function exactSum({ weights, whole: all }: AmountLaw, n: number, [first, last]: Span): Fraction | undefined {
  if (n * bitLength(all) > MAX_EXACT_BITS) return undefined;
  const { coefficients } = powerOf({ coefficients: weights, error: 0n }, { n, length: last + 1, unit: 1n });
  return fraction(total(coefficients.slice(first)), all ** BigInt(n));
}

function encloseSum({ weights, whole: all }: AmountLaw, n: number, [first, last]: Span, bits: number): Bounds {
  const unit = 1n << BigInt(bits);
  const coefficients = weights.map((weight) => (weight * unit) / all);
  const power = powerOf({ coefficients, error: 1n }, { n, length: last + 1, unit });
  const least = total(power.coefficients.slice(first));
  const most = least + power.error * BigInt(last + 1 - first);
  return { least: fraction(least, unit), most: fraction(most < unit ? most : unit, unit) };
}

/** Returns the first `length` coefficients of f^n. All coefficients are in units of 1 / unit. */
function powerOf(
  f: Polynomial,
  { n, length, unit }: { readonly n: number; readonly length: number; readonly unit: bigint },
): Polynomial {
  let result: Polynomial = { coefficients: [unit], error: 0n };
  let square: Polynomial = { ...f, coefficients: f.coefficients.slice(0, length) };
  for (let rest = n; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = product(result, square, length, unit);
    if (rest > 1) square = product(square, square, length, unit);
  }
  return result;
}

/**
 * Packs each polynomial into one integer, whose digits are the coefficients (Kronecker substitution). The product is
 * exact if `unit` is 1. Otherwise the coefficients of a factor have a sum of at most `unit`, so the errors only add up.
 */
function product(a: Polynomial, b: Polynomial, length: number, unit: bigint): Polynomial {
  const digits =
    hexDigits(a) + hexDigits(b) + Math.min(a.coefficients.length, b.coefficients.length).toString(16).length;
  const size = Math.min(length, a.coefficients.length + b.coefficients.length - 1);
  if (digits * size * 4 > MAX_PACKED_BITS) {
    const remedy = "Use fewer attempts or smaller quantities";
    fail(error("odds.work", { problem: "the sum of the quantities has too many values", got: size, remedy }));
  }
  const packed = packedDigits(a, digits) * packedDigits(b, digits);
  const text = packed.toString(16).padStart(digits * size, "0");
  const coefficients = Array.from({ length: size }, (_, i) => {
    const end = text.length - i * digits;
    return BigInt(`0x${text.slice(Math.max(0, end - digits), end)}`) / unit;
  });
  const flaw = unit === 1n ? 0n : a.error + b.error + (a.error * b.error * BigInt(size)) / unit + 2n;
  return { coefficients, error: flaw };
}

const MAX_PACKED_BITS = 2 ** 28;

function packedDigits({ coefficients }: Polynomial, digits: number): bigint {
  return BigInt(
    `0x${coefficients
      .map((value) => value.toString(16).padStart(digits, "0"))
      .reverse()
      .join("")}`,
  );
}

function hexDigits({ coefficients }: Polynomial): number {
  return coefficients.reduce((most, value) => Math.max(most, value.toString(16).length), 0);
}

function total(values: readonly bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n);
}
