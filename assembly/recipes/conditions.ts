// Conditions of items: a stat as it was so far is doubled, raised or lowered. Two parts say which are doubled and which go up.
//
//   +0 outcome column  +4 unit  +8 multiplier  +12 addend  +16 divisor  +20 fraction
//   +24 group of the stat  +28 lane  +32 narrow  +36 later adders       then (column, table) a later adder
//
// Stats are summed before: what one was so far is its sum less what later steps added to it. Tables, sums so far and changes are i16
// where the stat is narrow, else i32.
//
// round(|stat| · share) = ⌊(|stat| · multiplier + addend) / divisor⌋ = ⌊(|stat| · fraction + 2^14) / 2^15⌋, the latter for every
// stat that can come; a fraction of 0 says that there is none, and items are then changed one by one.
import { words } from "../core/buffers";
import { held, hold } from "./held";
import { belowOfItem, changes, columnAt, end, fillForAll, first, maskOf, soFar, statAt } from "./span";

const OUTCOME: usize = 0;
const UNIT: usize = 4;
const MULTIPLIER: usize = 8;
const ADDEND: usize = 12;
const DIVISOR: usize = 16;
const FRACTION: usize = 20;
const GROUP: usize = 24;
const LANE: usize = 28;
const NARROW: usize = 32;
const LATER: usize = 36;
const CONDITION_BYTES: usize = 40;

const LOWERED: u16 = 0;
const RAISED: u16 = 1;
const DOUBLED: u16 = 2;

/** The masks of the condition being made. */
let doubledMask: usize = 0;
let upMask: usize = 0;

/** Doubles, raises or lowers a stat. */
export function changeStat(plane: u32, condition: usize, plan: usize, doubled: u32, up: u32): void {
  doubledMask = maskOf(doubled);
  upMask = maskOf(up);
  const narrow = load<u32>(condition, NARROW);
  const stat = statAt(load<u32>(condition, GROUP), load<u32>(condition, LANE), narrow);
  if (narrow) takeLater<i16>(stat, condition, plan);
  else takeLater<i32>(stat, condition, plan);
  fillForAll(plane);
  if (load<u32>(condition, FRACTION)) changeEight(plane, condition);
  else for (let item = <usize>first; item < <usize>end; ++item) changeExactly(item, plane, condition);
  if (narrow) addChanges<i16>(stat);
  else addChanges<i32>(stat);
}

/** Eight items at a time; those with a word whose upper 15 bits do not settle c, one by one. */
function changeEight(plane: u32, condition: usize): void {
  const fraction = v128.load16_splat(condition, FRACTION);
  const units = v128.load16_splat(condition, UNIT);
  const ones = v128.load16_splat(hold(1));
  const outcomes = held(columnAt(load<u32>(condition, OUTCOME)));
  for (let item = <usize>first, last = held(end); item < last; item += 8) {
    const stat = v128.load(soFar + (item << 1));
    const most = i16x8.q15mulr_sat_s(i16x8.abs(stat), fraction);
    // c = ⌊upper · bound / 2^15⌋: the product is rounded, and its bit 14 says whether up
    const upper = i16x8.narrow_i32x4_s(
      i32x4.shr_u(v128.load(words + (item << 2)), 17),
      i32x4.shr_u(v128.load(words + (item << 2), 16), 17),
    );
    const bound = i16x8.add(most, ones);
    const product = i16x8.mul(upper, bound);
    const c = i16x8.sub(i16x8.q15mulr_sat_s(upper, bound), v128.and(i16x8.shr_u(product, 14), ones));
    const isDoubled = v128.load8x8_s(doubledMask + item);
    const isUp = v128.load8x8_s(upMask + item);
    const sign = i16x8.shr_s(v128.xor(stat, v128.not(isUp)), 15);
    const change = i16x8.sub(v128.xor(i16x8.mul(c, units), sign), sign);
    v128.store(changes + (item << 1), v128.bitselect(stat, change, isDoubled));
    const raised = v128.and(v128.andnot(isUp, isDoubled), ones);
    v128.store(outcomes + (item << 1), i16x8.sub(raised, i16x8.add(isDoubled, isDoubled)));
    // what the lower 17 bits and r may add is less than bound: the rest must not come to 2^15 with it
    const rest = i16x8.shr_u(i16x8.shl(product, 1), 1);
    const doubtful = i16x8.bitmask(i16x8.add(rest, most));
    if (doubtful) changeDoubtful(doubtful, item, plane, condition);
  }
}

function changeDoubtful(doubtful: u32, item: usize, plane: u32, condition: usize): void {
  for (; doubtful; doubtful &= doubtful - 1) changeExactly(item + <usize>ctz(doubtful), plane, condition);
}

/** The same for one item, whatever its words do not settle. */
function changeExactly(item: usize, plane: u32, condition: usize): void {
  if (item >= <usize>end) return;
  const narrow = load<u32>(condition, NARROW);
  const stat = narrow ? <i32>load<i16>(soFar + (item << 1)) : load<i32>(soFar + (item << 2));
  const dividend = <u64>abs(stat) * load<u32>(condition, MULTIPLIER) + load<u32>(condition, ADDEND);
  const most = <u32>(dividend / load<u32>(condition, DIVISOR));
  const c = <i32>belowOfItem(item, plane, most + 1) * load<i32>(condition, UNIT);
  const doubled = load<u8>(doubledMask + item) != 0;
  const up = load<u8>(upMask + item) != 0;
  const change = doubled ? stat : up == stat < 0 ? -c : c;
  if (narrow) store<i16>(changes + (item << 1), <i16>change);
  else store<i32>(changes + (item << 2), change);
  const outcomes = columnAt(load<u32>(condition, OUTCOME));
  store<u16>(outcomes + (item << 1), doubled ? DOUBLED : up ? RAISED : LOWERED);
}

/** What a stat was so far. */
function takeLater<T extends i32>(stat: usize, condition: usize, plan: usize): void {
  const from = (<usize>first) << alignof<T>();
  memory.copy(soFar + from, stat + from, (<usize>(end - first)) << alignof<T>());
  let adder = condition + CONDITION_BYTES;
  for (let i: u32 = 0, n = load<u32>(condition, LATER); i < n; ++i, adder += 8) {
    const column = held(columnAt(load<u32>(adder)));
    const table = held(plan + <usize>load<u32>(adder, 4));
    for (let item = <usize>first, last = held(end); item < last; item += 4) {
      const at = column + (item << 1);
      const out = soFar + (item << alignof<T>());
      take<T>(out, table, at);
      take<T>(out + sizeof<T>(), table, at + 2);
      take<T>(out + 2 * sizeof<T>(), table, at + 4);
      take<T>(out + 3 * sizeof<T>(), table, at + 6);
    }
  }
}

/** Takes off what the value at an address adds. */
function take<T extends i32>(out: usize, table: usize, at: usize): void {
  store<T>(out, <T>(<i32>load<T>(out) - <i32>load<T>(table + ((<usize>load<u16>(at)) << alignof<T>()))));
}

function addChanges<T extends i32>(stat: usize): void {
  for (let item = <usize>first, last = held(end); item < last; item += 16 / sizeof<T>()) {
    const at = stat + (item << alignof<T>());
    v128.store(at, v128.add<T>(v128.load(at), v128.load(changes + (item << alignof<T>()))));
  }
}
