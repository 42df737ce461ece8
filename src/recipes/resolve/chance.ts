import { decimalFraction } from "../../decimals.js";
import { ROLL_SIDES } from "../../kernel/layout.js";
import type { ChanceSpec } from "../types.js";

/**
 * How many of the 101 values k of a roll succeed: k · power ≥ atLeast, or k · power > above, compared exactly, each number
 * in its shortest decimal form. Since power ≥ 0 these are the greatest values: k succeeds if k ≥ 101 − successes.
 *
 * @param power - finite and ≥ 0.
 */
export function successesOf(chance: ChanceSpec, power: number): number {
  const strict = "above" in chance;
  const threshold = strict ? chance.above : chance.atLeast;
  if (threshold < 0 || (threshold === 0 && !strict)) return ROLL_SIDES;
  const t = decimalFraction(threshold);
  const p = decimalFraction(power);
  if (p.numerator === 0n) return 0;
  // k > T/p from ⌊T/p⌋ + 1 on, k ≥ T/p from ⌈T/p⌉ on
  const dividend = t.numerator * p.denominator;
  const divisor = t.denominator * p.numerator;
  const least = strict ? dividend / divisor + 1n : (dividend + divisor - 1n) / divisor;
  return least > 100n ? 0 : ROLL_SIDES - Number(least);
}
