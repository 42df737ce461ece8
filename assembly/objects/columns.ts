// Where objects go, and whether one is too much.
//
//   columns   u32 words read │ u16 each: kind, artifact, theme, affix level, slots, affixes that it has, to-hit, to-dam,
//             to-ac, ac, dice, sides, weight │ affixes, u16 × 8 │ their depths, u16 × 8 │ flags │ pvals, i16
//
// Flags and pvals are stored by the vector: what hangs over is the next object's, and behind the last there is room for it.

import { limit, scores } from "./asked";
import { formOf } from "./kinds";
import { batch, columns, flagBytes, flagStride, object, pvalBytes, pvalStride } from "./plan";
import {
  AC,
  AFFIX_COUNT,
  AFFIX_LEVEL,
  AFFIXES,
  ARTIFACT,
  DEPTHS,
  DICE,
  FLAGS,
  get,
  KIND,
  SIDES,
  SLOTS,
  set,
  THEME,
  TO_AC,
  TO_DAM,
  TO_HIT,
  takeForm,
  WEIGHT,
} from "./record";
import { wordsRead } from "./words";

/** Writes the object as number i of the batch. */
export function writeColumns(i: usize): void {
  store<u32>(columns + (i << 2), wordsRead());
  let at = columns + (batch << 2) + (i << 1);
  at = put(at, KIND);
  at = put(at, ARTIFACT);
  at = put(at, THEME);
  at = put(at, AFFIX_LEVEL);
  at = put(at, SLOTS);
  at = put(at, AFFIX_COUNT);
  at = put(at, TO_HIT);
  at = put(at, TO_DAM);
  at = put(at, TO_AC);
  at = put(at, AC);
  at = put(at, DICE);
  at = put(at, SIDES);
  at = put(at, WEIGHT) - (i << 1);
  v128.store(at + (i << 4), v128.load(object, AFFIXES));
  at += batch << 4;
  v128.store(at + (i << 4), v128.load(object, DEPTHS));
  at += batch << 4;
  copyVectors(at + i * flagStride, object + FLAGS, flagBytes);
  copyVectors(at + flagColumn() + i * pvalStride, object + FLAGS + flagBytes, pvalBytes);
}

/** Makes the object what number 0 of the batch is, but for the themes of its affixes; returns the words read. */
export function readColumns(): u32 {
  let at = columns + (batch << 2);
  takeForm(formOf(load<u16>(at)));
  at = take(at, KIND);
  at = take(at, ARTIFACT);
  at = take(at, THEME);
  at = take(at, AFFIX_LEVEL);
  at = take(at, SLOTS);
  at = take(at, AFFIX_COUNT);
  at = takeSigned(at, TO_HIT);
  at = takeSigned(at, TO_DAM);
  at = takeSigned(at, TO_AC);
  at = take(at, AC);
  at = take(at, DICE);
  at = take(at, SIDES);
  at = take(at, WEIGHT);
  v128.store(object, v128.load(at), AFFIXES);
  at += batch << 4;
  v128.store(object, v128.load(at), DEPTHS);
  at += batch << 4;
  // what hangs over a row is of another object: it is cut off
  memory.copy(object + FLAGS, at, flagStride);
  memory.copy(object + FLAGS + flagBytes, at + flagColumn(), pvalStride);
  return load<u32>(columns);
}

function take(at: usize, field: usize): usize {
  set(field, load<u16>(at));
  return at + (batch << 1);
}

function takeSigned(at: usize, field: usize): usize {
  set(field, <u32>(<i32>load<i16>(at)));
  return at + (batch << 1);
}

function put(at: usize, field: usize): usize {
  store<u16>(at, get(field));
  return at + (batch << 1);
}

/** Bytes of the flags' column, with what hangs over its last row. */
function flagColumn(): usize {
  return (batch - 1) * flagStride + flagBytes;
}

function copyVectors(to: usize, from: usize, bytes: usize): void {
  for (let at: usize = 0; at < bytes; at += 16) v128.store(to + at, v128.load(from + at));
}

// ── scores: of to-hit, to-dam, to-ac, ac, and dice · (sides + 1); of each flag; of each unit of a pval ──

const FLAG_SCORES: usize = 20;

/** Whether the object scores more than the limit. */
export function exceedsLimit(): bool {
  const table = scores();
  let score = part(table, <i32>get(TO_HIT)) + part(table + 4, <i32>get(TO_DAM)) + part(table + 8, <i32>get(TO_AC));
  score += part(table + 12, get(AC)) + part(table + 16, get(DICE) * (get(SIDES) + 1));
  const ofFlags = table + FLAG_SCORES;
  const flags = object + FLAGS;
  for (let word: usize = 0; word < flagBytes; word += 4) {
    for (let bits = load<u32>(flags + word); bits; bits &= bits - 1) {
      score += load<i32>(ofFlags + (((word << 3) + <usize>ctz(bits)) << 2));
    }
  }
  const ofPvals = ofFlags + (flagBytes << 5);
  for (let at: usize = 0; at < pvalBytes; at += 2) {
    score += part(ofPvals + (at << 1), load<i16>(flags + flagBytes + at));
  }
  return score > limit();
}

function part(score: usize, amount: i32): i64 {
  return <i64>load<i32>(score) * amount;
}
