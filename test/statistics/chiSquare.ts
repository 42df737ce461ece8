import jStat from "jstat";

/** Seeds are fixed: a test passes for ever, or the algorithm has changed. */
export const ALPHA = 1e-6;
/** A normal variable is beyond this with probability ALPHA, both sides together. */
export const Z = 4.891638;
const LEAST_EXPECTED = 10;

/** Pearson's statistic and what it must not exceed. */
export interface ChiSquare {
  readonly statistic: number;
  readonly df: number;
  /** The statistic is above this with probability ALPHA if the law holds. */
  readonly critical: number;
}

/**
 * Compares counts with a law. Cells with an expectation under 10 are pooled; a cell of probability 0 that was hit makes
 * the statistic infinite.
 */
export function chiSquare(counts: ArrayLike<number>, law: ArrayLike<number>): ChiSquare {
  const trials = Array.from(counts).reduce((a, b) => a + b, 0);
  const cells: { seen: number; expected: number }[] = [];
  const pool = { seen: 0, expected: 0 };
  let impossible = 0;
  for (let i = 0; i < law.length; i++) {
    const expected = trials * law[i];
    if (expected === 0) impossible += counts[i];
    else if (expected >= LEAST_EXPECTED) cells.push({ seen: counts[i], expected });
    else {
      pool.seen += counts[i];
      pool.expected += expected;
    }
  }
  if (pool.expected > 0) cells.push(pool);
  const sum = cells.reduce((x, { seen, expected }) => x + (seen - expected) ** 2 / expected, 0);
  const df = Math.max(1, cells.length - 1);
  return {
    statistic: impossible > 0 ? Number.POSITIVE_INFINITY : sum,
    df,
    critical: jStat.chisquare.inv(1 - ALPHA, df),
  };
}

/** Whether counts are compatible with a law. */
export function agrees(counts: ArrayLike<number>, law: ArrayLike<number>): boolean {
  const { statistic, critical } = chiSquare(counts, law);
  return statistic <= critical;
}

/** Whether two lists of counts are compatible with being of one law, whatever that is. */
export function areAlike(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  const [n, m] = [a, b].map((counts) => Array.from(counts).reduce((x, y) => x + y, 0));
  const share = n / (n + m);
  const cells = { sum: 0, number: 0 };
  const compare = (x: number, y: number) => {
    const expected = (x + y) * share;
    cells.sum += (x - expected) ** 2 / expected + (y - (x + y - expected)) ** 2 / (x + y - expected);
    cells.number++;
  };
  const pool = { x: 0, y: 0 };
  for (let i = 0; i < a.length; i++) {
    if ((a[i] + b[i]) * Math.min(share, 1 - share) >= LEAST_EXPECTED) compare(a[i], b[i]);
    else {
      pool.x += a[i];
      pool.y += b[i];
    }
  }
  if (pool.x + pool.y > 0) compare(pool.x, pool.y);
  return cells.sum <= jStat.chisquare.inv(1 - ALPHA, Math.max(1, cells.number - 1));
}

/**
 * Trials of the law `real` after which `agrees` denies the law `expected` with probability 0.999: λ / w²,
 * w² = Σ (q − p)² / p, with p of `expected` and q of `real`, and with λ for 1, 4, 9, 36, 99 degrees of freedom 64, 75,
 * 86, 120, 164: at most 55 + 11·√df.
 */
export function trialsToTell(expected: ArrayLike<number>, real: ArrayLike<number>): number {
  let w2 = 0;
  let cells = 0;
  for (let i = 0; i < expected.length; i++) {
    if (expected[i] === 0) continue;
    w2 += (real[i] - expected[i]) ** 2 / expected[i];
    cells++;
  }
  return Math.ceil((55 + 11 * Math.sqrt(cells - 1)) / w2);
}

/** The law that weights stand for. */
export function lawOf(weights: ArrayLike<number>): number[] {
  const total = Array.from(weights).reduce((a, b) => a + b, 0);
  return Array.from(weights, (weight) => weight / total);
}
