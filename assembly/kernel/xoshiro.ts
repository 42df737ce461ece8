// xoshiro128++ 1.0 in four SIMD lanes: Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021),
// https://prng.di.unimi.it/xoshiro128plusplus.c
//
//   state + 0: s0 of lanes 0 … 3,  + 16: s1,  + 32: s2,  + 48: s3

/** Bytes of the four lanes' state. */
export const STATE_BYTES: usize = 64;

/** Stores `rows` outputs of all four lanes, 16 bytes each, from `out` on, and moves the state past them. */
export function fillRows(state: usize, out: usize, rows: u32): void {
  let s0 = v128.load(state, 0);
  let s1 = v128.load(state, 16);
  let s2 = v128.load(state, 32);
  let s3 = v128.load(state, 48);
  for (const end = out + ((<usize>rows) << 4); out < end; out += 16) {
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
  v128.store(state, s0, 0);
  v128.store(state, s1, 16);
  v128.store(state, s2, 32);
  v128.store(state, s3, 48);
}

/** An all-zero lane would stay zero for ever: it starts from (1, 2, 3, 4) instead. */
export function mendZeroLanes(state: usize): void {
  for (let lane: usize = 0; lane < 16; lane += 4) {
    const at = state + lane;
    if (load<u32>(at, 0) | load<u32>(at, 16) | load<u32>(at, 32) | load<u32>(at, 48)) continue;
    store<u32>(at, 1, 0);
    store<u32>(at, 2, 16);
    store<u32>(at, 3, 32);
    store<u32>(at, 4, 48);
  }
}
