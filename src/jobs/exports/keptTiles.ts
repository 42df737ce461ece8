import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import type { Rgb } from "../../formats/index.js";

/*
 * A tile file has a chunk of its own behind the first chunk of the PNG: the SHA-256 of the colours and the cells that the
 * tile shows. So a later export sees which tiles are still true, without decoding them, also if the earlier export was
 * killed. Programs that do not know the chunk skip it. Source: PNG (Third Edition), 5.4 and 14.2: a private chunk
 * that depends on the picture.
 */

const CHUNK = "rmSM";
const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
/** Bytes of the signature with the first chunk. */
const FIRST_BYTES = 33;
/** Bytes of a chunk's length and type, and of its CRC-32. */
const HEAD_BYTES = 8;
const CRC_BYTES = 4;

/** Returns a function that returns the sum of a tile: it depends on all that decides the bytes of the file. */
export function tileSums(colors: readonly Rgb[]): (cells: Uint8Array) => Uint8Array {
  const start = createHash("sha256").update(JSON.stringify(colors));
  return (cells) => start.copy().update(cells).digest();
}

export function withSum(png: Uint8Array, sum: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(sum.length, 0);
  head.write(CHUNK, 4, "latin1");
  const tail = Buffer.alloc(CRC_BYTES);
  tail.writeUInt32BE(crc32(sum, crc32(head.subarray(4))), 0);
  return Buffer.concat([png.subarray(0, FIRST_BYTES), head, sum, tail, png.subarray(FIRST_BYTES)]);
}

/** Returns the bytes of a file if it is an undamaged tile with this sum. */
export function readTile(file: string, sum: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = readFileSync(file);
    const found = bytes.subarray(FIRST_BYTES + HEAD_BYTES, FIRST_BYTES + HEAD_BYTES + sum.length);
    return found.equals(sum) && isWhole(bytes) ? bytes : undefined;
  } catch {
    // a file that is missing or cannot be read is made anew
    return undefined;
  }
}

/** Whether the file is a PNG whose chunks have correct CRC-32, and whose last chunk ends the file. */
function isWhole(png: Buffer): boolean {
  let at = SIGNATURE.length;
  let type = "";
  if (!png.subarray(0, at).equals(SIGNATURE)) return false;
  while (at + HEAD_BYTES + CRC_BYTES <= png.length) {
    const end = at + HEAD_BYTES + png.readUInt32BE(at);
    if (end + CRC_BYTES > png.length || crc32(png.subarray(at + 4, end)) !== png.readUInt32BE(end)) return false;
    type = png.toString("latin1", at + 4, at + HEAD_BYTES);
    at = end + CRC_BYTES;
  }
  return at === png.length && type === "IEND";
}
