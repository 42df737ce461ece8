// Random values: base + sign · (dice + m_bonus), where m_bonus is a random bonus that grows with the depth
// (docs/determinism.md).

import { BONUS_LEVELS, BONUS_SUMS, BonusTable, RandomBit, RandomNumber, SIMPLE_VECTORS, VECTOR_BYTES } from "./layout";
import { inPlan } from "./plan";
import { hasTwoWords, moveOn, Next, peek } from "./words";

/** Rolls a random value at a depth. */
export function randomValue(value: RandomNumber, depth: u32): i32 {
  const bits = <u32>value.bits;
  const dice = <u32>value.dice;
  const sides = <u32>value.sides;
  const product = <u64>peek() * sides;
  // the fast path needs a word that decides below(sides) alone: the lower half of word · sides is ≤ 2^32 − sides
  // (core/below.ts)
  if (!(bits & RandomBit.IS_SIMPLE) || !hasTwoWords() || <u32>product > 0 - sides) return anyValue(value, depth);
  // no branch is needed: a missing die or bonus reads no word, and adds 0
  let rest = dice * (1 + <u32>(product >>> 32));
  moveOn(dice);
  const sums = sumsOf(changetype<BonusTable>(inPlan(value.bonus)), depth);
  const x = i32x4.splat(peek() >>> 1);
  rest +=
    countUpTo(sums, x) +
    countUpTo(sums + VECTOR_BYTES, x) +
    countUpTo(sums + <usize>(SIMPLE_VECTORS - 1) * VECTOR_BYTES, x);
  moveOn(bits & RandomBit.HAS_BONUS);
  return value.base + <i32>rest * value.sign;
}

function anyValue(value: RandomNumber, depth: u32): i32 {
  const dice = <u32>value.dice;
  let rest: u32 = dice;
  for (let i: u32 = 0, sides = <u32>value.sides; i < dice; ++i) rest += Next.below(sides);
  if (value.bits & RandomBit.HAS_BONUS) rest += bonus(changetype<BonusTable>(inPlan(value.bonus)), depth);
  return value.base + <i32>rest * value.sign;
}

/** Returns m_bonus for the next word: the number of prefix sums that are ≤ ⌊word / 2⌋. */
export function bonus(table: BonusTable, depth: u32): u32 {
  const x = i32x4.splat(Next.word() >>> 1);
  const sums = sumsOf(table, depth);
  const end = sums + <usize>table.vectors * VECTOR_BYTES;
  let found: u32 = 0;
  for (let at = sums; at < end; at += VECTOR_BYTES) found += countUpTo(at, x);
  return found;
}

function sumsOf(table: BonusTable, depth: u32): usize {
  return changetype<usize>(table) + BONUS_SUMS + <usize>(min(depth, BONUS_LEVELS - 1) * table.levelBytes);
}

/** Returns how many of the four sums at `sums` are ≤ x. */
function countUpTo(sums: usize, x: v128): u32 {
  return popcnt(i32x4.bitmask(i32x4.le_u(v128.load(sums), x)));
}
