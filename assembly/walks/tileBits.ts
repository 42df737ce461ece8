// Cells of a tile of CHUNK_SIDE × CHUNK_SIDE cells as bits, 64 cells at a time: bit c of a row is column c. All maps here
// are unbounded, so their tiles are chunks and their sets contain listed tiles only.

import { Vectors } from "../core/vectors";
import { bitRow } from "./cellSets";
import { find } from "./directory";
import { endCountsAt } from "./ends";
import { countAddress, HexMap, Tile } from "./hexMap";
import { CHUNK_SIDE } from "./layout";

const ROW_BYTES: usize = sizeof<u64>();
/** Size of the bits of a tile. */
const TILE_BYTES: usize = <usize>CHUNK_SIDE * ROW_BYTES;
/** Size of a row of CHUNK_SIDE counts. */
const COUNT_ROW_BYTES: usize = <usize>CHUNK_SIDE * sizeof<u32>();

/** Address of row r of the bits of a tile. */
export function rowOfBits(bits: usize, r: i32): usize {
  return bits + <usize>r * ROW_BYTES;
}

/** Makes the bits of a tile all 0. */
export function clearBits(bits: usize): void {
  memory.fill(bits, 0, TILE_BYTES);
}

/** Inverts the bits of a tile. */
export function invertBits(bits: usize): void {
  for (let at = bits; at < bits + TILE_BYTES; at += ROW_BYTES) store<u64>(at, ~load<u64>(at));
}

/** Adds the visited cells of a map in one tile to the bits of the tile. */
export function addVisited(map: HexMap, tileRow: i32, tileCol: i32, bits: usize): void {
  const at = find(map.tiles, tileRow, tileCol);
  if (!at) return;
  const tile = changetype<Tile>(at);
  const endCounts = tile.ends ? endCountsAt(map, tileRow, tileCol) : 0;
  for (let r = 0; r < CHUNK_SIDE; ++r) {
    const row = rowOfBits(bits, r);
    store<u64>(row, load<u64>(row) | visitedRow(map, tile, endCounts, r));
  }
}

/**
 * Returns the visited cells of row r of a tile. The count of a closed cell, and of a cell on which walkers end, is a
 * sentinel: no walker visits the first, and `endCounts` (0 if there are none) has the visits of the second.
 */
export function visitedRow(map: HexMap, tile: Tile, endCounts: usize, r: i32): u64 {
  const counts = countAddress(map, tile, r, 0);
  let visited = map.countShift ? positiveRow(counts) : positiveBytes(counts);
  if (tile.ends) {
    const ends = bitRow(tile.ends, r);
    const ended = ends && endCounts ? positiveRow(endCounts + <usize>r * COUNT_ROW_BYTES) : 0;
    visited = (visited & ~ends) | (ended & ends);
  }
  return tile.closed ? visited & ~bitRow(tile.closed, r) : visited;
}

/** Number of counts that `positive16` reads, one bit for each, and their size. */
const GROUP_BITS: usize = 16;
const GROUP_BYTES: usize = GROUP_BITS * sizeof<u32>();

/** Returns which of 64 counts are not 0. */
function positiveRow(counts: usize): u64 {
  let bits = positive16(counts);
  bits |= positive16(counts + GROUP_BYTES) << GROUP_BITS;
  bits |= positive16(counts + 2 * GROUP_BYTES) << (2 * GROUP_BITS);
  return bits | (positive16(counts + 3 * GROUP_BYTES) << (3 * GROUP_BITS));
}

/** Returns which of 64 narrow counts are not 0. */
function positiveBytes(counts: usize): u64 {
  let bits: u64 = 0;
  for (let i: usize = 0; i < <usize>CHUNK_SIDE; i += GROUP_BITS) {
    const zeros = i8x16.bitmask(i8x16.eq(v128.load(counts + i), i8x16.splat(0)));
    bits |= (<u64>(<u32>~zeros & 0xffff)) << i;
  }
  return bits;
}

function positive16(counts: usize): u64 {
  const zero = i32x4.splat(0);
  const four = changetype<Vectors>(counts);
  const low = i16x8.narrow_i32x4_s(i32x4.ne(four.a, zero), i32x4.ne(four.b, zero));
  const high = i16x8.narrow_i32x4_s(i32x4.ne(four.c, zero), i32x4.ne(four.d, zero));
  return <u64>i8x16.bitmask(i8x16.narrow_i16x8_s(low, high));
}
