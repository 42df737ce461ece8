// Philox4x32-10, the counter-based generator: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2,
// 3" (SC 2011). With a fixed key, Philox is a bijection of the 128-bit counter. So two different counters never have
// the same output.

import { Lanes } from "./xoshiro";

const MULTIPLIER_0: u32 = 0xd2511f53;
const MULTIPLIER_1: u32 = 0xcd9e8d57;
const WEYL_0: u32 = 0x9e3779b9;
const WEYL_1: u32 = 0xbb67ae85;
const ROUNDS: u32 = 10;

/** The result for one counter: four words, 16 bytes. */
@unmanaged
export class PhiloxWords {
  x0: u32;
  x1: u32;
  x2: u32;
  x3: u32;
}

/** Writes Philox4x32-10(key; counter) to the {@link PhiloxWords} at `out`. c2 is the low half of `c23`, c3 the high one. */
export function philox(k0: u32, k1: u32, c0: u32, c1: u32, c23: u64, out: usize): void {
  let c2 = <u32>c23;
  let c3 = <u32>(c23 >>> 32);
  for (let round: u32 = 0; round < ROUNDS; ++round) {
    const p0 = <u64>c0 * MULTIPLIER_0;
    const p1 = <u64>c2 * MULTIPLIER_1;
    c0 = <u32>(p1 >>> 32) ^ c1 ^ k0;
    c1 = <u32>p1;
    c2 = <u32>(p0 >>> 32) ^ c3 ^ k1;
    c3 = <u32>p0;
    k0 += WEYL_0;
    k1 += WEYL_1;
  }
  const words = changetype<PhiloxWords>(out);
  words.x0 = c0;
  words.x1 = c1;
  words.x2 = c2;
  words.x3 = c3;
}

/**
 * Writes the results for four counters to `out`, as {@link Lanes}. Uses the key that {@link setLanesKey} has set. Lane
 * j has the counter (j, block, plane mod 2^32, ⌊plane / 2^32⌋). Word w of the result for lane j goes to lane j of s_w.
 */
export function philoxLanes(block: u32, plane: u64, out: usize): void {
  let v0 = i32x4(0, 1, 2, 3);
  let v1 = i32x4.splat(block);
  let v2 = i32x4.splat(<u32>plane);
  let v3 = i32x4.splat(<u32>(plane >>> 32));
  const m0 = changetype<Multipliers>(multipliers).m0;
  const m1 = changetype<Multipliers>(multipliers).m1;
  for (let at = keys, end = keys + KEYS_BYTES; at < end; at += offsetof<RoundKey>()) {
    const high0 = highProduct(v0, m0);
    const low0 = i32x4.mul(v0, m0);
    const high1 = highProduct(v2, m1);
    const low1 = i32x4.mul(v2, m1);
    v0 = v128.xor(v128.xor(high1, v1), changetype<RoundKey>(at).k0);
    v1 = low1;
    v2 = v128.xor(v128.xor(high0, v3), changetype<RoundKey>(at).k1);
    v3 = low0;
  }
  const lanes = changetype<Lanes>(out);
  lanes.s0 = v0;
  lanes.s1 = v1;
  lanes.s2 = v2;
  lanes.s3 = v3;
}

/**
 * Like two calls of {@link philoxLanes}, but faster: the processor computes one block while it waits for results of the
 * other.
 */
export function philoxLanesOfTwo(blockA: u32, planeA: u64, blockB: u32, planeB: u64, outA: usize, outB: usize): void {
  let a0 = i32x4(0, 1, 2, 3);
  let b0 = i32x4(0, 1, 2, 3);
  let a1 = i32x4.splat(blockA);
  let b1 = i32x4.splat(blockB);
  let a2 = i32x4.splat(<u32>planeA);
  let b2 = i32x4.splat(<u32>planeB);
  let a3 = i32x4.splat(<u32>(planeA >>> 32));
  let b3 = i32x4.splat(<u32>(planeB >>> 32));
  const m0 = changetype<Multipliers>(multipliers).m0;
  const m1 = changetype<Multipliers>(multipliers).m1;
  for (let at = keys, end = keys + KEYS_BYTES; at < end; at += offsetof<RoundKey>()) {
    const key0 = changetype<RoundKey>(at).k0;
    const key1 = changetype<RoundKey>(at).k1;
    const highA0 = highProduct(a0, m0);
    const highB0 = highProduct(b0, m0);
    const lowA0 = i32x4.mul(a0, m0);
    const lowB0 = i32x4.mul(b0, m0);
    const highA1 = highProduct(a2, m1);
    const highB1 = highProduct(b2, m1);
    const lowA1 = i32x4.mul(a2, m1);
    const lowB1 = i32x4.mul(b2, m1);
    a0 = v128.xor(v128.xor(highA1, a1), key0);
    b0 = v128.xor(v128.xor(highB1, b1), key0);
    a1 = lowA1;
    b1 = lowB1;
    a2 = v128.xor(v128.xor(highA0, a3), key1);
    b2 = v128.xor(v128.xor(highB0, b3), key1);
    a3 = lowA0;
    b3 = lowB0;
  }
  const lanesA = changetype<Lanes>(outA);
  lanesA.s0 = a0;
  lanesA.s1 = a1;
  lanesA.s2 = a2;
  lanesA.s3 = a3;
  const lanesB = changetype<Lanes>(outB);
  lanesB.s0 = b0;
  lanesB.s1 = b1;
  lanesB.s2 = b2;
  lanesB.s3 = b3;
}

/** The key of one round, repeated in every lane: 32 bytes, k0 then k1. */
@unmanaged
class RoundKey {
  k0: v128;
  k1: v128;
}

/** The two multipliers, each repeated in every lane: 32 bytes. */
@unmanaged
class Multipliers {
  m0: v128;
  m1: v128;
}

// Keys and multipliers are in memory, because V8 loads a stored vector only once. A splat of a constant would be
// repeated in every round.
const KEYS_BYTES: usize = <usize>ROUNDS * offsetof<RoundKey>();
/** The {@link RoundKey} of every round. */
const keys = memory.data(<i32>KEYS_BYTES, 16);
const multipliers = memory.data(<i32>offsetof<Multipliers>(), 16);

/** Sets the key for {@link philoxLanes}: computes and stores the key of every round. */
export function setLanesKey(k0: u32, k1: u32): void {
  changetype<Multipliers>(multipliers).m0 = i32x4.splat(MULTIPLIER_0);
  changetype<Multipliers>(multipliers).m1 = i32x4.splat(MULTIPLIER_1);
  for (let at = keys; at < keys + KEYS_BYTES; at += offsetof<RoundKey>()) {
    changetype<RoundKey>(at).k0 = i32x4.splat(k0);
    changetype<RoundKey>(at).k1 = i32x4.splat(k1);
    k0 += WEYL_0;
    k1 += WEYL_1;
  }
}

/** For each of the four lanes, returns the high half of the 64-bit product a · b. */
function highProduct(a: v128, b: v128): v128 {
  const low = i64x2.extmul_low_i32x4_u(a, b);
  const high = i64x2.extmul_high_i32x4_u(a, b);
  return v128.shuffle<i32>(low, high, 1, 3, 5, 7);
}
