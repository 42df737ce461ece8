// Decisions of items: each goes through a list, one plane of words beside it, and splits the list or fills a column.

import { isSettled, sureAbove, sureBelow } from "./below";
import { words } from "./buffers";
import {
  ALL,
  belowOfItem,
  columnAt,
  end,
  endOf,
  fillFor,
  first,
  itemsOf,
  SIDES,
  setCount,
  setEnd,
  words2,
} from "./itemSpan";
import { allocate } from "./memory";

/** Of all items, those whose roll is ≥ `fails` go to the list `into`: eight at a time. */
export function selectOfAll(into: u32, plane: u32, fails: u32): void {
  fillFor(ALL, plane, words);
  if (fails == SIDES) {
    setCount(into, 0);
    return;
  }
  const bound = <u32>sureBelow(fails, SIDES);
  const bounds = i32x4.splat(bound);
  let yes = itemsOf(into);
  let doubtful = i32x4.splat(0);
  for (let item = first & ~7; item < end; item += 8) {
    const at = words + ((<usize>item) << 2);
    const a = v128.load(at, 0);
    const b = v128.load(at, 16);
    const passes = i16x8.narrow_i32x4_s(i32x4.ge_u(a, bounds), i32x4.ge_u(b, bounds));
    let bits = i16x8.bitmask(passes);
    if (item < first) bits &= 0xff << (first - item);
    if (end - item < 8) bits &= 0xff >> (8 - (end - item));
    v128.store(yes, i16x8.add(v128.load(packed + ((<usize>bits) << 4)), i16x8.splat(<i16>item)));
    yes += (<usize>popcnt(bits)) << 1;
    doubtful = v128.or(doubtful, v128.or(i32x4.eq(a, bounds), i32x4.eq(b, bounds)));
  }
  setEnd(into, yes);
  if (v128.any_true(doubtful) && <u64>bound != sureAbove(fails, SIDES)) selectOfAllExactly(into, plane, fails);
}

function selectOfAllExactly(into: u32, plane: u32, fails: u32): void {
  let yes = itemsOf(into);
  for (let item = <usize>first; item < <usize>end; ++item) {
    store<u16>(yes, <u16>item);
    yes += usize(belowOfItem(item, plane, SIDES) >= fails) << 1;
  }
  setEnd(into, yes);
}

/** For each set of eight bits, the places of its ones, u16 each, packed to the front. */
const packed = allocate(256 << 4);
for (let bits: u32 = 0; bits < 256; ++bits) {
  let at = packed + ((<usize>bits) << 4);
  for (let lane: u32 = 0; lane < 8; ++lane) {
    store<u16>(at, <u16>lane);
    at += (<usize>((bits >>> lane) & 1)) << 1;
  }
}

/** Items whose roll is ≥ `fails` go to the list `into`, the others to `others`. Packed without a branch. */
export function select(from: u32, into: u32, others: u32, plane: u32, fails: u32): void {
  fillFor(from, plane, words);
  const last = endOf(from);
  const bound = sureBelow(fails, SIDES);
  let yes = itemsOf(into);
  let no = itemsOf(others);
  let doubtful: u32 = 0;
  for (let at = itemsOf(from); at < last; at += 2) {
    const item = load<u16>(at);
    const word = <u64>load<u32>(words + ((<usize>item) << 2));
    const passes = usize(word >= bound);
    doubtful |= u32(word == bound);
    store<u16>(yes, item);
    store<u16>(no, item);
    yes += passes << 1;
    no += (passes ^ 1) << 1;
  }
  setEnd(into, yes);
  setEnd(others, no);
  // one word of 2^32, at most, does not tell
  if (doubtful && bound != sureAbove(fails, SIDES)) selectExactly(from, into, others, plane, fails);
}

function selectExactly(from: u32, into: u32, others: u32, plane: u32, fails: u32): void {
  let yes = itemsOf(into);
  let no = itemsOf(others);
  const last = endOf(from);
  for (let at = itemsOf(from); at < last; at += 2) {
    const item = load<u16>(at);
    const passes = usize(belowOfItem(item, plane, SIDES) >= fails);
    store<u16>(yes, item);
    store<u16>(no, item);
    yes += passes << 1;
    no += (passes ^ 1) << 1;
  }
  setEnd(into, yes);
  setEnd(others, no);
}

/** Uniform choice for all items, four at a time: a column gets one of the `n` u16 at `values`. */
export function pickForAll(column: u32, plane: u32, n: u32, values: usize): void {
  fillFor(ALL, plane, words);
  const out = columnAt(column);
  const bounds = i32x4.splat(n);
  const unsettled = i32x4.splat(0 - n);
  for (let item = <usize>first; item < <usize>end; item += 4) {
    const word = v128.load(words + (item << 2));
    const product = i64x2.extmul_low_i32x4_u(word, bounds);
    const product2 = i64x2.extmul_high_i32x4_u(word, bounds);
    const rest = v128.shuffle<i32>(product, product2, 0, 2, 4, 6);
    if (v128.any_true(i32x4.gt_u(rest, unsettled))) {
      pickExactly(column, plane, n, values, item);
      continue;
    }
    const at = out + (item << 1);
    store<u16>(at, load<u16>(values + ((<usize>i32x4.extract_lane(product, 1)) << 1)), 0);
    store<u16>(at, load<u16>(values + ((<usize>i32x4.extract_lane(product, 3)) << 1)), 2);
    store<u16>(at, load<u16>(values + ((<usize>i32x4.extract_lane(product2, 1)) << 1)), 4);
    store<u16>(at, load<u16>(values + ((<usize>i32x4.extract_lane(product2, 3)) << 1)), 6);
  }
}

function pickExactly(column: u32, plane: u32, n: u32, values: usize, from: usize): void {
  for (let item = from; item < min(from + 4, <usize>end); ++item) {
    const choice = belowOfItem(item, plane, n);
    store<u16>(columnAt(column) + (item << 1), load<u16>(values + ((<usize>choice) << 1)));
  }
}

const NOWHERE: u32 = 0xffff;

/** Uniform choice: each item gets one of the `n` u16 at `values`, in the column at `out`. */
export function pick(from: u32, out: usize, plane: u32, n: u32, values: usize): void {
  fillFor(from, plane, words);
  const last = endOf(from);
  for (let at = itemsOf(from); at < last; at += 2) {
    const item = <usize>load<u16>(at);
    const word = load<u32>(words + (item << 2));
    const choice = isSettled(word, n) ? <u32>((<u64>word * n) >>> 32) : belowOfItem(item, plane, n);
    store<u16>(out + (item << 1), load<u16>(values + ((<usize>choice) << 1)));
  }
}

/**
 * The same among the n values but the one that another column has: `places` has, by the other's value, where it is among
 * them, u16, or 0xffff.
 */
export function pickOther(from: u32, column: u32, plane: u32, n: u32, values: usize, other: u32, places: usize): void {
  fillFor(from, plane, words);
  const last = endOf(from);
  for (let at = itemsOf(from); at < last; at += 2) {
    const item = <usize>load<u16>(at);
    const taken = <u32>load<u16>(places + ((<usize>load<u16>(columnAt(other) + (item << 1))) << 1));
    const choice = belowOfWord(item, plane, load<u32>(words + (item << 2)), n - u32(taken != NOWHERE));
    const value = load<u16>(values + ((<usize>(choice + u32(choice >= taken))) << 1));
    store<u16>(columnAt(column) + (item << 1), value);
  }
}

/**
 * The same, where a roll on plane `swing` tells which values: `sets` has, by roll, where a set's values are, from `plan` on,
 * and how many, u32 each. The choice itself is on `plane`.
 */
export function pickSwinging(from: u32, column: u32, swing: u32, plane: u32, sets: usize, plan: usize): void {
  fillFor(from, swing, words2);
  fillFor(from, plane, words);
  const last = endOf(from);
  for (let at = itemsOf(from); at < last; at += 2) {
    const item = <usize>load<u16>(at);
    const roll = belowOfWord(item, swing, load<u32>(words2 + (item << 2)), SIDES);
    const set = sets + ((<usize>roll) << 3);
    const choice = belowOfWord(item, plane, load<u32>(words + (item << 2)), load<u32>(set, 4));
    const value = load<u16>(plan + <usize>load<u32>(set) + ((<usize>choice) << 1));
    store<u16>(columnAt(column) + (item << 1), value);
  }
}

/** Gives every item of a list one value. */
export function set(from: u32, column: u32, value: u32): void {
  const last = endOf(from);
  for (let at = itemsOf(from); at < last; at += 2)
    store<u16>(columnAt(column) + ((<usize>load<u16>(at)) << 1), <u16>value);
}

/** Empties a column. */
export function clear(column: u32): void {
  memory.fill(columnAt(column) + ((<usize>first) << 1), 0, (<usize>(end - first)) << 1);
}

/** Makes one column of two: first · size + second, for every item. */
export function merge(into: u32, a: u32, b: u32, size: u32): void {
  const out = columnAt(into);
  const columnA = columnAt(a);
  const columnB = columnAt(b);
  const sizes = i16x8.splat(<i16>size);
  for (let item = <usize>first; item < <usize>end; item += 8) {
    const at = item << 1;
    v128.store(out + at, i16x8.add(i16x8.mul(v128.load(columnA + at), sizes), v128.load(columnB + at)));
  }
}

/** below(m) of an item's word on a plane. */
function belowOfWord(item: usize, plane: u32, word: u32, m: u32): u32 {
  return isSettled(word, m) ? <u32>((<u64>word * m) >>> 32) : belowOfItem(item, plane, m);
}
