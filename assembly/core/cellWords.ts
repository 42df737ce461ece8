// The random words of cells (docs/determinism.md). A block of words belongs to a rectangle of BAND_ROWS × BLOCK_COLS
// cells. If a block belonged to a part of a single row, each row of a rectangle would need up to two more blocks for
// the few columns at its two ends, and nearly all words of these blocks would be unused. A band is BAND_ROWS rows,
// which share their blocks.

import { words } from "./buffers";
import { BAND_ROWS, BLOCK_COLS, BLOCK_WORDS, LANE_CELLS } from "./layout";
import { Vectors } from "./vectors";
import { BLOCK_BYTES, fillSpan, SPAN_BLOCKS, selectExtraWords } from "./words";

const BAND_BITS: i32 = ctz(BAND_ROWS);
const COL_BITS: i32 = ctz(BLOCK_COLS);
export const WORD_BYTES: usize = sizeof<u32>();
/** Size of the words of LANE_CELLS cells, in bytes. */
const VECTORS_BYTES: usize = offsetof<Vectors>();
/** Size of the words of one row of a block, in bytes. */
export const ROW_WORDS_BYTES: usize = <usize>BLOCK_COLS * WORD_BYTES;

/** Returns the index of a row in its band. */
export function rowInBand(row: i32): i32 {
  return row & (BAND_ROWS - 1);
}

/** Returns the index of a column in its block. */
export function colInBlock(col: i32): i32 {
  return col & (BLOCK_COLS - 1);
}

/** Returns the number of the block that has the words of a column. The column −2^31 is in block 0. */
export function blockOf(col: i32): u32 {
  return <u32>((col >> COL_BITS) - (i32.MIN_VALUE >> COL_BITS));
}

/** Returns the plane that has the random words of a row's band. */
function planeOf(row: i32): u64 {
  return <u64>(<u32>(row >> BAND_BITS));
}

/**
 * Fills `words` with the blocks `block` … `end` − 1 of a row's band. If a span has no room for all these blocks, fills
 * only the first blocks. Returns the number of filled blocks.
 */
export function fillBlocks(row: i32, block: u32, end: u32): u32 {
  const count = min(SPAN_BLOCKS, end - block);
  fillSpan(planeOf(row), block, words, count * BLOCK_WORDS);
  return count;
}

/** Returns the address of the k-th block in `words`. The words of a block are sorted by row, then by column. */
export function blockWords(k: u32): usize {
  return words + <usize>k * BLOCK_BYTES;
}

/** Selects the extra words of a cell of a block. */
export function selectCell(row: i32, block: u32, colInBlock: i32): void {
  selectExtraWords(planeOf(row), block, (rowInBand(row) << COL_BITS) | colInBlock);
}

/**
 * Writes one mask for each row of a block of words: 0xff for a word that is at most `bound`, 0 for a greater word.
 * Returns true if at least one word equals `bound`.
 */
export function blockMask(words: usize, bound: u32, mask: usize, strideBytes: usize): bool {
  const most = i32x4.splat(bound);
  let equal = i32x4.splat(0);
  for (const end = mask + <usize>BAND_ROWS * strideBytes; mask < end; mask += strideBytes) {
    for (let col: usize = 0; col < <usize>BLOCK_COLS; col += LANE_CELLS) {
      const a = changetype<Vectors>(words).a;
      const b = changetype<Vectors>(words).b;
      const c = changetype<Vectors>(words).c;
      const d = changetype<Vectors>(words).d;
      v128.store(mask + col, Vectors.packAtMost(a, b, c, d, most));
      const ab = v128.or(i32x4.eq(a, most), i32x4.eq(b, most));
      const cd = v128.or(i32x4.eq(c, most), i32x4.eq(d, most));
      equal = v128.or(equal, v128.or(ab, cd));
      words += VECTORS_BYTES;
    }
  }
  return v128.any_true(equal);
}

/**
 * Stores a bit for each word of a block, row by row: 1 if the word is at most `bound`. A row takes 64 bits. Each row is
 * stored `strideBytes` after the row before it.
 */
export function blockBits(words: usize, bound: u32, bits: usize, strideBytes: usize): void {
  const most = i32x4.splat(bound);
  for (const end = bits + <usize>BAND_ROWS * strideBytes; bits < end; bits += strideBytes) {
    let row: u64 = 0;
    for (let col: u64 = 0; col < <u64>BLOCK_COLS; col += LANE_CELLS) {
      row |= atMostBits(words, most) << col;
      words += VECTORS_BYTES;
    }
    store<u64>(bits, row);
  }
}

/** Compares sixteen u32 with a maximum. Returns a bit for each u32: 1 if it is at most the maximum. */
function atMostBits(words: usize, most: v128): u64 {
  const four = changetype<Vectors>(words);
  return <u64>i8x16.bitmask(Vectors.packAtMost(four.a, four.b, four.c, four.d, most));
}
