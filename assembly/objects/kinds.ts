// The kind of an object.
//
//   kind   +0 an object of it, before anything is rolled   +4 tval   +8 signature of T lines, or 0   +12 whether it has GOOD
//          +16 pvals   +20 how many   +24 modifiers that are rolled   +28 how many   +32 themes that may come to it, bits

import { addModifiers, addPvals } from "./affix";
import { askedKind, askedTval, GREAT, level, NORMAL, quality } from "./asked";
import { inPlan, kinds, kindsBonus, kindTable, pickFrom, record } from "./plan";
import { get, KIND, takeForm } from "./record";
import { bonus } from "./values";

const FORM: usize = 0;
const TVAL: usize = 4;
const SIGNATURE: usize = 8;
const HAS_GOOD: usize = 12;
const PVALS: usize = 16;
const PVAL_COUNT: usize = 20;
const MODIFIERS: usize = 24;
const MODIFIER_COUNT: usize = 28;
const THEMES: usize = 32;

/** Good and great objects are of a kind of somewhat deeper down. */
const GOOD_DEEPER: u32 = 5;
const GREAT_DEEPER: u32 = 10;

/** The kind asked for, or a picked one. */
export function chooseKind(): u32 {
  return askedKind() ? askedKind() - 1 : pickKind();
}

/** The object is as its kind is, its modifiers and pvals rolled. */
export function takeKind(kind: u32): void {
  const at = record(kinds, kind);
  const depth = level();
  takeForm(inPlan(at, FORM));
  addModifiers(inPlan(at, MODIFIERS), load<u32>(at, MODIFIER_COUNT), depth);
  addPvals(inPlan(at, PVALS), load<u32>(at, PVAL_COUNT), depth);
}

/** What an object of a kind is before anything is rolled. */
export function formOf(kind: u32): usize {
  return inPlan(record(kinds, kind), FORM);
}

/** The tval of a kind. */
export function tvalOf(kind: u32): u32 {
  return load<u32>(record(kinds, kind), TVAL);
}

/** Whether the object's kind has the flag GOOD. */
export function isGoodByItself(): bool {
  return load<u32>(record(kinds, get(KIND)), HAS_GOOD) != 0;
}

/** Themes that T lines say may come to the object's kind, whatever the depth: bits. */
export function themesOfKind(): usize {
  return inPlan(record(kinds, get(KIND)), THEMES);
}

/** Where the object's affixes are to be found; 0 where it can have none. */
export function signatureOf(): usize {
  const at = record(kinds, get(KIND));
  return load<u32>(at, SIGNATURE) ? inPlan(at, SIGNATURE) : 0;
}

/** Picks a kind: till it is of the tval asked for, if one is. */
function pickKind(): u32 {
  let kind: u32;
  do {
    const wanted = quality();
    const table = kindTable(wanted != NORMAL, wanted == NORMAL ? level() : deeper(wanted));
    kind = pickFrom(table);
  } while (askedTval() && tvalOf(kind) != askedTval());
  return kind;
}

/** The depth of the kinds of good and great objects. */
function deeper(wanted: u32): u32 {
  return level() + (wanted == GREAT ? GREAT_DEEPER : GOOD_DEEPER) + bonus(kindsBonus, level());
}
