import { decimalFraction } from "../../decimals.js";
import { ROLL_SIDES } from "../../kernel/layout.js";
import type { ChanceSpec } from "../types.js";

/**
 * Returns how many of the values k = 0 … 100 of a roll succeed, with k · power ≥ `atLeast` or > `above`. The comparison
 * is exact: 0.1 is 1/10. The power is ≥ 0, so the largest values succeed: k ≥ 101 − successes.
 */
export function successesOf(chance: ChanceSpec, power: number): number {
  const strict = "above" in chance;
  const threshold = strict ? chance.above : chance.atLeast;
  if (threshold < 0 || (threshold === 0 && !strict)) return ROLL_SIDES;
  const t = decimalFraction(threshold);
  const p = decimalFraction(power);
  if (p.numerator === 0n) return 0;
  // for the power p and the threshold t: the smallest k with k · p > t is ⌊t/p⌋ + 1, and with k · p ≥ t it is ⌈t/p⌉
  const dividend = t.numerator * p.denominator;
  const divisor = t.denominator * p.numerator;
  const least = strict ? dividend / divisor + 1n : (dividend + divisor - 1n) / divisor;
  return least > 100n ? 0 : ROLL_SIDES - Number(least);
}
