// Counts visits of the cells on which walkers end. In the map, such a cell has a sentinel (hexMap.ts) instead of a
// count, so that a step onto the cell leaves the hot loop. This file counts in chunks of CHUNK_SIDE × CHUNK_SIDE cells.
// A chunk is created at its first visit. In a map with narrow counts, visits beyond FULL_NARROW are counted here too.

import { allocateZeroed, padded } from "../core/memory";
import { Entry, find, insert, SLOT_BYTES_PER_ENTRY } from "./directory";
import { CHUNK_SIDE_BITS, HexMap, NARROW_SENTINEL } from "./hexMap";
import { CHUNK_CELLS, CHUNK_SIDE } from "./layout";

/**
 * The visits of one chunk: this head, then a u32 count for each cell, row by row.
 *
 *   0     4     8      12
 *   ├─ row ─┼─ col ─┼─ next ─┼─ counts … ─┤
 */
@unmanaged
class EndCounts extends Entry {}

const COUNTS: usize = offsetof<EndCounts>();
const CHUNK_BYTES: usize = COUNTS + <usize>CHUNK_CELLS * sizeof<u32>();
const MOST: u32 = 0xffffffff;
/** Number of visits at which a narrow count is full. */
const FULL_NARROW: u32 = NARROW_SENTINEL;

/** Returns a bound b: if walkers of a new map end in k chunks, the counts of their last visits take ≤ k · b bytes. */
export function bytesPerEnd(map: HexMap): usize {
  return map.hasEnds ? padded(CHUNK_BYTES) + SLOT_BYTES_PER_ENTRY : 0;
}

/** Returns the number of visits of a cell on which walkers end. */
export function endVisits(map: HexMap, row: i32, col: i32): u32 {
  const chunk = find(map.endCounts, row >> CHUNK_SIDE_BITS, col >> CHUNK_SIDE_BITS);
  return chunk ? load<u32>(countOf(chunk, row, col)) : 0;
}

/** Returns the total visits of a cell with a full narrow count. `more` is the number of visits counted in this file. */
export function fullVisits(more: u32): u32 {
  return more > MOST - FULL_NARROW ? MOST : FULL_NARROW + more;
}

/** Returns the address of a chunk's counts, row by row. Returns 0 if no walker has ended in this chunk. */
export function endCountsAt(map: HexMap, chunkRow: i32, chunkCol: i32): usize {
  const chunk = find(map.endCounts, chunkRow, chunkCol);
  return chunk ? chunk + COUNTS : 0;
}

/** Adds visits to a cell on which walkers end. The count stops at the maximum. Returns false if memory runs out. */
export function addEndVisits(map: HexMap, row: i32, col: i32, visits: u32): bool {
  let chunk = find(map.endCounts, row >> CHUNK_SIDE_BITS, col >> CHUNK_SIDE_BITS);
  if (!chunk) {
    chunk = allocateZeroed(CHUNK_BYTES);
    if (!chunk) return false;
    const entry = changetype<Entry>(chunk);
    entry.row = row >> CHUNK_SIDE_BITS;
    entry.col = col >> CHUNK_SIDE_BITS;
    if (!insert(map.endCounts, entry)) return false;
  }
  const count = countOf(chunk, row, col);
  const before = load<u32>(count);
  store<u32>(count, before > MOST - visits ? MOST : before + visits);
  return true;
}

function countOf(chunk: usize, row: i32, col: i32): usize {
  const i = <usize>(((row & (CHUNK_SIDE - 1)) << CHUNK_SIDE_BITS) | (col & (CHUNK_SIDE - 1)));
  return chunk + COUNTS + i * sizeof<u32>();
}
