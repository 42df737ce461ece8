/** Up to four consecutive vectors in memory, so that their offsets have names. Fewer vectors use the first fields. */
@unmanaged
export class Vectors {
  a: v128;
  b: v128;
  c: v128;
  d: v128;
}
