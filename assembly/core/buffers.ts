// Fixed buffers that all bulk loops share, so that no loop allocates:
//
//   words     one span of random words
//   window    the results of one call; TypeScript copies them out. Loops store whole SIMD rows, up to two at once, so
//             the window has a margin at each end for lanes outside the results

import { BATCH_RESULTS } from "./layout";
import { allocate } from "./memory";
import { fillSpan, planeOf, SPAN_BLOCKS, SPAN_BYTES, SPAN_WORDS } from "./words";
import { ROW_BYTES } from "./xoshiro";

const MARGIN_BYTES: usize = 2 * ROW_BYTES;

export const words = allocate(SPAN_BYTES);
/** Holds BATCH_RESULTS results of up to 4 bytes. */
export const window = allocate(MARGIN_BYTES + ((<usize>BATCH_RESULTS) << 2) + MARGIN_BYTES) + MARGIN_BYTES;

export function windowAddress(): usize {
  return window;
}

/** Writes `end` words to the window, beginning with the first word of `block`. */
export function fillWindow(planeLow: u32, planeHigh: u32, block: u32, end: u32): void {
  const plane = planeOf(planeLow, planeHigh);
  for (let from: u32 = 0; from < end; from += SPAN_WORDS, block += SPAN_BLOCKS) {
    fillSpan(plane, block, window + ((<usize>from) << 2), min(SPAN_WORDS, end - from));
  }
}

/** Returns how many of the first `count` results in the window are `code`. A result has 4 bytes if `wide`, else 2. */
export function countCode(wide: u32, count: u32, code: u32): u32 {
  const end = window + ((<usize>count) << (1 + <usize>wide));
  const rows = end & ~(ROW_BYTES - 1);
  let found: u32 = 0;
  let at = window;
  for (; at < rows; at += ROW_BYTES) {
    const row = v128.load(at);
    const hits = wide
      ? i32x4.bitmask(i32x4.eq(row, i32x4.splat(code)))
      : i16x8.bitmask(i16x8.eq(row, i16x8.splat(<i16>code)));
    found += popcnt(hits);
  }
  for (; at < end; at += wide ? 4 : 2) found += u32((wide ? load<u32>(at) : <u32>load<u16>(at)) == code);
  return found;
}

/**
 * Replaces the first `count` results of the window, u32, by the ascending places of those that pass. The place of the
 * first result is `base`. A result passes if its byte in the table `passing` is 1; the byte of any other result is 0.
 * Returns how many pass.
 */
export function keepPassing(count: u32, passing: usize, base: u32): u32 {
  let out = window;
  const end = base + count;
  for (let at = window; base < end; at += sizeof<u32>(), ++base) {
    const passes = <usize>load<u8>(passing + load<u32>(at));
    // `out` is never after `at`. No branch, because the processor would often predict it wrongly
    store<u32>(out, base);
    out += passes << alignof<u32>();
  }
  return <u32>((out - window) >> alignof<u32>());
}

/**
 * Adds the first `count` results in the window to the u32 histogram at `counts`. A result has 4 bytes if `wide`,
 * else 2.
 */
export function countWindow(wide: u32, count: u32, counts: usize): void {
  if (wide) countCodes<u32>(count, counts);
  else countCodes<u16>(count, counts);
}

function countCodes<T>(count: u32, counts: usize): void {
  for (let i: usize = 0; i < <usize>count; ++i) {
    const cell = counts + ((<usize>load<T>(window + (i << alignof<T>()))) << 2);
    store<u32>(cell, load<u32>(cell) + 1);
  }
}
