import { mixedAmountOdds } from "../amounts/index.js";
import { type Odds, Work } from "../calls/index.js";
import { fail } from "../errors/index.js";
import { FactorBase, type Ratio, stepsOf } from "../factors.js";
import { add, commonDivisor, type Fraction, ZERO } from "../fractions.js";
import { expectedVisits, NOTHING, type State } from "./odds/chain.js";
import { columnsOf } from "./reach.js";
import type { RowOdds, TableOdds, TablePlan } from "./types.js";
import type { FrozenWeights } from "./weights.js";

/**
 * @throws RollmillError `table.script` or `weights.overflow` if a roll can visit a row whose weights failed;
 * `odds.work`.
 */
export function tableOdds(plan: TablePlan, start: number, frozen: FrozenWeights, work = new Work()): TableOdds {
  const { outcomes, none, rows, ...rest } = rollLaw(plan, start, frozen, work);
  work.end();
  const visits = () => visitsOfRows(rows, start, work.again());
  return { ...byResult(plan, outcomes, none), ...rest, rows: rowOdds(plan, rows, visits) };
}

/** The functions of exact odds. They are given to a table, so that a bundle can leave them out. */
export const EXACT_ODDS = { tableOdds, tableQuantityOdds, rollLaw };
export type ExactOdds = typeof EXACT_ODDS;

function rollLaw(plan: TablePlan, start: number, frozen: FrozenWeights, work: Work): RollLaw {
  const rows = rowsInReach(plan, start, frozen, work);
  const base = new FactorBase();
  const wins = new Map<number, Ratio>(Array.from(plan.results.keys(), (index) => [index, NOTHING]));
  const sums = { none: NOTHING, visited: NOTHING };
  const endless = expectedVisits(rows, start, { base, work }, (group, shares) => {
    for (const [i, row] of group.entries()) {
      const { total, results } = rows.get(row) ?? NO_ROW;
      const plus = (sum: Ratio, weight: number) => {
        work.spend(stepsOf(shares[i].divisor) + stepsOf(sum.divisor));
        // a sum is seldom in lowest terms, so only a sum of one part is worth the effort
        if (sum === NOTHING) return base.scale(shares[i], weight, 1);
        return base.add(sum, { ...shares[i], numerator: shares[i].numerator * BigInt(weight) });
      };
      if (total === 0) sums.none = plus(sums.none, 1);
      sums.visited = plus(sums.visited, Math.max(total, 1));
      for (const [index, weight] of results) wins.set(index, plus(wins.get(index) ?? NOTHING, weight));
    }
  });
  const ratios = [sums.none, endless, sums.visited, ...wins.values()];
  const [none, endlessOdds, rowsVisited, ...won] = base.reduceAll(ratios, (steps) => work.spend(steps));
  return {
    outcomes: Array.from(wins.keys(), (index, i) => ({ index, probability: won[i] })),
    none,
    endless: endlessOdds,
    rowsVisited: endlessOdds.numerator === 0n ? rowsVisited : null,
    rows,
  };
}

interface Outcome {
  readonly index: number;
  readonly probability: Fraction;
}

export interface RollLaw extends Omit<TableOdds, "odds" | "rows"> {
  readonly outcomes: readonly Outcome[];
  readonly rows: WeighedRows;
}

/** Adds up the probabilities of all quantities of each result. The result null counts as `none`. */
function byResult({ results, quantities }: TablePlan, outcomes: readonly Outcome[], none: Fraction): Odds<string> {
  const plain = outcomes.map(({ index, probability }) => ({ result: results[index] as string, probability }));
  if (quantities === undefined && !results.includes(null)) return { odds: plain, none };
  const sums = new Map<string | null, Fraction>();
  for (const { result, probability } of plain) sums.set(result, add(sums.get(result) ?? ZERO, probability));
  const nothing = add(none, sums.get(null) ?? ZERO);
  sums.delete(null);
  const odds = Array.from(sums as Map<string, Fraction>, ([result, probability]) => ({ result, probability }));
  return { odds, none: nothing };
}

function tableQuantityOdds(
  plan: TablePlan,
  result: string,
  start: number,
  frozen: FrozenWeights,
  work: Work,
): Odds<number> {
  const { outcomes } = rollLaw(plan, start, frozen, work);
  const odds = mixedAmountOdds(partsOf(plan, outcomes, result), work);
  work.end();
  return odds;
}

export function partsOf({ results, quantities }: TablePlan, outcomes: readonly Outcome[], result: string) {
  const ways = outcomes.filter(({ index, probability }) => results[index] === result && probability.numerator > 0n);
  return ways.map(({ index, probability }) => ({ amount: quantities?.[index], share: probability }));
}

function rowOdds({ spec }: TablePlan, rows: WeighedRows, compute: () => ReadonlyMap<number, Fraction>): RowOdds[] {
  let found: ReadonlyMap<number, Fraction> | undefined;
  const numbers = [...rows.keys()].sort((a, b) => a - b);
  return numbers.map((row) => ({
    row,
    label: spec.rows[row].label,
    get visits() {
      found ??= compute();
      return found.get(row) ?? null;
    },
  }));
}

function visitsOfRows(rows: WeighedRows, start: number, work: Work): ReadonlyMap<number, Fraction> {
  const base = new FactorBase();
  const visits = new Map<number, Fraction>();
  expectedVisits(rows, start, { base, work }, (group, shares) => {
    const ratios = group.map((row, i) => base.scale(shares[i], Math.max(1, rows.get(row)?.total ?? 1), 1));
    const reduced = base.reduceAll(ratios, (steps) => work.spend(steps));
    for (const [i, row] of group.entries()) visits.set(row, reduced[i]);
  });
  return visits;
}

/** A row with all weights divided by their greatest common divisor. */
interface WeighedRow extends State {
  /** Pairs of a result's index and a column's weight. Several columns may have the same result. */
  readonly results: readonly (readonly [number, number])[];
}

type WeighedRows = ReadonlyMap<number, WeighedRow>;

const STEPS_PER_COLUMN = 16;
const NO_ROW: WeighedRow = { jumps: new Map(), total: 0, results: [] };

/** Throws the error of the first row in breadth-first order whose weights failed. */
function rowsInReach(plan: TablePlan, start: number, { weights, failed }: FrozenWeights, work: Work) {
  const found = new Map<number, WeighedRow>();
  const rows = new Set([start]);
  for (const row of rows) {
    const failure = failed.get(row);
    if (failure !== undefined) fail(failure.issue, failure.cause);
    const columns = [...columnsOf(plan, row)].filter((column) => weights[column] > 0);
    work.spend(STEPS_PER_COLUMN * columns.length);
    const divisor = columns.reduce((common, column) => commonDivisor(common, weights[column]), 0);
    const jumps = new Map<number, number>();
    const results: [number, number][] = [];
    let total = 0;
    for (const column of columns) {
      const weight = weights[column] / divisor;
      const next = ~plan.target[column];
      total += weight;
      if (next < 0) results.push([plan.target[column], weight]);
      else {
        jumps.set(next, (jumps.get(next) ?? 0) + weight);
        rows.add(next);
      }
    }
    found.set(row, { jumps, total, results });
  }
  return found;
}
