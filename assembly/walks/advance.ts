// Walks. Step t of walker w reads word t of plane w, and picks one of six directions. The weights of the directions are
// the row of the Direction Tensor for the walker's heading.
//
// The state of a walker is heading · 8. For every tensor, a step is `state = (maps[word >>> 21] >>> state) & 56`. Only
// the shift uses the state, so the load of a map does not wait for the previous step. tensor.ts explains the maps.
// `arrive` handles the rare cases: an undecided word, the rim of a tile, a closed cell, or a cell on which walkers end.
//
// On a slope, the weights differ from cell to cell, so no table of maps fits them. `walkSlope` computes the weights of
// each step.

import { window, words } from "../core/buffers";
import { BLOCK_BITS, BLOCK_WORDS, Status } from "../core/layout";
import { failAt } from "../core/status";
import {
  BLOCK_BYTES,
  BLOCK_MASK,
  extraWord,
  fillRange,
  planeOf,
  SPAN_BLOCKS,
  SPAN_BYTES,
  SPAN_WORDS,
  selectExtraWords,
  startBlock,
} from "../core/words";
import { fillRows, fillRowsOfTwo } from "../core/xoshiro";
import { Directory } from "./directory";
import { cornerOf } from "./fieldCells";
import { canStep, GroupWalker, groupWalker, lanesOf, stepsWanted } from "./groups";
import {
  changes,
  countSteps,
  DIRECTION_COUNT,
  firstSteps,
  HexMap,
  originCol,
  originRow,
  SENTINEL,
  STEPS_BYTES,
  Tile,
} from "./hexMap";
import {
  colHere,
  crossRim,
  enter,
  enterExisting,
  enterTarget,
  firstVisitOf,
  here,
  isEndTarget,
  locate,
  lookAt,
  rowHere,
} from "./hexMoves";
import { MOST_PLACES_AHEAD, PlaceAhead, RESTING, SlopePlan, Walker, WalkerGroup } from "./layout";
import {
  chooseOnSlope,
  EAST,
  Factor,
  HERE,
  NORTH_EAST,
  SixWeights,
  SOUTH_EAST,
  SOUTH_WEST,
  valueMoves,
  WEST,
} from "./slopes";
import { ALL_OPEN, MAPS_BYTES, PLACE_SHIFT, PLACES, propose, redirect, tensorsMade, weightRow } from "./tensor";
import { endStuck, endWalker, firstHere, hasEnded, visit, walkerAt } from "./walkers";

/** The prefix sums of the weights of a step on a slope. */
const sums = memory.data(<i32>offsetof<SixWeights>(), 16);

/** Extracts the next state from the lowest byte of a shifted map. */
const STATE_MASK: u32 = 0x38;

// The hot loop reads this data at fixed addresses:
//
//   maps         the current table of maps
//   moves        for each heading, the byte distance to the count of the next cell
//   firstMoves   for each heading, the byte distance to the first visit of the next cell
//   places       for each word of the span, the byte offset of its map in `maps`
const maps = memory.data(<i32>MAPS_BYTES, 16);
const moves = memory.data(<i32>STEPS_BYTES, 16);
const firstMoves = memory.data(<i32>STEPS_BYTES, 16);
// 16 extra bytes, because the last group of four words can extend past the span
const places = memory.data(<i32>SPAN_BYTES + 16, 16);

// Variables of the current step. They are global, so that the hot loop does not need registers to pass them to
// `arrive`.
let mapNow = changetype<HexMap>(0);
let tensorNow: usize = 0;
let walkerNow = changetype<Walker>(0);
let planeNow: u64 = 0;
let blockNow: u32 = 0;
/** The address of the current span's first word. */
let wordsNow: usize = words;
let tileNow: usize = 0;
let stateAfter: u32 = 0;
let statusNow = Status.OK;
/** Address of the current map's {@link SlopePlan}, or 0. */
let slopeNow: usize = 0;
/** With a slope: the address of the value of the north-western neighbour of the walker's cell. */
let cornerNow: usize = 0;
/** The cell on which the walker ended; 0 if it has not ended. */
let endNow: usize = 0;
/** Whether the walker ended because no neighbour has a weight. */
let isStuck = false;
/** The tile of the cell `endNow`. */
let endTileNow: usize = 0;
/** Number of steps that the walker took until it ended. */
let stepsNow: u64 = 0;
/** Index of the failed step, counted from the first step of the current span. */
let failedNow: u32 = 0;
/** Number of steps that the failed walker took in the last failed call of `advance`. */
let stepsBefore: u32 = 0;

/**
 * Moves walkers `first … first + count` − 1 of the array by `steps` steps each. Their first step is step block · 1024 +
 * offset. Walker i of the array is walker planeHigh · 2^32 + planeLow + i of the walk. A walker that has ended does not
 * move.
 *
 * If a step fails, its walker stays where it was before this step. The walkers before the failed walker have taken all
 * their steps, and the walkers after the failed walker have not moved. `failedOffset` returns the index of the failed
 * walker in the array. `failedStep` returns the number of steps that the failed walker took.
 */
export function advance(
  map: HexMap,
  tensor: usize,
  walkers: usize,
  first: u32,
  count: u32,
  planeLow: u32,
  planeHigh: u32,
  block: u32,
  offset: u32,
  steps: u32,
): Status {
  useMap(map, tensor);
  const plane = planeOf(planeLow, planeHigh);
  const past = first + count;
  for (let i = first; i < past; ++i) {
    const walker = walkerAt(walkers, i);
    if (hasEnded(walker)) continue;
    planeNow = plane + i;
    blockNow = block;
    wordsNow = words;
    let left = steps;
    let from = offset;
    while (left) {
      const end = min(SPAN_WORDS, from + left);
      fillRange(planeNow, blockNow, words, from, end);
      const hasStopped = !walkPart(walkers, i, from, end);
      if (statusNow != Status.OK) {
        failAt(i, 0);
        stepsBefore = <u32>(stepIndex(blockNow, failedNow) - stepIndex(block, offset));
        return statusNow;
      }
      if (hasStopped) break;
      left -= end - from;
      from = 0;
      blockNow += SPAN_BLOCKS;
    }
  }
  return Status.OK;
}

/** Counts above this are sentinels, or steps that were found in advance could fill them. */
const MOST_COUNT: u32 = SENTINEL - MOST_PLACES_AHEAD;

/**
 * Writes the place of walker i, and its places after each of its next steps, to the window, as {@link PlaceAhead}s.
 * Returns the number of steps, `count` ≤ MOST_PLACES_AHEAD at most. The walker does not move. Stops before a cell that is
 * closed, ends walkers, or is in a tile that does not exist, and before a count that these steps could fill. So when the
 * walker takes the steps, they need no memory. The map has wide counts. The other arguments are those of {@link advance}.
 */
export function placesAhead(
  map: HexMap,
  tensor: usize,
  walkers: usize,
  i: u32,
  planeLow: u32,
  planeHigh: u32,
  block: u32,
  offset: u32,
  count: u32,
): u32 {
  const walker = walkerAt(walkers, i);
  if (map.slope || hasEnded(walker)) return 0;
  useMap(map, tensor);
  planeNow = planeOf(planeLow, planeHigh) + i;
  blockNow = block;
  wordsNow = words;
  const end = min(SPAN_WORDS, offset + count);
  fillRange(planeNow, block, words, offset, end);
  findPlaces(offset, end);
  let tile = changetype<Tile>(walker.tile);
  let cell = walker.cell;
  let state = walker.state;
  let at = changetype<PlaceAhead>(window);
  for (let t = offset; ; ++t) {
    locate(map, tile, cell);
    at.row = rowHere;
    // the axial column (hexMap.ts)
    at.col = map.skew ? colHere - (rowHere >> 1) : colHere;
    // both in one vector, so that a step is one addition
    let coordinates = v128.load64_zero(changetype<usize>(at));
    // like the loop in `walkSpan`, it calls no function
    for (; ; ++t) {
      v128.store64_lane(changetype<usize>(at), coordinates, 0);
      at.heading = state >>> 3;
      at.cell = cell;
      if (t == end) break;
      const entry = load<u64>(load<u32>((<usize>t) << 2, places), maps);
      const next = <u32>(entry >>> state) & STATE_MASK;
      const to = cell + load<i32>(next, moves);
      // two conditions, because V8 makes a number of one with ||
      if (<i64>entry < 0) break;
      if (load<u32>(to) > MOST_COUNT) break;
      state = next;
      cell = to;
      coordinates = i32x4.add(coordinates, v128.load64_zero(next, changes));
      at = changetype<PlaceAhead>(changetype<usize>(at) + offsetof<PlaceAhead>());
    }
    if (t == end) break;
    const direction = proposeAt(state, t);
    locate(map, tile, cell);
    if (!lookAt(map, direction) || isEndTarget(map)) break;
    cell = enterExisting(map);
    if (!cell || load<u32>(cell) > MOST_COUNT) break;
    tile = changetype<Tile>(here);
    state = direction << 3;
    at = changetype<PlaceAhead>(changetype<usize>(at) + offsetof<PlaceAhead>());
  }
  const found = <u32>(changetype<usize>(at) - window) / offsetof<PlaceAhead>();
  if (map.skew) skewPlaces(found + 1);
  return found;
}

/**
 * Lets walker i take the first `count` ≥ 1 of the steps that `placesAhead` found, if no other call has written to the
 * window since. The map keeps no first visits.
 */
export function takePlaces(map: HexMap, walkers: usize, i: u32, count: u32): void {
  let at = changetype<PlaceAhead>(window);
  for (let k: u32 = 0; k < count; ++k) {
    at = changetype<PlaceAhead>(changetype<usize>(at) + offsetof<PlaceAhead>());
    store<u32>(at.cell, load<u32>(at.cell) + 1);
  }
  const walker = walkerAt(walkers, i);
  walker.cell = enter(map, at.row, at.col);
  walker.tile = here;
  walker.state = at.heading << 3;
}

/** Turns the axial columns of the first places in the window into odd-r columns (hexMap.ts). */
function skewPlaces(count: u32): void {
  for (let i: u32 = 0; i < count; ++i) {
    const place = changetype<PlaceAhead>(window + <usize>i * offsetof<PlaceAhead>());
    place.col += place.row >> 1;
  }
}

/**
 * Moves the walkers of a group until none of their remaining steps can visit the rectangle of `wantRectangle`. A whole
 * walk has `steps` steps. Reads the words of the current stream. After a failure, the map cannot be used any more.
 */
export function advanceGroup(map: HexMap, tensor: usize, group: WalkerGroup, steps: u32): Status {
  useMap(map, tensor);
  group.left = 0;
  for (let i: u32 = 0; i < group.count; i += 2) {
    // two generators at once take less time than one after the other
    const a = groupWalker(group, i);
    const b = groupWalker(group, i + 1);
    const hasSecond = i + 1 < group.count;
    for (;;) {
      const partA = partWanted(map, a, steps);
      const partB = hasSecond ? partWanted(map, b, steps) : 0;
      if (!(partA | partB)) break;
      const plane = <u64>group.first + i;
      if (partA) startPart(a, plane);
      if (partB) startPart(b, plane + 1);
      fillParts(a, partA, b, partB);
      if (partA && !takePart(a, plane, partA, words)) return statusNow;
      if (partB && !takePart(b, plane + 1, partB, words + BLOCK_BYTES)) return statusNow;
    }
    group.left += u32(canStep(a, steps)) + u32(hasSecond && canStep(b, steps));
  }
  return Status.OK;
}

/**
 * Returns how many steps a walker should take next. The words of these steps are all in the walker's current block.
 */
function partWanted(map: HexMap, walker: GroupWalker, steps: u32): u32 {
  return min(stepsWanted(map, walker, steps), BLOCK_WORDS - (walker.taken & BLOCK_MASK));
}

/** Starts the generator of a walker if the walker's next word is the first word of a block. */
function startPart(walker: GroupWalker, plane: u64): void {
  if (!(walker.taken & BLOCK_MASK)) startBlock(plane, walker.taken >>> BLOCK_BITS, lanesOf(walker));
}

/**
 * Makes the words of the next `partA` steps of walker a, and of the next `partB` steps of walker b. Writes the words of
 * a to the first block of the span, and the words of b to the second. A word keeps the offset in its own block.
 */
function fillParts(a: GroupWalker, partA: u32, b: GroupWalker, partB: u32): void {
  const rowsA = (partA + 3) >>> 2;
  const rowsB = (partB + 3) >>> 2;
  const both = min(rowsA, rowsB);
  const outA = words + wordOffset(a);
  const outB = words + BLOCK_BYTES + wordOffset(b);
  const behind = (<usize>both) << 4;
  if (both) fillRowsOfTwo(lanesOf(a), outA, lanesOf(b), outB, both);
  if (rowsA > both) fillRows(lanesOf(a), outA + behind, rowsA - both);
  if (rowsB > both) fillRows(lanesOf(b), outB + behind, rowsB - both);
}

/** Returns the byte offset of the next word of a walker in its block. */
function wordOffset(walker: GroupWalker): usize {
  return (<usize>(walker.taken & BLOCK_MASK)) << 2;
}

/** Takes the next `count` steps of a walker. Their words are in the block at `at`. Returns false if a step fails. */
function takePart(walker: GroupWalker, plane: u64, count: u32, at: usize): bool {
  const from = walker.taken & BLOCK_MASK;
  planeNow = plane;
  blockNow = walker.taken >>> BLOCK_BITS;
  wordsNow = at;
  // passes the walker as an array of one walker
  walkPart(changetype<usize>(walker), 0, from, from + count);
  walker.taken += count;
  return statusNow == Status.OK;
}

/** Prepares the hot loop for a map and a tensor. */
function useMap(map: HexMap, tensor: usize): void {
  mapNow = map;
  tensorNow = tensor;
  slopeNow = map.slope;
  statusNow = Status.OK;
  copyMaps(tensor);
  memory.copy(moves, countSteps(map), STEPS_BYTES);
  memory.copy(firstMoves, firstSteps(map), STEPS_BYTES);
}

/**
 * Takes the steps `from` … `end` − 1 of the current span with walker i of an array. Returns false if the walker has
 * ended, or if a step has failed. Only a failed step sets `statusNow` to an error.
 */
function walkPart(walkers: usize, i: u32, from: u32, end: u32): bool {
  const walker = walkerAt(walkers, i);
  walkerNow = walker;
  if (!slopeNow) findPlaces(from, end);
  if (mapNow.countShift) walkWide(walker, from, end);
  else walkNarrow(walker, from, end);
  if (!endNow) return statusNow == Status.OK;
  statusNow = isStuck
    ? endStuck(mapNow, walkers, i, stepsNow)
    : endWalker(mapNow, walkers, i, endTileNow, endNow, stateAfter, stepsNow);
  endNow = 0;
  return false;
}

/** Returns the number of steps that the failed walker took in the last failed call of `advance`. */
export function failedStep(): u32 {
  return stepsBefore;
}

/** Returns the number of steps before step t of a block. */
function stepIndex(block: u32, t: u32): u64 {
  return ((<u64>block) << BLOCK_BITS) + t;
}

// The tensor whose maps were copied, and the value of `tensorsMade` at the time of the copy. A new tensor can have the
// address of a released tensor, so the address alone does not identify a tensor.
let tensorCopied: usize = 0;
let tensorsThen: u32 = 0;

function copyMaps(tensor: usize): void {
  if (tensor == tensorCopied && tensorsMade == tensorsThen) return;
  memory.copy(maps, tensor, MAPS_BYTES);
  tensorCopied = tensor;
  tensorsThen = tensorsMade;
}

/** Fills `places` for the words `from` … `end` − 1 of the current span. */
function findPlaces(from: u32, end: u32): void {
  const mask = i32x4.splat((<i32>PLACES - 1) << 3);
  // begins with a whole group of four words
  for (let at = (<usize>(from & ~3)) << 2; at < (<usize>end) << 2; at += 16) {
    v128.store(at, v128.and(i32x4.shr_u(v128.load(wordsNow + at), PLACE_SHIFT - 3), mask), places);
  }
}

/** Takes the steps `from` … `end` − 1 of a span on a map with counts of 32 bits. */
function walkWide(walker: Walker, from: u32, end: u32): void {
  if (slopeNow) walkSlope<u32>(walker, from, end);
  else if (mapNow.firstVisits) walkSpanDated<u32>(walker, from, end);
  else walkSpan<u32>(walker, from, end);
}

/** Takes the steps `from` … `end` − 1 of a span on a map with counts of 8 bits. */
function walkNarrow(walker: Walker, from: u32, end: u32): void {
  if (slopeNow) walkSlope<u8>(walker, from, end);
  else if (mapNow.firstVisits) walkSpanDated<u8>(walker, from, end);
  else walkSpan<u8>(walker, from, end);
}

/** Takes the steps `from` … `end` − 1 of a span. */
function walkSpan<T extends u32>(walker: Walker, from: u32, end: u32): void {
  tileNow = walker.tile;
  let cell = walker.cell;
  let state = walker.state;
  for (let t = from; t < end; ++t) {
    // Takes four steps at a time, until a word does not decide the direction, or a step would enter a sentinel. The
    // loop calls no function: with a call, V8 would keep the variables of the loop in memory, not in registers.
    for (; t + 4 <= end; t += 4) {
      const at = (<usize>t) << 2;
      const e0 = load<u64>(load<u32>(at, places), maps);
      const e1 = load<u64>(load<u32>(at, places + 4), maps);
      const e2 = load<u64>(load<u32>(at, places + 8), maps);
      const e3 = load<u64>(load<u32>(at, places + 12), maps);
      if (<i64>(e0 | e1 | e2 | e3) < 0) break;

      const state1 = <u32>(e0 >>> state) & STATE_MASK;
      const cell1 = cell + load<i32>(state1, moves);
      const count1 = load<T>(cell1);
      if (count1 == <T>SENTINEL) break;
      store<T>(cell1, <T>(count1 + 1));
      cell = cell1;
      state = state1;

      const state2 = <u32>(e1 >>> state) & STATE_MASK;
      const cell2 = cell + load<i32>(state2, moves);
      const count2 = load<T>(cell2);
      if (count2 == <T>SENTINEL) {
        t += 1;
        break;
      }
      store<T>(cell2, <T>(count2 + 1));
      cell = cell2;
      state = state2;

      const state3 = <u32>(e2 >>> state) & STATE_MASK;
      const cell3 = cell + load<i32>(state3, moves);
      const count3 = load<T>(cell3);
      if (count3 == <T>SENTINEL) {
        t += 2;
        break;
      }
      store<T>(cell3, <T>(count3 + 1));
      cell = cell3;
      state = state3;

      const state4 = <u32>(e3 >>> state) & STATE_MASK;
      const cell4 = cell + load<i32>(state4, moves);
      const count4 = load<T>(cell4);
      if (count4 == <T>SENTINEL) {
        t += 3;
        break;
      }
      store<T>(cell4, <T>(count4 + 1));
      cell = cell4;
      state = state4;
    }
    if (t == end) break;
    const entry = load<u64>(load<u32>((<usize>t) << 2, places), maps);
    let next = <u32>(entry >>> state) & STATE_MASK;
    let to = cell + load<i32>(next, moves);
    const count = load<T>(to);
    if (<i64>entry >= 0 && count != <T>SENTINEL) store<T>(to, <T>(count + 1));
    else {
      to = arrive(cell, state, <i64>entry < 0 ? UNKNOWN : next, t);
      if (!to) return;
      next = stateAfter;
    }
    cell = to;
    state = next;
  }
  storeWalker(cell, state);
}

/** Does the same as {@link walkSpan}, and also stores the earliest step that visits each cell. */
function walkSpanDated<T extends u32>(walker: Walker, from: u32, end: u32): void {
  tileNow = walker.tile;
  let cell = walker.cell;
  let first = firstVisitOf(mapNow, changetype<Tile>(tileNow), cell);
  let state = walker.state;
  for (let t = from; t < end; ++t) {
    const entry = load<u64>(load<u32>((<usize>t) << 2, places), maps);
    let next = <u32>(entry >>> state) & STATE_MASK;
    let to = cell + load<i32>(next, moves);
    const count = load<T>(to);
    if (<i64>entry >= 0 && count != <T>SENTINEL) {
      store<T>(to, <T>(count + 1));
      first += load<i32>(next, firstMoves);
      const step = (blockNow << BLOCK_BITS) + t + 1;
      // The stored step can be greater than this step, because a walker takes all its steps before the next walker
      // moves. `min` avoids a branch that the processor could not predict.
      store<u32>(first, min(step, load<u32>(first)));
    } else {
      to = arrive(cell, state, <i64>entry < 0 ? UNKNOWN : next, t);
      if (!to) return;
      next = stateAfter;
      first = firstHere;
    }
    cell = to;
    state = next;
  }
  storeWalker(cell, state);
}

/** Takes the steps `from` … `end` − 1 of a span on a map with a slope. Stores first visits if the map keeps them. */
function walkSlope<T extends u32>(walker: Walker, from: u32, end: u32): void {
  const slope = changetype<SlopePlan>(slopeNow);
  const down = slope.down;
  const level = slope.level;
  const up = slope.up;
  const steepness = slope.steepness;
  const isDated = mapNow.firstVisits != 0;
  const rows = weightRow(tensorNow, 0);
  const source = wordsNow;
  const prefix = changetype<SixWeights>(sums);
  tileNow = walker.tile;
  let cell = walker.cell;
  let state = walker.state;
  let corner = cornerAt(cell);
  let first = isDated ? firstVisitOf(mapNow, changetype<Tile>(tileNow), cell) : 0;
  for (let t = from; t < end; ++t) {
    // A state is heading · 8, and a row has six u32. The sums are stored, so that V8 computes one after the other: for
    // all of them at once, it would need more registers than there are, and keep the cell in memory.
    const row = changetype<SixWeights>(rows + 3 * state);
    const height = <i32>load<u16>(corner, HERE);
    let sum = row.nw * Factor.of(height - load<u16>(corner), down, level, up, steepness);
    prefix.nw = sum;
    sum += row.ne * Factor.of(height - load<u16>(corner, NORTH_EAST), down, level, up, steepness);
    prefix.ne = sum;
    sum += row.e * Factor.of(height - load<u16>(corner, EAST), down, level, up, steepness);
    prefix.e = sum;
    sum += row.se * Factor.of(height - load<u16>(corner, SOUTH_EAST), down, level, up, steepness);
    prefix.se = sum;
    sum += row.sw * Factor.of(height - load<u16>(corner, SOUTH_WEST), down, level, up, steepness);
    prefix.sw = sum;
    const total = sum + row.w * Factor.of(height - load<u16>(corner, WEST), down, level, up, steepness);
    const product = <u64>load<u32>(source + ((<usize>t) << 2)) * total;
    const x = <u32>(product >>> 32);
    // the picked direction is the number of prefix sums ≤ x
    let next = u32(prefix.nw <= x) + u32(prefix.ne <= x) + (u32(prefix.e <= x) + u32(prefix.se <= x)) + u32(sum <= x);
    next <<= 3;
    const isSettled = <u32>product <= 0 - total && total != 0;
    let to = cell + load<i32>(next, moves);
    const count = load<T>(to);
    if (isSettled && count != <T>SENTINEL) {
      store<T>(to, <T>(count + 1));
      corner += load<i32>(next, valueMoves);
      if (isDated) {
        first += load<i32>(next, firstMoves);
        const step = (blockNow << BLOCK_BITS) + t + 1;
        store<u32>(first, min(step, load<u32>(first)));
      }
    } else {
      const tile = tileNow;
      cornerNow = corner;
      to = arrive(cell, state, isSettled ? next : UNKNOWN, t);
      if (!to) return;
      next = stateAfter;
      if (next == RESTING << 3) {
        rest(to, t + 1, end);
        return;
      }
      corner = tile == tileNow ? corner + load<i32>(next, valueMoves) : cornerAt(to);
      first = firstHere;
    }
    cell = to;
    state = next;
  }
  storeWalker(cell, state);
}

/**
 * Takes the steps `from` … `end` − 1 with a walker that is stuck on a cell: it rests, because nothing changes there.
 */
function rest(cell: usize, from: u32, end: u32): void {
  storeWalker(cell, RESTING << 3);
  for (let t = from; t < end; ++t) {
    const step = (blockNow << BLOCK_BITS) + t + 1;
    if (visit(mapNow, changetype<Tile>(tileNow), cell, step)) continue;
    fail(Status.OUT_OF_MEMORY, t);
    return;
  }
}

/** Returns the address of the value of the north-western neighbour of a cell of the current tile. */
function cornerAt(cell: usize): usize {
  const tile = changetype<Tile>(tileNow);
  const values = changetype<SlopePlan>(slopeNow).values;
  locate(mapNow, tile, cell);
  const row = rowHere - originRow(mapNow, tile);
  const col = colHere - originCol(mapNow, tile);
  return cornerOf(changetype<Directory>(values), tile.row, tile.col, row, col);
}

function storeWalker(cell: usize, state: u32): void {
  walkerNow.tile = tileNow;
  walkerNow.cell = cell;
  walkerNow.state = state;
}

const UNKNOWN: u32 = 0xffffffff;

/**
 * Takes one exact step from `cell`. `state` is heading · 8. `proposed` is the direction · 8 that the word picks, or
 * UNKNOWN.
 *
 * Counts the visit, sets `tileNow` and `stateAfter`, and returns the new cell. On failure, sets `statusNow` and returns
 * 0. If the walker ends on the new cell, sets `endNow` and `stepsNow`, counts nothing, and returns 0. Before it returns
 * 0, `arrive` stores the walker as it was before this step. So the hot loops need not keep the old cell and the old
 * state.
 */
function arrive(cell: usize, state: u32, proposed: u32, t: u32): usize {
  const to = enterNext(cell, state, proposed, t);
  if (!to) storeWalker(cell, state);
  return to;
}

/** Does what {@link arrive} does, but does not store the walker. */
function enterNext(cell: usize, state: u32, proposed: u32, t: u32): usize {
  const tile = changetype<Tile>(tileNow);
  let direction = proposed == UNKNOWN ? proposeAt(state, t) : proposed >>> 3;
  // without any weight on a slope, the proposal itself is RESTING
  let to: usize = direction == RESTING ? 0 : crossRim(mapNow, tile, cell, direction);
  if (!to) {
    locate(mapNow, tile, cell);
    if (direction != RESTING && !lookAt(mapNow, direction)) {
      // repeats the proposal, so that the redraw reads the extra words that follow the proposal's extra words
      proposeAt(state, t);
      direction = redirectTo(state, openDirections());
      // finds the target of the new direction
      if (direction != RESTING) lookAt(mapNow, direction);
    }
    if (direction == RESTING && slopeNow && changetype<SlopePlan>(slopeNow).ends) return stopStuck(cell, t);
    to = direction == RESTING ? cell : enterTarget(mapNow, tile);
    if (!to) return fail(Status.OUT_OF_MEMORY, t);
    if (direction != RESTING && isEndTarget(mapNow)) return stop(to, direction, t);
  }
  const tileAfter = direction == RESTING ? tileNow : here;
  const step = (blockNow << BLOCK_BITS) + t + 1;
  if (!visit(mapNow, changetype<Tile>(tileAfter), to, step)) return fail(Status.OUT_OF_MEMORY, t);
  tileNow = tileAfter;
  stateAfter = direction << 3;
  return to;
}

/** Returns the direction that the word of step t picks if every neighbour is open. May use extra words of the step. */
function proposeAt(state: u32, t: u32): u32 {
  selectExtraWords(planeNow, blockNow, t);
  const word = load<u32>(wordsNow + ((<usize>t) << 2));
  if (!slopeNow) return propose(tensorNow, state >>> 3, word);
  return chooseOnSlope(changetype<SlopePlan>(slopeNow), tensorNow, state >>> 3, cornerNow, ALL_OPEN, word);
}

/** Draws a new direction among the open directions, after the proposed direction was blocked. */
function redirectTo(state: u32, open: u32): u32 {
  if (!slopeNow) return redirect(tensorNow, state >>> 3, open);
  return chooseOnSlope(changetype<SlopePlan>(slopeNow), tensorNow, state >>> 3, cornerNow, open, extraWord());
}

/** Returns the set of directions whose neighbours are open, as bits. Bit d is direction d. */
function openDirections(): u32 {
  let open: u32 = 0;
  for (let direction: u32 = 0; direction < DIRECTION_COUNT; ++direction) {
    if (lookAt(mapNow, direction)) open |= 1 << direction;
  }
  return open;
}

/** Records that the walker ends on `cell` in step t. `walkPart` then ends the walker and counts the visit. */
function stop(cell: usize, direction: u32, t: u32): usize {
  endNow = cell;
  isStuck = false;
  endTileNow = here;
  stateAfter = direction << 3;
  stepsNow = stepIndex(blockNow, t) + 1;
  // if `endWalker` fails, this is the failed step
  failedNow = t;
  return 0;
}

/** Records that the walker ends before step t, on the cell where it is. `walkPart` then ends the walker. */
function stopStuck(cell: usize, t: u32): usize {
  endNow = cell;
  isStuck = true;
  stepsNow = stepIndex(blockNow, t);
  failedNow = t;
  return 0;
}

/** Records that step t failed. */
function fail(status: Status, t: u32): usize {
  statusNow = status;
  failedNow = t;
  return 0;
}
