// Conditions. For each item, a condition doubles, raises or lowers the current value of a stat. To raise a value is to
// move it away from 0. To lower a value is to move it towards 0. The masks `doubled` and `raised` select the items to
// double and to raise. For all items in neither mask, the stat is lowered.
//
// The kernel sums all steps of the recipe first, also the steps after the condition. So the current value, `soFar`, is
// the sum minus the numbers that later steps added. If the stat is narrow, the numbers in `soFar`, in `changes` and in
// the tables of later steps are i16. If it is wide, they are i32.
//
// The amount of a change, c, is uniform on 0 … most, where most = round(|value| · share). If the condition has a
// fraction (recipes/layout.ts), c is computed for eight items at a time. Otherwise, it is computed for one item at a
// time.
import { words } from "../core/buffers";
import { cellOf, inRegister } from "../core/registers";
import { Vectors } from "../core/vectors";
import { ConditionOp, ConditionOutcome, FRACTION_BITS, LaterAdder, StatCondition } from "./layout";
import { belowOfItem, changes, columnAt, end, fillForAll, first, maskOf, soFar, statAt } from "./span";

/** The masks of the current condition. */
let doubledMask: usize = 0;
let raisedMask: usize = 0;

/** Doubles, raises or lowers a stat of all items of the span. */
export function changeStat(op: ConditionOp, plan: usize): void {
  doubledMask = maskOf(op.doubled);
  raisedMask = maskOf(op.raised);
  const condition = changetype<StatCondition>(plan + <usize>op.condition);
  const plane = op.plane;
  const narrow = condition.narrow;
  const stat = statAt(condition.group, condition.lane, narrow);
  if (narrow) takeLater<i16>(stat, condition, plan);
  else takeLater<i32>(stat, condition, plan);
  fillForAll(plane);
  if (condition.fraction) changeEight(plane, condition);
  else for (let item = <usize>first; item < <usize>end; ++item) changeExactly(item, plane, condition);
  if (narrow) addChanges<i16>(stat);
  else addChanges<i32>(stat);
}

/**
 * Changes eight items at a time. The amount of a change, c, usually follows from the upper 15 bits of the item's word.
 * If these bits do not decide c, changes this item alone.
 */
function changeEight(plane: u32, condition: StatCondition): void {
  const fraction = v128.load16_splat(changetype<usize>(condition), offsetof<StatCondition>("fraction"));
  const units = v128.load16_splat(changetype<usize>(condition), offsetof<StatCondition>("unit"));
  const ones = v128.load16_splat(cellOf(1));
  const outcomes = inRegister(columnAt(condition.outcome));
  for (let item = <usize>first, last = inRegister(end); item < last; item += 8) {
    const stat = v128.load(soFar + (item << 1));
    const most = i16x8.q15mulr_sat_s(i16x8.abs(stat), fraction);
    // let upper be the upper 15 bits of the item's word, and let bound be most + 1. Then c = ⌊upper · bound / 2^15⌋.
    // But q15mulr rounds to the nearest integer. If it rounded up, bit 14 of the product is 1, so 1 is subtracted
    const ofItems = changetype<Vectors>(words + (item << 2));
    const upper = i16x8.narrow_i32x4_s(
      i32x4.shr_u(ofItems.a, 32 - FRACTION_BITS),
      i32x4.shr_u(ofItems.b, 32 - FRACTION_BITS),
    );
    const bound = i16x8.add(most, ones);
    const product = i16x8.mul(upper, bound);
    const c = i16x8.sub(i16x8.q15mulr_sat_s(upper, bound), v128.and(i16x8.shr_u(product, FRACTION_BITS - 1), ones));
    const isDoubled = v128.load8x8_s(doubledMask + item);
    const isRaised = v128.load8x8_s(raisedMask + item);
    const sign = i16x8.shr_s(v128.xor(stat, v128.not(isRaised)), 15);
    const change = i16x8.sub(v128.xor(i16x8.mul(c, units), sign), sign);
    v128.store(changes + (item << 1), v128.bitselect(stat, change, isDoubled));
    const raised = v128.and(v128.andnot(isRaised, isDoubled), ones);
    v128.store(outcomes + (item << 1), i16x8.sub(raised, i16x8.add(isDoubled, isDoubled)));
    // so far, c follows from the upper 15 bits of the word. The lower 17 bits and the extra draw r of core/below.ts
    // would add less than bound = most + 1 to the product. So c is final if (low 15 bits of the product) + most < 2^15.
    // In all other cases, this sum sets the lane's sign bit
    const rest = i16x8.shr_u(i16x8.shl(product, 1), 1);
    const doubtful = i16x8.bitmask(i16x8.add(rest, most));
    if (doubtful) changeDoubtful(doubtful, item, plane, condition);
  }
}

function changeDoubtful(doubtful: u32, item: usize, plane: u32, condition: StatCondition): void {
  for (; doubtful; doubtful &= doubtful - 1) changeExactly(item + <usize>ctz(doubtful), plane, condition);
}

/** Changes one item. Reads extra words if the item's word does not decide the change alone. */
function changeExactly(item: usize, plane: u32, condition: StatCondition): void {
  if (item >= <usize>end) return;
  const narrow = condition.narrow;
  const stat = narrow ? <i32>load<i16>(soFar + (item << 1)) : load<i32>(soFar + (item << 2));
  const dividend = <u64>abs(stat) * condition.multiplier + condition.addend;
  // only a hostile plan file has a bound of 2^32 − 1 or more, for which `most` + 1 would be 0
  const most = <u32>min<u64>(dividend / condition.divisor, u32.MAX_VALUE - 1);
  const c = <i32>belowOfItem(item, plane, most + 1) * <i32>condition.unit;
  const doubled = load<u8>(doubledMask + item) != 0;
  const raised = load<u8>(raisedMask + item) != 0;
  const change = doubled ? stat : raised == stat < 0 ? -c : c;
  if (narrow) store<i16>(changes + (item << 1), <i16>change);
  else store<i32>(changes + (item << 2), change);
  const outcomes = columnAt(condition.outcome);
  store<u16>(outcomes + (item << 1), <u16>outcomeOf(doubled, raised));
}

function outcomeOf(doubled: bool, raised: bool): ConditionOutcome {
  if (doubled) return ConditionOutcome.DOUBLED;
  return raised ? ConditionOutcome.RAISED : ConditionOutcome.LOWERED;
}

/**
 * Sets `soFar` to the values of the stat before the condition: the sums, minus what the steps after the condition
 * added.
 */
function takeLater<T extends i32>(stat: usize, condition: StatCondition, plan: usize): void {
  const from = (<usize>first) << alignof<T>();
  memory.copy(soFar + from, stat + from, (<usize>(end - first)) << alignof<T>());
  let adder = changetype<usize>(condition) + offsetof<StatCondition>();
  for (let i: u32 = 0, n = condition.later; i < n; ++i, adder += offsetof<LaterAdder>()) {
    const later = changetype<LaterAdder>(adder);
    const column = inRegister(columnAt(later.column));
    const table = inRegister(plan + <usize>later.table);
    for (let item = <usize>first, last = inRegister(end); item < last; item += 4) {
      const at = column + (item << 1);
      const out = soFar + (item << alignof<T>());
      take<T>(out, table, at);
      take<T>(out + sizeof<T>(), table, at + 2);
      take<T>(out + 2 * sizeof<T>(), table, at + 4);
      take<T>(out + 3 * sizeof<T>(), table, at + 6);
    }
  }
}

/** Subtracts a number from the stat at `out`. The number is in `table`; its index is the u16 at the address `at`. */
function take<T extends i32>(out: usize, table: usize, at: usize): void {
  store<T>(out, <T>(<i32>load<T>(out) - <i32>load<T>(table + ((<usize>load<u16>(at)) << alignof<T>()))));
}

/** Adds `changes` to a stat. */
function addChanges<T extends i32>(stat: usize): void {
  for (let item = <usize>first, last = inRegister(end); item < last; item += 16 / sizeof<T>()) {
    const at = stat + (item << alignof<T>());
    v128.store(at, v128.add<T>(v128.load(at), v128.load(changes + (item << alignof<T>()))));
  }
}
