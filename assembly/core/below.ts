// Exact uniform integers below a bound. Most words decide the result alone. In rare cases, extra words are needed.

import { extraWord, planeOf, selectExtraWords, wordAt } from "./words";

/**
 * Returns a uniform integer in 0 … m − 1, for m ≥ 1: ⌊(word·m + r) / 2^32⌋, where r is uniform on 0 … m − 1.
 *
 * Proof: over all words and all r, word·m + r takes each value 0 … 2^32·m − 1 exactly once. So each result has 2^32
 * cases. Adding r changes the result only if the sum carries into bit 32. If no r can cause a carry, the word decides
 * alone (`isSettled`). Otherwise, r is drawn from extra words. Call `selectExtraWords` for the word first.
 */
export function below(word: u32, m: u32): u32 {
  const product = <u64>word * m;
  return <u32>((isSettled(word, m) ? product : product + uniformExtra(m)) >>> 32);
}

/** Whether the word decides below(m) without extra words. False if m is 0. */
export function isSettled(word: u32, m: u32): bool {
  return <u64>(word * m) + m - 1 < 0x100000000;
}

/** Returns a uniform integer in 0 … m − 1, for m ≥ 1, from word `offset` of `block`. */
export function belowAt(plane: u64, block: u32, offset: u32, m: u32): u32 {
  selectExtraWords(plane, block, offset);
  return below(wordAt(plane, block, offset), m);
}

/** Does the same as {@link belowAt}, for TypeScript, which passes a plane as two halves. */
export function belowOf(planeLow: u32, planeHigh: u32, block: u32, offset: u32, m: u32): u32 {
  return belowAt(planeOf(planeLow, planeHigh), block, offset, m);
}

/**
 * Returns a uniform integer in 0 … m − 1. Reads extra words only, and rejects some of them. Source: Lemire, "Fast
 * random integer generation in an interval" (2019).
 */
export function uniformExtra(m: u32): u32 {
  const rejected: u32 = (<u32>0 - m) % m;
  let product = <u64>extraWord() * m;
  while (<u32>product < rejected) product = <u64>extraWord() * m;
  return <u32>(product >>> 32);
}

/** Returns the index of the first prefix sum at `sums` that is > x. At least one of the sums must be > x. */
export function firstAbove(sums: usize, x: u32): u32 {
  let i: u32 = 0;
  while (load<u32>(sums + ((<usize>i) << 2)) <= x) ++i;
  return i;
}

// Two bounds for a word. With them, most words decide whether below(m) < c without an extra draw. Here c is a prefix
// sum of weights whose total is m, and r is the extra draw of `below`.
//
//   word < sureBelow(c, m)    below(m) < c, for every r
//   word ≥ sureAbove(c, m)    below(m) ≥ c, for every r
//
// At most one word is ≥ sureBelow(c, m) and < sureAbove(c, m). For this word, word·m < c · 2^32 ≤ word·m + m − 1, so
// the extra draw r decides whether below(m) < c.

/** ⌊c · 2^32 / m⌋, in 0 … 2^32. */
export function sureBelow(c: u32, m: u32): u64 {
  return ((<u64>c) << 32) / m;
}

/** ⌈c · 2^32 / m⌉, in 0 … 2^32. */
export function sureAbove(c: u32, m: u32): u64 {
  // c ≤ m < 2^32, so c · 2^32 + m − 1 < 2^64
  return (((<u64>c) << 32) + (m - 1)) / m;
}
