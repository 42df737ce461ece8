import { add, type Fraction, fraction, multiply, ONE, ZERO } from "../../src/fractions.js";

/** The exact law of a walker's end on an open unbounded grid, by a dynamic programme over (cell, heading) in rationals. */

const MOVES = [
  [-1, 0],
  [-1, 1],
  [0, 1],
  [1, 0],
  [1, -1],
  [0, -1],
] as const;
const REST = 6;

/** One possible end and its probability. */
export interface EndPoint {
  readonly row: number;
  readonly col: number;
  readonly probability: Fraction;
}

/** Twelve integer weights: the law reads them itself, without the library's own tensor. */
export interface LawTensor {
  readonly absolute: readonly number[];
  readonly relative: readonly number[];
}

/** Every possible end after `steps` steps from rest at the origin. */
export function endPointLaw(tensor: LawTensor, steps: number): EndPoint[] {
  let states = new Map([["0,0,6", ONE]]);
  for (let t = 0; t < steps; t++) {
    const next = new Map<string, Fraction>();
    for (const [key, probability] of states) {
      const [row, col, heading] = key.split(",").map(Number);
      for (const [direction, share] of stepLaw(tensor, heading).entries()) {
        if (share.numerator === 0n) continue;
        const [dr, dc] = MOVES[direction];
        const to = `${row + dr},${col + dc},${direction}`;
        next.set(to, add(next.get(to) ?? ZERO, multiply(probability, share)));
      }
    }
    states = next;
  }
  const ends = new Map<string, EndPoint>();
  for (const [key, probability] of states) {
    const [row, col] = key.split(",").map(Number);
    const before = ends.get(`${row},${col}`)?.probability ?? ZERO;
    ends.set(`${row},${col}`, { row, col, probability: add(before, probability) });
  }
  return [...ends.values()];
}

/** E[R²] in unit steps: a cell (row, col) lies at squared distance row² + row·col + col². */
export function meanSquare(law: readonly EndPoint[]): Fraction {
  return law.reduce((sum, { row, col, probability }) => {
    return add(sum, multiply(probability, fraction(BigInt(row * row + row * col + col * col), 1n)));
  }, ZERO);
}

/** The probability of ending on a cell. */
export function probabilityAt(law: readonly EndPoint[], row: number, col: number): Fraction {
  return law.find((end) => end.row === row && end.col === col)?.probability ?? ZERO;
}

/**
 * The closed form for equal absolute weights, in doubles: with p_k the shares of the turns and α = Σ p_k·e^(−iπk/3),
 * E[R²_n] = Re[ n(1 + α)/(1 − α) − 2α(1 − αⁿ)/(1 − α)² ].
 */
export function meanSquareClosedForm(relative: readonly number[], n: number): number {
  const sum = relative.reduce((a, b) => a + b, 0);
  const alpha: Complex = [0, 0];
  for (const [k, weight] of relative.entries()) {
    alpha[0] += (weight / sum) * Math.cos((-Math.PI * k) / 3);
    alpha[1] += (weight / sum) * Math.sin((-Math.PI * k) / 3);
  }
  let power: Complex = [1, 0];
  for (let i = 0; i < n; i++) power = times(power, alpha);
  const rest: Complex = [1 - alpha[0], -alpha[1]];
  const linear = over(times([n, 0], [1 + alpha[0], alpha[1]]), rest);
  const constant = over(times(times([2, 0], alpha), [1 - power[0], -power[1]]), times(rest, rest));
  return linear[0] - constant[0];
}

type Complex = [re: number, im: number];

function times([a, b]: Complex, [c, d]: Complex): Complex {
  return [a * c - b * d, a * d + b * c];
}

function over([a, b]: Complex, [c, d]: Complex): Complex {
  const norm = c * c + d * d;
  return [(a * c + b * d) / norm, (b * c - a * d) / norm];
}

function stepLaw({ absolute, relative }: LawTensor, heading: number): Fraction[] {
  const combined = absolute.map((weight, c) => (heading === REST ? weight : weight * relative[(c - heading + 6) % 6]));
  const weights = combined.some((weight) => weight > 0) ? combined : absolute;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => fraction(BigInt(weight), BigInt(total)));
}
