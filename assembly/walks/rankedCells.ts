// Selects some cells of a region, and numbers them from 0, by row, then by column. Finds the cell with a given number.

import { Share } from "../core/layout";
import { allocate, allocateZeroed } from "../core/memory";
import { bitRow, cellsIn } from "./cellSets";
import { addVisited } from "./chunkBits";
import { keepHolding } from "./density";
import { CHUNK_SIDE_BITS, HexMap } from "./hexMap";
import { CHUNK_SIDE } from "./layout";

/**
 * Selected cells of a region of `side` × `side` cells. `bits` has a bit for each cell, row by row: 1 if the cell is
 * selected. `before` has, for each row, the number of selected cells in all rows above.
 *
 *   0      4      8        12
 *   ├─ side ─┼─ bits ─┼─ before ─┼─ count ─┤
 */
@unmanaged
export class RankedCells {
  side: u32;
  bits: usize;
  before: usize;
  /** Number of selected cells. */
  count: u32;
}

/** The cell that `selectCell` found, relative to the first cell of the region. */
export let rankedRow: i32 = 0;
export let rankedCol: i32 = 0;

/** Allocates {@link RankedCells} for a region. Returns 0 if memory runs out. */
export function createRankedCells(side: u32): usize {
  const at = allocateZeroed(offsetof<RankedCells>());
  const bits = allocate((<usize>side * side) >>> 3);
  const before = allocate(<usize>side * sizeof<u32>());
  if (!at || !bits || !before) return 0;
  const cells = changetype<RankedCells>(at);
  cells.side = side;
  cells.bits = bits;
  cells.before = before;
  return at;
}

/** Selects the cells that the walkers of a map visited. The first chunk of the region is (chunkRow, chunkCol). */
export function rankVisited(cells: RankedCells, map: HexMap, chunkRow: i32, chunkCol: i32): void {
  const chunks = <i32>(cells.side >>> CHUNK_SIDE_BITS);
  const rowBytes = <usize>(cells.side >>> 3);
  memory.fill(cells.bits, 0, <usize>cells.side * rowBytes);
  for (let down = 0; down < chunks; ++down) {
    for (let right = 0; right < chunks; ++right) {
      addVisited(map, chunkRow + down, chunkCol + right, wordOf(cells, down, right, 0), rowBytes);
    }
  }
  countRows(cells);
}

/** Selects the cells of `among` that are not closed in a map. If `among` is 0, selects from all cells of the region. */
export function rankOpen(cells: RankedCells, map: HexMap, among: usize, chunkRow: i32, chunkCol: i32): void {
  const chunks = <i32>(cells.side >>> CHUNK_SIDE_BITS);
  for (let down = 0; down < chunks; ++down) {
    for (let right = 0; right < chunks; ++right) {
      const closed = cellsIn(map.closed, chunkRow + down, chunkCol + right);
      for (let r = 0; r < CHUNK_SIDE; ++r) {
        const all = among ? load<u64>(wordOf(changetype<RankedCells>(among), down, right, r)) : ~(<u64>0);
        store<u64>(wordOf(cells, down, right, r), closed ? all & ~bitRow(closed, r) : all);
      }
    }
  }
  countRows(cells);
}

/** Keeps only those selected cells for which a chance holds. Changes the current stream. */
export function rankHolding(cells: RankedCells, share: Share, chunkRow: i32, chunkCol: i32): void {
  const chunks = <i32>(cells.side >>> CHUNK_SIDE_BITS);
  for (let down = 0; down < chunks; ++down) {
    for (let right = 0; right < chunks; ++right) {
      keepHolding(share, chunkRow + down, chunkCol + right, wordOf(cells, down, right, 0), <usize>(cells.side >>> 3));
    }
  }
  countRows(cells);
}

/**
 * Returns the address of 64 bits: row r of a chunk. The chunk is `down` chunks below and `right` chunks right of the
 * region's first chunk.
 */
function wordOf(cells: RankedCells, down: i32, right: i32, r: i32): usize {
  const row = <usize>(down * CHUNK_SIDE + r);
  return cells.bits + ((row * cells.side) >>> 3) + <usize>right * sizeof<u64>();
}

function countRows(cells: RankedCells): void {
  const rowBytes = <usize>(cells.side >>> 3);
  let count: u32 = 0;
  let at = cells.bits;
  for (let row: usize = 0; row < <usize>cells.side; ++row) {
    store<u32>(cells.before + row * sizeof<u32>(), count);
    for (const end = at + rowBytes; at < end; at += sizeof<u64>()) count += <u32>popcnt(load<u64>(at));
  }
  cells.count = count;
}

/** Sets `rankedRow` and `rankedCol` to the selected cell with the number `rank`, 0 … count − 1. */
export function selectCell(cells: RankedCells, rank: u32): void {
  // the last row with `before` ≤ rank contains the cell
  let low: u32 = 0;
  let high = cells.side - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (load<u32>(cells.before + <usize>middle * sizeof<u32>()) <= rank) low = middle;
    else high = middle - 1;
  }
  let left = rank - load<u32>(cells.before + <usize>low * sizeof<u32>());
  const start = cells.bits + ((<usize>low * cells.side) >>> 3);
  let at = start;
  let bits = load<u64>(at);
  for (let here = <u32>popcnt(bits); here <= left; here = <u32>popcnt(bits)) {
    left -= here;
    at += sizeof<u64>();
    bits = load<u64>(at);
  }
  for (; left; --left) bits &= bits - 1;
  rankedRow = <i32>low;
  rankedCol = <i32>((at - start) << 3) + <i32>ctz(bits);
}
