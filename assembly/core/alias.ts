// Exact alias tables (Walker 1974, Vose 1991) in integer arithmetic. A table of n weights has N = 2^k columns, where N
// is the smallest power of two ≥ n. Let T ≤ 2^32 − 1 be the total of the weights. Each column is T parts wide. Column c
// keeps t_c of these parts for entry c and gives the others to another entry, alias_c. t_c is the share of column c.
//
// A pick takes one random word. The top k bits of the word are the column c. The other bits, f, choose between entry c
// and entry alias_c. One u32 for each column holds the two numbers that this choice needs:
//
//   column c:   │ q_c = ⌊t_c · 2^(32−k) / T⌋ │ alias_c │
//                 32 − k bits                  k bits
//
//   word:       │ c      │ f                           │       f < q: c    f > q: alias_c    f = q: extra words decide
//                 k bits   32 − k bits
//
// A full column (t = T) is its own alias. Any q would then give the same entry; 0 is stored.
// Only a tie (f = q) reads t_c, so the shares have a separate array.

import { uniformExtra } from "./below";
import { AliasHead, Status } from "./layout";
import { allocate, mark, release } from "./memory";

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

/** Address at which the caller writes the n weights, u32, before the build. The build replaces them by the shares. */
export function aliasWeights(list: usize): usize {
  return changetype<AliasHead>(list).shares;
}

/**
 * Builds the table from its n weights, whose total is 1 … 2^32 − 1. Call it before any other allocation: if the build
 * runs out of memory, it frees the table.
 */
export function buildAlias(list: usize, n: u32): Status {
  const k = changetype<AliasHead>(list).bits;
  const weights = changetype<AliasHead>(list).shares;
  // the scaled weights s_i = N·w_i and the two stacks are needed during the build only
  const scratch = mark();
  const scaled = allocate((<usize>8) << k);
  const stack = allocate((<usize>4) << k);
  if (!scaled || !stack) {
    // the table was allocated last, so it can be freed; otherwise failed attempts would fill the memory
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
 * Fills the columns. An entry is small if its scaled weight, N · weight, is less than the total, so that it cannot fill
 * its column alone. Each small entry is paired with a large entry, which fills the rest of the column.
 *
 * One array holds both stacks of entries: the stack of small entries grows from its bottom, the stack of large entries
 * from its top. Together the stacks have at most N entries, so they never meet.
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
  // an entry that is left on a stack fills its whole column
  for (let at = stack; at < small; at += 4) setColumn(columns, shares, load<u32>(at), total, total, load<u32>(at), k);
  for (let at = large; at < end; at += 4) setColumn(columns, shares, load<u32>(at), total, total, load<u32>(at), k);
}

function setColumn(columns: usize, shares: usize, c: u32, share: u32, total: u32, alias: u32, k: u32): void {
  const q: u32 = share == total ? 0 : <u32>(((<u64>share) << (32 - k)) / total);
  // k = 0 means a single column, which a pick never reads: its `word >>> (32 − k)` would be a shift by 32, which
  // WebAssembly takes as a shift by 0
  store<u32>(columns + ((<usize>c) << 2), k ? (q << k) | alias : 0);
  store<u32>(shares + ((<usize>c) << 2), share);
}

/** Number of bits of a word that choose the column. */
export function aliasBits(list: usize): u32 {
  return changetype<AliasHead>(list).bits;
}

/** The alias of column c. Returns 0 if k is 0. */
export function aliasOf(list: usize, c: u32): u32 {
  const k = changetype<AliasHead>(list).bits;
  return k ? entryOf(list, c) & ((1 << k) - 1) : 0;
}

/**
 * Returns q_c << k, or 0 if k is 0. Let f be the lower 32 − k bits of a word that selects column c. The word picks c if
 * f << k is less than the returned value, and the alias of c if f << k is greater.
 */
export function aliasShare(list: usize, c: u32): u32 {
  const k = changetype<AliasHead>(list).bits;
  return k ? (entryOf(list, c) >>> k) << k : 0;
}

function entryOf(list: usize, c: u32): u32 {
  return load<u32>(changetype<AliasHead>(list).columns + ((<usize>c) << 2));
}

/**
 * Writes the picks of the words `from` … `count` − 1 to `out`, four words at a time. `from` is a multiple of 4. If one
 * of four words ties, stops and returns the index of the first of these four words. Without a tie, returns `count`.
 */
export function pickRows(list: usize, words: usize, out: usize, from: u32, count: u32): u32 {
  const k = changetype<AliasHead>(list).bits;
  if (k == 0) {
    memory.fill(out + ((<usize>from) << 2), 0, (<usize>(count - from)) << 2);
    return count;
  }
  const columns = changetype<AliasHead>(list).columns;
  const aliasMask = i32x4.splat((1 << k) - 1);
  for (let i = from; i < count; i += 4) {
    const at = (<usize>i) << 2;
    const word = v128.load(words + at);
    const column = i32x4.shr_u(word, 32 - k);
    const fraction = i32x4.shl(word, k);
    let entry = v128.load32_zero(columns + ((<usize>i32x4.extract_lane(column, 0)) << 2));
    entry = v128.load_lane<u32>(columns + ((<usize>i32x4.extract_lane(column, 1)) << 2), entry, 1);
    entry = v128.load_lane<u32>(columns + ((<usize>i32x4.extract_lane(column, 2)) << 2), entry, 2);
    entry = v128.load_lane<u32>(columns + ((<usize>i32x4.extract_lane(column, 3)) << 2), entry, 3);
    // entry = q · 2^k + alias and fraction = f · 2^k, so (entry − fraction) mod 2^32 is < 2^k exactly if f = q
    if (v128.any_true(i32x4.le_u(i32x4.sub(entry, fraction), aliasMask))) return i;
    const own = i32x4.gt_u(entry, fraction);
    v128.store(out + at, v128.bitselect(column, v128.and(entry, aliasMask), own));
  }
  return count;
}

/** Returns the entry that a word picks. Call `selectExtraWords` for the word first: a tie takes extra words. */
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
