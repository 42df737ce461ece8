/** A byte address in the kernel's memory. */
export type Address = number & { readonly __address: unique symbol };

/** The result of a kernel function if the memory is full. */
export const NO_ADDRESS = 0 as Address;

export function within(base: Address, bytes: number): Address {
  return (base + bytes) as Address;
}

export type Views = Readonly<ReturnType<typeof viewsOf>>;

/** The memory layout of a record. The kernel's build generates a layout for each class in assembly/**\/layout.ts. */
export interface Layout<T> {
  /** The size of a record, without padding at the end. */
  readonly bytes: number;
  readonly offsets: { readonly [K in keyof T]: number };
  /** The address must be a multiple of the size of the widest field. */
  write(to: Views, address: number, values: T): void;
  read(from: Views, address: number): T;
}

/**
 * Returns typed views of one buffer, whose length must be a multiple of 4. Views use the machine's byte order. It is
 * that of WebAssembly, because all machines with WebAssembly engines are little-endian.
 */
export function viewsOf(buffer: ArrayBuffer) {
  return {
    u8: new Uint8Array(buffer),
    i8: new Int8Array(buffer),
    u16: new Uint16Array(buffer),
    i16: new Int16Array(buffer),
    u32: new Uint32Array(buffer),
    i32: new Int32Array(buffer),
  };
}
