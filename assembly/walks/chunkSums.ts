// Adds up the chunks of several maps. The sum of chunks has a u32 count for each cell of a chunk. A count stops at 2^32
// − 1. The caller allocates the memory for the sums, and puts each chunk to add into the window. This file also narrows
// counts for storage, to as few bytes as possible.

import { window } from "../core/buffers";
import { CHUNK_CELLS } from "./layout";

const CELL_BYTES: usize = sizeof<u32>();
const SUM_BYTES: usize = <usize>CHUNK_CELLS * CELL_BYTES;
const VECTOR_BYTES: usize = sizeof<v128>();

/** Adds the counts in the window to the sums of a chunk. A count has `width` bytes: 1, 2 or 4. */
export function addCounts(sums: usize, width: u32): void {
  if (width == sizeof<u8>()) addBytes(sums);
  else if (width == sizeof<u16>()) addHalves(sums);
  else addWords(sums);
}

function addBytes(sums: usize): void {
  const end = sums + SUM_BYTES;
  for (let from = window; sums < end; from += VECTOR_BYTES, sums += 4 * VECTOR_BYTES) {
    const bytes = v128.load(from);
    const low = i16x8.extend_low_i8x16_u(bytes);
    const high = i16x8.extend_high_i8x16_u(bytes);
    addFour(sums, i32x4.extend_low_i16x8_u(low));
    addFour(sums + VECTOR_BYTES, i32x4.extend_high_i16x8_u(low));
    addFour(sums + 2 * VECTOR_BYTES, i32x4.extend_low_i16x8_u(high));
    addFour(sums + 3 * VECTOR_BYTES, i32x4.extend_high_i16x8_u(high));
  }
}

function addHalves(sums: usize): void {
  const end = sums + SUM_BYTES;
  for (let from = window; sums < end; from += VECTOR_BYTES, sums += 2 * VECTOR_BYTES) {
    const halves = v128.load(from);
    addFour(sums, i32x4.extend_low_i16x8_u(halves));
    addFour(sums + VECTOR_BYTES, i32x4.extend_high_i16x8_u(halves));
  }
}

function addWords(sums: usize): void {
  const end = sums + SUM_BYTES;
  for (let from = window; sums < end; from += VECTOR_BYTES, sums += VECTOR_BYTES) addFour(sums, v128.load(from));
}

/**
 * Adds four counts to four sums. A result that overflows is less than the count that was added, and is replaced by the
 * maximum, 2^32 − 1.
 */
function addFour(sums: usize, counts: v128): void {
  const sum = i32x4.add(v128.load(sums), counts);
  v128.store(sums, v128.or(sum, i32x4.lt_u(sum, counts)));
}

/**
 * Merges the first visits of a chunk: `steps` and the window each have a u32 for every cell. Stores the smaller of
 * these two numbers at `steps`.
 */
export function leastSteps(steps: usize): void {
  const end = steps + SUM_BYTES;
  for (let from = window; steps < end; from += VECTOR_BYTES, steps += VECTOR_BYTES) {
    v128.store(steps, i32x4.min_u(v128.load(steps), v128.load(from)));
  }
}

// ── narrow counts ──

/**
 * Writes the counts of a chunk to the window, with 1, 2 or 4 bytes for each count: as few as the largest count needs.
 * Returns this number of bytes. `counts` is the address of the counts as u32. It may be in the window itself, because
 * each vector is read before it is overwritten.
 */
export function narrowCounts(counts: usize): u32 {
  const width = widthOf(counts);
  if (width == sizeof<u8>()) narrowToBytes(counts);
  else if (width == sizeof<u16>()) narrowToHalves(counts);
  else memory.copy(window, counts, SUM_BYTES);
  return width;
}

function widthOf(counts: usize): u32 {
  let bits = i32x4.splat(0);
  for (const end = counts + SUM_BYTES; counts < end; counts += VECTOR_BYTES) bits = v128.or(bits, v128.load(counts));
  if (!v128.any_true(v128.and(bits, i32x4.splat(~0xff)))) return sizeof<u8>();
  return v128.any_true(v128.and(bits, i32x4.splat(~0xffff))) ? sizeof<u32>() : sizeof<u16>();
}

function narrowToBytes(from: usize): void {
  let to = window;
  for (const end = from + SUM_BYTES; from < end; from += 4 * VECTOR_BYTES, to += VECTOR_BYTES) {
    const low = narrowToShorts(from);
    v128.store(to, i8x16.narrow_i16x8_u(low, narrowToShorts(from + 2 * VECTOR_BYTES)));
  }
}

function narrowToHalves(from: usize): void {
  let to = window;
  for (const end = from + SUM_BYTES; from < end; from += 2 * VECTOR_BYTES, to += VECTOR_BYTES) {
    v128.store(to, narrowToShorts(from));
  }
}

/** Reads eight u32 counts, all below 2^16. Returns them as u16. */
function narrowToShorts(from: usize): v128 {
  return i16x8.narrow_i32x4_u(v128.load(from), v128.load(from, VECTOR_BYTES));
}
