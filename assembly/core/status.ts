/** What a kernel call answers: never an exception. */
export const OK: u32 = 0;
/** The arena may not grow any further. */
export const OUT_OF_MEMORY: u32 = 1;
/** A roll visited more rows than the hop limit allows; `failedIndex` says which roll. */
export const TOO_MANY_HOPS: u32 = 2;
/** A roll visited a row whose script weight is not to be had; `failedRow` says which. */
export const POISONED_ROW: u32 = 3;
/** A walker left the range of its i32 coordinates. */
export const OFF_THE_MAP: u32 = 4;

/** A walker was to start on a closed cell, or on none of the grid's. */
export const NO_START: u32 = 5;

let offset: u32 = 0;
let row: u32 = 0;

/** Records where a batch failed. */
export function failAt(atOffset: u32, atRow: u32): void {
  offset = atOffset;
  row = atRow;
}

/** The place in the batch of the result that failed. */
export function failedOffset(): u32 {
  return offset;
}

/** The table row on which it failed. */
export function failedRow(): u32 {
  return row;
}
