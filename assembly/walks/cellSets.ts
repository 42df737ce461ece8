// Sets of cells of a hex map. Each map has two sets: the closed cells, and the cells on which walkers end.

import { allocateZeroed } from "../core/memory";
import { createDirectory, Directory, Entry, find, insert } from "./directory";

/**
 * A set of cells. The directory has one entry for each tile in which a cell was marked. The entry lists the cells of
 * this tile. For tiles without an entry, the set contains all cells if `elsewhere` is 1, and no cells if it is 0.
 *
 *   0       4           8
 *   ├─ tiles ─┼─ elsewhere ─┤
 */
@unmanaged
export class CellSet {
  tiles: Directory;
  elsewhere: u32;
}

/**
 * The cells of one tile. After this head follows one bit for each cell, row by row. The bit is 1 if the set contains
 * the cell.
 *
 *   0     4     8      12
 *   ├─ row ─┼─ col ─┼─ next ─┼─ bits … ─┤
 */
@unmanaged
class TileCells extends Entry {}

const BITS: usize = offsetof<TileCells>();

/** Creates an empty set. Returns 0 if memory runs out. */
export function createCellSet(): usize {
  const at = allocateZeroed(offsetof<CellSet>());
  const tiles = createDirectory();
  if (!at || !tiles) return 0;
  changetype<CellSet>(at).tiles = changetype<Directory>(tiles);
  return at;
}

/** Returns the entry of a tile, or 0 if the tile has none. */
export function cellsIn(set: CellSet, tileRow: i32, tileCol: i32): usize {
  return set.tiles.count ? find(set.tiles, tileRow, tileCol) : 0;
}

/**
 * Returns whether the set contains cell `i` of a tile. `cells` is the tile's entry in the set, or 0 if the tile has no
 * entry.
 */
export function contains(set: CellSet, cells: usize, i: usize): bool {
  if (!cells) return set.elsewhere != 0;
  return ((<u32>load<u8>(cells + (i >>> 3), BITS) >>> (<u32>i & 7)) & 1) != 0;
}

/**
 * Adds cell `i` of a tile to the set. If `elsewhere` is 1, removes the cell instead. `count` is the number of the
 * tile's cells. Returns false if memory runs out.
 */
export function markCell(set: CellSet, tileRow: i32, tileCol: i32, count: usize, i: usize): bool {
  let cells = cellsIn(set, tileRow, tileCol);
  if (!cells) {
    cells = addTile(set, tileRow, tileCol, (count + 7) >>> 3);
    if (!cells) return false;
  }
  const at = cells + (i >>> 3);
  const bit = (<u8>1) << (<u8>i & 7);
  const bits = load<u8>(at, BITS);
  store<u8>(at, set.elsewhere ? bits & ~bit : bits | bit, BITS);
  return true;
}

/**
 * Returns the cells i … i + 31 of a tile as bits: 1 if the set contains the cell. `cells` is the tile's entry in the
 * set, or 0. `i` is a multiple of 32. Bits beyond the last cell of the tile are undefined.
 */
export function word32(set: CellSet, cells: usize, i: usize): u32 {
  if (!cells) return set.elsewhere ? 0xffffffff : 0;
  // entries are padded to 16 bytes, and BITS is a multiple of 4, so the last word lies within the entry
  return load<u32>(cells + (i >>> 3), BITS);
}

/**
 * For a tile with 64 columns, returns row r as 64 bits. `cells` is the tile's entry in a set. Bit c is 1 if the set
 * contains the cell in column c.
 */
export function bitRow(cells: usize, r: i32): u64 {
  return load<u64>(cells + <usize>r * sizeof<u64>(), BITS);
}

/**
 * Adds cells of a tile to a set whose `elsewhere` is 0. At the address `bits` is one bit for each cell of the tile,
 * `bytes` bytes in all. Adds each cell whose bit is 1. Returns false if memory runs out.
 */
export function addToTile(set: CellSet, tileRow: i32, tileCol: i32, bits: usize, bytes: usize): bool {
  let cells = cellsIn(set, tileRow, tileCol);
  if (!cells) cells = addTile(set, tileRow, tileCol, bytes);
  if (!cells) return false;
  for (let at: usize = 0; at < bytes; at += sizeof<u64>()) {
    store<u64>(cells + at, load<u64>(cells + at, BITS) | load<u64>(bits + at), BITS);
  }
  return true;
}

function addTile(set: CellSet, tileRow: i32, tileCol: i32, bytes: usize): usize {
  const cells = allocateZeroed(BITS + bytes);
  if (!cells) return 0;
  if (set.elsewhere) memory.fill(cells + BITS, 0xff, bytes);
  const entry = changetype<Entry>(cells);
  entry.row = tileRow;
  entry.col = tileCol;
  return insert(set.tiles, entry) ? cells : 0;
}
