// Masks of a row. A mask has one byte for each cell: 0xff if a condition holds for the cell, 0 if not.

import { Vectors } from "../core/vectors";
import { BAND_ROWS, BLOCK_COLS, LANE_CELLS } from "./layout";

/** Size of a count. */
export const COUNT_BYTES: usize = sizeof<u32>();
/** Size of the counts, or of the words, of LANE_CELLS cells. */
const VECTORS_BYTES: usize = offsetof<Vectors>();

/** Computes the mask of the cells whose counts are in the range least … least + span, inclusive. */
export function rangeMask(counts: usize, least: u32, span: u32, mask: usize, width: usize): void {
  const first = i32x4.splat(least);
  const most = i32x4.splat(span);
  for (const end = mask + width; mask < end; mask += LANE_CELLS) {
    const a = i32x4.sub(changetype<Vectors>(counts).a, first);
    const b = i32x4.sub(changetype<Vectors>(counts).b, first);
    const c = i32x4.sub(changetype<Vectors>(counts).c, first);
    const d = i32x4.sub(changetype<Vectors>(counts).d, first);
    v128.store(mask, packAtMost(a, b, c, d, most));
    counts += <usize>LANE_CELLS * COUNT_BYTES;
  }
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
      v128.store(mask + col, packAtMost(a, b, c, d, most));
      const ab = v128.or(i32x4.eq(a, most), i32x4.eq(b, most));
      const cd = v128.or(i32x4.eq(c, most), i32x4.eq(d, most));
      equal = v128.or(equal, v128.or(ab, cd));
      words += <usize>LANE_CELLS * COUNT_BYTES;
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
  return <u64>i8x16.bitmask(packAtMost(four.a, four.b, four.c, four.d, most));
}

/** Compares four vectors of u32 with a maximum, and packs the sixteen results into one vector of bytes. */
function packAtMost(a: v128, b: v128, c: v128, d: v128, most: v128): v128 {
  return i8x16.narrow_i16x8_s(
    i16x8.narrow_i32x4_s(i32x4.le_u(a, most), i32x4.le_u(b, most)),
    i16x8.narrow_i32x4_s(i32x4.le_u(c, most), i32x4.le_u(d, most)),
  );
}

/** Computes the mask of the cells whose distance is at most `most`. */
export function withinMask(distances: usize, most: u32, mask: usize, width: usize): void {
  const limit = i8x16.splat(<i8>most);
  for (const end = mask + width; mask < end; mask += LANE_CELLS) {
    v128.store(mask, i8x16.le_u(v128.load(distances), limit));
    distances += LANE_CELLS;
  }
}

/** Copies a mask. */
export function copyMask(from: usize, mask: usize, width: usize): void {
  for (const end = mask + width; mask < end; mask += LANE_CELLS, from += LANE_CELLS) v128.store(mask, v128.load(from));
}

/** Replaces the mask at `mask` by its intersection with the mask at `other`. */
export function andMask(mask: usize, other: usize, width: usize): void {
  for (const end = mask + width; mask < end; mask += LANE_CELLS) {
    v128.store(mask, v128.and(v128.load(mask), v128.load(other)));
    other += LANE_CELLS;
  }
}

/** Replaces the mask at `mask` by its union with the mask at `other`. */
export function orMask(mask: usize, other: usize, width: usize): void {
  for (const end = mask + width; mask < end; mask += LANE_CELLS) {
    v128.store(mask, v128.or(v128.load(mask), v128.load(other)));
    other += LANE_CELLS;
  }
}

export function invertMask(mask: usize, width: usize): void {
  for (const end = mask + width; mask < end; mask += LANE_CELLS) v128.store(mask, v128.not(v128.load(mask)));
}
