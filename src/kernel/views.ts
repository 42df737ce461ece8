/**
 * A byte address in the kernel's memory. Owners of plans store addresses; only `Kernel` reads and writes the memory.
 */
export type Address = number & { readonly __address: unique symbol };

/** Address 0. No allocation has this address; a kernel function returns it if the memory runs out. */
export const NO_ADDRESS = 0 as Address;

/** Returns the address `bytes` bytes after `base`. */
export function within(base: Address, bytes: number): Address {
  return (base + bytes) as Address;
}

/**
 * Typed views of the bytes of one buffer, one for each width and sign. WebAssembly is little-endian, and so is every
 * machine that its engines support.
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
 * Describes a record that the kernel and TypeScript share. The kernel's build generates a layout for each class of
 * assembly/**\/layout.ts, with the compiler's offsets.
 */
export interface Layout<T> {
  /** Size of one record in bytes, without padding at its end. */
  readonly bytes: number;
  /** Byte offset of each field. */
  readonly offsets: { readonly [K in keyof T]: number };
  /** Writes a record at a byte address, which is a multiple of the size of the widest field. */
  write(to: Views, address: number, values: T): void;
  /** Reads the record at a byte address. */
  read(from: Views, address: number): T;
}

/** Creates the views of a buffer whose length is a multiple of 4. Cost: six views, no copy. */
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
