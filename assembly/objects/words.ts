// The words of object k: the words 0, 1, 2, … of plane k, in this order, each read once. To begin an object is to fill
// its first words. Objects are begun in groups, because filling the words of two objects in parallel is faster. Few
// objects need more than thirty words.

import { below } from "../core/below";
import { BLOCK_BITS, BLOCK_WORDS } from "../core/layout";
import { BLOCK_MASK, selectExtraWords, startBlock, startTwoBlocks } from "../core/words";
import { fillRows, fillRowsOfTwo, STATE_BYTES } from "../core/xoshiro";

/** Number of rows that are filled when an object is begun. A row has four words. */
const FIRST_ROWS: u32 = 8;
const FIRST_WORDS: u32 = FIRST_ROWS << 2;
const FIRST_BYTES: usize = (<usize>FIRST_WORDS) << 2;
/** If an object needs more words, this many rows are filled at a time. */
const AHEAD_ROWS: u32 = 4;
const AHEAD_WORDS: u32 = AHEAD_ROWS << 2;
const AHEAD_BYTES: usize = (<usize>AHEAD_WORDS) << 2;

/** Number of objects that are begun together. */
export const BEGUN_AT_ONCE: u32 = 16;
/**
 * Size of a slot in bytes. A slot holds the state of a generator, and then the first words of one object. The generator
 * has already produced these words, so it continues with the next word.
 */
const SLOT_BYTES: usize = STATE_BYTES + FIRST_BYTES;
const slots = memory.data(<i32>(<usize>BEGUN_AT_ONCE * SLOT_BYTES), 16);

const ownState = memory.data(<i32>STATE_BYTES, 16);
const spare = memory.data(<i32>AHEAD_BYTES, 16);
let object: u64 = 0;
let block: u32 = 0;
/** Number of words of the block that are filled. */
let filled: u32 = 0;
/** Address of the next word, and of the end of the filled words. */
let at: usize = spare;
let end: usize = spare;
let state: usize = ownState;

/** Begins `count` ≤ BEGUN_AT_ONCE objects, starting at object `first`. */
export function beginObjects(first: u64, count: u32): void {
  for (let i: u32 = 0; i < count; i += 2) {
    const a = slots + <usize>i * SLOT_BYTES;
    const b = a + SLOT_BYTES;
    startTwoBlocks(first + i, 0, first + i + 1, 0, a, b);
    fillRowsOfTwo(a, a + STATE_BYTES, b, b + STATE_BYTES, FIRST_ROWS);
  }
}

/**
 * Sets the current object to k, and goes to its first word. The last call of `beginObjects` must have begun this
 * object, as number i (from 0).
 */
export function openBegun(k: u64, i: u32): void {
  object = k;
  block = 0;
  filled = FIRST_WORDS;
  state = slots + <usize>i * SLOT_BYTES;
  at = state + STATE_BYTES;
  end = at + FIRST_BYTES;
}

/** Sets the current object to k, and goes to its word `from`. */
export function openWords(k: u64, from: u32): void {
  object = k;
  state = ownState;
  openBlock(from >>> BLOCK_BITS);
  const inBlock = from & BLOCK_MASK;
  do fillAhead();
  while (filled < inBlock);
  at = end - ((<usize>(filled - inBlock)) << 2);
}

/** Returns the number of words of the object that were read. */
export function wordsRead(): u32 {
  return (block << BLOCK_BITS) + filled - (<u32>(end - at) >>> 2);
}

/** Whether the next two words are filled. */
export function hasTwoWords(): bool {
  return at + 8 <= end;
}

/** Returns the next word, which must be filled, without consuming it. */
export function peek(): u32 {
  return load<u32>(at);
}

/** Consumes `words` words, which must be filled. */
export function moveOn(words: u32): void {
  at += (<usize>words) << 2;
}

/**
 * The two functions that read most words. They are inlined, because a call takes longer than the function itself, and
 * Node 20 inlines no WebAssembly calls. They are methods, because TypeScript allows no decorators on functions.
 */
export class Next {
  /** Returns the next word. */
  @inline
  static word(): u32 {
    if (at == end) fillAhead();
    const word = load<u32>(at);
    at += 4;
    return word;
  }

  /** Returns below(m) for the next word, m ≥ 1. The word decides alone if the lower half of word · m is ≤ 2^32 − m. */
  @inline
  static below(m: u32): u32 {
    const word = Next.word();
    const product = <u64>word * m;
    return <u32>product <= 0 - m ? <u32>(product >>> 32) : openBelow(word, m);
  }
}

/**
 * Returns below(m) for `word`, the last word that was read. Reads extra words, because this word does not decide alone.
 */
function openBelow(word: u32, m: u32): u32 {
  seekLastWord();
  return below(word, m);
}

/** Selects the extra words at the address of the last word that was read. */
export function seekLastWord(): void {
  const last = wordsRead() - 1;
  selectExtraWords(object, last >>> BLOCK_BITS, last & BLOCK_MASK);
}

function openBlock(which: u32): void {
  block = which;
  filled = 0;
  startBlock(object, block, state);
}

function fillAhead(): void {
  if (filled == BLOCK_WORDS) openBlock(block + 1);
  fillRows(state, spare, AHEAD_ROWS);
  filled += AHEAD_WORDS;
  at = spare;
  end = spare + AHEAD_BYTES;
}
