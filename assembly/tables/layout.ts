// What both sides of the boundary know of a table in the kernel.

/**
 * The head of a table. Rows and columns are flat arrays; only columns of weight > 0 are kept, in column order.
 *
 *        ┌────────────┐
 *     +0 │ rows       │  → TableRow for each row
 *     +4 │ sums       │  → prefix sum of the weights for each column, u32
 *     +8 │ targets    │  → target of each column, u32: a result, or JUMP + row
 *    +12 │ guide      │  → 2^bits codes for each row: what the top bits of a word decide
 *    +16 │ rowCount   │
 *    +20 │ wide       │  1 if a code takes 4 bytes; 0 if it takes 2
 *    +24 │ none       │  the code of a roll without a result: the number of results
 *    +28 │ guideShift │  32 − bits
 *        └────────────┘
 *
 * A code is a result, or a row to jump to, marked by its top bit. All ones: the top bits of the word do not decide.
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
 *     +8 │ total   │  sum of their weights
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

/** Whether a roll can visit a row. */
export const enum RowState {
  READY,
  /** A script of the row failed, or its weights exceed the maximum: a roll that visits the row fails. */
  POISONED,
}

/** The top bit of a target: the rest is a row. */
export const JUMP: u32 = 0x80000000;
