// Exact alias tables: Walker 1974, Vose 1991, in integers. N = 2^k columns for n weights of total T ≤ 2^32 − 1; column c
// keeps the share t_c of its own entry, T parts wide, and gives the rest to alias_c. One u32 holds what a pick needs:
//
//   column c:   │ q_c = ⌊t_c · 2^(32−k) / T⌋ │ alias_c │
//                 32 − k bits                  k bits
//
//   word:       │ c      │ f                           │       f < q: c    f > q: alias_c    f = q: extra words decide
//                 k bits   32 − k bits
//
// A full column (t = T) has itself as alias, so its q may be anything: 0. The tie needs t_c, kept apart, cold.

import { uniformExtra } from "./below";
import { Status } from "./layout";
import { allocate, mark, release } from "./memory";

/** The header of a table at `list`: k, then total, then the two arrays' addresses. */
const BITS: usize = 0;
const TOTAL: usize = 4;
const COLUMNS: usize = 8;
const SHARES: usize = 12;
const HEADER_BYTES: usize = 16;

/** Room for a table of n ≥ 1 weights; 0 when memory runs out. */
export function createAlias(n: u32): usize {
  const before = mark();
  const k: u32 = n > 1 ? 32 - clz(n - 1) : 0;
  const list = allocate(HEADER_BYTES);
  const columns = allocate((<usize>4) << k);
  const shares = allocate((<usize>4) << k);
  if (!list || !columns || !shares) {
    release(before);
    return 0;
  }
  store<u32>(list, k, BITS);
  store<u32>(list, <u32>columns, COLUMNS);
  store<u32>(list, <u32>shares, SHARES);
  return list;
}

/** Where the caller writes the n weights, u32, before the table is built: the shares come to stand there. */
export function aliasWeights(list: usize): usize {
  return load<u32>(list, SHARES);
}

/** Builds the table from its n weights, whose total is 1 … 2^32 − 1, right after it was created; if that fails it is gone. */
export function buildAlias(list: usize, n: u32): Status {
  const k = load<u32>(list, BITS);
  const weights = <usize>load<u32>(list, SHARES);
  // the scaled weights s_i = N·w_i and the two stacks live only while the table is built
  const scratch = mark();
  const scaled = allocate((<usize>8) << k);
  const stack = allocate((<usize>4) << k);
  if (!scaled || !stack) {
    // nothing was taken since the table was: it goes too, so that a caller who tries again does not use up the arena
    release(list);
    return Status.OUT_OF_MEMORY;
  }
  let total: u32 = 0;
  for (let i: u32 = 0; i < n; ++i) total += load<u32>(weights + ((<usize>i) << 2));
  store<u32>(list, total, TOTAL);
  pair(weights, n, k, total, scaled, stack, load<u32>(list, COLUMNS), weights);
  release(scratch);
  return Status.OK;
}

/** One stack array serves both: small entries grow from its bottom, large ones from its top; together they are ≤ N. */
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
  // what is left over is full, with itself as alias
  for (let at = stack; at < small; at += 4) setColumn(columns, shares, load<u32>(at), total, total, load<u32>(at), k);
  for (let at = large; at < end; at += 4) setColumn(columns, shares, load<u32>(at), total, total, load<u32>(at), k);
}

function setColumn(columns: usize, shares: usize, c: u32, share: u32, total: u32, alias: u32, k: u32): void {
  const q: u32 = share == total ? 0 : <u32>(((<u64>share) << (32 - k)) / total);
  // k = 0: one column, always full; WebAssembly shifts modulo 32, so nothing may be shifted
  store<u32>(columns + ((<usize>c) << 2), k ? (q << k) | alias : 0);
  store<u32>(shares + ((<usize>c) << 2), share);
}

/** How many bits of a word choose the column. */
export function aliasBits(list: usize): u32 {
  return load<u32>(list, BITS);
}

/** The alias of column c; of the one entry that there is where no bits choose. */
export function aliasOf(list: usize, c: u32): u32 {
  const k = load<u32>(list, BITS);
  return k ? entryOf(list, c) & ((1 << k) - 1) : 0;
}

/** The lower bits, shifted up, below which a word of column c picks the column's own entry, above which its alias. */
export function aliasShare(list: usize, c: u32): u32 {
  const k = load<u32>(list, BITS);
  return k ? (entryOf(list, c) >>> k) << k : 0;
}

function entryOf(list: usize, c: u32): u32 {
  return load<u32>(<usize>load<u32>(list, COLUMNS) + ((<usize>c) << 2));
}

/** Picks for `count` words at `words`, a multiple of 4; returns the offset of the first tie at or after `from`, or `count`. */
export function pickRows(list: usize, words: usize, out: usize, from: u32, count: u32): u32 {
  const k = load<u32>(list, BITS);
  if (k == 0) {
    memory.fill(out + ((<usize>from) << 2), 0, (<usize>(count - from)) << 2);
    return count;
  }
  const columns = <usize>load<u32>(list, COLUMNS);
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
    // entry − fraction < 2^k exactly when f = q
    if (v128.any_true(i32x4.le_u(i32x4.sub(entry, fraction), aliasMask))) return i;
    const own = i32x4.gt_u(entry, fraction);
    v128.store(out + at, v128.bitselect(column, v128.and(entry, aliasMask), own));
  }
  return count;
}

/** The pick of one word, ties and all; the word's address must be the one stood at. */
export function pickOne(list: usize, word: u32): u32 {
  const k = load<u32>(list, BITS);
  if (k == 0) return 0;
  const c = word >>> (32 - k);
  const entry = load<u32>(<usize>load<u32>(list, COLUMNS) + ((<usize>c) << 2));
  const alias = entry & ((1 << k) - 1);
  const f = word << k;
  if (entry - f > (1 << k) - 1) return entry > f ? c : alias;
  const total = load<u32>(list, TOTAL);
  const share = load<u32>(<usize>load<u32>(list, SHARES) + ((<usize>c) << 2));
  const remainder = <u32>(((<u64>share) << (32 - k)) % total);
  return uniformExtra(total) < remainder ? c : alias;
}
