import type { Work } from "../calls/index.js";
import { divide, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../fractions.js";
import type { Law, NewWork } from "./distribution.js";
import { bitLength, Distribution, MAX_EXACT_BITS, type Part, whole } from "./distribution.js";
import { type Bounds, Interval } from "./interval.js";

/** Steps of work for one term of a sum. */
const STEPS_PER_TERM = 200;

/** n independent attempts, each of which succeeds with probability p, 0 < p < 1. */
interface Attempts {
  readonly n: number;
  readonly p: Fraction;
}

/**
 * Returns the exact probability of at most k successes. Undefined if the fraction would be too long.
 *
 * Cost: O(min(k, n − k)) multiplications of big integers.
 */
function exactAtMost({ n, p }: Attempts, k: number): Fraction | undefined {
  if (k < 0) return ZERO;
  if (k >= n) return ONE;
  if (n * bitsOf(p) > MAX_EXACT_BITS) return undefined;
  const isShort = k < n / 2;
  // the shorter of the two sums: of successes up to k, or of failures up to n − k − 1
  const { numerator, denominator } = p;
  const [own, other] = isShort ? [numerator, denominator - numerator] : [denominator - numerator, numerator];
  const last = isShort ? k : n - k - 1;
  let [term, sum] = [1n, 0n];
  // Horner's rule in `other`: the sum over j of C(n, j) own^j other^(last − j)
  const terms: bigint[] = [];
  for (let j = 0; j <= last; j++) {
    terms.push(term);
    term = (term * BigInt(n - j)) / BigInt(j + 1);
  }
  for (let j = 0, power = 1n; j <= last; j++, power *= own) sum = sum * other + terms[j] * power;
  const probability = fraction(sum * other ** BigInt(n - last), denominator ** BigInt(n));
  return isShort ? probability : subtract(ONE, probability);
}

/** Returns the exact probability of exactly k successes. Undefined if the fraction would be too long. */
function exactOf({ n, p }: Attempts, k: number): Fraction | undefined {
  if (n * bitsOf(p) > MAX_EXACT_BITS) return undefined;
  const { numerator, denominator } = p;
  let ways = 1n;
  for (let i = 0; i < Math.min(k, n - k); i++) ways = (ways * BigInt(n - i)) / BigInt(i + 1);
  const cases = ways * numerator ** BigInt(k) * (denominator - numerator) ** BigInt(n - k);
  return fraction(cases, denominator ** BigInt(n));
}

/** Encloses the probability of exactly k successes. Cost: O(min(k, n − k)). */
function encloseOf({ n, p }: Attempts, k: number, bits?: number, work?: Work): Interval {
  const q = subtract(ONE, p);
  let term = Interval.of(p, bits)
    .power(k)
    .times(Interval.of(q, bits).power(n - k));
  const short = Math.min(k, n - k);
  work?.expect(STEPS_PER_TERM * short, STEPS_PER_TERM * short);
  for (let i = 0; i < short; i++) {
    if (i % 1024 === 0) work?.spend(STEPS_PER_TERM * Math.min(1024, short - i));
    term = term.scaled(BigInt(n - i), BigInt(i + 1));
  }
  return term;
}

/**
 * Encloses the probability of at most k successes, 0 ≤ k < n. Sums the terms of the smaller tail. They fall at least as
 * fast as a geometric sequence, whose sum bounds the terms that are left out.
 *
 * Cost: O(min(k, n − k)) for the first term, and some √n terms.
 */
function encloseAtMost(attempts: Attempts, k: number, bits = 160, work?: Work): Interval {
  const { n, p } = attempts;
  const isLow = BigInt(k) * p.denominator < BigInt(n) * p.numerator;
  const sum = isLow ? tail(attempts, k, bits, work) : tail(mirrored(attempts), n - k - 1, bits, work);
  return isLow ? sum : Interval.of(ONE, bits).minus(sum);
}

function mirrored({ n, p }: Attempts): Attempts {
  return { n, p: subtract(ONE, p) };
}

/** Encloses the probability of at most k successes, for k below the mean. */
function tail(attempts: Attempts, k: number, bits: number, work: Work | undefined): Interval {
  const { n, p } = attempts;
  const [a, b] = [p.numerator, p.denominator - p.numerator];
  let term = encloseOf(attempts, k, bits, work);
  let sum = term;
  for (let j = k; j > 0; j--) {
    if ((k - j) % 1024 === 0) work?.spend(STEPS_PER_TERM * 1024);
    // term j − 1 is term j · (j · b) / ((n − j + 1) · a), and this ratio falls with j
    const [up, down] = [BigInt(j) * b, BigInt(n - j + 1) * a];
    term = term.scaled(up, down);
    sum = sum.plus(term);
    if (up >= down) continue;
    const rest = term.scaled(up, down - up);
    if (rest.isBelow(sum, bits - 32)) return sum.plus(rest.orLess());
  }
  return sum;
}

function bitsOf({ denominator }: Fraction): number {
  return bitLength(denominator);
}

/** Independent attempts, each of which succeeds with the probability p. 0 < p ≤ 1. */
export class Trials implements Law {
  readonly #p: Fraction;
  readonly #newWork: NewWork | undefined;

  constructor(p: Fraction, newWork?: NewWork) {
    this.#p = p;
    this.#newWork = newWork;
  }

  wait(times: number): Distribution {
    return new WaitDistribution(this.#p, times, this.#newWork);
  }

  count(attempts: number): Distribution {
    return new CountDistribution({ n: attempts, p: this.#p }, this.#newWork);
  }
}

/** How many independent attempts it takes until the k-th success. 0 < p ≤ 1. */
class WaitDistribution extends Distribution {
  readonly least: number;
  readonly most: number | undefined;
  readonly #p: Fraction;
  readonly #newWork: NewWork | undefined;

  constructor(p: Fraction, successes: number, newWork?: NewWork) {
    super();
    this.#p = p;
    this.#newWork = newWork;
    this.least = successes;
    this.most = p.numerator === p.denominator ? successes : undefined;
  }

  get mean(): Fraction {
    return divide(whole(this.least), this.#p);
  }

  get variance(): Fraction {
    return divide(multiply(whole(this.least), subtract(ONE, this.#p)), multiply(this.#p, this.#p));
  }

  /** @internal */
  override exact(part: Part, n: number): Fraction | undefined {
    const before = this.#before(n);
    if (part === "from") return exactAtMost(before, this.least - 1);
    if (part === "at") {
      const almost = exactOf(before, this.least - 1);
      return almost && multiply(almost, this.#p);
    }
    const fewer = exactAtMost({ n, p: this.#p }, this.least - 1);
    return fewer && subtract(ONE, fewer);
  }

  /** @internal */
  override enclose(part: Part, n: number, bits: number): Bounds {
    const before = this.#before(n);
    const work = this.#newWork?.();
    if (part === "from") return encloseAtMost(before, this.least - 1, bits, work).bounds;
    if (part === "at") return encloseOf(before, this.least - 1, bits, work).times(Interval.of(this.#p, bits)).bounds;
    // at least k successes are at most n − k failures
    return encloseAtMost(mirrored({ n, p: this.#p }), n - this.least, bits, work).bounds;
  }

  #before(n: number): Attempts {
    return { n: n - 1, p: this.#p };
  }
}

/** The number of successes in n independent attempts. 0 < p ≤ 1. */
class CountDistribution extends Distribution {
  readonly least: number;
  readonly most: number;
  readonly #attempts: Attempts;
  readonly #newWork: NewWork | undefined;

  constructor(attempts: Attempts, newWork?: NewWork) {
    super();
    this.#attempts = attempts;
    this.#newWork = newWork;
    this.least = attempts.p.numerator === attempts.p.denominator ? attempts.n : 0;
    this.most = attempts.n;
  }

  get mean(): Fraction {
    return multiply(whole(this.#attempts.n), this.#attempts.p);
  }

  get variance(): Fraction {
    return multiply(this.mean, subtract(ONE, this.#attempts.p));
  }

  /** @internal */
  override exact(part: Part, n: number): Fraction | undefined {
    if (part === "at") return exactOf(this.#attempts, n);
    const upTo = exactAtMost(this.#attempts, part === "upTo" ? n : n - 1);
    return part === "upTo" ? upTo : upTo && subtract(ONE, upTo);
  }

  /** @internal */
  override enclose(part: Part, n: number, bits: number): Bounds {
    const work = this.#newWork?.();
    if (part === "at") return encloseOf(this.#attempts, n, bits, work).bounds;
    if (part === "upTo") return encloseAtMost(this.#attempts, n, bits, work).bounds;
    return encloseAtMost(mirrored(this.#attempts), this.most - n, bits, work).bounds;
  }
}
