import { weightFraction } from "../decimals.js";
import { error, fail } from "../errors/index.js";
import { add, divide, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../fractions.js";
import { checkInteger } from "../spec/index.js";
import type { Bounds, Interval } from "./interval.js";

/**
 * A number that is known exactly or, if its fraction would have more than 2^16 bits, by two fractions that enclose it.
 * They differ by at most 10^-12 of the number.
 */
export type Certified = Fraction | Bounds;

/** A probability as users write it: a fraction, "9/10", or a number in its shortest decimal form: 0.9 is 9/10. */
export type ProbabilityInput = Fraction | string | number;

/** Maximum number of bits of a numerator or a denominator. */
export const MAX_EXACT_BITS = 2 ** 16;

const MAX_N = Number.MAX_SAFE_INTEGER;

/** One value of a distribution, for a chart. */
export interface Point {
  readonly n: number;
  readonly probability: Certified;
  readonly upTo: Certified;
}

/** The distribution of an integer ≥ 0, such as the number of rolls until the first crown. */
export abstract class Distribution {
  /** The least value that is possible. */
  abstract readonly least: number;
  /** The greatest value that is possible. Undefined if there is none. */
  abstract readonly most: number | undefined;
  abstract get mean(): Certified;
  abstract get variance(): Certified;

  /**
   * Returns the probability of exactly `n`.
   *
   * @throws RollmillError `argument.range` if `n` is not an integer from 0 to 2^53 − 1.
   */
  at(n: number): Certified {
    checkInteger("n", n, 0, MAX_N);
    if (n < this.least || n > (this.most ?? n)) return ZERO;
    return this.exactAt(n) ?? this.encloseAt(n).bounds;
  }

  /** Returns the probability of at most `n`. Throws the errors of {@link at}. */
  upTo(n: number): Certified {
    checkInteger("n", n, 0, MAX_N);
    if (n < this.least) return ZERO;
    if (this.most !== undefined && n >= this.most) return ONE;
    return this.exactUpTo(n) ?? this.encloseUpTo(n).bounds;
  }

  /**
   * Returns the smallest n whose probability of at most n is `p` or more. Exact.
   *
   * @param p - Above 0, and below 1 if the distribution has no greatest value; otherwise at most 1.
   * @throws RollmillError `argument.range` for any other `p`, or if n would exceed 2^53 − 1.
   */
  quantile(p: ProbabilityInput): number {
    const wanted = readProbability(p);
    const isTooLarge = compare(wanted, ONE) > (this.most === undefined ? -1 : 0);
    if (compare(wanted, ZERO) <= 0 || isTooLarge) {
      const expected =
        this.most === undefined ? "a probability above 0 and below 1" : "a probability above 0, at most 1";
      fail(error("argument.range", { problem: "there is no such quantile", got: p, expected }));
    }
    let [below, reached] = [this.least - 1, this.least];
    for (let step = 1; !this.#reaches(reached, wanted); step *= 2) {
      below = reached;
      reached = Math.min(reached + step, this.most ?? MAX_N);
      if (below === reached) {
        fail(error("argument.range", { problem: "the quantile is too large", got: p, expected: `at most ${MAX_N}` }));
      }
    }
    while (reached - below > 1) {
      const middle = below + Math.floor((reached - below) / 2);
      if (this.#reaches(middle, wanted)) reached = middle;
      else below = middle;
    }
    return reached;
  }

  /** Whether the probability of at most n is `wanted` or more. */
  #reaches(n: number, wanted: Fraction): boolean {
    if (n < this.least) return false;
    if (this.most !== undefined && n >= this.most) return true;
    const exact = this.exactUpTo(n);
    if (exact !== undefined) return compare(exact, wanted) >= 0;
    // ends, because a probability that is not known exactly has a longer denominator than `wanted`
    for (let bits = 160; ; bits *= 2) {
      const sign = this.encloseUpTo(n, bits).compare(wanted);
      if (sign !== 0) return sign > 0;
    }
  }

  /** @internal Undefined if the fraction would be too long. */
  protected abstract exactAt(n: number): Fraction | undefined;
  /** @internal */
  protected abstract exactUpTo(n: number): Fraction | undefined;
  /** @internal */
  protected abstract encloseAt(n: number, bits?: number): Interval;
  /** @internal */
  protected abstract encloseUpTo(n: number, bits?: number): Interval;
}

/** A distribution with known probabilities of finitely many values. */
export class KnownDistribution extends Distribution {
  readonly least: number;
  readonly most: number;
  readonly #odds: ReadonlyMap<number, Fraction>;

  /** @internal @param odds - Ascending. The sum is 1. */
  constructor(odds: ReadonlyMap<number, Fraction>) {
    super();
    const values = [...odds.keys()];
    this.least = values[0];
    this.most = values[values.length - 1];
    this.#odds = odds;
  }

  get mean(): Fraction {
    let mean = ZERO;
    for (const [n, probability] of this.#odds) mean = add(mean, multiply(whole(n), probability));
    return mean;
  }

  get variance(): Fraction {
    let squares = ZERO;
    for (const [n, probability] of this.#odds) squares = add(squares, multiply(whole(n * n), probability));
    return subtract(squares, multiply(this.mean, this.mean));
  }

  protected override exactAt(n: number): Fraction {
    return this.#odds.get(n) ?? ZERO;
  }

  protected override exactUpTo(n: number): Fraction {
    let sum = ZERO;
    for (const [value, probability] of this.#odds) if (value <= n) sum = add(sum, probability);
    return sum;
  }

  protected override encloseAt(): never {
    throw new Error("every probability is known exactly");
  }

  protected override encloseUpTo(): never {
    throw new Error("every probability is known exactly");
  }
}

export function readProbability(input: ProbabilityInput): Fraction {
  const read = typeof input === "object" && input !== null && "numerator" in input ? input : weightFraction(input);
  if (read !== undefined) return read;
  const expected = 'a probability, such as 0.9 or "9/10"';
  return fail(error("argument.type", { problem: "invalid probability", got: input, expected }));
}

export function compare(a: Fraction, b: Fraction): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function whole(n: number): Fraction {
  return fraction(BigInt(n), 1n);
}

export function complement(p: Fraction): Fraction {
  return subtract(ONE, p);
}

export function ratio(a: Fraction, b: Fraction): Fraction {
  return divide(a, b);
}
