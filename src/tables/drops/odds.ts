import { type Amount, amountMean, amountOdds, mixedAmountOdds, ONE_ITEM } from "../../amounts/index.js";
import type { Chance, Odds, Work } from "../../calls/index.js";
import {
  add,
  type Fraction,
  fraction,
  greatestCommonDivisor,
  multiply,
  ONE,
  overCommonDenominator,
  reducedFraction,
  stepsToReduce,
  subtract,
  ZERO,
} from "../../fractions.js";
import { partsOf, type RollLaw } from "../odds.js";
import type { DropsPlan } from "./parse.js";
import type { DropOdds } from "./types.js";

/** If one roll has a result with probability p, a drop lacks the result with probability {@link lacking}(1 − p). */
export function dropOdds({ always, rolls, results, table }: DropsPlan, law: RollLaw, work: Work): DropOdds {
  const chances = new Map<string | null, { chance: Fraction; mean: Fraction }>();
  for (const { index, probability } of law.outcomes) {
    work.spend(STEPS_PER_CHANCE);
    const result = table.results[index];
    const { chance, mean } = chances.get(result) ?? { chance: ZERO, mean: ZERO };
    const quantity = multiply(probability, amountMean(table.quantities?.[index] ?? ONE_ITEM));
    chances.set(result, { chance: add(chance, probability), mean: add(mean, quantity) });
  }
  const fixed = new Map<string, Fraction>();
  for (const { result, quantity = ONE_ITEM } of always) {
    fixed.set(result, add(fixed.get(result) ?? ZERO, amountMean(quantity)));
  }
  const meanRolls = amountMean(rolls);
  const list = results.map((result) => {
    const { chance, mean } = chances.get(result) ?? { chance: ZERO, mean: ZERO };
    const sure = fixed.get(result);
    const atLeastOne = sure === undefined ? subtract(ONE, lacking(rolls, subtract(ONE, chance), work)) : ONE;
    const expected = add(sure ?? ZERO, multiply(meanRolls, mean));
    work.finish();
    return { result, atLeastOne, expected };
  });
  const nothing = add(add(law.none, law.endless), chances.get(null)?.chance ?? ZERO);
  return { odds: list, none: always.length > 0 ? ZERO : lacking(rolls, nothing, work) };
}

/**
 * Returns the probability that a drop lacks a result, if one roll lacks the result with probability x = a / b. This is
 * the generating function of the number of rolls, at x: for n dice with s sides plus c, it is x^(n + c) · ((1 + x + … +
 * x^(s − 1)) / s)^n = a^(n + c) · q^n / (s^n · b^(n · s + c)), with q = b^(s − 1) + a · b^(s − 2) + … + a^(s − 1). b
 * has no common factor with a or q, so only s^n is cancelled.
 */
function lacking({ count, sides, plus }: Amount, { numerator: a, denominator: b }: Fraction, work: Work): Fraction {
  work.spend(STEPS_PER_CHANCE + (b.toString(16).length * (count * sides + plus)) ** 1.5 / 16);
  const [n, s] = [BigInt(count), BigInt(sides)];
  const sum = a === b ? s * b ** (s - 1n) : (b ** s - a ** s) / (b - a);
  const numerator = a ** (n + BigInt(plus)) * sum ** n;
  const shared = greatestCommonDivisor(numerator, s ** n);
  return reducedFraction(numerator / shared, (s ** n / shared) * b ** (n * s + BigInt(plus)));
}

const STEPS_PER_CHANCE = 5000;
const STEPS_PER_SUM = 100;
/** Returns the odds of each quantity, the smallest quantity first. The quantity 0 means a drop without the result. */
export function dropQuantityOdds(
  plan: DropsPlan,
  wanted: ReadonlySet<string>,
  roll: RollLaw,
  work: Work,
): Odds<number> {
  const numbers = amountOdds(plan.rolls);
  const parts = partsOf(plan.table, roll.outcomes, wanted);
  const chance = parts.reduce((sum, { share }) => add(sum, share), ZERO);
  const quantities = mixedAmountOdds(parts, work).odds;
  const shares = [subtract(ONE, chance), ...quantities.map(({ probability }) => multiply(chance, probability))];
  const { integers, whole } = overCommonDenominator(shares);
  const single = integers.map((weight, i) => ({ value: i === 0 ? 0 : quantities[i - 1].result, weight }));
  const fixed = plan.always.filter(({ result }) => wanted.has(result));
  const rolled = sumsOfRolls(numbers, single, whole, work);
  const law = fixed.reduce((before, { quantity = ONE_ITEM }) => sumOf(before, amountOdds(quantity), work), rolled);
  const list = Array.from(law, ([value, probability]) => ({ result: value, probability }));
  const possible = list.filter(({ probability }) => probability.numerator > 0n);
  return { odds: possible.sort((a, b) => a.result - b.result), none: ZERO };
}

/** The possible quantities of one roll. Each has the probability `weight` / `whole` (see {@link sumsOfRolls}). */
type RollValues = readonly { readonly value: number; readonly weight: bigint }[];

function sumsOfRolls(
  numbers: readonly Chance<number>[],
  single: RollValues,
  whole: bigint,
  work: Work,
): Map<number, Fraction> {
  const { result: most } = numbers[numbers.length - 1];
  const { integers: shares, whole: all } = overCommonDenominator(numbers.map(({ probability }) => probability));
  const bits = whole.toString(16).length * 4;
  const totals = new Map<number, bigint>();
  let sums = new Map([[0, 1n]]);
  let made = 0;
  for (const [i, { result: number }] of numbers.entries()) {
    for (; made < number; made++) {
      const stepsPerSum = single.length * (STEPS_PER_SUM + (bits * made) / 16);
      work.expect(sums.size * stepsPerSum, sums.size * stepsPerSum);
      const next = new Map<number, bigint>();
      for (const [sum, ways] of sums) {
        work.spend(stepsPerSum);
        for (const { value, weight } of single) next.set(sum + value, (next.get(sum + value) ?? 0n) + ways * weight);
      }
      sums = next;
    }
    const factor = shares[i] * whole ** BigInt(most - number);
    for (const [value, ways] of sums) {
      work.spend(STEPS_PER_SUM + (bits * most) / 8);
      totals.set(value, (totals.get(value) ?? 0n) + ways * factor);
    }
  }
  const cases = all * whole ** BigInt(most);
  const law = new Map<number, Fraction>();
  for (const [value, ways] of totals) {
    work.spend(stepsToReduce(bits * (most + 1)));
    law.set(value, fraction(ways, cases));
  }
  return law;
}

function sumOf(
  law: ReadonlyMap<number, Fraction>,
  amount: readonly Chance<number>[],
  work: Work,
): Map<number, Fraction> {
  const sums = new Map<number, Fraction>();
  const stepsPerValue = amount.length * STEPS_PER_CHANCE;
  work.expect(law.size * stepsPerValue, law.size * stepsPerValue);
  for (const [x, p] of law) {
    work.spend(stepsPerValue);
    for (const { result: y, probability: q } of amount) {
      sums.set(x + y, add(sums.get(x + y) ?? ZERO, multiply(p, q)));
    }
  }
  return sums;
}
