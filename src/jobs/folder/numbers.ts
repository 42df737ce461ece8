import { endianness } from "node:os";
import { fullBytesIn, type NarrowCounts, widened } from "../../walks/map/chunkCodec.js";

const IS_LITTLE_ENDIAN = endianness() === "LE";

/** On most machines, these are the bytes of the array itself. */
export function littleEndian(numbers: Int32Array | Uint32Array): Uint8Array {
  const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  return IS_LITTLE_ENDIAN ? bytes : Buffer.from(bytes).swap32();
}

export function wordsIn(bytes: Uint8Array): Uint32Array<ArrayBuffer> {
  // words must start at a multiple of 4 bytes, and the bytes of a section can start anywhere
  const { buffer } = new Uint8Array(bytes);
  if (!IS_LITTLE_ENDIAN) Buffer.from(buffer).swap32();
  return new Uint32Array(buffer);
}

/** A byte for each count, 255 for a count of 255 or more. Then the counts of 255 or more, as 32-bit numbers. */
export function storedCounts({ bytes, large }: Pick<NarrowCounts, "bytes" | "large">): Uint8Array {
  return large.length === 0 ? bytes : Buffer.concat([bytes, littleEndian(large)]);
}

/** Undefined if {@link storedCounts} did not write these bytes. */
export function countsIn(bytes: Uint8Array, length: number): Uint32Array<ArrayBuffer> | undefined {
  const small = bytes.subarray(0, length);
  if (bytes.length !== length + 4 * fullBytesIn(small)) return undefined;
  return widened({ bytes: small, large: wordsIn(bytes.subarray(length)) });
}
