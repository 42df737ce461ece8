// Reading a hex map: single cells, and chunks of 64 × 64 for a caller that copies the whole map out.
//
// A chunk in the result window:   +0 chunk row   +4 chunk col   +16 visits, 4,096 u32   then first visits, 4,096 u32

import { window } from "../core/buffers";
import { Status } from "../core/layout";
import { find, firstRecord, RECORD_NEXT } from "./directory";
import {
  closeCell,
  countAddress,
  isClosed,
  isOutside,
  keepsFirstVisits,
  NEVER,
  originCol,
  originRow,
  SENTINEL,
  TILE_COLS,
  TILE_ROWS,
  TILE_SIDE,
  TILE_SIDE_BITS,
  TILES,
  tileOf,
} from "./hexMap";
import { firstVisitOf } from "./hexMoves";

/** The visits of a cell; 0 where no walker was, or none can be. */
export function visitsAt(map: usize, row: i32, col: i32): u32 {
  if (isOutside(map, row, col) || isClosed(map, row, col)) return 0;
  const tile = find(load<u32>(map, TILES), tileOf(map, row), tileOf(map, col));
  if (!tile) return 0;
  return load<u32>(countAddress(map, tile, row - originRow(map, tile), col - originCol(map, tile)));
}

/** The step of a cell's first visit; NEVER where there was none. */
export function firstVisitAt(map: usize, row: i32, col: i32): u32 {
  if (!keepsFirstVisits(map) || !visitsAt(map, row, col)) return NEVER;
  const tile = find(load<u32>(map, TILES), tileOf(map, row), tileOf(map, col));
  const cell = countAddress(map, tile, row - originRow(map, tile), col - originCol(map, tile));
  return load<u32>(firstVisitOf(map, tile, cell));
}

// ── chunks ──

const CHUNK_CELLS: i32 = TILE_SIDE * TILE_SIDE;
const CHUNK_VISITS: usize = 16;
const CHUNK_FIRSTS: usize = CHUNK_VISITS + ((<usize>CHUNK_CELLS) << 2);

/** Closes the cells whose bits are set in the 512 bytes in the window: bit i of byte i >>> 3 for cell i of the chunk. */
export function closeChunk(map: usize, chunkRow: i32, chunkCol: i32): Status {
  for (let i = 0; i < CHUNK_CELLS; ++i) {
    if (!((load<u8>(window + (i >>> 3)) >>> (<u8>i & 7)) & 1)) continue;
    const row = (chunkRow << TILE_SIDE_BITS) + (i >>> TILE_SIDE_BITS);
    const col = (chunkCol << TILE_SIDE_BITS) + (i & (TILE_SIDE - 1));
    if (!closeCell(map, row, col)) return Status.OUT_OF_MEMORY;
  }
  return Status.OK;
}

/** The tile made after `tile`, the first one after 0; 0 at the end. */
export function nextTile(map: usize, tile: usize): usize {
  return tile ? <usize>load<u32>(tile, RECORD_NEXT) : firstRecord(load<u32>(map, TILES));
}

/** Chunks in one tile. */
export function chunksInTile(map: usize): u32 {
  return chunksAlong(load<i32>(map, TILE_ROWS)) * chunksAlong(load<i32>(map, TILE_COLS));
}

/** Copies a chunk of a tile into the window; returns how many of its cells were visited. */
export function readChunk(map: usize, tile: usize, chunk: u32): u32 {
  const across = chunksAlong(load<i32>(map, TILE_COLS));
  const row0 = (<i32>(chunk / across)) << TILE_SIDE_BITS;
  const col0 = (<i32>(chunk % across)) << TILE_SIDE_BITS;
  const globalRow = originRow(map, tile) + row0;
  const globalCol = originCol(map, tile) + col0;
  store<i32>(window, globalRow >> TILE_SIDE_BITS, 0);
  store<i32>(window, globalCol >> TILE_SIDE_BITS, 4);
  let visited: u32 = 0;
  for (let i = 0; i < CHUNK_CELLS; ++i) {
    const row = row0 + (i >>> TILE_SIDE_BITS);
    const col = col0 + (i & (TILE_SIDE - 1));
    const inside = row < load<i32>(map, TILE_ROWS) && col < load<i32>(map, TILE_COLS);
    const cell = inside ? countAddress(map, tile, row, col) : 0;
    const count = inside ? visitsIn(map, cell, originRow(map, tile) + row, originCol(map, tile) + col) : 0;
    const at = window + ((<usize>i) << 2);
    store<u32>(at, count, CHUNK_VISITS);
    if (keepsFirstVisits(map)) store<u32>(at, count ? load<u32>(firstVisitOf(map, tile, cell)) : NEVER, CHUNK_FIRSTS);
    visited += u32(count != 0);
  }
  return visited;
}

/** A cell's count; a sentinel stands for a full count only where a walker can be. */
function visitsIn(map: usize, cell: usize, row: i32, col: i32): u32 {
  const count = load<u32>(cell);
  return count == SENTINEL && (isOutside(map, row, col) || isClosed(map, row, col)) ? 0 : count;
}

function chunksAlong(cells: i32): u32 {
  return <u32>(cells + (TILE_SIDE - 1)) >>> TILE_SIDE_BITS;
}
