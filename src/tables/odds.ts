import type { Watch } from "../calls/index.js";
import { fail } from "../errors/index.js";
import { add, type Fraction, fraction, multiply, ZERO } from "../fractions.js";
import { type Chain, expectedVisits } from "./odds/chain.js";
import { columnsOf, reachableRows } from "./reach.js";
import type { RowOdds, TableOdds, TablePlan } from "./types.js";
import type { FrozenWeights } from "./weights.js";

/**
 * Returns the exact odds of a roll from `start` under frozen weights. The rows form an absorbing Markov chain, which is
 * solved in fractions.
 *
 * Cost: O(columns) operations on fractions. Each group of m rows that jump in circles costs at most O(m³) more
 * operations, and far fewer if each of its rows has few columns.
 *
 * @param start - a row that {@link checkStart} accepts.
 * @param watch - looks at the signal of the call.
 * @throws RollmillError `table.script` or `weights.overflow` if a roll can visit a row whose weights failed.
 */
export function tableOdds(plan: TablePlan, start: number, frozen: FrozenWeights, watch?: Watch): TableOdds {
  const chain = chainOf(plan, start, frozen);
  const { visits, endless } = expectedVisits(chain, start, watch);
  const byResult = new Map(resultsInReach(plan, start).map((index) => [index, ZERO]));
  let none = ZERO;
  let rowsVisited = ZERO;
  for (const [row, visited] of visits) {
    const total = chain.totals.get(row) ?? 0;
    watch?.look();
    rowsVisited = add(rowsVisited, visited);
    if (total === 0) none = add(none, visited);
    for (const column of columnsOf(plan, row)) {
      const index = plan.target[column];
      if (index < 0 || frozen.weights[column] === 0) continue;
      const won = multiply(visited, fraction(BigInt(frozen.weights[column]), BigInt(total)));
      byResult.set(index, add(byResult.get(index) ?? ZERO, won));
    }
  }
  const odds = [...byResult].map(([index, probability]) => ({ result: plan.results[index], probability }));
  return {
    odds,
    none,
    endless,
    rowsVisited: endless.numerator === 0n ? rowsVisited : null,
    rows: rowOdds(plan, chain, visits),
  };
}

function rowOdds({ spec }: TablePlan, chain: Chain, visits: ReadonlyMap<number, Fraction>): RowOdds[] {
  const numbers = [...chain.jumps.keys()].sort((a, b) => a - b);
  return numbers.map((row) => ({ row, label: spec.rows[row].label, visits: visits.get(row) ?? null }));
}

/**
 * Builds the Markov chain of the rows that a roll can visit under these weights. If the weights of one of these
 * rows could not be computed, throws that error; if there are several, the error of the first row in breadth-first order.
 */
function chainOf(plan: TablePlan, start: number, { weights, poisonedRows, causes }: FrozenWeights): Chain {
  const jumps = new Map<number, Map<number, number>>();
  const totals = new Map<number, number>();
  const rows = new Set([start]);
  for (const row of rows) {
    const issue = poisonedRows.get(row);
    if (issue !== undefined) fail(issue, causes.get(row));
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

/**
 * Returns the indices of all results in the rows that a roll from `start` can reach. The indices ascend, so the results
 * are in order of first appearance.
 */
export function resultsInReach(plan: TablePlan, start: number): number[] {
  const indices = new Set<number>();
  for (const row of reachableRows(plan, start)) {
    for (const column of columnsOf(plan, row)) if (plan.target[column] >= 0) indices.add(plan.target[column]);
  }
  return [...indices].sort((a, b) => a - b);
}
