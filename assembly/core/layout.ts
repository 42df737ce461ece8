// Constants and codes for all systems. The kernel and TypeScript share them. `npm run build:kernel` writes
// src/kernel/layout.ts from this file and from the layout.ts of each system.

/** The result of a kernel call. The kernel never throws. */
export const enum Status {
  OK,
  /** The kernel's memory cannot grow any further. */
  OUT_OF_MEMORY,
  /** A roll visited more rows than the hop limit allows. `failedOffset` returns the position of this roll. */
  TOO_MANY_HOPS,
  /** A roll visited a row whose weights are invalid. `failedRow` returns this row. */
  POISONED_ROW,
  /** The start cell of a walker is closed or outside the grid. */
  NO_START,
}

/** A block is 1,024 consecutive words from one generator. The index of a word is block · 1,024 + offset. */
export const BLOCK_BITS: u32 = 10;
export const BLOCK_WORDS: u32 = 1 << BLOCK_BITS;

/** Rows of cells are padded to a multiple of this number, because loops handle this many bytes at once. */
export const LANE_CELLS: u32 = 16;

/**
 * A block of random words has the words of BAND_ROWS × BLOCK_COLS cells (docs/determinism.md). BAND_ROWS · BLOCK_COLS
 * equals BLOCK_WORDS.
 */
export const BAND_ROWS: i32 = 16;
export const BLOCK_COLS: i32 = 64;

/** Capacity of the window: the maximum number of results of one bulk call. */
export const BATCH_RESULTS: u32 = 1 << 16;

/**
 * The head of an alias table of N = 2^k columns (core/alias.ts).
 *
 *        ┌─────────┐
 *     +0 │ bits    │  k: the top k bits of a word choose the column
 *     +4 │ total   │  sum of the weights
 *     +8 │ columns │  → N columns, u32
 *    +12 │ shares  │  → N shares, u32; before the build, the weights
 *        └─────────┘
 */
@unmanaged
export class AliasHead {
  bits: u32;
  total: u32;
  columns: usize;
  shares: usize;
}

/**
 * An amount: `least` plus the sum of `count` dice, each uniform on 0 … sides − 1.
 *
 *        ┌─────────┐
 *     +0 │ least   │  i32, the value if every die shows its lowest face
 *     +4 │ count   │  number of dice
 *     +8 │ sides   │
 *        └─────────┘
 */
@unmanaged
export class AmountRecord {
  least: i32;
  count: u32;
  sides: u32;
}

/**
 * A probability part / whole with 0 < part ≤ whole, and the key of its random words.
 *
 *   0    4    8      12      16
 *   ├─ k0 ─┼─ k1 ─┼─ part ─┼─ whole ─┼─ bound ─┤
 */
@unmanaged
export class Share {
  k0: u32;
  k1: u32;
  part: u32;
  whole: u32;
  /**
   * ⌊part · 2^32 / whole⌋. The chance holds for a word below the bound, and not for a word above it. For a word equal
   * to the bound, extra words decide.
   */
  bound: u32;
}
