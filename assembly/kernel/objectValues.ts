// Random values: base + dice + m_bonus, the whole negated at will.
//
//   +0 base, i32, negated already   +4 dice, u16   +6 sides, u16   +8 table of m_bonus, or 0   +12 sign of the rest, i32
//
// A table of m_bonus: +0 vectors of a level; +16 for each level, 0 … 127, the prefix sums of weights whose total is 2^31, the
// last vector filled up with 2^32 − 1.

import { inPlan } from "./objectPlan";
import { nextBelow, nextWord } from "./objectWords";

const DICE: usize = 4;
const SIDES: usize = 6;
const BONUS: usize = 8;
const SIGN: usize = 12;
const MOST_LEVEL: u32 = 127;

/** Rolls the random value there at a depth. */
export function randomValue(value: usize, depth: u32): i32 {
  const base = load<i32>(value);
  const dice = <u32>load<u16>(value, DICE);
  if (!dice && !load<u32>(value, BONUS)) return base;
  let rest: u32 = dice;
  for (let i: u32 = 0, sides = <u32>load<u16>(value, SIDES); i < dice; ++i) rest += nextBelow(sides);
  if (load<u32>(value, BONUS)) rest += bonus(inPlan(value, BONUS), depth);
  return base + <i32>rest * load<i32>(value, SIGN);
}

/** m_bonus of the next word: the least v with more than ⌊word / 2⌋ below the end of its share. */
export function bonus(table: usize, depth: u32): u32 {
  const x = i32x4.splat(nextWord() >>> 1);
  const bytes = (<usize>load<u32>(table)) << 4;
  const sums = table + 16 + <usize>min(depth, MOST_LEVEL) * bytes;
  // as many as are no greater than x
  let found = 0;
  for (let at: usize = 0; at < bytes; at += 16) found += popcnt(i32x4.bitmask(i32x4.le_u(v128.load(sums + at), x)));
  return found;
}
