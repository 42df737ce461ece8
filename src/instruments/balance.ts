import { didYouMean, error, fail, show } from "../errors/index.js";
import { add, type Fraction, fraction, multiply, ONE, overCommonDenominator, subtract, ZERO } from "../fractions.js";
import { checkInteger, isObject, readOptions, refuseArgument } from "../spec/index.js";
import { Table } from "../tables/table.js";
import { largestRemainders } from "../weighted/apportion.js";
import { balanceTable } from "./balanceTable.js";
import { compare } from "./distribution.js";
import type { SourceOptions } from "./law.js";
import { type LabelSpec, type ListSource, labelSpecOf, type WeightSource } from "./sensitivity.js";
import { type Balanced, readTarget, refuseTarget, type Targets } from "./target.js";

/** Options of {@link balance}. */
export interface BalanceOptions {
  /** Maximum total of the new weights of a list or of each row, 2 … 2^32 − 1. Default 1,000,000. */
  readonly total?: number | undefined;
  /** The options of a table's odds, such as `start` and the weights of scripts. */
  readonly with?: SourceOptions | undefined;
}

/** The result of {@link balance} for a list. */
export interface BalancedList extends Balanced {
  /** The new weights, integers in the order of the entries. */
  readonly weights: readonly number[];
  readonly total: number;
}

/**
 * Returns weights that give some results of a list or a table the wanted probabilities.
 *
 * **Lists.** Entries without a target keep their proportions. If the exact weights have a total of at most `total`, the
 * probabilities are exact. Otherwise `total` is divided by largest remainders: each probability differs from the wanted
 * one by less than 1 / total, and the chance of at least one `within` some attempts is never less than wanted.
 *
 * **Tables.** Each result with a target has one factor for its columns of fixed weight in the rows that rolls could
 * reach. All other columns keep their proportions. Newton's method finds the factors. Then the weights of each row
 * become integers, by largest remainders of `total`; in a row with scripts, by rounding each scaled weight, because the
 * scripts keep their weights. The reached probabilities are exact, and differ from the wanted ones by at most `bound`.
 * So a chance `within` some attempts can be a little less than wanted. Cost: some hundred evaluations of the
 * {@link formula}, and the odds for each result.
 *
 * @example balance(parseLabels({ crown: 5, gold: 95 }).spec, { crown: "1/400" }).weights // → [1, 399]
 * @throws RollmillError `argument.range` for an unknown result, if a target is too small for the total, or if the
 * targets cannot be met (it says which can be met); `argument.type`, `argument.option`; the errors of a table's odds.
 */
export function balance(list: ListSource, targets: Targets, given?: BalanceOptions): BalancedList;
export function balance(table: Table<string, unknown>, targets: Targets, given?: BalanceOptions): Balanced;
export function balance(source: WeightSource, targets: Targets, given: BalanceOptions = {}): Balanced {
  const { total = 1_000_000, with: options = {} } = readOptions("balance", given, ["total", "with"]);
  checkInteger("total", total, 2, 0xffff_ffff);
  if (!isObject(targets)) refuseArgument("targets", targets, 'an object such as { crown: "1/400" }');
  if (source instanceof Table) return balanceTable(source, targets, total, options);
  return balanceList(labelSpecOf(source), targets, total);
}

function balanceList({ labels, weights }: LabelSpec, targets: Targets, most: number): BalancedList {
  const wanted = Object.entries(targets).map(([label, target]) => {
    if (!labels.includes(label)) refuseLabel(label, labels);
    return { label, p: readTarget(label, target, most) };
  });
  // each group has the entries of one target; the last group has all entries without a target
  const groups = [...wanted.map(({ label }) => label), undefined].map((label, group) => {
    const isOwn = (entry: string | null) => (group < wanted.length ? entry === label : !(String(entry) in targets));
    return labels.flatMap((entry, i) => (isOwn(entry) ? [i] : []));
  });
  const others = groups[wanted.length].some((i) => weights[i] > 0);
  const taken = wanted.reduce((sum, { p }) => add(sum, p), ZERO);
  checkRoom(taken, others);
  const sizes = [...wanted.map(({ p }) => p), subtract(ONE, taken)];
  const exact = overCommonDenominator(
    groups.flatMap((entries, group) => sharesIn(entries, weights).map((share) => multiply(share, sizes[group]))),
  );
  const made = Array<number>(labels.length).fill(0);
  const order = groups.flat();
  if (exact.whole <= BigInt(most)) {
    for (const [k, i] of order.entries()) made[i] = Number(exact.integers[k]);
  } else {
    const totals = largestRemainders(overCommonDenominator(sizes).integers, most);
    for (const [group, entries] of groups.entries()) {
      if (totals[group] === 0) continue;
      const shares = overCommonDenominator(sharesIn(entries, weights)).integers;
      for (const [k, weight] of largestRemainders(shares, totals[group]).entries()) made[entries[k]] = weight;
    }
  }
  const total = made.reduce((sum, weight) => sum + weight, 0);
  const reached = wanted.map(({ label, p }, group) => {
    const own = groups[group].reduce((sum, i) => sum + made[i], 0);
    if (own === 0) refuseTarget(label, targets[label], `at least about 1/${most}`, 'Raise "total"');
    return { result: label, wanted: p, probability: fraction(BigInt(own), BigInt(total)) };
  });
  const changed = made
    .map((after, column) => ({ row: undefined, column, before: weights[column], after }))
    .filter(({ before, after }) => before !== after);
  return { weights: made, total, changed, reached, bound: exact.whole <= BigInt(most) ? 0 : 1 / most };
}

/** The share of each entry of a group. Entries that all have the weight 0 have equal shares. */
function sharesIn(entries: readonly number[], weights: readonly number[]): Fraction[] {
  const own = entries.map((i) => weights[i]);
  const parts = own.some((weight) => weight > 0) ? own : own.map(() => 1);
  const sum = parts.reduce((a, b) => a + b, 0);
  return parts.map((part) => fraction(BigInt(part), BigInt(sum)));
}

/** Checks the sum of the targets: below 1 if other entries have a weight, and exactly 1 if none has. */
function checkRoom(taken: Fraction, others: boolean): void {
  const sign = compare(taken, ONE);
  if (sign < 0 ? others : sign === 0 && !others) return;
  const problem = others ? "the targets leave nothing for the other results" : "the targets do not add up to 1";
  const expected = others
    ? "probabilities with a sum below 1"
    : "probabilities with the sum 1: the list has no other results";
  fail(error("argument.range", { problem, got: `${taken.numerator}/${taken.denominator}`, expected }));
}

function refuseLabel(label: string, labels: readonly (string | null)[]): never {
  const known = labels.filter((entry) => entry !== null);
  const problem = `the list has no result ${show(label)}`;
  return fail(error("argument.range", { problem, ...didYouMean(label, known) }));
}
