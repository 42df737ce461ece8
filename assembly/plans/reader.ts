// Reads the words of a plan file, up to the end of the current section. The bytes are hostile: a caller asks `has` before
// it calls `word`, and checks the address that each of the other functions returns.

import { AmountRecord } from "../core/layout";
import { PlanStatus } from "./nouns";

export const MAX_PLAN_BYTES: u32 = 1 << 30;
export const MAX_ENTRIES: u32 = 1 << 24;
const MAX_DICE: u32 = 1 << 10;

export let at: usize = 0;
export let end: usize = 0;
/** The beginning of the file, and what the last check refused. */
let start: usize = 0;
let failed: usize = 0;
/** Whether each `check` since `beginChecks` held. */
export let isValid: bool = false;

/** Begins a file. It has no words before `seek`. */
export function beginFile(plan: usize): void {
  start = plan;
  seek(plan, plan);
}

/** Goes to an address. The section ends at `to`. */
export function seek(from: usize, to: usize): void {
  at = from;
  end = to;
}

export function refuse(place: usize): PlanStatus {
  failed = place;
  return PlanStatus.PLAN;
}

export function beginChecks(): void {
  isValid = true;
}

/** Notes whether a condition of the file holds, and returns it. */
export function check(holds: bool): bool {
  if (!holds) isValid = false;
  return holds;
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

/** Returns the address of the next n amounts, AmountRecord. Returns 0 if one of them is not valid. */
export function amounts(n: u32): usize {
  const first = n <= MAX_ENTRIES ? take(3 * n) : 0;
  if (!first) return 0;
  for (let i: u32 = 0; i < n; ++i) {
    const amount = changetype<AmountRecord>(first + <usize>i * offsetof<AmountRecord>());
    if (amount.sides == 0 || amount.count > MAX_DICE) return 0;
    if (mostOf(amount) > i32.MAX_VALUE) return 0;
  }
  return first;
}

/** Returns the greatest value of an amount. */
export function mostOf(amount: AmountRecord): i64 {
  return <i64>amount.least + <i64>amount.count * (<i64>amount.sides - 1);
}

/** Returns the sum of n numbers. Returns 2^32 or more if it does not fit in 32 bits. */
export function sumOf(numbers: usize, n: u32): u64 {
  let sum: u64 = 0;
  for (let i: u32 = 0; i < n; ++i) sum += load<u32>(numbers + ((<usize>i) << 2));
  return sum;
}
