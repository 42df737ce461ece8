// The kind of an object.
//
//   kind   +0 tval   +4 sval   +8 signature of T lines, or 0   +12 flags   +16 bits: it has GOOD, it is ammunition
//          +20 ac   +24 dice   +28 sides   +32 weight   +36 pvals   +40 how many
//          +48 to-hit   +64 to-dam   +80 to-ac, random values

import { pickOne } from "./alias";
import { addPvals } from "./objectAffix";
import { askedKind, askedTvalIndex, GOOD, GREAT, level, quality } from "./objectAsked";
import { inPlan, kinds, kindTable, plan, record, tableId, tableList } from "./objectPlan";
import {
  AC,
  addFlags,
  clearObject,
  DICE,
  get,
  KIND,
  SIDES,
  SVAL,
  set,
  setAmmunition,
  setModifier,
  TO_AC,
  TO_DAM,
  TO_HIT,
  TVAL,
  WEIGHT,
} from "./objectRecord";
import { bonus, randomValue } from "./objectValues";
import { nextWord, stand } from "./objectWords";

const SIGNATURE: usize = 8;
const OWN_FLAGS: usize = 12;
const BITS: usize = 16;
const BODY: usize = 20;
const PVALS: usize = 36;
const PVAL_COUNT: usize = 40;
const MODIFIERS: usize = 48;

const HAS_GOOD: u32 = 1;
const IS_AMMUNITION: u32 = 2;

/** Good and great objects are of a kind of somewhat deeper down. */
const GOOD_DEEPER: u32 = 5;
const GREAT_DEEPER: u32 = 10;
/** Where the plan's head says where the table of m_bonus(5, …) is. */
const BONUS_OF_KINDS: usize = 116;

/** The kind asked for, or a picked one. */
export function chooseKind(): u32 {
  return askedKind() ? askedKind() - 1 : pickKind();
}

/** The object is as its kind is. */
export function takeKind(kind: u32): void {
  const at = record(kinds, kind);
  const depth = level();
  clearObject();
  set(KIND, kind);
  dressKind();
  set(AC, load<u32>(at, BODY));
  set(DICE, load<u32>(at, BODY + 4));
  set(SIDES, load<u32>(at, BODY + 8));
  set(WEIGHT, load<u32>(at, BODY + 12));
  setModifier(TO_HIT, randomValue(at + MODIFIERS, depth));
  setModifier(TO_DAM, randomValue(at + MODIFIERS + 16, depth));
  setModifier(TO_AC, randomValue(at + MODIFIERS + 32, depth));
  addFlags(inPlan(at, OWN_FLAGS));
  addPvals(inPlan(at, PVALS), load<u32>(at, PVAL_COUNT), depth);
}

/** Sets what is read off the object's kind. */
export function dressKind(): void {
  const at = record(kinds, get(KIND));
  set(TVAL, load<u32>(at));
  set(SVAL, load<u32>(at, 4));
  setAmmunition((load<u32>(at, BITS) & IS_AMMUNITION) != 0);
}

/** Whether the object's kind has the flag GOOD. */
export function isGoodByItself(): bool {
  return (load<u32>(record(kinds, get(KIND)), BITS) & HAS_GOOD) != 0;
}

/** Where the object's affixes are to be found; 0 where it can have none. */
export function signatureOf(): usize {
  const at = record(kinds, get(KIND));
  return load<u32>(at, SIGNATURE) ? inPlan(at, SIGNATURE) : 0;
}

function pickKind(): u32 {
  const wanted = quality();
  let depth = level();
  if (wanted == GOOD || wanted == GREAT) {
    depth += (wanted == GREAT ? GREAT_DEEPER : GOOD_DEEPER) + bonus(inPlan(plan, BONUS_OF_KINDS), depth);
  }
  const table = kindTable(wanted != 0, askedTvalIndex(), depth);
  const word = nextWord();
  stand();
  return tableId(table, pickOne(tableList(table), word));
}
