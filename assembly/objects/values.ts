// Random values: base + dice + m_bonus, the whole negated at will.
//
//   +0 base, i32, negated already   +4 dice, u16   +6 sides, u16   +8 table of m_bonus   +12 sign of the rest, i16   +14 bits
//
// A table of m_bonus: +0 vectors of a level   +4 bytes of a level; +16 for each level, 0 … 127, the prefix sums of weights whose
// total is 2^31, the last vectors filled up with 2^32 − 1. Without a bonus it is one of which every level is 0, in no bytes.

import { inPlan } from "./plan";
import { hasTwoWords, moveOn, Next, peek } from "./words";

const DICE: usize = 4;
const SIDES: usize = 6;
const BONUS: usize = 8;
const SIGN: usize = 12;
const BITS: usize = 14;
const LEVEL_BYTES: usize = 4;
const SUMS: usize = 16;
const MOST_LEVEL: u32 = 127;

const HAS_BONUS: u32 = 1;
/** At most one die, and a table of three vectors. */
const IS_SIMPLE: u32 = 2;

/** Rolls the random value there at a depth. */
export function randomValue(value: usize, depth: u32): i32 {
  const bits = <u32>load<u16>(value, BITS);
  const dice = <u32>load<u16>(value, DICE);
  const sides = <u32>load<u16>(value, SIDES);
  const product = <u64>peek() * sides;
  // (the word settles below(sides) where its product leaves room for sides − 1: objects/words.ts)
  if (!(bits & IS_SIMPLE) || !hasTwoWords() || <u32>product > 0 - sides) return anyValue(value, depth);
  // without a branch: what a value does not have is computed all the same, of a word that is not used up, and is 0
  let rest = dice * (1 + <u32>(product >>> 32));
  moveOn(dice);
  const sums = sumsOf(inPlan(value, BONUS), depth);
  const x = i32x4.splat(peek() >>> 1);
  rest += countUpTo(sums, x) + countUpTo(sums + 16, x) + countUpTo(sums + 32, x);
  moveOn(bits & HAS_BONUS);
  return load<i32>(value) + <i32>rest * load<i16>(value, SIGN);
}

function anyValue(value: usize, depth: u32): i32 {
  const dice = <u32>load<u16>(value, DICE);
  let rest: u32 = dice;
  for (let i: u32 = 0, sides = <u32>load<u16>(value, SIDES); i < dice; ++i) rest += Next.below(sides);
  if (load<u16>(value, BITS) & HAS_BONUS) rest += bonus(inPlan(value, BONUS), depth);
  return load<i32>(value) + <i32>rest * load<i16>(value, SIGN);
}

/** m_bonus of the next word: the least v with more than ⌊word / 2⌋ below the end of its share. */
export function bonus(table: usize, depth: u32): u32 {
  const x = i32x4.splat(Next.word() >>> 1);
  const sums = sumsOf(table, depth);
  const end = sums + ((<usize>load<u32>(table)) << 4);
  let found: u32 = 0;
  for (let at = sums; at < end; at += 16) found += countUpTo(at, x);
  return found;
}

function sumsOf(table: usize, depth: u32): usize {
  return table + SUMS + <usize>(min(depth, MOST_LEVEL) * load<u32>(table, LEVEL_BYTES));
}

/** How many of four sums are no greater. */
function countUpTo(sums: usize, x: v128): u32 {
  return popcnt(i32x4.bitmask(i32x4.le_u(v128.load(sums), x)));
}
