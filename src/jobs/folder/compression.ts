import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

// the fastest quality; with larger windows, maps take more bytes
const OPTIONS = {
  params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MIN_QUALITY, [constants.BROTLI_PARAM_LGWIN]: 18 },
};
/** Maximum bytes of what is compressed: a small file can make a reader keep this much in memory, but not more. */
export const MAX_COMPRESSED = 2 ** 28;
/** If a larger share of the bytes stays, it is not worth the time of the readers. */
const MAX_SHARE = 0.9;
const MIN_CHUNK = 64;

/** Returns undefined if it does not pay. The result depends on the compressor of the runtime, and so on its version. */
export function compressed(bytes: Uint8Array): Uint8Array | undefined {
  // to start a compressor takes as long as to compress 10 KB, and a sector without placements has five empty sections
  if (bytes.length === 0 || bytes.length > MAX_COMPRESSED) return undefined;
  const fewer = brotliCompressSync(bytes, OPTIONS);
  return fewer.length < MAX_SHARE * bytes.length ? fewer : undefined;
}

/** Returns undefined if the bytes are not the compressed form of `length` bytes. */
export function decompressed(stored: Uint8Array, length: number): Uint8Array<ArrayBuffer> | undefined {
  try {
    // with one more byte than needed, the memory is never full, and zlib allocates no more
    const chunkSize = Math.max(MIN_CHUNK, length + 1);
    const bytes = brotliDecompressSync(stored, { maxOutputLength: length, chunkSize });
    return bytes.length === length ? new Uint8Array(bytes.buffer, bytes.byteOffset, length) : undefined;
  } catch {
    return undefined;
  }
}

export function storedLength(bytes: Uint8Array): number {
  return (compressed(bytes) ?? bytes).length;
}
