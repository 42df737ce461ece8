export function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const piece of pieces) {
    bytes.set(piece, end);
    end += piece.length;
  }
  return bytes;
}

/** Returns the CRC function of a reflected polynomial. Sources: PNG Specification; RFC 3720, appendix B.4. */
function crcBy(polynomial: number): (...pieces: readonly Uint8Array[]) => number {
  let table: Uint32Array | undefined;
  return (...pieces) => {
    table ??= Uint32Array.from({ length: 256 }, (_, byte) => {
      let crc = byte;
      for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? polynomial ^ (crc >>> 1) : crc >>> 1;
      return crc;
    });
    const crcs = table;
    let crc = 0xffff_ffff;
    for (const piece of pieces) {
      for (let i = 0; i < piece.length; i++) crc = crcs[(crc ^ piece[i]) & 0xff] ^ (crc >>> 8);
    }
    return ~crc >>> 0;
  };
}

export const crc32 = /* @__PURE__ */ crcBy(0xedb8_8320);

export const crc32c = /* @__PURE__ */ crcBy(0x82f6_3b78);

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const CODES = Uint8Array.from(DIGITS, (digit) => digit.charCodeAt(0));
const PADDING = "=".charCodeAt(0);

/** Returns bytes as base64 (RFC 4648, section 4). Own code: `btoa` accepts only texts, and browsers lack `Buffer`. */
export function base64(bytes: Uint8Array): string {
  const { length } = bytes;
  const text = new Uint8Array(Math.ceil(length / 3) * 4);
  let end = 0;
  for (let i = 0; i < length; i += 3) {
    const three = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    text[end++] = CODES[three >>> 18];
    text[end++] = CODES[(three >>> 12) & 63];
    text[end++] = CODES[(three >>> 6) & 63];
    text[end++] = CODES[three & 63];
  }
  if (length % 3 > 0) text[end - 1] = PADDING;
  if (length % 3 === 1) text[end - 2] = PADDING;
  return new TextDecoder().decode(text);
}

export function resized<Numbers extends Uint8Array | Uint16Array>(numbers: Numbers, length: number): Numbers {
  const copy = new (numbers.constructor as new (length: number) => Numbers)(length);
  copy.set(numbers);
  return copy;
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** Returns numbers as little-endian bytes: a view if the memory already has this order, otherwise a copy. */
export function littleEndian(numbers: Uint8Array | Uint16Array | Int32Array | Uint32Array): Uint8Array {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const size = numbers.BYTES_PER_ELEMENT;
  if (IS_LITTLE_ENDIAN || size === 1) return bytes;
  const swapped = bytes.slice();
  for (let i = 0; i < swapped.length; i += size) swapped.subarray(i, i + size).reverse();
  return swapped;
}
