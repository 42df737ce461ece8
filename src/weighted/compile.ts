import { scaleToIntegers } from "../decimals.js";
import { error, fail, failOnErrors } from "../errors/index.js";

/** The most entries of a weighted list: 2^24. */
export const MAX_ENTRIES = 2 ** 24;

/** A weighted list as the kernel takes it: integer weights, total 1 … 2^32 − 1. */
export interface WeightedPlan {
  readonly weights: Uint32Array;
  readonly total: number;
}

/**
 * Turns weights into a plan, exactly: decimals are scaled by the least power of ten that makes them all integers.
 * Cost: O(n).
 *
 * @throws RollmillError `weights.invalid` (an entry that is not a finite number ≥ 0), `weights.overflow` and
 * `weights.decimals` (a total over 2^32 − 1), `weights.empty` (no entry, no positive weight, more than 2^24 entries).
 */
export function compileWeighted(weights: ArrayLike<number>): WeightedPlan {
  if (!isList(weights)) {
    const expected = "an array or a typed array of numbers";
    return fail(error("argument.type", { problem: "the weights are not usable", got: weights, expected }));
  }
  if (weights.length === 0 || weights.length > MAX_ENTRIES) {
    const expected = `1 to ${MAX_ENTRIES} weights`;
    return fail(error("weights.empty", { problem: "a list cannot be this long", got: weights.length, expected }));
  }
  const { scaled, issues } = scaleToIntegers(Array.from(weights), { path: "weights" });
  failOnErrors(issues);
  if (scaled === undefined || scaled.total === 0) {
    const remedy = "Give at least one entry a positive weight";
    return fail(error("weights.empty", { problem: "every weight is 0, so no entry can win", remedy }));
  }
  return { weights: Uint32Array.from(scaled.integers), total: scaled.total };
}

function isList(value: unknown): value is ArrayLike<number> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}
