// Decisions for the items of a list. A decision reads the list and one or two planes of words. It splits the list or
// fills a column.

import { sureAbove, sureBelow } from "../core/below";
import { words } from "../core/buffers";
import { cellOf, inRegister } from "../core/registers";
import { NO_PLACE, PickOtherOp, PickSwingingOp, ROLL_SIDES, SwingSet } from "./layout";
import { belowOfItem, belowOfWord, columnAt, end, endOf, fillFor, first, itemsOf, setEnd, words2 } from "./span";

/**
 * Splits a list. Items with a roll (0 … 100) ≥ `fails` go to the list `into`, all other items to `others`. No branch
 * depends on a roll.
 */
export function select(from: u32, into: u32, others: u32, plane: u32, fails: u32): void {
  fillFor(from, plane, words);
  const last = endOf(from);
  const bound = sureBelow(fails, ROLL_SIDES);
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
  // if a word equals `bound`, it may need extra words to decide. All other words decide alone. So `selectExactly`
  // splits the list again only if an item has this word
  if (doubtful && bound != sureAbove(fails, ROLL_SIDES)) selectExactly(from, into, others, plane, fails);
}

function selectExactly(from: u32, into: u32, others: u32, plane: u32, fails: u32): void {
  let yes = itemsOf(into);
  let no = itemsOf(others);
  const last = endOf(from);
  for (let at = itemsOf(from); at < last; at += 2) {
    const item = load<u16>(at);
    const passes = usize(belowOfItem(item, plane, ROLL_SIDES) >= fails);
    store<u16>(yes, item);
    store<u16>(no, item);
    yes += passes << 1;
    no += (passes ^ 1) << 1;
  }
  setEnd(into, yes);
  setEnd(others, no);
}

/**
 * For each item of a list, chooses one of the `n` values at `values`, u16, uniformly. Writes the value to the column at
 * `out`.
 */
export function pick(from: u32, out: usize, plane: u32, n: u32, values: usize): void {
  fillFor(from, plane, words);
  const last = endOf(from);
  const column = inRegister(out);
  const table = inRegister(values);
  // a word decides alone if the lower half of word · n is at most 2^32 − n (core/below.ts)
  const settled = <u32>inRegister(<usize>(0 - n));
  for (let at = itemsOf(from); at < last; at += 2) {
    const item = <usize>load<u16>(at);
    const product = <u64>load<u32>(words + (item << 2)) * n;
    const choice = <u32>product > settled ? belowOfItem(item, plane, n) : <u32>(product >>> 32);
    store<u16>(column + (item << 1), load<u16>(table + ((<usize>choice) << 1)));
  }
}

/**
 * For each item of a list, makes a uniform choice among the candidates. Never chooses the item's value in the column
 * `other`.
 */
export function pickOther(op: PickOtherOp, plan: usize): void {
  fillFor(op.from, op.plane, words);
  const column = columnAt(op.column);
  const other = columnAt(op.other);
  const values = plan + <usize>op.values;
  const places = plan + <usize>op.places;
  const last = endOf(op.from);
  for (let at = itemsOf(op.from); at < last; at += 2) {
    const item = <usize>load<u16>(at);
    const taken = <u32>load<u16>(places + ((<usize>load<u16>(other + (item << 1))) << 1));
    const word = load<u32>(words + (item << 2));
    const choice = belowOfWord(item, op.plane, word, op.count - u32(taken != NO_PLACE));
    const value = load<u16>(values + ((<usize>(choice + u32(choice >= taken))) << 1));
    store<u16>(column + (item << 1), value);
  }
}

/**
 * For each item of a list, first rolls on `swingPlane`. The roll selects a set of candidates. Then makes a uniform
 * choice from this set.
 */
export function pickSwinging(op: PickSwingingOp, plan: usize): void {
  fillFor(op.from, op.swingPlane, words2);
  fillFor(op.from, op.plane, words);
  const column = columnAt(op.column);
  const sets = plan + <usize>op.sets;
  const last = endOf(op.from);
  for (let at = itemsOf(op.from); at < last; at += 2) {
    const item = <usize>load<u16>(at);
    const roll = belowOfWord(item, op.swingPlane, load<u32>(words2 + (item << 2)), ROLL_SIDES);
    const set = changetype<SwingSet>(sets + <usize>roll * offsetof<SwingSet>());
    const choice = belowOfWord(item, op.plane, load<u32>(words + (item << 2)), set.count);
    const value = load<u16>(plan + <usize>set.values + ((<usize>choice) << 1));
    store<u16>(column + (item << 1), value);
  }
}

/** Sets a column to one value for all items of a list. */
export function set(from: u32, column: u32, value: u32): void {
  const last = endOf(from);
  for (let at = itemsOf(from); at < last; at += 2)
    store<u16>(columnAt(column) + ((<usize>load<u16>(at)) << 1), <u16>value);
}

/** Sets a column to 0 for all items of the span. */
export function clear(column: u32): void {
  memory.fill(columnAt(column) + ((<usize>first) << 1), 0, (<usize>(end - first)) << 1);
}

/** Merges the columns a and b: writes a · size + b for every item. */
export function merge(into: u32, a: u32, b: u32, size: u32): void {
  const out = inRegister(columnAt(into));
  const columnA = inRegister(columnAt(a));
  const columnB = inRegister(columnAt(b));
  const sizes = v128.load16_splat(cellOf(size));
  for (let item = <usize>first, last = inRegister(end); item < last; item += 8) {
    const at = item << 1;
    v128.store(out + at, i16x8.add(i16x8.mul(v128.load(columnA + at), sizes), v128.load(columnB + at)));
  }
}
