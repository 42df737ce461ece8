// The slots of an object. Each slot can hold one affix. This file rolls the number of slots, the affix level, and the
// depth of a slot.

import { isGoodByItself } from "./kinds";
import {
  BOOST_ONE_IN,
  BOOST_SIDES,
  EXTRA_SIDES,
  GOOD_SLOTS,
  GREAT_SLOTS,
  LEVELS_PER_SLOT,
  LIFT_BASE,
  LIFT_CASES,
  MOST_AFFIXES,
  ObjectQuality,
  SECOND_LIFT_ONE_IN,
  SLOT_SIDES,
} from "./layout";
import { asked, isOneAffix, levelCount, object } from "./plan";
import { Next } from "./words";

/** Rolls the affix level and the number of slots. */
export function rollSlots(): void {
  object.affixLevel = asked.affixLevel ? asked.affixLevel : rollAffixLevel();
  let slots = Next.below(SLOT_SIDES + asked.level / LEVELS_PER_SLOT);
  if (asked.quality == ObjectQuality.GOOD) slots += GOOD_SLOTS + Next.below(EXTRA_SIDES);
  else if (asked.quality == ObjectQuality.GREAT) slots += GREAT_SLOTS + Next.below(EXTRA_SIDES);
  if (isGoodByItself() && slots) --slots;
  object.slots = min(slots, MOST_AFFIXES);
}

function rollAffixLevel(): u32 {
  const quality = asked.quality;
  let level: u32 = 1;
  if (Next.below(LIFT_CASES) < LIFT_BASE + asked.level) ++level;
  if (quality == ObjectQuality.GREAT || (quality == ObjectQuality.GOOD && Next.below(SECOND_LIFT_ONE_IN) == 0)) ++level;
  return min(level, levelCount);
}

/** Rolls the depth of a slot: usually the object's depth, sometimes a boosted depth. */
export function rollDepth(): u32 {
  const depth = asked.level;
  if (!depth || Next.below(BOOST_ONE_IN)) return depth;
  const boosted = 1 + (BOOST_SIDES * depth) / (1 + Next.below(BOOST_SIDES));
  return isOneAffix ? min(boosted, BOOST_SIDES - 1) : boosted;
}
