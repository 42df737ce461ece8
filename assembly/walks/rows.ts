// Copies a part of a row of a hex map, for loops over the cells of a rectangle.

import { find } from "./directory";
import { visitsIn } from "./hexChunks";
import { countAddress, firstAddress, HexMap, SENTINEL, Tile, tileOf } from "./hexMap";
import { NEVER } from "./layout";

const VECTOR_CELLS: i32 = 4;
const VECTOR_BYTES: usize = 16;

/**
 * Writes the visits of the cells (row, col) … (row, col + count − 1) to `out`, u32. All of them lie in the grid of the
 * map. Cells without a tile have no visits.
 */
export function copyRow(map: HexMap, row: i32, col: i32, count: i32, out: usize): void {
  const tileRow = tileOf(map, row);
  while (count > 0) {
    const tileCol = tileOf(map, col);
    const inTile = col - tileCol * map.tileCols;
    const cells = min(count, map.tileCols - inTile);
    const at = find(map.tiles, tileRow, tileCol);
    if (at) copyCells(map, changetype<Tile>(at), row - tileRow * map.tileRows, inTile, cells, out);
    else memory.fill(out, 0, bytesOf(cells));
    out += bytesOf(cells);
    col += cells;
    count -= cells;
  }
}

/** Does {@link copyRow} for the steps of first visits: NEVER for a cell without visits. The map keeps first visits. */
export function copyFirstRow(map: HexMap, row: i32, col: i32, count: i32, out: usize): void {
  const tileRow = tileOf(map, row);
  while (count > 0) {
    const tileCol = tileOf(map, col);
    const inTile = col - tileCol * map.tileCols;
    const cells = min(count, map.tileCols - inTile);
    const at = find(map.tiles, tileRow, tileCol);
    if (at) {
      const from = firstAddress(map, changetype<Tile>(at), row - tileRow * map.tileRows, inTile);
      memory.copy(out, from, bytesOf(cells));
    } else {
      // NEVER is all ones
      memory.fill(out, <u8>NEVER, bytesOf(cells));
    }
    out += bytesOf(cells);
    col += cells;
    count -= cells;
  }
}

/** Copies cells of one tile; `row` and `col` are relative to the tile's first cell. */
function copyCells(map: HexMap, tile: Tile, row: i32, col: i32, cells: i32, out: usize): void {
  let from = countAddress(map, tile, row, col);
  const sentinels = i32x4.splat(SENTINEL);
  let i: i32 = 0;
  for (; i + VECTOR_CELLS <= cells; i += VECTOR_CELLS) {
    const counts = v128.load(from);
    v128.store(out, counts);
    let found = i32x4.bitmask(i32x4.eq(counts, sentinels));
    for (; found; found &= found - 1) {
      const lane = ctz(found);
      store<u32>(out + bytesOf(lane), visitsIn(map, tile, row, col + i + lane));
    }
    from += VECTOR_BYTES;
    out += VECTOR_BYTES;
  }
  for (; i < cells; ++i) {
    store<u32>(out, visitsIn(map, tile, row, col + i));
    out += bytesOf(1);
  }
}

function bytesOf(cells: i32): usize {
  return (<usize>cells) << alignof<u32>();
}
