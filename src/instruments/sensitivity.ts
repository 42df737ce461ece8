import { amountOdds } from "../amounts/index.js";
import { type Chance, ODDS_CALL, type OddsCall, type Work } from "../calls/index.js";
import { weightFraction } from "../decimals.js";
import { FactorBase } from "../factors.js";
import {
  add,
  divide,
  type Fraction,
  fraction,
  multiply,
  ONE,
  overCommonDenominator,
  stepsToReduce,
  subtract,
  toNumber,
  ZERO,
} from "../fractions.js";
import { Pool } from "../pools/pool.js";
import { readOptions, refuseArgument } from "../spec/index.js";
import { columnsOf, reachableRows } from "../tables/compile.js";
import { Drops } from "../tables/drops/drops.js";
import { groupsInOrder } from "../tables/groups.js";
import { solveExactly } from "../tables/odds/dixon.js";
import { expectedVisits, rowOf, rowsInReach, staysInside, type WeighedRow, type WeighedRows } from "../tables/odds.js";
import type { ScriptId } from "../tables/parse/input.js";
import { Table } from "../tables/table.js";
import type { TablePlan } from "../tables/types.js";
import type { LabelledList } from "../weighted/labelledList.js";
import type { LabelledSpec } from "../weighted/types.js";
import { matcherOf, type ValueCondition } from "./condition.js";
import { bitLength, whole } from "./distribution.js";
import type { SourceOptions } from "./law.js";

export type LabelSpec = Pick<LabelledSpec, "labels" | "weights">;
/** A list of labels, or its parsed spec. */
export type ListSource = LabelledList<string | null, unknown> | LabelSpec;
export type WeightSource = ListSource | Table<string, unknown>;
/** A noun that {@link sensitivity} accepts. */
export type SensitivitySource = WeightSource | Pool | Drops<string, unknown>;

/** One weight, and how the probability of the result depends on it. */
export interface Influence {
  /** The row of a table. Undefined for a list or a pool. */
  readonly row: number | undefined;
  /** The column of the row, the entry of the list, or the record of the pool, counted from 0. */
  readonly column: number;
  /**
   * The present integer weight; of a record, its mass. Decimal weights are scaled to integers, so that their
   * proportions stay.
   */
  readonly weight: number;
  /** The script that returns the weight. Undefined for a fixed weight. */
  readonly script: ScriptId | undefined;
  /**
   * ∂p/∂w: the change of the probability for each unit of this weight, while all other weights stay. A script that has
   * several columns has a derivative for each. Null if the probability jumps, because the row has no positive weight,
   * or is in a loop without an exit.
   */
  readonly derivative: Fraction | null;
  /** The probability if this weight is larger by one. The first read computes it, which takes a table's whole odds. */
  readonly withOneMore: Fraction;
}

/** The result of {@link sensitivity}. */
export interface Sensitivity {
  readonly probability: Fraction;
  /** By the absolute value of the derivative: null first, then the largest. Equal ones in the order of the columns. */
  readonly weights: readonly Influence[];
}

/** Options of {@link sensitivity}. */
export interface SensitivityOptions {
  /** The options of the noun's odds. */
  readonly with?: SourceOptions | undefined;
}

/**
 * Returns which weights matter for a result: the exact derivative of its probability by each weight. The scripts of a
 * table have the weights that they return now.
 *
 * For a table, the list has all columns that could win in the rows that rolls visit. Other weights do not matter. For
 * drops, the probability is that of at least one in a drop. For a pool, it is that of the next draw: for a finite pool,
 * with its present stock.
 *
 * Cost: twice that of the odds, and two operations on fractions for each column.
 *
 * @example sensitivity(table, "crown").weights[0] // → { row: 3, column: 0, weight: 5, derivative: … }
 * @throws RollmillError `argument.type` for other sources; `argument.range` for a result that is not possible; the
 * errors of the noun's odds; `table.script` if any script fails that rolls could reach.
 */
export function sensitivity(
  source: SensitivitySource,
  result: ValueCondition,
  given: SensitivityOptions = {},
): Sensitivity {
  const { with: options = {} } = readOptions("sensitivity", given, ["with"]);
  if (source instanceof Pool) return sorted(entryInfluences(recordsOf(source), result));
  if (source instanceof Drops) return sorted(dropInfluences(source, result, readOptions("with", options, ODDS_CALL)));
  if (!(source instanceof Table)) {
    const { labels, weights } = labelSpecOf(source, "a list of labels, a table, drops or a pool");
    const entries = labels.map((label, i) => ({ result: label, weight: weights[i], copies: 1 }));
    return sorted(entryInfluences(entries, result));
  }
  return frozenInfluences(source, options, wantedOutcomes(source.plan, result), sorted);
}

/** Calls `use` with the influences on the wanted results of a table, while the table is busy. */
function frozenInfluences<T>(
  table: Table<string, unknown>,
  options: SourceOptions,
  isWanted: TableQuestion["isWanted"],
  use: (found: Sensitivity, work: Work) => T,
): T {
  return table.frozen("sensitivity", options, (start, { weights, failed }, work, plan) => {
    for (const cause of failed.values()) throw cause;
    const result = use(tableInfluences({ plan, start, weights, isWanted }, work), work);
    work.end();
    return result;
  });
}

/** @throws RollmillError `argument.type` for any other noun. */
export function labelSpecOf(source: unknown, expected = "a list of labels, or a table"): LabelSpec {
  const isSpec = typeof source === "object" && source !== null && "labels" in source && "weights" in source;
  // the cast is safe: only a list of labels and its spec have both
  return isSpec ? (source as LabelSpec) : refuseArgument("source", source, expected);
}

function sorted({ probability, weights }: Sensitivity): Sensitivity {
  const size = new Map(weights.map((one) => [one, one.derivative ? Math.abs(toNumber(one.derivative)) : Infinity]));
  // Infinity − Infinity is NaN, but equal derivatives keep their order
  const order = (a: Influence, b: Influence) => (size.get(b) ?? 0) - (size.get(a) ?? 0) || 0;
  return { probability, weights: [...weights].sort(order) };
}

/** A result with the total weight `weight` · `copies`. All copies of a record in a pool have the same weight. */
interface Entry {
  readonly result: string | number | null;
  readonly weight: number;
  readonly copies: number;
}

/** The records of the next draw. An exhausted pool is refreshed before it. */
function recordsOf(pool: Pool): readonly Entry[] {
  // throws if nothing can be drawn
  pool.odds();
  const { records } = pool;
  const { integers } = overCommonDenominator(records.map(({ mass }) => weightFraction(mass) ?? ZERO));
  const isExhausted = pool.kind === "finite" && pool.total === 0;
  return records.map(({ id, quantity = 1 }, i) => {
    const copies = isExhausted ? pool.quantity(id, "out") + pool.quantity(id, "discards") : quantity;
    return { result: id, weight: Number(integers[i]), copies };
  });
}

function entryInfluences(entries: readonly Entry[], result: ValueCondition): Sensitivity {
  const isWanted = matcherOf(result, entries);
  const sumOf = (some: readonly Entry[]) => {
    return some.reduce((sum, { weight, copies }) => sum + BigInt(weight) * BigInt(copies), 0n);
  };
  const total = sumOf(entries);
  const wanted = sumOf(entries.filter((entry) => isWanted(entry.result)));
  const influences = entries.map(({ result: label, weight, copies }, column): Influence => {
    const [own, times] = [isWanted(label) ? 1n : 0n, BigInt(copies)];
    const derivative = fraction(times * (own * total - wanted), total * total);
    const withOneMore = fraction(wanted + own * times, total + times);
    return { row: undefined, column, weight, script: undefined, derivative, withOneMore };
  });
  return { probability: fraction(wanted, total), weights: influences };
}

/**
 * If a roll has a wanted result with the probability c, a drop lacks it with the probability G(1 − c), where G is the
 * generating function of the number of rolls. So the derivative by a weight is G'(1 − c) · ∂c/∂w.
 */
function dropInfluences(drops: Drops<string, unknown>, condition: ValueCondition, options: OddsCall): Sensitivity {
  const { always, results, rolls, table } = drops.plan;
  const wanted = matcherOf(
    condition,
    results.map((result) => ({ result })),
  );
  const wantsNothing = wanted(null);
  if (wantsNothing && condition !== null) refuseArgument("condition", condition, "results, or null alone");
  const isMet = (result: string | null) => result !== null && (wantsNothing || wanted(result));
  const isSure = always.some(({ result }) => isMet(result));
  const odds = amountOdds(rolls);
  // if a result is sure, no outcome is wanted, so all derivatives are 0
  const isWanted = (outcome: number | null) => !isSure && outcome !== null && isMet(table.results[outcome]);
  const dropOf = (chance: Fraction, work: Work) => {
    const { value, slope } = isSure ? SURE : lackingIn(odds, subtract(ONE, chance), work);
    return wantsNothing
      ? { probability: value, factor: subtract(ZERO, slope) }
      : { probability: subtract(ONE, value), factor: slope };
  };
  return frozenInfluences(drops.tableOf(0), options, isWanted, ({ probability: chance, weights }, work) => {
    const { probability, factor } = dropOf(chance, work);
    const influences = weights.map((one) => {
      const { row, column, weight, script, derivative } = one;
      work.spend(2 * stepsToReduce(bitLength(factor.denominator) + bitLength(derivative?.denominator ?? 1n)));
      const own = { row, column, weight, script, derivative: derivative && multiply(factor, derivative) };
      return withLater(own, () => dropOf(one.withOneMore, work.again()).probability);
    });
    return { probability, weights: influences };
  });
}

const SURE = { value: ZERO, slope: ZERO };
const STEPS_PER_POWER = 100;

/** The value and the slope at x of the generating function of a number: the sum of P(n) · xⁿ. */
function lackingIn(odds: readonly Chance<number>[], { numerator: a, denominator: b }: Fraction, work: Work) {
  const most = odds[odds.length - 1].result;
  const { integers, whole: all } = overCommonDenominator(odds.map(({ probability }) => probability));
  const ways = new Map(odds.map(({ result }, i) => [result, integers[i]]));
  work.spend(most * (STEPS_PER_POWER + (bitLength(b) * most) / 16));
  let [value, slope] = [0n, 0n];
  // Horner's rule in a
  for (let n = most, power = 1n; n >= 0; n--, power *= b) {
    const term = (ways.get(n) ?? 0n) * power;
    value = value * a + term;
    if (n > 0) slope = slope * a + BigInt(n) * term;
  }
  const below = all * b ** BigInt(Math.max(0, most - 1));
  return { value: fraction(value, most === 0 ? below : below * b), slope: fraction(slope, below) };
}

/** Adds `withOneMore`, which is computed when it is first read. */
function withLater(influence: Omit<Influence, "withOneMore">, compute: () => Fraction): Influence {
  return {
    ...influence,
    get withOneMore() {
      const value = compute();
      Object.defineProperty(this, "withOneMore", { value, enumerable: true });
      return value;
    },
  };
}

/** Wanted results of a table, and the weight of each column. `isWanted(null)`: whether an end on total 0 counts. */
interface TableQuestion {
  readonly plan: TablePlan;
  readonly start: number;
  readonly weights: ArrayLike<number>;
  readonly isWanted: (outcome: number | null) => boolean;
}

/** @throws RollmillError `argument.range` for a result that the table lacks. */
export function wantedOutcomes({ results }: TablePlan, condition: ValueCondition): TableQuestion["isWanted"] {
  const isWanted = matcherOf(
    condition,
    results.map((result) => ({ result })),
  );
  return (outcome) => isWanted(outcome === null ? null : results[outcome]);
}

/** Returns the exact probability of the wanted results. */
export function tableChance(question: TableQuestion, work: Work): Fraction {
  const { plan, start, weights } = question;
  const rows = rowsInReach(plan, [start], { weights, failed: new Map() }, work);
  return chancesOfRows(rows, question.isWanted, work).get(start) ?? ZERO;
}

/**
 * A column c of row r has ∂p/∂w = visits(r) / total(r) · (h(target of c) − h(r)), where h is the probability of the
 * wanted results from a row or a result on. Proof: p solves a linear system. The derivative by an entry of its matrix
 * is the visits (the solution of the transposed system) times the change of the equation of row r at the solution h.
 */
function tableInfluences(question: TableQuestion, work: Work): Sensitivity {
  const { plan, start, weights, isWanted } = question;
  const rows = rowsInReach(plan, reachableRows(plan, start), { weights, failed: new Map() }, work);
  const chances = chancesOfRows(rows, isWanted, work);
  const visited = rowsInReach(plan, [start], { weights, failed: new Map() }, work);
  const shares = sharesOfRows(visited, start, work);
  const chanceOf = (row: number) => chances.get(row) ?? ZERO;
  const influences: Influence[] = [];
  for (const row of [...visited.keys()].sort((a, b) => a - b)) {
    const columns = [...columnsOf(plan, row)];
    const total = columns.reduce((sum, column) => sum + weights[column], 0);
    const share = total > 0 ? shares.get(row) : undefined;
    const perWeight = share && multiply(share, fraction(BigInt(rowOf(rows, row).total), BigInt(total)));
    for (const column of columns.filter((one) => plan.weight[one] > 0 || plan.script[one] >= 0)) {
      const target = plan.target[column];
      const then = target < 0 ? chanceOf(~target) : isWanted(target) ? ONE : ZERO;
      const change = subtract(then, chanceOf(row));
      work.spend(2 * stepsToReduce(bitLength(change.denominator) + bitLength(share?.denominator ?? 1n)));
      // in a row without a share, the derivative is 0 if neither row nor column can lead to a wanted result
      const isFlat = then.numerator === 0n && chanceOf(row).numerator === 0n;
      const own = {
        row,
        column: column - plan.rowStart[row],
        weight: weights[column],
        script: plan.scriptIds[plan.script[column]],
        derivative: perWeight ? multiply(perWeight, change) : isFlat ? ZERO : null,
      };
      influences.push(withLater(own, () => chanceWithMore(question, column, work.again())));
    }
  }
  return { probability: chanceOf(start), weights: influences };
}

function chanceWithMore(question: TableQuestion, column: number, work: Work): Fraction {
  const more = Float64Array.from(question.weights);
  more[column]++;
  return tableChance({ ...question, weights: more }, work);
}

/** The expected visits of each row, divided by the total of its weights. Rows of loops without an exit have none. */
export function sharesOfRows(rows: WeighedRows, start: number, work: Work): ReadonlyMap<number, Fraction> {
  const base = new FactorBase();
  const shares = new Map<number, Fraction>();
  expectedVisits(rows, start, { base, work }, (group, ratios) => {
    const reduced = base.reduceAll(ratios, (steps) => work.spend(steps));
    for (const [i, row] of group.entries()) shares.set(row, reduced[i]);
  });
  return shares;
}

/** The probability of the wanted results, for rolls from each row. */
function chancesOfRows(
  rows: WeighedRows,
  isWanted: TableQuestion["isWanted"],
  work: Work,
): ReadonlyMap<number, Fraction> {
  const chances = new Map<number, Fraction>();
  for (const group of groupsInOrder(rows.keys(), (row) => rowOf(rows, row).jumps.keys()).reverse()) {
    const members = new Set(group);
    const isEndless = group.every((row) => staysInside(rowOf(rows, row), members));
    const leaving = group.map((row) => (isEndless ? ZERO : chanceOutside(rowOf(rows, row), members)));
    if (isEndless || leaving.every(({ numerator }) => numerator === 0n)) {
      for (const row of group) chances.set(row, ZERO);
    } else if (group.length === 1) {
      const [row] = group;
      const { jumps, total } = rowOf(rows, row);
      chances.set(row, divide(leaving[0], whole(Math.max(1, total - (jumps.get(row) ?? 0)))));
    } else {
      const { integers, whole: common } = overCommonDenominator(leaving);
      const { numerators, denominator } = solveExactly(equationsOf(rows, group), integers, work);
      for (const [i, row] of group.entries()) chances.set(row, fraction(numerators[i], denominator * common));
    }
  }
  return chances;

  /** The sum of weight · probability of all results, and of all jumps out of the group. */
  function chanceOutside({ jumps, results, total }: WeighedRow, members: ReadonlySet<number>): Fraction {
    if (total === 0) return isWanted(null) ? ONE : ZERO;
    const wins = results.reduce((sum, [outcome, weight]) => sum + (isWanted(outcome) ? weight : 0), 0);
    let sum = whole(wins);
    for (const [next, weight] of jumps) {
      const chance = chances.get(next) ?? ZERO;
      if (members.has(next) || chance.numerator === 0n) continue;
      work.spend(2 * stepsToReduce(bitLength(sum.denominator) + bitLength(chance.denominator)));
      sum = add(sum, multiply(chance, whole(weight)));
    }
    return sum;
  }
}

/** Row i has its total on the diagonal, minus the weight of each jump to another row j in column j. */
function equationsOf(rows: WeighedRows, group: readonly number[]) {
  const position = new Map(group.map((row, i) => [row, i]));
  const lines = group.map((row, i) => {
    const { jumps, total } = rowOf(rows, row);
    const line = new Map([[i, total]]);
    for (const [next, weight] of jumps) {
      const j = position.get(next);
      if (j !== undefined) line.set(j, (line.get(j) ?? 0) - weight);
    }
    return line;
  });
  return { columns: lines.map((line) => [...line.keys()]), values: lines.map((line) => [...line.values()]) };
}
