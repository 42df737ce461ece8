import { Deflater } from "./deflate.js";

/** A picture whose pixels are indices of colours. */
interface IndexedPicture {
  readonly width: number;
  readonly height: number;
  /** Pixel (x, y) is element y · width + x. */
  readonly pixels: Uint8Array;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const INDEXED = 3;
/** `look` is called each time this many rows are compressed. */
const ROWS_PER_LOOK = 16;
/** The two filters that a row can have. NONE stores the pixels. UP stores their differences from the row above. */
const NONE = 0;
const UP = 2;

/**
 * Writes an indexed picture as a PNG file with 8 bits for each pixel.
 *
 * Cost: O(pixels). Memory: twice the size of the file.
 * Source: W3C, Portable Network Graphics (PNG) Specification.
 *
 * @param colors - 1 … 256 colours: red, green, blue and optionally alpha, each 0 … 255.
 * @param look - called from time to time. It may throw to stop the work.
 */
export function indexedPng(
  picture: IndexedPicture,
  colors: readonly (readonly number[])[],
  look: () => void = () => {},
): Uint8Array {
  const { width, height } = picture;
  const head = new Uint8Array(13);
  const view = new DataView(head.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  head.set([8, INDEXED], 8);
  const alphas = colors.map(([, , , alpha = 255]) => alpha);
  const isOpaque = alphas.every((alpha) => alpha === 255);
  const palette = colors.flatMap((color) => color.slice(0, 3));
  return joined([
    Uint8Array.from(SIGNATURE),
    ...chunk("IHDR", head),
    ...chunk("PLTE", Uint8Array.from(palette)),
    ...(isOpaque ? [] : chunk("tRNS", Uint8Array.from(alphas))),
    ...chunk("IDAT", compressed(picture, look)),
    ...chunk("IEND", new Uint8Array(0)),
  ]);
}

function compressed({ width, height, pixels }: IndexedPicture, look: () => void): Uint8Array {
  const deflater = new Deflater();
  const row = new Uint8Array(width + 1);
  for (let y = 0; y < height; y++) {
    const from = y * width;
    if (y % ROWS_PER_LOOK === 0) look();
    row[0] = y > 0 && isLikeAbove(pixels, from, width) ? UP : NONE;
    if (row[0] === NONE) row.set(pixels.subarray(from, from + width), 1);
    else for (let x = 0; x < width; x++) row[x + 1] = pixels[from + x] - pixels[from + x - width];
    deflater.add(row);
  }
  return deflater.end();
}

/**
 * Whether to store a row as differences from the row above. Counts the changes from the pixel above, and the changes
 * from the pixel to the left. Returns true if the first count is less than half of the second. The factor ½ is because
 * differences have more distinct values than pixels.
 */
function isLikeAbove(pixels: Uint8Array, from: number, width: number): boolean {
  let balance = 0;
  for (let i = from + 1; i < from + width; i++) {
    if (pixels[i] !== pixels[i - width]) balance += 2;
    if (pixels[i] !== pixels[i - 1]) balance--;
  }
  return balance < 0;
}

/** Returns a chunk of a PNG file: length, type, data and checksum. */
function chunk(type: string, data: Uint8Array): Uint8Array[] {
  const head = new Uint8Array(8);
  new DataView(head.buffer).setUint32(0, data.length);
  head.set(
    Array.from(type, (letter) => letter.charCodeAt(0)),
    4,
  );
  const tail = new Uint8Array(4);
  new DataView(tail.buffer).setUint32(0, crcOf([head.subarray(4), data]));
  return [head, data, tail];
}

/** The CRC of each byte, computed bit by bit. The polynomial is in the specification, section "CRC algorithm". */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

function crcOf(pieces: readonly Uint8Array[]): number {
  let crc = 0xffff_ffff;
  for (const piece of pieces) {
    for (let i = 0; i < piece.length; i++) crc = CRC_TABLE[(crc ^ piece[i]) & 0xff] ^ (crc >>> 8);
  }
  return ~crc;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const piece of pieces) {
    bytes.set(piece, end);
    end += piece.length;
  }
  return bytes;
}
