/** Typed views of one buffer: the same bytes by width and sign. WebAssembly is little-endian, and so is every engine that runs it. */
export interface Views {
  readonly u8: Uint8Array<ArrayBuffer>;
  readonly i8: Int8Array<ArrayBuffer>;
  readonly u16: Uint16Array<ArrayBuffer>;
  readonly i16: Int16Array<ArrayBuffer>;
  readonly u32: Uint32Array<ArrayBuffer>;
  readonly i32: Int32Array<ArrayBuffer>;
}

/**
 * A structure that both sides of the boundary know: a class of assembly/**\/layout.ts. The kernel's build writes one for
 * each class, with the compiler's own offsets.
 */
export interface Layout<T> {
  /** Bytes of one record, without padding at its end. */
  readonly bytes: number;
  /** Byte offset of each field. */
  readonly offsets: { readonly [K in keyof T]: number };
  /** Writes a record at a byte address; the address is a multiple of the widest field. */
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
