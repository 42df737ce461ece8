import { type Fraction, reducedFraction, ZERO } from "./fractions.js";

/**
 * A product such as p²·q. `elements` are the indices of p and q in a {@link FactorBase}, ascending. `powers` are the
 * exponents 2 and 1; each is at least 1.
 */
export interface Product {
  readonly elements: readonly number[];
  readonly powers: readonly number[];
}

/** The empty product, 1. */
export const UNIT: Product = { elements: [], powers: [] };

/** A rational number, perhaps not in lowest terms. The divisor is stored as a product of factors. */
export interface Ratio {
  readonly numerator: bigint;
  readonly divisor: Product;
}

/** Returns a · b. */
export function times(a: Ratio, b: Ratio, base: FactorBase): Ratio {
  return { numerator: a.numerator * b.numerator, divisor: base.multiply(a.divisor, b.divisor) };
}

/** Returns product^exponent. */
export function power({ elements, powers }: Product, exponent: number): Product {
  return exponent === 0 ? UNIT : { elements, powers: powers.map((own) => own * exponent) };
}

/**
 * Small primes are multiplied into groups, so that one operation on a bigint handles several primes. The product of a
 * group is below this limit, so a double holds the product exactly.
 */
const GROUP_LIMIT = 2 ** 53;

/**
 * The numbers that divisors are products of: primes, and large integers such as determinants. If the factors of all
 * divisors are known, fractions can be added without computing a greatest common divisor.
 */
export class FactorBase {
  readonly #values: bigint[] = [];
  readonly #primes = new Map<number, number>();
  readonly #products = new Map<number, Product>();
  readonly #determinants = new Set<number>();

  /** Returns the prime factors of an integer 1 … 2^32. Cost: at most √value divisions, but only once for each value. */
  productOf(value: number): Product {
    const known = this.#products.get(value);
    if (known !== undefined) return known;
    const powers = new Map<number, number>();
    const count = (prime: number) => {
      const element = this.#elementOf(prime);
      powers.set(element, (powers.get(element) ?? 0) + 1);
    };
    let rest = value;
    for (let prime = 2; prime * prime <= rest; prime += prime === 2 ? 1 : 2) {
      for (; rest % prime === 0; rest /= prime) count(prime);
    }
    if (rest > 1) count(rest);
    const elements = [...powers.keys()].sort((a, b) => a - b);
    const product = { elements, powers: elements.map((element) => powers.get(element) ?? 0) };
    this.#products.set(value, product);
    return product;
  }

  /** Adds a large integer with unknown prime factors as a new element. Returns the product of only this element. */
  productOfDeterminant(value: bigint): Product {
    if (value === 1n) return UNIT;
    const element = this.#values.push(value) - 1;
    this.#determinants.add(element);
    return { elements: [element], powers: [1] };
  }

  /** Whether an element is a large integer whose prime factors are unknown. */
  isDeterminant(element: number): boolean {
    return this.#determinants.has(element);
  }

  valueOf(element: number): bigint {
    return this.#values[element];
  }

  #elementOf(prime: number): number {
    const known = this.#primes.get(prime);
    if (known !== undefined) return known;
    const element = this.#values.push(BigInt(prime)) - 1;
    this.#primes.set(prime, element);
    return element;
  }

  /** Returns a · b. */
  multiply(a: Product, b: Product): Product {
    return this.#merge(a, b, (i, j) => i + j);
  }

  /** Returns the least common multiple of a and b. If it equals a or b, returns that same object. */
  commonMultiple(a: Product, b: Product): Product {
    if (divides(b, a)) return a;
    if (divides(a, b)) return b;
    return this.#merge(a, b, Math.max);
  }

  #merge(a: Product, b: Product, combine: (i: number, j: number) => number): Product {
    const elements: number[] = [];
    const powers: number[] = [];
    let [i, j] = [0, 0];
    while (i < a.elements.length || j < b.elements.length) {
      const left = a.elements[i] ?? Number.POSITIVE_INFINITY;
      const right = b.elements[j] ?? Number.POSITIVE_INFINITY;
      elements.push(Math.min(left, right));
      powers.push(combine(left <= right ? a.powers[i] : 0, right <= left ? b.powers[j] : 0));
      if (left <= right) i++;
      if (right <= left) j++;
    }
    return { elements, powers };
  }

  /** Returns whole / part as an integer. `part` must divide `whole`. */
  quotient(whole: Product, part: Product): bigint {
    if (whole === part) return 1n;
    let product = 1n;
    let small = 1;
    let j = 0;
    for (let i = 0; i < whole.elements.length; i++) {
      const element = whole.elements[i];
      const isShared = part.elements[j] === element;
      const power = whole.powers[i] - (isShared ? part.powers[j] : 0);
      if (isShared) j++;
      if (power === 0) continue;
      const value = this.#values[element];
      if (power > 1 || this.isDeterminant(element) || small * Number(value) >= GROUP_LIMIT) {
        product *= value ** BigInt(power);
        continue;
      }
      small *= Number(value);
    }
    return small === 1 ? product : product * BigInt(small);
  }

  /** Returns a + b. If the divisors are similar, the cost is proportional to the length of the numerators. */
  add(a: Ratio, b: Ratio): Ratio {
    if (a.numerator === 0n) return b;
    if (a.divisor === b.divisor) return { numerator: a.numerator + b.numerator, divisor: a.divisor };
    const divisor = this.commonMultiple(a.divisor, b.divisor);
    const left = this.#over(divisor, a);
    return { numerator: left + this.#over(divisor, b), divisor };
  }

  /** Returns n such that n / `whole` equals the ratio. The ratio's divisor must divide `whole`. */
  #over(whole: Product, { numerator, divisor }: Ratio): bigint {
    return whole === divisor ? numerator : numerator * this.quotient(whole, divisor);
  }

  /**
   * Reduces ratios to lowest terms.
   *
   * @param look - Called often. It can throw to stop the work.
   */
  reduceAll(ratios: readonly Ratio[], look = () => {}): Fraction[] {
    const reduced = ratios.map((ratio) => {
      look();
      return this.#withoutPrimes(ratio);
    });
    for (const element of this.#determinants) {
      const affected = reduced.filter(({ determinants }) => determinants.includes(element));
      const numerators = affected.map(({ numerator }) => numerator);
      const divisors = commonDivisors(numerators, this.#values[element]);
      for (const [i, ratio] of affected.entries()) {
        ratio.numerator /= divisors[i];
        ratio.denominator *= this.#values[element] / divisors[i];
      }
    }
    return reduced.map(({ numerator, denominator }) => reducedFraction(numerator, denominator));
  }

  /**
   * Cancels the primes in the divisor of a ratio as far as possible. Does not cancel the determinants in the divisor.
   * Each determinant has the power 1.
   */
  #withoutPrimes({ numerator, divisor }: Ratio) {
    if (numerator === 0n) return { ...ZERO, determinants: [] as number[] };
    const primes = divisor.elements.filter((element) => !this.isDeterminant(element));
    const powers = new Map(divisor.elements.map((element, i) => [element, divisor.powers[i]]));
    let rest = numerator;
    for (const group of groupsOf(primes, (element) => Number(this.#values[element]))) {
      const remainder = Number(rest % BigInt(group.product));
      for (const element of group.elements) {
        const prime = this.#values[element];
        if (remainder % Number(prime) !== 0) continue;
        const power = powers.get(element) ?? 0;
        const cancelled = cancel(rest, prime, power);
        rest = cancelled.rest;
        powers.set(element, power - cancelled.count);
      }
    }
    const kept = primes.filter((element) => (powers.get(element) ?? 0) > 0);
    const left = { elements: kept, powers: kept.map((element) => powers.get(element) ?? 0) };
    const determinants = divisor.elements.filter((element) => this.isDeterminant(element));
    return { numerator: rest, denominator: this.quotient(left, UNIT), determinants };
  }
}

/**
 * Divides a number other than 0 by a prime as often as possible, but at most `most` times. Divides by the powers with
 * the exponents 1, 2, 4, …, and then by the same powers in reverse. So it needs few divisions.
 */
function cancel(value: bigint, prime: bigint, most: number): { rest: bigint; count: number } {
  let [rest, count] = [value, 0];
  const divide = (power: bigint, exponent: number) => {
    if (count + exponent > most || rest % power !== 0n) return false;
    rest /= power;
    count += exponent;
    return true;
  };
  const tried: [bigint, number][] = [[prime, 1]];
  for (let [power, exponent] = tried[0]; divide(power, exponent); ) {
    [power, exponent] = [power * power, exponent * 2];
    tried.push([power, exponent]);
  }
  for (const [power, exponent] of tried.reverse()) divide(power, exponent);
  return { rest, count };
}

function divides(part: Product, whole: Product): boolean {
  if (part === whole) return true;
  if (part.elements.length > whole.elements.length) return false;
  let j = 0;
  for (let i = 0; i < part.elements.length; i++) {
    while (whole.elements[j] < part.elements[i]) j++;
    if (whole.elements[j] !== part.elements[i] || whole.powers[j] < part.powers[i]) return false;
  }
  return true;
}

function groupsOf(elements: readonly number[], sizeOf: (element: number) => number) {
  const groups: { product: number; elements: number[] }[] = [];
  for (const element of elements) {
    const last = groups.at(-1);
    const value = sizeOf(element);
    if (last !== undefined && last.product * value < GROUP_LIMIT) {
      last.product *= value;
      last.elements.push(element);
    } else {
      groups.push({ product: value, elements: [element] });
    }
  }
  return groups;
}

/**
 * For each value, returns the greatest common divisor of the value and `whole`.
 *
 * First computes `shared`: the greatest common divisor of `whole` and the product of all values. Then uses `shared` in
 * place of `whole`: every result divides `shared`, and `shared` is usually small.
 */
function commonDivisors(values: readonly bigint[], whole: bigint): bigint[] {
  if (values.length === 0 || whole === 1n) return values.map(() => 1n);
  const product = values.reduce((before, value) => (before * value) % whole, 1n);
  const shared = greatestCommonDivisor(product, whole);
  if (values.length === 1) return [shared];
  const half = values.length >> 1;
  return [...commonDivisors(values.slice(0, half), shared), ...commonDivisors(values.slice(half), shared)];
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
