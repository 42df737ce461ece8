import type { Work } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { commonDivisor, type Fraction, fraction, leastCommonMultiple, ONE, subtract, ZERO } from "../fractions.js";
import type { Law, NewWork } from "./distribution.js";
import { type Distribution, KnownDistribution } from "./distribution.js";

/** A record of a finite pool: its copies have the same mass. */
interface Copies {
  /** An integer ≥ 1. */
  readonly mass: number;
  /** Number of copies that are now in the stock. */
  readonly left: number;
  /** Number of copies after a refresh. */
  readonly initial: number;
  readonly isWanted: boolean;
}

/** Draws from a finite pool, from its present stock on. An exhausted pool is refreshed. */
export class Draws implements Law {
  readonly #present: Pass;
  readonly #fresh: Pass;

  constructor(records: readonly Copies[], newWork: NewWork) {
    this.#present = new Pass(
      records.map(({ left, ...rest }) => ({ ...rest, copies: left })),
      newWork,
    );
    this.#fresh = new Pass(
      records.map(({ initial, ...rest }) => ({ ...rest, copies: initial })),
      newWork,
    );
  }

  wait(times: number): Distribution {
    const { wanted, all } = this.#present;
    if (times <= wanted) return this.#present.wait(times);
    const more = times - wanted;
    const passes = Math.ceil(more / this.#fresh.wanted) - 1;
    const before = all + passes * this.#fresh.all;
    return this.#fresh.wait(more - passes * this.#fresh.wanted, before);
  }

  count(attempts: number): Distribution {
    const { wanted, all } = this.#present;
    if (attempts <= all) return this.#present.count(attempts);
    const passes = Math.floor((attempts - all) / this.#fresh.all);
    return this.#fresh.count(attempts - all - passes * this.#fresh.all, wanted + passes * this.#fresh.wanted);
  }
}

/** A polynomial in u, from the constant term on. */
type Polynomial = readonly bigint[];

interface Held {
  readonly mass: number;
  readonly copies: number;
  readonly isWanted: boolean;
}

/**
 * The draws of a whole stock. Give each copy a clock that rings at a random time with its mass as rate: the order of
 * the rings is the order of the draws. At time t, a copy has not rung with the probability u^mass, where u = e^−t, and
 * the copies are independent. So the probability of k rings is a polynomial in u. The k-th wanted copy is among the
 * first n draws if it rings before the (n − k + 1)-th other copy: an integral over u, from 0 to 1.
 */
class Pass {
  /** Number of wanted copies, and of all copies. */
  readonly wanted: number;
  readonly all: number;
  readonly #wanted: readonly Held[];
  readonly #others: readonly Held[];
  readonly #newWork: NewWork;
  #rings: { readonly wanted: readonly Polynomial[]; readonly others: readonly Polynomial[] } | undefined;

  constructor(held: readonly Held[], newWork: NewWork) {
    this.#newWork = newWork;
    const divisor = held.reduce((common, { mass }) => commonDivisor(common, mass), 0);
    const scaled = held.map((record) => ({ ...record, mass: record.mass / divisor }));
    this.#wanted = scaled.filter(({ isWanted }) => isWanted);
    this.#others = scaled.filter(({ isWanted }) => !isWanted);
    this.wanted = copiesOf(this.#wanted);
    this.all = copiesOf(scaled);
  }

  wait(times: number, before = 0): Distribution {
    const last = this.all - this.wanted + times;
    const work = this.#newWork();
    const upTo = Array.from({ length: last + 1 }, (_, n) => this.#atLeast(times, n, work));
    const odds = upTo.map((sum, n) => [before + n, n === 0 ? sum : subtract(sum, upTo[n - 1])] as const);
    return new KnownDistribution(odds.filter(([, probability]) => probability.numerator > 0n));
  }

  count(attempts: number, before = 0): Distribution {
    const most = Math.min(attempts, this.wanted);
    const work = this.#newWork();
    const from = Array.from({ length: most + 2 }, (_, k) => this.#atLeast(k, attempts, work));
    const odds = from.slice(0, -1).map((sum, k) => [before + k, subtract(sum, from[k + 1])] as const);
    return new KnownDistribution(odds.filter(([, probability]) => probability.numerator > 0n));
  }

  /** The probability of at least k wanted copies among the first n draws. */
  #atLeast(k: number, n: number, work: Work): Fraction {
    const others = this.all - this.wanted;
    if (k === 0) return ONE;
    if (k > Math.min(n, this.wanted)) return ZERO;
    if (n - k >= others) return ONE;
    this.#rings ??= { wanted: ringsOf(this.#wanted, work), others: ringsOf(this.#others, work) };
    // when the k-th wanted copy rings, at most n − k others have rung
    const rung = sumOf(this.#rings.wanted.slice(k));
    const few = sumOf(this.#rings.others.slice(0, n - k + 1));
    return integral(derivative(rung), few, work);
  }
}

function copiesOf(held: readonly Held[]): number {
  return held.reduce((sum, { copies }) => sum + copies, 0);
}

/** Maximum number of coefficients. So many take some 400 MB. */
const MAX_TERMS = 5_000_000;
/** Steps of work for a product of two coefficients. */
const STEPS_PER_TERM = 20;

/** Entry k is the probability that exactly k copies have rung, as a polynomial in u. */
function ringsOf(held: readonly Held[], work: Work): readonly Polynomial[] {
  const degree = held.reduce((sum, { mass, copies }) => sum + mass * copies, 0);
  const copies = copiesOf(held);
  if ((copies + 1) * (degree + 1) > MAX_TERMS) {
    const problem = "the pool has too many copies or too large masses for exact odds of several draws";
    fail(
      error("odds.work", {
        problem,
        got: (copies + 1) * (degree + 1),
        expected: `copies × mass of at most ${MAX_TERMS}`,
      }),
    );
  }
  let rings: bigint[][] = [[1n]];
  for (const { mass, copies: times } of held) {
    for (let i = 0; i < times; i++) {
      work.spend(STEPS_PER_TERM * rings.length * rings[0].length);
      rings = withCopy(rings, mass);
    }
  }
  return rings;
}

/** Adds a copy. It has not rung with the probability u^mass. */
function withCopy(rings: readonly (readonly bigint[])[], mass: number): bigint[][] {
  const length = rings[0].length + mass;
  const next = Array.from({ length: rings.length + 1 }, () => Array<bigint>(length).fill(0n));
  for (const [k, polynomial] of rings.entries()) {
    for (const [power, value] of polynomial.entries()) {
      if (value === 0n) continue;
      next[k][power + mass] += value;
      next[k + 1][power] += value;
      next[k + 1][power + mass] -= value;
    }
  }
  return next;
}

function sumOf(polynomials: readonly Polynomial[]): Polynomial {
  return polynomials[0].map((_, power) => polynomials.reduce((sum, polynomial) => sum + polynomial[power], 0n));
}

function derivative(polynomial: Polynomial): Polynomial {
  return polynomial.slice(1).map((value, power) => value * BigInt(power + 1));
}

/** Returns −∫ a · b du from 0 to 1. The sign is −, because u falls while time passes. */
function integral(a: Polynomial, b: Polynomial, work: Work): Fraction {
  const products = Array<bigint>(a.length + b.length - 1).fill(0n);
  for (const [i, x] of a.entries()) {
    if (x === 0n) continue;
    work.spend(STEPS_PER_TERM * b.length);
    for (const [j, y] of b.entries()) products[i + j] -= x * y;
  }
  const terms = products.flatMap((value, power) => (value === 0n ? [] : [{ value, by: BigInt(power + 1) }]));
  const common = terms.reduce((multiple, { by }) => leastCommonMultiple(multiple, by), 1n);
  return fraction(
    terms.reduce((sum, { value, by }) => sum + value * (common / by), 0n),
    common,
  );
}
