// The Direction Tensor of one walk, ready to step with.
//
// The table of maps: for each value of a word's top 11 bits one u64 whose byte h is what a walker of heading h does next,
//
//   byte        7         6        5     …    1     0           next direction · 8, ready to shift the next entry with;
//           undecided   at rest    W    …    NE    NW           the sign bit is set where the 11 bits leave a heading open
//
//   tensor + 0         the table of maps, 2,048 u64
//          + WEIGHTS   combined weights, 7 headings × 6 directions, u32; heading 6 (at rest) holds the absolute weights
//          + LAWS      prefix sums of what a walker with every neighbour open draws from: 7 × 6 u32

import { below, firstAbove, sureAbove, sureBelow } from "../core/below";
import { allocate } from "../core/memory";
import { extraWord } from "../core/words";
import { DIRECTIONS, REST } from "./hexMap";

const PLACE_BITS: u32 = 11;
/** A word's place in the table of maps is its top bits: shifted right by this. */
export const PLACE_SHIFT: u32 = 32 - PLACE_BITS;
export const PLACES: usize = 1 << PLACE_BITS;
export const HEADINGS: usize = 7;
/** While the table is built, byte 7 has a bit for each heading that is still undecided. */
const ALL_UNDECIDED: u64 = 0x7f << 56;
const DECIDED_BYTES: u64 = (1 << 56) - 1;
const UNDECIDED: u64 = 1 << 63;

export const WEIGHTS: usize = PLACES * 8;
const LAW_BYTES: usize = <usize>DIRECTIONS * 4;
const LAWS: usize = WEIGHTS + HEADINGS * LAW_BYTES;
const TENSOR_BYTES: usize = LAWS + HEADINGS * LAW_BYTES;

/** Room for a tensor; 0 when memory runs out. The caller writes the weights, then builds it. */
export function createTensor(): usize {
  return allocate(TENSOR_BYTES);
}

/** Where the caller writes the 7 × 6 combined weights, u32. */
export function tensorWeights(tensor: usize): usize {
  return tensor + WEIGHTS;
}

/** Builds the laws and the table of maps from the weights. */
export function buildTensor(tensor: usize): void {
  const sums = tensor + LAWS;
  for (let heading: usize = 0; heading < HEADINGS; ++heading) {
    const law = sums + heading * LAW_BYTES;
    if (!sumWeights(tensor, <u32>heading, ALL_OPEN, law)) sumWeights(tensor, REST, ALL_OPEN, law);
  }
  for (let range: usize = 0; range < PLACES; ++range) store<u64>(tensor + (range << 3), ALL_UNDECIDED);
  for (let heading: usize = 0; heading < HEADINGS; ++heading) {
    const law = sums + heading * LAW_BYTES;
    const total = load<u32>(law, LAW_BYTES - 4);
    let sum: u32 = 0;
    for (let direction: usize = 0; direction < DIRECTIONS; ++direction) {
      const from = (sureAbove(sum, total) + (((<u64>1) << PLACE_SHIFT) - 1)) >>> PLACE_SHIFT;
      sum = load<u32>(law + (direction << 2));
      decide(tensor, heading, direction, from, sureBelow(sum, total) >>> PLACE_SHIFT);
    }
  }
  for (let range: usize = 0; range < PLACES; ++range) {
    const entry = load<u64>(tensor + (range << 3));
    if (entry > DECIDED_BYTES) store<u64>(tensor + (range << 3), entry | UNDECIDED);
  }
}

/** Writes a heading's direction into the entries `from` … `to` − 1, whose words all give it. */
function decide(tensor: usize, heading: usize, direction: usize, from: u64, to: u64): void {
  const place = <u64>(heading << 3) + 3;
  for (let range = <usize>from; range < <usize>to; ++range) {
    const at = tensor + (range << 3);
    const entry = load<u64>(at) & ~((<u64>1) << (56 + heading));
    store<u64>(at, entry | ((<u64>direction) << place));
  }
}

const ALL_OPEN: u32 = 63;

/** Writes the prefix sums of a heading's weights over the open directions (a bit each); returns the last. */
function sumWeights(tensor: usize, heading: u32, open: u32, sums: usize): u32 {
  let sum: u32 = 0;
  for (let direction: u32 = 0; direction < DIRECTIONS; ++direction) {
    const weight = load<u32>(tensor + <usize>heading * LAW_BYTES + ((<usize>direction) << 2), WEIGHTS);
    sum += (open >>> direction) & 1 ? weight : 0;
    store<u32>(sums + ((<usize>direction) << 2), sum);
  }
  return sum;
}

/** The direction that a word picks for a heading with every neighbour open; the word's address must be the one stood at. */
export function propose(tensor: usize, heading: u32, word: u32): u32 {
  const law = tensor + LAWS + <usize>heading * LAW_BYTES;
  return firstAbove(law, below(word, load<u32>(law, LAW_BYTES - 4)));
}

const openSums = memory.data(32, 16);

/**
 * The one draw over the open directions (a bit each) that follows a blocked proposal: combined weights, else absolute ones,
 * else rest. Proposing, then drawing afresh where that is blocked, is the law of the weights renormalised over the open
 * directions: p + (1 − Σ open p) · p / Σ open p = p / Σ open p.
 */
export function redirect(tensor: usize, heading: u32, open: u32): u32 {
  let total = sumWeights(tensor, heading, open, openSums);
  if (!total) total = sumWeights(tensor, REST, open, openSums);
  return total ? firstAbove(openSums, below(extraWord(), total)) : REST;
}
