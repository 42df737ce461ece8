// The cells of a chunk as bits. A row is a u64, and bit c is column c. All maps in this file are unbounded. So a tile
// consists of one or more whole chunks, and the cell sets of a map have `elsewhere` = 0. If a tile has closed cells or
// cells on which walkers end, the tile is exactly one chunk.

import { Vectors } from "../core/vectors";
import { bitRow } from "./cellSets";
import { find } from "./directory";
import { endCountsAt } from "./ends";
import { CHUNK_SIDE_BITS, countAddress, HexMap, Tile } from "./hexMap";
import { CHUNK_SIDE } from "./layout";

/** Size of a row of a chunk's bits, in bytes. */
export const ROW_BYTES: usize = sizeof<u64>();
/** Size of a chunk's bits, in bytes. */
const CHUNK_BYTES: usize = <usize>CHUNK_SIDE * ROW_BYTES;
/** Size of a row of CHUNK_SIDE counts, in bytes. */
const COUNT_ROW_BYTES: usize = <usize>CHUNK_SIDE * sizeof<u32>();

/** Returns the address of row r of a chunk's bits. */
export function rowOfBits(bits: usize, r: i32): usize {
  return bits + <usize>r * ROW_BYTES;
}

export function clearBits(bits: usize): void {
  memory.fill(bits, 0, CHUNK_BYTES);
}

export function invertBits(bits: usize): void {
  for (let at = bits; at < bits + CHUNK_BYTES; at += ROW_BYTES) store<u64>(at, ~load<u64>(at));
}

/**
 * Sets the bits of a chunk's visited cells. `map` has the visits. `rowBytes` is the distance from one row of bits
 * to the next. It is ROW_BYTES if the bits are of one chunk only.
 */
export function addVisited(map: HexMap, chunkRow: i32, chunkCol: i32, bits: usize, rowBytes: usize): void {
  const at = tileOfChunk(map, chunkRow, chunkCol);
  if (!at) return;
  const tile = changetype<Tile>(at);
  const r0 = inTile(map, chunkRow);
  const endCounts = tile.ends ? endCountsAt(map, chunkRow, chunkCol) : 0;
  const stride = (<usize>map.stride) << map.countShift;
  let counts = countAddress(map, tile, r0, inTile(map, chunkCol));
  for (let r = r0; r < r0 + CHUNK_SIDE; ++r, counts += stride, bits += rowBytes) {
    store<u64>(bits, load<u64>(bits) | visitedRow(map, tile, endCounts, r, counts));
  }
}

/** Returns the address of the tile that has a chunk, or 0 if it does not exist. */
function tileOfChunk(map: HexMap, chunkRow: i32, chunkCol: i32): usize {
  const shift = map.tileShift - CHUNK_SIDE_BITS;
  return find(map.tiles, chunkRow >> shift, chunkCol >> shift);
}

/** Returns the first row of a chunk, or its first column, relative to the first cell of the chunk's tile. */
function inTile(map: HexMap, chunk: i32): i32 {
  return (chunk << CHUNK_SIDE_BITS) & (map.tileRows - 1);
}

/**
 * Returns a bit for each of 64 cells: 1 if the cell is visited. The cells are one row of a chunk, in row r of its tile.
 * `counts` is the address of the first cell's count. Closed cells, and cells on which walkers end, have a sentinel in
 * the tile, not a count. A closed cell is never visited. For cells on which walkers end, `endCounts` is the address of
 * the visits, or 0 if no walker has ended there.
 */
export function visitedRow(map: HexMap, tile: Tile, endCounts: usize, r: i32, counts: usize): u64 {
  let visited = map.countShift ? positiveRow(counts) : positiveBytes(counts);
  if (tile.ends) {
    const ends = bitRow(tile.ends, r);
    const ended = ends && endCounts ? positiveRow(endCounts + <usize>r * COUNT_ROW_BYTES) : 0;
    visited = (visited & ~ends) | (ended & ends);
  }
  return tile.closed ? visited & ~bitRow(tile.closed, r) : visited;
}

/** `positive16` reads this many counts, and returns one bit for each count. GROUP_BYTES is the size of the counts. */
const GROUP_BITS: usize = 16;
const GROUP_BYTES: usize = GROUP_BITS * sizeof<u32>();

/** Returns a bit for each of 64 counts: 1 if the count is not 0. */
function positiveRow(counts: usize): u64 {
  let bits = positive16(counts);
  bits |= positive16(counts + GROUP_BYTES) << GROUP_BITS;
  bits |= positive16(counts + 2 * GROUP_BYTES) << (2 * GROUP_BITS);
  return bits | (positive16(counts + 3 * GROUP_BYTES) << (3 * GROUP_BITS));
}

/** Returns a bit for each of 64 narrow counts: 1 if the count is not 0. */
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
