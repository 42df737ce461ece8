import { fail } from "../errors/index.js";
import { add, type Fraction, fraction, multiply, ZERO } from "../fractions.js";
import { type Chain, expectedVisits } from "./markov.js";
import { columnsOf, reachableRows } from "./reachability.js";
import type { TablePlan } from "./types.js";
import type { FrozenWeights } from "./weigh.js";

/** The exact odds of one roll. The odds, `dead` and `endless` add up to exactly 1. */
export interface TableOdds {
  /**
   * Every result that stands in a row which `start` can reach under some script weights, in order of first appearance
   * in the table. One that these weights never let win is there with odds of 0.
   */
  readonly odds: readonly { readonly result: string; readonly numerator: bigint; readonly denominator: bigint }[];
  /** The probability that the roll ends on a dead row. */
  readonly dead: Fraction;
  /** The probability that the roll enters a loop which these weights close for good. */
  readonly endless: Fraction;
  /** The expected number of rows visited, the first one included; null where `endless` is not 0. */
  readonly rowsVisited: Fraction | null;
}

/**
 * The exact odds of a roll from `start` under frozen weights: an absorbing Markov chain, solved in fractions.
 * Cost: O(columns) operations on fractions, and for each group of m rows that jump in circles up to O(m³), far fewer
 * where each has few columns.
 *
 * @param start - a row that {@link checkStart} has passed
 * @throws RollmillError `table.script` or `weights.overflow` where a roll can visit a row whose weights failed.
 */
export function tableOdds(plan: TablePlan, start: number, frozen: FrozenWeights): TableOdds {
  const chain = chainOf(plan, start, frozen);
  const { visits, endless } = expectedVisits(chain, start);
  const byResult = new Map(resultsInReach(plan, start).map((index) => [index, ZERO]));
  let dead = ZERO;
  let rows = ZERO;
  for (const [row, visited] of visits) {
    const total = chain.totals.get(row) ?? 0;
    rows = add(rows, visited);
    if (total === 0) dead = add(dead, visited);
    for (const column of columnsOf(plan, row)) {
      const index = plan.target[column];
      if (index < 0 || frozen.weights[column] === 0) continue;
      const won = multiply(visited, fraction(BigInt(frozen.weights[column]), BigInt(total)));
      byResult.set(index, add(byResult.get(index) ?? ZERO, won));
    }
  }
  const odds = [...byResult].map(([index, chance]) => ({ result: plan.results[index], ...chance }));
  return { odds, dead, endless, rowsVisited: endless.numerator === 0n ? rows : null };
}

/** The rows that a roll visits with a chance above 0, as a chain; refuses the nearest one whose weights failed. */
function chainOf(plan: TablePlan, start: number, { weights, poisonedRows }: FrozenWeights): Chain {
  const jumps = new Map<number, Map<number, number>>();
  const totals = new Map<number, number>();
  const rows = new Set([start]);
  for (const row of rows) {
    const issue = poisonedRows.get(row);
    if (issue !== undefined) fail(issue);
    const to = new Map<number, number>();
    let total = 0;
    for (const column of columnsOf(plan, row)) {
      const weight = weights[column];
      const next = ~plan.target[column];
      total += weight;
      if (weight === 0 || next < 0) continue;
      to.set(next, (to.get(next) ?? 0) + weight);
      rows.add(next);
    }
    jumps.set(row, to);
    totals.set(row, total);
  }
  return { jumps, totals };
}

/** Indices of the results in the rows that the start can reach, ascending: their order of first appearance. */
export function resultsInReach(plan: TablePlan, start: number): number[] {
  const indices = new Set<number>();
  for (const row of reachableRows(plan, start)) {
    for (const column of columnsOf(plan, row)) if (plan.target[column] >= 0) indices.add(plan.target[column]);
  }
  return [...indices].sort((a, b) => a - b);
}
