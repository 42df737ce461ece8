// Uniform integers below a bound, exact: the word decides, and where it cannot, extra words do.

import { extraWord, standAt, wordAt } from "./words";

/**
 * Uniform on 0 … m − 1, m ≥ 1: ⌊(word·m + r) / 2^32⌋ with r uniform on 0 … m − 1. Over all words and all r the numerator
 * takes every value 0 … 2^32·m − 1 once, so each outcome has exactly 2^32 of them. r matters only when it can carry.
 * The address must be the one stood at, unless the word settles it.
 */
export function below(word: u32, m: u32): u32 {
  const product = <u64>word * m;
  return <u32>((isSettled(word, m) ? product : product + uniformExtra(m)) >>> 32);
}

/** Whether a word settles below(m) by itself, so that the address need not be stood at; never where m is 0. */
export function isSettled(word: u32, m: u32): bool {
  return <u64>(word * m) + m - 1 < 0x100000000;
}

/** below(m) of the word at an address. */
export function belowAt(purpose: u32, plane: u32, block: u32, offset: u32, m: u32): u32 {
  standAt(purpose, plane, block, offset);
  return below(wordAt(purpose, plane, block, offset), m);
}

/** Uniform on 0 … m − 1 from extra words alone, by rejection: Lemire, "Fast random integer generation in an interval" (2019). */
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

// What words decide by themselves: with a prefix sum c of a total m, every word < sureBelow(c, m) has below(m) < c and
// every word ≥ sureAbove(c, m) has below(m) ≥ c, whatever r. At most one word lies between: the word itself times m is
// under c · 2^32, but with m − 1 added it may not be.

/** ⌊c · 2^32 / m⌋, 0 … 2^32. */
export function sureBelow(c: u32, m: u32): u64 {
  return ((<u64>c) << 32) / m;
}

/** ⌈c · 2^32 / m⌉, 0 … 2^32. */
export function sureAbove(c: u32, m: u32): u64 {
  // c ≤ m < 2^32, so c · 2^32 + m − 1 < 2^64
  return (((<u64>c) << 32) + (m - 1)) / m;
}
