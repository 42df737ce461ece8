import type { Work } from "../../calls/index.js";

/** Row i has the value `values[i][k]` in column `columns[i][k]`. All other entries are 0. */
export interface SparseMatrix {
  readonly columns: readonly (readonly number[])[];
  readonly values: readonly (readonly number[])[];
}

/** The sum of this many products of numbers below 2^21 is below 2^51, so `remainder` of the sum is exact. */
const TERMS = 512;
/** If more than this share of the remaining entries differ from 0, the remaining rows are stored as a full matrix. */
const FULL_SHARE = 0.2;
/** Steps of {@link Work} for each copied value, each row, each entry of a sparse row, each cell of a full matrix. */
const STEPS_PER_VALUE = 32;
const STEPS_PER_ROW = 1000;
const STEPS_PER_ENTRY = 64;
const STEPS_PER_CELL = 2;

/** Returns `value` mod `prime`, for an integer `value` from 0 to 2^51. */
function remainder(value: number, prime: number): number {
  return value - Math.floor(value / prime) * prime;
}

/** Returns the number x for which `value` · x is 1 modulo `prime`. */
function inverse(value: number, prime: number): number {
  let [a, b, x, y] = [value, prime, 1, 0];
  while (b !== 0) {
    const quotient = Math.floor(a / b);
    [a, b] = [b, a - quotient * b];
    [x, y] = [y, x - quotient * y];
  }
  return x < 0 ? x + prime : x;
}

/** Coefficients of a row: `of[k]` is in column `at[k]`. */
interface FactorRow {
  readonly at: Int32Array;
  readonly of: Float64Array;
}

/**
 * The factors L and U of a matrix modulo a prime below 2^21. Rows with few entries are eliminated first, because each
 * elimination adds entries. A matrix of m remaining rows that is no longer sparse is factored in full, in O(m³) steps.
 */
export class ModularFactors {
  readonly prime: number;
  readonly entries: number;
  readonly #order: readonly number[];
  readonly #lower: readonly FactorRow[];
  readonly #upper: readonly FactorRow[];
  readonly #inverses: Float64Array;

  private constructor(prime: number, parts: Elimination) {
    this.prime = prime;
    this.#order = parts.order;
    this.#lower = parts.lower;
    this.#upper = parts.upper;
    this.#inverses = parts.inverses;
    this.entries = [...parts.lower, ...parts.upper].reduce((sum, { at }) => sum + at.length, 0);
  }

  /** Returns null if the prime divides a pivot, for example because it divides a whole row. */
  static of(matrix: SparseMatrix, prime: number, work: Work): ModularFactors | null {
    const size = matrix.columns.length;
    const entries = matrix.columns.reduce((sum, at) => sum + at.length, 0);
    const steps = STEPS_PER_CELL * size ** 3;
    if (entries > FULL_SHARE * size ** 2) work.expect(steps, steps);
    const parts = new Elimination(matrix, prime, work);
    return parts.run(work) ? new ModularFactors(prime, parts) : null;
  }

  /** Overwrites a right side of integers 0 … prime − 1 with the solution. */
  solve(side: Float64Array): void {
    const { prime } = this;
    for (const row of this.#order) {
      const value = side[row] - dot(this.#lower[row], side, prime);
      side[row] = value < 0 ? value + prime : value;
    }
    for (let i = this.#order.length - 1; i >= 0; i--) {
      const row = this.#order[i];
      const value = side[row] - dot(this.#upper[row], side, prime);
      side[row] = remainder((value < 0 ? value + prime : value) * this.#inverses[row], prime);
    }
  }
}

function dot({ at, of }: FactorRow, vector: Float64Array, prime: number): number {
  let sum = 0;
  for (let begin = 0; begin < at.length; begin += TERMS) {
    const end = Math.min(begin + TERMS, at.length);
    let part = 0;
    for (let i = begin; i < end; i++) part += of[i] * vector[at[i]];
    sum += remainder(part, prime);
  }
  return remainder(sum, prime);
}

function packed(row: ReadonlyMap<number, number>): FactorRow {
  return { at: Int32Array.from(row.keys()), of: Float64Array.from(row.values()) };
}

function joined(a: FactorRow, b: FactorRow): FactorRow {
  return { at: Int32Array.from([...a.at, ...b.at]), of: Float64Array.from([...a.of, ...b.of]) };
}

/** Gaussian elimination modulo a prime, with pivots on the diagonal. */
class Elimination {
  readonly order: number[] = [];
  /** For each row, the multiples of earlier rows that were subtracted from it. */
  readonly lower: FactorRow[] = [];
  /** For each row, the entries that it had when it was eliminated, without the pivot. */
  readonly upper: FactorRow[] = [];
  readonly inverses: Float64Array;
  readonly #prime: number;
  readonly #rows: Map<number, number>[];
  readonly #subtracted: Map<number, number>[];
  /** For each column, the remaining rows with an entry in this column. */
  readonly #rowsAt: Set<number>[];
  readonly #left: Set<number>;
  #entries = 0;

  constructor({ columns, values }: SparseMatrix, prime: number, work: Work) {
    this.#prime = prime;
    this.#subtracted = columns.map(() => new Map());
    this.#rows = columns.map((at, row) => {
      work.spend(STEPS_PER_VALUE * at.length);
      return new Map(at.map((column, i) => [column, signed(values[row][i], prime)]));
    });
    this.inverses = new Float64Array(columns.length);
    this.#rowsAt = columns.map(() => new Set<number>());
    for (const [row, at] of columns.entries()) for (const column of at) this.#rowsAt[column].add(row);
    this.#left = new Set(columns.keys());
    this.#entries = columns.reduce((sum, at) => sum + at.length, 0);
  }

  /** Eliminates all rows. Returns false if a pivot is 0. */
  run(work: Work): boolean {
    for (let limit = 1; this.#left.size > 0; ) {
      let least = Number.POSITIVE_INFINITY;
      work.spend(STEPS_PER_ENTRY * this.#left.size);
      for (const row of this.#left) {
        const cost = (this.#rows[row].size - 1) * (this.#rowsAt[row].size - 1);
        least = Math.min(least, cost);
        if (cost > limit) continue;
        work.spend(STEPS_PER_ROW + STEPS_PER_ENTRY * cost);
        if (!this.#eliminate(row)) return false;
      }
      limit = least;
      if (this.#entries > FULL_SHARE * this.#left.size ** 2) return this.#eliminateFull(work);
    }
    return true;
  }

  #eliminate(pivot: number): boolean {
    const prime = this.#prime;
    const row = this.#rows[pivot];
    const value = row.get(pivot) ?? 0;
    if (value === 0) return false;
    this.#left.delete(pivot);
    this.order.push(pivot);
    this.inverses[pivot] = inverse(value, prime);
    row.delete(pivot);
    this.#rowsAt[pivot].delete(pivot);
    for (const column of row.keys()) this.#rowsAt[column].delete(pivot);
    this.#entries -= row.size + 1;
    this.lower[pivot] = packed(this.#subtracted[pivot]);
    this.upper[pivot] = packed(row);
    for (const other of this.#rowsAt[pivot]) {
      const target = this.#rows[other];
      const factor = remainder((target.get(pivot) ?? 0) * this.inverses[pivot], prime);
      target.delete(pivot);
      this.#subtracted[other].set(pivot, factor);
      const before = target.size;
      for (const [column, coefficient] of row) {
        // an entry that becomes 0 is kept, because this is rare modulo a large prime
        target.set(column, remainder((target.get(column) ?? 0) + (prime - factor) * coefficient, prime));
        this.#rowsAt[column].add(other);
      }
      this.#entries += target.size - before - 1;
    }
    return true;
  }

  #eliminateFull(work: Work): boolean {
    const prime = this.#prime;
    const rows = [...this.#left];
    const size = rows.length;
    work.expect(STEPS_PER_CELL * size ** 3, STEPS_PER_CELL * size ** 3);
    const position = new Map(rows.map((row, i) => [row, i]));
    const cells = rows.map((row) => {
      const line = new Float64Array(size);
      for (const [column, value] of this.#rows[row]) line[position.get(column) ?? 0] = value;
      return line;
    });
    for (let k = 0; k < size; k++) {
      work.spend(3 * STEPS_PER_CELL * (size - k) ** 2);
      const pivot = cells[k];
      if (pivot[k] === 0) return false;
      const inverted = inverse(pivot[k], prime);
      this.inverses[rows[k]] = inverted;
      for (let i = k + 1; i < size; i++) subtractRow(cells[i], pivot, k, inverted, prime);
    }
    const columns = Int32Array.from(rows);
    for (const [i, row] of rows.entries()) {
      this.order.push(row);
      const full = { at: columns.subarray(0, i), of: cells[i].subarray(0, i) };
      this.lower[row] = joined(packed(this.#subtracted[row]), full);
      this.upper[row] = { at: columns.subarray(i + 1), of: cells[i].subarray(i + 1) };
    }
    return true;
  }
}

/** Subtracts a multiple of the pivot's row. Column k would become 0, so the factor is stored there instead. */
function subtractRow(line: Float64Array, pivot: Float64Array, k: number, inverted: number, prime: number): void {
  if (line[k] === 0) return;
  const factor = remainder(line[k] * inverted, prime);
  const negative = prime - factor;
  for (let j = k + 1; j < line.length; j++) line[j] = remainder(line[j] + negative * pivot[j], prime);
  line[k] = factor;
}

function signed(value: number, prime: number): number {
  const rest = value % prime;
  return rest < 0 ? rest + prime : rest;
}
