import { joined } from "./joined.js";
import { PngWriter } from "./pngWriter.js";

/** A picture whose pixels are indices of colours. */
interface IndexedPicture {
  readonly width: number;
  readonly height: number;
  /** Pixel (x, y) is element y · width + x. */
  readonly pixels: Uint8Array;
}

/** `look` is called each time this many rows are compressed. */
const ROWS_PER_LOOK = 16;

/**
 * Writes an indexed picture as a PNG file with 8 bits for each pixel.
 *
 * Cost: O(pixels). Memory: twice the size of the file.
 *
 * @param colors - 1 … 256 colours: red, green, blue and optionally alpha, each 0 … 255. Without colours, pixels are
 * shades of gray.
 * @param look - called from time to time. It may throw to stop the work.
 */
export function indexedPng(
  { width, height, pixels }: IndexedPicture,
  colors: readonly (readonly number[])[] | undefined,
  look: () => void = () => {},
): Uint8Array {
  const writer = new PngWriter({ width, height, colors });
  for (let y = 0; y < height; y += ROWS_PER_LOOK) {
    look();
    writer.add(pixels.subarray(y * width, Math.min(height, y + ROWS_PER_LOOK) * width));
  }
  return joined([writer.start(), ...writer.end()]);
}
