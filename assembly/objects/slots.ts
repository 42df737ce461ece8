// The slots of an object. Each slot can hold one affix. This file rolls the number of slots, the affix level, and the
// depth of a slot.

import { isGoodByItself } from "./kinds";
import { BOOST_SIDES, LIFT_CASES } from "./layout";
import { asked, head, isOneAffix, levelCount, object } from "./plan";
import { Next } from "./words";

/** Rolls the affix level and the number of slots. */
export function rollSlots(): void {
  object.affixLevel = asked.affixLevel ? asked.affixLevel : rollAffixLevel();
  let slots = Next.below(asked.slotSides) + asked.addedSlots;
  if (asked.extraSides) slots += Next.below(asked.extraSides);
  if (isGoodByItself()) slots -= min(slots, head.fewerSlots);
  object.slots = min(slots, head.mostSlots);
}

function rollAffixLevel(): u32 {
  let level = 1 + asked.lifts;
  if (Next.below(LIFT_CASES) < asked.liftChance) ++level;
  if (asked.secondOneIn && Next.below(asked.secondOneIn) == 0) ++level;
  return min(level, levelCount);
}

/** Rolls the depth of a slot: usually the object's depth, sometimes a boosted depth. */
export function rollDepth(): u32 {
  const depth = asked.level;
  if (!depth || Next.below(head.boostOneIn)) return depth;
  const boosted = 1 + (BOOST_SIDES * depth) / (1 + Next.below(BOOST_SIDES));
  return isOneAffix ? min(boosted, BOOST_SIDES - 1) : boosted;
}
