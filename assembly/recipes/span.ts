// The current span of items, with the addresses of its columns, stats and lists.
//
// In this file, the address of a column or a stat is the address of its entry for item 0 of the span. So item i = 0 …
// 2,047 of the span has index i. A list is a count, followed by `count` items, u16 each, ascending. List 0 has all
// items of the span.

import { belowAt, isSettled } from "../core/below";
import { words } from "../core/buffers";
import { BLOCK_BITS } from "../core/layout";
import { BLOCK_MASK, fillRange, SPAN_BYTES, SPAN_WORDS } from "../core/words";
import { COLUMN_BYTES, GROUP_BYTES, ItemPart, WIDE_COLUMN_BYTES } from "./layout";

/** Number of extra items at the end of a buffer, because loops read and write whole vectors. */
const MARGIN: u32 = 16;

/** The beginning of a list. More items follow. */
@unmanaged
class ItemList {
  count: u32;
  items: v128;
}

const LIST_ITEMS: usize = offsetof<ItemList>("items");
/** Size of a list in bytes: its count, its items, and an extra vector, because loops write whole vectors. */
export const LIST_BYTES: usize = LIST_ITEMS + ((<usize>SPAN_WORDS) << 1) + 16;
/** Size in bytes of a buffer with one number of up to four bytes for each item of a span. */
const NUMBERS_BYTES: usize = (<usize>(SPAN_WORDS + MARGIN)) << 2;
/** Size of the buffers before the lists, in bytes: `words2`, `soFar` and `changes`. */
export const BUFFER_BYTES: usize = SPAN_BYTES + 2 * NUMBERS_BYTES;

export let block: u32 = 0;
/** The items of the span are `first` … `end` − 1. */
export let first: u32 = 0;
export let end: u32 = 0;
let columns: usize = 0;

/**
 * Opens the span that begins at block `ofBlock`, with its items `from` … `to` − 1. Item `from` of the span has the
 * index `done` in the call.
 */
export function openSpan(ofBlock: u32, from: u32, to: u32, done: u32): void {
  block = ofBlock;
  first = from;
  end = to;
  columns = columnsOfCall + ((<usize>done - from) << 1);
  statsFrom = <usize>done - from;
  // reuses the list of an earlier span if that list begins at the same item and is long enough
  if (load<u16>(itemsOf(ItemPart.LIST_OF_ALL)) != from || countOf(ItemPart.LIST_OF_ALL) < to - from)
    for (let i = from; i < to; ++i) store<u16>(itemsOf(ItemPart.LIST_OF_ALL) + ((<usize>(i - from)) << 1), <u16>i);
  setCount(ItemPart.LIST_OF_ALL, to - from);
}

let columnsOfCall: usize = 0;
let statsOfCall: usize = 0;
/**
 * Index of the span's item 0 among the items of the call. If the call begins after item 0, this index is negative, and
 * is stored modulo 2^32.
 */
let statsFrom: usize = 0;

let lists: usize = 0;
/** A second buffer of words, for decisions that read two planes. */
export let words2: usize = 0;
/** A buffer: the values of a stat before the current condition, i16 or i32 for every item of the span. */
export let soFar: usize = 0;
/** A buffer: the change that the current condition makes to a stat, i16 or i32 for every item of the span. */
export let changes: usize = 0;

/** Sets the addresses of a call's columns, stats and buffers. The lists follow the buffers. */
export function openCall(columnsAt: usize, statsAt: usize, buffersAt: usize): void {
  columnsOfCall = columnsAt;
  statsOfCall = statsAt;
  words2 = buffersAt;
  soFar = words2 + SPAN_BYTES;
  changes = soFar + NUMBERS_BYTES;
  lists = buffersAt + BUFFER_BYTES;
  memory.fill(maskOf(ItemPart.MASK_OF_ALL), 0xff, <usize>SPAN_WORDS + 16);
}

/** Returns the address of a column in the current span, u16 for each item. */
export function columnAt(column: u32): usize {
  return columns + <usize>column * COLUMN_BYTES;
}

/** Returns the address of a stat (a lane of a group) in the current span, i16 or i32 for each item. */
export function statAt(group: u32, lane: u32, narrow: u32): usize {
  const lanes = statsOfCall + <usize>group * GROUP_BYTES;
  return narrow
    ? lanes + <usize>lane * COLUMN_BYTES + (statsFrom << 1)
    : lanes + <usize>lane * WIDE_COLUMN_BYTES + (statsFrom << 2);
}

function listAt(list: u32): usize {
  return lists + <usize>list * LIST_BYTES;
}

/** Returns the address of the items of a list. */
export function itemsOf(list: u32): usize {
  return listAt(list) + LIST_ITEMS;
}

/** Returns the address of a mask. The mask is in the upper half of the list with the same id. */
export function maskOf(mask: u32): usize {
  return itemsOf(mask) + <usize>SPAN_WORDS;
}

/** Returns the address after the last item of a list. */
export function endOf(list: u32): usize {
  return itemsOf(list) + ((<usize>countOf(list)) << 1);
}

export function countOf(list: u32): u32 {
  return changetype<ItemList>(listAt(list)).count;
}

/** Sets the count of a list. `end` is the address after its last item. */
export function setEnd(list: u32, end: usize): void {
  setCount(list, <u32>((end - itemsOf(list)) >>> 1));
}

export function setCount(list: u32, count: u32): void {
  changetype<ItemList>(listAt(list)).count = count;
}

/** Fills `words` with a plane's words for the items of the span. */
export function fillForAll(plane: u32): void {
  fillRange(plane, block, words, first, end);
}

/** Fills `out` with a plane's words from the first to the last item of a list. The list must not be empty. */
export function fillFor(list: u32, plane: u32, out: usize): void {
  fillRange(plane, block, out, load<u16>(itemsOf(list)), <u32>load<u16>(endOf(list) - 2) + 1);
}

/** Returns below(m) for an item's word on a plane. Computes the word and, if needed, extra words. */
export function belowOfItem(item: usize, plane: u32, m: u32): u32 {
  return belowAt(plane, block + (<u32>item >>> BLOCK_BITS), <u32>item & BLOCK_MASK, m);
}

/** Returns below(m) for an item. `word` is the item's word on the plane. */
export function belowOfWord(item: usize, plane: u32, word: u32, m: u32): u32 {
  return isSettled(word, m) ? <u32>((<u64>word * m) >>> 32) : belowOfItem(item, plane, m);
}
