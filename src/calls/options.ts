import { checkInteger } from "../spec/index.js";

export const MAX_INDEX = 2 ** 42;

/** Options of a call that makes one result. */
export interface AtOptions {
  /** Index of the result, 0 … 2^42 − 1. Default: the noun's `next`. Only a call without `at` advances `next`. */
  readonly at?: number | undefined;
}

/**
 * Checks that `from` … `from + count − 1` are valid indices.
 *
 * @throws RollmillError `argument.range` if a number is not an integer ≥ 0, or if an index would be 2^42 or more.
 */
export function checkRange(from: number, count: number): void {
  checkInteger("from", from, 0, MAX_INDEX - 1);
  checkInteger("the number of results", count, 0, MAX_INDEX - from);
}
