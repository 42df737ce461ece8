// Random words by address (docs/determinism.md). The address is (stream, plane, index). A stream has many sequences of
// words, its planes. Each block of 1,024 words of a plane has its own four-lane generator. Philox computes the start
// state of this generator with the key of the stream. The word at an index is output (index mod 1024) of the generator
// of block ⌊index / 1024⌋.
//
// All functions read the current stream, which `useStream` sets. There are four ways to read words:
//
//   fillSpan    for bulk loops: the first words of two consecutive blocks
//   wordAt      for single calls: one word, made alone or from a small cache of partly filled blocks
//   fillRange   for loops that also make few results: fillSpan, or a copy from the cache
//   extraWord   more words for one address, if the word at this address does not decide alone

import { BLOCK_BITS, BLOCK_WORDS } from "./layout";
import { allocate } from "./memory";
import { PhiloxWords, philox, philoxLanes, philoxLanesOfTwo, setLanesKey } from "./philox";
import { fillRows, fillRowsOfTwo, Lanes, outputOf, replaceZeroLanes, STATE_BYTES } from "./xoshiro";

export const BLOCK_MASK: u32 = BLOCK_WORDS - 1;
export const BLOCK_BYTES: usize = (<usize>BLOCK_WORDS) << 2;
/** A span is two consecutive blocks: {@link fillSpan} fills both at once. */
export const SPAN_BLOCKS: u32 = 2;
export const SPAN_WORDS: u32 = SPAN_BLOCKS * BLOCK_WORDS;
export const SPAN_BYTES: usize = (<usize>SPAN_WORDS) << 2;

/** The key of the current stream. */
let key0: u32 = 0;
let key1: u32 = 0;

/** Sets the current stream, by its key. Until the next call, all words are read from this stream. */
export function useStream(k0: u32, k1: u32): void {
  key0 = k0;
  key1 = k1;
  setLanesKey(k0, k1);
}

const stateA = memory.data(<i32>STATE_BYTES, 16);
const stateB = memory.data(<i32>STATE_BYTES, 16);

/**
 * Writes the first `count` ≤ SPAN_WORDS words of the span that begins at `block`. Rounds `count` up to a multiple of 4.
 */
export function fillSpan(plane: u64, block: u32, out: usize, count: u32): void {
  if (count <= BLOCK_WORDS) {
    startBlock(plane, block, stateA);
    fillRows(stateA, out, (count + 3) >>> 2);
    return;
  }
  const rows = (count - BLOCK_WORDS + 3) >>> 2;
  startTwoBlocks(plane, block, plane, block + 1, stateA, stateB);
  fillRowsOfTwo(stateA, out, stateB, out + BLOCK_BYTES, rows);
  fillRows(stateA, out + ((<usize>rows) << 4), (BLOCK_WORDS >>> 2) - rows);
}

/** Maximum number of words that {@link fillRange} copies from the cache. */
const FEW_WORDS: u32 = 256;

/**
 * Writes the words `from` … `end` − 1 of the span that begins at `block`, each to its place in `out`. Other words of the
 * span may be written too, or not. A few words come from the cache: the next call in the same block makes only its own.
 */
export function fillRange(plane: u64, block: u32, out: usize, from: u32, end: u32): void {
  const ownBlock = block + (from >>> BLOCK_BITS);
  if (end - from == 1) {
    store<u32>(out + ((<usize>from) << 2), wordAt(plane, ownBlock, from & BLOCK_MASK));
    return;
  }
  const first = from & ~BLOCK_MASK;
  if (end - from > FEW_WORDS || end - first > BLOCK_WORDS) {
    fillSpan(plane, block, out, end);
    return;
  }
  const cached = cachedWords(plane, ownBlock, end - first, false) - ((<usize>first) << 2);
  for (let at = (<usize>(from & ~3)) << 2; at < (<usize>end) << 2; at += 16)
    v128.store(out + at, v128.load(cached + at));
}

/** Writes the start state of a block's generator to `lanes`, as {@link Lanes}. */
export function startBlock(plane: u64, block: u32, lanes: usize): void {
  philoxLanes(block, plane, lanes);
  replaceZeroLanes(lanes);
}

/** Like two calls of {@link startBlock}, but faster. */
export function startTwoBlocks(planeA: u64, blockA: u32, planeB: u64, blockB: u32, lanesA: usize, lanesB: usize): void {
  philoxLanesOfTwo(blockA, planeA, blockB, planeB, lanesA, lanesB);
  replaceZeroLanes(lanesA);
  replaceZeroLanes(lanesB);
}

// ── one word at a time ──

/**
 * One slot of the cache. It holds the first words of one block, up to the last word that was read. The words follow
 * this record.
 *
 *   + 0    ├──────────────  s0  ─────────────┤
 *   + 16   ├──────────────  s1  ─────────────┤   the state of the four lanes after the last filled word
 *   + 32   ├──────────────  s2  ─────────────┤
 *   + 48   ├──────────────  s3  ─────────────┤
 *   + 64   │  key0   │  key1   │      plane        │   the key of the stream
 *   + 80   │  block  │ filled  │     (unused)      │   filled: number of words, a multiple of 4; 0 if none was filled
 *   + 96   │ 1,024 words                           │
 */
@unmanaged
class WordSlot extends Lanes {
  key0: u32;
  key1: u32;
  plane: u64;
  block: u32;
  filled: u32;
  unused: u64;
}

/**
 * Number of slots, a power of two. The low bits of plane XOR key are the slot number. So successive planes of a stream
 * use different slots, and the same planes of different streams mostly do.
 */
const CACHE_SLOTS: usize = 16;
const SLOT_BYTES: usize = offsetof<WordSlot>() + BLOCK_BYTES;
const cache = allocate(CACHE_SLOTS * SLOT_BYTES);

/**
 * Returns word(stream, plane, block · 1024 + offset). The first word of a block that is not in the cache is made alone: at
 * random indices no other would be read. The second one begins to fill the block.
 */
export function wordAt(plane: u64, block: u32, offset: u32): u32 {
  const words = cachedWords(plane, block, offset + 1, true);
  return words ? load<u32>(words + ((<usize>offset) << 2)) : wordAlone(plane, block, offset);
}

/**
 * Returns the address of the first `count` ≥ 1 words of a block. The next call may overwrite them. If the block is not in
 * the cache and `isOne` is true, only gives it a slot, and returns 0.
 */
function cachedWords(plane: u64, block: u32, count: u32, isOne: bool): usize {
  const at = cache + (<usize>(<u32>plane ^ key0) & (CACHE_SLOTS - 1)) * SLOT_BYTES;
  const slot = changetype<WordSlot>(at);
  const isOfStream = slot.key0 == key0 && slot.key1 == key1;
  if (!isOfStream || slot.plane != plane || slot.block != block) {
    slot.key0 = key0;
    slot.key1 = key1;
    slot.plane = plane;
    slot.block = block;
    slot.filled = 0;
    if (isOne) return 0;
  }
  const words = at + offsetof<WordSlot>();
  const filled = slot.filled;
  if (count > filled) {
    if (filled == 0) startBlock(plane, block, at);
    const wanted = (count + 3) & ~3;
    fillRows(at, words + ((<usize>filled) << 2), (wanted - filled) >>> 2);
    slot.filled = wanted;
  }
  return words;
}

function wordAlone(plane: u64, block: u32, offset: u32): u32 {
  const state = memory.data(<i32>offsetof<PhiloxWords>(), 16);
  philox(key0, key1, offset & 3, block, plane, state);
  if (!v128.any_true(v128.load(state))) v128.store(state, i32x4(1, 2, 3, 4));
  return outputOf(state, offset >>> 2);
}

// ── extra words ──
//
// Extra words x₀, x₁, … of an address come from Philox directly. x_i is word i mod 4 of Philox at this counter:
//
//   (4 + ⌊i/4⌋ + 2^16 · ⌊index/2^32⌋, index mod 2^32, plane mod 2^32, ⌊plane/2^32⌋)
//
// The first part of this counter is at least 4. Generators start at counters whose first part is 0 … 3, so the two
// kinds of counters are never equal.

/** The four extra words that Philox computed last, as {@link PhiloxWords}. */
const extra = memory.data(<i32>offsetof<PhiloxWords>(), 16);
let extraPlane: u64 = 0;
/** The index of the selected address, extraHigh · 2^32 + extraLow. */
let extraLow: u32 = 0;
let extraHigh: u32 = 0;
/** Number of extra words used since the last `selectExtraWords`. */
let used: u32 = 0;

/** Selects word `offset` of the span that begins at `block`. The next `extraWord` returns x₀ of this word's address. */
export function selectExtraWords(plane: u64, block: u32, offset: u32): void {
  const ownBlock = block + (offset >>> BLOCK_BITS);
  extraPlane = plane;
  extraLow = (ownBlock << BLOCK_BITS) | (offset & BLOCK_MASK);
  extraHigh = ownBlock >>> (32 - BLOCK_BITS);
  used = 0;
}

/** Returns the next unused extra word of the selected address. */
export function extraWord(): u32 {
  const i = used++;
  if ((i & 3) == 0) {
    const first = 4 + (i >>> 2) + (extraHigh << 16);
    philox(key0, key1, first, extraLow, extraPlane, extra);
  }
  return load<u32>(extra + ((<usize>i & 3) << 2));
}

// ── for TypeScript, which passes a plane as two halves ──

export function wordOf(planeLow: u32, planeHigh: u32, block: u32, offset: u32): u32 {
  return wordAt(planeOf(planeLow, planeHigh), block, offset);
}

export function planeOf(planeLow: u32, planeHigh: u32): u64 {
  return ((<u64>planeHigh) << 32) | planeLow;
}
