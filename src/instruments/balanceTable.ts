import type { Work } from "../calls/index.js";
import { didYouMean, error, fail, show } from "../errors/index.js";
import { commonDivisor, type Fraction, ONE, subtract, toNumber } from "../fractions.js";
import { columnsOf } from "../tables/compile.js";
import { listed, rowName } from "../tables/issues.js";
import { rowOf, rowsInReach } from "../tables/odds.js";
import { MAX_WEIGHT } from "../tables/parse/input.js";
import type { Table } from "../tables/table.js";
import type { TablePlan } from "../tables/types.js";
import { largestRemainders } from "../weighted/apportion.js";
import { Elimination } from "./elimination.js";
import type { SourceOptions } from "./law.js";
import { sharesOfRows, tableChance, wantedOutcomes } from "./sensitivity.js";
import { type Balanced, type ChangedWeight, readTarget, refuseTarget, type Targets } from "./target.js";

interface Goal {
  readonly label: string;
  readonly wanted: Fraction;
}

/** The table with a factor for each goal. Columns of other results, jumps and scripts have none. */
interface Scaled {
  readonly plan: TablePlan;
  readonly rows: readonly number[];
  readonly weights: ArrayLike<number>;
  /** By column of the plan: the goal whose factor scales the weight, or −1. */
  readonly goalOf: Int32Array;
  /** Returns the probability of all ends without a goal, and then that of each goal. */
  readonly oddsAt: (factors: readonly number[]) => readonly number[];
}

const TOLERANCE = 1e-12;

export function balanceTable(
  table: Table<string, unknown>,
  targets: Targets,
  total: number,
  options: SourceOptions,
): Balanced {
  return table.frozen("balance", options, (start, { weights, failed }, work, plan) => {
    for (const cause of failed.values()) throw cause;
    const goals = Object.entries(targets).map(([label, target]): Goal => {
      if (!plan.results.includes(label)) refuseResult(label, plan);
      return { label, wanted: readTarget(label, target, total) };
    });
    const goalOf = (outcome: number) => goals.findIndex(({ label }) => label === plan.results[outcome]);
    const classOf = (outcome: number | null) => (outcome === null ? 0 : goalOf(outcome) + 1);
    const elimination = new Elimination({ plan, start, classOf, classes: goals.length + 1 }, work);
    const scaled = scaledTable(plan, weights, elimination, goalOf);
    checkReach(scaled, goals, targets);
    const tolerance = Math.max(TOLERANCE, elimination.errorBound);
    const factors = solveFactors(scaled, goals, tolerance) ?? refuseTogether(scaled, goals, tolerance);
    const { made, distances } = wholeWeights(scaled, factors, total);
    const reached = goals.map(({ label, wanted }) => {
      const isWanted = wantedOutcomes(plan, label);
      return { result: label, wanted, probability: tableChance({ plan, start, weights: made, isWanted }, work) };
    });
    const bound = TOLERANCE + 2 * elimination.errorBound + errorBound({ plan, start, made, distances }, work);
    work.end();
    return { changed: changesOf(scaled, made), reached, bound };
  });
}

function scaledTable(
  plan: TablePlan,
  weights: ArrayLike<number>,
  elimination: Elimination,
  goalOfOutcome: (outcome: number) => number,
): Scaled {
  const { rows } = elimination;
  const goalOf = new Int32Array(weights.length).fill(-1);
  for (const row of rows) {
    for (const column of columnsOf(plan, row)) {
      const target = plan.target[column];
      if (target >= 0 && plan.weight[column] > 0) goalOf[column] = goalOfOutcome(target);
    }
  }
  const oddsAt = (factors: readonly number[]) =>
    elimination.run(Float64Array.from(goalOf, (goal, column) => weights[column] * (goal < 0 ? 1 : factors[goal]))).odds;
  return { plan, rows, weights, goalOf, oddsAt };
}

/** Stands for a factor that grows without limit. A larger one could leave the range of doubles. */
const HUGE = 2 ** 100;
/** Messages show a probability below this limit as 0: only a factor of 1 / HUGE makes it that small. */
const NEARLY_ZERO = 1e-20;
/** Maximum number of goals whose unions are all checked. */
const MAX_UNIONS = 8;

/**
 * Checks each union of goals. Its probability is least if the factors of its goals are 0 and all other factors are
 * infinite, and greatest the other way round. Proof: by the derivatives of {@link sensitivity}, each factor raises the
 * probability of every union that contains its goal, and lowers that of every other union.
 */
function checkReach({ plan, rows, oddsAt, goalOf, weights }: Scaled, goals: readonly Goal[], targets: Targets): void {
  for (const union of unionsOf(goals.length)) {
    const sumAt = (own: number, other: number) => {
      const odds = oddsAt(goals.map((_, goal) => (union.has(goal) ? own : other)));
      return odds.reduce((sum, p, k) => (union.has(k - 1) ? sum + p : sum), 0);
    };
    const [least, most] = [sumAt(1 / HUGE, HUGE), sumAt(HUGE, 1 / HUGE)];
    const sum = goals.reduce((before, { wanted }, goal) => before + (union.has(goal) ? toNumber(wanted) : 0), 0);
    const isFixed = most - least <= TOLERANCE * most;
    const isBelow = isFixed ? sum < least - TOLERANCE : sum <= least;
    const isAbove = isFixed ? sum > most + TOLERANCE : sum >= most * (1 - TOLERANCE);
    if (!isBelow && !isAbove) continue;
    const own = (column: number) => union.has(goalOf[column]);
    const blocking = rows.filter((row) => {
      const columns = [...columnsOf(plan, row)].filter((column) => weights[column] > 0);
      const canEnd = columns.length === 0 || columns.some((column) => plan.target[column] >= 0);
      if (isAbove) return canEnd && !columns.some(own);
      const isPart = (column: number) =>
        [...union].some((goal) => goals[goal].label === plan.results[plan.target[column]]);
      return columns.some(isPart) && (columns.every(own) || columns.some((column) => isPart(column) && !own(column)));
    });
    const names = listed(blocking.map((row) => rowName(plan.spec, row)));
    const reason = isAbove
      ? "Rolls also end in rows where none of its columns has a fixed weight"
      : "In some rows, its columns have scripts or no others beside them";
    const [from, to] = [least, most].map((p) => String(p < NEARLY_ZERO ? 0 : Number(p.toPrecision(6))));
    const expected = isFixed ? `${from}: no fixed weight changes it` : `a probability above ${from} and below ${to}`;
    const labels = [...union].map((goal) => goals[goal].label);
    const got = labels.length === 1 ? targets[labels[0]] : sum;
    refuseTarget(labels.join(" or "), got, expected, blocking.length === 0 ? undefined : `${reason}: ${names}`);
  }
}

/** All sets of goals, small ones first. If there are more than MAX_UNIONS goals: each goal alone, and all together. */
function unionsOf(goals: number): ReadonlySet<number>[] {
  const all = Array.from({ length: goals }, (_, goal) => goal);
  if (goals > MAX_UNIONS) return [...all.map((goal) => new Set([goal])), new Set(all)];
  const unions = Array.from({ length: 2 ** goals - 1 }, (_, i) => new Set(all.filter((goal) => ((i + 1) >> goal) & 1)));
  return unions.sort((a, b) => a.size - b.size);
}

const MAX_STEPS = 60;
const MAX_HALVINGS = 20;
/** Maximum change of a logarithm in a step. */
const LONGEST_STEP = 4;
const DIFFERENCE = 1e-5;

/**
 * Newton's method: the unknowns are the logarithms of the factors, the values those of the odds p / (1 − p). With one
 * row and one goal, the value depends linearly on the unknown. Differences replace the derivatives, which only slows
 * the last steps. Undefined if the targets cannot be met. `fixed` sets the factor of one goal and ignores its target.
 */
function solveFactors(
  { oddsAt }: Scaled,
  goals: readonly Goal[],
  tolerance: number,
  fixed?: { readonly goal: number; readonly factor: number },
): number[] | undefined {
  const aims = goals.map(({ wanted: p }) => Math.log(toNumber(p)) - Math.log(toNumber(subtract(ONE, p))));
  const missesAt = (logs: readonly number[]) => {
    const odds = oddsAt(logs.map(Math.exp));
    const misses = aims.map((aim, goal) => {
      if (goal === fixed?.goal) return 0;
      const rest = odds.reduce((sum, p, k) => (k === goal + 1 ? sum : sum + p), 0);
      return Math.log(odds[goal + 1]) - Math.log(rest) - aim;
    });
    const size = Math.max(...misses.map(Math.abs));
    return { misses, size, isMet: size <= tolerance };
  };
  let logs = goals.map((_, goal) => (goal === fixed?.goal ? Math.log(fixed.factor) : 0));
  let now = missesAt(logs);
  for (let step = 0; !now.isMet; step++) {
    const slopes = logs.map((_, goal) => {
      const moved = missesAt(logs.map((log, k) => (k === goal ? log + DIFFERENCE : log)));
      return moved.misses.map((miss, k) => (goal === fixed?.goal ? 0 : (miss - now.misses[k]) / DIFFERENCE));
    });
    const change = solveSmall(slopes, now.misses);
    let scale = Math.min(1, LONGEST_STEP / Math.max(...change.map(Math.abs)));
    let [next, then] = [logs, now];
    for (let tries = 0; tries < MAX_HALVINGS && !(then.size < now.size); tries++, scale /= 2) {
      next = logs.map((log, k) => log - scale * change[k]);
      then = missesAt(next);
    }
    if (step === MAX_STEPS || !(then.size < now.size)) return undefined;
    [logs, now] = [next, then];
  }
  return logs.map(Math.exp);
}

/** Solves Σ_k x_k · slopes[k][j] = side[j]. An unknown that nothing depends on becomes 0. */
function solveSmall(slopes: readonly (readonly number[])[], side: readonly number[]): number[] {
  const lines = side.map((value, j) => [...slopes.map((slope) => slope[j]), value]);
  const pivots: number[] = [];
  for (const k of slopes.keys()) {
    const free = lines.map((_, j) => j).filter((j) => !pivots.includes(j));
    const pivot = free.reduce((best, j) => (Math.abs(lines[j][k]) > Math.abs(lines[best][k]) ? j : best), free[0]);
    if (!(Math.abs(lines[pivot][k]) > 1e-9)) continue;
    pivots[k] = pivot;
    for (const [j, line] of lines.entries()) {
      const factor = line[k] / lines[pivot][k];
      if (j !== pivot) for (const i of line.keys()) line[i] -= factor * lines[pivot][i];
    }
  }
  return slopes.map((_, k) => (pivots[k] === undefined ? 0 : lines[pivots[k]][side.length] / lines[pivots[k]][k]));
}

/** Makes the scaled weights integers. For each row that it changes, `distances` has the total variation distance. */
function wholeWeights({ plan, rows, weights, goalOf }: Scaled, factors: readonly number[], most: number) {
  const made = Float64Array.from({ length: weights.length }, (_, column) => weights[column]);
  const distances = new Map<number, number>();
  for (const row of rows) {
    const columns = [...columnsOf(plan, row)].filter((column) => weights[column] > 0);
    const factorOf = (column: number) => (goalOf[column] < 0 ? 1 : factors[goalOf[column]]);
    const isScripted = [...columnsOf(plan, row)].some((column) => plan.script[column] >= 0);
    const isSame = columns.every((column) => factorOf(column) === factorOf(columns[0]));
    if (columns.every((column) => goalOf[column] < 0) || (isSame && !isScripted)) continue;
    const exact = columns.map((column) => weights[column] * factorOf(column));
    const whole = isScripted ? exact.map((value) => Math.max(1, Math.round(value))) : dividedTotal(exact, most);
    const [exactTotal, total] = [exact, whole].map((values) => values.reduce((sum, value) => sum + value, 0));
    if (whole.includes(0) || total > MAX_WEIGHT) {
      const problem = `the weights of ${rowName(plan.spec, row)} cannot be integers`;
      const expected = `from 1 to ${isScripted ? MAX_WEIGHT : most}, with this total at most`;
      const remedy = isScripted ? "Let the scripts of the row return smaller weights" : 'Raise "total"';
      fail(error("argument.range", { problem, got: exact[whole.indexOf(0)] ?? total, expected, remedy }));
    }
    const gaps = whole.map((value, i) => Math.abs(value / total - exact[i] / exactTotal));
    distances.set(row, gaps.reduce((sum, gap) => sum + gap, 0) / 2);
    for (const [i, column] of columns.entries()) made[column] = whole[i];
  }
  return { made, distances };
}

const SHARE = 2 ** 52;

function dividedTotal(exact: readonly number[], most: number): number[] {
  const total = exact.reduce((sum, value) => sum + value, 0);
  const whole = largestRemainders(
    exact.map((value) => BigInt(Math.round((value / total) * SHARE))),
    most,
  );
  const divisor = whole.reduce(commonDivisor, 0);
  return whole.map((value) => value / divisor);
}

/**
 * A row whose distribution moves by the total variation distance d changes a probability by at most d for each visit.
 * Proof: p' − p = Σ visits'(r) · Σ (q'(c) − q(c)) · h(target of c), where the differences add up to 0, and 0 ≤ h ≤ 1.
 */
function errorBound(
  {
    plan,
    start,
    made,
    distances,
  }: { plan: TablePlan; start: number; made: Float64Array; distances: ReadonlyMap<number, number> },
  work: Work,
): number {
  const rows = rowsInReach(plan, [start], { weights: made, failed: new Map() }, work);
  const shares = sharesOfRows(rows, start, work);
  let bound = 0;
  for (const [row, share] of shares) {
    const visits = toNumber(share) * Math.max(1, rowOf(rows, row).total);
    bound += visits * ((distances.get(row) ?? 0) + 2 ** -50);
  }
  return bound;
}

function changesOf({ plan, rows, weights }: Scaled, made: Float64Array): ChangedWeight[] {
  const inOrder = [...rows].sort((a, b) => a - b);
  return inOrder.flatMap((row) =>
    [...columnsOf(plan, row)]
      .filter((column) => made[column] !== weights[column])
      .map((column) => {
        return { row, column: column - plan.rowStart[row], before: weights[column], after: made[column] };
      }),
  );
}

function refuseResult(label: string, { results }: TablePlan): never {
  const known = results.filter((result) => result !== null);
  return fail(
    error("argument.range", { problem: `the table has no result ${show(label)}`, ...didYouMean(label, known) }),
  );
}

/** Finds a goal whose target is out of reach while the others are met: its probability grows with its factor. */
function refuseTogether(scaled: Scaled, goals: readonly Goal[], tolerance: number): never {
  for (const [goal, { label, wanted }] of goals.entries()) {
    for (const factor of [1 / HUGE, HUGE]) {
      const factors = solveFactors(scaled, goals, tolerance, { goal, factor });
      const limit = factors && scaled.oddsAt(factors)[goal + 1];
      if (limit === undefined || (factor < 1 ? limit < toNumber(wanted) : limit > toNumber(wanted))) continue;
      const expected = `a probability ${factor < 1 ? "above" : "below"} ${Number(limit.toPrecision(6))}`;
      refuseTarget(label, toNumber(wanted), expected, "The other targets allow no other: change one of them");
    }
  }
  const problem = "no weights meet the targets together";
  return fail(error("argument.range", { problem, remedy: "Leave one of them out, or bring it closer to its odds" }));
}
