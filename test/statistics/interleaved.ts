import { agrees, Z } from "./chiSquare.js";

/** 1,024 streams interleaved, 4,096 words of each: 16 MiB, where PractRand fails the three controls. */
export const STREAMS = 1024;
export const LENGTH = 4096;

/** Streams that are filled together: their words share a cache line. */
const LINE = 16;

/** Word t of stream s stands at t · STREAMS + s. */
export type Sheet = Uint32Array;

/** Fills a sheet stream by stream: `next` gives the words of one stream in order. */
export function sheetOf(open: (stream: number) => () => number): Sheet {
  const sheet = new Uint32Array(STREAMS * LENGTH);
  for (let first = 0; first < STREAMS; first += LINE) {
    const streams = Array.from({ length: LINE }, (_, k) => open(first + k));
    for (let t = 0; t < LENGTH; t++) {
      for (let k = 0; k < LINE; k++) sheet[t * STREAMS + first + k] = streams[k]();
    }
  }
  return sheet;
}

/** What a sheet fails, each at α = 10⁻⁶; nothing if its streams are independent. */
export function failures(sheet: Sheet): string[] {
  const failed: string[] = [];
  // the neighbouring stream, the one after it, …; and each stream's own next word
  for (const lag of [1, 2, 3, 7, STREAMS]) {
    if (!pairsAgree(sheet, lag, 24)) failed.push(`pairs of top bytes ${lag} apart`);
    if (!pairsAgree(sheet, lag, 0)) failed.push(`pairs of low bytes ${lag} apart`);
    if (!commonBitsAgree(sheet, lag)) failed.push(`bits in common ${lag} apart`);
  }
  if (!collisionsAgree(sheet)) failed.push("collisions");
  return failed;
}

/** All 65,536 pairs of a byte of two words come up alike. */
function pairsAgree(sheet: Sheet, lag: number, shift: number): boolean {
  const counts = new Uint32Array(65536);
  for (let i = lag; i < sheet.length; i++) {
    counts[((sheet[i - lag] >>> shift) & 255) * 256 + ((sheet[i] >>> shift) & 255)]++;
  }
  return agrees(counts, new Float64Array(65536).fill(2 ** -16));
}

/** Two words differ in k bits with chance C(32, k) / 2^32: sees streams whose bits are alike, but moved about. */
function commonBitsAgree(sheet: Sheet, lag: number): boolean {
  const counts = new Uint32Array(33);
  for (let i = lag; i < sheet.length; i++) counts[bitsIn(sheet[i - lag] ^ sheet[i])]++;
  const law = [2 ** -32];
  for (let k = 1; k <= 32; k++) law.push((law[k - 1] * (33 - k)) / k);
  return agrees(counts, law);
}

/** Words that came before are n² / 2^33 in number, nearly; Poisson. */
function collisionsAgree(sheet: Sheet): boolean {
  const expected = sheet.length ** 2 / 2 ** 33;
  return Math.abs(sheet.length - distinct(sheet) - expected) < Z * Math.sqrt(expected);
}

/** The number of different words. They are counted in 256 parts, because the hash table of a part fits the cache. */
function distinct(sheet: Sheet): number {
  const ends = new Uint32Array(256);
  for (const word of sheet) ends[mixed(word) >>> 24]++;
  for (let part = 1; part < 256; part++) ends[part] += ends[part - 1];
  const starts = Uint32Array.from(ends, (_, part) => (part === 0 ? 0 : ends[part - 1]));
  const next = starts.slice();
  const parted = new Uint32Array(sheet.length);
  for (const word of sheet) {
    const value = mixed(word);
    parted[next[value >>> 24]++] = value;
  }
  return ends.reduce((sum, end, part) => sum + distinctInPart(parted.subarray(starts[part], end)), 0);
}

/** An odd factor maps different words to different values. */
function mixed(word: number): number {
  return Math.imul(word, 0x9e3779b1) >>> 0;
}

/** A hash table with linear probing (Knuth, volume 3, 6.4), at most half full. The top bytes of all values are equal. */
function distinctInPart(values: Uint32Array): number {
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * values.length + 2)));
  const shift = Math.clz32(slots.length) + 1;
  let [found, zero] = [0, 0];
  for (const value of values) {
    // an empty slot holds 0
    if (value === 0) zero = 1;
    let slot = (value << 8) >>> shift;
    while (slots[slot] !== 0 && slots[slot] !== value) slot = (slot + 1) % slots.length;
    if (slots[slot] === 0 && value !== 0) found++;
    slots[slot] = value;
  }
  return found + zero;
}

function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
