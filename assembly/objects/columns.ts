// The columns of a batch: writes the object to them, reads it back from them, and scores the object against a limit.

import { formOf } from "./kinds";
import {
  ASKED_SCORES,
  OBJECT_AFFIXES,
  OBJECT_BATCH,
  OBJECT_DEPTHS,
  OBJECT_FLAGS,
  ObjectColumns,
  VECTOR_BYTES,
} from "./layout";
import { objectAt, pvalsAt, takeForm } from "./object";
import {
  affixColumn,
  asked,
  columns,
  depthColumn,
  flagBytes,
  flagColumn,
  flagStride,
  object,
  pvalBytes,
  pvalColumn,
  pvalStride,
} from "./plan";
import { wordsRead } from "./words";

/**
 * Writes the object as number i of the batch. Flags and pvals are written as whole vectors. The bytes written past the
 * end of a row are overwritten by the next row; after the last row there is room for them.
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
 * Reads number 0 of the batch into the object, without the themes of its affixes. Returns the number of random words
 * that the object has read.
 */
export function readColumns(): u32 {
  takeForm(formOf(load<u16>(columns, OBJECT_BATCH * offsetof<ObjectColumns>("kind"))));
  object.kind = load<u16>(columns, OBJECT_BATCH * offsetof<ObjectColumns>("kind"));
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
  // copies one row exactly, because the bytes after it belong to another object
  memory.copy(objectAt() + OBJECT_FLAGS, flagColumn, flagStride);
  memory.copy(pvalsAt(), pvalColumn, pvalStride);
  return load<u32>(columns, OBJECT_BATCH * offsetof<ObjectColumns>("words"));
}

function copyVectors(to: usize, from: usize, bytes: usize): void {
  for (let at: usize = 0; at < bytes; at += VECTOR_BYTES) v128.store(to + at, v128.load(from + at));
}

// ── scores ──

/** Tells whether the object's score is greater than the limit. */
export function exceedsLimit(): bool {
  let score = part(asked.toHitScore, object.toHit) + part(asked.toDamScore, object.toDam);
  score += part(asked.toAcScore, object.toAc) + part(asked.acScore, object.ac);
  score += part(asked.diceScore, object.dice * (object.sides + 1));
  const scores = changetype<usize>(asked) + ASKED_SCORES;
  const flags = objectAt() + OBJECT_FLAGS;
  for (let word: usize = 0; word < flagBytes; word += 4) {
    for (let bits = load<u32>(flags + word); bits; bits &= bits - 1) {
      score += load<i32>(scores + (((word << 3) + <usize>ctz(bits)) << 2));
    }
  }
  const pvals = pvalsAt();
  const pvalScores = scores + (flagBytes << 5);
  for (let at: usize = 0; at < pvalBytes; at += 2) {
    score += part(load<i32>(pvalScores + (at << 1)), load<i16>(pvals + at));
  }
  return score > (((<i64>asked.limitHigh) << 32) | <i64>asked.limitLow);
}

function part(score: i32, amount: i32): i64 {
  return <i64>score * amount;
}
