// Choices by weights, for the items of a list. Candidate i has the weight w_i. T is the total of the weights. A random
// number x = below(T), uniform on 0 … T − 1, chooses the first candidate whose prefix sum is > x. So exactly w_i of the
// T values of x choose candidate i. If all weights are 1, the result is the same as the uniform choice of
// recipes/decisions.ts.

import { firstAbove } from "../core/below";
import { words } from "../core/buffers";
import { NO_PLACE, PickOtherWeightedOp, PickSwingingOp, PickWeightedOp, ROLL_SIDES, WeightedSet } from "./layout";
import { belowOfWord, columnAt, endOf, fillFor, itemsOf, words2 } from "./span";

/** For each item of a list, makes a choice by weights. */
export function pickWeighted(op: PickWeightedOp, plan: usize): void {
  fillFor(op.from, op.plane, words);
  const column = columnAt(op.column);
  const set = changetype<WeightedSet>(plan + <usize>op.set);
  const last = endOf(op.from);
  for (let at = itemsOf(op.from); at < last; at += 2) {
    const item = <usize>load<u16>(at);
    const x = belowOfWord(item, op.plane, load<u32>(words + (item << 2)), set.total);
    store<u16>(column + (item << 1), valueAt(set, plan, x));
  }
}

/**
 * For each item of a list, makes a choice among the candidates. Never chooses the item's value in the column `other`.
 * Let T be the total weight, w the weight of the excluded value, and s the sum of the weights before this value. Draws
 * x = below(T − w). If x ≥ s, adds w to x, which skips the excluded value.
 */
export function pickOtherWeighted(op: PickOtherWeightedOp, plan: usize): void {
  fillFor(op.from, op.plane, words);
  const column = columnAt(op.column);
  const other = columnAt(op.other);
  const set = changetype<WeightedSet>(plan + <usize>op.set);
  const sums = plan + <usize>set.sums;
  const places = plan + <usize>op.places;
  const last = endOf(op.from);
  for (let at = itemsOf(op.from); at < last; at += 2) {
    const item = <usize>load<u16>(at);
    const place = <usize>load<u16>(places + ((<usize>load<u16>(other + (item << 1))) << 1));
    let start: u32 = set.total;
    let width: u32 = 0;
    if (place != NO_PLACE) {
      start = place ? load<u32>(sums + ((place - 1) << 2)) : 0;
      width = load<u32>(sums + (place << 2)) - start;
    }
    const x = belowOfWord(item, op.plane, load<u32>(words + (item << 2)), set.total - width);
    store<u16>(column + (item << 1), valueAt(set, plan, x < start ? x : x + width));
  }
}

/**
 * For each item of a list, first rolls on `swingPlane`. The roll selects a set of candidates. Then makes a choice by
 * weights from this set.
 */
export function pickSwingingWeighted(op: PickSwingingOp, plan: usize): void {
  fillFor(op.from, op.swingPlane, words2);
  fillFor(op.from, op.plane, words);
  const column = columnAt(op.column);
  const sets = plan + <usize>op.sets;
  const last = endOf(op.from);
  for (let at = itemsOf(op.from); at < last; at += 2) {
    const item = <usize>load<u16>(at);
    const roll = belowOfWord(item, op.swingPlane, load<u32>(words2 + (item << 2)), ROLL_SIDES);
    const set = changetype<WeightedSet>(plan + <usize>load<u32>(sets + ((<usize>roll) << 2)));
    const x = belowOfWord(item, op.plane, load<u32>(words + (item << 2)), set.total);
    store<u16>(column + (item << 1), valueAt(set, plan, x));
  }
}

/** Returns the value of the candidate that x chooses. x is less than the total. */
function valueAt(set: WeightedSet, plan: usize, x: u32): u16 {
  const from = <usize>load<u16>(plan + <usize>set.guide + ((<usize>(x >>> set.shift)) << 1));
  const steps = <usize>firstAbove(plan + <usize>set.sums + (from << 2), x);
  return load<u16>(plan + <usize>set.values + ((from + steps) << 1));
}
