// Copies rectangles of cells out of an unbounded map, and chunks into an unbounded map. Copies a whole row of a tile at
// a time.
//
// A rectangle can be in odd-r coordinates although the map is axial. Its row r then begins ⌊r / 2⌋ columns further to
// the left in the map, so it is read two rows at a time: rows 2k and 2k + 1 have the same shift. A tile begins at an
// even row.

import { window } from "../core/buffers";
import { Status } from "../core/layout";
import { bitRow } from "./cellSets";
import { visitedRow } from "./chunkBits";
import { find } from "./directory";
import { endCountsAt, endVisits, fullVisits } from "./ends";
import { countAddress, firstAddress, HexMap, makeTile, NARROW_SENTINEL, originCol, originRow, Tile } from "./hexMap";
import { CHUNK_CELLS, CHUNK_SIDE, ChunkHead } from "./layout";

const VISITS: usize = offsetof<ChunkHead>();
const FIRST_VISITS: usize = VISITS + <usize>CHUNK_CELLS * sizeof<u32>();
const COUNT_ROW_BYTES: usize = <usize>CHUNK_SIDE * sizeof<u32>();

/** The two numbers that a map keeps for a cell. */
const enum Plane {
  VISITS,
  FIRST_VISITS,
}

/**
 * Copies the visits of `rows` × `cols` cells to `out`: u32, row by row. The first cell is (row0, col0). If `oddR` is 1,
 * the rectangle is in odd-r coordinates, and the map is axial.
 */
export function copyVisits(map: HexMap, row0: i32, col0: i32, rows: u32, cols: u32, oddR: u32, out: usize): void {
  copyWindow(map, Plane.VISITS, row0, col0, rows, cols, oddR, out);
}

/** Like {@link copyVisits}, but copies first visits. A cell without visits has NEVER. */
export function copyFirstVisits(map: HexMap, row0: i32, col0: i32, rows: u32, cols: u32, oddR: u32, out: usize): void {
  copyWindow(map, Plane.FIRST_VISITS, row0, col0, rows, cols, oddR, out);
}

function copyWindow(
  map: HexMap,
  plane: Plane,
  row0: i32,
  col0: i32,
  rows: u32,
  cols: u32,
  oddR: u32,
  out: usize,
): void {
  // 64 bits, because the rectangle may extend beyond the last row or column
  const rowEnd = <i64>row0 + rows;
  const lineBytes = <usize>cols * sizeof<u32>();
  const side = map.tileRows;
  const shift = map.tileShift;
  for (let row = <i64>row0; row < rowEnd; ) {
    const r = <i32>row & (side - 1);
    const height = <i32>min(<i64>(oddR ? 2 - (r & 1) : side - r), rowEnd - row);
    const left = <i64>col0 - (oddR ? row >> 1 : 0);
    const colEnd = left + cols;
    let to = out;
    for (let col = left; col < colEnd; ) {
      const c = <i32>col & (side - 1);
      const width = <i32>min(<i64>(side - c), colEnd - col);
      const tile = find(map.tiles, <i32>(row >> shift), <i32>(col >> shift));
      if (!tile) fillPart(plane == Plane.VISITS ? 0 : 0xff, height, width, to, lineBytes);
      else if (plane == Plane.VISITS) copyPart(map, changetype<Tile>(tile), r, c, height, width, to, lineBytes);
      else copyFirstPart(map, changetype<Tile>(tile), r, c, height, width, to, lineBytes);
      to += <usize>width * sizeof<u32>();
      col += width;
    }
    out += <usize>height * lineBytes;
    row += height;
  }
}

/** Fills a part of the rectangle with one byte. Used for tiles that do not exist. */
function fillPart(byte: u8, height: i32, width: i32, to: usize, lineBytes: usize): void {
  for (let r = 0; r < height; ++r) memory.fill(to + <usize>r * lineBytes, byte, <usize>width * sizeof<u32>());
}

/** Copies the visits of a part of a tile. The first cell of the part is (r0, c0), relative to the tile. */
function copyPart(
  map: HexMap,
  tile: Tile,
  r0: i32,
  c0: i32,
  height: i32,
  width: i32,
  to: usize,
  lineBytes: usize,
): void {
  const endCounts = tile.ends ? endCountsAt(map, tile.row, tile.col) : 0;
  const within = (~(<u64>0) >>> (CHUNK_SIDE - width)) << c0;
  for (let r = r0; r < r0 + height; ++r) {
    const from = countAddress(map, tile, r, c0);
    if (map.countShift) copyWords(from, to, width);
    else if (widen(from, to, width)) copyFull(map, tile, r, c0, to, width);
    // a cell on which walkers end has a sentinel in the tile: its visits are in `endCounts`
    if (tile.ends) {
      const counts = endCounts ? endCounts + <usize>r * COUNT_ROW_BYTES : 0;
      for (let bits = bitRow(tile.ends, r) & within; bits; bits &= bits - 1) {
        const c = <usize>ctz(bits);
        store<u32>(to + (c - c0) * sizeof<u32>(), counts ? load<u32>(counts + c * sizeof<u32>()) : 0);
      }
    }
    if (tile.closed) {
      for (let bits = bitRow(tile.closed, r) & within; bits; bits &= bits - 1) {
        store<u32>(to + (<usize>ctz(bits) - c0) * sizeof<u32>(), 0);
      }
    }
    to += lineBytes;
  }
}

/**
 * If the first `cells` counts in the window are all less than `full`, rewrites them as bytes and returns true. If not,
 * changes nothing and returns false. `full` is at most 256. Rewrites 16 counts at a time, so it may also rewrite some
 * numbers after the last count, but none outside the window.
 */
export function narrowWindow(cells: u32, full: u32): bool {
  const end = window + <usize>cells * sizeof<u32>();
  let most = i32x4.splat(0);
  let from = window;
  for (; from + sizeof<v128>() <= end; from += sizeof<v128>()) most = i32x4.max_u(most, v128.load(from));
  if (v128.any_true(i32x4.ge_u(most, i32x4.splat(full)))) return false;
  for (; from < end; from += sizeof<u32>()) if (load<u32>(from) >= full) return false;
  let to = window;
  for (from = window; from < end; from += 4 * sizeof<v128>(), to += sizeof<v128>()) {
    const low = i16x8.narrow_i32x4_u(v128.load(from), v128.load(from, sizeof<v128>()));
    const high = i16x8.narrow_i32x4_u(v128.load(from, 2 * sizeof<v128>()), v128.load(from, 3 * sizeof<v128>()));
    v128.store(to, i8x16.narrow_i16x8_u(low, high));
  }
  return true;
}

// ── visited cells ──

/**
 * These vectors are in memory, because V8 loads a stored vector only once, but builds a constant vector at each use.
 */
@unmanaged
class BitVectors {
  /** Selects the byte for each lane: the first byte for lanes 0 … 7, the second byte for lanes 8 … 15. */
  bytes: v128;
  /** Selects the bit for each lane in the lane's byte. */
  bits: v128;
}

// biome-ignore format: one vector a line
const bitVectors = memory.data<u8>(
  [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128,
  ],
  16,
);

/**
 * Writes one byte for each cell of a rectangle. The first cell is (row0, col0), and each row begins `strideBytes` after
 * the row before it. The byte of a visited cell is `visited`, which is 0xff or 0. The byte of an unvisited cell is the
 * opposite: 0 or 0xff. Writes up to 15 bytes after the last cell of a row. Goes from tile to tile, so that it
 * reads the map in the order of addresses. `oddR` means the same as for {@link copyVisits}.
 */
export function markVisited(
  map: HexMap,
  row0: i32,
  col0: i32,
  rows: u32,
  cols: u32,
  oddR: u32,
  visited: u8,
  out: usize,
  strideBytes: usize,
): void {
  const flip = i8x16.splat(visited);
  // 64 bits, because the rectangle may end at the last row or column
  const rowEnd = <i64>row0 + rows;
  const side = map.tileRows;
  const shift = map.tileShift;
  for (let row = <i64>row0; row < rowEnd; ) {
    const r = <i32>row & (side - 1);
    const height = <i32>min(<i64>(oddR ? 2 - (r & 1) : side - r), rowEnd - row);
    const left = <i64>col0 - (oddR ? row >> 1 : 0);
    const colEnd = left + cols;
    let to = out;
    for (let col = left; col < colEnd; ) {
      const c = <i32>col & (side - 1);
      const width = <i32>min(<i64>(side - c), colEnd - col);
      const tile = find(map.tiles, <i32>(row >> shift), <i32>(col >> shift));
      markPart(map, tile, r, c, height, width, flip, to, strideBytes);
      to += width;
      col += width;
    }
    out += <usize>height * strideBytes;
    row += height;
  }
}

/**
 * Marks a part of a tile. `at` is the address of the tile, or 0 if the tile does not exist. The first cell of the part
 * is (r0, c), relative to the tile.
 */
function markPart(
  map: HexMap,
  at: usize,
  r0: i32,
  c: i32,
  height: i32,
  width: i32,
  visited: v128,
  out: usize,
  strideBytes: usize,
): void {
  const tile = changetype<Tile>(at);
  const isPlain = at && !map.countShift && !tile.closed && !tile.ends;
  const endCounts = at && tile.ends ? endCountsAt(map, tile.row, tile.col) : 0;
  for (let r = r0; r < r0 + height; ++r) {
    if (isPlain) markBytes(countAddress(map, tile, r, c), width, visited, out);
    else
      markBits(at ? visitedRow(map, tile, endCounts, r, countAddress(map, tile, r, 0)) >>> c : 0, width, visited, out);
    out += strideBytes;
  }
}

function markBytes(counts: usize, width: i32, visited: v128, out: usize): void {
  const zero = i8x16.splat(0);
  for (const end = out + width; out < end; out += sizeof<v128>(), counts += sizeof<v128>()) {
    v128.store(out, v128.xor(i8x16.ne(v128.load(counts), zero), v128.not(visited)));
  }
}

function markBits(bits: u64, width: i32, visited: v128, out: usize): void {
  const vectors = changetype<BitVectors>(bitVectors);
  for (const end = out + width; out < end; out += sizeof<v128>(), bits >>>= sizeof<v128>()) {
    const lanes = v128.and(i8x16.swizzle(i16x8.splat(<i16>bits), vectors.bytes), vectors.bits);
    v128.store(out, v128.xor(i8x16.eq(lanes, vectors.bits), v128.not(visited)));
  }
}

// ── copies ──

/** Copies the first visits of a part of a tile. The map has NEVER for a cell without visits. */
function copyFirstPart(
  map: HexMap,
  tile: Tile,
  r0: i32,
  c0: i32,
  height: i32,
  width: i32,
  to: usize,
  lineBytes: usize,
): void {
  for (let r = r0; r < r0 + height; ++r) {
    copyWords(firstAddress(map, tile, r, c0), to, width);
    to += lineBytes;
  }
}

/** Copies u32 numbers. Rows are so short that a call of memory.copy would take longer. */
export function copyWords(from: usize, to: usize, count: i32): void {
  const end = from + <usize>count * sizeof<u32>();
  for (; from + 16 <= end; from += 16, to += 16) v128.store(to, v128.load(from));
  for (; from < end; from += sizeof<u32>(), to += sizeof<u32>()) store<u32>(to, load<u32>(from));
}

/** Copies narrow counts as u32. Returns true if at least one count is a sentinel. */
function widen(from: usize, to: usize, count: i32): bool {
  const end = from + count;
  let any = i8x16.splat(0);
  for (; from + 16 <= end; from += 16, to += 64) {
    const bytes = v128.load(from);
    any = v128.or(any, i8x16.eq(bytes, i8x16.splat(-1)));
    const low = i16x8.extend_low_i8x16_u(bytes);
    const high = i16x8.extend_high_i8x16_u(bytes);
    v128.store(to, i32x4.extend_low_i16x8_u(low));
    v128.store(to, i32x4.extend_high_i16x8_u(low), sizeof<v128>());
    v128.store(to, i32x4.extend_low_i16x8_u(high), 2 * sizeof<v128>());
    v128.store(to, i32x4.extend_high_i16x8_u(high), 3 * sizeof<v128>());
  }
  let hasSentinel = v128.any_true(any);
  for (; from < end; ++from, to += sizeof<u32>()) {
    const byte = load<u8>(from);
    hasSentinel = hasSentinel || byte == NARROW_SENTINEL;
    store<u32>(to, byte);
  }
  return hasSentinel;
}

/** Writes the visits of those cells of a row whose narrow counts are sentinels. */
function copyFull(map: HexMap, tile: Tile, r: i32, c0: i32, to: usize, width: i32): void {
  const row = originRow(map, tile) + r;
  const col = originCol(map, tile) + c0;
  for (let c = 0; c < width; ++c) {
    const at = to + <usize>c * sizeof<u32>();
    if (load<u32>(at) == NARROW_SENTINEL) store<u32>(at, fullVisits(endVisits(map, row, col + c)));
  }
}

/**
 * Creates the tile of a chunk, and copies the chunk from the window to the tile. The tile must not exist yet. The
 * window has a ChunkHead, the visits and, if the map keeps them, the first visits. The map must have no closed cells,
 * no cells on which walkers end, and wide counts.
 */
export function storeChunk(map: HexMap): Status {
  const head = changetype<ChunkHead>(window);
  const at = makeTile(map, head.row, head.col);
  if (!at) return Status.OUT_OF_MEMORY;
  const tile = changetype<Tile>(at);
  for (let r = 0; r < CHUNK_SIDE; ++r) {
    const from = window + <usize>r * COUNT_ROW_BYTES;
    copyWords(from + VISITS, countAddress(map, tile, r, 0), CHUNK_SIDE);
    if (map.firstVisits) copyWords(from + FIRST_VISITS, firstAddress(map, tile, r, 0), CHUNK_SIDE);
  }
  return Status.OK;
}
