// Rolls on tables. Roll k is a sequence of hops. Hop h reads word k of plane h, and picks a column of one row by its
// weight. The column is a result or a jump. A result ends the roll. A jump names the row of the next hop.
// tables/layout.ts describes the memory of a table.
//
// A row has a guide: an array with the outcome for each value of a word's top bits. A span of 2,048 rolls advances hop
// by hop. At hop 0, all rolls use the guide of the start row. Some rolls jump. The positions of these rolls are packed,
// and only these rolls make the next hop. Words are filled only up to the last of these rolls.

import { below, firstAbove, sureAbove, sureBelow } from "../core/below";
import { window, words } from "../core/buffers";
import { Status } from "../core/layout";
import { allocate, mark, release } from "../core/memory";
import { failAt } from "../core/status";
import { fillRange, SPAN_BLOCKS, SPAN_WORDS, selectExtraWords } from "../core/words";
import { JUMP, RowState, TableHead, TableRow } from "./layout";

// ── the table ──

/**
 * Number of a word's top bits that choose a cell of the guide. With ten bits, each boundary between two columns leaves
 * at most one cell in 1,024 undecided. A table with very many rows uses fewer bits, so that all its guides together
 * have at most 2^GUIDE_ROWS_BITS cells. But a guide never uses fewer than LEAST_GUIDE_BITS.
 */
const GUIDE_BITS: u32 = 10;
const GUIDE_ROWS_BITS: u32 = 22;
const LEAST_GUIDE_BITS: u32 = 2;

/**
 * Codes have 2 bytes if the numbers of results and rows are below this limit, else 4 bytes. The limit is 2^15 − 1,
 * because one bit marks a jump and the code of all ones is reserved.
 */
const NARROW_CODES: u32 = 0x7fff;

/**
 * Allocates a table of `rows` rows, at most `columns` columns, and the results 0 … results − 1. The code `results`
 * marks a roll without a result. Returns 0 if memory runs out.
 */
export function createTable(rows: u32, columns: u32, results: u32): usize {
  const before = mark();
  const rowBits = min(GUIDE_ROWS_BITS - LEAST_GUIDE_BITS, 32 - clz(rows));
  const bits = min(GUIDE_BITS, GUIDE_ROWS_BITS - rowBits);
  const wide: u32 = results >= NARROW_CODES || rows >= NARROW_CODES ? 1 : 0;
  const table = allocate(offsetof<TableHead>());
  const rowsAt = allocate(<usize>rows * offsetof<TableRow>());
  const sums = allocate((<usize>columns) << 2);
  const targets = allocate((<usize>columns) << 2);
  const guide = allocate((<usize>rows) << (bits + 1 + wide));
  if (!table || !rowsAt || !sums || !targets || !guide) {
    release(before);
    return 0;
  }
  const head = changetype<TableHead>(table);
  head.rows = rowsAt;
  head.sums = sums;
  head.targets = targets;
  head.guide = guide;
  head.rowCount = rows;
  head.wide = wide;
  head.none = results;
  head.guideShift = 32 - bits;
  return table;
}

/** Builds the guides of all rows. The caller must write rows, sums and targets first. */
export function buildTable(table: usize): void {
  const head = changetype<TableHead>(table);
  if (head.wide) buildGuides<u32>(head);
  else buildGuides<u16>(head);
}

function buildGuides<T>(table: TableHead): void {
  for (let r: u32 = 0; r < table.rowCount; ++r) {
    buildGuide<T>(table, rowAt(table, r), guideOf<T>(table, r), table.guideShift);
  }
}

function guideOf<T>(table: TableHead, row: u32): usize {
  return table.guide + ((<usize>row) << guideBits<T>(table));
}

/** Returns the binary logarithm of the size of a guide in bytes. */
function guideBits<T>(table: TableHead): u32 {
  return 32 - table.guideShift + <u32>alignof<T>();
}

/** Builds the guide of a row. A cell of the guide is decided if all its words pick the same column. */
function buildGuide<T>(table: TableHead, row: TableRow, guide: usize, shift: u32): void {
  const ready = row.state == RowState.READY;
  const total = row.total;
  const cells: u64 = (<u64>1) << (32 - shift);
  fillCodes<T>(guide, 0, cells, ready && total == 0 ? <T>table.none : undecided<T>());
  if (!ready || total == 0) return;
  const sums = table.sums;
  let sum: u32 = 0;
  for (let c = row.first, end = c + row.columns; c < end; ++c) {
    const from = (sureAbove(sum, total) + (((<u64>1) << shift) - 1)) >>> shift;
    sum = load<u32>(sums + ((<usize>c) << 2));
    fillCodes<T>(guide, from, sureBelow(sum, total) >>> shift, narrow<T>(targetOf(table, c)));
  }
}

function fillCodes<T>(guide: usize, from: u64, to: u64, code: T): void {
  for (let cell = from; cell < to; ++cell) store<T>(codeAt<T>(guide, <u32>cell), code);
}

function undecided<T>(): T {
  return <T>0xffffffff;
}

/** Returns the bit of a code that marks a jump. */
function jumpBit<T>(): u32 {
  return JUMP >>> (32 - (sizeof<T>() << 3));
}

/** Converts a target to a code: the jump bit moves to the top bit of T. */
function narrow<T>(target: u32): T {
  return sizeof<T>() == 2 ? <T>((target >>> 16) | target) : <T>target;
}

/** Returns 1 if a code is a jump, 0 if it is a result. */
function isJump<T>(code: T): u32 {
  return <u32>code >>> ((sizeof<T>() << 3) - 1);
}

function rowOf<T>(code: T): u32 {
  return <u32>code & (jumpBit<T>() - 1);
}

function rowAt(table: TableHead, row: u32): TableRow {
  return changetype<TableRow>(table.rows + <usize>row * offsetof<TableRow>());
}

function targetOf(table: TableHead, column: u32): u32 {
  return load<u32>(table.targets + ((<usize>column) << 2));
}

// ── one exact hop ──

/** Returns the target that a word picks on a ready row with a total > 0. Call `selectExtraWords` for the word first. */
function pickTarget(table: TableHead, row: TableRow, word: u32): u32 {
  const first = row.first;
  const sums = table.sums + ((<usize>first) << 2);
  return targetOf(table, first + firstAbove(sums, below(word, row.total)));
}

// ── many rolls ──

/** Positions in the span, u16, of the rolls that have no result yet. */
const pending = memory.data(2 * SPAN_WORDS, 16);

/**
 * Rolls `count` ≤ BATCH_RESULTS times, and writes codes of 2 or 4 bytes to the window. All rolls begin at row
 * `start` with hop 0.
 */
export function rollTable(table: usize, start: u32, maxHops: u32, block: u32, offset: u32, count: u32): Status {
  return changetype<TableHead>(table).wide
    ? rollWindow<u32>(table, start, maxHops, block, offset, count)
    : rollWindow<u16>(table, start, maxHops, block, offset, count);
}

function rollWindow<T>(table: usize, start: u32, maxHops: u32, block: u32, offset: u32, count: u32): Status {
  const width = alignof<T>();
  let done: u32 = 0;
  while (done < count) {
    const end = min(SPAN_WORDS, offset + (count - done));
    const out = window + ((<usize>done) << width) - ((<usize>offset) << width);
    const status = rollSpan<T>(table, start, maxHops, block, offset, end, out);
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

/** Makes the rolls `offset` … `end` − 1 of one span. Writes the code of roll i to out + i · sizeof<T>. */
function rollSpan<T>(table: usize, start: u32, maxHops: u32, block: u32, offset: u32, end: u32, out: usize): Status {
  const head = changetype<TableHead>(table);
  let packed = startSpan<T>(head, start, block, offset, end, out);
  for (let hop: u32 = 1; packed > pending; ++hop) {
    const first = <u32>load<u16>(pending);
    if (hop >= maxHops) return failSpan(first, rowOf<T>(load<T>(codeAt<T>(out, first))), Status.TOO_MANY_HOPS);
    fillRange(hop, block, words, first, <u32>load<u16>(packed - 2) + 1);
    packed = hopOn<T>(head, hop, packed, block, out);
  }
  return packed ? Status.OK : Status.POISONED_ROW;
}

/**
 * Makes the first hop, which uses one guide for the whole span. Packs the positions of the rolls that jumped into
 * `pending`. Returns the end of the packed positions, or 0 if a roll needs a poisoned row.
 *
 * Here and in `hopOn`, the inner loop calls nothing, so that V8 keeps its variables in registers. It leaves a roll that
 * the guide does not decide to the outer loop.
 */
function startSpan<T>(head: TableHead, start: u32, block: u32, offset: u32, end: u32, out: usize): usize {
  const shift = head.guideShift;
  const guide = guideOf<T>(head, start);
  fillRange(0, block, words, offset, end);
  let packed: usize = pending;
  for (let i = offset; i < end; ++i) {
    for (; i < end; ++i) {
      const code = load<T>(codeAt<T>(guide, spanWord(i) >>> shift));
      if (code == undecided<T>()) break;
      packed = put<T>(out, i, code, packed);
    }
    if (i == end) break;
    const code = decide<T>(head, start, 0, block, i);
    if (code == undecided<T>()) return 0;
    packed = put<T>(out, i, code, packed);
  }
  return packed;
}

/** Makes one more hop of the rolls in `pending`, up to `packed`, and packs again. Returns what `startSpan` returns. */
function hopOn<T>(head: TableHead, hop: u32, packed: usize, block: u32, out: usize): usize {
  const shift = head.guideShift;
  const guide = head.guide;
  const rowShift = guideBits<T>(head);
  let kept: usize = pending;
  for (let at: usize = pending; at < packed; at += 2) {
    let i: u32 = 0;
    let row: u32 = 0;
    for (; at < packed; at += 2) {
      i = load<u16>(at);
      row = rowOf<T>(load<T>(codeAt<T>(out, i)));
      const code = load<T>(codeAt<T>(guide + ((<usize>row) << rowShift), spanWord(i) >>> shift));
      if (code == undecided<T>()) break;
      kept = put<T>(out, i, code, kept);
    }
    if (at == packed) break;
    const code = decide<T>(head, row, hop, block, i);
    if (code == undecided<T>()) return 0;
    kept = put<T>(out, i, code, kept);
  }
  return kept;
}

/**
 * Stores the code of roll i, and its position behind the packed ones. Returns the new end of these, which includes i only
 * if the roll jumped.
 */
function put<T>(out: usize, i: u32, code: T, packed: usize): usize {
  store<T>(codeAt<T>(out, i), code);
  store<u16>(packed, <u16>i);
  return packed + ((<usize>isJump<T>(code)) << 1);
}

function codeAt<T>(codes: usize, i: u32): usize {
  return codes + ((<usize>i) << alignof<T>());
}

function spanWord(i: u32): u32 {
  return load<u32>(words + ((<usize>i) << 2));
}

/**
 * Makes the exact pick of roll i on a row whose guide does not decide it. Returns its code, or `undecided` if the row is
 * poisoned.
 */
function decide<T>(head: TableHead, row: u32, hop: u32, block: u32, i: u32): T {
  const place = rowAt(head, row);
  if (place.state != RowState.READY) {
    failSpan(i, row, Status.POISONED_ROW);
    return undecided<T>();
  }
  selectExtraWords(hop, block, i);
  return narrow<T>(pickTarget(head, place, spanWord(i)));
}

function failSpan(place: u32, row: u32, status: Status): Status {
  failedPlace = place;
  failedRowNumber = row;
  return status;
}
