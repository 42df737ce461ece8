// The Direction Tensor of one walk, compiled for stepping.
//
// The table of maps has one u64 for each value of a word's top 11 bits. Its byte h is the next state of a walker of heading h:
//
//   byte        7         6        5     …    1     0           the next direction · 8, which is the shift for the next entry;
//           undecided   at rest    W    …    NE    NW           byte 7 has its sign bit set if the 11 bits leave a heading open
//
//   0                      WEIGHTS             LAWS              TENSOR_BYTES
//   ├─ table of maps, 2,048 u64 ─┼─ weights, 7 × 6 u32 ─┼─ laws, 7 × 6 u32 ─┤
//
// The weights are the combined ones by heading and direction; heading 6 (at rest) has the absolute ones. A law is the prefix
// sums that a walker draws from while every neighbour is open.

import { below, firstAbove, sureAbove, sureBelow } from "../core/below";
import { window } from "../core/buffers";
import { allocate } from "../core/memory";
import { extraWord } from "../core/words";
import { DIRECTION_COUNT, HEADINGS } from "./hexMap";
import { RESTING } from "./layout";

const PLACE_BITS: u32 = 11;
/** A word's place in the table of maps is its top bits: the word shifted right by this. */
export const PLACE_SHIFT: u32 = 32 - PLACE_BITS;
export const PLACES: usize = 1 << PLACE_BITS;
/** While the table is built, byte 7 has a bit for each heading that is still undecided. */
const ALL_UNDECIDED: u64 = 0x7f << 56;
const DECIDED_BYTES: u64 = (1 << 56) - 1;
const UNDECIDED: u64 = 1 << 63;

/** Bytes of the table of maps. */
export const MAPS_BYTES: usize = PLACES * sizeof<u64>();
const LAW_BYTES: usize = <usize>DIRECTION_COUNT * sizeof<u32>();
const WEIGHTS: usize = MAPS_BYTES;
const WEIGHTS_BYTES: usize = <usize>HEADINGS * LAW_BYTES;
const LAWS: usize = WEIGHTS + WEIGHTS_BYTES;
const TENSOR_BYTES: usize = LAWS + WEIGHTS_BYTES;

/** Makes a tensor from the 7 × 6 combined weights in the window, u32; 0 when memory runs out. */
export function createTensor(): usize {
  const tensor = allocate(TENSOR_BYTES);
  if (!tensor) return 0;
  memory.copy(tensor + WEIGHTS, window, WEIGHTS_BYTES);
  for (let heading: u32 = 0; heading < HEADINGS; ++heading) {
    const law = lawOf(tensor, heading);
    if (!sumWeights(tensor, heading, ALL_OPEN, law)) sumWeights(tensor, RESTING, ALL_OPEN, law);
  }
  buildMaps(tensor);
  return tensor;
}

function lawOf(tensor: usize, heading: u32): usize {
  return tensor + LAWS + <usize>heading * LAW_BYTES;
}

/** Where the entry of a place begins. */
function entryAt(tensor: usize, place: usize): usize {
  return tensor + place * sizeof<u64>();
}

function buildMaps(tensor: usize): void {
  for (let place: usize = 0; place < PLACES; ++place) store<u64>(entryAt(tensor, place), ALL_UNDECIDED);
  for (let heading: u32 = 0; heading < HEADINGS; ++heading) {
    const law = lawOf(tensor, heading);
    const total = load<u32>(law, LAW_BYTES - sizeof<u32>());
    let sum: u32 = 0;
    for (let direction: u32 = 0; direction < DIRECTION_COUNT; ++direction) {
      const from = (sureAbove(sum, total) + (((<u64>1) << PLACE_SHIFT) - 1)) >>> PLACE_SHIFT;
      sum = load<u32>(law + <usize>direction * sizeof<u32>());
      decide(tensor, heading, direction, from, sureBelow(sum, total) >>> PLACE_SHIFT);
    }
  }
  for (let place: usize = 0; place < PLACES; ++place) {
    const entry = load<u64>(entryAt(tensor, place));
    if (entry > DECIDED_BYTES) store<u64>(entryAt(tensor, place), entry | UNDECIDED);
  }
}

/** Writes a heading's direction into the entries `from` … `to` − 1, all of whose words give it. */
function decide(tensor: usize, heading: u32, direction: u32, from: u64, to: u64): void {
  for (let place = <usize>from; place < <usize>to; ++place) {
    const at = entryAt(tensor, place);
    const entry = load<u64>(at) & ~((<u64>1) << (56 + heading));
    store<u64>(at, entry | ((<u64>(direction << 3)) << (heading << 3)));
  }
}

/** The directions as a set: a bit each. */
const ALL_OPEN: u32 = (1 << DIRECTION_COUNT) - 1;

/** Writes the prefix sums of a heading's weights over the open directions (a bit each); returns the last. */
function sumWeights(tensor: usize, heading: u32, open: u32, sums: usize): u32 {
  let sum: u32 = 0;
  for (let direction: u32 = 0; direction < DIRECTION_COUNT; ++direction) {
    const place = <usize>direction * sizeof<u32>();
    const weight = load<u32>(tensor + <usize>heading * LAW_BYTES + place, WEIGHTS);
    sum += (open >>> direction) & 1 ? weight : 0;
    store<u32>(sums + place, sum);
  }
  return sum;
}

/** The direction that a word picks for a heading while every neighbour is open. Call `selectExtraWords` for the word first. */
export function propose(tensor: usize, heading: u32, word: u32): u32 {
  const law = lawOf(tensor, heading);
  return firstAbove(law, below(word, load<u32>(law, LAW_BYTES - sizeof<u32>())));
}

const openSums = memory.data(32, 16);

/**
 * The one draw over the open directions (a bit each) that follows a blocked proposal: by the combined weights; if these
 * are all 0, by the absolute ones; if these are 0 too, the walker rests. Proposing first and drawing again when blocked is
 * the law of the weights renormalised over the open directions: p + (1 − Σ open p) · p / Σ open p = p / Σ open p.
 */
export function redirect(tensor: usize, heading: u32, open: u32): u32 {
  let total = sumWeights(tensor, heading, open, openSums);
  if (!total) total = sumWeights(tensor, RESTING, open, openSums);
  return total ? firstAbove(openSums, below(extraWord(), total)) : RESTING;
}
