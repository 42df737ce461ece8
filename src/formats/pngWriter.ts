import { crc32 } from "./crc.js";
import { Deflater } from "./deflate.js";
import { joined } from "./joined.js";

interface PngHead {
  readonly width: number;
  readonly height: number;
  /** 1 … 256 colours of 3 or 4 parts, to which pixels are indices. Without colours, pixels are shades of gray. */
  readonly colors: readonly (readonly number[])[] | undefined;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Only the last chunk of compressed pixels may be shorter. */
const CHUNK_BYTES = 2 ** 16;
const GRAY = 0;
const INDEXED = 3;
/** Filters of a row. NONE stores the pixels, UP their differences from the row above. */
const NONE = 0;
const UP = 2;

/**
 * Writes a picture as a PNG file with 8 bits for each pixel, some rows at a time. Memory: two rows, and the compressed
 * bytes that were not taken. Source: W3C, Portable Network Graphics (PNG) Specification.
 */
export class PngWriter {
  readonly #head: PngHead;
  readonly #deflater = new Deflater();
  readonly #row: Uint8Array;
  #above: Uint8Array = new Uint8Array(0);

  constructor(head: PngHead) {
    this.#head = head;
    this.#row = new Uint8Array(head.width + 1);
  }

  start(): Uint8Array {
    const { width, height, colors } = this.#head;
    const head = new Uint8Array(13);
    const view = new DataView(head.buffer);
    view.setUint32(0, width);
    view.setUint32(4, height);
    head.set([8, colors === undefined ? GRAY : INDEXED], 8);
    const pieces = [Uint8Array.from(SIGNATURE), ...chunk("IHDR", head)];
    if (colors === undefined) return joined(pieces);
    const alphas = colors.map(([, , , alpha = 255]) => alpha);
    const isOpaque = alphas.every((alpha) => alpha === 255);
    const palette = colors.flatMap((color) => color.slice(0, 3));
    pieces.push(...chunk("PLTE", Uint8Array.from(palette)));
    if (!isOpaque) pieces.push(...chunk("tRNS", Uint8Array.from(alphas)));
    return joined(pieces);
  }

  add(pixels: Uint8Array): void {
    const { width } = this.#head;
    let above = this.#above;
    for (let from = 0; from < pixels.length; from += width) {
      const row = pixels.subarray(from, from + width);
      this.#addRow(row, above);
      above = row;
    }
    // a copy, because the caller may use its array again
    this.#above = above.slice();
  }

  #addRow(pixels: Uint8Array, above: Uint8Array): void {
    const row = this.#row;
    row[0] = above.length > 0 && isLikeAbove(pixels, above) ? UP : NONE;
    if (row[0] === NONE) row.set(pixels, 1);
    else for (let x = 0; x < pixels.length; x++) row[x + 1] = pixels[x] - above[x];
    this.#deflater.add(row);
  }

  /**
   * Returns the chunks that were completed since the last call. All have the same length, so the bytes of the file do
   * not depend on how many rows each `add` gets.
   */
  take(): Uint8Array[] {
    const bytes = this.#deflater.take(CHUNK_BYTES);
    const chunks = Array.from({ length: bytes.length / CHUNK_BYTES }, (_, k) => k * CHUNK_BYTES);
    return chunks.flatMap((from) => chunk("IDAT", bytes.subarray(from, from + CHUNK_BYTES)));
  }

  end(): Uint8Array[] {
    return [...chunk("IDAT", this.#deflater.end()), ...chunk("IEND", new Uint8Array(0))];
  }
}

/**
 * Whether fewer pixels differ from the pixel above than half of those that differ from the pixel to the left. The
 * factor is ½, because differences have more distinct values than pixels.
 */
function isLikeAbove(row: Uint8Array, above: Uint8Array): boolean {
  let balance = 0;
  for (let x = 1; x < row.length; x++) {
    if (row[x] !== above[x]) balance += 2;
    if (row[x] !== row[x - 1]) balance--;
  }
  return balance < 0;
}

function chunk(type: string, data: Uint8Array): Uint8Array[] {
  const head = new Uint8Array(8);
  new DataView(head.buffer).setUint32(0, data.length);
  head.set(
    Array.from(type, (letter) => letter.charCodeAt(0)),
    4,
  );
  const tail = new Uint8Array(4);
  new DataView(tail.buffer).setUint32(0, crc32(head.subarray(4), data));
  return [head, data, tail];
}
