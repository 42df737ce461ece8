// Conditions of items: a stat as it is so far is doubled, raised or lowered.
//
//   +0 sources  +4 base  +8 outcome column  +12 fails doubled  +16 fails up  +20 share × 2  +24 its denominator
//   +28 denominator × 2  +32 unit  +36 earlier conditions   then (column, table) a source, and an earlier delta each, u32

import { belowAt, sureAbove, sureBelow } from "./below";
import { words } from "./buffers";
import { belowOf, SIDES } from "./itemDecisions";
import { block, columnAt, deltaAt, end, fillFor, first, purpose, words2, words3 } from "./itemSpan";

const SOURCES: usize = 0;
const BASE: usize = 4;
const OUTCOME: usize = 8;
const DOUBLED_FAILS: usize = 12;
const UP_FAILS: usize = 16;
const NUMERATOR: usize = 20;
const HALF: usize = 24;
const DENOMINATOR: usize = 28;
const UNIT: usize = 32;
const EARLIER: usize = 36;
const CONDITION_BYTES: usize = 40;

const LOWERED: u16 = 0;
const RAISED: u16 = 1;
const DOUBLED: u16 = 2;

const ALL: u32 = 0;

/** Doubles, raises or lowers a stat so far: what that adds goes to a delta. Planes: c, doubled, up. */
export function changeStat(delta: u32, plane: u32, condition: usize, plan: usize): void {
  sumSources(delta, condition, plan);
  fillFor(ALL, plane, words);
  fillFor(ALL, plane + 1, words2);
  fillFor(ALL, plane + 2, words3);
  const numerator = <u64>load<u32>(condition, NUMERATOR);
  const half = <u64>load<u32>(condition, HALF);
  const denominator = <u64>load<u32>(condition, DENOMINATOR);
  const unit = load<i32>(condition, UNIT);
  const outcomes = columnAt(load<u32>(condition, OUTCOME));
  const out = deltaAt(delta);
  for (let item = <usize>first; item < <usize>end; ++item) {
    const stat = load<i32>(out + (item << 2));
    const most = <u32>((<u64>abs(<i64>stat) * numerator + half) / denominator);
    const c = <i32>belowOf(item, plane, load<u32>(words + (item << 2)), most + 1) * unit;
    const change = stat < 0 ? -c : c;
    const doubled = passes(item, plane + 1, load<u32>(words2 + (item << 2)), load<u32>(condition, DOUBLED_FAILS));
    const up = passes(item, plane + 2, load<u32>(words3 + (item << 2)), load<u32>(condition, UP_FAILS));
    store<i32>(out + (item << 2), doubled ? stat : up ? change : -change);
    store<u16>(outcomes + (item << 1), doubled ? DOUBLED : up ? RAISED : LOWERED);
  }
}

/** Whether an item's roll is ≥ `fails`. */
function passes(item: usize, plane: u32, word: u32, fails: u32): bool {
  const bound = sureBelow(fails, SIDES);
  if (<u64>word == bound && bound != sureAbove(fails, SIDES))
    return belowAt(purpose, plane, block, <u32>item, SIDES) >= fails;
  return <u64>word >= bound;
}

/** What a stat comes to before a condition. */
function sumSources(delta: u32, condition: usize, plan: usize): void {
  const out = deltaAt(delta);
  const base = load<i32>(condition, BASE);
  for (let item = <usize>first; item < <usize>end; ++item) store<i32>(out + (item << 2), base);
  let source = condition + CONDITION_BYTES;
  for (let i: u32 = 0, n = load<u32>(condition, SOURCES); i < n; ++i, source += 8) {
    const column = columnAt(load<u32>(source));
    const table = plan + <usize>load<u32>(source, 4);
    for (let item = <usize>first; item < <usize>end; ++item) {
      const value = <usize>load<u16>(column + (item << 1));
      store<i32>(out + (item << 2), load<i32>(out + (item << 2)) + load<i32>(table + (value << 2)));
    }
  }
  for (let i: u32 = 0, n = load<u32>(condition, EARLIER); i < n; ++i, source += 4) {
    const earlier = deltaAt(load<u32>(source));
    for (let item = <usize>first; item < <usize>end; ++item)
      store<i32>(out + (item << 2), load<i32>(out + (item << 2)) + load<i32>(earlier + (item << 2)));
  }
}
