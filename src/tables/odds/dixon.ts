import { ModularFactors, type SparseMatrix } from "./modular.js";

/** The solution of a system: unknown i is numerators[i] / denominator. */
interface Solution {
  readonly numerators: bigint[];
  readonly denominator: bigint;
}

const MOST_BITS = 21;
/**
 * Each digit is split into two parts before it is multiplied by a row of the matrix. The product of a part and the sum
 * of the row's absolute values must stay below 2^MOST_SUM_BITS, so that doubles hold all sums exactly.
 */
const MOST_SUM_BITS = 51;
/**
 * Number of digits before the first attempt to reconstruct the fractions. A failed attempt is cheap: it usually fails
 * at the first unknown.
 */
const FIRST_DIGITS = 8;
/** The number of digits grows by this factor between attempts. */
const GROWTH = 1.25;

/**
 * Solves a system of linear equations in exact fractions, by Dixon's p-adic lifting. First, the matrix is factored
 * modulo one small prime p. Then the solution is found digit by digit in base p. At last, the fractions are
 * reconstructed from the digits. The result is checked by substitution, so it is always exact.
 *
 * The matrix must have an inverse. Cost: one factorization modulo p, and one solution modulo p for each digit. The
 * number of digits is proportional to the length of the numerators and the denominator.
 *
 * Source: J. D. Dixon, "Exact solution of linear equations using p-adic expansions", Numerische Mathematik 40 (1982),
 * 137–141, https://doi.org/10.1007/BF01459082.
 *
 * @param look - Called often. It can throw to stop the work.
 */
export function solveExactly(matrix: SparseMatrix, side: readonly bigint[], look: () => void): Solution {
  const lifting = new Lifting(matrix, side, look);
  const size = side.reduce((sum, value) => sum + (value < 0n ? -value : value), 1n);
  for (let digits = FIRST_DIGITS; ; digits = Math.ceil(digits * GROWTH)) {
    while (lifting.length < digits) {
      look();
      lifting.lift();
    }
    const solution = reconstruct(lifting, size, look);
    if (solution !== null && isSolution(matrix, side, solution)) return solution;
  }
}

/** Finds the digits of a solution in base p, one after the other. */
class Lifting {
  readonly prime: number;
  readonly #matrix: SparseMatrix;
  readonly #factors: ModularFactors;
  /** Before a multiplication, each digit is split into two parts at this value. So no sum of products is rounded. */
  readonly #half: number;
  readonly #side: bigint[];
  readonly #residue: Float64Array;
  readonly #digits: Float64Array[] = [];

  constructor(matrix: SparseMatrix, side: readonly bigint[], look: () => void) {
    const sums = matrix.values.map((row) => row.reduce((sum, value) => sum + Math.abs(value), 0));
    const sumBits = Math.ceil(Math.log2(sums.reduce((a, b) => Math.max(a, b), 1))) + 1;
    const bits = Math.min(MOST_BITS, 2 * (MOST_SUM_BITS - sumBits));
    this.#half = 2 ** Math.ceil(bits / 2);
    this.#factors = factorsOf(matrix, 2 ** bits, look);
    this.prime = this.#factors.prime;
    this.#matrix = matrix;
    this.#side = [...side];
    this.#residue = new Float64Array(side.length);
    this.#addDigitOfSide();
  }

  get unknowns(): number {
    return this.#residue.length;
  }

  /** The number of digits that were already found. */
  get length(): number {
    return this.#digits.length;
  }

  /** Finds the next digit of each unknown. */
  lift(): void {
    const { prime } = this;
    const digit = this.#residue.map((value) => {
      // the operator % is slow for doubles of this size
      const rest = value - Math.floor(value / prime) * prime;
      return rest < 0 ? rest + prime : rest >= prime ? rest - prime : rest;
    });
    this.#factors.solve(digit);
    this.#digits.push(digit);
    this.#subtract(digit);
    this.#addDigitOfSide();
  }

  /** Replaces the residue r by (r − A · digit) / p. The division has no remainder. */
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
      this.#residue[row] += Number(value % prime);
      this.#side[row] = value / prime;
    }
  }

  /** Returns the value of an unknown, given by its index, modulo p^length. */
  valueOf(unknown: number): bigint {
    const digits = this.#digits.map((digit) => BigInt(digit[unknown]));
    return fromDigits(digits, BigInt(this.prime));
  }
}

/** Factors a matrix modulo the largest suitable prime below `limit`. A prime is suitable if it divides no pivot. */
function factorsOf(matrix: SparseMatrix, limit: number, look: () => void): ModularFactors {
  for (let prime = limit - 1; ; prime -= 2) {
    const factors = isPrime(prime) ? ModularFactors.of(matrix, prime, look) : null;
    if (factors !== null) return factors;
  }
}

function isPrime(odd: number): boolean {
  for (let divisor = 3; divisor * divisor <= odd; divisor += 2) if (odd % divisor === 0) return false;
  return true;
}

/**
 * Returns the number that has these digits. The lowest digit comes first. Joins neighbouring digits to pairs, then
 * neighbouring pairs to groups of four, and so on. This takes a few long multiplications, which are faster than many
 * short multiplications.
 */
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
 * Finds fractions with a common denominator of at most q, and numerators below size · q. Here q is the largest number
 * with 2 · size · q² ≤ modulus. Because of this bound, there is at most one solution. Returns null if no such fractions
 * fit the digits.
 */
function reconstruct(lifting: Lifting, size: bigint, look: () => void): Solution | null {
  const modulus = BigInt(lifting.prime) ** BigInt(lifting.length);
  const most = squareRoot(modulus / (2n * size));
  if (most === 0n) return null;
  const numerators: bigint[] = [];
  let denominator = 1n;
  for (let unknown = 0; unknown < lifting.unknowns; unknown++) {
    look();
    const residue = (lifting.valueOf(unknown) * denominator) % modulus;
    const near = residue * 2n > modulus ? residue - modulus : residue;
    if (absolute(near) <= size * most) {
      numerators.push(near);
      continue;
    }
    const found = fractionOf(residue, modulus, size * most);
    if (found.denominator * denominator > most) return null;
    denominator *= found.denominator;
    for (const i of numerators.keys()) numerators[i] *= found.denominator;
    numerators.push(found.numerator);
  }
  return { numerators, denominator };
}

/**
 * Finds a fraction n / d that equals `residue` modulo `modulus`, with |n| ≤ most. This is Euclid's algorithm, but it
 * stops half-way.
 */
function fractionOf(residue: bigint, modulus: bigint, most: bigint) {
  let [before, now, factorBefore, factor] = [modulus, residue, 0n, 1n];
  while (now > most) {
    const quotient = before / now;
    [before, now] = [now, before - quotient * now];
    [factorBefore, factor] = [factor, factorBefore - quotient * factor];
  }
  return factor < 0n ? { numerator: -now, denominator: -factor } : { numerator: now, denominator: factor };
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
