import { bitLength, type Fraction, greatestCommonDivisor, reducedFraction, ZERO } from "./fractions.js";

/** A product such as p²·q: the indices of p and q in a {@link FactorBase}, ascending, and the exponents 2 and 1. */
export interface Product {
  readonly elements: readonly number[];
  readonly powers: readonly number[];
  /** Upper bound of the number of bits of the product. */
  readonly bits: number;
}

export const UNIT: Product = { elements: [], powers: [], bits: 0 };

/** A rational number whose divisor is a product of factors. */
export interface Ratio {
  readonly numerator: bigint;
  readonly divisor: Product;
  /** Whether the ratio is known to be in lowest terms. */
  readonly isReduced?: boolean;
}

export function times(a: Ratio, b: Ratio, base: FactorBase): Ratio {
  return { numerator: a.numerator * b.numerator, divisor: base.multiply(a.divisor, b.divisor) };
}

export function power({ elements, powers, bits }: Product, exponent: number): Product {
  return exponent === 0 ? UNIT : { elements, powers: powers.map((own) => own * exponent), bits: bits * exponent };
}

/** Returns the approximate number of steps of an operation on a ratio with this divisor. */
export function stepsOf({ elements, bits }: Product): number {
  return STEPS_PER_OPERATION + STEPS_PER_ELEMENT * elements.length + bits / BITS_PER_STEP;
}

const STEPS_PER_OPERATION = 200;
const STEPS_PER_ELEMENT = 6;
const BITS_PER_STEP = 16;

/** Products of several primes stay below this limit, so that doubles hold them exactly, and few bigints are needed. */
const GROUP_LIMIT = 2 ** 53;

/** The primes and large integers in the divisors of ratios. Adding ratios whose factors are known needs no gcd. */
export class FactorBase {
  readonly #values: bigint[] = [];
  /** The elements as doubles, which are exact for primes. */
  readonly #numbers: number[] = [];
  readonly #bits: number[] = [];
  readonly #primes = new Map<number, number>();
  readonly #products = new Map<number, Product>();
  readonly #determinants = new Set<number>();

  /** Factors an integer 1 … 2^32. Cost: at most √value divisions for a new value. Caches the result. */
  productOf(value: number): Product {
    const known = this.#products.get(value);
    if (known !== undefined) return known;
    const powers = new Map<number, number>();
    const count = (prime: number) => {
      const element = this.#elementOf(prime);
      powers.set(element, (powers.get(element) ?? 0) + 1);
    };
    let rest = value;
    for (const prime of smallPrimes()) {
      if (prime * prime > rest) break;
      for (; isMultiple(rest, prime); rest /= prime) count(prime);
    }
    if (rest > 1) count(rest);
    const elements = [...powers.keys()].sort((a, b) => a - b);
    const product = this.#productOf(
      elements,
      elements.map((element) => powers.get(element) ?? 0),
    );
    this.#products.set(value, product);
    return product;
  }

  /** Adds a determinant, a large integer with unknown prime factors, as a new element. Returns it as a product. */
  productOfDeterminant(value: bigint): Product {
    if (value === 1n) return UNIT;
    const element = this.#newElement(value);
    this.#determinants.add(element);
    return this.#productOf([element], [1]);
  }

  isDeterminant(element: number): boolean {
    return this.#determinants.has(element);
  }

  valueOf(element: number): bigint {
    return this.#values[element];
  }

  #elementOf(prime: number): number {
    const known = this.#primes.get(prime);
    if (known !== undefined) return known;
    const element = this.#newElement(BigInt(prime));
    this.#primes.set(prime, element);
    return element;
  }

  #newElement(value: bigint): number {
    this.#bits.push(bitLength(value));
    this.#numbers.push(Number(value));
    return this.#values.push(value) - 1;
  }

  /** Returns a product without the elements whose power is 0. */
  #productOf(elements: readonly number[], powers: readonly number[]): Product {
    let bits = 0;
    for (let i = 0; i < elements.length; i++) bits += powers[i] * this.#bits[elements[i]];
    if (!powers.includes(0)) return { elements, powers, bits };
    return { elements: elements.filter((_, i) => powers[i] > 0), powers: powers.filter((one) => one > 0), bits };
  }

  multiply(a: Product, b: Product): Product {
    return this.#merge(a, b, (i, j) => i + j);
  }

  /** Returns the least common multiple. If it equals a or b, returns a or b itself. */
  commonMultiple(a: Product, b: Product): Product {
    if (divides(b, a)) return a;
    if (divides(a, b)) return b;
    return this.#merge(a, b, Math.max);
  }

  #merge(a: Product, b: Product, combine: (i: number, j: number) => number): Product {
    const elements: number[] = [];
    const powers: number[] = [];
    let [i, j, bits] = [0, 0, 0];
    while (i < a.elements.length || j < b.elements.length) {
      const left = a.elements[i] ?? Number.POSITIVE_INFINITY;
      const right = b.elements[j] ?? Number.POSITIVE_INFINITY;
      const element = Math.min(left, right);
      const power = combine(left <= right ? a.powers[i] : 0, right <= left ? b.powers[j] : 0);
      elements.push(element);
      powers.push(power);
      bits += power * this.#bits[element];
      if (left <= right) i++;
      if (right <= left) j++;
    }
    return { elements, powers, bits };
  }

  /** Returns `whole` / `part`. `part` must divide `whole`. */
  quotient(whole: Product, part: Product): bigint {
    if (whole === part) return 1n;
    const factors: bigint[] = [];
    let small = 1;
    let j = 0;
    for (let i = 0; i < whole.elements.length; i++) {
      const element = whole.elements[i];
      const isShared = part.elements[j] === element;
      const power = whole.powers[i] - (isShared ? part.powers[j] : 0);
      if (isShared) j++;
      if (power === 0) continue;
      const value = this.#values[element];
      if (power > 1 || this.isDeterminant(element)) {
        factors.push(value ** BigInt(power));
        continue;
      }
      if (small * this.#numbers[element] >= GROUP_LIMIT) {
        factors.push(BigInt(small));
        small = 1;
      }
      small *= this.#numbers[element];
    }
    return productOfAll([...factors, BigInt(small)]);
  }

  /** Returns ratio · weight / divisor, reduced if the ratio is reduced. Weight and divisor are integers 1 … 2^32. */
  scale(ratio: Ratio, weight: number, divisor: number): Ratio {
    if (ratio.numerator === 0n) return ratio;
    const divided = this.#dividedBy(ratio, this.productOf(divisor));
    if (weight === 1) return divided;
    if (ratio.isReduced !== true) return { ...divided, numerator: divided.numerator * BigInt(weight) };
    const { elements, powers } = divided.divisor;
    let rest = weight;
    let changed: number[] | undefined;
    for (let i = 0; i < elements.length; i++) {
      const prime = this.#numbers[elements[i]];
      for (let left = powers[i]; left > 0 && isMultiple(rest, prime); rest /= prime) {
        changed ??= [...powers];
        changed[i] = --left;
      }
    }
    const left = changed === undefined ? divided.divisor : this.#productOf(elements, changed);
    return { numerator: divided.numerator * BigInt(rest), divisor: left, isReduced: true };
  }

  #dividedBy(ratio: Ratio, divisor: Product): Ratio {
    if (divisor.elements.length === 0) return ratio;
    if (ratio.isReduced !== true) return { ...ratio, divisor: this.multiply(ratio.divisor, divisor) };
    const { rest, powers } = this.#cancelPrimes(ratio.numerator, divisor);
    return {
      numerator: rest,
      divisor: this.multiply(ratio.divisor, this.#productOf(divisor.elements, powers)),
      isReduced: true,
    };
  }

  /** Cancels the common primes of a value (not 0) and a product. Returns the new value and the product's new powers. */
  #cancelPrimes(value: bigint, { elements, powers }: Pick<Product, "elements" | "powers">) {
    let rest = value;
    const left = [...powers];
    const groups = groupsOf(elements, (element) => this.#numbers[element]);
    const remainders = remaindersOf(
      value,
      groups.map(({ product }) => BigInt(product)),
    );
    let i = 0;
    for (const [at, group] of groups.entries()) {
      for (const element of group.elements) {
        if (remainders[at] % this.#numbers[element] === 0) {
          const cancelled = cancel(rest, this.#values[element], powers[i]);
          rest = cancelled.rest;
          left[i] -= cancelled.count;
        }
        i++;
      }
    }
    return { rest, powers: left };
  }

  /** Returns a + b. If the divisors are similar, the cost is proportional to the length of the numerators. */
  add(a: Ratio, b: Ratio): Ratio {
    if (a.numerator === 0n) return b;
    if (a.divisor === b.divisor) return { numerator: a.numerator + b.numerator, divisor: a.divisor };
    const divisor = this.commonMultiple(a.divisor, b.divisor);
    const left = this.#over(divisor, a);
    return { numerator: left + this.#over(divisor, b), divisor };
  }

  /** Returns n such that n / `whole` equals the ratio. */
  #over(whole: Product, { numerator, divisor }: Ratio): bigint {
    return whole === divisor ? numerator : numerator * this.quotient(whole, divisor);
  }

  /** Reduces ratios to lowest terms. `spend` is called often with a number of steps, and can throw to stop the work. */
  reduceAll(ratios: readonly Ratio[], spend: (steps: number) => void = () => {}): Fraction[] {
    const reduced = ratios.map((ratio) => {
      const { elements, bits } = ratio.divisor;
      const steps = stepsOf(ratio.divisor);
      spend(ratio.isReduced === true ? steps + bits ** 1.5 / 512 : steps + (elements.length * bits) / 256);
      return this.#withoutPrimes(ratio);
    });
    for (const element of new Set(reduced.flatMap(({ determinants }) => [...determinants]))) {
      const affected = reduced.filter(({ determinants }) => determinants.has(element));
      const bits = this.#bits[element];
      spend(reduced.length + bits ** 2 / 256);
      const numerators = affected.map(({ numerator }) => numerator);
      const spendFor = (i: number) => spend(affected[i].steps + bits ** 1.5 / 64);
      const divisors = commonDivisors(numerators, this.#values[element], spendFor);
      for (const [i, ratio] of affected.entries()) {
        ratio.numerator /= divisors[i];
        ratio.denominator *= this.#values[element] / divisors[i];
      }
    }
    return reduced.map(({ numerator, denominator }) => reducedFraction(numerator, denominator));
  }

  /** Cancels the primes of a divisor, but leaves its determinants, which have the power 1. */
  #withoutPrimes({ numerator, divisor, isReduced = false }: Ratio) {
    const steps = stepsOf(divisor);
    if (numerator === 0n) return { ...ZERO, determinants: new Set<number>(), steps };
    const determinants = new Set(divisor.elements.filter((element) => this.isDeterminant(element)));
    const primes = {
      elements: divisor.elements.filter((element) => !determinants.has(element)),
      powers: divisor.powers.filter((_, i) => !determinants.has(divisor.elements[i])),
    };
    const { rest, powers } = isReduced
      ? { rest: numerator, powers: primes.powers }
      : this.#cancelPrimes(numerator, primes);
    return {
      numerator: rest,
      denominator: this.quotient(this.#productOf(primes.elements, powers), UNIT),
      determinants,
      steps,
    };
  }
}

/** Multiplies neighbours first: bigints of similar length multiply faster than a long one and many short ones. */
function productOfAll(values: readonly bigint[]): bigint {
  if (values.length <= 2) return values.reduce((product, value) => product * value, 1n);
  const half = values.length >> 1;
  return productOfAll(values.slice(0, half)) * productOfAll(values.slice(half));
}

/** For integers below 2^32, `/` is faster than `%`, and rounding never turns a fraction into an integer. */
function isMultiple(value: number, divisor: number): boolean {
  const quotient = value / divisor;
  return quotient === Math.floor(quotient);
}

let knownPrimes: readonly number[] | undefined;

/** Returns the primes below 2^16. An integer up to 2^32 without such a factor is 1 or a prime. */
function smallPrimes(): readonly number[] {
  if (knownPrimes !== undefined) return knownPrimes;
  const isComposite = new Uint8Array(2 ** 16);
  const primes: number[] = [];
  for (let number = 2; number < isComposite.length; number++) {
    if (isComposite[number] === 1) continue;
    primes.push(number);
    for (let multiple = number * number; multiple < isComposite.length; multiple += number) isComposite[multiple] = 1;
  }
  knownPrimes = primes;
  return primes;
}

/** From this number of moduli on, it is faster to divide by the product of each half first. */
const MANY_MODULI = 16;

/** Returns the remainder of a value for each modulus. The moduli are below 2^53. */
function remaindersOf(value: bigint, moduli: readonly bigint[]): number[] {
  if (moduli.length < MANY_MODULI) return moduli.map((modulus) => Number(value % modulus));
  const half = moduli.length >> 1;
  return [moduli.slice(0, half), moduli.slice(half)].flatMap((part) => remaindersOf(value % productOfAll(part), part));
}

/**
 * Divides a number other than 0 by a prime as often as possible, at most `most` times. Needs few divisions: divides by
 * the powers with the exponents 1, 2, 4, …, and then by the same powers in reverse.
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
 * Returns the greatest common divisor (gcd) of `whole` and each value. Each result divides the gcd of `whole` and the
 * product of all values. This gcd is usually small, so it replaces `whole`. Calls `spendFor` for each value.
 */
function commonDivisors(values: readonly bigint[], whole: bigint, spendFor?: (i: number) => void): bigint[] {
  if (values.length === 0 || whole === 1n) return values.map(() => 1n);
  let product = 1n;
  for (const [i, value] of values.entries()) {
    spendFor?.(i);
    product = (product * value) % whole;
  }
  const shared = greatestCommonDivisor(product, whole);
  if (values.length === 1) return [shared];
  const half = values.length >> 1;
  return [...commonDivisors(values.slice(0, half), shared), ...commonDivisors(values.slice(half), shared)];
}
