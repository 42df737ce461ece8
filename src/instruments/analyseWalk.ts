import {
  add,
  commonDivisor,
  divide,
  type Fraction,
  fraction,
  multiply,
  ONE,
  overCommonDenominator,
  subtract,
  ZERO,
} from "../fractions.js";
import { checkInteger, readOptions, refuseArgument } from "../spec/index.js";
import { DIRECTIONS, type Direction, type HeadingKey, OFFSETS } from "../walks/directions.js";
import { Walk } from "../walks/walk.js";

/** Options of {@link analyseWalk}. */
export interface AnalyseOptions {
  /** The layer. Not needed if the walk has one layer. */
  readonly layer?: string | undefined;
  /** The heading before the first step. Default "resting". */
  readonly heading?: HeadingKey | undefined;
}

/** A set of headings that a walker never leaves. */
export interface HeadingClass {
  /** The probability that a walker ends in this class. */
  readonly chance: Fraction;
  /** In the long run, the share of the steps in each direction. Directions outside the class have the share 0. */
  readonly headings: { readonly [direction in Direction]: Fraction };
  /** The mean step, in axial coordinates: rows down, and columns to the east. */
  readonly drift: { readonly row: Fraction; readonly col: Fraction };
  /**
   * How much each step adds, in the long run, to the mean square of the distance from the mean position. The distance
   * between neighbouring cells is 1. A walker that has no memory and no drift has 1.
   */
  readonly diffusion: Fraction;
  /** A heading returns only after a number of steps that is a multiple of this number. */
  readonly period: number;
  /**
   * The share of all cells that lie on the lattice of the steps: less than 1 if the steps skip cells, and 0 if walkers
   * stay on a line or near the start.
   */
  readonly cells: Fraction;
}

/** What a Direction Tensor does in the long run, on a grid without closed cells. */
export interface WalkAnalysis {
  readonly classes: readonly HeadingClass[];
  /**
   * Returns the exact mean square of the distance from the start after n steps, 0 … 10,000. The distance between
   * neighbouring cells is 1.
   */
  meanSquare(n: number): Fraction;
}

/**
 * Analyses the tensor of a layer exactly, without making a walk. Ignores closed cells, borders and `until`.
 *
 * @throws RollmillError `argument.range` for an unknown layer or heading; `argument.option`.
 */
export function analyseWalk(walk: Walk, given: AnalyseOptions = {}): WalkAnalysis {
  if (!(walk instanceof Walk)) refuseArgument("walk", walk, "a walk");
  const { layer, heading = "resting" } = readOptions("analyseWalk", given, ["layer", "heading"]);
  const oddsFrom = (from: HeadingKey) => walk.odds({ layer, heading: from }).odds.map(({ probability }) => probability);
  const steps = DIRECTIONS.map(oddsFrom);
  const first = oddsFrom(heading);
  return {
    classes: classesOf(steps).map((members) => classOf(steps, first, members)),
    meanSquare: (n) => meanSquare(steps, first, n),
  };
}

type Matrix = readonly (readonly Fraction[])[];

/** The sets of headings that walkers never leave. */
function classesOf(steps: Matrix): readonly (readonly number[])[] {
  const reached = steps.map((_, from) => {
    const found = new Set([from]);
    for (const heading of found) for (const [to, p] of steps[heading].entries()) if (p.numerator > 0n) found.add(to);
    return found;
  });
  const classes = reached.map((found, from) => [...found].every((to) => reached[to].has(from)) && [...found].sort());
  const closed = classes.filter((members) => members !== false);
  return [...new Map(closed.map((members) => [members.join(), members])).values()];
}

function classOf(steps: Matrix, first: readonly Fraction[], members: readonly number[]): HeadingClass {
  const shares = stationary(steps, members);
  const drift = [0, 1].map((axis) =>
    dot(
      shares,
      members.map((heading) => whole(OFFSETS[heading][axis])),
    ),
  );
  const [row, col] = drift;
  const share = (heading: number) => shares[members.indexOf(heading)] ?? ZERO;
  return {
    chance: entering(steps, first, members),
    headings: Object.fromEntries(DIRECTIONS.map((name, heading) => [name, share(heading)])) as HeadingClass["headings"],
    drift: { row, col },
    diffusion: diffusionOf(steps, members, shares, drift),
    ...latticeOf(steps, members),
  };
}

/** Solves s = s · P with Σ s = 1: the last equation of (Pᵀ − I) s = 0 is replaced by the sum. */
function stationary(steps: Matrix, members: readonly number[]): Fraction[] {
  const rows = members.map((to, i) =>
    members.map((from, j) => (i === members.length - 1 ? ONE : subtract(steps[from][to], i === j ? ONE : ZERO))),
  );
  return solve(
    rows,
    members.map((_, i) => (i === members.length - 1 ? ONE : ZERO)),
  );
}

/** The probability that a walker ends in a class: h = P · h with h = 1 in the class and 0 in other classes. */
function entering(steps: Matrix, first: readonly Fraction[], members: readonly number[]): Fraction {
  const fixed = new Map(
    classesOf(steps).flatMap((other) => other.map((heading) => [heading, other.join() === members.join()] as const)),
  );
  const rows = steps.map((row, i) => row.map((p, j) => subtract(i === j ? ONE : ZERO, fixed.has(i) ? ZERO : p)));
  const chances = solve(
    rows,
    steps.map((_, i) => (fixed.get(i) === true ? ONE : ZERO)),
  );
  return dot(first, chances);
}

/**
 * 1 − |μ|² + 2 · Σ over k ≥ 1 of the covariance of a step and the k-th step after it. The sum over k of Pᵏ − Π is
 * (I − P + Π)⁻¹ − I, where each row of Π has the stationary shares (Kemeny and Snell's fundamental matrix).
 */
function diffusionOf(
  steps: Matrix,
  members: readonly number[],
  shares: readonly Fraction[],
  drift: readonly Fraction[],
): Fraction {
  const rows = members.map((from, i) =>
    members.map((to, j) => add(subtract(i === j ? ONE : ZERO, steps[from][to]), shares[j])),
  );
  const later = [0, 1].map((axis) => {
    const offsets = members.map((heading) => whole(OFFSETS[heading][axis]));
    return solve(rows, offsets).map((value, i) => subtract(value, offsets[i]));
  });
  let sum = subtract(ONE, scalar(drift, drift));
  for (const [i, heading] of members.entries()) {
    const [row, col] = OFFSETS[heading];
    const product = scalar([whole(row), whole(col)], [later[0][i], later[1][i]]);
    sum = add(sum, multiply(multiply(whole(2), shares[i]), product));
  }
  return sum;
}

/** The scalar product of vectors in axial coordinates: the unit vectors of rows and columns form an angle of 60°. */
function scalar([a, b]: readonly Fraction[], [c, d]: readonly Fraction[]): Fraction {
  const mixed = divide(add(multiply(a, d), multiply(b, c)), whole(2));
  return add(add(multiply(a, c), multiply(b, d)), mixed);
}

function latticeOf(steps: Matrix, members: readonly number[]): Pick<HeadingClass, "period" | "cells"> {
  // a path from the first heading to each heading: its length, and the cell to which it leads
  const [root] = members;
  const paths = new Map([[root, { length: 0, row: 0, col: 0 }]]);
  let period = 0;
  const lattice = new Lattice();
  for (const [from, { length, row, col }] of paths) {
    for (const to of members) {
      if (steps[from][to].numerator === 0n) continue;
      const path = { length: length + 1, row: row + OFFSETS[to][0], col: col + OFFSETS[to][1] };
      const known = paths.get(to);
      if (known === undefined) paths.set(to, path);
      else {
        // two paths to the same heading differ by circles
        period = commonDivisor(period, Math.abs(path.length - known.length));
        lattice.add(path.row - known.row, path.col - known.col);
      }
    }
  }
  const cells = new Set([...paths.values()].map(({ row, col }) => lattice.remainder(row, col)));
  const { index } = lattice;
  return { period, cells: index === 0 ? ZERO : fraction(BigInt(cells.size), BigInt(index)) };
}

/** All integer combinations of the added vectors. The basis is (a, b) and (0, d), where a ≥ 0 and d ≥ 0. */
class Lattice {
  #a = 0;
  #b = 0;
  #d = 0;

  /** Number of cosets. 0 if there are infinitely many. */
  get index(): number {
    return this.#a * this.#d;
  }

  add(row: number, col: number): void {
    let [a, b, x, y] = [this.#a, this.#b, row, col];
    while (x !== 0) {
      const times = Math.floor(a / x);
      [a, b, x, y] = [x, y, a - times * x, b - times * y];
    }
    [this.#a, this.#b] = a < 0 ? [-a, -b] : [a, b];
    this.#d = commonDivisor(this.#d, Math.abs(y));
  }

  /** Returns a text that names the coset of a cell. */
  remainder(row: number, col: number): string {
    const times = this.#a === 0 ? 0 : Math.floor(row / this.#a);
    const rest = col - times * this.#b;
    const across = this.#d === 0 ? rest : ((rest % this.#d) + this.#d) % this.#d;
    return `${row - times * this.#a} ${across}`;
  }
}

const MAX_STEPS = 10_000;

/**
 * Each step adds to E|R|²: 1, and twice the mean scalar product of the step and the position before it. After k steps,
 * all numbers are integers in units of 1 / unitᵏ.
 */
function meanSquare(steps: Matrix, first: readonly Fraction[], n: number): Fraction {
  checkInteger("n", n, 0, MAX_STEPS);
  const { integers, whole: unit } = overCommonDenominator([...steps.flat(), ...first]);
  const weights = DIRECTIONS.map((_, from) => DIRECTIONS.map((_, to) => integers[6 * from + to]));
  const stepped = (values: readonly bigint[]) =>
    DIRECTIONS.map((_, to) => values.reduce((sum, value, from) => sum + value * weights[from][to], 0n));
  let shares = integers.slice(36);
  // for each direction of the step: its probability times the mean row, or column, of walkers that take it
  let [rows, cols] = [shares, shares].map(() => DIRECTIONS.map(() => 0n));
  let sum = 0n;
  for (let step = 1; step <= n; step++) {
    if (step > 1) [shares, rows, cols] = [stepped(shares), stepped(rows), stepped(cols)];
    sum *= unit;
    for (const [heading, [row, col]] of OFFSETS.map((offset) => offset.map(BigInt)).entries()) {
      sum += shares[heading] + rows[heading] * (2n * row + col) + cols[heading] * (row + 2n * col);
      rows[heading] += shares[heading] * row;
      cols[heading] += shares[heading] * col;
    }
  }
  return fraction(sum, unit ** BigInt(n));
}

function dot(a: readonly Fraction[], b: readonly Fraction[]): Fraction {
  return a.reduce((sum, value, i) => (value.numerator === 0n ? sum : add(sum, multiply(value, b[i]))), ZERO);
}

function whole(value: number): Fraction {
  return fraction(BigInt(value), 1n);
}

/** Solves a system with an invertible matrix, by Gauss and Jordan's method. */
function solve(matrix: Matrix, side: readonly Fraction[]): Fraction[] {
  const rows = matrix.map((row, i) => [...row, side[i]]);
  for (const i of rows.keys()) {
    const pivot = rows.findIndex((row, k) => k >= i && row[i].numerator !== 0n);
    [rows[i], rows[pivot]] = [rows[pivot], rows[i]];
    const first = rows[i][i];
    rows[i] = rows[i].map((value) => divide(value, first));
    for (const [k, row] of rows.entries()) {
      if (k === i || row[i].numerator === 0n) continue;
      rows[k] = row.map((value, j) => subtract(value, multiply(row[i], rows[i][j])));
    }
  }
  return rows.map((row) => row[row.length - 1]);
}
