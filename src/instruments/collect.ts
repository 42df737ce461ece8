import { add, type Fraction, fraction, multiply, overCommonDenominator, subtract, ZERO } from "../fractions.js";
import { contourUpTo, type Wanted } from "./contour.js";
import {
  bitLength,
  type Certified,
  Distribution,
  difference,
  MAX_EXACT_BITS,
  type NewWork,
  type Part,
  refined,
  SURE,
} from "./distribution.js";
import { type Bounds, Interval } from "./interval.js";
import { encloseMoments } from "./quadrature.js";

/** How many independent attempts it takes until each result of a set has come, `copies` times. */
export class CollectDistribution extends Distribution {
  readonly least: number;
  readonly most: number | undefined;
  readonly #wanted: Wanted;
  readonly #newWork: NewWork | undefined;
  #terms: readonly Term[] | undefined;

  constructor(chances: readonly Fraction[], copies: number, newWork?: NewWork) {
    super();
    this.#newWork = newWork;
    const { integers: weights, whole } = overCommonDenominator(chances);
    this.#wanted = { weights, whole, copies };
    this.least = weights.length * copies;
    this.most = weights.length === 1 && weights[0] === whole ? copies : undefined;
    this.#terms = expand(this.#wanted);
  }

  get mean(): Certified {
    const exact = this.#moment(0);
    return exact ?? refined((bits) => encloseMoments(this.#wanted, bits, this.#newWork?.()).mean.bounds);
  }

  get variance(): Certified {
    const [mean, square] = [this.#moment(0), this.#moment(1)];
    if (mean !== undefined && square !== undefined) return subtract(square, add(mean, multiply(mean, mean)));
    return refined((bits) => {
      const { mean: first, square: second } = encloseMoments(this.#wanted, bits, this.#newWork?.());
      return second.minus(first.plus(first.times(first))).bounds;
    });
  }

  /** @internal */
  override exact(part: Part, n: number): Fraction | undefined {
    if (n * bitLength(this.#wanted.whole) > MAX_EXACT_BITS) return undefined;
    const upTo = this.#exactUpTo(part === "from" ? n - 1 : n);
    if (upTo === undefined || part === "upTo") return upTo;
    return part === "from"
      ? subtract({ numerator: 1n, denominator: 1n }, upTo)
      : subtract(upTo, this.#exactUpTo(n - 1) ?? ZERO);
  }

  /** @internal */
  override enclose(part: Part, n: number, bits: number): Bounds {
    const upTo = this.#encloseUpTo(part === "from" ? n - 1 : n, bits);
    if (part === "upTo") return upTo;
    if (part === "from") return difference(SURE, upTo);
    return difference(upTo, this.#encloseUpTo(n - 1, bits));
  }

  #exactUpTo(n: number): Fraction | undefined {
    if (this.#terms === undefined) return undefined;
    const { whole } = this.#wanted;
    let sum = 0n;
    for (const { k, d, value } of this.#terms) if (d <= n) sum += value * falling(n, d) * (whole - k) ** BigInt(n - d);
    return fraction(sum, scaleOf(this.#wanted) * whole ** BigInt(n));
  }

  #encloseUpTo(n: number, bits: number): Bounds {
    if (this.#terms === undefined) return contourUpTo(this.#wanted, n, bits, this.#newWork?.());
    const { whole } = this.#wanted;
    const zero = Interval.of(ZERO, bits);
    let [plus, minus] = [zero, zero];
    for (const { k, d, value } of this.#terms) {
      if (d > n || k === whole) continue;
      const factor = fraction(
        (value < 0n ? -value : value) * falling(n, d),
        scaleOf(this.#wanted) * whole ** BigInt(d),
      );
      const term = Interval.of(fraction(whole - k, whole), bits)
        .power(n - d)
        .times(Interval.of(factor, bits));
      if (value > 0n) plus = plus.plus(term);
      else minus = minus.plus(term);
    }
    return plus.minus(minus).bounds;
  }

  /**
   * Returns the mean of Tˢ⁺¹, where T is the time at which a Poisson process of rate 1 completes the set: (s + 1) ·
   * ∫ tˢ · P(T > t) dt. For s = 0 this is the mean of the number of attempts n, and for s = 1 that of n · (n + 1).
   */
  #moment(s: 0 | 1): Fraction | undefined {
    if (this.#terms === undefined) return undefined;
    const { whole } = this.#wanted;
    let sum = ZERO;
    for (const { k, d, value } of this.#terms) {
      if (k === 0n) continue;
      const ways = falling(d + s, d + s) * BigInt(s + 1);
      sum = add(sum, fraction(-value * ways * whole ** BigInt(s + 1), k ** BigInt(d + s + 1)));
      if (bitLength(sum.denominator) > MAX_EXACT_BITS) return undefined;
    }
    return multiply(sum, fraction(1n, scaleOf(this.#wanted)));
  }
}

/** A term of {@link expand}: value · tᵈ · e^(−k · t / whole) / (wholeᵈ · scale) */
interface Term {
  readonly k: bigint;
  readonly d: number;
  readonly value: bigint;
}

const MAX_TERMS = 4096;

/**
 * Expands the probability that a Poisson process of rate 1 has completed the set at time t: the product, over all
 * results, of 1 − e^(−pt) · Σ (pt)ʲ / j! for j below `copies`. Undefined if there are too many terms.
 */
function expand({ weights, copies }: Wanted): readonly Term[] | undefined {
  const factorial = falling(copies - 1, copies - 1);
  let terms = new Map<string, Term>([["0 0", { k: 0n, d: 0, value: 1n }]]);
  for (const weight of weights) {
    const next = new Map<string, Term>();
    const put = (k: bigint, d: number, value: bigint) => {
      const key = `${k} ${d}`;
      next.set(key, { k, d, value: (next.get(key)?.value ?? 0n) + value });
    };
    for (const { k, d, value } of terms.values()) {
      put(k, d, value * factorial);
      for (let j = 0; j < copies; j++) {
        put(k + weight, d + j, -value * weight ** BigInt(j) * (factorial / falling(j, j)));
      }
    }
    if (next.size > MAX_TERMS) return undefined;
    terms = next;
  }
  return [...terms.values()];
}

function scaleOf({ weights, copies }: Wanted): bigint {
  return falling(copies - 1, copies - 1) ** BigInt(weights.length);
}

/** n · (n − 1) · …, with d factors. */
function falling(n: number, d: number): bigint {
  let product = 1n;
  for (let i = 0; i < d; i++) product *= BigInt(n - i);
  return product;
}
