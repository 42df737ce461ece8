// The object being made, in the plan; behind it the copy that an affix or a theme which is too much goes back to.
//
//   +0 kind    +4 artifact   +8 theme (index + 1, or 0)   +12 affix level   +16 slots   +20 affixes that it has
//   +24 to-hit +28 to-dam    +32 to-ac   +36 ac   +40 dice   +44 sides   +48 weight   +52 tval   +56 sval   +60 is ammunition
//   +64 affixes, u16 × 8 (index + 1)     +80 the depths they were chosen at, u16 × 8
//   +96 flags, a mask    then pvals, i16    then themes that an affix is of, that two are: bits, u64 × theme words

import { ammoMask, elementWords, flagBytes, object, objectBytes, pvalBytes, themeWords } from "./plan";

export const KIND: usize = 0;
export const ARTIFACT: usize = 4;
export const THEME: usize = 8;
export const AFFIX_LEVEL: usize = 12;
export const SLOTS: usize = 16;
export const AFFIX_COUNT: usize = 20;
export const TO_HIT: usize = 24;
export const TO_DAM: usize = 28;
export const TO_AC: usize = 32;
export const AC: usize = 36;
export const DICE: usize = 40;
export const SIDES: usize = 44;
export const WEIGHT: usize = 48;
export const TVAL: usize = 52;
export const SVAL: usize = 56;
const AMMO: usize = 60;
export const AFFIXES: usize = 64;
export const DEPTHS: usize = 80;
export const FLAGS: usize = 96;

/** The most affixes of an object. */
export const MOST_AFFIXES: u32 = 8;
/** Modifiers and pvals stay within this, either way; ac, dice and sides between 0 and this. */
const MOST: i32 = 32767;
const MOST_WEIGHT: i32 = 65535;

/** An object of nothing. */
export function clearObject(): void {
  memory.fill(object, 0, objectBytes);
}

/** Makes the object what the plan has for a kind or an artifact, before anything is rolled. */
export function takeForm(form: usize): void {
  copyObject(object, form);
}

/** Keeps a copy of the object. */
export function keepCopy(): void {
  copyObject(object + objectBytes, object);
}

/** Makes the object what the copy is. */
export function goBack(): void {
  copyObject(object, object + objectBytes);
}

/** Gives the object the affixes, affix level and slots of the copy. */
export function takeAffixesOfCopy(): void {
  const copy = object + objectBytes;
  for (let at = AFFIX_LEVEL; at <= AFFIX_COUNT; at += 4) store<u32>(object + at, load<u32>(copy + at));
  for (let at = AFFIXES; at < FLAGS; at += 16) v128.store(object + at, v128.load(copy + at));
}

function copyObject(to: usize, from: usize): void {
  for (const end = from + objectBytes; from < end; from += 16, to += 16) v128.store(to, v128.load(from));
}

export function get(field: usize): u32 {
  return load<u32>(object + field);
}

export function set(field: usize, value: u32): void {
  store<u32>(object + field, value);
}

/** Sets a modifier. */
export function setModifier(field: usize, value: i32): void {
  set(field, max(min(value, MOST), -MOST));
}

/** Sets ac, dice or sides, no less than `least`. */
export function setAmount(field: usize, value: i32, least: i32): void {
  set(field, max(min(value, MOST), least));
}

export function setWeight(value: i32): void {
  set(WEIGHT, max(min(value, MOST_WEIGHT), 0));
}

// ── affixes ──

/** The object's affix i, by index. */
export function affixOf(i: u32): u32 {
  return <u32>load<u16>(object + ((<usize>i) << 1), AFFIXES) - 1;
}

export function hasAffix(affix: u32): bool {
  // (the places behind the last are 0, which is no index + 1)
  return v128.any_true(i16x8.eq(v128.load(object, AFFIXES), i16x8.splat(<i16>(affix + 1))));
}

/** Whether affix i is the first of its kind on the object. */
export function isFirstOfItsKind(i: u32): bool {
  for (let j: u32 = 0; j < i; ++j) if (affixOf(j) == affixOf(i)) return false;
  return true;
}

/** Records an affix, and the depth it was chosen at. */
export function addAffix(affix: u32, depth: u32): void {
  const i = get(AFFIX_COUNT);
  store<u16>(object + ((<usize>i) << 1), affix + 1, AFFIXES);
  store<u16>(object + ((<usize>i) << 1), depth, DEPTHS);
  set(AFFIX_COUNT, i + 1);
}

// ── flags ──

export function hasFlag(bit: u32): bool {
  return ((load<u32>(object + FLAGS + ((<usize>bit >>> 5) << 2)) >>> (bit & 31)) & 1) != 0;
}

export function addFlag(bit: u32): void {
  const at = object + FLAGS + ((<usize>bit >>> 5) << 2);
  store<u32>(at, load<u32>(at) | (1 << (bit & 31)));
}

export function addFlags(mask: usize): void {
  const flags = object + FLAGS;
  for (let at: usize = 0; at < flagBytes; at += 16) {
    v128.store(flags + at, v128.or(v128.load(flags + at), v128.load(mask + at)));
  }
}

// ── pvals ──

function pvalAt(i: u32): usize {
  return object + FLAGS + flagBytes + ((<usize>i) << 1);
}

export function pval(i: u32): i32 {
  return load<i16>(pvalAt(i));
}

export function setPval(i: u32, value: i32): void {
  store<i16>(pvalAt(i), <i16>max(min(value, MOST), -MOST));
}

// ── themes that the affixes are of ──

function themesAt(): usize {
  return object + FLAGS + flagBytes + pvalBytes;
}

/** Notes the themes that a further, different affix is of; whether now two are of one. */
export function noteThemes(mask: usize): bool {
  const once = themesAt();
  const twice = once + (themeWords << 3);
  let any: u64 = 0;
  for (let at: usize = 0, end = themeWords << 3; at < end; at += 8) {
    const had = load<u64>(once + at);
    const now = load<u64>(mask + at);
    const both = load<u64>(twice + at) | (had & now);
    store<u64>(twice + at, both);
    store<u64>(once + at, had | now);
    any |= both;
  }
  return any != 0;
}

/** Word i of the themes that two different affixes are of. */
export function themesOfTwo(i: usize): u64 {
  return load<u64>(themesAt() + ((themeWords + i) << 3));
}

// ── clean-up ──

const ELEMENTS: u32 = 0x3ff;
const IMMUNE: u32 = 10;
const VULNERABLE: u32 = 20;

/** IM_x beats RES_x and VULN_x, which cancel; ammunition keeps what hits and what it bears, and is no armour. */
export function cleanUp(): void {
  const flags = object + FLAGS;
  for (let at: usize = 0; at < elementWords << 2; at += 4) {
    const word = load<u32>(flags + at);
    const immune = (word >>> IMMUNE) & ELEMENTS;
    const both = word & (word >>> VULNERABLE) & ELEMENTS;
    const gone = immune | both;
    store<u32>(flags + at, word & ~(gone | (gone << VULNERABLE)));
  }
  if (!get(AMMO)) return;
  for (let at: usize = 0; at < flagBytes; at += 16) {
    v128.store(flags + at, v128.and(v128.load(flags + at), v128.load(ammoMask + at)));
  }
  memory.fill(pvalAt(0), 0, pvalBytes);
  set(AC, 0);
  set(TO_AC, 0);
}
