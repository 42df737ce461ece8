// Random words by address (docs/determinism.md): word(purpose, plane, index) is output (index mod 1024) of the
// four-lane generator that starts from Philox at block ⌊index / 1024⌋. Three ways to read them:
//
//   fillSpan    the first words of two consecutive blocks, for bulk loops
//   wordAt      one word, from a small cache of half-filled blocks, for single calls
//   extraWord   the words beside a word, for the decisions that it does not settle

import { BLOCK_BITS, BLOCK_WORDS } from "./layout";
import { allocate } from "./memory";
import { philox, philoxLanes, philoxLanesOfTwo, setLanesKey } from "./philox";
import { fillRows, fillRowsOfTwo, mendZeroLanes, STATE_BYTES } from "./xoshiro";

export const BLOCK_MASK: u32 = BLOCK_WORDS - 1;
const BLOCK_BYTES: usize = (<usize>BLOCK_WORDS) << 2;
/** A span is two consecutive blocks, which are filled side by side. */
export const SPAN_WORDS: u32 = 2 * BLOCK_WORDS;
export const SPAN_BLOCKS: u32 = 2;
export const SPAN_BYTES: usize = (<usize>SPAN_WORDS) << 2;

let key0: u32 = 0;
let key1: u32 = 0;

/** Sets the mill's key and forgets every cached word. */
export function setKey(k0: u32, k1: u32): void {
  key0 = k0;
  key1 = k1;
  setLanesKey(k0, k1);
  for (let slot: usize = 0; slot < CACHE_SLOTS; ++slot) store<u32>(cache + slot * SLOT_BYTES, 0, FILLED);
}

const stateA = memory.data(64, 16);
const stateB = memory.data(64, 16);

/** Writes the first `count` ≤ 2,048 words of a span to `out`, rounded up to a multiple of 4: the block's, then the next one's. */
export function fillSpan(purpose: u32, plane: u32, block: u32, out: usize, count: u32): void {
  if (count <= BLOCK_WORDS) {
    startBlock(purpose, plane, block, stateA);
    fillRows(stateA, out, (count + 3) >>> 2);
    return;
  }
  const rows = (count - BLOCK_WORDS + 3) >>> 2;
  startTwoBlocks(purpose, plane, block, plane, block + 1, stateA, stateB);
  fillRowsOfTwo(stateA, out, stateB, out + BLOCK_BYTES, rows);
  fillRows(stateA, out + ((<usize>rows) << 4), (BLOCK_WORDS >>> 2) - rows);
}

/** Writes the start of a block's four lanes (core/xoshiro.ts). */
export function startBlock(purpose: u32, plane: u32, block: u32, lanes: usize): void {
  philoxLanes(block, plane, purpose, lanes);
  mendZeroLanes(lanes);
}

/** The starts of two blocks, side by side. */
export function startTwoBlocks(
  purpose: u32,
  planeA: u32,
  blockA: u32,
  planeB: u32,
  blockB: u32,
  lanesA: usize,
  lanesB: usize,
): void {
  philoxLanesOfTwo(blockA, planeA, blockB, planeB, purpose, lanesA, lanesB);
  mendZeroLanes(lanesA);
  mendZeroLanes(lanesB);
}

// ── one word at a time ──
//
// A slot of the cache, chosen by the plane's low bits (the hops of one roll stand side by side):
//
//   +0 purpose  +4 plane  +8 block  +12 words filled  +16 lanes' state  +80 words

const CACHE_SLOTS: usize = 16;
const PURPOSE: usize = 0;
const PLANE: usize = 4;
const BLOCK: usize = 8;
const FILLED: usize = 12;
const STATE: usize = 16;
const WORDS: usize = STATE + STATE_BYTES;
const SLOT_BYTES: usize = WORDS + BLOCK_BYTES;
const cache = allocate(CACHE_SLOTS * SLOT_BYTES);

/** word(purpose, plane, block · 1024 + offset). */
export function wordAt(purpose: u32, plane: u32, block: u32, offset: u32): u32 {
  const slot = cache + (<usize>plane & (CACHE_SLOTS - 1)) * SLOT_BYTES;
  const held =
    load<u32>(slot, FILLED) != 0 &&
    load<u32>(slot, PURPOSE) == purpose &&
    load<u32>(slot, PLANE) == plane &&
    load<u32>(slot, BLOCK) == block;
  if (!held) {
    store<u32>(slot, purpose, PURPOSE);
    store<u32>(slot, plane, PLANE);
    store<u32>(slot, block, BLOCK);
    store<u32>(slot, 0, FILLED);
    startBlock(purpose, plane, block, slot + STATE);
  }
  const filled = load<u32>(slot, FILLED);
  if (offset >= filled) {
    const wanted = (offset + 4) & ~3;
    fillRows(slot + STATE, slot + WORDS + ((<usize>filled) << 2), (wanted - filled) >>> 2);
    store<u32>(slot, wanted, FILLED);
  }
  return load<u32>(slot + ((<usize>offset) << 2), WORDS);
}

// ── the words beside a word ──
//
// x_i is word i mod 4 of Philox at counter (4 + ⌊i/4⌋ + 2^16 · ⌊index/2^32⌋, index mod 2^32, plane, purpose): the lane
// starts have 0 … 3 in the first place, so nothing overlaps.

const four = memory.data(16, 16);
let atPurpose: u32 = 0;
let atPlane: u32 = 0;
let atLow: u32 = 0;
let atHigh: u32 = 0;
let used: u32 = 0;

/** Stands at the address of word `offset` of a span: the next `extraWord` is its x₀. */
export function standAt(purpose: u32, plane: u32, block: u32, offset: u32): void {
  const ownBlock = block + (offset >>> BLOCK_BITS);
  atPurpose = purpose;
  atPlane = plane;
  atLow = (ownBlock << BLOCK_BITS) | (offset & BLOCK_MASK);
  atHigh = ownBlock >>> (32 - BLOCK_BITS);
  used = 0;
}

/** The next unused extra word of the address stood at. */
export function extraWord(): u32 {
  const i = used++;
  if ((i & 3) == 0) philox(key0, key1, 4 + (i >>> 2) + (atHigh << 16), atLow, atPlane, atPurpose, four);
  return load<u32>(four + ((<usize>i & 3) << 2));
}
