import { type Amount, amountOdds } from "../../amounts/index.js";
import type { Chance, Odds } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import { add, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../../fractions.js";
import type { DropOdds, DropsPlan } from "./types.js";

interface RollLaw {
  /** The probability of each result. */
  readonly odds: readonly Chance<string>[];
  /** Returns the odds of a result's quantity, given that a roll has this result. */
  readonly quantityOdds: (result: string) => Odds<number>;
}

/** Maximum cost of the odds of quantities: rolls² · greatest quantity · number of quantities. */
const MAX_COST = 2 ** 22;
const ONE_ITEM: Amount = { count: 0, sides: 1, plus: 1 };

/**
 * Returns the exact odds of a drop. A result of `always` has the probability 1. For any other result, let p be its
 * chance in one roll, and P(m) the probability that a drop has m rolls. Then the probability that a drop lacks the
 * result is Σ P(m) · (1 − p)^m.
 */
export function dropOdds({ always, rolls, results }: DropsPlan, { odds, quantityOdds }: RollLaw): DropOdds {
  const numbers = amountOdds(rolls);
  const chances = new Map(odds.map(({ result, probability }) => [result, probability]));
  const meanRolls = meanOf(numbers);
  const list = results.map((result) => {
    const chance = chances.get(result) ?? ZERO;
    const entries = always.filter((entry) => entry.result === result);
    const atLeastOne = entries.length > 0 ? ONE : subtract(ONE, missing(numbers, chance));
    const rolled =
      chance.numerator === 0n ? ZERO : multiply(multiply(meanRolls, chance), meanOf(quantityOdds(result).odds));
    const fixed = entries.map(({ quantity = ONE_ITEM }) => meanOf(amountOdds(quantity)));
    return { result, atLeastOne, expected: fixed.reduce(add, rolled) };
  });
  const any = odds.reduce((sum, { probability }) => add(sum, probability), ZERO);
  return { odds: list, none: always.length > 0 ? ZERO : missing(numbers, any) };
}

/**
 * Returns the probability that no roll of a drop has a given result. `chance` is the result's chance p in one roll.
 * P(m) is the probability that a drop has m rolls, 0 … most. With 1 − p = a / b and P(m) = c(m) / d, the returned
 * probability is (Σ c(m) · a^m · b^(most − m)) / (d · b^most). Horner's method computes the sum. The fraction is
 * reduced only once, at the end.
 */
function missing(numbers: readonly Chance<number>[], chance: Fraction): Fraction {
  const { numerator: a, denominator: b } = subtract(ONE, chance);
  const { integers, whole } = overCommonDenominator(numbers.map(({ probability }) => probability));
  const { result: most } = numbers[numbers.length - 1];
  let sum = 0n;
  let power = 1n;
  for (const share of integers.toReversed()) {
    sum = a * sum + share * power;
    power *= b;
  }
  return fraction(a ** BigInt(numbers[0].result) * sum, whole * b ** BigInt(most));
}

/** Converts fractions to integers over their least common denominator. */
function overCommonDenominator(fractions: readonly Fraction[]): {
  readonly integers: bigint[];
  readonly whole: bigint;
} {
  let whole = 1n;
  for (const { denominator } of fractions) whole *= fraction(denominator, whole).numerator;
  return { integers: fractions.map(({ numerator, denominator }) => numerator * (whole / denominator)), whole };
}

function meanOf(chances: readonly Chance<number>[]): Fraction {
  return chances.reduce(
    (sum, { result, probability }) => add(sum, multiply(fraction(BigInt(result), 1n), probability)),
    ZERO,
  );
}

/**
 * Returns the exact odds of each quantity of a result in a drop, in ascending order. A drop without the result has the
 * quantity 0.
 *
 * @throws RollmillError `argument.range` if rolls² · greatest quantity · number of quantities exceeds 2^22. Here, rolls
 * is the maximum number of rolls of a drop.
 */
export function dropQuantityOdds(plan: DropsPlan, result: string, { odds, quantityOdds }: RollLaw): Odds<number> {
  const numbers = amountOdds(plan.rolls);
  const { result: most } = numbers[numbers.length - 1];
  const chance = odds.find((one) => one.result === result)?.probability ?? ZERO;
  const quantities = chance.numerator === 0n ? [] : quantityOdds(result).odds;
  const cost = most * most * (quantities.at(-1)?.result ?? 0) * quantities.length;
  if (cost > MAX_COST) {
    const expected = `at most ${MAX_COST} for rolls × rolls × quantity × number of quantities`;
    return fail(error("argument.range", { problem: "the odds of this quantity take too long", got: cost, expected }));
  }
  const shares = [subtract(ONE, chance), ...quantities.map(({ probability }) => multiply(chance, probability))];
  const { integers, whole } = overCommonDenominator(shares);
  const single = integers.map((weight, i) => ({ value: i === 0 ? 0 : quantities[i - 1].result, weight }));
  const rolled = sumsOfRolls(numbers, single, whole);
  const fixed = plan.always.filter((entry) => entry.result === result);
  const law = fixed.reduce((before, { quantity = ONE_ITEM }) => sumOf(before, amountOdds(quantity)), rolled);
  const list = Array.from(law, ([value, probability]) => ({ result: value, probability }));
  const possible = list.filter(({ probability }) => probability.numerator > 0n);
  return { odds: possible.sort((a, b) => a.result - b.result), none: ZERO };
}

/**
 * Returns the distribution of the sum of a random number of rolls. `single` lists the values of one roll. Each value
 * has the probability weight ÷ whole.
 */
function sumsOfRolls(
  numbers: readonly Chance<number>[],
  single: readonly { readonly value: number; readonly weight: bigint }[],
  whole: bigint,
): Map<number, Fraction> {
  const { result: most } = numbers[numbers.length - 1];
  const { integers: shares, whole: all } = overCommonDenominator(numbers.map(({ probability }) => probability));
  const totals = new Map<number, bigint>();
  let sums = new Map([[0, 1n]]);
  let made = 0;
  for (const [i, { result: number }] of numbers.entries()) {
    for (; made < number; made++) sums = withRoll(sums, single);
    const factor = shares[i] * whole ** BigInt(most - number);
    for (const [value, ways] of sums) totals.set(value, (totals.get(value) ?? 0n) + ways * factor);
  }
  const cases = all * whole ** BigInt(most);
  return new Map(Array.from(totals, ([value, ways]) => [value, fraction(ways, cases)]));
}

function withRoll(
  sums: ReadonlyMap<number, bigint>,
  single: readonly { readonly value: number; readonly weight: bigint }[],
): Map<number, bigint> {
  const next = new Map<number, bigint>();
  for (const [sum, ways] of sums) {
    for (const { value, weight } of single) next.set(sum + value, (next.get(sum + value) ?? 0n) + ways * weight);
  }
  return next;
}

function sumOf(law: ReadonlyMap<number, Fraction>, amount: readonly Chance<number>[]): Map<number, Fraction> {
  const sums = new Map<number, Fraction>();
  for (const [x, p] of law) {
    for (const { result: y, probability: q } of amount) {
      sums.set(x + y, add(sums.get(x + y) ?? ZERO, multiply(p, q)));
    }
  }
  return sums;
}
