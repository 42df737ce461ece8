// A directory finds entries by (row, col). It is a hash table with open addressing, and at most half of its slots are
// used. A slot has a copy of the row and column of its entry, so a search reads only slots. This is faster, because
// entries are far apart in memory: a search would wait for the memory at each entry.

import { allocateZeroed } from "../core/memory";

/**
 * The head of a directory. The number of slots is a power of two.
 *
 *   0       4          8       12      16     20
 *   ├─ slots ─┼─ slotMask ─┼─ count ─┼─ first ─┼─ last ─┤
 */
@unmanaged
export class Directory {
  slots: usize;
  /** Number of slots − 1. */
  slotMask: u32;
  count: u32;
  /** Address of the oldest entry, or 0. The `next` fields link the entries from the oldest to the newest. */
  first: usize;
  last: usize;
}

/**
 * The head of every entry.
 *
 *   0     4     8      12
 *   ├─ row ─┼─ col ─┼─ next ─┤
 */
@unmanaged
export class Entry {
  row: i32;
  col: i32;
  /** Address of the entry that was added next, or 0. */
  next: usize;
}

/** A slot of the hash table. `entry` is the address of the entry at (row, col), or 0 if the slot is free. */
@unmanaged
class Slot {
  row: i32;
  col: i32;
  entry: usize;
}

const FIRST_SLOTS: u32 = 16;

/**
 * A directory of c entries has allocated at most c · SLOTS_PER_ENTRY slots since it was created, not counting its first
 * array of slots. Proof: an array of S slots replaces an array of S / 2 slots when the entries would fill more than
 * half of the old array, so S / 4 < c. Therefore the present array has at most 4c slots. Each earlier array was half as
 * long as the next one, so all arrays together have less than 8c slots.
 */
const SLOTS_PER_ENTRY: u32 = 8;
/** Upper bound of the memory for slots: this many bytes for each entry, not counting the first array of slots. */
export const SLOT_BYTES_PER_ENTRY: usize = <usize>SLOTS_PER_ENTRY * offsetof<Slot>();

/** Creates an empty directory. Returns 0 if memory runs out. */
export function createDirectory(): usize {
  const at = allocateZeroed(offsetof<Directory>());
  const slots = allocateZeroed(bytesOfSlots(FIRST_SLOTS));
  if (!at || !slots) return 0;
  const directory = changetype<Directory>(at);
  directory.slots = slots;
  directory.slotMask = FIRST_SLOTS - 1;
  return at;
}

/** Returns the address of the entry at (row, col), or 0. */
export function find(directory: Directory, row: i32, col: i32): usize {
  return slotOf(directory, row, col).entry;
}

/**
 * Adds an entry. The directory must not have an entry with the same (row, col) yet. Returns false if memory runs out.
 */
export function insert(directory: Directory, entry: Entry): bool {
  const count = directory.count + 1;
  if (count * 2 > directory.slotMask + 1 && !widen(directory)) return false;
  directory.count = count;
  const at = changetype<usize>(entry);
  place(directory, entry.row, entry.col, at);
  entry.next = 0;
  if (directory.last) changetype<Entry>(directory.last).next = at;
  else directory.first = at;
  directory.last = at;
  return true;
}

function widen(directory: Directory): bool {
  const before = directory.slots;
  const end = before + bytesOfSlots(directory.slotMask + 1);
  const size = (directory.slotMask + 1) * 2;
  const slots = allocateZeroed(bytesOfSlots(size));
  if (!slots) return false;
  directory.slots = slots;
  directory.slotMask = size - 1;
  for (let at = before; at < end; at += offsetof<Slot>()) {
    const slot = changetype<Slot>(at);
    if (slot.entry) place(directory, slot.row, slot.col, slot.entry);
  }
  return true;
}

function bytesOfSlots(slots: u32): usize {
  return <usize>slots * offsetof<Slot>();
}

function place(directory: Directory, row: i32, col: i32, entry: usize): void {
  const slot = slotOf(directory, row, col);
  slot.row = row;
  slot.col = col;
  slot.entry = entry;
}

/** Returns the slot of the entry at (row, col). If this entry is missing, returns the free slot for it. */
function slotOf(directory: Directory, row: i32, col: i32): Slot {
  const slots = directory.slots;
  const slotMask = directory.slotMask;
  // Fibonacci hashing spreads neighbouring cells: the factor is 2^32 / φ rounded to an odd number, with the golden
  // ratio φ
  let at = (((<u32>row * 0x9e3779b1) ^ <u32>col) * 0x9e3779b1) >>> 7;
  while (true) {
    const slot = changetype<Slot>(slots + bytesOfSlots(at & slotMask));
    if (!slot.entry || (slot.row == row && slot.col == col)) return slot;
    ++at;
  }
}
