// What the caller asks of objects: numbers that stand in the plan, written before a call.

import { able, asked } from "./plan";

const LEVEL: usize = 0;
const QUALITY: usize = 4;
const KIND: usize = 8;
const TVAL: usize = 12;
const AFFIX_LEVEL: usize = 16;
const ARTIFACTS: usize = 20;
const AFFIX_COUNT: usize = 24;
const SELECTIVE: usize = 28;
const AFFIXES: usize = 32;
const THEME: usize = 48;
const ARTIFACT: usize = 52;
const LIMITED: usize = 56;
const LIMIT: usize = 64;
const SCORES: usize = 72;

/** Qualities. */
export const NORMAL: u32 = 0;
export const GOOD: u32 = 1;
export const GREAT: u32 = 2;

/** The real depth. */
export function level(): u32 {
  return load<u32>(asked, LEVEL);
}

export function quality(): u32 {
  return load<u32>(asked, QUALITY);
}

/** A kind's index + 1, or 0. */
export function askedKind(): u32 {
  return load<u32>(asked, KIND);
}

/** A tval, or 0. */
export function askedTval(): u32 {
  return load<u32>(asked, TVAL);
}

/** An affix level, from 1, or 0. */
export function askedAffixLevel(): u32 {
  return load<u32>(asked, AFFIX_LEVEL);
}

/** Whether there are artifacts at all. */
export function mayBeArtifact(): bool {
  return load<u32>(asked, ARTIFACTS) != 0;
}

/** How many affixes the object must have, and which, u16 each. */
export function mustCount(): u32 {
  return load<u32>(asked, AFFIX_COUNT);
}

export function mustAffix(i: u32): u32 {
  return load<u16>(asked + ((<usize>i) << 1), AFFIXES);
}

/** A theme's index + 1, or 0. */
export function mustTheme(): u32 {
  return load<u32>(asked, THEME);
}

/** Whether a kind can have the affixes and the theme that are asked for. */
export function isAble(kind: u32): bool {
  return !load<u32>(asked, SELECTIVE) || load<u8>(able + <usize>kind) != 0;
}

/** An artifact's index + 1 that each object is, or 0. */
export function mustArtifact(): u32 {
  return load<u32>(asked, ARTIFACT);
}

/** Whether an object may score no more than `limit`. */
export function isLimited(): bool {
  return load<u32>(asked, LIMITED) != 0;
}

export function limit(): i64 {
  return load<i64>(asked, LIMIT);
}

/** The scores, i32: of to-hit, to-dam, to-ac, ac, dice; of each bit of a mask; of each pval. */
export function scores(): usize {
  return asked + SCORES;
}
