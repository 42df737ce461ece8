import { mixedAmountOdds } from "../amounts/index.js";
import { type Odds, Work } from "../calls/index.js";
import { FactorBase, type Ratio, stepsOf, UNIT } from "../factors.js";
import { add, commonDivisor, type Fraction, ZERO } from "../fractions.js";
import { columnsOf } from "./compile.js";
import { groupsInOrder } from "./groups.js";
import { listOf } from "./list.js";
import { solveExactly } from "./odds/dixon.js";
import type { FrozenWeights } from "./rolling.js";
import type { RowOdds, TableOdds, TablePlan } from "./types.js";

/** Throws `odds.work`; and `table.script` or `weights.overflow`, if a roll can visit a row whose weights failed. */
export function tableOdds(plan: TablePlan, start: number, frozen: FrozenWeights, work = new Work()): TableOdds {
  const { outcomes, none, rows, ...rest } = rollLaw(plan, start, frozen, work);
  work.end();
  const visits = () => visitsOfRows(rows, start, work.again());
  return { ...byResult(plan, outcomes, none), ...rest, rows: rowOdds(plan, rows, visits) };
}

/** The functions of exact odds. A table gets them as an argument, so that a bundle can leave them out. */
export const EXACT_ODDS = { tableOdds, tableQuantityOdds, rollLaw, listOf };
export type ExactOdds = typeof EXACT_ODDS;

function rollLaw(plan: TablePlan, start: number, frozen: FrozenWeights, work: Work): RollLaw {
  const rows = rowsInReach(plan, [start], frozen, work);
  const base = new FactorBase();
  const wins = new Map<number, Ratio>(Array.from(plan.results.keys(), (index) => [index, NOTHING]));
  const sums = { none: NOTHING, visited: NOTHING };
  const endless = expectedVisits(rows, start, { base, work }, (group, shares) => {
    for (const [i, row] of group.entries()) {
      const { total, results } = rowOf(rows, row);
      const plus = (sum: Ratio, weight: number) => {
        work.spend(stepsOf(shares[i].divisor) + stepsOf(sum.divisor));
        // `scale` keeps a ratio reduced. Only the first part needs it, because a sum of parts is seldom reduced
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
  const odds = mixedAmountOdds(partsOf(plan, outcomes, new Set([result])), work);
  work.end();
  return odds;
}

export function partsOf({ results, quantities }: TablePlan, outcomes: readonly Outcome[], wanted: ReadonlySet<string>) {
  const ways = outcomes.filter(
    ({ index, probability }) => wanted.has(results[index] as string) && probability.numerator > 0n,
  );
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
    const ratios = group.map((row, i) => base.scale(shares[i], Math.max(1, rowOf(rows, row).total), 1));
    const reduced = base.reduceAll(ratios, (steps) => work.spend(steps));
    for (const [i, row] of group.entries()) visits.set(row, reduced[i]);
  });
  return visits;
}

/** A row as a state of a Markov chain. The weights are divided by their greatest common divisor. */
export interface WeighedRow {
  /** The weight, > 0, of the jumps to each row. Their probability is weight / {@link total}. */
  readonly jumps: ReadonlyMap<number, number>;
  /** Sum of the weights of all jumps and results. If the sum is 0, the roll ends on this row. */
  readonly total: number;
  /** Pairs of a result's index and a column's weight. Several columns may have the same result. */
  readonly results: readonly (readonly [number, number])[];
}

/** Rows by number. With each row, the map also contains every row that it jumps to. */
export type WeighedRows = ReadonlyMap<number, WeighedRow>;

const STEPS_PER_COLUMN = 16;
const NO_ROW: WeighedRow = { jumps: new Map(), total: 0, results: [] };

export function rowOf(rows: WeighedRows, row: number): WeighedRow {
  return rows.get(row) ?? NO_ROW;
}

/**
 * Returns the rows that rolls from `starts` reach, breadth-first. Throws the error of the first with failed weights.
 */
export function rowsInReach(
  plan: TablePlan,
  starts: Iterable<number>,
  { weights, failed }: Pick<FrozenWeights, "failed"> & { readonly weights: ArrayLike<number> },
  work: Work,
): WeighedRows {
  const found = new Map<number, WeighedRow>();
  const rows = new Set(starts);
  for (const row of rows) {
    if (failed.has(row)) throw failed.get(row);
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

const STEPS_PER_ROW = 500;
const STEPS_PER_JUMP = 16;
const NOTHING: Ratio = { numerator: 0n, divisor: UNIT };

/**
 * Computes the expected number of visits of each row by a roll from `start`, from which all rows must be reachable.
 * The vector v of these numbers solves v = e + Qᵀv, where e is 1 for `start` and 0 for all others, and Q has the
 * probabilities of the jumps. Rows that jump in circles form a group, and its visits depend only on earlier groups.
 * `take` receives a share for each row of a group: the expected visits, divided by the row's `total` unless that is 0.
 * Returns the probability that the roll enters a loop without a way out. The rows of such a loop have no share.
 *
 * Cost: the number of jumps times the length of the fractions, and one linear system for each group of several rows.
 */
export function expectedVisits(
  rows: WeighedRows,
  start: number,
  { base, work }: { readonly base: FactorBase; readonly work: Work },
  take: (group: readonly number[], shares: readonly Ratio[]) => void,
): Ratio {
  const inflow = new Map<number, Ratio>([[start, { numerator: 1n, divisor: UNIT, isReduced: true }]]);
  const entering = (row: number) => inflow.get(row) ?? NOTHING;
  let endless = NOTHING;
  for (const group of groupsInOrder([start], (row) => rowOf(rows, row).jumps.keys())) {
    for (const row of group) work.spend(STEPS_PER_ROW + Math.sqrt(rowOf(rows, row).total));
    const members = new Set(group);
    if (group.every((row) => staysInside(rowOf(rows, row), members))) {
      for (const row of group) endless = base.add(endless, entering(row));
      continue;
    }
    const [first] = group;
    const { jumps, total } = rowOf(rows, first);
    const found =
      group.length === 1
        ? [base.scale(entering(first), 1, Math.max(1, total - (jumps.get(first) ?? 0)))]
        : sharesOfLoop(rows, group, entering, base, work);
    take(group, found);
    for (const [i, row] of group.entries()) {
      for (const [next, weight] of rowOf(rows, row).jumps) {
        if (members.has(next)) continue;
        work.spend(2 * stepsOf(found[i].divisor) + 2 * stepsOf(entering(next).divisor));
        inflow.set(next, base.add(entering(next), base.scale(found[i], weight, 1)));
      }
      inflow.delete(row);
    }
    work.finish(group.length);
  }
  return endless;
}

export function staysInside({ jumps, total }: WeighedRow, members: ReadonlySet<number>): boolean {
  let inside = 0;
  for (const [next, weight] of jumps) if (members.has(next)) inside += weight;
  return total > 0 && inside === total;
}

/**
 * Returns the shares y of a group: total(j) · y(j) = inflow(j) + Σ weight(i to j) · y(i) for each row j, summed over
 * all rows i. The matrix has an inverse, because every roll leaves the group.
 */
function sharesOfLoop(
  rows: WeighedRows,
  group: readonly number[],
  entering: (row: number) => Ratio,
  base: FactorBase,
  work: Work,
): Ratio[] {
  const divisor = group.reduce((common, row) => base.commonMultiple(common, entering(row).divisor), UNIT);
  const side = group.map((row) => {
    const inflow = entering(row);
    return inflow.numerator === 0n ? 0n : inflow.numerator * base.quotient(divisor, inflow.divisor);
  });
  const { numerators, denominator } = solveExactly(matrixOf(rows, group, work), side, work);
  const whole = base.multiply(divisor, base.productOfDeterminant(denominator));
  return numerators.map((numerator) => ({ numerator, divisor: whole }));
}

/** Returns a matrix. The totals are on its diagonal. A jump from i to j subtracts its weight in row j, column i. */
function matrixOf(rows: WeighedRows, group: readonly number[], work: Work) {
  const position = new Map(group.map((row, i) => [row, i]));
  const lines = group.map((row, i) => new Map([[i, rowOf(rows, row).total]]));
  for (const [i, row] of group.entries()) {
    work.spend(STEPS_PER_JUMP * rowOf(rows, row).jumps.size);
    for (const [next, weight] of rowOf(rows, row).jumps) {
      const j = position.get(next);
      if (j !== undefined) lines[j].set(i, (lines[j].get(i) ?? 0) - weight);
    }
  }
  return { columns: lines.map((line) => [...line.keys()]), values: lines.map((line) => [...line.values()]) };
}
