// Exact alias tables (Walker 1974, Vose 1991) in integer arithmetic. A table of n weights has N = 2^k columns, where N
// is the smallest power of two ≥ n. The weights sum to T ≤ 2^32 − 1. Each column is T parts wide. In column c, t_c
// parts belong to entry c; t_c is called the share of the column. The remaining T − t_c parts belong to a second entry,
// alias_c.
//
// A pick reads one random word. Its top k bits are the column c. Its remaining bits, f, choose between entry c and
// entry alias_c. For this choice, each column has one u32 that packs two numbers:
//
//   column c:   │ q_c = ⌊t_c · 2^(32−k) / T⌋ │ alias_c │
//                 32 − k bits                  k bits
//
//   word:       │ c      │ f                           │       f < q: c    f > q: alias_c    f = q: extra words decide
//                 k bits   32 − k bits
//
// In a full column (t = T), alias_c = c. The choice does not matter there, so q is stored as 0. The shares are in a
// separate array, because only a tie (f = q) reads them.

import { uniformExtra } from "./below";
import { AliasHead, Status } from "./layout";
import { allocate, mark, release } from "./memory";
import { cellOf } from "./registers";
import { ROW_BYTES } from "./xoshiro";

/** Allocates a table for n ≥ 1 weights. Returns its address, or 0 if memory runs out. */
export function createAlias(n: u32): usize {
  const before = mark();
  const k: u32 = n > 1 ? 32 - clz(n - 1) : 0;
  const list = allocate(offsetof<AliasHead>());
  const columns = allocate((<usize>4) << k);
  const shares = allocate((<usize>4) << k);
  if (!list || !columns || !shares) {
    release(before);
    return 0;
  }
  const head = changetype<AliasHead>(list);
  head.bits = k;
  head.columns = columns;
  head.shares = shares;
  return list;
}

/**
 * Returns the address of the n weights, u32. The caller writes the weights there before the build. The build overwrites
 * them with the shares.
 */
export function aliasWeights(list: usize): usize {
  return changetype<AliasHead>(list).shares;
}

/**
 * Builds the table from its n weights. Their total must be 1 … 2^32 − 1. If memory runs out, frees the table and
 * everything allocated after it. So allocate nothing between `createAlias` and this call.
 */
export function buildAlias(list: usize, n: u32): Status {
  const k = changetype<AliasHead>(list).bits;
  const weights = changetype<AliasHead>(list).shares;
  // only the build needs the scaled weights (N · weight) and the two stacks
  const scratch = mark();
  const scaled = allocate((<usize>8) << k);
  const stack = allocate((<usize>4) << k);
  if (!scaled || !stack) {
    // frees the table, which was allocated last. If it were kept, failed attempts would fill the memory
    release(list);
    return Status.OUT_OF_MEMORY;
  }
  let total: u32 = 0;
  for (let i: u32 = 0; i < n; ++i) total += load<u32>(weights + ((<usize>i) << 2));
  changetype<AliasHead>(list).total = total;
  pair(weights, n, k, total, scaled, stack, changetype<AliasHead>(list).columns, weights);
  release(scratch);
  return Status.OK;
}

/**
 * Fills the columns. An entry is small if N · weight is less than the total. A small entry cannot fill its column
 * alone, so a large entry fills the rest of the column.
 *
 * One array holds two stacks. The stack of small entries grows up from the bottom. The stack of large entries grows
 * down from the top. The stacks hold at most N entries together, so they never meet.
 */
function pair(
  weights: usize,
  n: u32,
  k: u32,
  total: u32,
  scaled: usize,
  stack: usize,
  columns: usize,
  shares: usize,
): void {
  const size: u32 = 1 << k;
  let small: usize = stack;
  let large: usize = stack + ((<usize>size) << 2);
  for (let i: u32 = 0; i < size; ++i) {
    const weight: u64 = i < n ? load<u32>(weights + ((<usize>i) << 2)) : 0;
    store<u64>(scaled + ((<usize>i) << 3), weight << k);
    if (weight << k < total) {
      store<u32>(small, i);
      small += 4;
    } else {
      large -= 4;
      store<u32>(large, i);
    }
  }
  const end = stack + ((<usize>size) << 2);
  while (small > stack && large < end) {
    small -= 4;
    const i = load<u32>(small);
    const j = load<u32>(large);
    const share = load<u64>(scaled + ((<usize>i) << 3));
    const rest = load<u64>(scaled + ((<usize>j) << 3)) - (total - share);
    setColumn(columns, shares, i, <u32>share, total, j, k);
    store<u64>(scaled + ((<usize>j) << 3), rest);
    if (rest < total) {
      large += 4;
      store<u32>(small, j);
      small += 4;
    }
  }
  // each entry that is left on a stack fills its column alone
  for (let at = stack; at < small; at += 4) setColumn(columns, shares, load<u32>(at), total, total, load<u32>(at), k);
  for (let at = large; at < end; at += 4) setColumn(columns, shares, load<u32>(at), total, total, load<u32>(at), k);
}

function setColumn(columns: usize, shares: usize, c: u32, share: u32, total: u32, alias: u32, k: u32): void {
  const q: u32 = share == total ? 0 : <u32>(((<u64>share) << (32 - k)) / total);
  // If k = 0, stores 0. A pick never reads the only column of such a table: `word >>> (32 − k)` would shift by 32,
  // which WebAssembly treats as a shift by 0.
  store<u32>(columns + ((<usize>c) << 2), k ? (q << k) | alias : 0);
  store<u32>(shares + ((<usize>c) << 2), share);
}

/** Returns k: the top k bits of a word choose the column. */
export function aliasBits(list: usize): u32 {
  return changetype<AliasHead>(list).bits;
}

/** Returns the alias of column c, or 0 if k is 0. */
export function aliasOf(list: usize, c: u32): u32 {
  const k = changetype<AliasHead>(list).bits;
  return k ? entryOf(list, c) & ((1 << k) - 1) : 0;
}

/**
 * Returns q_c << k, or 0 if k is 0. Let f be the low 32 − k bits of a word for column c. Compare f << k with this
 * value. If f << k is less, the word picks entry c. If it is greater, the word picks the alias of c. If the two are
 * equal, the word ties: use `pickOne`.
 */
export function aliasShare(list: usize, c: u32): u32 {
  const k = changetype<AliasHead>(list).bits;
  return k ? (entryOf(list, c) >>> k) << k : 0;
}

function entryOf(list: usize, c: u32): u32 {
  return load<u32>(changetype<AliasHead>(list).columns + ((<usize>c) << 2));
}

@unmanaged
class Columns {
  /** Returns the u32 of four columns. */
  @inline
  static at(columns: usize, column: v128): v128 {
    let entry = v128.load32_zero(columns + ((<usize>i32x4.extract_lane(column, 0)) << 2));
    entry = v128.load_lane<u32>(columns + ((<usize>i32x4.extract_lane(column, 1)) << 2), entry, 1);
    entry = v128.load_lane<u32>(columns + ((<usize>i32x4.extract_lane(column, 2)) << 2), entry, 2);
    return v128.load_lane<u32>(columns + ((<usize>i32x4.extract_lane(column, 3)) << 2), entry, 3);
  }
}

/** Number of words in a group of {@link pickRows}. */
export const GROUP: u32 = 8;

/**
 * Picks an entry with each of the words `from` … `count` − 1, eight at a time, and writes the entries to `out`. `from`
 * is a multiple of 8. A word ties if it needs extra words to decide. Stops before a group of eight words that contains a
 * tie. Returns the index of the first unused word, or `count`.
 */
export function pickRows(list: usize, words: usize, out: usize, from: u32, count: u32): u32 {
  const k = changetype<AliasHead>(list).bits;
  if (k == 0) {
    memory.fill(out + ((<usize>from) << 2), 0, (<usize>(count - from)) << 2);
    return count;
  }
  const columns = changetype<AliasHead>(list).columns;
  const aliasMask = v128.load32_splat(cellOf((1 << k) - 1));
  // V8 makes one instruction of a product, but four of a shift by a number that is not constant
  const factor = v128.load32_splat(cellOf(1 << k));
  for (let i = from; i < count; i += GROUP) {
    const at = (<usize>i) << 2;
    const wordA = v128.load(words + at);
    const wordB = v128.load(words + at, ROW_BYTES);
    const columnA = i32x4.shr_u(wordA, 32 - k);
    const columnB = i32x4.shr_u(wordB, 32 - k);
    const fractionA = i32x4.mul(wordA, factor);
    const fractionB = i32x4.mul(wordB, factor);
    const a = Columns.at(columns, columnA);
    const b = Columns.at(columns, columnB);
    // a = q · 2^k + alias and fractionA = f · 2^k, so (a − fractionA) mod 2^32 is < 2^k exactly if f = q
    const least = i32x4.min_u(i32x4.sub(a, fractionA), i32x4.sub(b, fractionB));
    if (v128.any_true(i32x4.le_u(least, aliasMask))) return i;
    // not >, of which V8 makes four instructions instead of two: the two numbers differ
    const isOwnA = i32x4.ge_u(a, fractionA);
    const isOwnB = i32x4.ge_u(b, fractionB);
    v128.store(out + at, v128.bitselect(columnA, v128.and(a, aliasMask), isOwnA));
    v128.store(out + at, v128.bitselect(columnB, v128.and(b, aliasMask), isOwnB), ROW_BYTES);
  }
  return count;
}

/**
 * Returns the entry that a word picks. Call `selectExtraWords` for this word first, because a tie reads extra words.
 */
export function pickOne(list: usize, word: u32): u32 {
  const k = changetype<AliasHead>(list).bits;
  if (k == 0) return 0;
  const c = word >>> (32 - k);
  const entry = load<u32>(changetype<AliasHead>(list).columns + ((<usize>c) << 2));
  const alias = entry & ((1 << k) - 1);
  const f = word << k;
  if (entry - f > (1 << k) - 1) return entry > f ? c : alias;
  const total = changetype<AliasHead>(list).total;
  const share = load<u32>(changetype<AliasHead>(list).shares + ((<usize>c) << 2));
  const remainder = <u32>(((<u64>share) << (32 - k)) % total);
  return uniformExtra(total) < remainder ? c : alias;
}
