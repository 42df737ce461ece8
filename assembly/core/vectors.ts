/** Vectors side by side, so that their offsets have names. A structure of fewer vectors has the first of them. */
@unmanaged
export class Vectors {
  a: v128;
  b: v128;
  c: v128;
  d: v128;
}
