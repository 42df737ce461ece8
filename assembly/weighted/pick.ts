// Weighted lists: pick k is an alias pick with word k of plane 0.

import { GROUP, pickOne, pickRows } from "../core/alias";
import { window, words } from "../core/buffers";
import { fillRange, SPAN_BLOCKS, SPAN_WORDS, selectExtraWords } from "../core/words";

const PLANE: u32 = 0;

/**
 * Picks `count` ≤ BATCH_RESULTS entries, and writes them to the window as u32. The first pick reads the word at
 * `offset` in `block`; `offset` is < BLOCK_WORDS.
 */
export function pickList(list: usize, block: u32, offset: u32, count: u32): void {
  let out = window;
  while (count) {
    const end = min(SPAN_WORDS, offset + count);
    fillRange(PLANE, block, words, offset, end);
    pickSpan(list, block, offset, end, out - ((<usize>offset) << 2));
    out += (<usize>(end - offset)) << 2;
    count -= end - offset;
    offset = 0;
    block += SPAN_BLOCKS;
  }
}

/**
 * Makes the picks `offset` … `end` − 1 of one span, in groups of eight. The groups begin at multiples of 8. If a word
 * of a group ties (core/alias.ts), picks the eight entries of this group one by one.
 */
function pickSpan(list: usize, block: u32, offset: u32, end: u32, out: usize): void {
  let i = pickRows(list, words, out, offset & ~(GROUP - 1), end);
  while (i < end) {
    for (let lane: u32 = 0; lane < GROUP; ++lane, ++i) {
      selectExtraWords(PLANE, block, i);
      store<u32>(out + ((<usize>i) << 2), pickOne(list, load<u32>(words + ((<usize>i) << 2))));
    }
    i = pickRows(list, words, out, i, end);
  }
}
