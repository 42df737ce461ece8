import seedrandom from "seedrandom";
import type { Key } from "./kernel/index.js";

/** Version of the random words. Results are equal only between equal versions (docs/determinism.md). */
export const STREAM_VERSION = 1;

/** The seed of a mill. A number or a bigint stands for its decimal text. */
export type Seed = string | number | bigint;

/**
 * Returns the key of a seed: the first two int32 that seedrandom's ARC4 generator makes from the seed's text. Converts
 * the seed to text first, because seedrandom distinguishes 1 from "1".
 */
export function keyOf(seed: Seed): Key {
  const generator = seedrandom(String(seed));
  return [generator.int32() >>> 0, generator.int32() >>> 0];
}

const FNV_OFFSET_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Returns the number of a name's stream of random words: the 32-bit FNV-1a hash of its UTF-8 bytes.
 *
 * Source: http://www.isthe.com/chongo/tech/comp/fnv/
 */
export function purposeOf(name: string): number {
  let hash = FNV_OFFSET_BASIS;
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, FNV_PRIME);
  return hash >>> 0;
}
