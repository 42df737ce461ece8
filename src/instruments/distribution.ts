import type { Odds, Work } from "../calls/index.js";
import { weightFraction } from "../decimals.js";
import { error, fail } from "../errors/index.js";
import { add, type Fraction, fraction, multiply, ONE, subtract, toNumber, ZERO } from "../fractions.js";
import { checkInteger, isObject, readList, readOptions, refuseArgument } from "../spec/index.js";
import { type Bounds, refuseTooSmall } from "./interval.js";

/**
 * A number: its exact fraction, or two fractions that enclose the number. If the fraction would have more than 2^16
 * bits or take too much work, the two differ by at most 10^-12 of the number. If the odds of an object are known only
 * within bounds, they can be further apart.
 */
export type Certified = Fraction | Bounds;

/** A probability: a fraction, a text such as "9/10", or a number, read as its shortest decimal form: 0.9 is 9/10. */
export type ProbabilityInput = Fraction | string | number;

/** Maximum number of bits of the numerator or the denominator of an exact number. */
export const MAX_EXACT_BITS = 2 ** 16;

const MAX_N = Number.MAX_SAFE_INTEGER;
/** Maximum number of results of a distribution. */
const MAX_RESULTS = 2 ** 24;

/** One value of a distribution, for a chart. */
export interface Point {
  readonly n: number;
  readonly probability: Certified;
  readonly upTo: Certified;
}

/** A part of a distribution: exactly n, at most n, or at least n. */
export type Part = "at" | "upTo" | "from";

/** The distribution of an integer, such as the number of rolls until the first crown. */
export abstract class Distribution {
  /** The least value that is possible. */
  abstract readonly least: number;
  /** The greatest value that is possible. Undefined if values have no upper limit. */
  abstract readonly most: number | undefined;
  abstract get mean(): Certified;
  abstract get variance(): Certified;

  /**
   * Returns the probability of exactly `n`.
   *
   * @throws RollmillError `argument.range` if `n` is not a safe integer; `odds.work`.
   */
  at(n: number): Certified {
    checkInteger("n", n, -MAX_N, MAX_N);
    if (n < this.least || n > (this.most ?? n)) return ZERO;
    return this.part("at", n);
  }

  /** Returns the probability of at most `n`. Throws the errors of {@link at}. */
  upTo(n: number): Certified {
    checkInteger("n", n, -MAX_N, MAX_N);
    if (n < this.least) return ZERO;
    return n >= (this.most ?? Infinity) ? ONE : this.part("upTo", n);
  }

  /** Returns the probability of at least `n`. Throws the errors of {@link at}. */
  from(n: number): Certified {
    checkInteger("n", n, -MAX_N, MAX_N);
    if (n <= this.least) return ONE;
    return n > (this.most ?? n) ? ZERO : this.part("from", n);
  }

  /**
   * Returns the smallest n for which the probability of at most n is `p` or more. Exact, unless the odds are known only
   * within bounds: then, returns the greatest n that is possible, which is enough for sure.
   *
   * @param p - Above 0, and below 1 if the distribution has no greatest value; otherwise at most 1.
   * @throws RollmillError `argument.range` for any other `p`, or if n would exceed 2^53 − 1; `odds.work` if n has no
   * upper bound, because the probability of the result may be 0.
   */
  quantile(p: ProbabilityInput): number {
    const wanted = readProbability("p", p);
    const isTooLarge = compare(wanted, ONE) > (this.most === undefined ? -1 : 0);
    if (wanted.numerator <= 0n || isTooLarge) {
      const limit = this.most === undefined ? "below 1" : "at most 1";
      const expected = `a probability above 0 and ${limit}`;
      fail(error("argument.range", { problem: "the probability has no quantile", got: p, expected }));
    }
    const most = this.most ?? MAX_N;
    const start = Math.min(Math.max(this.least, this.estimate(wanted)), most);
    let [below, reached] = [start, start];
    for (let step = 1; reached > this.least - 1 && this.#reaches(below, wanted); step *= 2) {
      [below, reached] = [Math.max(this.least - 1, below - step), below];
    }
    for (let step = 1; !this.#reaches(reached, wanted); step *= 2) {
      below = reached;
      reached = Math.min(reached + step, most);
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

  /**
   * Returns the bounds of {@link quantile}, both inclusive. They are equal unless the odds are known only within
   * bounds.
   *
   * @throws The errors of {@link quantile}.
   */
  quantileBounds(p: ProbabilityInput): { readonly least: number; readonly most: number } {
    const n = this.quantile(p);
    return { least: n, most: n };
  }

  /**
   * Returns values for a chart: at most `most` of them, evenly spaced from {@link least} to the quantile `until`.
   *
   * @param options - `until` is a probability below 1, by default 999/1000; `most` is 2 … 10,000, by default 200.
   * @throws The errors of {@link quantile} and {@link at}.
   */
  points(options: { readonly until?: ProbabilityInput; readonly most?: number } = {}) {
    const { until = "999/1000", most = 200 } = readOptions("points", options, ["until", "most"]);
    checkInteger("most", most, 2, 10_000);
    const last = this.quantile(until);
    const step = Math.max(1, Math.ceil((last - this.least) / (most - 1)));
    const points: Point[] = [];
    for (let n = this.least; n < last + step; n += step) {
      points.push({ n, probability: this.at(n), upTo: this.upTo(n) });
    }
    return points;
  }

  /** Whether the probability of at most n is `wanted` or more. */
  #reaches(n: number, wanted: Fraction): boolean {
    if (n < this.least) return false;
    if (this.most !== undefined && n >= this.most) return true;
    const exact = this.exact("upTo", n);
    if (exact !== undefined) return compare(exact, wanted) >= 0;
    // the loop ends: this probability has a longer denominator than `wanted`, so the two are not equal
    for (let bits = FIRST_BITS / 4; ; bits *= 2) {
      const { least, most } = this.enclose("upTo", n, bits);
      if (compare(least, wanted) >= 0) return true;
      if (compare(most, wanted) < 0) return false;
    }
  }

  /** @internal */
  protected part(part: Part, n: number): Certified {
    return this.exact(part, n) ?? refined((bits) => this.enclose(part, n, bits));
  }

  /** @internal A number near the quantile, from which its search begins. */
  estimate(_p: Fraction): number {
    return this.least;
  }

  /** @internal Undefined if the fraction would be too long. */
  abstract exact(part: Part, n: number): Fraction | undefined;

  /** @internal More bits give narrower bounds. */
  abstract enclose(part: Part, n: number, bits: number): Bounds;
}

/**
 * Returns a counter of the work for one number of a distribution. Its signal, callback and limit are those of the
 * options of the noun's odds; progress counts hundredths.
 */
export type NewWork = () => Work;

/** What is known of a condition: how often attempts meet it. An attempt is a call, such as one roll or one draw. */
export interface Law {
  /** The number of attempts until the condition was met `times` times. */
  wait(times: number): Distribution;
  /** How often a number of attempts meet the condition. */
  count(attempts: number): Distribution;
}

const FIRST_BITS = 64;
const MAX_BITS = 2 ** 20;

/** Encloses a number with more and more bits, until its bounds differ by at most 10⁻¹² of the number. */
export function refined(enclose: (bits: number) => Bounds): Bounds {
  for (let bits = FIRST_BITS; bits <= MAX_BITS; bits *= 2) {
    const bounds = enclose(bits);
    if (!isWide(bounds)) return bounds;
  }
  return refuseTooSmall();
}

/** A distribution whose probabilities are all known. */
export class KnownDistribution extends Distribution {
  readonly least: number;
  readonly most: number;
  readonly #odds: readonly (readonly [n: number, probability: Fraction])[];

  /** @internal @param odds - n ascends. Each probability is above 0, and their sum is 1. */
  constructor(odds: Iterable<readonly [number, Fraction]>) {
    super();
    this.#odds = [...odds];
    this.least = this.#odds[0][0];
    this.most = this.#odds[this.#odds.length - 1][0];
  }

  get mean(): Fraction {
    return this.#sum((n) => n);
  }

  get variance(): Fraction {
    return subtract(
      this.#sum((n) => n * n),
      multiply(this.mean, this.mean),
    );
  }

  /** @internal */
  override exact(part: Part, n: number): Fraction {
    const isIn = {
      at: (value: number) => value === n,
      upTo: (value: number) => value <= n,
      from: (value: number) => value >= n,
    };
    return this.#sum((value) => Number(isIn[part](value)));
  }

  /** @internal */
  override enclose(): never {
    throw new Error("every probability is known exactly");
  }

  #sum(factor: (n: number) => number): Fraction {
    let sum = ZERO;
    for (const [n, probability] of this.#odds) {
      const times = factor(n);
      if (times !== 0) sum = add(sum, times === 1 ? probability : multiply(whole(times), probability));
    }
    return sum;
  }
}

/**
 * Returns the distribution of a number whose odds are known, such as the value of dice or the quantity of a result.
 *
 * @example distributionOf(mill.dice("hp", "2d6").odds()).quantile("9/10") // → 10
 * @throws RollmillError `argument.type` if a result is not an integer; `argument.range` if `none` is above 0.
 */
export function distributionOf(given: Odds<number>): Distribution {
  if (!Array.isArray(given?.odds)) refuseArgument("odds", given, "the odds of dice or of a quantity");
  const none = readProbability("none", given.none);
  const odds = readList("odds", given.odds, { of: "results", most: MAX_RESULTS }).map((one) => {
    if (!isObject(one)) return refuseArgument("odds", one, "a result with its probability");
    const { result, probability } = one;
    checkInteger("result", result, -MAX_N, MAX_N);
    return { result, probability: readProbability("probability", probability as ProbabilityInput) };
  });
  const possible = odds.filter(({ probability }) => probability.numerator > 0n).sort((a, b) => a.result - b.result);
  if (none.numerator > 0n || possible.length === 0) {
    const expected = "odds whose probabilities add up to 1";
    fail(error("argument.range", { problem: "the number can be missing", got: numberOf(none), expected }));
  }
  return new KnownDistribution(possible.map(({ result, probability }) => [result, probability]));
}

/** @throws RollmillError `argument.type` for anything but a fraction, a text such as "9/10", or a number ≥ 0. */
export function readProbability(name: string, input: ProbabilityInput): Fraction {
  const isFraction = typeof input === "object" && input !== null && typeof input.numerator === "bigint";
  const read = isFraction ? (input as Fraction) : weightFraction(input);
  if (read !== undefined) return read;
  const expected = 'a probability, such as 0.9 or "9/10"';
  return fail(error("argument.type", { problem: `invalid probability "${name}"`, got: input, expected }));
}

export function compare(a: Fraction, b: Fraction): number {
  const apart = a.numerator * b.denominator - b.numerator * a.denominator;
  return apart < 0n ? -1 : apart > 0n ? 1 : 0;
}

export function whole(n: number): Fraction {
  return fraction(BigInt(n), 1n);
}

export function bitLength(value: bigint): number {
  return value.toString(16).length * 4;
}

/**
 * Returns a certified number as a double. The error is at most 10^-12 of the number. If two bounds are further
 * apart, returns the lower one.
 *
 * @throws RollmillError `argument.type` for anything but a fraction or bounds.
 */
export function numberOf(value: Certified): number {
  if (typeof value !== "object" || value === null) refuseArgument("value", value, "a fraction or bounds");
  return toNumber("least" in value ? value.least : value);
}

/** Returns 1 − the sum of the parts. */
export function opposite(parts: readonly Certified[]): Certified {
  if (parts.every((part) => "numerator" in part)) return subtract(ONE, parts.reduce(add, ZERO));
  const bounds = parts.map(boundsOf);
  const total = (end: keyof Bounds) => bounds.reduce((sum, { [end]: value }) => add(sum, value), ZERO);
  // the parts cannot all have their greatest values if these add up to more than 1
  return difference(SURE, { least: total("least"), most: total("most") });
}

/** The bounds of a probability of 1. */
export const SURE: Bounds = { least: ONE, most: ONE };

/** Encloses more − less, which is not negative. */
export function difference(more: Bounds, less: Bounds): Bounds {
  return { least: notNegative(subtract(more.least, less.most)), most: subtract(more.most, less.least) };
}

export function boundsOf(value: Certified): Bounds {
  return "numerator" in value ? { least: value, most: value } : value;
}

/** Whether two bounds are further apart than 10^-12 of the number. */
export function isWide(value: Certified): value is Bounds {
  if ("numerator" in value) return false;
  const { least, most } = value;
  const apart = most.numerator * least.denominator - least.numerator * most.denominator;
  return apart * 10n ** 12n > least.numerator * most.denominator;
}

export function notNegative(value: Fraction): Fraction {
  return value.numerator < 0n ? ZERO : value;
}
