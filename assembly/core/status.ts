// Where a call failed.

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
