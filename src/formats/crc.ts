/**
 * Returns a function that computes a CRC of 32 bits. The polynomial is reflected. Sources: W3C, Portable Network
 * Graphics (PNG) Specification, section "CRC algorithm"; RFC 3720, appendix B.4.
 */
function crcBy(polynomial: number): (...pieces: readonly Uint8Array[]) => number {
  let table: Uint32Array | undefined;
  return (...pieces) => {
    table ??= Uint32Array.from({ length: 256 }, (_, byte) => crcOfByte(byte, polynomial));
    const crcs = table;
    let crc = 0xffff_ffff;
    for (const piece of pieces) {
      for (let i = 0; i < piece.length; i++) crc = crcs[(crc ^ piece[i]) & 0xff] ^ (crc >>> 8);
    }
    return ~crc >>> 0;
  };
}

function crcOfByte(byte: number, polynomial: number): number {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? polynomial ^ (crc >>> 1) : crc >>> 1;
  return crc;
}

export const crc32 = /* @__PURE__ */ crcBy(0xedb8_8320);

export const crc32c = /* @__PURE__ */ crcBy(0x82f6_3b78);
