// Where `makeMany` writes. Results of one number go to the window, longer ones to `rows`, large samples to a buffer of
// their own.

import { BATCH_RESULTS } from "../core/layout";
import { allocate } from "../core/memory";

export const rows = allocate((<usize>BATCH_RESULTS) << 2);
export const quantities = allocate((<usize>BATCH_RESULTS) << 2);

/** Returns where `makeMany` writes quantities, i32. */
export function quantitiesAddress(): usize {
  return quantities;
}
