/** A byte address in the kernel's memory. Only the class `Kernel` reads and writes this memory. */
export type Address = number & { readonly __address: unique symbol };

/** Address 0. Kernel functions return it if the memory is full. No allocation has this address. */
export const NO_ADDRESS = 0 as Address;

/** Returns the address that is `bytes` bytes after `base`. */
export function within(base: Address, bytes: number): Address {
  return (base + bytes) as Address;
}

/**
 * Typed views of one buffer, one for each width and sign. Views use the machine's byte order, and WebAssembly is
 * little-endian. The two orders agree, because every machine with a WebAssembly engine is little-endian.
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
 * Memory layout of a record. The kernel and TypeScript use the same layout. The kernel's build generates a layout for
 * each class of assembly/**\/layout.ts. The offsets come from the AssemblyScript compiler.
 */
export interface Layout<T> {
  /** Size of one record in bytes, without padding at its end. */
  readonly bytes: number;
  /** Byte offset of each field. */
  readonly offsets: { readonly [K in keyof T]: number };
  /** Writes a record. The byte address must be a multiple of the size of the widest field. */
  write(to: Views, address: number, values: T): void;
  /** Reads the record at a byte address. */
  read(from: Views, address: number): T;
}

/** Creates the views of a buffer. The length of the buffer must be a multiple of 4. Does not copy the bytes. */
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
