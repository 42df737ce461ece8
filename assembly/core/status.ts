// The place at which the last call failed.

let offset: u32 = 0;
let row: u32 = 0;

export function failAt(atOffset: u32, atRow: u32): void {
  offset = atOffset;
  row = atRow;
}

/** Returns the position of the failed result in the batch, from 0. */
export function failedOffset(): u32 {
  return offset;
}

/** Returns the table row at which the last call failed. */
export function failedRow(): u32 {
  return row;
}
