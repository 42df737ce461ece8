// CRC-32, as in PNG and zip.

const POLYNOMIAL: u32 = 0xedb88320;

let isFilled = false;
const table = memory.data(1024, 16);

export function crc32(at: usize, bytes: u32): u32 {
  if (!isFilled) fillTable();
  let crc: u32 = ~0;
  for (const end = at + bytes; at < end; ++at) {
    crc = load<u32>(table + ((<usize>((crc ^ load<u8>(at)) & 0xff)) << 2)) ^ (crc >>> 8);
  }
  return ~crc;
}

function fillTable(): void {
  for (let byte: u32 = 0; byte < 256; ++byte) {
    let crc = byte;
    for (let bit = 0; bit < 8; ++bit) crc = crc & 1 ? POLYNOMIAL ^ (crc >>> 1) : crc >>> 1;
    store<u32>(table + ((<usize>byte) << 2), crc);
  }
  isFilled = true;
}
