// Philox4x32-10, the counter-based generator: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
// 1, 2, 3" (SC 2011). A bijection of the 128-bit counter under a fixed key, so no two addresses share an output.

const MULTIPLIER_0: u32 = 0xd2511f53;
const MULTIPLIER_1: u32 = 0xcd9e8d57;
const WEYL_0: u32 = 0x9e3779b9;
const WEYL_1: u32 = 0xbb67ae85;
const ROUNDS: i32 = 10;

/** Writes Philox4x32-10(key; counter) to the four words at `out`. */
export function philox(k0: u32, k1: u32, c0: u32, c1: u32, c2: u32, c3: u32, out: usize): void {
  for (let round = 0; round < ROUNDS; ++round) {
    const p0 = <u64>c0 * MULTIPLIER_0;
    const p1 = <u64>c2 * MULTIPLIER_1;
    c0 = <u32>(p1 >>> 32) ^ c1 ^ k0;
    c1 = <u32>p1;
    c2 = <u32>(p0 >>> 32) ^ c3 ^ k1;
    c3 = <u32>p0;
    k0 += WEYL_0;
    k1 += WEYL_1;
  }
  store<u32>(out, c0, 0);
  store<u32>(out, c1, 4);
  store<u32>(out, c2, 8);
  store<u32>(out, c3, 12);
}

/**
 * Philox under the key that was set at the four counters (0 … 3, c1, c2, c3), side by side:
 *
 *              lane 0   lane 1   lane 2   lane 3
 *   out +  0   word 0   word 0   word 0   word 0
 *   out + 16   word 1    …                         (+ 32: word 2, + 48: word 3)
 */
export function philoxLanes(c1: u32, c2: u32, c3: u32, out: usize): void {
  let v0 = i32x4(0, 1, 2, 3);
  let v1 = i32x4.splat(c1);
  let v2 = i32x4.splat(c2);
  let v3 = i32x4.splat(c3);
  const m0 = v128.load(multipliers, 0);
  const m1 = v128.load(multipliers, 16);
  for (let at = keys, end = keys + KEYS_BYTES; at < end; at += 32) {
    const high0 = highProduct(v0, m0);
    const low0 = i32x4.mul(v0, m0);
    const high1 = highProduct(v2, m1);
    const low1 = i32x4.mul(v2, m1);
    v0 = v128.xor(v128.xor(high1, v1), v128.load(at, 0));
    v1 = low1;
    v2 = v128.xor(v128.xor(high0, v3), v128.load(at, 16));
    v3 = low0;
  }
  v128.store(out, v0, 0);
  v128.store(out, v1, 16);
  v128.store(out, v2, 32);
  v128.store(out, v3, 48);
}

/** As {@link philoxLanes}, for (c1A, c2A) and for (c1B, c2B) side by side: one alone waits for its own chain. */
export function philoxLanesOfTwo(c1A: u32, c2A: u32, c1B: u32, c2B: u32, c3: u32, outA: usize, outB: usize): void {
  let a0 = i32x4(0, 1, 2, 3);
  let b0 = i32x4(0, 1, 2, 3);
  let a1 = i32x4.splat(c1A);
  let b1 = i32x4.splat(c1B);
  let a2 = i32x4.splat(c2A);
  let b2 = i32x4.splat(c2B);
  let a3 = i32x4.splat(c3);
  let b3 = i32x4.splat(c3);
  const m0 = v128.load(multipliers, 0);
  const m1 = v128.load(multipliers, 16);
  for (let at = keys, end = keys + KEYS_BYTES; at < end; at += 32) {
    const key0 = v128.load(at, 0);
    const key1 = v128.load(at, 16);
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
  v128.store(outA, a0, 0);
  v128.store(outA, a1, 16);
  v128.store(outA, a2, 32);
  v128.store(outA, a3, 48);
  v128.store(outB, b0, 0);
  v128.store(outB, b1, 16);
  v128.store(outB, b2, 32);
  v128.store(outB, b3, 48);
}

// The keys of all rounds, four times each, and the multipliers: V8 splats a constant anew in every round, but not a load.

const KEYS_BYTES: usize = 320;
const keys = memory.data(320, 16);
const multipliers = memory.data(32, 16);

/** Sets the key of all lanes. */
export function setLanesKey(k0: u32, k1: u32): void {
  v128.store(multipliers, i32x4.splat(MULTIPLIER_0), 0);
  v128.store(multipliers, i32x4.splat(MULTIPLIER_1), 16);
  for (let at: usize = 0; at < KEYS_BYTES; at += 32) {
    v128.store(keys + at, i32x4.splat(k0), 0);
    v128.store(keys + at, i32x4.splat(k1), 16);
    k0 += WEYL_0;
    k1 += WEYL_1;
  }
}

/** The high halves of the four 64-bit products. */
function highProduct(a: v128, b: v128): v128 {
  const low = i64x2.extmul_low_i32x4_u(a, b);
  const high = i64x2.extmul_high_i32x4_u(a, b);
  return v128.shuffle<i32>(low, high, 1, 3, 5, 7);
}
