// A directory finds records by their (row, col): open addressing over record addresses, at most half full.
//
//   +0 slots' address   +4 slots − 1   +8 records   +12 first record   +16 last record
//
// A record begins with  +0 row  +4 col  +8 next record, in order of creation.

import { allocateZeroed } from "../core/memory";

const SLOTS: usize = 0;
const SLOT_MASK: usize = 4;
const COUNT: usize = 8;
const FIRST: usize = 12;
const LAST: usize = 16;
const DIRECTORY_BYTES: usize = 32;
const FIRST_SLOTS: u32 = 16;

export const RECORD_ROW: usize = 0;
export const RECORD_COL: usize = 4;
export const RECORD_NEXT: usize = 8;

/** An empty directory, or 0 when memory runs out. */
export function createDirectory(): usize {
  const directory = allocateZeroed(DIRECTORY_BYTES);
  const slots = allocateZeroed((<usize>FIRST_SLOTS) << 2);
  if (!directory || !slots) return 0;
  store<u32>(directory, <u32>slots, SLOTS);
  store<u32>(directory, FIRST_SLOTS - 1, SLOT_MASK);
  return directory;
}

/** The record at (row, col), or 0. */
export function find(directory: usize, row: i32, col: i32): usize {
  return load<u32>(slotOf(directory, row, col));
}

/** Adds a record whose row and col are set and new to the directory; false when memory runs out. */
export function insert(directory: usize, record: usize): bool {
  const count = load<u32>(directory, COUNT) + 1;
  if (count * 2 > load<u32>(directory, SLOT_MASK) + 1 && !widen(directory)) return false;
  store<u32>(directory, count, COUNT);
  place(directory, record);
  const last = <usize>load<u32>(directory, LAST);
  store<u32>(record, 0, RECORD_NEXT);
  if (last) store<u32>(last, <u32>record, RECORD_NEXT);
  else store<u32>(directory, <u32>record, FIRST);
  store<u32>(directory, <u32>record, LAST);
  return true;
}

/** The first record made, or 0; the others follow by RECORD_NEXT. */
export function firstRecord(directory: usize): usize {
  return load<u32>(directory, FIRST);
}

/** How many records there are. */
export function recordCount(directory: usize): u32 {
  return load<u32>(directory, COUNT);
}

function widen(directory: usize): bool {
  const size = (load<u32>(directory, SLOT_MASK) + 1) * 2;
  const slots = allocateZeroed((<usize>size) << 2);
  if (!slots) return false;
  store<u32>(directory, <u32>slots, SLOTS);
  store<u32>(directory, size - 1, SLOT_MASK);
  for (let record = firstRecord(directory); record; record = load<u32>(record, RECORD_NEXT)) place(directory, record);
  return true;
}

function place(directory: usize, record: usize): void {
  store<u32>(slotOf(directory, load<i32>(record, RECORD_ROW), load<i32>(record, RECORD_COL)), <u32>record);
}

/** The slot that holds (row, col), or the empty one where it would go. */
function slotOf(directory: usize, row: i32, col: i32): usize {
  const slots = <usize>load<u32>(directory, SLOTS);
  const slotMask = load<u32>(directory, SLOT_MASK);
  // Fibonacci hashing spreads neighbours: 2^32 / φ, odd
  let at = (((<u32>row * 0x9e3779b1) ^ <u32>col) * 0x9e3779b1) >>> 7;
  while (true) {
    const slot = slots + ((<usize>(at & slotMask)) << 2);
    const record = <usize>load<u32>(slot);
    if (!record || (load<i32>(record, RECORD_ROW) == row && load<i32>(record, RECORD_COL) == col)) return slot;
    ++at;
  }
}
