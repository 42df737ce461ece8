// The slots of an object. Each slot can hold one affix. This file rolls the number of slots, the affix level, and the
// depth of a slot.

import { isGoodByItself } from "./kinds";
import { BOOST_SIDES, LIFT_CASES } from "./layout";
import { head, isOneAffix, levelCount, object, request } from "./plan";
import { Next } from "./words";

/** Rolls the affix level and the number of slots. */
export function rollSlots(): void {
  object.affixLevel = request.affixLevel ? request.affixLevel : rollAffixLevel();
  let slots = Next.below(request.slotSides) + request.addedSlots;
  if (request.extraSides) slots += Next.below(request.extraSides);
  if (isGoodByItself()) slots -= min(slots, head.fewerSlots);
  object.slots = min(slots, head.mostSlots);
}

function rollAffixLevel(): u32 {
  let level = 1 + request.lifts;
  if (Next.below(LIFT_CASES) < request.liftChance) ++level;
  if (request.secondOneIn && Next.below(request.secondOneIn) == 0) ++level;
  return min(level, levelCount);
}

/** Rolls the depth of a slot: usually the object's depth, sometimes a boosted depth. */
export function rollDepth(): u32 {
  const depth = request.level;
  if (!depth || Next.below(head.boostOneIn)) return depth;
  const boosted = 1 + (BOOST_SIDES * depth) / (1 + Next.below(BOOST_SIDES));
  return isOneAffix ? min(boosted, BOOST_SIDES - 1) : boosted;
}
