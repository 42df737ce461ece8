// Objects: object k is made from word(objects, k, 0), word(objects, k, 1), … in order (docs/determinism.md). Nothing passes
// from one object to another but that an artifact is made once.
//
//   artifact? ─ kind ─ affix level, slots ─▶ slot: affix ─ theme? ─▶ … ─▶ artifact of affixes? ─▶ columns

import { Status } from "../core/layout";
import { allocateZeroed, release } from "../core/memory";
import { affixAt, applyAffix } from "./affix";
import {
  becomeArtifact,
  becomeArtifactOfAffixes,
  callsForArtifact,
  takeAskedArtifact,
  triesForArtifact,
} from "./artifacts";
import { isAble, isLimited, level, mayBeArtifact, mustAffix, mustArtifact, mustCount, mustTheme } from "./asked";
import { exceedsLimit, readColumns, writeColumns } from "./columns";
import { chooseKind, signatureOf, takeKind } from "./kinds";
import { buildTables, inPlan, lineOfAffixesCount, openPlan } from "./plan";
import {
  AFFIX_COUNT,
  addAffix,
  affixOf,
  clearObject,
  get,
  goBack,
  hasAffix,
  isFirstOfItsKind,
  keepCopy,
  noteThemes,
  SLOTS,
  THEME,
} from "./record";
import { NONE, pickAffix, rollDepth, rollSlots, tableFor } from "./slots";
import { takeTheme } from "./themes";
import { BEGUN_AT_ONCE, beginObjects, openBegun, openWords, wordsRead } from "./words";

/** Room for a plan of `bytes`; 0 when memory runs out. The caller writes it, then builds it. */
export function createObjects(bytes: u32): usize {
  return allocateZeroed(bytes);
}

/** Builds what a plan needs besides, right after it was created and written; if that fails it is gone. */
export function buildObjects(plan: usize): Status {
  const status = buildTables(plan);
  if (status != Status.OK) release(plan);
  return status;
}

// ── one object, step by step: in bulk below, or by the caller, who judges it between the steps ──

let k: u32 = 0;
let signature: usize = 0;
/** What may come where the depth is not boosted. */
let ownTable: u32 = 0;
let slot: u32 = 0;
/** Of the last affix. */
let depth: u32 = 0;
/** Whether two different affixes of a theme may have met: else none is looked for. */
let mayMeetTheme: bool = false;
/** Whether what an affix does may be taken back. */
let mayGoBack: bool = true;

/** Begins object `index` at its word `from`. Whether it is done: an artifact, or of a kind that cannot be what is asked. */
export function openObject(plan: usize, purpose: u32, index: u32, from: u32): bool {
  openPlan(plan);
  openWords(purpose, index, from);
  k = index;
  mayGoBack = true;
  return begin();
}

function begin(): bool {
  slot = 0;
  mayMeetTheme = false;
  if (mustArtifact()) {
    takeAskedArtifact(k);
    return true;
  }
  if (mayBeArtifact() && triesForArtifact() && becomeArtifact(k)) return true;
  const kind = chooseKind();
  if (!isAble(kind)) {
    clearObject();
    return true;
  }
  takeKind(kind);
  rollSlots();
  signature = signatureOf();
  ownTable = tableFor(signature, level());
  return false;
}

/** Gives the object the affix of its next slot that has one; whether there was one. */
export function nextAffix(): bool {
  while (slot < get(SLOTS) && !get(THEME)) {
    ++slot;
    depth = rollDepth();
    const affix = pickAffix(depth == level() ? ownTable : tableFor(signature, depth));
    if (affix == NONE) continue;
    giveAffix(affix);
    return true;
  }
  return false;
}

/** Gives the object a theme, if its affixes call for one; whether they did. */
export function nextTheme(): bool {
  return mayMeetTheme && takeTheme(depth);
}

/** Takes back the last affix, and the theme after it. */
export function undo(): void {
  goBack();
}

/** Writes the object as it is, as number i of the batch. */
export function showObject(i: u32): void {
  writeColumns(i);
}

/** What is left to do once the slots are over. */
export function closeObject(): void {
  if (!lineOfAffixesCount || !mayBeArtifact() || get(THEME)) return;
  if (callsForArtifact() && triesForArtifact()) becomeArtifactOfAffixes(k);
}

/** Gives the object that stands as number 0 of the batch one more affix, its words going on where they are. */
export function addToObject(plan: usize, purpose: u32, index: u32, affix: u32): void {
  openPlan(plan);
  openWords(purpose, index, readColumns());
  noteAffixes();
  depth = level();
  giveAffix(affix);
}

const THEMES_OF_AFFIX: usize = 60;

function giveAffix(affix: u32): void {
  if (mayGoBack) keepCopy();
  if (!hasAffix(affix)) mayMeetTheme = noteThemes(inPlan(affixAt(affix), THEMES_OF_AFFIX));
  applyAffix(affix, depth);
  addAffix(affix, depth);
}

/** Notes the themes of an object whose affixes are there. */
function noteAffixes(): void {
  for (let i: u32 = 0, n = get(AFFIX_COUNT); i < n; ++i) {
    if (isFirstOfItsKind(i)) noteThemes(inPlan(affixAt(affixOf(i)), THEMES_OF_AFFIX));
  }
  mayMeetTheme = true;
}

// ── many ──

let attempts: u32 = 0;

/** Attempts at the object that the last call did not finish, or finished last. */
export function attemptsMade(): u32 {
  return attempts;
}

/** Words read of the object that the last call did not finish, or finished last. */
export function wordsOfObject(): u32 {
  return wordsRead();
}

/**
 * Makes `count` objects from `first` on, the first at its word `from`, and returns how many are in the columns. Fewer where
 * one is asked for more than `most` attempts: that one goes on at `wordsOfObject`.
 */
export function makeObjects(plan: usize, purpose: u32, first: u32, count: u32, from: u32, most: u32): u32 {
  openPlan(plan);
  mayGoBack = isLimited();
  const isSelective = mustTheme() != 0 || mustCount() != 0;
  for (let done: u32 = 0; done < count; ++done) {
    k = first + done;
    const begun = done % BEGUN_AT_ONCE;
    if (!begun) beginObjects(purpose, k, min(BEGUN_AT_ONCE, count - done));
    if (from) openWords(purpose, k, from);
    else openBegun(k, begun);
    attempts = 0;
    do {
      if (attempts == most) return done;
      ++attempts;
      makeOne();
    } while (isSelective && !isAsAsked());
    writeColumns(done);
    from = 0;
  }
  return count;
}

function makeOne(): void {
  if (begin()) return;
  while (nextAffix()) {
    if (isTooMuch() || (nextTheme() && isTooMuch())) goBack();
  }
  closeObject();
}

function isTooMuch(): bool {
  return mayGoBack && exceedsLimit();
}

/** Whether the object has every affix asked for, as often as it is, and the theme. */
function isAsAsked(): bool {
  if (mustTheme() && get(THEME) != mustTheme()) return false;
  for (let i: u32 = 0, n = mustCount(); i < n; ++i) {
    let missing: i32 = 0;
    for (let j: u32 = 0; j <= i; ++j) missing += i32(mustAffix(j) == mustAffix(i));
    for (let j: u32 = 0, had = get(AFFIX_COUNT); j < had; ++j) missing -= i32(affixOf(j) == mustAffix(i));
    if (missing > 0) return false;
  }
  return true;
}

/** Settles the artifacts of `count` objects from `first` on, as making them would. */
export function replayArtifacts(plan: usize, purpose: u32, first: u32, count: u32): void {
  openPlan(plan);
  mayGoBack = isLimited();
  for (let done: u32 = 0; done < count; ++done) {
    k = first + done;
    const begun = done % BEGUN_AT_ONCE;
    if (!begun) beginObjects(purpose, k, min(BEGUN_AT_ONCE, count - done));
    openBegun(k, begun);
    if (lineOfAffixesCount) makeOne();
    else if (triesForArtifact()) becomeArtifact(k);
  }
}
