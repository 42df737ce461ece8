// Walks: step t of walker w is a prefix pick with word(walk, w, t) over the six directions, weighted by the Direction
// Tensor for the walker's heading.
//
// A step is `state = (maps[word >>> 21] >>> state) & 56`, whatever the tensor: one independent load and one shift on the
// critical chain (walks/tensor.ts draws the table of maps). All that is rare goes through `arrive`: an undecided word, a tile's rim, a closed cell.

import { words } from "../core/buffers";
import { BLOCK_BITS, Status } from "../core/layout";
import { failAt } from "../core/status";
import { fillSpan, SPAN_BLOCKS, SPAN_WORDS, standAt } from "../core/words";
import { countSteps, DIRECTIONS, firstSteps, keepsFirstVisits, REST, SENTINEL } from "./hexMap";
import { BLOCKED, crossRim, enterTarget, firstVisitOf, here, locate, lookAt, NO_SUCH_CELL } from "./hexMoves";
import { HEADINGS, PLACE_SHIFT, PLACES, propose, redirect, WEIGHTS } from "./tensor";
import { CELL, STATE, TILE, visit, WALKER_BYTES } from "./walkers";

/** A state is a heading · 8: bits 3 to 5 of a map's byte. */
const STATE_MASK: u64 = 0x38;

// What the hot loop reads at fixed addresses: the table of maps in use, the byte steps of the map in use, and for each
// word of the span its place in the table.
const maps = memory.data(8 << 11, 16);
const moves = memory.data(8 * 8, 16);
const firstMoves = memory.data(8 * 8, 16);
// (three places more, for a group of four that overhangs the span)
const places = memory.data((4 << 11) + 16, 16);

// The step being taken: what `arrive` needs, kept out of the hot loop's registers.
let mapNow: usize = 0;
let tensorNow: usize = 0;
let purposeNow: u32 = 0;
let planeNow: u32 = 0;
let blockNow: u32 = 0;
let tileNow: usize = 0;
let stateAfter: u32 = 0;
let statusNow: u32 = Status.OK;

/**
 * Moves `count` walkers from `first` on by `steps` steps each, from step block · 1024 + offset. Walker i of the array is
 * walker plane + i of the walk. On failure the walker stands where it was before the step that failed.
 */
export function advance(
  map: usize,
  tensor: usize,
  walkers: usize,
  first: u32,
  count: u32,
  purpose: u32,
  plane: u32,
  block: u32,
  offset: u32,
  steps: u32,
): Status {
  mapNow = map;
  tensorNow = tensor;
  purposeNow = purpose;
  statusNow = Status.OK;
  memory.copy(maps, tensor, WEIGHTS);
  memory.copy(moves, countSteps(map), 8 * HEADINGS);
  memory.copy(firstMoves, firstSteps(map), 8 * HEADINGS);
  const keepsFirst = keepsFirstVisits(map);
  for (let i = first; i < first + count; ++i) {
    const walker = walkers + <usize>i * WALKER_BYTES;
    planeNow = plane + i;
    blockNow = block;
    let left = steps;
    let from = offset;
    while (left) {
      const end = min(SPAN_WORDS, from + left);
      fillSpan(purpose, planeNow, blockNow, words, end);
      findPlaces(end);
      if (keepsFirst) walkSpanDated(walker, from, end);
      else walkSpan(walker, from, end);
      if (statusNow != Status.OK) {
        failAt(i, 0);
        return statusNow;
      }
      left -= end - from;
      from = 0;
      blockNow += SPAN_BLOCKS;
    }
  }
  return Status.OK;
}

/** The byte offset in the table of maps of each of the first `end` words. */
function findPlaces(end: u32): void {
  const mask = i32x4.splat((<i32>PLACES - 1) << 3);
  for (let at: usize = 0; at < (<usize>end) << 2; at += 16) {
    v128.store(at, v128.and(i32x4.shr_u(v128.load(words + at), PLACE_SHIFT - 3), mask), places);
  }
}

/** Steps `from` … `end` − 1 of a span, four at a time while their words decide: 2.1 ns a step become 1.7. */
function walkSpan(walker: usize, from: u32, end: u32): void {
  tileNow = load<u32>(walker, TILE);
  let cell = <usize>load<u32>(walker, CELL);
  let state = <u64>load<u32>(walker, STATE);
  let t = from;
  while (t < end) {
    const at = (<usize>t) << 2;
    const e0 = load<u64>(load<u32>(at, places), maps);
    const e1 = load<u64>(load<u32>(at, places + 4), maps);
    const e2 = load<u64>(load<u32>(at, places + 8), maps);
    const e3 = load<u64>(load<u32>(at, places + 12), maps);
    let next = (e0 >>> state) & STATE_MASK;
    let to = cell + load<i32>(<usize>next, moves);
    let count = load<u32>(to);
    if (t + 4 > end || <i64>(e0 | e1 | e2 | e3) < 0) {
      // one step by itself: the span's last few, or next to a word that does not decide
      if (<i64>e0 >= 0 && count != SENTINEL) store<u32>(to, count + 1);
      else {
        to = arrive(cell, <u32>state, <i64>e0 < 0 ? UNKNOWN : <u32>next, t);
        if (!to) break;
        next = stateAfter;
      }
      cell = to;
      state = next;
      ++t;
      continue;
    }
    if (count != SENTINEL) store<u32>(to, count + 1);
    else {
      to = arrive(cell, <u32>state, <u32>next, t);
      if (!to) break;
      next = stateAfter;
    }
    cell = to;
    state = next;

    next = (e1 >>> state) & STATE_MASK;
    to = cell + load<i32>(<usize>next, moves);
    count = load<u32>(to);
    if (count != SENTINEL) store<u32>(to, count + 1);
    else {
      to = arrive(cell, <u32>state, <u32>next, t + 1);
      if (!to) break;
      next = stateAfter;
    }
    cell = to;
    state = next;

    next = (e2 >>> state) & STATE_MASK;
    to = cell + load<i32>(<usize>next, moves);
    count = load<u32>(to);
    if (count != SENTINEL) store<u32>(to, count + 1);
    else {
      to = arrive(cell, <u32>state, <u32>next, t + 2);
      if (!to) break;
      next = stateAfter;
    }
    cell = to;
    state = next;

    next = (e3 >>> state) & STATE_MASK;
    to = cell + load<i32>(<usize>next, moves);
    count = load<u32>(to);
    if (count != SENTINEL) store<u32>(to, count + 1);
    else {
      to = arrive(cell, <u32>state, <u32>next, t + 3);
      if (!to) break;
      next = stateAfter;
    }
    cell = to;
    state = next;
    t += 4;
  }
  storeWalker(walker, cell, <u32>state);
}

/** The same, keeping the step of each cell's first visit. */
function walkSpanDated(walker: usize, from: u32, end: u32): void {
  tileNow = load<u32>(walker, TILE);
  let cell = <usize>load<u32>(walker, CELL);
  let first = firstVisitOf(mapNow, tileNow, cell);
  let state = <u64>load<u32>(walker, STATE);
  for (let t = from; t < end; ++t) {
    const entry = load<u64>(load<u32>((<usize>t) << 2, places), maps);
    let next = (entry >>> state) & STATE_MASK;
    let to = cell + load<i32>(<usize>next, moves);
    const count = load<u32>(to);
    if (<i64>entry >= 0 && count != SENTINEL) {
      store<u32>(to, count + 1);
      first += load<i32>(<usize>next, firstMoves);
      const step = (blockNow << BLOCK_BITS) + t + 1;
      // without a branch: walkers go one after the other, so which is the earlier visitor is a coin toss
      store<u32>(first, min(step, load<u32>(first)));
    } else {
      to = arrive(cell, <u32>state, <i64>entry < 0 ? UNKNOWN : <u32>next, t);
      if (!to) break;
      next = stateAfter;
      first = firstVisitOf(mapNow, tileNow, to);
    }
    cell = to;
    state = next;
  }
  storeWalker(walker, cell, <u32>state);
}

function storeWalker(walker: usize, cell: usize, state: u32): void {
  store<u32>(walker, <u32>tileNow, TILE);
  store<u32>(walker, <u32>cell, CELL);
  store<u32>(walker, state, STATE);
}

const UNKNOWN: u32 = 0xffffffff;
const openSums = memory.data(32, 16);

/**
 * One whole step from `cell` with heading · 8 = `state`, exactly; `proposed` is the direction · 8 that the word gives, or
 * UNKNOWN. Counts the visit, sets `tileNow` and `stateAfter`, and returns the cell arrived at; 0 with `statusNow` set if
 * there is none to be had.
 */
function arrive(cell: usize, state: u32, proposed: u32, t: u32): usize {
  let direction = proposed == UNKNOWN ? proposeAt(state, t) : proposed >>> 3;
  let to = crossRim(mapNow, tileNow, cell, direction);
  if (to) {
    tileNow = here;
    stateAfter = direction << 3;
    visit(mapNow, tileNow, to, (blockNow << BLOCK_BITS) + t + 1);
    return to;
  }
  locate(mapNow, tileNow, cell);
  let found = lookAt(mapNow, direction);
  if (found == BLOCKED) {
    // the proposal's own extra words count as used
    proposeAt(state, t);
    direction = redirect(tensorNow, state >>> 3, openDirections());
    if (direction != REST) found = lookAt(mapNow, direction);
  }
  to = cell;
  if (direction != REST) {
    if (found == NO_SUCH_CELL) return fail(Status.OFF_THE_MAP);
    to = enterTarget(mapNow, tileNow);
    if (!to) return fail(Status.OUT_OF_MEMORY);
    tileNow = here;
  }
  stateAfter = direction << 3;
  visit(mapNow, tileNow, to, (blockNow << BLOCK_BITS) + t + 1);
  return to;
}

/** The direction that step t's word picks with every neighbour open; its unused extra words are the next ones. */
function proposeAt(state: u32, t: u32): u32 {
  standAt(purposeNow, planeNow, blockNow, t);
  return propose(tensorNow, state >>> 3, load<u32>(words + ((<usize>t) << 2)));
}

/** The directions that are not blocked, a bit each. */
function openDirections(): u32 {
  let open: u32 = 0;
  for (let direction: u32 = 0; direction < DIRECTIONS; ++direction) {
    if (lookAt(mapNow, direction) != BLOCKED) open |= 1 << direction;
  }
  return open;
}

function fail(status: u32): usize {
  statusNow = status;
  return 0;
}
