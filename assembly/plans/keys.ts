// The keys of docs/determinism.md, section 2, for hosts that have no TypeScript. A key is one u64, k1 · 2^32 + k0. Texts
// are bytes of UTF-8, fewer than 2^30.

import { derived0, derived1, derivePairFork, foldChunk } from "../core/keys";

const TEXT_FORK: u32 = 0x40000000;
const INTEGER_FORK: u32 = 0x80000001;
const CHUNK_BYTES: u32 = 8;

export function seedKey(text: usize, bytes: u32): u64 {
  const words = arc4Words(text, bytes);
  return fold(words, text, bytes, bytes);
}

export function nameKey(mill: u64, text: usize, bytes: u32): u64 {
  return fold(mill, text, bytes, bytes);
}

export function forkText(key: u64, text: usize, bytes: u32): u64 {
  return fold(key, text, bytes, TEXT_FORK + bytes);
}

export function forkInteger(key: u64, id: i64): u64 {
  foldChunk(<u32>key, <u32>(key >>> 32), <u32>id, <u32>(id >>> 32), 0, INTEGER_FORK);
  return derived();
}

export function forkPair(key: u64, first: i32, second: i32): u64 {
  derivePairFork(<u32>key, <u32>(key >>> 32), first, second);
  return derived();
}

function derived(): u64 {
  return ((<u64>derived1) << 32) | derived0;
}

/** Folds bytes into a key, in chunks of 8. Pads the last chunk with zeros. No bytes are read as 8 zeros. */
function fold(key: u64, text: usize, bytes: u32, tag: u32): u64 {
  for (let from: u32 = 0; from == 0 || from < bytes; from += CHUNK_BYTES) {
    let chunk: u64 = 0;
    for (let i: u32 = 0, n = min(CHUNK_BYTES, bytes - from); i < n; ++i) {
      chunk |= (<u64>load<u8>(text + from + i)) << (i << 3);
    }
    foldChunk(<u32>key, <u32>(key >>> 32), <u32>chunk, <u32>(chunk >>> 32), from / CHUNK_BYTES, tag);
    key = derived();
  }
  return key;
}

// ── ARC4, as seedrandom 3.0.5 uses it ──

const STATES: u32 = 256;
const BYTE: u32 = STATES - 1;

/** The permutation of ARC4, and the bytes of its key. */
const states = memory.data(256);
const mixed = memory.data(256);
/** The longest prefix is the decimal text of a length below 2^30, ten digits, and a colon. */
const prefix = memory.data(16);

let i: u32 = 0;
let j: u32 = 0;

/** Returns the first two words of seedrandom for the text "LENGTH:BYTES", the first in the low half. */
function arc4Words(text: usize, bytes: u32): u64 {
  const keyBytes = mixKey(text, bytes);
  for (let s: u32 = 0; s < STATES; ++s) store<u8>(states + s, s);
  j = 0;
  for (i = 0; i < STATES; ++i) {
    j = (j + load<u8>(mixed + (i % keyBytes)) + load<u8>(states + i)) & BYTE;
    swapStates();
  }
  i = 0;
  j = 0;
  for (let dropped: u32 = 0; dropped < STATES; ++dropped) nextByte();
  const first = nextWord();
  return ((<u64>nextWord()) << 32) | first;
}

/**
 * Mixes the characters of the text into the key of ARC4: character n into byte n mod 256. Returns the length of the
 * key.
 */
function mixKey(text: usize, bytes: u32): u32 {
  const head = writePrefix(bytes);
  memory.fill(mixed, 0, STATES);
  let smear: u32 = 0;
  for (let n: u32 = 0, all = head + bytes; n < all; ++n) {
    const character = n < head ? load<u8>(prefix + n) : load<u8>(text + (n - head));
    const at = mixed + (n & BYTE);
    // seedrandom reads an entry that does not exist yet as 0, which leaves `smear` unchanged
    smear ^= 19 * <u32>load<u8>(at);
    store<u8>(at, smear + character);
  }
  return min(STATES, head + bytes);
}

/** Writes the length and a colon. Returns the number of characters. */
function writePrefix(bytes: u32): u32 {
  let digits: u32 = 1;
  for (let rest = bytes / 10; rest; rest /= 10) ++digits;
  for (let at = digits, rest = bytes; at > 0; rest /= 10) store<u8>(prefix + --at, 0x30 + (rest % 10));
  store<u8>(prefix + digits, 0x3a);
  return digits + 1;
}

function nextWord(): u32 {
  let word: u32 = 0;
  for (let n = 0; n < 4; ++n) word = (word << 8) | nextByte();
  return word;
}

function nextByte(): u32 {
  i = (i + 1) & BYTE;
  j = (j + load<u8>(states + i)) & BYTE;
  swapStates();
  return load<u8>(states + ((<u32>load<u8>(states + i) + load<u8>(states + j)) & BYTE));
}

function swapStates(): void {
  const state = load<u8>(states + i);
  store<u8>(states + i, load<u8>(states + j));
  store<u8>(states + j, state);
}
