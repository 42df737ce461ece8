// Fixed buffers that every bulk loop shares: nothing is allocated while results are made.
//
//   words     the block of random words being consumed
//   window    where results wait to be copied out; a margin on both sides lets SIMD rows overhang

import { allocate } from "./memory";
import { BLOCK_BYTES } from "./words";

/** Results per bulk call. */
export const WINDOW_RESULTS: u32 = 1 << 16;
const MARGIN_BYTES: usize = 16;

/** One block of words. */
export const words = allocate(BLOCK_BYTES);
/** WINDOW_RESULTS results of up to 4 bytes. */
export const window = allocate(MARGIN_BYTES + ((<usize>WINDOW_RESULTS) << 2) + MARGIN_BYTES) + MARGIN_BYTES;

/** Byte address of the result window. */
export function windowAddress(): usize {
  return window;
}

/** How many results fit the window. */
export function windowResults(): u32 {
  return WINDOW_RESULTS;
}
