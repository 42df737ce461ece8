import seedrandom from "seedrandom";
import { error, fail } from "./errors/index.js";
import type { Key } from "./kernel/index.js";

/** The version of the promise that a result's address decides its value: docs/determinism.md. */
export const STREAM_VERSION = 1;

/** Indices are 0 … 2^42 − 1. */
export const MAX_INDEX = 2 ** 42;

/** Words of one block share a start: an index is block · 1024 + offset. */
export const BLOCK_WORDS = 1024;

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

/**
 * Checks a range of indices from … from + count − 1.
 *
 * @throws RollmillError `argument.range` where they are not integers, negative, or reach 2^42.
 */
export function checkRange(from: number, count: number): void {
  checkInteger("from", from, 0, MAX_INDEX - 1);
  checkInteger("the number of results", count, 0, MAX_INDEX - from);
}

/**
 * Checks one integer argument; both ends are allowed.
 *
 * @throws RollmillError `argument.range`.
 */
export function checkInteger(name: string, value: unknown, least: number, most: number): void {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return;
  fail(
    error("argument.range", {
      problem: `${name} is not usable`,
      got: value,
      expected: `an integer from ${least} to ${most}`,
    }),
  );
}
