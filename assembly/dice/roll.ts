// Rolls dice. Roll k is a constant plus below(sides) for each die. Die j = 0, 1, … of roll k reads word k of plane j.
// The constant, `least`, is the value if every die shows its lowest face.

import { below } from "../core/below";
import { window, words } from "../core/buffers";
import { fillRange, SPAN_BLOCKS, SPAN_WORDS, selectExtraWords } from "../core/words";

/**
 * Makes `count` ≤ BATCH_RESULTS rolls of `dice` dice, and writes them to the window as i32. The first roll reads the
 * word at `offset` in `block`; `offset` is < BLOCK_WORDS. `sides` is at least 1.
 */
export function rollDice(dice: u32, sides: u32, least: i32, block: u32, offset: u32, count: u32): void {
  let out = window;
  while (count) {
    const end = min(SPAN_WORDS, offset + count);
    const origin = out - ((<usize>offset) << 2);
    // groups of four begin at multiples of 4, so the first and the last group can extend into the margins of the window
    for (let i = offset & ~3; i < end; i += 4) v128.store(origin + ((<usize>i) << 2), i32x4.splat(least));
    for (let die: u32 = 0; die < dice; ++die) {
      fillRange(die, block, words, offset, end);
      addFaces(die, sides, block, offset & ~3, end, origin);
    }
    out += (<usize>(end - offset)) << 2;
    count -= end - offset;
    offset = 0;
    block += SPAN_BLOCKS;
  }
}

/**
 * Adds the face of a die to each of the results `from` … `end` − 1, four at a time; `from` is a multiple of 4. The face
 * for a result is below(sides) of the word that has the same index as the result.
 */
function addFaces(die: u32, sides: u32, block: u32, from: u32, end: u32, origin: usize): void {
  for (let i = addSettled(sides, from, end, origin); i < end; i = addSettled(sides, i, end, origin)) {
    for (let lane: u32 = 0; lane < 4; ++lane, ++i) addFace(die, sides, block, i, origin);
  }
}

/**
 * Adds faces up to the first four words of which one does not decide its face without extra words (core/below.ts).
 * Returns the index of these words, or an index ≥ `end`. A word decides its face if the low half of word · sides is at
 * most 2^32 − sides.
 */
function addSettled(sides: u32, from: u32, end: u32, origin: usize): u32 {
  const bound = i32x4.splat(sides);
  const most = i32x4.splat(0 - sides);
  let i = from;
  for (; i < end; i += 4) {
    const at = origin + ((<usize>i) << 2);
    const word = v128.load(words + ((<usize>i) << 2));
    if (v128.any_true(i32x4.gt_u(i32x4.mul(word, bound), most))) return i;
    const low = i64x2.extmul_low_i32x4_u(word, bound);
    const high = i64x2.extmul_high_i32x4_u(word, bound);
    // the upper halves of the four products
    const faces = i8x16.shuffle(low, high, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
    v128.store(at, i32x4.add(v128.load(at), faces));
  }
  return i;
}

function addFace(die: u32, sides: u32, block: u32, i: u32, origin: usize): void {
  const at = origin + ((<usize>i) << 2);
  selectExtraWords(die, block, i);
  store<u32>(at, load<u32>(at) + below(load<u32>(words + ((<usize>i) << 2)), sides));
}
