// Objects. Object k reads the words 0, 1, 2, … of plane k, in this order (docs/determinism.md). Objects share no state
// except the claims of artifacts. The steps of an object:
//
//   1. try an artifact
//   2. pick the kind, the affix level and the number of slots
//   3. for each slot: pick an affix, and perhaps a theme
//   4. try an artifact that requires affixes
//   5. write the columns

import { Status } from "../core/layout";
import { release } from "../core/memory";
import { planeOf } from "../core/words";
import { affixAt, applyAffix } from "./affixes";
import { buildTables, NONE, pickAffix, signatureOf, tableFor } from "./allocation";
import {
  becomeArtifact,
  becomeRequiringArtifact,
  callsForArtifact,
  takeRequestedArtifact,
  triesForArtifact,
} from "./artifacts";
import { pickEgo, takeKindOrArtifact } from "./egos";
import { chooseKind, isAble, takeKind } from "./kinds";
import { REQUEST_AFFIXES } from "./layout";
import { exceedsLimit } from "./limit";
import {
  addAffix,
  affixOf,
  clearObject,
  goBack,
  hasAffix,
  isFirstOfItsKind,
  keepCopy,
  noteThemes,
  readColumns,
  writeColumns,
} from "./object";
import { head, inPlan, isOneAffix, object, openPlan, request, takeRoom } from "./plan";
import { rollDepth, rollSlots } from "./slots";
import { takeTheme } from "./themes";
import { BEGUN_AT_ONCE, beginObjects, openBegun, openWords, wordsRead } from "./words";

/**
 * Allocates the room of a plan and builds its tables. Call it right after the plan was allocated and written. On
 * failure, frees the plan.
 */
export function buildObjects(plan: usize): Status {
  let status = Status.OUT_OF_MEMORY;
  if (takeRoom(plan)) {
    openPlan(plan);
    status = buildTables();
  }
  if (status != Status.OK) release(plan);
  return status;
}

// ── one object, step by step: for the loops below, and for TypeScript, which can check the object between the steps ──

let k: u64 = 0;
let signature: usize = 0;
/** The table of possible affixes for a slot whose depth is not boosted. */
let ownTable: u32 = 0;
let slot: u32 = 0;
/** The depth at which the last affix was chosen. */
let depth: u32 = 0;
/** Whether two different affixes of the object may share a theme. If false, the kernel does not look for a theme. */
let mayMeetTheme: bool = false;
/** Whether an affix can be undone. If true, the object is copied before each affix. */
let mayGoBack: bool = true;

/**
 * Begins object indexHigh · 2^32 + indexLow, which reads its random words from word `from` on. Returns true if the
 * object is finished: it became an artifact, or its kind cannot have the requested affixes and theme.
 */
export function openObject(plan: usize, indexLow: u32, indexHigh: u32, from: u32): bool {
  openPlan(plan);
  k = planeOf(indexLow, indexHigh);
  openWords(k, from);
  mayGoBack = true;
  return begin();
}

function begin(): bool {
  slot = 0;
  mayMeetTheme = false;
  if (request.artifact) {
    takeRequestedArtifact(k);
    return true;
  }
  if (isOneAffix) return takeKindOrArtifact(k);
  if (request.triesArtifacts && triesForArtifact() && becomeArtifact(k)) return true;
  const kind = chooseKind();
  if (!isAble(kind)) {
    clearObject();
    return true;
  }
  takeKind(kind);
  rollSlots();
  signature = signatureOf();
  ownTable = tableFor(signature, request.level);
  return false;
}

/**
 * Fills the next slot: rolls an affix and adds the affix to the object. Skips slots that get no affix. Returns false if
 * no slot is left, or if the object has a theme.
 */
export function nextAffix(): bool {
  while (slot < object.slots && !object.theme) {
    ++slot;
    depth = rollDepth();
    const affix = isOneAffix
      ? pickEgo(depth)
      : pickAffix(depth == request.level ? ownTable : tableFor(signature, depth));
    if (affix == NONE) continue;
    giveAffix(affix);
    return true;
  }
  return false;
}

/** Rolls whether the object gets a theme from its affixes. If it does, applies the theme and returns true. */
export function nextTheme(): bool {
  return mayMeetTheme && takeTheme(depth);
}

/** Undoes the last affix. Also undoes the theme, if it came after this affix. */
export function undo(): void {
  goBack();
}

/** Writes the object to row i of the batch's columns. */
export function showObject(i: u32): void {
  writeColumns(i);
}

/** Finishes an object after its last slot. The object may still become an artifact that requires affixes. */
export function closeObject(): void {
  if (!head.requiringLineCount || !request.triesArtifacts || object.theme) return;
  if (callsForArtifact() && triesForArtifact()) becomeRequiringArtifact(k);
}

/**
 * Adds an affix to the object in row 0 of the batch. Continues with the first random word that this object has not
 * read.
 */
export function addToObject(plan: usize, indexLow: u32, indexHigh: u32, affix: u32): void {
  openPlan(plan);
  openWords(planeOf(indexLow, indexHigh), readColumns());
  noteAffixes();
  depth = request.level;
  giveAffix(affix);
}

function giveAffix(affix: u32): void {
  if (mayGoBack) keepCopy();
  if (!hasAffix(affix)) mayMeetTheme = noteThemes(inPlan(affixAt(affix).themes));
  applyAffix(affix, depth);
  addAffix(affix, depth);
}

/** Adds the themes of all affixes of the object to the object's two masks of themes. */
function noteAffixes(): void {
  for (let i: u32 = 0, n = object.affixCount; i < n; ++i) {
    if (isFirstOfItsKind(i)) noteThemes(inPlan(affixAt(affixOf(i)).themes));
  }
  mayMeetTheme = true;
}

// ── many objects ──

let attempts: u32 = 0;

/** Returns how many attempts the last object of the last `makeObjects` took, whether it was finished or not. */
export function attemptsMade(): u32 {
  return attempts;
}

/** Returns how many words the last object of the last `makeObjects` read, whether it was finished or not. */
export function wordsOfObject(): u32 {
  return wordsRead();
}

/**
 * Makes `count` objects and writes them to the columns. The first object has index firstHigh · 2^32 + firstLow, and
 * reads its words from word `from` on. Makes each object again until it is as requested. Stops early at an object
 * that needs more than `most` attempts. The next call can continue this object: pass the result of `wordsOfObject` as
 * `from`. Returns the number of objects in the columns.
 */
export function makeObjects(plan: usize, firstLow: u32, firstHigh: u32, count: u32, from: u32, most: u32): u32 {
  openPlan(plan);
  mayGoBack = request.isLimited != 0;
  const isSelective = request.isSelective != 0;
  for (let done: u32 = 0; done < count; ++done) {
    k = planeOf(firstLow, firstHigh) + done;
    const begun = done % BEGUN_AT_ONCE;
    if (!begun) beginObjects(k, min(BEGUN_AT_ONCE, count - done));
    if (from) openWords(k, from);
    else openBegun(k, begun);
    attempts = 0;
    do {
      if (attempts == most) return done;
      ++attempts;
      makeOne();
    } while (isSelective && !isAsRequested());
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

/**
 * Whether the object has the requested theme and affixes. If the request lists an affix n times, the object must have
 * this affix at least n times.
 */
function isAsRequested(): bool {
  if (request.theme && object.theme != request.theme) return false;
  for (let i: u32 = 0, n = request.affixCount; i < n; ++i) {
    const wanted = requestedAffix(i);
    let missing: i32 = 0;
    for (let j: u32 = 0; j <= i; ++j) missing += i32(requestedAffix(j) == wanted);
    for (let j: u32 = 0, had = object.affixCount; j < had; ++j) missing -= i32(affixOf(j) == wanted);
    if (missing > 0) return false;
  }
  return true;
}

function requestedAffix(i: u32): u32 {
  return load<u16>(changetype<usize>(request) + ((<usize>i) << 1), REQUEST_AFFIXES);
}

/**
 * Claims the artifacts that `makeObjects` would claim for `count` objects, but writes no objects. The first object has
 * index firstHigh · 2^32 + firstLow.
 */
export function replayArtifacts(plan: usize, firstLow: u32, firstHigh: u32, count: u32): void {
  openPlan(plan);
  mayGoBack = request.isLimited != 0;
  for (let done: u32 = 0; done < count; ++done) {
    k = planeOf(firstLow, firstHigh) + done;
    const begun = done % BEGUN_AT_ONCE;
    if (!begun) beginObjects(k, min(BEGUN_AT_ONCE, count - done));
    openBegun(k, begun);
    if (head.requiringLineCount || isOneAffix) makeOne();
    else if (triesForArtifact()) becomeArtifact(k);
  }
}
