// Reads the words of a plan file one after another, up to the end of the current section.

import { PlanStatus } from "./nouns";

export const MAX_PLAN_BYTES: u32 = 1 << 30;

let start: usize = 0;
let failed: usize = 0;
/** The address of the next word, and the end of the section. */
export let at: usize = 0;
export let end: usize = 0;

/** Begins a file. It has no words before `setEnd`. */
export function beginFile(plan: usize): void {
  start = plan;
  at = plan;
  end = plan;
}

export function setEnd(place: usize): void {
  end = place;
}

/** Goes back to a place that was read before. */
export function goBack(place: usize): void {
  at = place;
}

export function refuse(place: usize): PlanStatus {
  failed = place;
  return PlanStatus.PLAN;
}

/** Returns the offset in the file of what the last `loadPlan` refused. */
export function failedAt(): u32 {
  return <u32>(failed - start);
}

/** Returns whether the section has this many more words. */
export function has(words: u32): bool {
  return words <= <u32>((end - at) >>> 2);
}

export function word(): u32 {
  const value = load<u32>(at);
  at += 4;
  return value;
}

/** Returns the address of the next words, and skips them. Returns 0 if the section has fewer. */
export function take(words: u32): usize {
  if (!has(words)) return 0;
  const first = at;
  at += (<usize>words) << 2;
  return first;
}

/** Returns the address of a text, which ends with one to four zeros at a whole word. Returns 0 if it does not. */
export function text(bytes: u32): usize {
  const first = bytes <= MAX_PLAN_BYTES ? take((bytes >>> 2) + 1) : 0;
  if (!first) return 0;
  for (let pad = first + bytes; pad < at; ++pad) if (load<u8>(pad)) return 0;
  return first;
}
