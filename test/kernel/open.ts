import { keyOf, type Seed } from "../../src/address.js";
import { BLOCK_WORDS, Kernel, type Key } from "../../src/kernel/index.js";

/** A kernel of its own, by key or by seed, with room for 256 MiB. */
export function openKernel(from: Key | Seed = "moria", maxBytes = 2 ** 28): Kernel {
  return new Kernel(isKey(from) ? from : keyOf(from), maxBytes);
}

function isKey(from: Key | Seed): from is Key {
  return typeof from === "object";
}

/** An index as kernel calls take it. */
export function placeOf(index: number): readonly [block: number, offset: number] {
  return [Math.floor(index / BLOCK_WORDS), index % BLOCK_WORDS];
}

/** word(purpose, plane, index) of a kernel. */
export function wordIn(kernel: Kernel, purpose: number, plane: number, index: number): number {
  return kernel.call((exports) => exports.wordAt(purpose, plane, ...placeOf(index))) >>> 0;
}

/** The first place where two lists differ, −1 where they are the same; toEqual takes seconds on a million words. */
export function firstDifference(got: ArrayLike<number>, expected: ArrayLike<number>): number {
  for (let i = 0; i < Math.max(got.length, expected.length); i++) if (got[i] !== expected[i]) return i;
  return -1;
}
