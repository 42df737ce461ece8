import type { Work } from "../../calls/index.js";
import { type Fraction, fractionModulo } from "../../fractions.js";
import { ModularFactors, type SparseMatrix } from "./modular.js";

type Solution = Pick<Fraction, "denominator"> & { readonly numerators: bigint[] };

const MAX_BITS = 21;
/** Digits are split in two: each half · (sum of a row's absolute values) is < 2^MAX_SUM_BITS, so it is exact. */
const MAX_SUM_BITS = 51;
/** Number of digits before the first attempt to find fractions: few, because failed attempts usually end early. */
const FIRST_DIGITS = 8;
const GROWTH = 1.25;
/** Extra bits of a modulus, so that a wrong fraction is unlikely to fit the digits. */
const SLACK_BITS = 64;
const MAX_FACTOR = 256;
const STEPS_PER_DIGIT = 12;
const STEPS_PER_ROW = 20;

/**
 * Solves linear equations in exact fractions by p-adic lifting. The matrix must have an inverse. Factors the matrix
 * modulo a small prime p, finds the solution digit by digit in base p, reconstructs fractions from the digits, and
 * checks them. Each solution modulo p is the next digit of all unknowns.
 *
 * Source: J. D. Dixon, "Exact solution of linear equations using p-adic expansions", Numerische Mathematik 40 (1982),
 * 137–141, https://doi.org/10.1007/BF01459082.
 */
export function solveExactly(matrix: SparseMatrix, side: readonly bigint[], work: Work): Solution {
  const lifting = new Lifting(matrix, side, work);
  const size = side.reduce((sum, value) => sum + (value < 0n ? -value : value), 1n);
  const enough = digitsFor(matrix, lifting.prime, size);
  const stepsToReconstruct = 2 * enough ** 2 + lifting.unknowns * (enough ** 1.5 + STEPS_PER_DIGIT * enough);
  work.expect(enough * lifting.stepsPerDigit + stepsToReconstruct);
  for (let digits = FIRST_DIGITS; ; digits = nextLength(digits, enough)) {
    while (lifting.length < digits) lifting.lift();
    const solution = reconstruct(lifting, size, work);
    if (solution !== null && isSolution(matrix, side, solution)) return solution;
  }
}

/** Probably enough digits: as no entry off the diagonal is positive, the diagonal's product bounds the determinant. */
function digitsFor({ columns, values }: SparseMatrix, prime: number, size: bigint): number {
  const diagonal = columns.map((at, row) => Math.log2(Math.abs(values[row][at.indexOf(row)])));
  const bits = diagonal.reduce((sum, one) => sum + one, 0);
  return evenly((2 * bits + size.toString(16).length * 4 + SLACK_BITS + Math.log2(columns.length)) / Math.log2(prime));
}

function nextLength(digits: number, enough: number): number {
  const next = evenly(digits * GROWTH);
  return digits < enough && next * GROWTH > enough ? enough : next;
}

/** Rounds up to an even number, because digits are read in pairs. */
function evenly(digits: number): number {
  return 2 * Math.ceil(digits / 2);
}

class Lifting {
  readonly prime: number;
  readonly #matrix: SparseMatrix;
  readonly #factors: ModularFactors;
  /** Digits are split at this value before they are multiplied, so that no sum of products is rounded. */
  readonly #half: number;
  readonly #side: bigint[];
  readonly #residue: Float64Array;
  readonly #digits: Int32Array[] = [];
  readonly #mixture: number[] = [];
  readonly #work: Work;
  readonly stepsPerDigit: number;
  readonly unknowns: number;

  constructor(matrix: SparseMatrix, side: readonly bigint[], work: Work) {
    this.#work = work;
    this.unknowns = side.length;
    const sums = matrix.values.map((row) => row.reduce((sum, value) => sum + Math.abs(value), 0));
    const sumBits = Math.ceil(Math.log2(sums.reduce((a, b) => Math.max(a, b), 1))) + 1;
    const bits = Math.min(MAX_BITS, 2 * (MAX_SUM_BITS - sumBits));
    this.#half = 2 ** Math.ceil(bits / 2);
    this.#factors = factorsOf(matrix, 2 ** bits, work);
    this.prime = this.#factors.prime;
    this.#matrix = matrix;
    this.#side = [...side];
    const entries = matrix.columns.reduce((sum, at) => sum + at.length, 0);
    this.stepsPerDigit = this.#factors.entries + 3 * entries + STEPS_PER_ROW * side.length;
    this.#residue = new Float64Array(side.length);
    this.#addDigitOfSide();
  }

  get length(): number {
    return this.#digits.length;
  }

  lift(): void {
    const { prime } = this;
    this.#work.spend(this.stepsPerDigit);
    const digit = this.#residue.map((value) => {
      // the operator % is slow for doubles of this size
      const rest = value - Math.floor(value / prime) * prime;
      return rest < 0 ? rest + prime : rest >= prime ? rest - prime : rest;
    });
    this.#factors.solve(digit);
    this.#digits.push(Int32Array.from(digit));
    this.#mixture.push(digit.reduce((sum, value, i) => sum + value * factorInMixture(i), 0));
    this.#subtract(digit);
    this.#addDigitOfSide();
  }

  /** Replaces the residue r by (r − matrix · digit) / p. The division has no remainder. */
  #subtract(digit: Float64Array): void {
    const { columns, values } = this.#matrix;
    const [prime, half] = [this.prime, this.#half];
    const high = digit.map((value) => Math.floor(value / half));
    for (const [row, at] of columns.entries()) {
      let [upper, lower] = [0, 0];
      for (const [i, column] of at.entries()) {
        upper += values[row][i] * high[column];
        lower += values[row][i] * (digit[column] - high[column] * half);
      }
      const quotient = Math.floor(upper / prime);
      const rest = this.#residue[row] - lower - (upper - quotient * prime) * half;
      this.#residue[row] = rest / prime - quotient * half;
    }
  }

  #addDigitOfSide(): void {
    const prime = BigInt(this.prime);
    for (const [row, value] of this.#side.entries()) {
      if (value === 0n) continue;
      this.#work.spend(value.toString(16).length);
      this.#residue[row] += Number(value % prime);
      this.#side[row] = value / prime;
    }
  }

  /** Returns the sum of all unknowns, each times its {@link factorInMixture}, modulo p^length. */
  mixture(): bigint {
    return fromDigits(this.#mixture.map(BigInt), BigInt(this.prime)) % BigInt(this.prime) ** BigInt(this.length);
  }

  /** Returns how many of an unknown's lowest digits are enough for numbers up to `most`: an even number. */
  digitsFor(most: bigint): Digits {
    const enough = evenly((most.toString(16).length * 4 + SLACK_BITS) / Math.log2(this.prime));
    const length = Math.min(this.length, enough);
    return { length, modulus: BigInt(this.prime) ** BigInt(length) };
  }

  /** Returns the number nearest to 0 that equals an unknown times the denominator modulo p^length. */
  nearest(unknown: number, denominator: bigint, { length, modulus }: Digits): bigint {
    const pairs: bigint[] = [];
    for (let i = 0; i < length; i += 2) {
      pairs.push(BigInt(this.#digits[i][unknown] + this.#digits[i + 1][unknown] * this.prime));
    }
    const residue = (fromDigits(pairs, BigInt(this.prime) ** 2n) * denominator) % modulus;
    return residue * 2n > modulus ? residue - modulus : residue;
  }
}

interface Digits {
  readonly length: number;
  /** The number p^length, for the prime p of the solver. */
  readonly modulus: bigint;
}

/** Returns a scattered factor 1 … MAX_FACTOR, so that a mixture seldom cancels a prime of the common denominator. */
function factorInMixture(unknown: number): number {
  return 1 + (Math.imul(unknown, 0x9e3779b1) >>> 24);
}

function factorsOf(matrix: SparseMatrix, limit: number, work: Work): ModularFactors {
  for (let prime = limit - 1; ; prime -= 2) {
    const factors = isPrime(prime) ? ModularFactors.of(matrix, prime, work) : null;
    if (factors !== null) return factors;
  }
}

function isPrime(odd: number): boolean {
  for (let divisor = 3; divisor * divisor <= odd; divisor += 2) if (odd % divisor === 0) return false;
  return true;
}

/** Joins digits, lowest first, in pairs: a few long multiplications are faster than many short multiplications. */
function fromDigits(digits: readonly bigint[], base: bigint): bigint {
  let [parts, power] = [digits, base];
  while (parts.length > 1) {
    const joined: bigint[] = [];
    for (let i = 0; i < parts.length; i += 2) joined.push(parts[i] + (parts[i + 1] ?? 0n) * power);
    parts = joined;
    power *= power;
  }
  return parts[0];
}

/**
 * Let q be the largest number with 2 · size · q² ≤ modulus. Finds fractions with a common denominator up to q and
 * numerators up to size · q. At most one such solution exists. Returns null if no solution fits the digits. The
 * denominator of a mixture of the unknowns is nearly always the common denominator. Then few digits are enough for the
 * numerators. {@link isSolution} detects wrong solutions.
 */
function reconstruct(lifting: Lifting, given: bigint, work: Work): Solution | null {
  const { length, prime, unknowns } = lifting;
  const all = { length, modulus: BigInt(prime) ** BigInt(length) };
  const size = given * BigInt(MAX_FACTOR * unknowns);
  const most = squareRoot(all.modulus / (2n * size));
  if (most === 0n) return null;
  work.spend(2 * length ** 2);
  let { denominator } = fractionModulo(lifting.mixture(), all.modulus, size * most);
  if (denominator > most) return null;
  let few = lifting.digitsFor(denominator * size);
  const numerators: bigint[] = [];
  for (let unknown = 0; unknown < unknowns; unknown++) {
    const short = lifting.nearest(unknown, denominator, few);
    work.spend(few.length ** 1.5 + STEPS_PER_DIGIT * few.length);
    if (absolute(short) <= size * denominator) {
      numerators.push(short);
      continue;
    }
    const near = lifting.nearest(unknown, denominator, all);
    work.spend(length ** 1.5 + STEPS_PER_DIGIT * length);
    if (absolute(near) <= size * most) {
      numerators.push(near);
      continue;
    }
    work.spend(2 * length ** 2);
    const found = fractionModulo(near < 0n ? near + all.modulus : near, all.modulus, size * most);
    if (found.denominator * denominator > most) return null;
    denominator *= found.denominator;
    for (const i of numerators.keys()) numerators[i] *= found.denominator;
    numerators.push(found.numerator);
    few = lifting.digitsFor(denominator * size);
  }
  return { numerators, denominator };
}

function isSolution({ columns, values }: SparseMatrix, side: readonly bigint[], solution: Solution): boolean {
  const { numerators, denominator } = solution;
  return columns.every((at, row) => {
    const sum = at.reduce((before, column, i) => before + BigInt(values[row][i]) * numerators[column], 0n);
    return sum === denominator * side[row];
  });
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Returns the floor of the square root, by Newton's method from above. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
