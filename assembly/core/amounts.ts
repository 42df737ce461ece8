// Amounts such as 2d6+1: a constant plus the faces of dice. Each entry of a list or table has an amount. The quantity
// of result k is rolled from the amount of its entry. Die j = 0, 1, … shows 1 + below(sides), drawn from word(stream,
// plane + j, k).

import { below, isSettled } from "./below";
import { window, words } from "./buffers";
import { AmountRecord } from "./layout";
import { fillRange, planeOf, SPAN_BLOCKS, SPAN_WORDS, selectExtraWords } from "./words";

/**
 * Rolls an amount for each of the first `count` ≤ BATCH_RESULTS results in the window. Writes the quantities to `out`,
 * as i32.
 *
 * A result is an index into `amounts`. It has 4 bytes if `wide` is 1, else 2. For the first result, each die reads the
 * word at `offset` in `block`; `offset` is < BLOCK_WORDS. The first die reads plane planeHigh · 2^32 + planeLow, and
 * each later die reads the next plane.
 */
export function rollAmounts(
  amounts: usize,
  wide: u32,
  out: usize,
  planeLow: u32,
  planeHigh: u32,
  block: u32,
  offset: u32,
  count: u32,
): void {
  const plane = planeOf(planeLow, planeHigh);
  let done: u32 = 0;
  while (done < count) {
    const end = min(SPAN_WORDS, offset + (count - done));
    if (wide)
      rollSpan<u32>(amounts, window + ((<usize>done) << 2), out + ((<usize>done) << 2), plane, block, offset, end);
    else rollSpan<u16>(amounts, window + ((<usize>done) << 1), out + ((<usize>done) << 2), plane, block, offset, end);
    done += end - offset;
    offset = 0;
    block += SPAN_BLOCKS;
  }
}

/** Rolls the amounts of the results that read words `offset` … `end` − 1 of one span. T is the type of a result. */
function rollSpan<T>(amounts: usize, results: usize, out: usize, plane: u64, block: u32, offset: u32, end: u32): void {
  const count = <usize>(end - offset);
  let dice: u32 = 0;
  for (let i: usize = 0; i < count; ++i) {
    const amount = amountAt<T>(amounts, results, i);
    store<i32>(out + (i << 2), amount.least);
    dice = max(dice, amount.count);
  }
  for (let die: u32 = 0; die < dice; ++die) {
    fillRange(plane + die, block, words, offset, end);
    for (let i: usize = 0; i < count; ++i) {
      const amount = amountAt<T>(amounts, results, i);
      const place = <u32>i + offset;
      const word = load<u32>(words + ((<usize>place) << 2));
      // an amount without a die of this number uses a die with one side, which adds 0 and reads no extra words
      const sides: u32 = amount.count > die ? amount.sides : 1;
      let face = <u32>((<u64>word * sides) >>> 32);
      if (!isSettled(word, sides)) {
        selectExtraWords(plane + die, block, place);
        face = below(word, sides);
      }
      store<i32>(out + (i << 2), load<i32>(out + (i << 2)) + <i32>face);
    }
  }
}

function amountAt<T>(amounts: usize, results: usize, i: usize): AmountRecord {
  const which = <usize>load<T>(results + (i << alignof<T>()));
  return changetype<AmountRecord>(amounts + which * offsetof<AmountRecord>());
}
