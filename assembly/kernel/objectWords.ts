// The words of one object: word(objects, k, 0), word(objects, k, 1), … in order, each read once. They are filled a few
// rows ahead: few objects need more than thirty.

import { below, isSettled } from "./below";
import { allocate } from "./memory";
import { BLOCK_BITS, BLOCK_MASK, BLOCK_WORDS, standAt, startBlock } from "./words";
import { fillRows } from "./xoshiro";

/** Rows of four words that are filled at a time. */
const ROWS: u32 = 4;
const AHEAD: u32 = ROWS << 2;

const state = memory.data(64, 16);
const buffer = allocate((<usize>BLOCK_WORDS) << 2);
let purpose: u32 = 0;
let object: u32 = 0;
let block: u32 = 0;
/** Words of the block that were read, and that are filled. */
let at: u32 = 0;
let filled: u32 = 0;

/** Stands before word `from` of object k. */
export function openWords(ofPurpose: u32, k: u32, from: u32): void {
  purpose = ofPurpose;
  object = k;
  openBlock(from >>> BLOCK_BITS);
  at = from & BLOCK_MASK;
  while (filled < at) fillAhead();
}

/** How many words of the object were read. */
export function wordsRead(): u32 {
  return (block << BLOCK_BITS) + at;
}

/** The next word. */
export function nextWord(): u32 {
  if (at == filled) fillAhead();
  const word = load<u32>(buffer + ((<usize>at) << 2));
  ++at;
  return word;
}

/** below(m) of the next word, m ≥ 1. */
export function nextBelow(m: u32): u32 {
  const word = nextWord();
  if (!isSettled(word, m)) stand();
  return below(word, m);
}

/** Stands at the address of the word that was read last. */
export function stand(): void {
  standAt(purpose, object, block, at - 1);
}

function openBlock(which: u32): void {
  block = which;
  at = 0;
  filled = 0;
  startBlock(purpose, object, block, state);
}

function fillAhead(): void {
  if (filled == BLOCK_WORDS) openBlock(block + 1);
  fillRows(state, buffer + ((<usize>filled) << 2), ROWS);
  filled += AHEAD;
}
