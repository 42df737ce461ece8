import type { Chance } from "../calls/index.js";
import { fraction } from "../fractions.js";
import type { Amount } from "./notation.js";

/**
 * Returns the exact odds of an amount: every value that it can have, in ascending order.
 *
 * Cost: O(count² · sides) additions of big integers; at most 2^20.
 */
export function amountOdds({ count, sides, plus }: Amount): readonly Chance<number>[] {
  // ways[s]: the number of ways in which the dice so far show the sum s + the number of dice
  let ways = [1n];
  for (let die = 0; die < count; die++) ways = withDie(ways, sides);
  const all = BigInt(sides) ** BigInt(count);
  return ways.map((cases, s) => ({ result: s + count + plus, probability: fraction(cases, all) }));
}

/** Adds a die: each sum gets the ways of the last `sides` sums, which a sliding window adds up. */
function withDie(ways: readonly bigint[], sides: number): bigint[] {
  let window = 0n;
  return Array.from({ length: ways.length + sides - 1 }, (_, s) => {
    window += (ways[s] ?? 0n) - (ways[s - sides] ?? 0n);
    return window;
  });
}
