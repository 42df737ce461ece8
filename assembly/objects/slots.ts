// How many affixes an object may get, how good they may be, and which.

import { affixAt } from "./affix";
import { askedAffixLevel, GOOD, GREAT, level, quality } from "./asked";
import { isGoodByItself } from "./kinds";
import { affixTable, hasExclusions, inPlan, levelCount, pickFrom, tableId, tableLength, tableWeights } from "./plan";
import { AFFIX_LEVEL, get, hasAffix, MOST_AFFIXES, SLOTS, set } from "./record";
import { Next } from "./words";

/** Depths of which one is drawn to boost another, and one slot in so many is boosted. */
const DEPTHS: u32 = 128;
const BOOST_ONE_IN: u32 = 20;
const DEPTH_OF_A_SLOT: u32 = 25;

const EXCLUDED: usize = 52;
const EXCLUDED_COUNT: usize = 56;

/** No affix. */
export const NONE: u32 = 0xffffffff;

/** Rolls the affix level and the slots. */
export function rollSlots(): void {
  set(AFFIX_LEVEL, askedAffixLevel() ? askedAffixLevel() : rollAffixLevel());
  const wanted = quality();
  let slots = Next.below(2 + level() / DEPTH_OF_A_SLOT);
  if (wanted == GOOD) slots += 1 + Next.below(2);
  else if (wanted == GREAT) slots += 3 + Next.below(2);
  if (isGoodByItself() && slots) --slots;
  set(SLOTS, min(slots, MOST_AFFIXES));
}

function rollAffixLevel(): u32 {
  const wanted = quality();
  let found: u32 = 1;
  if (Next.below(100) < 10 + level()) ++found;
  if (wanted == GREAT || (wanted == GOOD && Next.below(4) == 0)) ++found;
  return min(found, levelCount);
}

/** The depth of a slot, now and then a greater one than the object's. */
export function rollDepth(): u32 {
  const depth = level();
  if (!depth || Next.below(BOOST_ONE_IN)) return depth;
  return 1 + (DEPTHS * depth) / (1 + Next.below(DEPTHS));
}

/** The table of the affixes that may come at a depth; 0 where there are none. */
export function tableFor(signature: usize, depth: u32): u32 {
  return signature ? affixTable(signature, level(), depth, get(AFFIX_LEVEL)) : 0;
}

/** Picks an affix from a table, or NONE. */
export function pickAffix(table: u32): u32 {
  if (!table) return NONE;
  const affix = pickFrom(table);
  return hasExclusions && isExcluded(affix) ? pickAnother(table) : affix;
}

/** A pick among those that are not excluded: with the first pick before it, the law of the weights that are left. */
function pickAnother(table: u32): u32 {
  const n = tableLength(table);
  const weights = tableWeights(table);
  let total: u32 = 0;
  for (let i: u32 = 0; i < n; ++i) if (!isExcluded(tableId(table, i))) total += load<u32>(weights + ((<usize>i) << 2));
  if (!total) return NONE;
  let x = Next.below(total);
  let i: u32 = 0;
  while (true) {
    const affix = tableId(table, i);
    const weight: u32 = isExcluded(affix) ? 0 : load<u32>(weights + ((<usize>i) << 2));
    if (x < weight) return affix;
    x -= weight;
    ++i;
  }
}

function isExcluded(index: u32): bool {
  const affix = affixAt(index);
  const n = load<u32>(affix, EXCLUDED_COUNT);
  const others = inPlan(affix, EXCLUDED);
  for (let i: usize = 0; i < <usize>n; ++i) if (hasAffix(load<u16>(others + (i << 1)))) return true;
  return false;
}
