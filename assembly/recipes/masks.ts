// Decisions for the items of a mask, sixteen at a time. A mask has one byte for each item of the span. The byte is all
// ones if the mask selects the item. A mask is stored in the upper half of the list with the same id (recipes/span.ts).

import { sureAbove, sureBelow } from "../core/below";
import { words } from "../core/buffers";
import { allocate } from "../core/memory";
import { cellOf, inRegister } from "../core/registers";
import { Vectors } from "../core/vectors";
import { ROLL_SIDES } from "./layout";
import { belowOfItem, belowOfWord, columnAt, end, fillForAll, first, itemsOf, maskOf, setEnd } from "./span";

/** Splits a mask. Items with a roll (0 … 100) ≥ `fails` go to the mask `into`, all other items to `others`. */
export function selectMasked(from: u32, into: u32, others: u32, plane: u32, fails: u32): void {
  fillForAll(plane);
  // if fails = ROLL_SIDES, bound is 2^32 and no word passes, so `possible` is 0
  const bound = sureBelow(fails, ROLL_SIDES);
  const bounds = v128.load32_splat(cellOf(<u32>bound));
  const possible = v128.load32_splat(cellOf(fails == ROLL_SIDES ? 0 : -1));
  const asked = inRegister(maskOf(from));
  const yes = inRegister(maskOf(into));
  const no = inRegister(maskOf(others));
  let doubtful = i32x4.splat(0);
  for (let item = <usize>first, last = inRegister(end); item < last; item += 16) {
    const rolls = changetype<Vectors>(words + (item << 2));
    const a = rolls.a;
    const b = rolls.b;
    const c = rolls.c;
    const d = rolls.d;
    const ab = i16x8.narrow_i32x4_s(i32x4.ge_u(a, bounds), i32x4.ge_u(b, bounds));
    const cd = i16x8.narrow_i32x4_s(i32x4.ge_u(c, bounds), i32x4.ge_u(d, bounds));
    const passes = v128.and(i8x16.narrow_i16x8_s(ab, cd), possible);
    const mask = v128.load(asked + item);
    v128.store(yes + item, v128.and(mask, passes));
    v128.store(no + item, v128.andnot(mask, passes));
    const doubtfulAB = v128.or(i32x4.eq(a, bounds), i32x4.eq(b, bounds));
    const doubtfulCD = v128.or(i32x4.eq(c, bounds), i32x4.eq(d, bounds));
    doubtful = v128.or(doubtful, v128.or(doubtfulAB, doubtfulCD));
  }
  // if a word equals `bound`, it may need extra words to decide. All other words decide alone. So `selectExactly`
  // splits the mask again only if an item has this word
  if (v128.any_true(doubtful) && bound != sureAbove(fails, ROLL_SIDES)) selectExactly(from, into, others, plane, fails);
}

function selectExactly(from: u32, into: u32, others: u32, plane: u32, fails: u32): void {
  for (let item = <usize>first; item < <usize>end; ++item) {
    const mask = load<u8>(maskOf(from) + item);
    const passes: u8 = belowOfItem(item, plane, ROLL_SIDES) >= fails ? 0xff : 0;
    store<u8>(maskOf(into) + item, mask & passes);
    store<u8>(maskOf(others) + item, mask & ~passes);
  }
}

/**
 * Turns a mask into a list. `from` and `into` can be equal. If they are equal, the list begins 2,048 bytes before the
 * mask. So the list never overwrites unread bytes of the mask.
 */
export function listMasked(from: u32, into: u32): void {
  const mask = inRegister(maskOf(from));
  let at = itemsOf(into);
  // clears eight bytes after the last item, because the loop reads eight bytes at a time
  store<u64>(mask + <usize>end, 0);
  const table = inRegister(packed);
  for (let item = first, last = <u32>inRegister(end); item < last; item += 8) {
    const bits = i8x16.bitmask(v128.load64_zero(mask + <usize>item));
    v128.store(at, i16x8.add(v128.load(table + ((<usize>bits) << 4)), i16x8.splat(<i16>item)));
    at += (<usize>popcnt(bits)) << 1;
  }
  setEnd(into, at);
}

/** For each value of a byte, the positions of its 1 bits, ascending, as u16. */
const packed = allocate(256 << 4);
for (let bits: u32 = 0; bits < 256; ++bits) {
  let at = packed + ((<usize>bits) << 4);
  for (let lane: u32 = 0; lane < 8; ++lane) {
    store<u16>(at, <u16>lane);
    at += (<usize>((bits >>> lane) & 1)) << 1;
  }
}

/**
 * For each item of a mask, chooses one of the `n` ≤ MASKED_VALUES bytes at `values`, uniformly. Sets all other items to
 * 0.
 *
 * The upper 24 bits of a word give the choice: (word >>> 8) · n = choice · 2^24 + rest. The lower 8 bits of the word
 * and the extra draw r (docs/determinism.md, section 4) would add less than n to this product. So the choice is final
 * if rest + n ≤ 2^24.
 */
export function pickMasked(from: u32, column: u32, plane: u32, n: u32, values: usize): void {
  fillForAll(plane);
  const out = inRegister(columnAt(column));
  const asked = inRegister(maskOf(from));
  const factors = v128.load32_splat(cellOf(n));
  const lower = v128.load32_splat(cellOf(0xffffff));
  const candidates = changetype<Vectors>(values);
  const values0 = candidates.a;
  const values1 = candidates.b;
  const values2 = candidates.c;
  const values3 = candidates.d;
  let mostRest = i32x4.splat(0);
  for (let item = <usize>first, last = inRegister(end); item < last; item += 16) {
    const choices = changetype<Vectors>(words + (item << 2));
    const a = i32x4.mul(i32x4.shr_u(choices.a, 8), factors);
    const b = i32x4.mul(i32x4.shr_u(choices.b, 8), factors);
    const c = i32x4.mul(i32x4.shr_u(choices.c, 8), factors);
    const d = i32x4.mul(i32x4.shr_u(choices.d, 8), factors);
    const ab = i16x8.narrow_i32x4_s(i32x4.shr_u(a, 24), i32x4.shr_u(b, 24));
    const cd = i16x8.narrow_i32x4_s(i32x4.shr_u(c, 24), i32x4.shr_u(d, 24));
    const choice = i8x16.narrow_i16x8_s(ab, cd);
    // an index lies in one of the four tables. For the other three tables, swizzle gives 0, so the results can be ORed
    const value01 = v128.or(i8x16.swizzle(values0, choice), i8x16.swizzle(values1, i8x16.sub(choice, i8x16.splat(16))));
    const value23 = v128.or(
      i8x16.swizzle(values2, i8x16.sub(choice, i8x16.splat(32))),
      i8x16.swizzle(values3, i8x16.sub(choice, i8x16.splat(48))),
    );
    const value = v128.and(v128.load(asked + item), v128.or(value01, value23));
    const chosen = changetype<Vectors>(out + (item << 1));
    chosen.a = i16x8.extend_low_i8x16_u(value);
    chosen.b = i16x8.extend_high_i8x16_u(value);
    const restAB = i32x4.max_s(v128.and(a, lower), v128.and(b, lower));
    const restCD = i32x4.max_s(v128.and(c, lower), v128.and(d, lower));
    mostRest = i32x4.max_s(mostRest, i32x4.max_s(restAB, restCD));
  }
  if (v128.any_true(i32x4.gt_s(mostRest, i32x4.splat(0x1000000 - n)))) pickExactly(from, out, plane, n, values);
}

function pickExactly(from: u32, out: usize, plane: u32, n: u32, values: usize): void {
  const asked = maskOf(from);
  for (let item = <usize>first; item < <usize>end; ++item) {
    if (!load<u8>(asked + item)) continue;
    const choice = belowOfWord(item, plane, load<u32>(words + (item << 2)), n);
    store<u16>(out + (item << 1), load<u8>(values + <usize>choice));
  }
}

/** Sets every item of a mask to one value. The items must be 0 before, because the value is ORed in. */
export function setMasked(from: u32, column: u32, value: u32): void {
  const out = columnAt(column);
  const asked = maskOf(from);
  const values = i16x8.splat(<i16>value);
  for (let item = <usize>first; item < <usize>end; item += 8) {
    const at = out + (item << 1);
    v128.store(at, v128.or(v128.load(at), v128.and(values, v128.load8x8_s(asked + item))));
  }
}
