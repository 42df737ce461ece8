import { type Chance, type Odds, Work } from "../calls/index.js";
import { add, type Fraction, fraction, overCommonDenominator, stepsToReduce, ZERO } from "../fractions.js";
import type { Amount } from "./notation.js";

/** Returns odds in ascending order of values. Cost: O(count² · sides) additions of big integers, at most 2^20. */
export function amountOdds({ count, sides, plus }: Amount): readonly Chance<number>[] {
  // ways[s] is the number of ways in which the first `die` dice show the sum s + die
  let ways = [1n];
  for (let die = 0; die < count; die++) ways = withDie(ways, sides);
  const all = BigInt(sides) ** BigInt(count);
  return ways.map((cases, s) => ({ result: s + count + plus, probability: fraction(cases, all) }));
}

export function amountMean({ count, sides, plus }: Amount): Fraction {
  return fraction(BigInt(count) * BigInt(sides + 1) + 2n * BigInt(plus), 2n);
}

export const ONE_ITEM: Amount = { count: 0, sides: 1, plus: 1 };

/**
 * Returns the exact odds of a roll in two steps, in ascending order of values. The first step picks a part in
 * proportion to its `share`, which is above 0. The second step rolls the amount of the part. Parts with the same dice
 * are computed together: O(dice · values) for each kind of dice. Throws RollmillError `odds.work`.
 */
export function mixedAmountOdds(
  parts: readonly { readonly amount: Amount | undefined; readonly share: Fraction }[],
  work = new Work(),
): Odds<number> {
  const { integers } = overCommonDenominator(parts.map(({ share }) => share));
  const whole = integers.reduce((sum, share) => sum + share, 0n);
  const kinds = new Map<string, { readonly dice: Amount; readonly shares: Map<number, bigint> }>();
  for (const [i, { amount = ONE_ITEM }] of parts.entries()) {
    const kind = `${amount.count}d${amount.sides}`;
    const { shares } = kinds.get(kind) ?? { shares: new Map<number, bigint>() };
    kinds.set(kind, { dice: amount, shares });
    shares.set(amount.plus, (shares.get(amount.plus) ?? 0n) + integers[i]);
  }
  const bits = whole.toString(16).length * 4;
  const found = new Map<number, Fraction>();
  for (const { dice, shares } of kinds.values()) {
    const all = whole * BigInt(dice.sides) ** BigInt(dice.count);
    const stepsPerValue = STEPS_PER_CHANCE + stepsToReduce(bits + dice.count * Math.log2(dice.sides));
    for (const { least, ways } of rolled(dice, shares, (sums) => work.spend(sums * (STEPS_PER_SUM + bits / 16)))) {
      for (const [i, cases] of ways.entries()) {
        work.spend(stepsPerValue);
        found.set(least + i, add(found.get(least + i) ?? ZERO, fraction(cases, all)));
      }
    }
  }
  const odds = Array.from(found, ([result, probability]) => ({ result, probability }));
  return { odds: odds.sort((a, b) => a.result - b.result), none: ZERO };
}

const STEPS_PER_SUM = 100;
const STEPS_PER_CHANCE = 300;

/**
 * Yields the values of "dice + number" with their weights, in runs of consecutive values. `shares` has the share of
 * each number. Close numbers share a run, so that dice are added once for all of these numbers.
 */
function* rolled(
  { count, sides }: Amount,
  shares: ReadonlyMap<number, bigint>,
  spend: (sums: number) => void,
): Generator<{ readonly least: number; readonly ways: readonly bigint[] }, void> {
  const numbers = [...shares.keys()].sort((a, b) => a - b);
  const reach = count * (sides - 1) + 1;
  for (let i = 0; i < numbers.length; ) {
    const first = numbers[i];
    let ways: bigint[] = [];
    for (; i < numbers.length && numbers[i] - first <= ways.length - 1 + reach; i++) {
      spend(numbers[i] - first - ways.length + 1);
      while (ways.length < numbers[i] - first) ways.push(0n);
      ways.push(shares.get(numbers[i]) ?? 0n);
    }
    for (let die = 0; die < count; die++) ways = withDie(ways, sides, spend);
    yield { least: first + count, ways };
  }
}

const SUMS_PER_PART = 2 ** 12;

/** Adds a die: new entry s is the sum of the `sides` old entries up to entry s. A sliding window keeps this sum. */
function withDie(ways: readonly bigint[], sides: number, spend: (sums: number) => void = () => {}): bigint[] {
  const length = ways.length + sides - 1;
  let window = 0n;
  return Array.from({ length }, (_, s) => {
    if (s % SUMS_PER_PART === 0) spend(Math.min(SUMS_PER_PART, length - s));
    window += (ways[s] ?? 0n) - (ways[s - sides] ?? 0n);
    return window;
  });
}
