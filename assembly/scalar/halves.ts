// The operations on vectors for engines without SIMD: what an operation does to a half of a vector, a u64.
// scripts/scalar-kernel.mjs lets kernels call them. It finds them by their names: `AddVecI32x4` of binaryen is `addI32x4`
// X are computed together, inside one word. `tops` is the top bit of each lane; it says how wide
// lanes are.

const TOPS_8: u64 = (u64.MAX_VALUE / 0xff) * 0x80;
const TOPS_16: u64 = (u64.MAX_VALUE / 0xffff) * 0x8000;
const TOPS_32: u64 = (u64.MAX_VALUE / 0xffffffff) * 0x80000000;

/** The position of a lane's top bit in the lane. */
function topOf(tops: u64): u64 {
  return ctz(tops);
}

function splat(tops: u64, lane: u64): u64 {
  return lane * (tops >> topOf(tops));
}

/** Without the top bits, no carry leaves a lane. The exclusive or adds the top bits. */
function add(tops: u64, a: u64, b: u64): u64 {
  return ((a & ~tops) + (b & ~tops)) ^ ((a ^ b) & tops);
}

function sub(tops: u64, a: u64, b: u64): u64 {
  return ((a | tops) - (b & ~tops)) ^ ((a ^ ~b) & tops);
}

/** Copies the top bit of each lane to all bits of the lane. */
function fill(tops: u64, bits: u64): u64 {
  const set = bits & tops;
  return (set << 1) - (set >> topOf(tops));
}

function choose(mask: u64, a: u64, b: u64): u64 {
  return (a & mask) | (b & ~mask);
}

/** The lanes with a ≠ b: a lane without its top bit is not 0 if adding the greatest such number sets the top bit. */
function differ(tops: u64, a: u64, b: u64): u64 {
  const bits = a ^ b;
  return fill(tops, ((bits & ~tops) + ~tops) | bits);
}

/** The lanes with a < b: the top bits are the borrows of a - b. */
function below(tops: u64, a: u64, b: u64): u64 {
  return fill(tops, (~a & b) | (~(a ^ b) & sub(tops, a, b)));
}

function belowSigned(tops: u64, a: u64, b: u64): u64 {
  return below(tops, a ^ tops, b ^ tops);
}

/** The bits of each lane that keep something in a shift to the right by n. */
function kept(tops: u64, n: u64): u64 {
  return splat(tops, (((<u64>2) << topOf(tops)) - 1) >> n);
}

function shiftRight(tops: u64, a: u64, count: u32): u64 {
  const n = count & topOf(tops);
  return (a >> n) & kept(tops, n);
}

function shiftRightSigned(tops: u64, a: u64, count: u32): u64 {
  const n = count & topOf(tops);
  return choose(kept(tops, n), a >> n, fill(tops, a));
}

function shiftLeft(tops: u64, a: u64, count: u32): u64 {
  const n = count & topOf(tops);
  return (a & kept(tops, n)) << n;
}

function join32(low: u32, high: u32): u64 {
  return u64(low) | (u64(high) << 32);
}

function join16(a: i32, b: i32, c: i32, d: i32): u64 {
  return join32((a & 0xffff) | (b << 16), (c & 0xffff) | (d << 16));
}

function clamp(value: i32, least: i32, most: i32): i32 {
  return value < least ? least : value > most ? most : value;
}

/** Two lanes of 16 bits as bytes. */
function bytes(a: u64, lane: u64, least: i32, most: i32): i32 {
  const low = clamp(i16(a >> (16 * lane)), least, most) & 0xff;
  return low | ((clamp(i16(a >> (16 * lane + 16)), least, most) & 0xff) << 8);
}

function roundedProduct(a: u64, b: u64, lane: u64): i32 {
  return clamp((i32(i16(a >> (16 * lane))) * i32(i16(b >> (16 * lane))) + 0x4000) >> 15, i16.MIN_VALUE, i16.MAX_VALUE);
}

// ── bits ──

export function v128_not(a: u64): u64 {
  return ~a;
}

export function v128_and(a: u64, b: u64): u64 {
  return a & b;
}

export function v128_andnot(a: u64, b: u64): u64 {
  return a & ~b;
}

export function v128_or(a: u64, b: u64): u64 {
  return a | b;
}

export function v128_xor(a: u64, b: u64): u64 {
  return a ^ b;
}

export function v128_bitselect(a: u64, b: u64, mask: u64): u64 {
  return choose(mask, a, b);
}

// ── lanes of 8 bits ──

export function i8x16_splat(lane: u32): u64 {
  return splat(TOPS_8, lane & 0xff);
}

export function i8x16_add(a: u64, b: u64): u64 {
  return add(TOPS_8, a, b);
}

/** A lane overflows where both top bits are set, or one is and that of the sum is not. */
export function i8x16_add_sat_u(a: u64, b: u64): u64 {
  const sum = add(TOPS_8, a, b);
  return sum | fill(TOPS_8, (a & b) | ((a | b) & ~sum));
}

export function i8x16_sub(a: u64, b: u64): u64 {
  return sub(TOPS_8, a, b);
}

export function i8x16_min_u(a: u64, b: u64): u64 {
  return choose(below(TOPS_8, a, b), a, b);
}

export function i8x16_eq(a: u64, b: u64): u64 {
  return ~differ(TOPS_8, a, b);
}

export function i8x16_ne(a: u64, b: u64): u64 {
  return differ(TOPS_8, a, b);
}

export function i8x16_le_u(a: u64, b: u64): u64 {
  return ~below(TOPS_8, b, a);
}

/** The product puts bit 8k at 56 + k. */
export function i8x16_bitmask(a: u64): u32 {
  return u32((((a & TOPS_8) >> 7) * 0x0102040810204080) >> 56);
}

/** One half of the result: the bytes of the vector (low, high) with these indices, 0 for an index above 15. */
export function i8x16_swizzle(low: u64, high: u64, indices: u64): u64 {
  let result: u64 = 0;
  for (let shift: u64 = 0; shift < 64; shift += 8) {
    const index = (indices >> shift) & 0xff;
    const byte = ((index < 8 ? low : high) >> (8 * index)) & 0xff;
    result |= (index < 16 ? byte : 0) << shift;
  }
  return result;
}

export function i8x16_narrow_i16x8_s(a: u64, b: u64): u64 {
  return join32(
    bytes(a, 0, -128, 127) | (bytes(a, 2, -128, 127) << 16),
    bytes(b, 0, -128, 127) | (bytes(b, 2, -128, 127) << 16),
  );
}

export function i8x16_narrow_i16x8_u(a: u64, b: u64): u64 {
  return join32(bytes(a, 0, 0, 255) | (bytes(a, 2, 0, 255) << 16), bytes(b, 0, 0, 255) | (bytes(b, 2, 0, 255) << 16));
}

// ── lanes of 16 bits ──

export function i16x8_splat(lane: u32): u64 {
  return splat(TOPS_16, lane & 0xffff);
}

export function i16x8_add(a: u64, b: u64): u64 {
  return add(TOPS_16, a, b);
}

export function i16x8_sub(a: u64, b: u64): u64 {
  return sub(TOPS_16, a, b);
}

export function i16x8_mul(a: u64, b: u64): u64 {
  return join16(i32(a) * i32(b), i32(a >> 16) * i32(b >> 16), i32(a >> 32) * i32(b >> 32), i32(a >> 48) * i32(b >> 48));
}

export function i16x8_q15mulr_sat_s(a: u64, b: u64): u64 {
  return join16(roundedProduct(a, b, 0), roundedProduct(a, b, 1), roundedProduct(a, b, 2), roundedProduct(a, b, 3));
}

export function i16x8_abs(a: u64): u64 {
  const negative = fill(TOPS_16, a);
  return sub(TOPS_16, a ^ negative, negative);
}

export function i16x8_min_s(a: u64, b: u64): u64 {
  return choose(belowSigned(TOPS_16, a, b), a, b);
}

export function i16x8_max_s(a: u64, b: u64): u64 {
  return choose(belowSigned(TOPS_16, a, b), b, a);
}

export function i16x8_eq(a: u64, b: u64): u64 {
  return ~differ(TOPS_16, a, b);
}

export function i16x8_shl(a: u64, count: u32): u64 {
  return shiftLeft(TOPS_16, a, count);
}

export function i16x8_shr_s(a: u64, count: u32): u64 {
  return shiftRightSigned(TOPS_16, a, count);
}

export function i16x8_shr_u(a: u64, count: u32): u64 {
  return shiftRight(TOPS_16, a, count);
}

/** The product puts bit 16k at 48 + k. */
export function i16x8_bitmask(a: u64): u32 {
  return u32((((a & TOPS_16) >> 15) * 0x0001000200040008) >> 48) & 15;
}

export function i16x8_narrow_i32x4_s(a: u64, b: u64): u64 {
  return join16(
    clamp(i32(a), i16.MIN_VALUE, i16.MAX_VALUE),
    clamp(i32(a >> 32), i16.MIN_VALUE, i16.MAX_VALUE),
    clamp(i32(b), i16.MIN_VALUE, i16.MAX_VALUE),
    clamp(i32(b >> 32), i16.MIN_VALUE, i16.MAX_VALUE),
  );
}

export function i16x8_narrow_i32x4_u(a: u64, b: u64): u64 {
  return join16(
    clamp(i32(a), 0, u16.MAX_VALUE),
    clamp(i32(a >> 32), 0, u16.MAX_VALUE),
    clamp(i32(b), 0, u16.MAX_VALUE),
    clamp(i32(b >> 32), 0, u16.MAX_VALUE),
  );
}

/** Of the lower four bytes of a. */
export function i16x8_extend_i8x16_s(a: u64): u64 {
  return join16(i8(a), i8(a >> 8), i8(a >> 16), i8(a >> 24));
}

export function i16x8_extend_i8x16_u(a: u64): u64 {
  return join16(u8(a), u8(a >> 8), u8(a >> 16), u8(a >> 24));
}

// ── lanes of 32 bits ──

export function i32x4_splat(lane: u32): u64 {
  return join32(lane, lane);
}

export function i32x4_add(a: u64, b: u64): u64 {
  return add(TOPS_32, a, b);
}

export function i32x4_sub(a: u64, b: u64): u64 {
  return sub(TOPS_32, a, b);
}

export function i32x4_mul(a: u64, b: u64): u64 {
  return join32(u32(a) * u32(b), u32(a >> 32) * u32(b >> 32));
}

export function i32x4_dot_i16x8_s(a: u64, b: u64): u64 {
  return join32(
    i32(i16(a)) * i32(i16(b)) + i32(i16(a >> 16)) * i32(i16(b >> 16)),
    i32(i16(a >> 32)) * i32(i16(b >> 32)) + i32(i16(a >> 48)) * i32(i16(b >> 48)),
  );
}

export function i32x4_min_s(a: u64, b: u64): u64 {
  return choose(belowSigned(TOPS_32, a, b), a, b);
}

export function i32x4_min_u(a: u64, b: u64): u64 {
  return choose(below(TOPS_32, a, b), a, b);
}

export function i32x4_max_s(a: u64, b: u64): u64 {
  return choose(belowSigned(TOPS_32, a, b), b, a);
}

export function i32x4_max_u(a: u64, b: u64): u64 {
  return choose(below(TOPS_32, a, b), b, a);
}

export function i32x4_eq(a: u64, b: u64): u64 {
  return ~differ(TOPS_32, a, b);
}

export function i32x4_ne(a: u64, b: u64): u64 {
  return differ(TOPS_32, a, b);
}

export function i32x4_lt_u(a: u64, b: u64): u64 {
  return below(TOPS_32, a, b);
}

export function i32x4_le_u(a: u64, b: u64): u64 {
  return ~below(TOPS_32, b, a);
}

export function i32x4_gt_s(a: u64, b: u64): u64 {
  return belowSigned(TOPS_32, b, a);
}

export function i32x4_gt_u(a: u64, b: u64): u64 {
  return below(TOPS_32, b, a);
}

export function i32x4_ge_u(a: u64, b: u64): u64 {
  return ~below(TOPS_32, a, b);
}

export function i32x4_shl(a: u64, count: u32): u64 {
  return shiftLeft(TOPS_32, a, count);
}

export function i32x4_shr_s(a: u64, count: u32): u64 {
  return shiftRightSigned(TOPS_32, a, count);
}

export function i32x4_shr_u(a: u64, count: u32): u64 {
  return shiftRight(TOPS_32, a, count);
}

export function i32x4_bitmask(a: u64): u32 {
  return (u32(a) >> 31) | (u32(a >> 62) & 2);
}

export function i32x4_all_true(a: u64): u32 {
  return u32(u32(a) !== 0 && u32(a >> 32) !== 0);
}

/** Of the lower two lanes of 16 bits. */
export function i32x4_extend_i16x8_u(a: u64): u64 {
  return join32(u16(a), u16(a >> 16));
}

// ── lanes of 64 bits ──

export function i64x2_extmul_i32x4_u(a: u64, b: u64): u64 {
  return u64(u32(a)) * u64(u32(b));
}
