// The words of one object: word(objects, k, 0), word(objects, k, 1), … in order, each read once. Objects are begun a few at
// a time: their blocks start and their first words are filled two by two. Few objects need more than thirty words.

import { below } from "../core/below";
import { BLOCK_BITS, BLOCK_WORDS } from "../core/layout";
import { BLOCK_MASK, standAt, startBlock, startTwoBlocks } from "../core/words";
import { fillRows, fillRowsOfTwo, STATE_BYTES } from "../core/xoshiro";

/** Rows of four words that are filled at first, and then at a time. */
const FIRST_ROWS: u32 = 8;
const FIRST: u32 = FIRST_ROWS << 2;
const FIRST_BYTES: usize = (<usize>FIRST) << 2;
const ROWS: u32 = 4;
const AHEAD: u32 = ROWS << 2;
const AHEAD_BYTES: usize = (<usize>AHEAD) << 2;

/** Objects that are begun at a time. */
export const BEGUN_AT_ONCE: u32 = 16;
/** A begun object: the state behind its first words, and these. */
const SLOT_BYTES: usize = STATE_BYTES + FIRST_BYTES;
const slots = memory.data(3072, 16);

const ownState = memory.data(64, 16);
const spare = memory.data(64, 16);
let purpose: u32 = 0;
let object: u32 = 0;
let block: u32 = 0;
/** Words of the block that were filled; where the next one is, and where those at hand end. */
let filled: u32 = 0;
let at: usize = spare;
let end: usize = spare;
let state: usize = ownState;

/** Begins `count` ≤ BEGUN_AT_ONCE objects from `first` on. */
export function beginObjects(ofPurpose: u32, first: u32, count: u32): void {
  purpose = ofPurpose;
  for (let i: u32 = 0; i < count; i += 2) {
    const a = slots + <usize>i * SLOT_BYTES;
    const b = a + SLOT_BYTES;
    startTwoBlocks(purpose, first + i, 0, first + i + 1, 0, a, b);
    fillRowsOfTwo(a, a + STATE_BYTES, b, b + STATE_BYTES, FIRST_ROWS);
  }
}

/** Stands before the first word of object k, number i of those begun last. */
export function openBegun(k: u32, i: u32): void {
  object = k;
  block = 0;
  filled = FIRST;
  state = slots + <usize>i * SLOT_BYTES;
  at = state + STATE_BYTES;
  end = at + FIRST_BYTES;
}

/** Stands before word `from` of object k. */
export function openWords(ofPurpose: u32, k: u32, from: u32): void {
  purpose = ofPurpose;
  object = k;
  state = ownState;
  openBlock(from >>> BLOCK_BITS);
  const inBlock = from & BLOCK_MASK;
  do fillAhead();
  while (filled < inBlock);
  at = end - ((<usize>(filled - inBlock)) << 2);
}

/** How many words of the object were read. */
export function wordsRead(): u32 {
  return (block << BLOCK_BITS) + filled - (<u32>(end - at) >>> 2);
}

/** Whether the next two words are at hand. */
export function hasTwoWords(): bool {
  return at + 8 <= end;
}

/** The next word, if it is at hand, which is not used up. */
export function peek(): u32 {
  return load<u32>(at);
}

/** Uses up words that are at hand. */
export function moveOn(words: u32): void {
  at += (<usize>words) << 2;
}

/**
 * What reads most words, compiled into each place that does: Node 20 inlines no call in a kernel, and one takes longer than
 * what is called. (A class, because only its methods may bear a decorator in what is TypeScript too.)
 */
export class Next {
  /** The next word. */
  @inline
  static word(): u32 {
    if (at == end) fillAhead();
    const word = load<u32>(at);
    at += 4;
    return word;
  }

  /** below(m) of the next word, m ≥ 1: the word settles it where its product leaves room for m − 1 (core/below.ts). */
  @inline
  static below(m: u32): u32 {
    const word = Next.word();
    const product = <u64>word * m;
    return <u32>product <= 0 - m ? <u32>(product >>> 32) : openBelow(word, m);
  }
}

/** below(m) where the word that was read last does not settle it. */
function openBelow(word: u32, m: u32): u32 {
  stand();
  return below(word, m);
}

/** Stands at the address of the word that was read last. */
export function stand(): void {
  const last = wordsRead() - 1;
  standAt(purpose, object, last >>> BLOCK_BITS, last & BLOCK_MASK);
}

function openBlock(which: u32): void {
  block = which;
  filled = 0;
  startBlock(purpose, object, block, state);
}

function fillAhead(): void {
  if (filled == BLOCK_WORDS) openBlock(block + 1);
  fillRows(state, spare, ROWS);
  filled += AHEAD;
  at = spare;
  end = spare + AHEAD_BYTES;
}
