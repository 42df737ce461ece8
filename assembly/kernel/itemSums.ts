// Stats of items: sums of what their slots' words add, eight i16 or four i32 side by side.
//
// Each slot that adds to a group of stats has a vector a value there. An item's vectors are added, and eight (four) items
// are then turned into one row a stat. What conditions add comes after that, and the clamps last.
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
    if (load<u32>(group, NARROW)) sumNarrow(i, adders, last, plan);
    else sumWide(i, adders, last, plan);
  }
  let fix = plan + <usize>load<u32>(plan, FIXES_AT);
  for (let i: u32 = 0, n = load<u32>(plan, FIXES); i < n; ++i, fix += FIX_BYTES) {
    const narrow = load<u32>(fix, FIX_NARROW);
    const stat = statAt(load<u32>(fix, FIX_GROUP), load<u32>(fix, FIX_LANE), narrow);
    if (load<u32>(fix, FIX_KIND) == DELTA) addDelta(stat, narrow, deltaAt(load<u32>(fix, FIX_FIRST)));
    else clamp(stat, narrow, load<i32>(fix, FIX_FIRST), load<i32>(fix, FIX_SECOND));
  }
}

function vectorOf(table: usize, value: u32): v128 {
  return v128.load(table + ((<usize>value) << 4));
}

/** Eight stats of i16, eight items at a time. */
function sumNarrow(group: u32, adders: usize, last: usize, plan: usize): void {
  const out = statAt(group, 0, 1);
  for (let item = <usize>first; item < <usize>end; item += 8) {
    let a = i32x4.splat(0),
      b = i32x4.splat(0),
      c = i32x4.splat(0),
      d = i32x4.splat(0),
      e = i32x4.splat(0),
      f = i32x4.splat(0),
      g = i32x4.splat(0),
      h = i32x4.splat(0);
    for (let adder = adders; adder < last; adder += 8) {
      const values = columnAt(load<u32>(adder)) + (item << 1);
      const table = plan + <usize>load<u32>(adder, 4);
      a = i16x8.add(a, vectorOf(table, load<u16>(values, 0)));
      b = i16x8.add(b, vectorOf(table, load<u16>(values, 2)));
      c = i16x8.add(c, vectorOf(table, load<u16>(values, 4)));
      d = i16x8.add(d, vectorOf(table, load<u16>(values, 6)));
      e = i16x8.add(e, vectorOf(table, load<u16>(values, 8)));
      f = i16x8.add(f, vectorOf(table, load<u16>(values, 10)));
      g = i16x8.add(g, vectorOf(table, load<u16>(values, 12)));
      h = i16x8.add(h, vectorOf(table, load<u16>(values, 14)));
    }
    // items by stats become stats by items: pairs, fours, eights
    const ab = v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11),
      ab2 = v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
    const cd = v128.shuffle<i16>(c, d, 0, 8, 1, 9, 2, 10, 3, 11),
      cd2 = v128.shuffle<i16>(c, d, 4, 12, 5, 13, 6, 14, 7, 15);
    const ef = v128.shuffle<i16>(e, f, 0, 8, 1, 9, 2, 10, 3, 11),
      ef2 = v128.shuffle<i16>(e, f, 4, 12, 5, 13, 6, 14, 7, 15);
    const gh = v128.shuffle<i16>(g, h, 0, 8, 1, 9, 2, 10, 3, 11),
      gh2 = v128.shuffle<i16>(g, h, 4, 12, 5, 13, 6, 14, 7, 15);
    storeFour(out, item, 0, ab, cd, ef, gh);
    storeFour(out, item, 4, ab2, cd2, ef2, gh2);
  }
}

/** Stores four stats of eight items: each vector has two items' pairs of them. */
function storeFour(out: usize, item: usize, lane: u32, ab: v128, cd: v128, ef: v128, gh: v128): void {
  const low = v128.shuffle<i32>(ab, cd, 0, 4, 1, 5),
    high = v128.shuffle<i32>(ab, cd, 2, 6, 3, 7);
  const low2 = v128.shuffle<i32>(ef, gh, 0, 4, 1, 5),
    high2 = v128.shuffle<i32>(ef, gh, 2, 6, 3, 7);
  const at = out + <usize>lane * COLUMN_BYTES + (item << 1);
  v128.store(at, v128.shuffle<i64>(low, low2, 0, 2));
  v128.store(at + COLUMN_BYTES, v128.shuffle<i64>(low, low2, 1, 3));
  v128.store(at + 2 * COLUMN_BYTES, v128.shuffle<i64>(high, high2, 0, 2));
  v128.store(at + 3 * COLUMN_BYTES, v128.shuffle<i64>(high, high2, 1, 3));
}

/** Four stats of i32, four items at a time. */
function sumWide(group: u32, adders: usize, last: usize, plan: usize): void {
  const out = statAt(group, 0, 0);
  for (let item = <usize>first; item < <usize>end; item += 4) {
    let a = i32x4.splat(0),
      b = i32x4.splat(0),
      c = i32x4.splat(0),
      d = i32x4.splat(0);
    for (let adder = adders; adder < last; adder += 8) {
      const values = columnAt(load<u32>(adder)) + (item << 1);
      const table = plan + <usize>load<u32>(adder, 4);
      a = i32x4.add(a, vectorOf(table, load<u16>(values, 0)));
      b = i32x4.add(b, vectorOf(table, load<u16>(values, 2)));
      c = i32x4.add(c, vectorOf(table, load<u16>(values, 4)));
      d = i32x4.add(d, vectorOf(table, load<u16>(values, 6)));
    }
    const low = v128.shuffle<i32>(a, b, 0, 4, 1, 5),
      high = v128.shuffle<i32>(a, b, 2, 6, 3, 7);
    const low2 = v128.shuffle<i32>(c, d, 0, 4, 1, 5),
      high2 = v128.shuffle<i32>(c, d, 2, 6, 3, 7);
    const at = out + (item << 2);
    v128.store(at, v128.shuffle<i64>(low, low2, 0, 2));
    v128.store(at + DELTA_BYTES, v128.shuffle<i64>(low, low2, 1, 3));
    v128.store(at + 2 * DELTA_BYTES, v128.shuffle<i64>(high, high2, 0, 2));
    v128.store(at + 3 * DELTA_BYTES, v128.shuffle<i64>(high, high2, 1, 3));
  }
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
