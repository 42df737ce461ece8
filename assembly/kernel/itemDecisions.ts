// Decisions of items: each goes through a list, one plane of words beside it, and splits the list or fills a column.

import { below, belowAt, isSettled, sureAbove, sureBelow } from "./below";
import { words } from "./buffers";
import { block, columnAt, endOf, fillFor, itemsOf, purpose, setEnd, words2 } from "./itemSpan";
import { standAt } from "./words";

/** A roll is 0 … 100. */
export const SIDES: u32 = 101;

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
    const passes = <usize>(word >= bound);
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
    const passes = <usize>(belowAt(purpose, plane, block, item, SIDES) >= fails);
    store<u16>(yes, item);
    store<u16>(no, item);
    yes += passes << 1;
    no += (passes ^ 1) << 1;
  }
  setEnd(into, yes);
  setEnd(others, no);
}

const NOWHERE: u32 = 0xffff;

/** Uniform choice: each item's column gets one of the `n` u16 at `values`. */
export function pick(from: u32, column: u32, plane: u32, n: u32, values: usize): void {
  fillFor(from, plane, words);
  const out = columnAt(column);
  const last = endOf(from);
  for (let at = itemsOf(from); at < last; at += 2) {
    const item = <usize>load<u16>(at);
    const choice = belowOf(item, plane, load<u32>(words + (item << 2)), n);
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
    const choice = belowOf(item, plane, load<u32>(words + (item << 2)), n - u32(taken != NOWHERE));
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
    const roll = belowOf(item, swing, load<u32>(words2 + (item << 2)), SIDES);
    const set = sets + ((<usize>roll) << 3);
    const choice = belowOf(item, plane, load<u32>(words + (item << 2)), load<u32>(set, 4));
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

/** below(m) of an item's word on a plane. */
export function belowOf(item: usize, plane: u32, word: u32, m: u32): u32 {
  if (!isSettled(word, m)) standAt(purpose, plane, block, <u32>item);
  return below(word, m);
}
