// Keys of child streams (docs/determinism.md, sections 1 and 2). The kernel derives keys only where a loop needs
// thousands of them. TypeScript derives all other keys.

import { PhiloxWords, philox } from "./philox";

// To derive a key, `fold` XORs these constants into the stream's key before it calls Philox. The words of the stream
// use the key unchanged. So `fold` and the words of a stream never call Philox with the same key and counter.
const FOLD_KEY_0: u32 = 0x5851f42d;
const FOLD_KEY_1: u32 = 0x4c957f2d;
/**
 * Tags of the two kinds of derived keys. A fork by the pair (1, 0) and the starts of a walk both fold the same 8 bytes
 * into the key. Because of the tags, the fork and the starts have different keys.
 */
const PAIR_FORK: u32 = 0x80000002;
const STARTS: u32 = 0x80000003;

const folded = memory.data(<i32>offsetof<PhiloxWords>(), 16);

/** The key that the last call of this module derived. */
export let derived0: u32 = 0;
export let derived1: u32 = 0;

/** Derives the key of the child stream `fork((first, second))`. */
export function derivePairFork(k0: u32, k1: u32, first: i32, second: i32): void {
  foldChunk(k0, k1, first, second, 0, PAIR_FORK);
}

/** Derives the key of the stream that draws the start cells of a walk's layer. */
export function deriveStarts(k0: u32, k1: u32): void {
  foldChunk(k0, k1, 1, 0, 0, STARTS);
}

/** Folds chunk number `chunk`, 8 bytes as two little-endian words, into a key. */
export function foldChunk(k0: u32, k1: u32, low: u32, high: u32, chunk: u32, tag: u32): void {
  philox(k0 ^ FOLD_KEY_0, k1 ^ FOLD_KEY_1, low, high, ((<u64>tag) << 32) | chunk, folded);
  derived0 = changetype<PhiloxWords>(folded).x0;
  derived1 = changetype<PhiloxWords>(folded).x1;
}
