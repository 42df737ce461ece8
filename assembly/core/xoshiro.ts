// xoshiro128++ 1.0 in four SIMD lanes: Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021),
// https://prng.di.unimi.it/xoshiro128plusplus.c

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
