// Chooses the kind of an object: the requested kind, or a random kind for the depth.

import { addModifiers, addPvals } from "./affixes";
import { kindTable, pickFrom } from "./allocation";
import { BonusTable, KindRecord, ObjectQuality } from "./layout";
import { takeForm } from "./object";
import { able, head, inPlan, kinds, object, recordAt, request } from "./plan";
import { bonus } from "./randomValues";

/** Returns the index of the requested kind. If no kind is requested, picks one. */
export function chooseKind(): u32 {
  return request.kind ? request.kind - 1 : pickKind();
}

/**
 * Copies the kind's form to the object. The form has the values of the object before anything is rolled. Then rolls the
 * kind's modifiers and pvals.
 */
export function takeKind(index: u32): void {
  const kind = kindAt(index);
  takeForm(inPlan(kind.form));
  addModifiers(inPlan(kind.modifiers), kind.modifierCount, request.level);
  addPvals(inPlan(kind.pvals), kind.pvalCount, request.level);
}

export function tvalOf(index: u32): u32 {
  return kindAt(index).tval;
}

/** Whether a kind can have the requested affixes and theme. */
export function isAble(index: u32): bool {
  return !request.isSelective || load<u8>(able + <usize>index) != 0;
}

/** Whether the object's kind has the flag GOOD. */
export function isGoodByItself(): bool {
  return kindAt(object.kind).hasGood != 0;
}

/** Returns the address of a mask: the themes that have a T line for the object's kind, at any depth. */
export function themesOfKind(): usize {
  return inPlan(kindAt(object.kind).themes);
}

export function kindAt(index: u32): KindRecord {
  return changetype<KindRecord>(recordAt(kinds, index));
}

/** Picks kinds until one has the requested tval. */
function pickKind(): u32 {
  let kind: u32;
  do {
    const isNormal = request.quality == ObjectQuality.NORMAL;
    const table = kindTable(!isNormal, isNormal ? request.level : deeper());
    kind = pickFrom(table);
  } while (request.tval && tvalOf(kind) != request.tval);
  return kind;
}

/** Returns the depth at which the kind of a good or great object is picked. */
function deeper(): u32 {
  const table = changetype<BonusTable>(inPlan(head.kindBonus));
  return request.kindDepth + (table.levelBytes ? bonus(table, request.level) : 0);
}
