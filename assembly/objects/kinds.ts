// The kind of an object: asked for, or picked at a depth.

import { addModifiers, addPvals } from "./affixes";
import { kindTable, pickFrom } from "./allocation";
import { BonusTable, GOOD_DEEPER, GREAT_DEEPER, KindRecord, ObjectQuality } from "./layout";
import { takeForm } from "./object";
import { able, asked, head, inPlan, kinds, object, recordAt } from "./plan";
import { bonus } from "./randomValues";

/** The index of the kind asked for, or of a picked one. */
export function chooseKind(): u32 {
  return asked.kind ? asked.kind - 1 : pickKind();
}

/** Sets the object to one of a kind, and rolls the kind's modifiers and pvals. */
export function takeKind(index: u32): void {
  const kind = kindAt(index);
  takeForm(inPlan(kind.form));
  addModifiers(inPlan(kind.modifiers), kind.modifierCount, asked.level);
  addPvals(inPlan(kind.pvals), kind.pvalCount, asked.level);
}

export function tvalOf(index: u32): u32 {
  return kindAt(index).tval;
}

/** Whether a kind can have the affixes and the theme that are asked for. */
export function isAble(index: u32): bool {
  return !asked.isSelective || load<u8>(able + <usize>index) != 0;
}

/** Whether the object's kind has the flag GOOD. */
export function isGoodByItself(): bool {
  return kindAt(object.kind).hasGood != 0;
}

/** The mask of the themes whose T lines match the object's kind, whatever the depth. */
export function themesOfKind(): usize {
  return inPlan(kindAt(object.kind).themes);
}

function kindAt(index: u32): KindRecord {
  return changetype<KindRecord>(recordAt(kinds, index));
}

/** Picks a kind, again and again until it has the tval asked for. */
function pickKind(): u32 {
  let kind: u32;
  do {
    const isNormal = asked.quality == ObjectQuality.NORMAL;
    const table = kindTable(!isNormal, isNormal ? asked.level : deeper());
    kind = pickFrom(table);
  } while (asked.tval && tvalOf(kind) != asked.tval);
  return kind;
}

/** The depth of the kinds of good and great objects. */
function deeper(): u32 {
  const added = asked.quality == ObjectQuality.GREAT ? GREAT_DEEPER : GOOD_DEEPER;
  return asked.level + added + bonus(changetype<BonusTable>(inPlan(head.kindBonus)), asked.level);
}
