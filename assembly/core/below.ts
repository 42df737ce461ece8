// Exact uniform integers below a bound. The word decides; if it cannot, extra words do.

import { extraWord, selectExtraWords, wordAt } from "./words";

/**
 * Uniform on 0 … m − 1, m ≥ 1: ⌊(word·m + r) / 2^32⌋ with r uniform on 0 … m − 1. Over all words and all r the
 * numerator takes every value 0 … 2^32·m − 1 once, so each outcome has exactly 2^32 of them. r matters only if it can
 * carry. Select the address (`selectExtraWords`) first, unless the word settles the result.
 */
export function below(word: u32, m: u32): u32 {
  const product = <u64>word * m;
  return <u32>((isSettled(word, m) ? product : product + uniformExtra(m)) >>> 32);
}

/** Whether a word settles below(m) without extra words; false if m is 0. */
export function isSettled(word: u32, m: u32): bool {
  return <u64>(word * m) + m - 1 < 0x100000000;
}

/** Uniform on 0 … m − 1, m ≥ 1, from the word at an address. */
export function belowAt(purpose: u32, plane: u32, block: u32, offset: u32, m: u32): u32 {
  selectExtraWords(purpose, plane, block, offset);
  return below(wordAt(purpose, plane, block, offset), m);
}

/**
 * Uniform on 0 … m − 1 from extra words alone, by rejection: Lemire, "Fast random integer generation in an interval"
 * (2019).
 */
export function uniformExtra(m: u32): u32 {
  const rejected: u32 = (<u32>0 - m) % m;
  let product = <u64>extraWord() * m;
  while (<u32>product < rejected) product = <u64>extraWord() * m;
  return <u32>(product >>> 32);
}

/** Index of the first prefix sum > x; the last of the `count` at `sums` is > x. */
export function firstAbove(sums: usize, x: u32): u32 {
  let i: u32 = 0;
  while (load<u32>(sums + ((<usize>i) << 2)) <= x) ++i;
  return i;
}

// Bounds for tables that settle most words in advance. Let c be a prefix sum of a total m. Then, for every r, each word
// < sureBelow(c, m) has below(m) < c, and each word ≥ sureAbove(c, m) has below(m) ≥ c. At most one word lies between
// the two bounds: for it, word·m < c · 2^32 ≤ word·m + m − 1 is possible.

/** ⌊c · 2^32 / m⌋, 0 … 2^32. */
export function sureBelow(c: u32, m: u32): u64 {
  return ((<u64>c) << 32) / m;
}

/** ⌈c · 2^32 / m⌉, 0 … 2^32. */
export function sureAbove(c: u32, m: u32): u64 {
  // c ≤ m < 2^32, so c · 2^32 + m − 1 < 2^64
  return (((<u64>c) << 32) + (m - 1)) / m;
}
