// The stats of items. The words (entries of word tables) and the bonuses of an item add numbers to the item's stats. A
// stat is the sum of these numbers. One instruction adds sixteen numbers of i8, eight of i16 or four of i32.
//
// Each column that adds to a group of stats has a table with one row for each value of the column. For each item, the
// kernel adds the rows of the item's values. Then it transposes the sums of eight items (i8) or four items (i16, i32)
// into columns, and widens i8 to i16. After that, conditions change the stats. Clamps are applied last.

import { cellOf, inRegister } from "../core/registers";
import { Vectors } from "../core/vectors";
import {
  COLUMN_BYTES,
  RecipePlanHead,
  ROW_BYTES,
  SHORT_ROW_BYTES,
  StatAdder,
  StatClamp,
  StatGroup,
  WIDE_COLUMN_BYTES,
} from "./layout";
import { columnAt, end, first, statAt } from "./span";

/** Sums the stats of the current span. */
export function sumStats(plan: usize): void {
  const head = changetype<RecipePlanHead>(plan);
  let at = plan + <usize>head.groupsAt;
  for (let i: u32 = 0, n = head.groups; i < n; ++i, at += offsetof<StatGroup>()) {
    const group = changetype<StatGroup>(at);
    const adders = plan + <usize>group.addersAt;
    const last = adders + <usize>group.adders * offsetof<StatAdder>();
    for (let adder = adders; adder < last; adder += offsetof<StatAdder>())
      openAdder(changetype<StatAdder>(adder), plan);
    if (group.width == 1) sumBytes(i, adders, last);
    else if (group.width == 2) sumGroup<i16>(i, adders, last);
    else sumGroup<i32>(i, adders, last);
  }
}

/** Sets the addresses of an adder for the current span. */
function openAdder(adder: StatAdder, plan: usize): void {
  adder.columnAddress = <u32>columnAt(adder.column);
  adder.rows = <u32>plan + adder.table;
}

/** Clamps the stats of the current span. */
export function clampStats(plan: usize): void {
  const head = changetype<RecipePlanHead>(plan);
  let at = plan + <usize>head.clampsAt;
  for (let i: u32 = 0, n = head.clamps; i < n; ++i, at += offsetof<StatClamp>()) {
    const ends = changetype<StatClamp>(at);
    clamp(statAt(ends.group, ends.lane, ends.narrow), ends.narrow, ends.least, ends.most);
  }
}

/** A column's values for eight consecutive items. */
@unmanaged
class ColumnValues {
  a: u16;
  b: u16;
  c: u16;
  d: u16;
  e: u16;
  f: u16;
  g: u16;
  h: u16;
}

/** Computes sixteen i8 stats of each item, for eight items at a time. A vector holds the sixteen sums of one item. */
function sumBytes(group: u32, adders: usize, lastAdder: usize): void {
  const out = inRegister(statAt(group, 0, 1));
  for (let item = <usize>first, last = inRegister(end); item < last; item += 8) {
    let a = i32x4.splat(0);
    let b = i32x4.splat(0);
    let c = i32x4.splat(0);
    let d = i32x4.splat(0);
    let e = i32x4.splat(0);
    let f = i32x4.splat(0);
    let g = i32x4.splat(0);
    let h = i32x4.splat(0);
    for (let adder = adders; adder < lastAdder; adder += offsetof<StatAdder>()) {
      const values = changetype<ColumnValues>(<usize>changetype<StatAdder>(adder).columnAddress + (item << 1));
      const table = <usize>changetype<StatAdder>(adder).rows;
      a = i8x16.add(a, v128.load(bytesOf(table, values.a)));
      b = i8x16.add(b, v128.load(bytesOf(table, values.b)));
      c = i8x16.add(c, v128.load(bytesOf(table, values.c)));
      d = i8x16.add(d, v128.load(bytesOf(table, values.d)));
      e = i8x16.add(e, v128.load(bytesOf(table, values.e)));
      f = i8x16.add(f, v128.load(bytesOf(table, values.f)));
      g = i8x16.add(g, v128.load(bytesOf(table, values.g)));
      h = i8x16.add(h, v128.load(bytesOf(table, values.h)));
    }
    // transposes eight items × sixteen stats: interleaves the halves of the vectors three times
    const ae = lower(a, e);
    const bf = lower(b, f);
    const cg = lower(c, g);
    const dh = lower(d, h);
    const ae2 = upper(a, e);
    const bf2 = upper(b, f);
    const cg2 = upper(c, g);
    const dh2 = upper(d, h);
    const at = out + (item << 1);
    storeQuarter(at, lower(ae, cg), lower(bf, dh));
    storeQuarter(at + 4 * COLUMN_BYTES, upper(ae, cg), upper(bf, dh));
    storeQuarter(at + 8 * COLUMN_BYTES, lower(ae2, cg2), lower(bf2, dh2));
    storeQuarter(at + 12 * COLUMN_BYTES, upper(ae2, cg2), upper(bf2, dh2));
  }
}

/** Returns the address of a value's row. The row is one vector. */
function bytesOf(table: usize, value: u32): usize {
  return table + <usize>value * SHORT_ROW_BYTES;
}

/** Interleaves the bytes of the lower halves of two vectors. */
function lower(a: v128, b: v128): v128 {
  return v128.shuffle<i8>(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

/** Interleaves the bytes of the upper halves of two vectors. */
function upper(a: v128, b: v128): v128 {
  return v128.shuffle<i8>(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

/** Stores four stats of eight items. */
function storeQuarter(out: usize, aceg: v128, bdfh: v128): void {
  const two = lower(aceg, bdfh);
  const two2 = upper(aceg, bdfh);
  v128.store(out, i16x8.extend_low_i8x16_s(two));
  v128.store(out + COLUMN_BYTES, i16x8.extend_high_i8x16_s(two));
  v128.store(out + 2 * COLUMN_BYTES, i16x8.extend_low_i8x16_s(two2));
  v128.store(out + 3 * COLUMN_BYTES, i16x8.extend_high_i8x16_s(two2));
}

/**
 * Computes sixteen i16 stats or eight i32 stats of each item, for four items at a time. Two vectors hold the sums of
 * one item.
 */
function sumGroup<T>(group: u32, adders: usize, lastAdder: usize): void {
  const out = inRegister(statAt(group, 0, sizeof<T>() == 2 ? 1 : 0));
  for (let item = <usize>first, last = inRegister(end); item < last; item += 4) {
    let a = i32x4.splat(0);
    let b = i32x4.splat(0);
    let c = i32x4.splat(0);
    let d = i32x4.splat(0);
    let a2 = i32x4.splat(0);
    let b2 = i32x4.splat(0);
    let c2 = i32x4.splat(0);
    let d2 = i32x4.splat(0);
    for (let adder = adders; adder < lastAdder; adder += offsetof<StatAdder>()) {
      const values = changetype<ColumnValues>(<usize>changetype<StatAdder>(adder).columnAddress + (item << 1));
      const table = <usize>changetype<StatAdder>(adder).rows;
      const ofA = rowOf(table, values.a);
      const ofB = rowOf(table, values.b);
      const ofC = rowOf(table, values.c);
      const ofD = rowOf(table, values.d);
      a = v128.add<T>(a, v128.load(ofA));
      b = v128.add<T>(b, v128.load(ofB));
      c = v128.add<T>(c, v128.load(ofC));
      d = v128.add<T>(d, v128.load(ofD));
      a2 = v128.add<T>(a2, changetype<Vectors>(ofA).b);
      b2 = v128.add<T>(b2, changetype<Vectors>(ofB).b);
      c2 = v128.add<T>(c2, changetype<Vectors>(ofC).b);
      d2 = v128.add<T>(d2, changetype<Vectors>(ofD).b);
    }
    if (sizeof<T>() == 2) {
      storeEight(out + (item << 1), a, b, c, d);
      storeEight(out + 8 * COLUMN_BYTES + (item << 1), a2, b2, c2, d2);
    } else {
      storeFour(out + (item << 2), a, b, c, d);
      storeFour(out + 4 * WIDE_COLUMN_BYTES + (item << 2), a2, b2, c2, d2);
    }
  }
}

/** Returns the address of a value's row. The row is two vectors. */
function rowOf(table: usize, value: u32): usize {
  return table + <usize>value * ROW_BYTES;
}

/** Stores eight stats of four items. Interleaves the stats of two items, then of four. */
function storeEight(out: usize, a: v128, b: v128, c: v128, d: v128): void {
  const ab = v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
  const cd = v128.shuffle<i16>(c, d, 0, 8, 1, 9, 2, 10, 3, 11);
  const ab2 = v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
  const cd2 = v128.shuffle<i16>(c, d, 4, 12, 5, 13, 6, 14, 7, 15);
  storeTwo(out, v128.shuffle<i32>(ab, cd, 0, 4, 1, 5));
  storeTwo(out + 2 * COLUMN_BYTES, v128.shuffle<i32>(ab, cd, 2, 6, 3, 7));
  storeTwo(out + 4 * COLUMN_BYTES, v128.shuffle<i32>(ab2, cd2, 0, 4, 1, 5));
  storeTwo(out + 6 * COLUMN_BYTES, v128.shuffle<i32>(ab2, cd2, 2, 6, 3, 7));
}

function storeTwo(out: usize, stats: v128): void {
  v128.store64_lane(out, stats, 0);
  v128.store64_lane(out + COLUMN_BYTES, stats, 1);
}

/** Stores four stats of four items. */
function storeFour(out: usize, a: v128, b: v128, c: v128, d: v128): void {
  const ab = v128.shuffle<i32>(a, b, 0, 4, 1, 5);
  const cd = v128.shuffle<i32>(c, d, 0, 4, 1, 5);
  const ab2 = v128.shuffle<i32>(a, b, 2, 6, 3, 7);
  const cd2 = v128.shuffle<i32>(c, d, 2, 6, 3, 7);
  v128.store(out, v128.shuffle<i64>(ab, cd, 0, 2));
  v128.store(out + WIDE_COLUMN_BYTES, v128.shuffle<i64>(ab, cd, 1, 3));
  v128.store(out + 2 * WIDE_COLUMN_BYTES, v128.shuffle<i64>(ab2, cd2, 0, 2));
  v128.store(out + 3 * WIDE_COLUMN_BYTES, v128.shuffle<i64>(ab2, cd2, 1, 3));
}

function clamp(stat: usize, narrow: u32, least: i32, most: i32): void {
  if (narrow) {
    const low = v128.load16_splat(cellOf(least));
    const high = v128.load16_splat(cellOf(most));
    for (let item = <usize>first, last = inRegister(end); item < last; item += 8) {
      const at = stat + (item << 1);
      v128.store(at, i16x8.min_s(i16x8.max_s(v128.load(at), low), high));
    }
    return;
  }
  for (let item = <usize>first, last = inRegister(end); item < last; item += 4) {
    const at = stat + (item << 2);
    v128.store(at, i32x4.min_s(i32x4.max_s(v128.load(at), i32x4.splat(least)), i32x4.splat(most)));
  }
}
