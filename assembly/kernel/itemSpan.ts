// The span of items being made: where its columns are, and its lists of items.
//
// Item i of a span, 0 … 2,047, is at i of every column: the addresses here already account for the items before the span.
// A list holds items in ascending order, u16 each; list 0 holds all that the span is to make.

import { allocate } from "./memory";
import { fillSpan, SPAN_WORDS } from "./words";

/** Items of one call. */
export const BATCH: u32 = 4 * SPAN_WORDS;
/** Whole vectors are read and written: room for so many items more. */
const MARGIN: u32 = 16;

/** A column of u16 and one of i32, and a group of stats: sixteen bytes an item, lane by lane. */
export const COLUMN_BYTES: usize = (<usize>(BATCH + MARGIN)) << 1;
export const DELTA_BYTES: usize = (<usize>(BATCH + MARGIN)) << 2;
export const GROUP_BYTES: usize = (<usize>(BATCH + MARGIN)) << 4;

const LISTS: u32 = 8;
const LIST_BYTES: usize = (<usize>SPAN_WORDS) << 1;
const lists = allocate(<usize>LISTS * LIST_BYTES);
const counts = memory.data(32, 4);

export let purpose: u32 = 0;
export let block: u32 = 0;
/** The span's items. */
export let first: u32 = 0;
export let end: u32 = 0;
let columns: usize = 0;
let deltas: usize = 0;

/** Opens the span of `block`: items from … to − 1, which are `done` of the call's and on. Columns are emptied. */
export function openSpan(ofPurpose: u32, ofBlock: u32, from: u32, to: u32, done: u32): void {
  purpose = ofPurpose;
  block = ofBlock;
  first = from;
  end = to;
  columns = columnsOfCall + ((<usize>done - from) << 1);
  deltas = deltasOfCall + ((<usize>done - from) << 2);
  statsFrom = <usize>done - from;
  setCount(0, to - from);
  for (let i = from; i < to; ++i) store<u16>(lists + ((<usize>(i - from)) << 1), <u16>i);
  for (let column: u32 = 0; column < columnCount; ++column)
    memory.fill(columnAt(column) + ((<usize>from) << 1), 0, (<usize>(to - from + MARGIN)) << 1);
}

let columnsOfCall: usize = 0;
let columnCount: u32 = 0;
let deltasOfCall: usize = 0;
let statsOfCall: usize = 0;
let statsFrom: usize = 0;

/** Says where a call's columns, deltas and stats are. */
export function openCall(columnsAt: usize, count: u32, deltasAt: usize, statsAt: usize): void {
  columnsOfCall = columnsAt;
  columnCount = count;
  deltasOfCall = deltasAt;
  statsOfCall = statsAt;
}

/** A column, u16 at every item of the span. */
export function columnAt(column: u32): usize {
  return columns + <usize>column * COLUMN_BYTES;
}

/** What a condition adds, i32 at every item of the span. */
export function deltaAt(delta: u32): usize {
  return deltas + <usize>delta * DELTA_BYTES;
}

/** A stat, i16 or i32 at every item of the span: a lane of a group. */
export function statAt(group: u32, lane: u32, narrow: u32): usize {
  const lanes = statsOfCall + <usize>group * GROUP_BYTES;
  return narrow
    ? lanes + <usize>lane * COLUMN_BYTES + (statsFrom << 1)
    : lanes + <usize>lane * DELTA_BYTES + (statsFrom << 2);
}

export function listAt(list: u32): usize {
  return lists + <usize>list * LIST_BYTES;
}

export function countOf(list: u32): u32 {
  return load<u32>(counts + ((<usize>list) << 2));
}

export function setCount(list: u32, count: u32): void {
  store<u32>(counts + ((<usize>list) << 2), count);
}

/** Fills a plane's words as far as a list's last item; the list is not empty. */
export function fillFor(list: u32, plane: u32, out: usize): void {
  const last = load<u16>(listAt(list) + ((<usize>countOf(list)) << 1) - 2);
  fillSpan(purpose, plane, block, out, <u32>last + 1);
}
