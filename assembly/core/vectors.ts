/** Up to four vectors that follow one another in memory: code reads them as the fields a, b, c and d. */
@unmanaged
export class Vectors {
  a: v128;
  b: v128;
  c: v128;
  d: v128;

  /** Compares four vectors of u32 with a maximum, and packs the sixteen results into one vector of bytes. */
  @inline
  static packAtMost(a: v128, b: v128, c: v128, d: v128, most: v128): v128 {
    return i8x16.narrow_i16x8_s(
      i16x8.narrow_i32x4_s(i32x4.le_u(a, most), i32x4.le_u(b, most)),
      i16x8.narrow_i32x4_s(i32x4.le_u(c, most), i32x4.le_u(d, most)),
    );
  }
}
