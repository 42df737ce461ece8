// xoshiro128++ 1.0 in four SIMD lanes: Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021),
// https://prng.di.unimi.it/xoshiro128plusplus.c

import { allocate } from "./memory";

/**
 * The states of four generators, one in each lane. s_w holds word w of all four states. Philox uses the same layout for
 * its results.
 *
 *          lane 0   lane 1   lane 2   lane 3
 *   + 0    ├──────────────  s0  ─────────────┤
 *   + 16   ├──────────────  s1  ─────────────┤
 *   + 32   ├──────────────  s2  ─────────────┤
 *   + 48   ├──────────────  s3  ─────────────┤
 */
@unmanaged
export class Lanes {
  s0: v128;
  s1: v128;
  s2: v128;
  s3: v128;
}

export const STATE_BYTES: usize = offsetof<Lanes>();
/** Size of a row of output, in bytes: one word of each of the four lanes. */
export const ROW_BYTES: usize = 16;
/** log2 of ROW_BYTES. */
const ROW_SHIFT: usize = 4;
const LANE_BYTES: usize = 4;

/** Writes `rows` rows of output to `out`, and advances the state. */
export function fillRows(state: usize, out: usize, rows: u32): void {
  const lanes = changetype<Lanes>(state);
  let s0 = lanes.s0;
  let s1 = lanes.s1;
  let s2 = lanes.s2;
  let s3 = lanes.s3;
  for (const end = out + ((<usize>rows) << ROW_SHIFT); out < end; out += ROW_BYTES) {
    const sum = i32x4.add(s0, s3);
    v128.store(out, i32x4.add(v128.or(i32x4.shl(sum, 7), i32x4.shr_u(sum, 25)), s0));
    const shifted = i32x4.shl(s1, 9);
    s2 = v128.xor(s2, s0);
    s3 = v128.xor(s3, s1);
    s1 = v128.xor(s1, s2);
    s0 = v128.xor(s0, s3);
    s2 = v128.xor(s2, shifted);
    s3 = v128.or(i32x4.shl(s3, 11), i32x4.shr_u(s3, 21));
  }
  lanes.s0 = s0;
  lanes.s1 = s1;
  lanes.s2 = s2;
  lanes.s3 = s3;
}

/**
 * Like two calls of {@link fillRows}, but faster: the processor computes one state while it waits for results of the
 * other.
 */
export function fillRowsOfTwo(stateA: usize, outA: usize, stateB: usize, outB: usize, rows: u32): void {
  const lanesA = changetype<Lanes>(stateA);
  const lanesB = changetype<Lanes>(stateB);
  let a0 = lanesA.s0;
  let a1 = lanesA.s1;
  let a2 = lanesA.s2;
  let a3 = lanesA.s3;
  let b0 = lanesB.s0;
  let b1 = lanesB.s1;
  let b2 = lanesB.s2;
  let b3 = lanesB.s3;
  for (let at: usize = 0, end = (<usize>rows) << ROW_SHIFT; at < end; at += ROW_BYTES) {
    const sumA = i32x4.add(a0, a3);
    const sumB = i32x4.add(b0, b3);
    v128.store(outA + at, i32x4.add(v128.or(i32x4.shl(sumA, 7), i32x4.shr_u(sumA, 25)), a0));
    v128.store(outB + at, i32x4.add(v128.or(i32x4.shl(sumB, 7), i32x4.shr_u(sumB, 25)), b0));
    const shiftedA = i32x4.shl(a1, 9);
    const shiftedB = i32x4.shl(b1, 9);
    a2 = v128.xor(a2, a0);
    b2 = v128.xor(b2, b0);
    a3 = v128.xor(a3, a1);
    b3 = v128.xor(b3, b1);
    a1 = v128.xor(a1, a2);
    b1 = v128.xor(b1, b2);
    a0 = v128.xor(a0, a3);
    b0 = v128.xor(b0, b3);
    a2 = v128.xor(a2, shiftedA);
    b2 = v128.xor(b2, shiftedB);
    a3 = v128.or(i32x4.shl(a3, 11), i32x4.shr_u(a3, 21));
    b3 = v128.or(i32x4.shl(b3, 11), i32x4.shr_u(b3, 21));
  }
  lanesA.s0 = a0;
  lanesA.s1 = a1;
  lanesA.s2 = a2;
  lanesA.s3 = a3;
  lanesB.s0 = b0;
  lanesB.s1 = b1;
  lanesB.s2 = b2;
  lanesB.s3 = b3;
}

/** Replaces all-zero states by (1, 2, 3, 4), because a generator with such a state would produce only zeros. */
export function replaceZeroLanes(state: usize): void {
  const lanes = changetype<Lanes>(state);
  if (i32x4.all_true(v128.or(v128.or(lanes.s0, lanes.s1), v128.or(lanes.s2, lanes.s3)))) return;
  for (let at = state; at < state + ROW_BYTES; at += LANE_BYTES) {
    const s01 = load<u32>(at, offsetof<Lanes>("s0")) | load<u32>(at, offsetof<Lanes>("s1"));
    const s23 = load<u32>(at, offsetof<Lanes>("s2")) | load<u32>(at, offsetof<Lanes>("s3"));
    if (s01 | s23) continue;
    store<u32>(at, 1, offsetof<Lanes>("s0"));
    store<u32>(at, 2, offsetof<Lanes>("s1"));
    store<u32>(at, 3, offsetof<Lanes>("s2"));
    store<u32>(at, 4, offsetof<Lanes>("s3"));
  }
}

// ── one generator alone ──
//
// A step is linear: a step from a XOR b leads to the XOR of where the steps from a and from b lead. A state is the XOR of
// its half bytes, each with zeros around it. So a table of where many steps lead from each value of each half byte takes
// these steps at once, which is a jump: it looks up the 32 half bytes, and XORs what it finds.

/** Steps of the shortest jump. All jumps are multiples of it. */
const JUMP_STEPS: u32 = 32;
/** Size of a table: a state for each of the 16 values of each half byte, from the lowest half byte of s0 on. */
const TABLE_BYTES: usize = 32 * 16 * ROW_BYTES;
/** The tables for 0, 32, … 224 steps. A generator makes 256 words of a block. */
const TABLES_BYTES: usize = 8 * TABLE_BYTES;
const tables = allocate(TABLES_BYTES);
let hasTables = false;

/** Returns output `n` < 256 of the generator that starts with the four words at `state`. Overwrites them. */
export function outputOf(state: usize, n: u32): u32 {
  advance(state, n);
  const s0 = load<u32>(state);
  return rotl<u32>(s0 + load<u32>(state, 3 * LANE_BYTES), 7) + s0;
}

/** Takes `count` < 256 steps. */
function advance(state: usize, count: u32): void {
  // not from JUMP_STEPS on: to make the tables takes so many steps without them
  if (count > JUMP_STEPS) {
    jump(state, count / JUMP_STEPS);
    count %= JUMP_STEPS;
  }
  let s0 = load<u32>(state);
  let s1 = load<u32>(state, LANE_BYTES);
  let s2 = load<u32>(state, 2 * LANE_BYTES);
  let s3 = load<u32>(state, 3 * LANE_BYTES);
  for (; count != 0; count--) {
    const shifted = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= shifted;
    s3 = rotl<u32>(s3, 11);
  }
  store<u32>(state, s0);
  store<u32>(state, s1, LANE_BYTES);
  store<u32>(state, s2, 2 * LANE_BYTES);
  store<u32>(state, s3, 3 * LANE_BYTES);
}

/** Takes t · JUMP_STEPS steps. */
function jump(state: usize, t: usize): void {
  if (!hasTables) makeTables();
  let values = tables + t * TABLE_BYTES;
  // the first state of a table is that for a value of 0, which is 0
  let sum = v128.load(values);
  for (let at = state; at < state + ROW_BYTES; at++, values += 32 * ROW_BYTES) {
    const byte = <usize>load<u8>(at);
    sum = v128.xor(sum, v128.load(values + ((byte << 4) & 0xf0)));
    sum = v128.xor(sum, v128.load(values + (byte & 0xf0), 16 * ROW_BYTES));
  }
  v128.store(state, sum);
}

/** At the first jump, because most kernels never need the tables. */
function makeTables(): void {
  hasTables = true;
  // the table for 0 steps: the states themselves
  for (let i: usize = 0; i < 32 * 16; i++) {
    const word = tables + i * ROW_BYTES + (i >>> 7) * LANE_BYTES;
    store<u32>(word, (<u32>i & 15) << ((<u32>i >>> 4) << 2));
  }
  for (let state = tables + TABLE_BYTES; state < tables + TABLES_BYTES; state += ROW_BYTES) {
    v128.store(state, v128.load(state - TABLE_BYTES));
    advance(state, JUMP_STEPS);
  }
}
