// Conditions of items: a stat as it is so far is doubled, raised or lowered.
//
//   +0 sources  +4 earlier conditions  +8 outcome column  +12 fails doubled  +16 fails up  +20 unit
//   +24 multiplier  +28 addend  +32 divisor  +36 magic  +40 shift      then (column, table) a source, an earlier delta each
//
// Sources are even in number: one more may add nothing.
//
// round(|stat| · share) = ⌊(|stat| · multiplier + addend) / divisor⌋ = (… · magic) >> shift, the latter within 32 bits and
// exact for every stat that can come; a magic of 0 says that there is none, and items are then changed one by one.
import { sureBelow } from "./below";
import { words } from "./buffers";
import { ALL, belowOfItem, columnAt, deltaAt, end, fillFor, first, SIDES, words2, words3 } from "./itemSpan";

const SOURCES: usize = 0;
const EARLIER: usize = 4;
const OUTCOME: usize = 8;
const DOUBLED_FAILS: usize = 12;
const UP_FAILS: usize = 16;
const UNIT: usize = 20;
const MULTIPLIER: usize = 24;
const ADDEND: usize = 28;
const DIVISOR: usize = 32;
const MAGIC: usize = 36;
const SHIFT: usize = 40;
const CONDITION_BYTES: usize = 44;

const LOWERED: u16 = 0;
const RAISED: u16 = 1;
const DOUBLED: u16 = 2;

/** Doubles, raises or lowers a stat so far: what that adds goes to a delta. Planes: c, doubled, up. */
export function changeStat(delta: u32, plane: u32, condition: usize, plan: usize): void {
  sumSources(delta, condition, plan);
  fillFor(ALL, plane, words);
  fillFor(ALL, plane + 1, words2);
  fillFor(ALL, plane + 2, words3);
  const outcomes = columnAt(load<u32>(condition, OUTCOME));
  const out = deltaAt(delta);
  if (load<u32>(condition, MAGIC)) changeFour(plane, out, outcomes, condition);
  else for (let item = <usize>first; item < <usize>end; ++item) changeExactly(item, plane, out, outcomes, condition);
}

/** Four items at a time; those with a word that does not settle something, one by one. */
function changeFour(plane: u32, out: usize, outcomes: usize, condition: usize): void {
  const multipliers = i32x4.splat(load<i32>(condition, MULTIPLIER));
  const addends = i32x4.splat(load<i32>(condition, ADDEND));
  const magics = i32x4.splat(load<i32>(condition, MAGIC));
  const shift = load<i32>(condition, SHIFT);
  const units = i32x4.splat(load<i32>(condition, UNIT));
  const doubledBound = i32x4.splat(boundOf(load<u32>(condition, DOUBLED_FAILS)));
  const upBound = i32x4.splat(boundOf(load<u32>(condition, UP_FAILS)));
  for (let item = <usize>first; item < <usize>end; item += 4) {
    const stat = v128.load(out + (item << 2));
    const word = v128.load(words + (item << 2));
    const doubledWord = v128.load(words2 + (item << 2));
    const upWord = v128.load(words3 + (item << 2));
    // round(|stat| · share), half away from zero
    const dividend = i32x4.add(i32x4.mul(i32x4.abs(stat), multipliers), addends);
    const most = i32x4.shr_u(i32x4.mul(dividend, magics), shift);
    // c = below(most + 1), unless a word does not settle it
    const bound = i32x4.sub(most, i32x4.splat(-1));
    const product = i64x2.extmul_low_i32x4_u(word, bound);
    const product2 = i64x2.extmul_high_i32x4_u(word, bound);
    const c = v128.shuffle<i32>(product, product2, 1, 3, 5, 7);
    const rest = v128.shuffle<i32>(product, product2, 0, 2, 4, 6);
    const unsettled = v128.or(
      i32x4.gt_u(rest, v128.not(most)),
      v128.or(i32x4.eq(doubledWord, doubledBound), i32x4.eq(upWord, upBound)),
    );
    if (v128.any_true(unsettled)) {
      for (let lane: usize = 0; lane < 4; ++lane) changeExactly(item + lane, plane, out, outcomes, condition);
      continue;
    }
    const isDoubled = i32x4.gt_u(doubledWord, doubledBound);
    const isUp = i32x4.gt_u(upWord, upBound);
    const sign = i32x4.shr_s(v128.xor(stat, v128.not(isUp)), 31);
    const amount = i32x4.mul(c, units);
    const change = i32x4.sub(v128.xor(amount, sign), sign);
    v128.store(out + (item << 2), v128.bitselect(stat, change, isDoubled));
    const outcome = v128.bitselect(i32x4.splat(DOUBLED), v128.and(isUp, i32x4.splat(RAISED)), isDoubled);
    v128.store64_lane(outcomes + (item << 1), i16x8.narrow_i32x4_s(outcome, outcome), 0);
  }
}

/** The word up to which a roll fails: only that word itself may or may not. */
function boundOf(fails: u32): u32 {
  return fails == SIDES ? 0xffffffff : <u32>sureBelow(fails, SIDES);
}

/** The same for one item, whatever its words do not settle. */
function changeExactly(item: usize, plane: u32, out: usize, outcomes: usize, condition: usize): void {
  if (item >= <usize>end) return;
  const stat = load<i32>(out + (item << 2));
  const dividend = <u64>abs(stat) * load<u32>(condition, MULTIPLIER) + load<u32>(condition, ADDEND);
  const most = <u32>(dividend / load<u32>(condition, DIVISOR));
  const c = <i32>belowOfItem(item, plane, most + 1) * load<i32>(condition, UNIT);
  const doubled = belowOfItem(item, plane + 1, SIDES) >= load<u32>(condition, DOUBLED_FAILS);
  const up = belowOfItem(item, plane + 2, SIDES) >= load<u32>(condition, UP_FAILS);
  store<i32>(out + (item << 2), doubled ? stat : up == stat < 0 ? -c : c);
  store<u16>(outcomes + (item << 1), doubled ? DOUBLED : up ? RAISED : LOWERED);
}

/** What a stat comes to before a condition: two sources at a time. */
function sumSources(delta: u32, condition: usize, plan: usize): void {
  const out = deltaAt(delta);
  memory.fill(out + ((<usize>first) << 2), 0, (<usize>(end - first)) << 2);
  let source = condition + CONDITION_BYTES;
  for (let i: u32 = 0, n = load<u32>(condition, SOURCES); i < n; i += 2, source += 16) {
    const column = columnAt(load<u32>(source));
    const table = plan + <usize>load<u32>(source, 4);
    const column2 = columnAt(load<u32>(source, 8));
    const table2 = plan + <usize>load<u32>(source, 12);
    for (let item = <usize>first; item < <usize>end; ++item) {
      const value = <usize>load<u16>(column + (item << 1));
      const value2 = <usize>load<u16>(column2 + (item << 1));
      const sum = load<i32>(table + (value << 2)) + load<i32>(table2 + (value2 << 2));
      store<i32>(out + (item << 2), load<i32>(out + (item << 2)) + sum);
    }
  }
  for (let i: u32 = 0, n = load<u32>(condition, EARLIER); i < n; ++i, source += 4) {
    const earlier = deltaAt(load<u32>(source));
    for (let item = <usize>first; item < <usize>end; ++item)
      store<i32>(out + (item << 2), load<i32>(out + (item << 2)) + load<i32>(earlier + (item << 2)));
  }
}
