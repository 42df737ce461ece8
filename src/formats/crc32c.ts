/** The CRC of each byte. The polynomial is Castagnoli's, reflected. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? 0x82f6_3b78 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

/**
 * Returns the CRC-32C of bytes as an unsigned number.
 *
 * Source: RFC 3720, appendix B.4.
 */
export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (let i = 0; i < bytes.length; i++) crc = TABLE[(crc ^ bytes[i]) & 0xff] ^ (crc >>> 8);
  return ~crc >>> 0;
}
