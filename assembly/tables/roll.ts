// Tables: roll k is a chain of hops, hop h a prefix pick on one row with word(table, h, k).
//
// A plan, rows and columns flat; only columns of weight > 0 are kept, in column order:
//
//   plan + 0       header
//   rows           16 bytes a row:   first column │ columns │ total │ state
//   sums, targets  u32 a column:     prefix sums of the weights, targets as in the spec
//   guide          2^bits codes a row: what the word's top bits decide
//
// A code, 16 or 32 bits wide, is a result, or with its top bit set a row to jump to. All ones: the top bits do not decide.
//
// A span of 2,048 rolls goes hop by hop: hop 0 takes one guide for all; the rolls that jumped go on, packed, to a plane
// of words that is filled no further than the last of them.

import { below, firstAbove, sureAbove, sureBelow } from "../core/below";
import { window, words } from "../core/buffers";
import { Status } from "../core/layout";
import { allocate, mark, release } from "../core/memory";
import { failAt } from "../core/status";
import { fillSpan, SPAN_BLOCKS, SPAN_WORDS, standAt, wordAt } from "../core/words";

// ── the plan ──

const ROWS: usize = 0;
const SUMS: usize = 4;
const TARGETS: usize = 8;
const GUIDE: usize = 12;
const ROW_COUNT: usize = 16;
const WIDE: usize = 20;
const DEAD: usize = 24;
const GUIDE_SHIFT: usize = 28;
const HEADER_BYTES: usize = 32;

const ROW_FIRST: usize = 0;
const ROW_COLUMNS: usize = 4;
const ROW_TOTAL: usize = 8;
const ROW_STATE: usize = 12;
const ROW_BYTES: usize = 16;

/** Row states. A row that is not ready is one whose weights could not be had. */
const READY: u32 = 0;

/** Ten bits leave one word in 1,024 undecided per boundary between columns; very long tables get fewer, to stay small. */
const GUIDE_BITS: u32 = 10;
const GUIDE_ROWS_BITS: u32 = 22;

/** A target's top bit says that it is a row. */
const JUMP: u32 = 0x80000000;

/**
 * Makes room for a plan of `rows` rows and at most `columns` columns, results 0 … dead − 1; `dead` itself is the code of a
 * dead roll. 0 when memory runs out.
 */
export function createTable(rows: u32, columns: u32, dead: u32): usize {
  const before = mark();
  const bits = min(GUIDE_BITS, max(2, GUIDE_ROWS_BITS - (32 - clz(rows))));
  const wide: u32 = dead >= 0x7fff || rows >= 0x7fff ? 1 : 0;
  const plan = allocate(HEADER_BYTES);
  const rowsAt = allocate(<usize>rows * ROW_BYTES);
  const sums = allocate((<usize>columns) << 2);
  const targets = allocate((<usize>columns) << 2);
  const guide = allocate((<usize>rows) << (bits + 1 + wide));
  if (!plan || !rowsAt || !sums || !targets || !guide) {
    release(before);
    return 0;
  }
  store<u32>(plan, <u32>rowsAt, ROWS);
  store<u32>(plan, <u32>sums, SUMS);
  store<u32>(plan, <u32>targets, TARGETS);
  store<u32>(plan, <u32>guide, GUIDE);
  store<u32>(plan, rows, ROW_COUNT);
  store<u32>(plan, wide, WIDE);
  store<u32>(plan, dead, DEAD);
  store<u32>(plan, 32 - bits, GUIDE_SHIFT);
  return plan;
}

/** Where the caller writes the rows: (first column, columns, total, state) as u32, in row order. */
export function tableRows(plan: usize): usize {
  return load<u32>(plan, ROWS);
}

/** Where the caller writes the prefix sums, u32. */
export function tableSums(plan: usize): usize {
  return load<u32>(plan, SUMS);
}

/** Where the caller writes the targets, u32: a result, or JUMP + row. */
export function tableTargets(plan: usize): usize {
  return load<u32>(plan, TARGETS);
}

/** 1 where codes, and so results, are 4 bytes wide instead of 2. */
export function tableWide(plan: usize): u32 {
  return load<u32>(plan, WIDE);
}

/** Builds the guides once rows, sums and targets are written. */
export function buildTable(plan: usize): void {
  if (load<u32>(plan, WIDE)) buildGuides<u32>(plan);
  else buildGuides<u16>(plan);
}

function buildGuides<T>(plan: usize): void {
  const rows = load<u32>(plan, ROW_COUNT);
  const shift = load<u32>(plan, GUIDE_SHIFT);
  const guide = <usize>load<u32>(plan, GUIDE);
  const rowBytes = (<usize>1) << (32 - shift + alignof<T>());
  for (let r: u32 = 0; r < rows; ++r) buildGuide<T>(plan, rowAt(plan, r), guide + <usize>r * rowBytes, shift);
}

/** A row's guide: undecided everywhere but in the cells whose words all pick one column. */
function buildGuide<T>(plan: usize, row: usize, guide: usize, shift: u32): void {
  const ready = load<u32>(row, ROW_STATE) == READY;
  const total = load<u32>(row, ROW_TOTAL);
  const cells: u64 = (<u64>1) << (32 - shift);
  fillCodes<T>(guide, 0, cells, ready && total == 0 ? <T>load<u32>(plan, DEAD) : undecided<T>());
  if (!ready || total == 0) return;
  const first = load<u32>(row, ROW_FIRST);
  const sums = <usize>load<u32>(plan, SUMS);
  let sum: u32 = 0;
  for (let c = first, end = first + load<u32>(row, ROW_COLUMNS); c < end; ++c) {
    const from = (sureAbove(sum, total) + (((<u64>1) << shift) - 1)) >>> shift;
    sum = load<u32>(sums + ((<usize>c) << 2));
    fillCodes<T>(guide, from, sureBelow(sum, total) >>> shift, narrow<T>(targetOf(plan, c)));
  }
}

function fillCodes<T>(guide: usize, from: u64, to: u64, code: T): void {
  for (let cell = from; cell < to; ++cell) store<T>(guide + ((<usize>cell) << alignof<T>()), code);
}

function undecided<T>(): T {
  return <T>0xffffffff;
}

/** A target as a code: the jump bit moves to the top of T. */
function narrow<T>(target: u32): T {
  return sizeof<T>() == 2 ? <T>((target >>> 16) | target) : <T>target;
}

function isJump<T>(code: T): u32 {
  return <u32>code >>> ((sizeof<T>() << 3) - 1);
}

function rowOf<T>(code: T): u32 {
  return <u32>code & ((1 << ((sizeof<T>() << 3) - 1)) - 1);
}

function rowAt(plan: usize, row: u32): usize {
  return <usize>load<u32>(plan, ROWS) + <usize>row * ROW_BYTES;
}

function targetOf(plan: usize, column: u32): u32 {
  return load<u32>(<usize>load<u32>(plan, TARGETS) + ((<usize>column) << 2));
}

// ── one hop, exactly ──

/** The target that a word picks on a row that is ready and not dead; the word's address must be the one stood at. */
function pickTarget(plan: usize, row: usize, word: u32): u32 {
  const first = load<u32>(row, ROW_FIRST);
  const sums = <usize>load<u32>(plan, SUMS) + ((<usize>first) << 2);
  return targetOf(plan, first + firstAbove(sums, below(word, load<u32>(row, ROW_TOTAL))));
}

/**
 * The column that word(purpose, hop, index) picks among the `columns` weights in the window, u32, whose total is at most
 * 2^32 − 1; `columns` itself where the total is 0. For rolls made one hop at a time.
 */
export function pickColumn(columns: u32, purpose: u32, hop: u32, block: u32, offset: u32): u32 {
  let total: u32 = 0;
  for (let at = window; at < window + ((<usize>columns) << 2); at += 4) {
    total += load<u32>(at);
    store<u32>(at, total);
  }
  if (!total) return columns;
  standAt(purpose, hop, block, offset);
  return firstAbove(window, below(wordAt(purpose, hop, block, offset), total));
}

// ── many rolls ──

const pending = memory.data(2 * 2048, 16);

/** Rolls `count` ≤ BATCH_RESULTS times from row `start` into the window, codes 2 or 4 bytes wide. */
export function rollTable(
  plan: usize,
  start: u32,
  maxHops: u32,
  purpose: u32,
  block: u32,
  offset: u32,
  count: u32,
): Status {
  return load<u32>(plan, WIDE)
    ? rollWindow<u32>(plan, start, maxHops, purpose, block, offset, count)
    : rollWindow<u16>(plan, start, maxHops, purpose, block, offset, count);
}

function rollWindow<T>(plan: usize, start: u32, maxHops: u32, purpose: u32, block: u32, offset: u32, count: u32): u32 {
  const width = alignof<T>();
  let done: u32 = 0;
  while (done < count) {
    const end = min(SPAN_WORDS, offset + (count - done));
    const out = window + ((<usize>done) << width) - ((<usize>offset) << width);
    const status = rollSpan<T>(plan, start, maxHops, purpose, block, offset, end, out);
    if (status != Status.OK) {
      failAt(done + failedPlace - offset, failedRowNumber);
      return status;
    }
    done += end - offset;
    offset = 0;
    block += SPAN_BLOCKS;
  }
  return Status.OK;
}

let failedPlace: u32 = 0;
let failedRowNumber: u32 = 0;

/** Rolls words `offset` … `end` − 1 of one span; code i goes to out + i · sizeof<T>. */
function rollSpan<T>(
  plan: usize,
  start: u32,
  maxHops: u32,
  purpose: u32,
  block: u32,
  offset: u32,
  end: u32,
  out: usize,
): u32 {
  const width = <u32>alignof<T>();
  const guide = <usize>load<u32>(plan, GUIDE);
  const shift = load<u32>(plan, GUIDE_SHIFT);
  const rowShift = 32 - shift + width;
  let packed = startSpan<T>(guide + ((<usize>start) << rowShift), shift, purpose, block, offset, end, out);
  let row = start;
  for (let hop: u32 = 0; packed > pending; ++hop) {
    // the rolls whose word does not decide settle here, with the words of their own hop
    const last = load<u16>(packed - 2);
    if (hop > 0) {
      if (hop >= maxHops)
        return failSpan(
          load<u16>(pending),
          rowOf<T>(load<T>(out + ((<usize>load<u16>(pending)) << width))),
          Status.TOO_MANY_HOPS,
        );
      fillSpan(purpose, hop, block, words, last + 1);
    }
    let kept: usize = pending;
    for (let at: usize = pending; at < packed; at += 2) {
      const i = <usize>load<u16>(at);
      const cell = out + (i << width);
      const word = load<u32>(words + (i << 2));
      let code = load<T>(cell);
      if (hop > 0) {
        row = rowOf<T>(code);
        code = load<T>(guide + ((<usize>row) << rowShift) + ((<usize>(word >>> shift)) << width));
      }
      if (code == undecided<T>()) {
        const place = rowAt(plan, row);
        if (load<u32>(place, ROW_STATE) != READY) return failSpan(<u32>i, row, Status.POISONED_ROW);
        standAt(purpose, hop, block, <u32>i);
        code = narrow<T>(pickTarget(plan, place, word));
      }
      store<T>(cell, code);
      store<u16>(kept, <u16>i);
      kept += (<usize>isJump<T>(code)) << 1;
    }
    packed = kept;
  }
  return Status.OK;
}

/** Hop 0: one guide for the whole span; rolls that are not results yet are packed. */
function startSpan<T>(guide: usize, shift: u32, purpose: u32, block: u32, offset: u32, end: u32, out: usize): usize {
  fillSpan(purpose, 0, block, words, end);
  let packed: usize = pending;
  for (let i = <usize>offset; i < <usize>end; ++i) {
    const code = load<T>(guide + ((<usize>(load<u32>(words + (i << 2)) >>> shift)) << alignof<T>()));
    store<T>(out + (i << alignof<T>()), code);
    store<u16>(packed, <u16>i);
    packed += (<usize>isJump<T>(code)) << 1;
  }
  return packed;
}

function failSpan(place: u32, row: u32, status: u32): u32 {
  failedPlace = place;
  failedRowNumber = row;
  return status;
}
