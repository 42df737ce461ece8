import { didYouMean, error, fail, show } from "../errors/index.js";
import { add, type Fraction, fraction, multiply, ONE, overCommonDenominator, subtract, ZERO } from "../fractions.js";
import { checkInteger, readOptions } from "../spec/index.js";
import { largestRemainders } from "../weighted/apportion.js";
import type { LabelledSpec } from "../weighted/types.js";
import { compare, type ProbabilityInput, readProbability } from "./distribution.js";

/** What a result is to have: a probability, or the chance of at least one within a number of attempts. */
export type Target = ProbabilityInput | { readonly within: number; readonly chance: ProbabilityInput };

/** Options of {@link balance}. */
export interface BalanceOptions {
  /** Maximum total of the new weights, 2 … 2^32 − 1. Default 1,000,000. */
  readonly total?: number | undefined;
}

/** A result with a target. */
export interface Reached {
  readonly result: string;
  readonly wanted: Fraction;
  /** The exact probability with the new weights. */
  readonly probability: Fraction;
}

/** The result of {@link balance}. */
export interface Balanced {
  /** The new weights, integers in the order of the entries. */
  readonly weights: readonly number[];
  readonly total: number;
  readonly reached: readonly Reached[];
}

/**
 * Returns weights that give some results of a list the wanted probabilities. All other entries keep their proportions.
 *
 * If the exact weights have a total of at most `total`, the probabilities are exact. Otherwise `total` is divided by the
 * method of the largest remainder: each probability differs by less than 1 / total, and the chance of at least one within
 * a number of attempts is never less than wanted.
 *
 * @example balance(parseLabels({ crown: 5, gold: 95 }).spec, { crown: "1/400" }).weights // → [1, 399]
 * @throws RollmillError `argument.range` if the list has no such result, if a target is too small for the total, or if
 * the targets leave nothing for the other entries; `argument.type`, `argument.option`.
 */
export function balance(
  { labels, weights }: Pick<LabelledSpec, "labels" | "weights">,
  targets: Readonly<Record<string, Target>>,
  given: BalanceOptions = {},
): Balanced {
  const { total: most = 1_000_000 } = readOptions("balance", given, ["total"]);
  checkInteger("total", most, 2, 0xffff_ffff);
  const wanted = Object.entries(targets).map(([label, target]) => {
    if (!labels.includes(label)) refuseLabel(label, labels);
    return { label, p: probabilityFor(label, target, most) };
  });
  // a group has the entries of one target, and the last group all other entries
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
  return { weights: made, total, reached };
}

/** The share of each entry of a group. Entries that all have the weight 0 have equal shares. */
function sharesIn(entries: readonly number[], weights: readonly number[]): Fraction[] {
  const own = entries.map((i) => weights[i]);
  const parts = own.some((weight) => weight > 0) ? own : own.map(() => 1);
  const sum = parts.reduce((a, b) => a + b, 0);
  return parts.map((part) => fraction(BigInt(part), BigInt(sum)));
}

function probabilityFor(label: string, target: Target, total: number): Fraction {
  if (typeof target !== "object" || target === null || !("within" in target)) {
    const p = readProbability(label, target as ProbabilityInput);
    if (compare(p, ONE) < 0) return p;
    return refuseTarget(label, target, "a probability below 1", "Set a smaller one");
  }
  const { within, chance } = readOptions("the target", target, ["within", "chance"]);
  checkInteger("within", within, 1, 2 ** 16);
  const wanted = readProbability("chance", chance);
  if (compare(wanted, ONE) >= 0) refuseTarget(label, chance, "a chance below 1", "Use a pool or pity for certainty");
  // the least weight of the total that is enough: the chance of none is (1 − w / total)^within
  const isEnough = (weight: number) => {
    const none = fraction(BigInt(total - weight) ** BigInt(within), BigInt(total) ** BigInt(within));
    return compare(subtract(ONE, none), wanted) >= 0;
  };
  let [low, high] = [-1, total];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return fraction(BigInt(high), BigInt(total));
}

/** Checks that the targets leave something for the other entries, and everything if there are others. */
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

function refuseTarget(label: string, got: unknown, expected: string, remedy: string): never {
  return fail(
    error("argument.range", { problem: `the target of ${show(label)} cannot be met`, got, expected, remedy }),
  );
}
