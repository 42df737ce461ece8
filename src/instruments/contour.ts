import type { Work } from "../calls/index.js";
import { type Fraction, fraction, ONE, ZERO } from "../fractions.js";
import { type Complex, FixedPoint } from "./complex.js";
import type { Bounds } from "./interval.js";

/** The set of results to collect. They exclude each other: one attempt has at most one of them. */
export interface Wanted {
  /** The probability of each result in one attempt is weights[i] / whole. Above 0. */
  readonly weights: readonly bigint[];
  readonly whole: bigint;
  /** How often each result is wanted. */
  readonly copies: number;
}

/** Steps of work for one power of e. */
const STEPS_PER_POWER = 2000;

/**
 * Encloses the probability that n attempts complete a set.
 *
 * Let a Poisson process of rate 1 run until the time n. It makes m attempts with the probability P(m). Let G(m) be the
 * probability that m attempts complete the set: G(n) is wanted. The function φ(θ) = Σ P(m) · G(m) · e^(imθ) is
 * known: it is a product over the results, because their numbers are independent. The mean of φ(θ) · e^(−inθ) over M
 * evenly spaced points is P(n) · G(n), plus the terms for n ± M, n ± 2M …, which are smaller than the tail of P. P(n)
 * is computed in the same way, with G = 1.
 *
 * Cost: O(points · results) powers of e. Up to √(n · bits) points, but only about `bits` if the set is likely complete:
 * then |φ| is small except near 0.
 */
export function contourUpTo({ weights, whole, copies }: Wanted, n: number, bits: number, work?: Work): Bounds {
  const margin = bits + 36;
  const numbers = new FixedPoint(margin + 40 + 2 * n.toString(2).length + weights.length.toString(2).length);
  const factor = (weight: bigint, wanted: number, members: number) =>
    new Factor(numbers, { mean: fraction(weight * BigInt(n), whole), copies: wanted, members });
  const rest = weights.reduce((left, weight) => left - weight, whole);
  const results = [factor(rest, 0, 1)];
  for (const [weight, members] of membersOf(weights)) results.push(factor(weight, copies, members));
  const [own, every] = [results, [factor(whole, 0, 1)]].map((factors) =>
    meanOverCircle(factors, { n, margin, numbers, work }),
  );
  // the errors by rounding, by the points left out, and by the terms for n ± M are each below 2^−margin
  const flaw = numbers.one >> BigInt(margin - 2);
  const least = own > flaw ? fraction(own - flaw, every + flaw) : ZERO;
  const most = own + flaw < every - flaw ? fraction(own + flaw, every - flaw) : ONE;
  return { least, most };
}

function membersOf(weights: readonly bigint[]): ReadonlyMap<bigint, number> {
  const members = new Map<bigint, number>();
  for (const weight of weights) members.set(weight, (members.get(weight) ?? 0) + 1);
  return members;
}

interface Circle {
  readonly n: number;
  /** Terms below 2^−margin may be left out. */
  readonly margin: number;
  readonly numbers: FixedPoint;
  readonly work: Work | undefined;
}

/** Returns the mean of φ(θ) · e^(−inθ) over points of the circle, where φ is the product of the factors. */
function meanOverCircle(factors: readonly Factor[], { n, margin, numbers, work }: Circle): bigint {
  // Chernoff's bound: P(|m − n| ≥ M) ≤ 2 · e^(−M² / (2n + 2M / 3))
  const nats = (margin + 2) * Math.LN2;
  const points = Math.ceil(nats / 3 + Math.sqrt((nats * nats) / 9 + 2 * n * nats));
  const turn = (2n * numbers.pi) / BigInt(points);
  let sum = 0n;
  for (let j = 0; 2 * j <= points; j++) {
    const angle = (2 * Math.PI * j) / points;
    // the bound falls as the angle grows, so it also holds for all later points
    if (factors.reduce((log, factor) => log + factor.logBound(angle), 0) < -nats) break;
    work?.spend(STEPS_PER_POWER * factors.length);
    const unit = numbers.exp({ re: 0n, im: turn * BigInt(j) });
    const back = numbers.exp({ re: 0n, im: -turn * ((BigInt(n) * BigInt(j)) % BigInt(points)) });
    const { re } = factors.reduce((product, factor) => numbers.times(product, factor.at(unit)), back);
    // the points −j and j have the same real part
    sum += j === 0 || 2 * j === points ? re : 2n * re;
  }
  return sum / BigInt(points);
}

/**
 * The factor of some results with the same probability: Σ P(m) · e^(imθ) over m ≥ copies, to the power of `members`.
 */
class Factor {
  readonly #numbers: FixedPoint;
  readonly #mean: bigint;
  readonly #members: number;
  /** The probabilities that one of these results has come m times, for m < copies. */
  readonly #fewer: readonly bigint[];
  readonly #log: { readonly mean: number; readonly fewer: number; readonly enough: number };

  constructor(
    numbers: FixedPoint,
    { mean, copies, members }: { readonly mean: Fraction; readonly copies: number; readonly members: number },
  ) {
    this.#numbers = numbers;
    this.#mean = (mean.numerator << numbers.bits) / mean.denominator;
    this.#members = members;
    let term = numbers.exp({ re: -this.#mean, im: 0n }).re;
    this.#fewer = Array.from({ length: copies }, (_, m) => {
      if (m > 0) term = (term * this.#mean) / BigInt(m) / numbers.one;
      return term;
    });
    const q = Number(mean.numerator) / Number(mean.denominator);
    const fewer = this.#fewer.reduce((sum, value) => sum + Number(value) / Number(numbers.one), 0);
    // P(m ≥ copies) ≤ q^copies / copies!
    let first = 1;
    for (let m = 1; m <= copies; m++) first *= q / m;
    this.#log = { mean: q, fewer, enough: Math.min(1, first) };
  }

  at(unit: Complex): Complex {
    const { one, bits } = this.#numbers;
    const power = this.#numbers.exp({ re: (this.#mean * (unit.re - one)) >> bits, im: (this.#mean * unit.im) >> bits });
    let [{ re, im }, turned]: Complex[] = [power, { re: one, im: 0n }];
    for (const value of this.#fewer) {
      re -= (value * turned.re) >> bits;
      im -= (value * turned.im) >> bits;
      turned = this.#numbers.times(turned, unit);
    }
    let product: Complex = { re, im };
    for (let i = 1; i < this.#members; i++) product = this.#numbers.times(product, { re, im });
    return product;
  }

  /** The logarithm of a bound of |φ|. In doubles, with some slack. */
  logBound(angle: number): number {
    const { mean, fewer, enough } = this.#log;
    return this.#members * (Math.log(Math.min(enough, Math.exp(mean * (Math.cos(angle) - 1)) + fewer)) + 1e-12);
  }
}
