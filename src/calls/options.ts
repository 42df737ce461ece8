import { checkInteger } from "../spec/index.js";

/** Number of indices. An index is 0 … 2^42 − 1. */
export const MAX_INDEX = 2 ** 42;

/** Options of a call that makes one result. */
export interface AtOptions {
  /** Index of the result, 0 … 2^42 − 1. Default: the generator's `next`, which then advances. */
  readonly at?: number | undefined;
}

/**
 * Checks that from … from + count − 1 is a range of indices.
 *
 * @throws RollmillError `argument.range` if a number is not an integer ≥ 0, or an index would be 2^42 or more.
 */
export function checkRange(from: number, count: number): void {
  checkInteger("from", from, 0, MAX_INDEX - 1);
  checkInteger("the number of results", count, 0, MAX_INDEX - from);
}
