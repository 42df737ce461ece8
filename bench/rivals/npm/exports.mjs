// Packages that write maps to files in memory.

import { encode } from "fast-png";
import { create, set } from "zarrita";

/**
 * Writes a square map as a Zarr array without shards, which zarrita cannot write, and returns the files: 256 × 256
 * cells in each, with the same compressor and level as ours.
 */
export async function zarritaFiles(cells, side) {
  const files = new Map();
  const array = await create(files, {
    shape: [side, side],
    chunkShape: [256, 256],
    dtype: cells.BYTES_PER_ELEMENT === 1 ? "uint8" : "uint32",
    fillValue: 0,
    codecs: [
      { name: "bytes", configuration: { endian: "little" } },
      { name: "zstd", configuration: { level: 1, checksum: false } },
    ],
  });
  await set(array, null, { data: cells, shape: [side, side], stride: [side, 1] });
  return files;
}

/** Writes a square map as a gray picture. */
export function fastPng(cells, side) {
  return encode({ width: side, height: side, data: cells, channels: 1, depth: 8 });
}
