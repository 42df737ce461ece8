// The memory of a table. `npm run build:kernel` writes src/kernel/layout.ts from this file, for TypeScript.

/**
 * The head of a table. Rows and columns are flat arrays. Only columns with a weight > 0 are stored, in column order.
 *
 *        ┌────────────┐
 *     +0 │ rows       │  → TableRow for each row
 *     +4 │ sums       │  → prefix sum of the weights for each column, u32
 *     +8 │ targets    │  → target of each column, u32: a result, or JUMP + row
 *    +12 │ guide      │  → 2^bits codes for each row: the outcome that the top bits of a word decide
 *    +16 │ rowCount   │
 *    +20 │ wide       │  1 if a code takes 4 bytes; 0 if it takes 2
 *    +24 │ none       │  the code of a roll without a result, equal to the number of results
 *    +28 │ guideShift │  32 − bits
 *        └────────────┘
 *
 * A code is a result or a jump to a row. The top bit of a jump is 1. A code of all ones means that the top bits of the
 * word do not decide the outcome.
 */
@unmanaged
export class TableHead {
  rows: usize;
  sums: usize;
  targets: usize;
  guide: usize;
  rowCount: u32;
  wide: u32;
  none: u32;
  guideShift: u32;
}

/**
 * A row.
 *
 *        ┌─────────┐
 *     +0 │ first   │  index of its first column
 *     +4 │ columns │  number of columns
 *     +8 │ total   │  sum of the weights of its columns
 *    +12 │ state   │  RowState
 *        └─────────┘
 */
@unmanaged
export class TableRow {
  first: u32;
  columns: u32;
  total: u32;
  state: u32;
}

/** Whether rolls can use a row. */
export const enum RowState {
  READY,
  /** A script of the row failed, or its weights exceed the maximum. A roll that visits the row fails. */
  POISONED,
}

/** This bit marks a target as a jump. The remaining bits are the number of the row to jump to. */
export const JUMP: u32 = 0x80000000;
