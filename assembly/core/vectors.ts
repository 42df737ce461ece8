/** Names for the offsets of up to four consecutive vectors in memory. */
@unmanaged
export class Vectors {
  a: v128;
  b: v128;
  c: v128;
  d: v128;
}
