import { inflateSync } from "node:zlib";

/** The pixels of an indexed PNG as colours, such as "13,14,20". */
export interface DecodedPng {
  readonly width: number;
  readonly height: number;
  /** Number of colours in the palette. */
  readonly colors: number;
  at(x: number, y: number): string;
  /** The number of pixels of each colour. */
  counts(): ReadonlyMap<string, number>;
}

/** Decodes an indexed PNG with 8 bits a pixel. Only the filters "none" and "up" are known. */
export function decodedPng(bytes: Uint8Array): DecodedPng {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const data = file.subarray(at + 8, at + 8 + length);
    const type = file.toString("latin1", at + 4, at + 8);
    chunks.set(type, Buffer.concat([chunks.get(type) ?? Buffer.alloc(0), data]));
    at += length + 12;
  }
  const part = (type: string) => chunks.get(type) ?? Buffer.alloc(0);
  const [width, height] = [part("IHDR").readUInt32BE(0), part("IHDR").readUInt32BE(4)];
  const rows = inflateSync(part("IDAT"));
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (width + 1)];
    for (let x = 0; x < width; x++) {
      const above = filter === 2 ? pixels[(y - 1) * width + x] : 0;
      pixels[y * width + x] = rows[y * (width + 1) + 1 + x] + above;
    }
  }
  const palette = part("PLTE");
  const colorOf = (index: number) => [...palette.subarray(3 * index, 3 * index + 3)].join();
  return {
    width,
    height,
    colors: palette.length / 3,
    at: (x, y) => colorOf(pixels[y * width + x]),
    counts: () => {
      const counts = new Map<string, number>();
      for (const pixel of pixels) counts.set(colorOf(pixel), (counts.get(colorOf(pixel)) ?? 0) + 1);
      return counts;
    },
  };
}
