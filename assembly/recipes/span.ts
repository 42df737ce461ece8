// The span of items being made: where its columns are, and its lists of items.
//
// Item i of a span, 0 … 2,047, is at i of every column: the addresses here already account for the items before the span.
// A list is a count and as many items in ascending order, u16 each; list 0 has all that the span is to make.

import { belowAt, isSettled } from "../core/below";
import { words } from "../core/buffers";
import { BLOCK_BITS } from "../core/layout";
import { BLOCK_MASK, fillSpan, SPAN_BYTES, SPAN_WORDS } from "../core/words";

/** Items of one call. */
export const BATCH: u32 = 4 * SPAN_WORDS;
/** Whole vectors are read and written: room for so many items more. */
const MARGIN: u32 = 16;

/** A column of u16 and one of i32, and a group of stats: 32 bytes an item, lane by lane. */
export const COLUMN_BYTES: usize = (<usize>(BATCH + MARGIN)) << 1;
export const WIDE_BYTES: usize = (<usize>(BATCH + MARGIN)) << 2;
export const GROUP_BYTES: usize = (<usize>(BATCH + MARGIN)) << 5;

const LIST_ITEMS: usize = 16;
/** (room for eight items more: they are stored by the vector) */
export const LIST_BYTES: usize = LIST_ITEMS + ((<usize>SPAN_WORDS) << 1) + 16;
/** A roll is 0 … 100. */
export const SIDES: u32 = 101;
/** The list of all items of a span. */
export const ALL: u32 = 0;
/** The mask of all items. */
export const ALL_MASKED: u32 = 1;
/** A number of up to four bytes for each item of a span. */
const NUMBERS_BYTES: usize = (<usize>(SPAN_WORDS + MARGIN)) << 2;
/** Besides the buffer of words: another, for decisions that need two planes at once; sums so far, and what a condition adds. */
export const MORE_BYTES: usize = SPAN_BYTES + 2 * NUMBERS_BYTES;

export let purpose: u32 = 0;
export let block: u32 = 0;
/** The span's items. */
export let first: u32 = 0;
export let end: u32 = 0;
let columns: usize = 0;

/** Opens the span of `block`: items from … to − 1, which are `done` of the call's and on. */
export function openSpan(ofPurpose: u32, ofBlock: u32, from: u32, to: u32, done: u32): void {
  purpose = ofPurpose;
  block = ofBlock;
  first = from;
  end = to;
  columns = columnsOfCall + ((<usize>done - from) << 1);
  statsFrom = <usize>done - from;
  // a list that begins there and is as long will do
  if (load<u16>(itemsOf(ALL)) != from || countOf(ALL) < to - from)
    for (let i = from; i < to; ++i) store<u16>(itemsOf(ALL) + ((<usize>(i - from)) << 1), <u16>i);
  setCount(ALL, to - from);
}

let columnsOfCall: usize = 0;
let statsOfCall: usize = 0;
let statsFrom: usize = 0;

let lists: usize = 0;
/** Another buffer of words. */
export let words2: usize = 0;
/** What a stat comes to so far, i16 or i32 at every item of the span. */
export let soFar: usize = 0;
/** What a condition adds to it. */
export let changes: usize = 0;

/** Says where a call's columns, stats and buffers are; behind those are the lists. */
export function openCall(columnsAt: usize, statsAt: usize, buffersAt: usize): void {
  columnsOfCall = columnsAt;
  statsOfCall = statsAt;
  words2 = buffersAt;
  soFar = words2 + SPAN_BYTES;
  changes = soFar + NUMBERS_BYTES;
  lists = buffersAt + MORE_BYTES;
  memory.fill(maskOf(ALL_MASKED), 0xff, <usize>SPAN_WORDS + 16);
}

/** A column, u16 at every item of the span. */
export function columnAt(column: u32): usize {
  return columns + <usize>column * COLUMN_BYTES;
}

/** A stat, i16 or i32 at every item of the span: a lane of a group. */
export function statAt(group: u32, lane: u32, narrow: u32): usize {
  const lanes = statsOfCall + <usize>group * GROUP_BYTES;
  return narrow
    ? lanes + <usize>lane * COLUMN_BYTES + (statsFrom << 1)
    : lanes + <usize>lane * WIDE_BYTES + (statsFrom << 2);
}

function listAt(list: u32): usize {
  return lists + <usize>list * LIST_BYTES;
}

/** A list's items. */
export function itemsOf(list: u32): usize {
  return listAt(list) + LIST_ITEMS;
}

/** A part's mask: the upper half of a list's place. */
export function maskOf(part: u32): usize {
  return itemsOf(part) + <usize>SPAN_WORDS;
}

/** The end of a list's items. */
export function endOf(list: u32): usize {
  return itemsOf(list) + ((<usize>countOf(list)) << 1);
}

export function countOf(list: u32): u32 {
  return load<u32>(listAt(list));
}

/** Sets how many items a list has, by their end. */
export function setEnd(list: u32, end: usize): void {
  setCount(list, <u32>((end - itemsOf(list)) >>> 1));
}

export function setCount(list: u32, count: u32): void {
  store<u32>(listAt(list), count);
}

/** Fills the words of a plane. */
export function fillForAll(plane: u32): void {
  fillSpan(purpose, plane, block, words, end);
}

/** Fills a plane's words as far as a list's last item; the list is not empty. */
export function fillFor(list: u32, plane: u32, out: usize): void {
  fillSpan(purpose, plane, block, out, <u32>load<u16>(endOf(list) - 2) + 1);
}

/** below(m) of an item's word on a plane, extra words and all. */
export function belowOfItem(item: usize, plane: u32, m: u32): u32 {
  return belowAt(purpose, plane, block + (<u32>item >>> BLOCK_BITS), <u32>item & BLOCK_MASK, m);
}

/** below(m) of an item's word on a plane. */
export function belowOfWord(item: usize, plane: u32, word: u32, m: u32): u32 {
  return isSettled(word, m) ? <u32>((<u64>word * m) >>> 32) : belowOfItem(item, plane, m);
}
