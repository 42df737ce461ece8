// Decides a chance for each cell of a row. Cell (row, col) reads word(stream, row mod 2^32, col + 2^31). So the cells
// of a row read consecutive words of one plane.

import { below } from "../core/below";
import { words } from "../core/buffers";
import { BLOCK_BITS } from "../core/layout";
import { BLOCK_MASK, fillSpan, SPAN_WORDS, selectExtraWords, useStream } from "../core/words";
import { Share } from "./layout";
import { COUNT_BYTES, wordMask } from "./masks";

/** The column −2^31 has index 0. */
const FIRST_COL: i32 = i32.MIN_VALUE;

/** Returns the index of a column's word. */
export function indexOf(col: i32): u32 {
  return <u32>(col - FIRST_COL);
}

/** Returns the plane of a row's words. */
export function planeOfRow(row: i32): u64 {
  return <u64>(<u32>row);
}

/**
 * Fills `words` with words of a plane, for a caller that needs the words `index` … `index` + `count` − 1. Fills one
 * span, which begins at the block of word `index`. Returns how many of the needed words it contains.
 */
export function fillFrom(plane: u64, index: u32, count: i32): i32 {
  const offset = index & BLOCK_MASK;
  const filled = min(<i32>(SPAN_WORDS - offset), count);
  fillSpan(plane, index >>> BLOCK_BITS, words, offset + filled);
  return filled;
}

/** Returns the address of word `index`, after {@link fillFrom} was called with this index. */
export function wordAddress(index: u32): usize {
  return words + <usize>(index & BLOCK_MASK) * COUNT_BYTES;
}

/** Computes a mask for the cells (row, col) … (row, col + count − 1): 0xff if the chance holds for the cell, else 0. */
export function chanceMask(share: Share, row: i32, col: i32, count: i32, mask: usize): void {
  useStream(share.k0, share.k1);
  const plane = planeOfRow(row);
  let index = indexOf(col);
  while (count > 0) {
    const filled = fillFrom(plane, index, count);
    if (wordMask(wordAddress(index), share.bound, mask, filled)) settle(share, plane, index, filled, mask);
    index += filled;
    mask += filled;
    count -= filled;
  }
}

/** Corrects the mask for each word that equals the bound. For such a word, extra words decide. */
function settle(share: Share, plane: u64, index: u32, count: i32, mask: usize): void {
  const from = wordAddress(index);
  for (let i = 0; i < count; ++i) {
    if (load<u32>(from + <usize>i * COUNT_BYTES) != share.bound) continue;
    selectExtraWords(plane, (index + i) >>> BLOCK_BITS, (index + i) & BLOCK_MASK);
    if (below(share.bound, share.whole) >= share.part) store<u8>(mask + i, 0);
  }
}
