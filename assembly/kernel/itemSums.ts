// Stats of items: sums of what their slots' words add, sixteen i16 or eight i32 side by side.
//
// Each column that adds to a group of stats has a row of 32 bytes a value there. An item's rows are added, and four items are
// then turned into columns. What conditions add comes after that, and the clamps last.
//
//   a plan    +0 program  +4 groups  +8 where they are  +12 fixes  +16 where they are
//   a group   +0 narrow  +4 adders  +8 where they are: (column, table) each
//   a fix     +0 kind  +4 group  +8 lane  +12 narrow  +16, +20 its delta, or both ends of a clamp

import { COLUMN_BYTES, columnAt, DELTA_BYTES, deltaAt, end, first, statAt } from "./itemSpan";

const GROUPS: usize = 4;
const GROUPS_AT: usize = 8;
const FIXES: usize = 12;
const FIXES_AT: usize = 16;

const NARROW: usize = 0;
const ADDERS: usize = 4;
const ADDERS_AT: usize = 8;
const GROUP_HEAD_BYTES: usize = 12;
const ROW_BITS: usize = 5;

const FIX_KIND: usize = 0;
const FIX_GROUP: usize = 4;
const FIX_LANE: usize = 8;
const FIX_NARROW: usize = 12;
const FIX_FIRST: usize = 16;
const FIX_SECOND: usize = 20;
const FIX_BYTES: usize = 24;
const DELTA: u32 = 0;

/** Sums the stats of a span. */
export function sumStats(plan: usize): void {
  let group = plan + <usize>load<u32>(plan, GROUPS_AT);
  for (let i: u32 = 0, n = load<u32>(plan, GROUPS); i < n; ++i, group += GROUP_HEAD_BYTES) {
    const adders = plan + <usize>load<u32>(group, ADDERS_AT);
    const last = adders + ((<usize>load<u32>(group, ADDERS)) << 3);
    if (load<u32>(group, NARROW)) sumGroup<i16>(i, adders, last, plan);
    else sumGroup<i32>(i, adders, last, plan);
  }
  let fix = plan + <usize>load<u32>(plan, FIXES_AT);
  for (let i: u32 = 0, n = load<u32>(plan, FIXES); i < n; ++i, fix += FIX_BYTES) {
    const narrow = load<u32>(fix, FIX_NARROW);
    const stat = statAt(load<u32>(fix, FIX_GROUP), load<u32>(fix, FIX_LANE), narrow);
    if (load<u32>(fix, FIX_KIND) == DELTA) addDelta(stat, narrow, deltaAt(load<u32>(fix, FIX_FIRST)));
    else clamp(stat, narrow, load<i32>(fix, FIX_FIRST), load<i32>(fix, FIX_SECOND));
  }
}

/** Sixteen stats of i16 or eight of i32, four items at a time: two vectors an item. */
function sumGroup<T>(group: u32, adders: usize, last: usize, plan: usize): void {
  const out = statAt(group, 0, sizeof<T>() == 2 ? 1 : 0);
  for (let item = <usize>first; item < <usize>end; item += 4) {
    let a = i32x4.splat(0);
    let b = i32x4.splat(0);
    let c = i32x4.splat(0);
    let d = i32x4.splat(0);
    let a2 = i32x4.splat(0);
    let b2 = i32x4.splat(0);
    let c2 = i32x4.splat(0);
    let d2 = i32x4.splat(0);
    for (let adder = adders; adder < last; adder += 8) {
      const values = columnAt(load<u32>(adder)) + (item << 1);
      const table = plan + <usize>load<u32>(adder, 4);
      const ofA = rowOf(table, load<u16>(values, 0));
      const ofB = rowOf(table, load<u16>(values, 2));
      const ofC = rowOf(table, load<u16>(values, 4));
      const ofD = rowOf(table, load<u16>(values, 6));
      a = v128.add<T>(a, v128.load(ofA));
      b = v128.add<T>(b, v128.load(ofB));
      c = v128.add<T>(c, v128.load(ofC));
      d = v128.add<T>(d, v128.load(ofD));
      a2 = v128.add<T>(a2, v128.load(ofA, 16));
      b2 = v128.add<T>(b2, v128.load(ofB, 16));
      c2 = v128.add<T>(c2, v128.load(ofC, 16));
      d2 = v128.add<T>(d2, v128.load(ofD, 16));
    }
    if (sizeof<T>() == 2) {
      storeEight(out + (item << 1), a, b, c, d);
      storeEight(out + 8 * COLUMN_BYTES + (item << 1), a2, b2, c2, d2);
    } else {
      storeFour(out + (item << 2), a, b, c, d);
      storeFour(out + 4 * DELTA_BYTES + (item << 2), a2, b2, c2, d2);
    }
  }
}

/** Where the vectors of a value are. */
function rowOf(table: usize, value: u32): usize {
  return table + ((<usize>value) << ROW_BITS);
}

/** Stores eight stats of four items: items by stats become stats by items, by pairs and by fours. */
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
  v128.store(out + DELTA_BYTES, v128.shuffle<i64>(ab, cd, 1, 3));
  v128.store(out + 2 * DELTA_BYTES, v128.shuffle<i64>(ab2, cd2, 0, 2));
  v128.store(out + 3 * DELTA_BYTES, v128.shuffle<i64>(ab2, cd2, 1, 3));
}

/** Adds what a condition gave. */
function addDelta(stat: usize, narrow: u32, delta: usize): void {
  if (narrow) {
    for (let item = <usize>first; item < <usize>end; item += 8) {
      const d = i16x8.narrow_i32x4_s(v128.load(delta + (item << 2)), v128.load(delta + (item << 2), 16));
      v128.store(stat + (item << 1), i16x8.add(v128.load(stat + (item << 1)), d));
    }
    return;
  }
  for (let item = <usize>first; item < <usize>end; item += 4) {
    const at = stat + (item << 2);
    v128.store(at, i32x4.add(v128.load(at), v128.load(delta + (item << 2))));
  }
}

function clamp(stat: usize, narrow: u32, least: i32, most: i32): void {
  if (narrow) {
    const low = i16x8.splat(<i16>least);
    const high = i16x8.splat(<i16>most);
    for (let item = <usize>first; item < <usize>end; item += 8) {
      const at = stat + (item << 1);
      v128.store(at, i16x8.min_s(i16x8.max_s(v128.load(at), low), high));
    }
    return;
  }
  for (let item = <usize>first; item < <usize>end; item += 4) {
    const at = stat + (item << 2);
    v128.store(at, i32x4.min_s(i32x4.max_s(v128.load(at), i32x4.splat(least)), i32x4.splat(most)));
  }
}
