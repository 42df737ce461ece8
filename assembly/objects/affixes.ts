// Applies the effects of an affix to the current object, in the order that docs/determinism.md gives.

import { AffixPart, AffixRecord, FlagLine, ModifierLine, NO_LEAST, PvalLine, VECTOR_BYTES } from "./layout";
import {
  addFlag,
  addFlags,
  amount,
  cleanUp,
  hasFlag,
  modifier,
  pval,
  removeFlags,
  setModifier,
  setPval,
  setWeight,
} from "./object";
import { affixes, choices, inPlan, isOneAffix, object } from "./plan";
import { randomValue } from "./randomValues";
import { Next } from "./words";

/**
 * The low bits of an affix's offset hold its AffixPart bits. These bits are free, because records are aligned to a
 * vector.
 */
const PARTS_MASK: u32 = <u32>VECTOR_BYTES - 1;

export function affixAt(index: u32): AffixRecord {
  return changetype<AffixRecord>(inPlan(load<u32>(affixes + ((<usize>index) << 2)) & ~PARTS_MASK));
}

/** Applies affix `index` to the object. Random values are rolled at `depth`. */
export function applyAffix(index: u32, depth: u32): void {
  const parts = load<u32>(affixes + ((<usize>index) << 2)) & PARTS_MASK;
  const affix = affixAt(index);
  if (parts & AffixPart.RANDOM_FLAGS) addRandomFlags(affix);
  addModifiers(inPlan(affix.modifiers), affix.modifierCount, depth);
  if (parts & AffixPart.PVALS) addPvals(inPlan(affix.pvals), affix.pvalCount, depth);
  if (parts & AffixPart.RANDOM_PVALS) addRandomPvals(affix, depth);
  addFlags(inPlan(affix.flags));
  if (parts & AffixPart.BODY) changeBody(affix);
  cleanUp();
}

/** Rolls the modifiers of an affix or a kind. */
export function addModifiers(lines: usize, count: u32, depth: u32): void {
  const end = lines + <usize>count * offsetof<ModifierLine>();
  for (let at = lines; at < end; at += offsetof<ModifierLine>()) {
    const line = changetype<ModifierLine>(at);
    setModifier(line.field, sum(modifier(line.field), randomValue(line, depth), line.least));
  }
}

/**
 * Returns `now` + `value`, but at least `least`. By the rules of version 4, a `value` below `least` is first raised to
 * `least`.
 */
function sum(now: i32, value: i32, least: i32): i32 {
  return least == NO_LEAST ? now + value : max(now + (isOneAffix ? value : max(value, least)), least);
}

/**
 * Changes ac, weight, dice and sides of the object, then removes flags. No branch is needed: a number that the affix
 * does not change has the change 0.
 */
function changeBody(affix: AffixRecord): void {
  object.ac = amount((object.ac * (100 + affix.acPercent)) / 100, 0);
  setWeight((object.weight * (100 + affix.weightPercent)) / 100);
  const least = i32((affix.dice | affix.sides) != 0);
  object.dice = amount(object.dice + affix.dice, least);
  object.sides = amount(object.sides + affix.sides, least);
  if (affix.removes) removeFlags(inPlan(affix.removes));
}

// ── flags ──

function addRandomFlags(affix: AffixRecord): void {
  let at = inPlan(affix.randomFlags);
  let roll: u32 = 0;
  for (let lines = affix.randomFlagCount; lines > 0; --lines, at += offsetof<FlagLine>()) {
    const line = changetype<FlagLine>(at);
    if (line.sides) roll = Next.below(line.sides);
    // if the roll is below `first`, the difference wraps to a large unsigned number, so the line is skipped
    if (line.share && roll - line.first >= line.share) continue;
    const bits = inPlan(line.flags);
    for (let count = line.count; count > 0; --count) {
      let free: usize = 0;
      for (let i: usize = 0, n = <usize>line.flagCount; i < n; ++i) {
        const bit = load<u16>(bits + (i << 1));
        store<u16>(choices + (free << 1), bit);
        free += usize(!hasFlag(bit));
      }
      if (!free) break;
      addFlag(load<u16>(choices + ((<usize>Next.below(<u32>free)) << 1)));
    }
  }
}

// ── pvals ──

/** Rolls the pvals of an affix, a kind or an artifact. */
export function addPvals(lines: usize, count: u32, depth: u32): void {
  const end = lines + <usize>count * offsetof<PvalLine>();
  for (let at = lines; at < end; at += offsetof<PvalLine>()) {
    const line = changetype<PvalLine>(at);
    const value = randomValue(line, depth);
    const least = line.least;
    const flags = inPlan(line.flags);
    for (let i: usize = 0, n = <usize>line.flagCount; i < n; ++i) {
      const index = load<u16>(flags + (i << 1));
      setPval(index, sum(pval(index), value, least));
    }
  }
}

function addRandomPvals(affix: AffixRecord, depth: u32): void {
  const lines = inPlan(affix.randomPvals);
  const end = lines + <usize>affix.randomPvalCount * offsetof<PvalLine>();
  for (let at = lines; at < end; at += offsetof<PvalLine>()) {
    const line = changetype<PvalLine>(at);
    const flags = inPlan(line.flags);
    for (let count = line.count; count > 0; --count) {
      let free: usize = 0;
      for (let i: usize = 0, n = <usize>line.flagCount; i < n; ++i) {
        const index = load<u16>(flags + (i << 1));
        store<u16>(choices + (free << 1), index);
        free += usize(!pval(index));
      }
      if (!free) break;
      const chosen = load<u16>(choices + ((<usize>Next.below(<u32>free)) << 1));
      setPval(chosen, sum(0, randomValue(line, depth), line.least));
    }
  }
}
