// Conditions of items: a stat as it is so far is doubled, raised or lowered. Two parts say which are doubled and which go up.
//
//   +0 sources  +4 earlier conditions  +8 outcome column  +12 unit  +16 multiplier  +20 addend  +24 divisor
//   +28 fraction  +32 narrow      then (column, table) a source, an earlier delta each
//
// Sources are even in number: one more may add nothing. Tables, sums so far and deltas are i16 where the stat is narrow, else i32.
//
// round(|stat| · share) = ⌊(|stat| · multiplier + addend) / divisor⌋ = ⌊(|stat| · fraction + 2^14) / 2^15⌋, the latter for every
// stat that can come; a fraction of 0 says that there is none, and items are then changed one by one.
import { words } from "./buffers";
import { held, hold } from "./held";
import { belowOfItem, columnAt, deltaAt, end, fillForAll, first, maskOf, soFar } from "./itemSpan";

const SOURCES: usize = 0;
const EARLIER: usize = 4;
const OUTCOME: usize = 8;
const UNIT: usize = 12;
const MULTIPLIER: usize = 16;
const ADDEND: usize = 20;
const DIVISOR: usize = 24;
const FRACTION: usize = 28;
const NARROW: usize = 32;
const CONDITION_BYTES: usize = 36;

const LOWERED: u16 = 0;
const RAISED: u16 = 1;
const DOUBLED: u16 = 2;

/** The masks of the condition being made. */
let doubledMask: usize = 0;
let upMask: usize = 0;

/** Doubles, raises or lowers a stat so far: what that adds goes to a delta. */
export function changeStat(delta: u32, plane: u32, condition: usize, plan: usize, doubled: u32, up: u32): void {
  doubledMask = maskOf(doubled);
  upMask = maskOf(up);
  if (load<u32>(condition, NARROW)) sumSources<i16>(condition, plan);
  else sumSources<i32>(condition, plan);
  fillForAll(plane);
  const out = deltaAt(delta);
  if (load<u32>(condition, FRACTION)) changeEight(plane, out, condition);
  else for (let item = <usize>first; item < <usize>end; ++item) changeExactly(item, plane, out, condition);
}

/** Eight items at a time; those with a word whose upper 15 bits do not settle c, one by one. */
function changeEight(plane: u32, out: usize, condition: usize): void {
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
    v128.store(out + (item << 1), v128.bitselect(stat, change, isDoubled));
    const raised = v128.and(v128.andnot(isUp, isDoubled), ones);
    v128.store(outcomes + (item << 1), i16x8.sub(raised, i16x8.add(isDoubled, isDoubled)));
    // what the lower 17 bits and r may add is less than bound: the rest must not come to 2^15 with it
    const rest = i16x8.shr_u(i16x8.shl(product, 1), 1);
    const doubtful = i16x8.bitmask(i16x8.add(rest, most));
    if (doubtful) changeDoubtful(doubtful, item, plane, out, condition);
  }
}

function changeDoubtful(doubtful: u32, item: usize, plane: u32, out: usize, condition: usize): void {
  for (; doubtful; doubtful &= doubtful - 1) changeExactly(item + <usize>ctz(doubtful), plane, out, condition);
}

/** The same for one item, whatever its words do not settle. */
function changeExactly(item: usize, plane: u32, out: usize, condition: usize): void {
  if (item >= <usize>end) return;
  const narrow = load<u32>(condition, NARROW);
  const stat = narrow ? <i32>load<i16>(soFar + (item << 1)) : load<i32>(soFar + (item << 2));
  const dividend = <u64>abs(stat) * load<u32>(condition, MULTIPLIER) + load<u32>(condition, ADDEND);
  const most = <u32>(dividend / load<u32>(condition, DIVISOR));
  const c = <i32>belowOfItem(item, plane, most + 1) * load<i32>(condition, UNIT);
  const doubled = load<u8>(doubledMask + item) != 0;
  const up = load<u8>(upMask + item) != 0;
  const change = doubled ? stat : up == stat < 0 ? -c : c;
  if (narrow) store<i16>(out + (item << 1), <i16>change);
  else store<i32>(out + (item << 2), change);
  const outcomes = columnAt(load<u32>(condition, OUTCOME));
  store<u16>(outcomes + (item << 1), doubled ? DOUBLED : up ? RAISED : LOWERED);
}

/** What a stat comes to before a condition: two sources at a time. */
function sumSources<T extends i32>(condition: usize, plan: usize): void {
  const sources = load<u32>(condition, SOURCES);
  if (!sources) memory.fill(soFar + ((<usize>first) << alignof<T>()), 0, (<usize>(end - first)) << alignof<T>());
  let source = condition + CONDITION_BYTES;
  for (let i: u32 = 0; i < sources; i += 2, source += 16) addTwo<T>(source, plan, i ? -1 : 0);
  for (let i: u32 = 0, n = load<u32>(condition, EARLIER); i < n; ++i, source += 4) {
    const earlier = held(deltaAt(load<u32>(source)));
    for (let item = <usize>first, last = held(end); item < last; ++item) {
      const at = soFar + (item << alignof<T>());
      store<T>(at, <T>(load<T>(at) + load<T>(earlier + (item << alignof<T>()))));
    }
  }
}

/** Adds two sources to the sums so far, or stores them: what is there counts where `kept` is −1. Four items at a time. */
function addTwo<T extends i32>(source: usize, plan: usize, kept: i32): void {
  const column = held(columnAt(load<u32>(source)));
  const table = held(plan + <usize>load<u32>(source, 4));
  const column2 = held(columnAt(load<u32>(source, 8)));
  const table2 = held(plan + <usize>load<u32>(source, 12));
  const mask = load<i32>(hold(kept));
  for (let item = <usize>first, last = held(end); item < last; item += 4) {
    const at = column + (item << 1);
    const at2 = column2 + (item << 1);
    const out = soFar + (item << alignof<T>());
    put<T>(out, mask, valueAt<T>(table, at) + valueAt<T>(table2, at2));
    put<T>(out + sizeof<T>(), mask, valueAt<T>(table, at + 2) + valueAt<T>(table2, at2 + 2));
    put<T>(out + 2 * sizeof<T>(), mask, valueAt<T>(table, at + 4) + valueAt<T>(table2, at2 + 4));
    put<T>(out + 3 * sizeof<T>(), mask, valueAt<T>(table, at + 6) + valueAt<T>(table2, at2 + 6));
  }
}

function put<T extends i32>(out: usize, mask: i32, sum: i32): void {
  store<T>(out, <T>((<i32>load<T>(out) & mask) + sum));
}

function valueAt<T extends i32>(table: usize, at: usize): i32 {
  return <i32>load<T>(table + ((<usize>load<u16>(at)) << alignof<T>()));
}
