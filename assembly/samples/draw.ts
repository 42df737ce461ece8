// Samples without replacement. Sample k is the first `size` items of a Fisher–Yates shuffle of n items. Step i swaps
// items i and i + below(n − i). It reads word i of plane k, so the words of a sample are adjacent.
//
// `order` holds the items 0 … n − 1 in ascending order, as u32. A sample changes at most 2 · size places of `order`,
// and then restores them. So the cost of a sample does not depend on n.

import { below, isSettled } from "../core/below";
import { words } from "../core/buffers";
import { allocate } from "../core/memory";
import { fillSpan, planeOf, SPAN_BLOCKS, SPAN_WORDS, selectExtraWords } from "../core/words";

/** Allocates and fills `order` for n items. Returns 0 if memory runs out. */
export function createOrder(n: u32): usize {
  const order = allocate((<usize>n) << 2);
  if (!order) return 0;
  for (let i: u32 = 0; i < n; ++i) setAt(order, i, i);
  return order;
}

/**
 * Draws the samples `first` … `first` + count − 1, each `size` of n items. Writes the items to `out`, as u32, one
 * sample after another. `out` must have room for count · size items.
 */
export function drawSamples(
  order: usize,
  n: u32,
  size: u32,
  firstLow: u32,
  firstHigh: u32,
  count: u32,
  out: usize,
): void {
  const first = planeOf(firstLow, firstHigh);
  for (let s: u32 = 0; s < count; ++s) {
    drawSample(order, n, size, first + s, out);
    out += (<usize>size) << 2;
  }
}

function drawSample(order: usize, n: u32, size: u32, plane: u64, out: usize): void {
  for (let from: u32 = 0, block: u32 = 0; from < size; from += SPAN_WORDS, block += SPAN_BLOCKS) {
    const end = min(SPAN_WORDS, size - from);
    fillSpan(plane, block, words, end);
    for (let j: u32 = 0; j < end; ++j) {
      // the inner loop calls nothing, so that V8 keeps its variables in registers
      for (; j < end; ++j) {
        const word = at(words, j);
        const left = n - (from + j);
        if (!isSettled(word, left)) break;
        take(order, from + j, <u32>((<u64>word * left) >>> 32), out);
      }
      if (j == end) break;
      selectExtraWords(plane, block, j);
      take(order, from + j, below(at(words, j), n - (from + j)), out);
    }
  }
  restore(order, size, out);
}

/** Takes the item at place i + `skipped` of `order` as item i of the sample, and puts the item at place i there. */
function take(order: usize, i: u32, skipped: u32, out: usize): void {
  const item = at(order, i + skipped);
  setAt(order, i + skipped, at(order, i));
  setAt(out, i, item);
}

/**
 * Restores `order`: at first, place p held item p. A sample changes only two kinds of places. The first are the places
 * below `size`. The second are the places p ≥ size from which a step drew an item. The first step that drew from place
 * p drew item p, so the sample contains item p.
 */
function restore(order: usize, size: u32, sample: usize): void {
  for (let i: u32 = 0; i < size; ++i) {
    const item = at(sample, i);
    setAt(order, item, item);
    setAt(order, i, i);
  }
}

function at(list: usize, i: u32): u32 {
  return load<u32>(list + ((<usize>i) << 2));
}

function setAt(list: usize, i: u32, item: u32): void {
  store<u32>(list + ((<usize>i) << 2), item);
}
