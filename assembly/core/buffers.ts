// Fixed buffers that every bulk loop shares: nothing is allocated while results are made.
//
//   words     the span of random words being consumed
//   window    where results wait to be copied out; a margin on both sides lets SIMD rows overhang

import { BATCH_RESULTS } from "./layout";
import { allocate } from "./memory";
import { fillSpan, SPAN_BLOCKS, SPAN_BYTES, SPAN_WORDS } from "./words";

const MARGIN_BYTES: usize = 16;

/** One span of words. */
export const words = allocate(SPAN_BYTES);
/** BATCH_RESULTS results of up to 4 bytes. */
export const window = allocate(MARGIN_BYTES + ((<usize>BATCH_RESULTS) << 2) + MARGIN_BYTES) + MARGIN_BYTES;

/** Byte address of the result window. */
export function windowAddress(): usize {
  return window;
}

/** Writes the first `end` words of consecutive blocks to the window, whole blocks but for the last. */
export function fillWindow(purpose: u32, plane: u32, block: u32, end: u32): void {
  for (let from: u32 = 0; from < end; from += SPAN_WORDS, block += SPAN_BLOCKS) {
    fillSpan(purpose, plane, block, window + ((<usize>from) << 2), min(SPAN_WORDS, end - from));
  }
}

/** How many of the first `count` results in the window, 4 bytes wide or 2, are `code`. */
export function countCode(wide: u32, count: u32, code: u32): u32 {
  const end = window + ((<usize>count) << (1 + <usize>wide));
  const rows = end & ~15;
  let found: u32 = 0;
  let at = window;
  for (; at < rows; at += 16) {
    const row = v128.load(at);
    const hits = wide
      ? i32x4.bitmask(i32x4.eq(row, i32x4.splat(code)))
      : i16x8.bitmask(i16x8.eq(row, i16x8.splat(<i16>code)));
    found += popcnt(hits);
  }
  for (; at < end; at += wide ? 4 : 2) found += u32((wide ? load<u32>(at) : <u32>load<u16>(at)) == code);
  return found;
}

/** Adds `count` results in the window, 4 bytes wide or 2, to the u32 histogram at `counts`. */
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
