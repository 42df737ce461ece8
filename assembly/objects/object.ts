// The current object, followed in memory by a copy of the object. If an affix or a theme raises the object's score
// above the limit, `goBack` restores the object from the copy.

import {
  ELEMENTS_OF_WORD,
  KindRecord,
  OBJECT_AFFIXES,
  OBJECT_BATCH,
  OBJECT_DEPTHS,
  OBJECT_FLAGS,
  ObjectColumns,
  ObjectRecord,
  THEMES_OF_WORD,
  VECTOR_BYTES,
} from "./layout";
import {
  affixColumn,
  ammunition,
  ammunitionPvals,
  columns,
  depthColumn,
  elementWords,
  flagBytes,
  flagColumn,
  flagStride,
  inPlan,
  kinds,
  object,
  objectBytes,
  pvalBytes,
  pvalColumn,
  pvalStride,
  recordAt,
  themeBytes,
} from "./plan";
import { wordsRead } from "./words";

/** The range of modifiers and pvals is −MOST … MOST. The maximum of ac, dice and sides is MOST. */
const MOST: i32 = 32767;
const MOST_WEIGHT: i32 = 65535;

export function objectAt(): usize {
  return changetype<usize>(object);
}

/** Sets every field of the object to 0. */
export function clearObject(): void {
  memory.fill(objectAt(), 0, objectBytes);
}

/** Copies the form of a kind or of an artifact to the object. */
export function takeForm(form: usize): void {
  copyObject(objectAt(), form);
}

/** Stores a copy of the object, for `goBack`. */
export function keepCopy(): void {
  copyObject(objectAt() + objectBytes, objectAt());
}

/** Restores the object from its copy. */
export function goBack(): void {
  copyObject(objectAt(), objectAt() + objectBytes);
}

/** Restores the affixes, the affix level and the slots from the copy. */
export function takeAffixesOfCopy(): void {
  const from = objectAt() + objectBytes;
  const copy = changetype<ObjectRecord>(from);
  object.affixLevel = copy.affixLevel;
  object.slots = copy.slots;
  object.affixCount = copy.affixCount;
  v128.store(objectAt(), v128.load(from, OBJECT_AFFIXES), OBJECT_AFFIXES);
  v128.store(objectAt(), v128.load(from, OBJECT_DEPTHS), OBJECT_DEPTHS);
}

function copyObject(to: usize, from: usize): void {
  for (const end = from + objectBytes; from < end; from += VECTOR_BYTES, to += VECTOR_BYTES) {
    v128.store(to, v128.load(from));
  }
}

/** Returns the modifier at a byte offset of the ObjectRecord. */
export function modifier(field: u32): i32 {
  return load<i32>(objectAt() + <usize>field);
}

export function setModifier(field: u32, value: i32): void {
  store<i32>(objectAt() + <usize>field, max(min(value, MOST), -MOST));
}

/** Clamps a value (ac, dice or sides) to least … MOST. */
export function amount(value: i32, least: i32): i32 {
  return max(min(value, MOST), least);
}

export function setWeight(value: i32): void {
  object.weight = max(min(value, MOST_WEIGHT), 0);
}

// ── affixes ──

/** Returns the index of the object's affix i. */
export function affixOf(i: u32): u32 {
  return <u32>load<u16>(objectAt() + ((<usize>i) << 1), OBJECT_AFFIXES) - 1;
}

export function hasAffix(affix: u32): bool {
  // the entries after the last affix are 0, and index + 1 is never 0, so these entries never match
  return v128.any_true(i16x8.eq(v128.load(objectAt(), OBJECT_AFFIXES), i16x8.splat(<i16>(affix + 1))));
}

/** Whether no earlier affix of the object has the same index as affix i. */
export function isFirstOfItsKind(i: u32): bool {
  for (let j: u32 = 0; j < i; ++j) if (affixOf(j) == affixOf(i)) return false;
  return true;
}

/** Adds an affix to the object's list. `depth` is the depth at which the affix was chosen. */
export function addAffix(affix: u32, depth: u32): void {
  const i = object.affixCount;
  store<u16>(objectAt() + ((<usize>i) << 1), affix + 1, OBJECT_AFFIXES);
  store<u16>(objectAt() + ((<usize>i) << 1), depth, OBJECT_DEPTHS);
  object.affixCount = i + 1;
}

// ── flags ──

export function hasFlag(bit: u32): bool {
  return ((load<u32>(objectAt() + ((<usize>bit >>> 5) << 2), OBJECT_FLAGS) >>> (bit & 31)) & 1) != 0;
}

export function addFlag(bit: u32): void {
  const at = objectAt() + ((<usize>bit >>> 5) << 2);
  store<u32>(at, load<u32>(at, OBJECT_FLAGS) | (1 << (bit & 31)), OBJECT_FLAGS);
}

export function addFlags(mask: usize): void {
  const flags = objectAt() + OBJECT_FLAGS;
  for (let at: usize = 0; at < flagBytes; at += VECTOR_BYTES) {
    v128.store(flags + at, v128.or(v128.load(flags + at), v128.load(mask + at)));
  }
}

export function removeFlags(mask: usize): void {
  const flags = objectAt() + OBJECT_FLAGS;
  for (let at: usize = 0; at < flagBytes; at += VECTOR_BYTES) {
    v128.store(flags + at, v128.andnot(v128.load(flags + at), v128.load(mask + at)));
  }
}

// ── pvals ──

/** Returns the address of the object's pvals. */
export function pvalsAt(): usize {
  return objectAt() + OBJECT_FLAGS + flagBytes;
}

export function pval(i: u32): i32 {
  return load<i16>(pvalsAt() + ((<usize>i) << 1));
}

export function setPval(i: u32, value: i32): void {
  store<i16>(pvalsAt() + ((<usize>i) << 1), <i16>max(min(value, MOST), -MOST));
}

// ── the two masks of themes ──

/**
 * Returns the address of the two masks of themes. A theme is in the first mask if at least one affix of the object has
 * a weight > 0 in the theme. The second mask follows the first. A theme is in the second mask if at least two different
 * affixes of the object have a weight > 0 in the theme.
 */
function themesAt(): usize {
  return pvalsAt() + pvalBytes;
}

/** Adds the themes of a new affix to the masks. Returns true if two different affixes share a theme. */
export function noteThemes(mask: usize): bool {
  const once = themesAt();
  const twice = once + themeBytes;
  let any: u64 = 0;
  for (let at: usize = 0; at < themeBytes; at += THEMES_OF_WORD >> 3) {
    const had = load<u64>(once + at);
    const now = load<u64>(mask + at);
    const both = load<u64>(twice + at) | (had & now);
    store<u64>(twice + at, both);
    store<u64>(once + at, had | now);
    any |= both;
  }
  return any != 0;
}

/** Returns the word at byte `at` of the second mask of themes. */
export function sharedThemes(at: usize): u64 {
  return load<u64>(themesAt() + themeBytes + at);
}

// ── clean-up ──

const ELEMENTS: u32 = (1 << ELEMENTS_OF_WORD) - 1;
const IMMUNE: u32 = ELEMENTS_OF_WORD;
const VULNERABLE: u32 = 2 * ELEMENTS_OF_WORD;

/**
 * Resolves contradicting flags. For each element x, IM_x removes RES_x and VULN_x. Without IM_x, RES_x and VULN_x
 * remove each other. Ammunition keeps only the flags and pvals of the masks `ammunition` and `ammunitionPvals`, and
 * loses ac and to-ac.
 */
export function cleanUp(): void {
  const flags = objectAt() + OBJECT_FLAGS;
  for (let at: usize = 0; at < elementWords << 2; at += 4) {
    const word = load<u32>(flags + at);
    const immune = (word >>> IMMUNE) & ELEMENTS;
    const both = word & (word >>> VULNERABLE) & ELEMENTS;
    const gone = immune | both;
    store<u32>(flags + at, word & ~(gone | (gone << VULNERABLE)));
  }
  if (!object.isAmmunition) return;
  for (let at: usize = 0; at < flagBytes; at += VECTOR_BYTES) {
    v128.store(flags + at, v128.and(v128.load(flags + at), v128.load(ammunition + at)));
  }
  const pvals = pvalsAt();
  for (let at: usize = 0; at < pvalBytes; at += VECTOR_BYTES) {
    v128.store(pvals + at, v128.and(v128.load(pvals + at), v128.load(ammunitionPvals + at)));
  }
  object.ac = 0;
  object.toAc = 0;
}

// ── the batch ──

/**
 * Writes the object to row i of the batch's columns. Flags and pvals are written as whole vectors, which can extend
 * past the row. The next row overwrites the extra bytes. After the last row, the columns have room for these bytes.
 */
export function writeColumns(i: usize): void {
  const at = columns + (i << 1);
  store<u32>(at + (i << 1), wordsRead(), OBJECT_BATCH * offsetof<ObjectColumns>("words"));
  store<u16>(at, object.kind, OBJECT_BATCH * offsetof<ObjectColumns>("kind"));
  store<u16>(at, object.artifact, OBJECT_BATCH * offsetof<ObjectColumns>("artifact"));
  store<u16>(at, object.theme, OBJECT_BATCH * offsetof<ObjectColumns>("theme"));
  store<u16>(at, object.affixLevel, OBJECT_BATCH * offsetof<ObjectColumns>("affixLevel"));
  store<u16>(at, object.slots, OBJECT_BATCH * offsetof<ObjectColumns>("slots"));
  store<u16>(at, object.affixCount, OBJECT_BATCH * offsetof<ObjectColumns>("affixCount"));
  store<i16>(at, <i16>object.toHit, OBJECT_BATCH * offsetof<ObjectColumns>("toHit"));
  store<i16>(at, <i16>object.toDam, OBJECT_BATCH * offsetof<ObjectColumns>("toDam"));
  store<i16>(at, <i16>object.toAc, OBJECT_BATCH * offsetof<ObjectColumns>("toAc"));
  store<u16>(at, object.ac, OBJECT_BATCH * offsetof<ObjectColumns>("ac"));
  store<u16>(at, object.dice, OBJECT_BATCH * offsetof<ObjectColumns>("dice"));
  store<u16>(at, object.sides, OBJECT_BATCH * offsetof<ObjectColumns>("sides"));
  store<u16>(at, object.weight, OBJECT_BATCH * offsetof<ObjectColumns>("weight"));
  v128.store(affixColumn + (i << 4), v128.load(objectAt(), OBJECT_AFFIXES));
  v128.store(depthColumn + (i << 4), v128.load(objectAt(), OBJECT_DEPTHS));
  copyVectors(flagColumn + i * flagStride, objectAt() + OBJECT_FLAGS, flagBytes);
  copyVectors(pvalColumn + i * pvalStride, pvalsAt(), pvalBytes);
}

/**
 * Reads row 0 of the batch's columns into the object. Does not restore the masks of themes. Returns the number of
 * random words that the object has read.
 */
export function readColumns(): u32 {
  const kind = load<u16>(columns, OBJECT_BATCH * offsetof<ObjectColumns>("kind"));
  takeForm(inPlan(changetype<KindRecord>(recordAt(kinds, kind)).form));
  object.kind = kind;
  object.artifact = load<u16>(columns, OBJECT_BATCH * offsetof<ObjectColumns>("artifact"));
  object.theme = load<u16>(columns, OBJECT_BATCH * offsetof<ObjectColumns>("theme"));
  object.affixLevel = load<u16>(columns, OBJECT_BATCH * offsetof<ObjectColumns>("affixLevel"));
  object.slots = load<u16>(columns, OBJECT_BATCH * offsetof<ObjectColumns>("slots"));
  object.affixCount = load<u16>(columns, OBJECT_BATCH * offsetof<ObjectColumns>("affixCount"));
  object.toHit = load<i16>(columns, OBJECT_BATCH * offsetof<ObjectColumns>("toHit"));
  object.toDam = load<i16>(columns, OBJECT_BATCH * offsetof<ObjectColumns>("toDam"));
  object.toAc = load<i16>(columns, OBJECT_BATCH * offsetof<ObjectColumns>("toAc"));
  object.ac = load<u16>(columns, OBJECT_BATCH * offsetof<ObjectColumns>("ac"));
  object.dice = load<u16>(columns, OBJECT_BATCH * offsetof<ObjectColumns>("dice"));
  object.sides = load<u16>(columns, OBJECT_BATCH * offsetof<ObjectColumns>("sides"));
  object.weight = load<u16>(columns, OBJECT_BATCH * offsetof<ObjectColumns>("weight"));
  v128.store(objectAt(), v128.load(affixColumn), OBJECT_AFFIXES);
  v128.store(objectAt(), v128.load(depthColumn), OBJECT_DEPTHS);
  // copies exactly one row, because the bytes after the row belong to the next object
  memory.copy(objectAt() + OBJECT_FLAGS, flagColumn, flagStride);
  memory.copy(pvalsAt(), pvalColumn, pvalStride);
  return load<u32>(columns, OBJECT_BATCH * offsetof<ObjectColumns>("words"));
}

function copyVectors(to: usize, from: usize, bytes: usize): void {
  for (let at: usize = 0; at < bytes; at += VECTOR_BYTES) v128.store(to + at, v128.load(from + at));
}
