// Addresses in the current plan and its room (objects/layout.ts).

import { allocateZeroed, mark } from "../core/memory";
import {
  ClaimRecord,
  MOST_AFFIXES,
  OBJECT_BATCH,
  ObjectColumns,
  ObjectHead,
  ObjectRecord,
  ObjectRoom,
  REQUEST_SCORES,
  RequestRecord,
  VECTOR_BYTES,
} from "./layout";

export let plan: usize = 0;
export let head: ObjectHead = changetype<ObjectHead>(0);
export let kinds: usize = 0;
export let affixes: usize = 0;
export let themes: usize = 0;
export let artifacts: usize = 0;
export let flagBytes: usize = 0;
export let pvalBytes: usize = 0;
export let flagStride: usize = 0;
export let pvalStride: usize = 0;
export let elementWords: usize = 0;
export let themeBytes: usize = 0;
export let objectBytes: usize = 0;
/** Address of a mask: the flags that ammunition keeps. */
export let ammunition: usize = 0;
/** Address of a mask of pvals. All bits of a pval are 1 if ammunition keeps it, else 0. */
export let ammunitionPvals: usize = 0;
export let levelCount: u32 = 0;
export let hasExclusions: bool = false;
/** True if objects are made by the rules of Angband 4.2. */
export let isOneAffix: bool = false;

/** Address of the claims: one ClaimRecord for each artifact. */
export let claims: usize = 0;
/** Address of the candidates of the current choice among artifacts, themes or egos. */
export let candidates: usize = 0;
/** Address of the candidates of the current choice among flags. */
export let choices: usize = 0;
/** The request of the caller. */
export let request: RequestRecord = changetype<RequestRecord>(0);
/** Address of one byte for each kind: 1 if the kind can have the requested affixes and theme, else 0. */
export let able: usize = 0;
/** The current object. Its copy follows it in memory. */
export let object: ObjectRecord = changetype<ObjectRecord>(0);
export let columns: usize = 0;
export let affixColumn: usize = 0;
export let depthColumn: usize = 0;
export let flagColumn: usize = 0;
export let pvalColumn: usize = 0;

/** A candidate of a choice by weight. `sum` is the prefix sum of the weights, up to and including this candidate. */
@unmanaged
export class Candidate {
  id: u32;
  sum: u32;
}

/** Sets the current plan. */
export function openPlan(at: usize): void {
  plan = at;
  head = changetype<ObjectHead>(at);
  kinds = inPlan(head.kinds);
  affixes = inPlan(head.affixes);
  themes = inPlan(head.themes);
  artifacts = inPlan(head.artifacts);
  flagBytes = head.flagBytes;
  pvalBytes = head.pvalBytes;
  flagStride = head.flagStride;
  pvalStride = head.pvalStride;
  elementWords = head.elementWords;
  themeBytes = head.themeBytes;
  objectBytes = head.objectBytes;
  ammunition = inPlan(head.ammunition);
  ammunitionPvals = inPlan(head.ammunitionPvals);
  levelCount = head.levelCount;
  hasExclusions = head.hasExclusions != 0;
  isOneAffix = head.isOneAffix != 0;
  const room = roomOfHead();
  claims = inPlan(room.claims);
  candidates = inPlan(room.candidates);
  choices = inPlan(room.choices);
  request = changetype<RequestRecord>(inPlan(room.request));
  able = inPlan(room.able);
  object = changetype<ObjectRecord>(inPlan(room.object));
  columns = inPlan(room.columns);
  affixColumn = inPlan(room.affixColumn);
  depthColumn = inPlan(room.depthColumn);
  flagColumn = inPlan(room.flagColumn);
  pvalColumn = inPlan(room.pvalColumn);
}

/** Returns the address of the byte at an offset in the plan. */
export function inPlan(offset: u32): usize {
  return plan + <usize>offset;
}

/** Returns the address of record i of a table of offsets. */
export function recordAt(table: usize, i: u32): usize {
  return inPlan(load<u32>(table + ((<usize>i) << 2)));
}

function roomOfHead(): ObjectRoom {
  return changetype<ObjectRoom>(inPlan(head.room));
}

// ── the room ──

/** Offset of the room's next part. After `takeRoom` has placed all parts, it checks that this offset is < 2^32. */
let next: u64 = 0;

/** Allocates the room of a plan, filled with zeros. Returns false if memory runs out. */
export function takeRoom(at: usize): bool {
  plan = at;
  head = changetype<ObjectHead>(at);
  const room = roomOfHead();
  const start = mark() - plan;
  next = start;
  room.claims = place(head.artifactCount, offsetof<ClaimRecord>());
  const lines = max(head.lineCount, head.requiringLineCount);
  room.candidates = place(max(max(head.themeCount, lines), head.mostEgos), offsetof<Candidate>());
  room.choices = place(head.flagCount + 1, 2);
  // the scores are an i32 for each bit of a flag mask, and an i32 for each pval
  room.request = place(1, REQUEST_SCORES + 32 * <u64>head.flagBytes + 2 * <u64>head.pvalBytes);
  room.able = place(head.kindCount, 1);
  room.object = place(2, head.objectBytes);
  room.columns = place(OBJECT_BATCH, offsetof<ObjectColumns>());
  room.affixColumn = place(OBJECT_BATCH, 2 * MOST_AFFIXES);
  room.depthColumn = place(OBJECT_BATCH, 2 * MOST_AFFIXES);
  // rows are written as whole vectors. Each row overwrites the padding of the previous row, so only the last row needs
  // room for padding
  room.flagColumn = place(1, (OBJECT_BATCH - 1) * <u64>head.flagStride + head.flagBytes);
  room.pvalColumn = place(1, (OBJECT_BATCH - 1) * <u64>head.pvalStride + head.pvalBytes);
  return next <= u32.MAX_VALUE && allocateZeroed(<usize>next - start) != 0;
}

/** Places `count` records of `bytes` bytes each, aligned to a vector. Returns the offset of the first record. */
function place(count: u64, bytes: u64): u32 {
  const at = next;
  next = (at + count * bytes + (VECTOR_BYTES - 1)) & ~(<u64>VECTOR_BYTES - 1);
  return <u32>at;
}
