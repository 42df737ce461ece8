import { endianness } from "node:os";
import { narrowed } from "../worlds/counts.js";

const IS_LITTLE_ENDIAN = endianness() === "LE";

/** Returns the little-endian bytes of 32-bit numbers. On most machines, these are the bytes of the array itself. */
export function littleEndian(numbers: Int32Array | Uint32Array): Uint8Array {
  const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  return IS_LITTLE_ENDIAN ? bytes : Buffer.from(bytes).swap32();
}

/** Reads 32-bit numbers from little-endian bytes. */
export function wordsIn(bytes: Uint8Array): Uint32Array<ArrayBuffer> {
  const own = Buffer.from(bytes);
  if (!IS_LITTLE_ENDIAN) own.swap32();
  return new Uint32Array(own.buffer.slice(own.byteOffset, own.byteOffset + own.length));
}

/** Returns the bytes of counts in a part: their short form, first the bytes, then the large counts. */
export function storedCounts(counts: Uint32Array): Uint8Array {
  const { bytes, large } = narrowed([counts], counts.length);
  return Buffer.concat([bytes, littleEndian(large)]);
}
