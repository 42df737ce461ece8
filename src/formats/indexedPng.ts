import { joined } from "./joined.js";
import { PngWriter } from "./pngWriter.js";

interface IndexedPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

const ROWS_PER_LOOK = 16;

/** Writes a picture of indices as a PNG file. `look` is called from time to time, and may throw to stop the work. */
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
