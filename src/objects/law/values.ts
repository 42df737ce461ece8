import { DEPTHS } from "../../kernel/layout.js";
import type { DepthRange, RandomValue } from "../types.js";

export const MAX_DEPTH = DEPTHS - 1;

export function rangeOf({ base, dice: count, sides, bonus, negated }: RandomValue): DepthRange {
  const [least, most] = [base + count, base + count * sides + bonus];
  // 0 − x instead of −x, because −0 and 0 differ in deep comparisons
  return negated ? { least: 0 - most, most: 0 - least } : { least, most };
}
