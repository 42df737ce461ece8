// The values of a field in chunks, for layers that read the field. A range of a field becomes a map: its cells have one
// visit. So the walkers' sets of cells come from ranges as they come from visits. A slope reads the values themselves.

import { allocateZeroed } from "../core/memory";
import { createDirectory, Directory, Entry, find, insert } from "./directory";
import { CHUNK_SIDE_BITS, countAddress, HexMap, makeTile, Tile } from "./hexMap";
import { CHUNK_SIDE } from "./layout";

/**
 * The values of one chunk and of the cells around it: this head, then a u16 for each cell, row by row. The first value
 * is that of row −1 and column −1 of the chunk. Cells outside the range of coordinates have the value 0.
 *
 *   0     4     8      12
 *   ├─ row ─┼─ col ─┼─ next ─┼─ values … ─┤
 */
@unmanaged
class ValueChunk extends Entry {}

const VALUES: usize = offsetof<ValueChunk>();
const SIDE: i32 = CHUNK_SIDE + 2;
/** Distance from one row of values to the next, in bytes. */
export const VALUE_ROW: usize = <usize>SIDE * sizeof<u16>();
const LAST_CHUNK: i32 = 0x7fffffff >> CHUNK_SIDE_BITS;
const FIRST_CHUNK: i32 = ~LAST_CHUNK;

/** Creates an empty directory of values. Returns 0 if memory runs out. */
export function createValues(): usize {
  return createDirectory();
}

/**
 * Stores the values of a chunk, which must not have values yet. `from` is the address of the value of its first cell, a
 * u16. Rows are `rowBytes` apart. The values around the chunk lie around it in memory, except those of cells outside
 * the range of coordinates. Returns false if memory runs out.
 */
export function storeValues(values: Directory, chunkRow: i32, chunkCol: i32, from: usize, rowBytes: usize): bool {
  const at = allocateZeroed(VALUES + <usize>SIDE * VALUE_ROW);
  if (!at) return false;
  const entry = changetype<Entry>(at);
  entry.row = chunkRow;
  entry.col = chunkCol;
  const left = chunkCol == FIRST_CHUNK ? 0 : -1;
  const cols = CHUNK_SIDE + i32(chunkCol != LAST_CHUNK) - left;
  const end = CHUNK_SIDE + i32(chunkRow != LAST_CHUNK);
  for (let r = chunkRow == FIRST_CHUNK ? 0 : -1; r < end; ++r) {
    const to = at + VALUES + <usize>((r + 1) * SIDE + left + 1) * sizeof<u16>();
    memory.copy(to, from + <usize>r * rowBytes + <usize>left * sizeof<u16>(), <usize>cols * sizeof<u16>());
  }
  return insert(values, entry);
}

/**
 * Returns the address of the value of the north-western neighbour of a cell. `row` and `col` are relative to the first
 * cell of the chunk. The chunk must have values.
 */
export function cornerOf(values: Directory, chunkRow: i32, chunkCol: i32, row: i32, col: i32): usize {
  return find(values, chunkRow, chunkCol) + VALUES + <usize>(row * SIDE + col + 1) * sizeof<u16>();
}

/**
 * Gives each cell of a chunk one visit if its value is least … least + span, inclusive. The map must have narrow
 * counts, tiles of one chunk, and no tile for this chunk yet. The values are as in {@link storeValues}. Returns false
 * if memory runs out.
 */
export function storeRange(
  map: HexMap,
  chunkRow: i32,
  chunkCol: i32,
  from: usize,
  rowBytes: usize,
  least: u32,
  span: u32,
): bool {
  const at = makeTile(map, chunkRow, chunkCol);
  if (!at) return false;
  for (let r = 0; r < CHUNK_SIDE; ++r, from += rowBytes) {
    const to = countAddress(map, changetype<Tile>(at), r, 0);
    for (let c: usize = 0; c < <usize>CHUNK_SIDE; ++c) {
      store<u8>(to + c, u8(<u32>load<u16>(from + (c << 1)) - least <= span));
    }
  }
  return true;
}
