import seedrandom from "seedrandom";
import type { Key } from "./kernel/index.js";

/** The version of the promise that a result's address decides its value: docs/determinism.md. */
export const STREAM_VERSION = 1;

/** What a mill's seed may be; a number or a bigint means its decimal text. */
export type Seed = string | number | bigint;

/**
 * The key of a seed: the first two int32 of ARC4 keyed by the seed's text. Seeds become text first, for seedrandom tells
 * 1 from "1".
 */
export function keyOf(seed: Seed): Key {
  const generator = seedrandom(String(seed));
  return [generator.int32() >>> 0, generator.int32() >>> 0];
}

const FNV_OFFSET_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The purpose that a name stands for: FNV-1a, 32 bits, of its UTF-8 (http://www.isthe.com/chongo/tech/comp/fnv/). */
export function purposeOf(name: string): number {
  let hash = FNV_OFFSET_BASIS;
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, FNV_PRIME);
  return hash >>> 0;
}
