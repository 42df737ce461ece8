// Decisions of items: each goes through a list, one plane of words beside it, and splits the list or fills a column.

import { sureAbove, sureBelow } from "../core/below";
import { words } from "../core/buffers";
import { held, hold } from "./held";
import { belowOfItem, belowOfWord, columnAt, end, endOf, fillFor, first, itemsOf, SIDES, setEnd, words2 } from "./span";

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

const NOWHERE: u32 = 0xffff;

/** Uniform choice: each item gets one of the `n` u16 at `values`, in the column at `out`. */
export function pick(from: u32, out: usize, plane: u32, n: u32, values: usize): void {
  fillFor(from, plane, words);
  const last = endOf(from);
  const column = held(out);
  const table = held(values);
  // settled, a product's lower half is at most 2^32 - n (core/below.ts)
  const settled = <u32>held(<usize>(0 - n));
  for (let at = itemsOf(from); at < last; at += 2) {
    const item = <usize>load<u16>(at);
    const product = <u64>load<u32>(words + (item << 2)) * n;
    const choice = <u32>product > settled ? belowOfItem(item, plane, n) : <u32>(product >>> 32);
    store<u16>(column + (item << 1), load<u16>(table + ((<usize>choice) << 1)));
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
    const choice = belowOfWord(item, plane, load<u32>(words + ((<usize>item) << 2)), n - u32(taken != NOWHERE));
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
    const choice = belowOfWord(item, plane, load<u32>(words + ((<usize>item) << 2)), load<u32>(set, 4));
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
  const out = held(columnAt(into));
  const columnA = held(columnAt(a));
  const columnB = held(columnAt(b));
  const sizes = v128.load16_splat(hold(size));
  for (let item = <usize>first, last = held(end); item < last; item += 8) {
    const at = item << 1;
    v128.store(out + at, i16x8.add(i16x8.mul(v128.load(columnA + at), sizes), v128.load(columnB + at)));
  }
}
