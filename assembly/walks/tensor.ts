// The Direction Tensor of one walk, prepared for fast steps. It has the weights of the six directions for each heading.
//
// The table of maps has one map, a u64, for each value of a word's top 11 bits. Byte h of a map is the next state of a
// walker with heading h:
//
//   byte        7         6        5     …    1     0
//           undecided   at rest    W    …    NE    NW
//
// A state is the heading · 8, because a step shifts the next map by this number of bits. The top bit of byte 7 is 1 if,
// for at least one heading, the 11 bits do not decide the direction.
//
//   0                      WEIGHTS             LAWS              TENSOR_BYTES
//   ├─ table of maps, 2,048 u64 ─┼─ weights, 7 × 6 u32 ─┼─ laws, 7 × 6 u32 ─┤
//
// The table of weights holds a combined weight for each heading and direction: an absolute weight times a relative
// weight. For heading 6 (at rest), the combined weights are the absolute weights. The table of laws holds the prefix
// sums of these weights. The six prefix sums of a heading are its law. A draw uses the law if every neighbour is open.

import { below, firstAbove, sureAbove, sureBelow } from "../core/below";
import { window } from "../core/buffers";
import { allocate } from "../core/memory";
import { extraWord } from "../core/words";
import { DIRECTION_COUNT, HEADINGS } from "./hexMap";
import { RESTING } from "./layout";

const PLACE_BITS: u32 = 11;
/** `word >>> PLACE_SHIFT` is the index of the word's map. */
export const PLACE_SHIFT: u32 = 32 - PLACE_BITS;
export const PLACES: usize = 1 << PLACE_BITS;
/** Used while the table is built: bit h of byte 7 is 1 as long as heading h is undecided. */
const ALL_UNDECIDED: u64 = 0x7f << 56;
const DECIDED_BYTES: u64 = (1 << 56) - 1;
const UNDECIDED: u64 = 1 << 63;

/** Size of the table of maps, in bytes. */
export const MAPS_BYTES: usize = PLACES * sizeof<u64>();
const LAW_BYTES: usize = <usize>DIRECTION_COUNT * sizeof<u32>();
const WEIGHTS: usize = MAPS_BYTES;
const WEIGHTS_BYTES: usize = <usize>HEADINGS * LAW_BYTES;
const LAWS: usize = WEIGHTS + WEIGHTS_BYTES;
const TENSOR_BYTES: usize = LAWS + WEIGHTS_BYTES;

/**
 * Number of tensors that were created. A copy of a tensor's maps is stale if this number has changed after the copy.
 */
export let tensorsMade: u32 = 0;

/** Creates a tensor from the 7 × 6 combined weights in the window, u32. Returns 0 if memory runs out. */
export function createTensor(): usize {
  const tensor = allocate(TENSOR_BYTES);
  if (!tensor) return 0;
  memory.copy(tensor + WEIGHTS, window, WEIGHTS_BYTES);
  for (let heading: u32 = 0; heading < HEADINGS; ++heading) {
    const law = lawOf(tensor, heading);
    if (!sumWeights(tensor, heading, ALL_OPEN, law)) sumWeights(tensor, RESTING, ALL_OPEN, law);
  }
  buildMaps(tensor);
  ++tensorsMade;
  return tensor;
}

function lawOf(tensor: usize, heading: u32): usize {
  return tensor + LAWS + <usize>heading * LAW_BYTES;
}

/** Returns the address of the six combined weights of a heading. */
export function weightRow(tensor: usize, heading: u32): usize {
  return tensor + WEIGHTS + <usize>heading * LAW_BYTES;
}

/** Returns the address of the map for a place: the top 11 bits of a word. */
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

/**
 * Writes the direction of a heading into the maps `from` … `to` − 1. All words whose top bits select one of these maps
 * pick this direction.
 */
function decide(tensor: usize, heading: u32, direction: u32, from: u64, to: u64): void {
  for (let place = <usize>from; place < <usize>to; ++place) {
    const at = entryAt(tensor, place);
    const entry = load<u64>(at) & ~((<u64>1) << (56 + heading));
    store<u64>(at, entry | ((<u64>(direction << 3)) << (heading << 3)));
  }
}

/** The set of all directions: bit d for direction d. */
export const ALL_OPEN: u32 = (1 << DIRECTION_COUNT) - 1;

/**
 * Writes the prefix sums of a heading's weights, and returns the total. Counts only open directions: direction d is
 * open if bit d of `open` is 1.
 */
function sumWeights(tensor: usize, heading: u32, open: u32, sums: usize): u32 {
  let sum: u32 = 0;
  for (let direction: u32 = 0; direction < DIRECTION_COUNT; ++direction) {
    const place = <usize>direction * sizeof<u32>();
    const weight = load<u32>(weightRow(tensor, heading) + place);
    sum += (open >>> direction) & 1 ? weight : 0;
    store<u32>(sums + place, sum);
  }
  return sum;
}

/** Returns the direction that a word picks if every neighbour is open. Call `selectExtraWords` for the word first. */
export function propose(tensor: usize, heading: u32, word: u32): u32 {
  const law = lawOf(tensor, heading);
  return firstAbove(law, below(word, load<u32>(law, LAW_BYTES - sizeof<u32>())));
}

const openSums = memory.data(32, 16);

/**
 * Draws a new direction among the open directions, after the proposed direction was blocked. Bit d of `open` is
 * direction d. The draw uses the combined weights of the open directions. If their sum is 0, it uses the absolute
 * weights. If the sum of these is 0 too, the walker rests.
 *
 * Together, the proposal and the redraw choose an open direction with its renormalised probability. Proof: let p be the
 * probability of the direction, and S the sum of p over all open directions. The proposal picks the direction with
 * probability p, and is blocked with probability 1 − S. A redraw picks it with probability p / S. Together: p + (1 − S)
 * · p / S = p / S.
 */
export function redirect(tensor: usize, heading: u32, open: u32): u32 {
  let total = sumWeights(tensor, heading, open, openSums);
  if (!total) total = sumWeights(tensor, RESTING, open, openSums);
  return total ? firstAbove(openSums, below(extraWord(), total)) : RESTING;
}
