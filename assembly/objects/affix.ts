// What an affix does to the object, in the order of docs/determinism.md.
//
//   affix   +0 ac %   +4 weight %   +8 dice   +12 sides   +16 modifiers   +20 how many   +24 flags
//           +28 random flags   +32 how many   +36 pvals   +40 how many   +44 random pvals   +48 how many
//           +52 affixes that it excludes, u16   +56 how many   +60 themes it weighs in, bits
//
//   modifier       +0 random value   +16 least (none: NO_LEAST)   +20 which                           32 bytes
//   random flags   +0 count   +4 flags to choose from   +8 bits, u16, in the order of the flag list
//   pvals          +0 random value   +16 least   +20 flags   +24 indices, u16
//   random pvals   the same, +28 count

import { affixes, effects, inPlan, plan } from "./plan";
import {
  AC,
  addFlag,
  addFlags,
  cleanUp,
  DICE,
  get,
  hasFlag,
  pval,
  SIDES,
  setAmount,
  setModifier,
  setPval,
  setWeight,
  TO_HIT,
  WEIGHT,
} from "./record";
import { randomValue } from "./values";
import { Next } from "./words";

const AC_PERCENT: usize = 0;
const WEIGHT_PERCENT: usize = 4;
const DICE_MORE: usize = 8;
const SIDES_MORE: usize = 12;
const MODIFIERS: usize = 16;
const OWN_FLAGS: usize = 24;
const RANDOM_FLAGS: usize = 28;
const PVALS: usize = 36;
const RANDOM_PVALS: usize = 44;
const COUNT: usize = 4;

/** Parts that few affixes have. */
const HAS_RANDOM_FLAGS: u32 = 1;
const HAS_PVALS: u32 = 2;
const HAS_RANDOM_PVALS: u32 = 4;
const HAS_BODY: u32 = 8;
const PARTS_MASK: u32 = 15;

/** Of a modifier or of pvals: the least, and of a modifier which it is. */
const LEAST: usize = 16;
const WHICH: usize = 20;
const NO_LEAST: i32 = i32.MIN_VALUE;

/** Affix i. Its offset's lower bits say its parts, so that these are known before it has been looked at. */
export function affixAt(i: u32): usize {
  return plan + <usize>(load<u32>(affixes + ((<usize>i) << 2)) & ~PARTS_MASK);
}

/** Applies an affix at a depth. */
export function applyAffix(index: u32, depth: u32): void {
  const parts = load<u32>(affixes + ((<usize>index) << 2)) & PARTS_MASK;
  const affix = affixAt(index);
  if (parts & HAS_RANDOM_FLAGS) addRandomFlags(affix);
  addModifiers(inPlan(affix, MODIFIERS), load<u32>(affix + COUNT, MODIFIERS), depth);
  if (parts & HAS_PVALS) addPvals(inPlan(affix, PVALS), load<u32>(affix + COUNT, PVALS), depth);
  if (parts & HAS_RANDOM_PVALS) addRandomPvals(affix, depth);
  addFlags(inPlan(affix, OWN_FLAGS));
  if (parts & HAS_BODY) changeBody(affix);
  cleanUp();
}

/** Rolls modifiers, of an affix or a kind. */
export function addModifiers(first: usize, count: u32, depth: u32): void {
  for (let at = first, end = first + ((<usize>count) << 5); at < end; at += 32) {
    const field = TO_HIT + ((<usize>load<u32>(at, WHICH)) << 2);
    setModifier(field, sum(<i32>get(field), randomValue(at, depth), load<i32>(at, LEAST)));
  }
}

/** What a value makes of what is there: it is raised to the least first, then the sum is. */
function sum(now: i32, value: i32, least: i32): i32 {
  return least == NO_LEAST ? now + value : max(now + max(value, least), least);
}

/** Without a branch: no percentage leaves ac and weight as they are, and without dice and sides both stay. */
function changeBody(affix: usize): void {
  setAmount(AC, (<i32>get(AC) * (100 + load<i32>(affix, AC_PERCENT))) / 100, 0);
  setWeight((<i32>get(WEIGHT) * (100 + load<i32>(affix, WEIGHT_PERCENT))) / 100);
  const dice = load<i32>(affix, DICE_MORE);
  const sides = load<i32>(affix, SIDES_MORE);
  const least = i32((dice | sides) != 0);
  setAmount(DICE, <i32>get(DICE) + dice, least);
  setAmount(SIDES, <i32>get(SIDES) + sides, least);
}

// ── flags ──

const CHOICES: usize = 4;
const BITS: usize = 8;

function addRandomFlags(affix: usize): void {
  let line = inPlan(affix, RANDOM_FLAGS);
  for (let lines = load<u32>(affix + COUNT, RANDOM_FLAGS); lines > 0; --lines, line += 16) {
    const bits = inPlan(line, BITS);
    const n = load<u32>(line, CHOICES);
    for (let count = load<u32>(line); count > 0; --count) {
      let free: usize = 0;
      for (let i: usize = 0; i < <usize>n; ++i) {
        const bit = load<u16>(bits + (i << 1));
        store<u16>(effects + (free << 1), bit);
        free += usize(!hasFlag(bit));
      }
      if (!free) break;
      addFlag(load<u16>(effects + ((<usize>Next.below(<u32>free)) << 1)));
    }
  }
}

// ── pvals ──

const PVAL_CHOICES: usize = 20;
const INDICES: usize = 24;
const TIMES: usize = 28;
const PVAL_LINE_BYTES: usize = 32;

/** Rolls the pvals of `count` lines, of an affix, a kind or an artifact. */
export function addPvals(lines: usize, count: u32, depth: u32): void {
  for (let line = lines, end = lines + <usize>count * PVAL_LINE_BYTES; line < end; line += PVAL_LINE_BYTES) {
    const value = randomValue(line, depth);
    const least = load<i32>(line, LEAST);
    const indices = inPlan(line, INDICES);
    for (let i: usize = 0, n = <usize>load<u32>(line, PVAL_CHOICES); i < n; ++i) {
      const index = load<u16>(indices + (i << 1));
      setPval(index, sum(pval(index), value, least));
    }
  }
}

function addRandomPvals(affix: usize, depth: u32): void {
  const first = inPlan(affix, RANDOM_PVALS);
  const end = first + <usize>load<u32>(affix + COUNT, RANDOM_PVALS) * PVAL_LINE_BYTES;
  for (let line = first; line < end; line += PVAL_LINE_BYTES) {
    const indices = inPlan(line, INDICES);
    const n = load<u32>(line, PVAL_CHOICES);
    for (let count = load<u32>(line, TIMES); count > 0; --count) {
      let free: usize = 0;
      for (let i: usize = 0; i < <usize>n; ++i) {
        const index = load<u16>(indices + (i << 1));
        store<u16>(effects + (free << 1), index);
        free += usize(!pval(index));
      }
      if (!free) break;
      const chosen = load<u16>(effects + ((<usize>Next.below(<u32>free)) << 1));
      setPval(chosen, sum(0, randomValue(line, depth), load<i32>(line, LEAST)));
    }
  }
}
