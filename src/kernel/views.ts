/** A byte address in the kernel's memory. Owners of plans store it; only `Kernel` reads and writes there. */
export type Address = number & { readonly __address: unique symbol };

/** Address 0: no allocation has it, and a build that ran out of memory returns it. */
export const NO_ADDRESS = 0 as Address;

/** The address `bytes` bytes behind `base`. */
export function within(base: Address, bytes: number): Address {
  return (base + bytes) as Address;
}

/**
 * Typed views of one buffer: the same bytes by width and sign. WebAssembly is little-endian, as is every machine that
 * its engines support.
 */
export interface Views {
  readonly u8: Uint8Array<ArrayBuffer>;
  readonly i8: Int8Array<ArrayBuffer>;
  readonly u16: Uint16Array<ArrayBuffer>;
  readonly i16: Int16Array<ArrayBuffer>;
  readonly u32: Uint32Array<ArrayBuffer>;
  readonly i32: Int32Array<ArrayBuffer>;
}

/**
 * A structure that both sides of the boundary use. The kernel's build writes one for each class of
 * assembly/**\/layout.ts, with the compiler's offsets.
 */
export interface Layout<T> {
  /** Bytes of one record, without padding at its end. */
  readonly bytes: number;
  /** Byte offset of each field. */
  readonly offsets: { readonly [K in keyof T]: number };
  /** Writes a record at a byte address: a multiple of the size of the widest field. */
  write(to: Views, address: number, values: T): void;
  /** Reads the record at a byte address. */
  read(from: Views, address: number): T;
}

/** The views of a buffer whose length is a multiple of 4. Cost: six views, no copy. */
export function viewsOf(buffer: ArrayBuffer): Views {
  return {
    u8: new Uint8Array(buffer),
    i8: new Int8Array(buffer),
    u16: new Uint16Array(buffer),
    i16: new Int16Array(buffer),
    u32: new Uint32Array(buffer),
    i32: new Int32Array(buffer),
  };
}
