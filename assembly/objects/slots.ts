// The slots of an object: how many it has, the affix level, and the affix of each slot. A slot can hold one affix.

import { affixAt } from "./affixes";
import { affixTable, pickFrom, tableId, tableLength, tableWeight } from "./allocation";
import { isGoodByItself } from "./kinds";
import { BOOST_ONE_IN, BOOST_SIDES, LEVELS_PER_SLOT, MOST_AFFIXES, ObjectQuality } from "./layout";
import { hasAffix } from "./object";
import { asked, hasExclusions, inPlan, levelCount, object } from "./plan";
import { Next } from "./words";

/** Stands for "no affix". */
export const NONE: u32 = 0xffffffff;

/** Rolls the affix level and the number of slots. */
export function rollSlots(): void {
  object.affixLevel = asked.affixLevel ? asked.affixLevel : rollAffixLevel();
  let slots = Next.below(2 + asked.level / LEVELS_PER_SLOT);
  if (asked.quality == ObjectQuality.GOOD) slots += 1 + Next.below(2);
  else if (asked.quality == ObjectQuality.GREAT) slots += 3 + Next.below(2);
  if (isGoodByItself() && slots) --slots;
  object.slots = min(slots, MOST_AFFIXES);
}

function rollAffixLevel(): u32 {
  const quality = asked.quality;
  let level: u32 = 1;
  if (Next.below(100) < 10 + asked.level) ++level;
  if (quality == ObjectQuality.GREAT || (quality == ObjectQuality.GOOD && Next.below(4) == 0)) ++level;
  return min(level, levelCount);
}

/** Rolls the depth of a slot: the object's depth, or sometimes a boosted one. */
export function rollDepth(): u32 {
  const depth = asked.level;
  if (!depth || Next.below(BOOST_ONE_IN)) return depth;
  return 1 + (BOOST_SIDES * depth) / (1 + Next.below(BOOST_SIDES));
}

/** The table of the affixes that are possible at a depth; 0 if there are none. */
export function tableFor(signature: usize, depth: u32): u32 {
  return signature ? affixTable(signature, asked.level, depth, object.affixLevel) : 0;
}

/** Picks an affix from a table. Returns NONE if the table is 0 or every affix in it is excluded. */
export function pickAffix(table: u32): u32 {
  if (!table) return NONE;
  const affix = pickFrom(table);
  return hasExclusions && isExcluded(affix) ? pickAnother(table) : affix;
}

/**
 * Picks among the affixes that are not excluded, after a first pick that was excluded. Together, both picks have the
 * odds of one pick by the weights that are left.
 */
function pickAnother(table: u32): u32 {
  const n = tableLength(table);
  let total: u32 = 0;
  for (let i: u32 = 0; i < n; ++i) if (!isExcluded(tableId(table, i))) total += tableWeight(table, i);
  if (!total) return NONE;
  let x = Next.below(total);
  let i: u32 = 0;
  while (true) {
    const affix = tableId(table, i);
    const weight: u32 = isExcluded(affix) ? 0 : tableWeight(table, i);
    if (x < weight) return affix;
    x -= weight;
    ++i;
  }
}

function isExcluded(index: u32): bool {
  const affix = affixAt(index);
  const others = inPlan(affix.excluded);
  for (let i: usize = 0, n = <usize>affix.excludedCount; i < n; ++i) {
    if (hasAffix(load<u16>(others + (i << 1)))) return true;
  }
  return false;
}
