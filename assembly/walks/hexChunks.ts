// Reads single cells of a hex map, and whole chunks for a caller that copies the map out. Also closes cells by chunks.

import { window } from "../core/buffers";
import { Status } from "../core/layout";
import { Entry, find } from "./directory";
import {
  CHUNK_SIDE_BITS,
  closeCell,
  countAddress,
  HexMap,
  isClosed,
  isOutside,
  originCol,
  originRow,
  SENTINEL,
  Tile,
  tileOf,
} from "./hexMap";
import { firstVisitOf } from "./hexMoves";
import { CHUNK_CELLS, CHUNK_SIDE, ChunkHead, NEVER } from "./layout";

/** Number of visits of a cell; 0 if no walker visited it. */
export function visitsAt(map: HexMap, row: i32, col: i32): u32 {
  if (isOutside(map, row, col) || isClosed(map, row, col)) return 0;
  const cell = cellAt(map, row, col);
  return cell ? load<u32>(cell) : 0;
}

/** The step of the first visit of a cell, or NEVER. */
export function firstVisitAt(map: HexMap, row: i32, col: i32): u32 {
  if (!map.firstVisits || !visitsAt(map, row, col)) return NEVER;
  const tile = changetype<Tile>(find(map.tiles, tileOf(map, row), tileOf(map, col)));
  return load<u32>(firstVisitOf(map, tile, cellAt(map, row, col)));
}

/** Address of a cell's count, or 0 if the cell's tile does not exist. */
function cellAt(map: HexMap, row: i32, col: i32): usize {
  const at = find(map.tiles, tileOf(map, row), tileOf(map, col));
  if (!at) return 0;
  const tile = changetype<Tile>(at);
  return countAddress(map, tile, row - originRow(map, tile), col - originCol(map, tile));
}

// ── chunks ──

const VISITS: usize = offsetof<ChunkHead>();
const FIRST_VISITS: usize = VISITS + <usize>CHUNK_CELLS * sizeof<u32>();

/** Closes the cells of a chunk that have their bit set in the window: cell i has bit i mod 8 of byte ⌊i / 8⌋. */
export function closeChunk(map: HexMap, chunkRow: i32, chunkCol: i32): Status {
  for (let i = 0; i < CHUNK_CELLS; ++i) {
    if (!((load<u8>(window + (i >>> 3)) >>> (<u8>i & 7)) & 1)) continue;
    const row = (chunkRow << CHUNK_SIDE_BITS) + (i >>> CHUNK_SIDE_BITS);
    const col = (chunkCol << CHUNK_SIDE_BITS) + (i & (CHUNK_SIDE - 1));
    if (!closeCell(map, row, col)) return Status.OUT_OF_MEMORY;
  }
  return Status.OK;
}

/** Returns the tile that was made after `tile`, or the first tile if `tile` is 0. Returns 0 at the end. */
export function nextTile(map: HexMap, tile: usize): usize {
  return tile ? changetype<Entry>(tile).next : map.tiles.first;
}

/** Number of chunks in one tile. */
export function chunksInTile(map: HexMap): u32 {
  return chunksAlong(map.tileRows) * chunksAlong(map.tileCols);
}

/** Copies a chunk of a tile into the window as a ChunkHead. Returns how many of its cells were visited. */
export function readChunk(map: HexMap, tile: Tile, chunk: u32): u32 {
  const across = chunksAlong(map.tileCols);
  const row0 = (<i32>(chunk / across)) << CHUNK_SIDE_BITS;
  const col0 = (<i32>(chunk % across)) << CHUNK_SIDE_BITS;
  const head = changetype<ChunkHead>(window);
  head.row = (originRow(map, tile) + row0) >> CHUNK_SIDE_BITS;
  head.col = (originCol(map, tile) + col0) >> CHUNK_SIDE_BITS;
  let visited: u32 = 0;
  for (let i = 0; i < CHUNK_CELLS; ++i) {
    const row = row0 + (i >>> CHUNK_SIDE_BITS);
    const col = col0 + (i & (CHUNK_SIDE - 1));
    const inside = row < map.tileRows && col < map.tileCols;
    const cell = inside ? countAddress(map, tile, row, col) : 0;
    const count = inside ? visitsIn(map, cell, originRow(map, tile) + row, originCol(map, tile) + col) : 0;
    const at = window + <usize>i * sizeof<u32>();
    store<u32>(at, count, VISITS);
    if (map.firstVisits) store<u32>(at, count ? load<u32>(firstVisitOf(map, tile, cell)) : NEVER, FIRST_VISITS);
    visited += u32(count != 0);
  }
  return visited;
}

/** Number of visits of a cell. A sentinel means a full count in an open cell, and no visits anywhere else. */
function visitsIn(map: HexMap, cell: usize, row: i32, col: i32): u32 {
  const count = load<u32>(cell);
  return count == SENTINEL && (isOutside(map, row, col) || isClosed(map, row, col)) ? 0 : count;
}

function chunksAlong(cells: i32): u32 {
  return <u32>(cells + (CHUNK_SIDE - 1)) >>> CHUNK_SIDE_BITS;
}
