import { mixedAmountOdds } from "../amounts/index.js";
import type { Odds, Watch } from "../calls/index.js";
import { fail } from "../errors/index.js";
import { FactorBase, type Ratio, UNIT } from "../factors.js";
import { add, type Fraction, ZERO } from "../fractions.js";
import { expectedVisits, type State } from "./odds/chain.js";
import { columnsOf, reachableRows } from "./reach.js";
import type { RowOdds, TableOdds, TablePlan } from "./types.js";
import type { FrozenWeights } from "./weights.js";

const NOTHING: Ratio = { numerator: 0n, divisor: UNIT };

/**
 * Returns the exact odds of a roll from `start` under frozen weights. The rows form an absorbing Markov chain.
 *
 * Cost: proportional to the number of columns times the length of the fractions. In addition, one linear system for
 * each group of rows that jump in circles. This system costs O(m³) if m rows of the group jump to many rows.
 *
 * @param start - A row that {@link checkStart} accepts.
 * @param watch - Checks the signal of the call.
 * @throws RollmillError `table.script` or `weights.overflow` if a roll can visit a row whose weights failed.
 */
export function tableOdds(plan: TablePlan, start: number, frozen: FrozenWeights, watch?: Watch): TableOdds {
  const { outcomes, none, ...rest } = rollLaw(plan, start, frozen, watch);
  return { ...byResult(plan, outcomes, none), ...rest };
}

/**
 * Returns the exact probability of each outcome of a roll. A result with several quantities has one outcome for each
 * quantity.
 */
function rollLaw(plan: TablePlan, start: number, frozen: FrozenWeights, watch?: Watch): RollLaw {
  const rows = rowsInReach(plan, start, frozen);
  const base = new FactorBase();
  const look = () => watch?.look();
  const { shares, endless } = expectedVisits(rows, start, base, look);
  const wins = new Map<number, Ratio>(resultsInReach(plan, start).map((index) => [index, NOTHING]));
  const visits = new Map<number, Ratio>();
  let none = NOTHING;
  let sum = NOTHING;
  for (const [row, { numerator, divisor }] of shares) {
    const { total, results } = rows.get(row) ?? NO_ROW;
    const part = (weight: number): Ratio => ({ numerator: numerator * BigInt(weight), divisor });
    look();
    if (total === 0) none = base.add(none, part(1));
    visits.set(row, part(Math.max(total, 1)));
    sum = base.add(sum, part(Math.max(total, 1)));
    for (const [index, weight] of results) wins.set(index, base.add(wins.get(index) ?? NOTHING, part(weight)));
  }
  const reduced = base.reduceAll([none, endless, sum, ...wins.values(), ...visits.values()], look);
  const [noneOdds, endlessOdds, rowsVisited] = reduced;
  const found = new Map([...visits.keys()].map((row, i) => [row, reduced[3 + wins.size + i]]));
  const outcomes = [...wins.keys()].map((index, i) => ({ index, probability: reduced[3 + i] }));
  return {
    outcomes,
    none: noneOdds,
    endless: endlessOdds,
    rowsVisited: endlessOdds.numerator === 0n ? rowsVisited : null,
    rows: rowOdds(plan, [...rows.keys()], found),
  };
}

interface Outcome {
  readonly index: number;
  readonly probability: Fraction;
}

interface RollLaw extends Omit<TableOdds, "odds"> {
  readonly outcomes: readonly Outcome[];
}

/** Adds up the probabilities of all quantities of each result. Adds the result null to `none`. */
function byResult({ results, quantities }: TablePlan, outcomes: readonly Outcome[], none: Fraction): Odds<string> {
  const isPlain = quantities === undefined && !results.includes(null);
  const sums = new Map<string | null, Fraction>();
  for (const { index, probability } of isPlain ? [] : outcomes) {
    const result = results[index];
    sums.set(result, add(sums.get(result) ?? ZERO, probability));
  }
  const nothing = add(none, sums.get(null) ?? ZERO);
  sums.delete(null);
  const plain = outcomes.map(({ index, probability }) => ({ result: results[index] as string, probability }));
  const summed = Array.from(sums as Map<string, Fraction>, ([result, probability]) => ({ result, probability }));
  return { odds: isPlain ? plain : summed, none: nothing };
}

/**
 * Returns the exact odds of each quantity of a result, given that a roll has this result. The quantities are in
 * ascending order. The list is empty if no roll from `start` has the result.
 *
 * Cost: as for {@link tableOdds}, plus O(dice² · sides) for each quantity of the result.
 *
 * @throws The errors of {@link tableOdds}.
 */
export function tableQuantityOdds(
  plan: TablePlan,
  result: string,
  { start, frozen, watch }: { readonly start: number; readonly frozen: FrozenWeights; readonly watch?: Watch },
): Odds<number> {
  const { outcomes } = rollLaw(plan, start, frozen, watch);
  const ways = outcomes.filter((one) => plan.results[one.index] === result && one.probability.numerator > 0n);
  return mixedAmountOdds(
    ways.map(({ index, probability }) => ({ amount: plan.quantities?.[index], share: probability })),
  );
}

function rowOdds({ spec }: TablePlan, rows: readonly number[], visits: ReadonlyMap<number, Fraction>): RowOdds[] {
  const numbers = rows.toSorted((a, b) => a - b);
  return numbers.map((row) => ({ row, label: spec.rows[row].label, visits: visits.get(row) ?? null }));
}

/** A row under frozen weights, with all weights divided by their greatest common divisor. */
interface WeighedRow extends State {
  /**
   * The columns with results: pairs of a result's index and the column's weight. Several columns may have the same
   * result.
   */
  readonly results: readonly (readonly [number, number])[];
}

const NO_ROW: WeighedRow = { jumps: new Map(), total: 0, results: [] };

/**
 * Returns the rows that a roll can visit under these weights. Throws an error if one of these rows is poisoned: the
 * error of the first such row in breadth-first order.
 */
function rowsInReach(plan: TablePlan, start: number, { weights, poisonedRows, causes }: FrozenWeights) {
  const found = new Map<number, WeighedRow>();
  const rows = new Set([start]);
  for (const row of rows) {
    const issue = poisonedRows.get(row);
    if (issue !== undefined) fail(issue, causes.get(row));
    const columns = [...columnsOf(plan, row)].filter((column) => weights[column] > 0);
    const divisor = columns.reduce((common, column) => greatestCommonDivisor(common, weights[column]), 0);
    const jumps = new Map<number, number>();
    const results: [number, number][] = [];
    let total = 0;
    for (const column of columns) {
      const weight = weights[column] / divisor;
      const next = ~plan.target[column];
      total += weight;
      if (next < 0) {
        results.push([plan.target[column], weight]);
        continue;
      }
      jumps.set(next, (jumps.get(next) ?? 0) + weight);
      rows.add(next);
    }
    found.set(row, { jumps, total, results });
  }
  return found;
}

function greatestCommonDivisor(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

/**
 * Returns the indices of all results in rows that a roll from `start` can reach, in ascending order. This is the order
 * in which the results first appear in the table.
 */
export function resultsInReach(plan: TablePlan, start: number): number[] {
  const indices = new Set<number>();
  for (const row of reachableRows(plan, start)) {
    for (const column of columnsOf(plan, row)) if (plan.target[column] >= 0) indices.add(plan.target[column]);
  }
  return [...indices].sort((a, b) => a - b);
}
