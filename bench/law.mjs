// Checks that the results of a contender have the right distribution: Pearson's chi-square test of its counts against
// the exact probabilities.

import jStat from "jstat";

const ALPHA = 1e-6;
const MIN_EXPECTED = 10; // cells with a smaller expected count are combined into one

/**
 * Returns the chi-square statistic and its degrees of freedom. The statistic is Infinity if a cell of probability 0
 * occurred.
 */
export function chiSquare(law, counts, draws) {
  let statistic = 0;
  let cells = 0;
  const pool = { expected: 0, observed: 0 };
  for (const [cell, p] of law.entries()) {
    const expected = p * draws;
    if (p === 0 && counts[cell] > 0) return { statistic: Number.POSITIVE_INFINITY, freedom: 1 };
    if (expected < MIN_EXPECTED) {
      pool.expected += expected;
      pool.observed += counts[cell];
    } else {
      statistic += (counts[cell] - expected) ** 2 / expected;
      cells++;
    }
  }
  if (pool.expected >= MIN_EXPECTED) {
    statistic += (pool.observed - pool.expected) ** 2 / pool.expected;
    cells++;
  }
  return { statistic, freedom: Math.max(1, cells - 1) };
}

/**
 * Throws if the counts do not sum to `draws`, or fail the chi-square test, which right counts fail once in a million.
 */
export function assertLaw(law, counts, draws) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (counts.length !== law.length || total !== draws) {
    throw new Error(`Its ${draws} results were counted as ${total} in ${counts.length} cells, expected ${law.length}.`);
  }
  const { statistic, freedom } = chiSquare(law, counts, draws);
  const limit = jStat.chisquare.inv(1 - ALPHA, freedom);
  if (statistic > limit) {
    const got = statistic.toFixed(1);
    throw new Error(`Its results do not follow the weights: chi-square ${got}, expected ${limit.toFixed(1)} at most.`);
  }
}
