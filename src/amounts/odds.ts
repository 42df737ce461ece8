import type { Chance, Odds } from "../calls/index.js";
import { add, divide, type Fraction, fraction, multiply, ZERO } from "../fractions.js";
import type { Amount } from "./notation.js";

/**
 * Returns the exact odds of an amount: every value that it can have, in ascending order.
 *
 * Cost: O(count² · sides) additions of big integers, at most 2^20 of them.
 */
export function amountOdds({ count, sides, plus }: Amount): readonly Chance<number>[] {
  // ways[s] is the number of ways in which the first `die` dice show the sum s + die
  let ways = [1n];
  for (let die = 0; die < count; die++) ways = withDie(ways, sides);
  const all = BigInt(sides) ** BigInt(count);
  return ways.map((cases, s) => ({ result: s + count + plus, probability: fraction(cases, all) }));
}

/** Stands for a missing quantity: the constant 1. */
const ONE_ITEM: Amount = { count: 0, sides: 1, plus: 1 };

/**
 * Returns the exact odds of a value that is rolled in two steps. First, a part is picked with a probability
 * proportional to its `share`. Then the amount of this part is rolled. The values are in ascending order. Shares must
 * be above 0. They need not add up to 1, because only their proportions count.
 */
export function mixedAmountOdds(
  parts: readonly { readonly amount: Amount | undefined; readonly share: Fraction }[],
): Odds<number> {
  const whole = parts.reduce((sum, { share }) => add(sum, share), ZERO);
  const found = new Map<number, Fraction>();
  for (const { amount = ONE_ITEM, share } of parts) {
    const weight = divide(share, whole);
    for (const { result, probability } of amountOdds(amount)) {
      found.set(result, add(found.get(result) ?? ZERO, multiply(weight, probability)));
    }
  }
  const odds = Array.from(found, ([result, probability]) => ({ result, probability }));
  return { odds: odds.sort((a, b) => a.result - b.result), none: ZERO };
}

/** Adds a die. New entry s is the sum of the `sides` old entries up to entry s. A sliding window keeps this sum. */
function withDie(ways: readonly bigint[], sides: number): bigint[] {
  let window = 0n;
  return Array.from({ length: ways.length + sides - 1 }, (_, s) => {
    window += (ways[s] ?? 0n) - (ways[s - sides] ?? 0n);
    return window;
  });
}
