// Finds the placements of one kind in a rectangle: first the candidates, then the candidates that stand.
//
// A cell is a candidate with the probability of the kind's density. Each candidate has a random priority. A candidate
// stands if no candidate within the kind's distance has a smaller (priority, row, column). This is Matérn's second
// process of thinning. Source: Matérn, Spatial Variation (1960), chapter 3. Whether a candidate stands depends only on
// candidates within the distance. So the search for candidates covers the rectangle and a border around it. The border
// is as wide as the distance.
//
// Candidates are found band by band, as their words are generated. Which candidates of a row stand is decided when the
// candidates of all rows within the distance are known. So only the candidates of a few bands are kept, in a ring of
// rows. For each row, the ring has one bit for each column, 1 for a candidate, and the priorities of the candidates.
// Column 0 of the ring is the first column of the block that has the area's first column. A candidate is compared with
// the candidates within the distance until a smaller candidate is found. Priorities are random, so the expected number
// of comparisons grows with the logarithm of the number of these candidates.

import { below } from "../core/below";
import {
  blockBits,
  blockOf,
  blockWords,
  colInBlock,
  fillBlocks,
  ROW_WORDS_BYTES,
  rowInBand,
  selectCell,
  WORD_BYTES,
} from "../core/cellWords";
import { BAND_ROWS, BLOCK_COLS, Share, Status } from "../core/layout";
import { allocate, mark } from "../core/memory";
import { extraWord, useStream } from "../core/words";
import { PlacedCell, PlacementKind, TerrainArea } from "./layout";
import { meetsRelations } from "./relations";

const ALL_COLS: u64 = ~(<u64>0);
const PLACED_BYTES: usize = offsetof<PlacedCell>();

// The rows and columns of the area in which candidates are found: the kind's rectangle, and a border as wide as the
// kind's distance. Rows are counted from the first row of the area, and columns from the first column of the ring.
let firstRow: i32 = 0;
let endRow: i32 = 0;
let firstCol: i32 = 0;
let endCol: i32 = 0;

/** The area's first column in the ring. */
let areaCol: i32 = 0;

/** Address at which the next placement will be stored, and the end of the memory for placements. */
let next: usize = 0;
let limit: usize = 0;

/** Finds the standing placements of a kind. Returns Status.OUT_OF_MEMORY if memory runs out. */
export function findPlacements(area: TerrainArea, kind: PlacementKind): Status {
  const share = changetype<Share>(kind.share);
  const distance = kind.distance;
  useStream(share.k0, share.k1);
  areaCol = colInBlock(area.col);
  firstRow = max(0, kind.row - area.row - distance);
  endRow = min(area.rows, kind.row - area.row + kind.rows + distance);
  firstCol = areaCol + max(0, kind.col - area.col - distance);
  endCol = areaCol + min(area.cols, kind.col - area.col + kind.cols + distance);
  next = mark();
  limit = next;
  kind.standing = next;
  let row = kind.row - area.row;
  const rowEnd = row + kind.rows;
  for (let i = firstRow; i < endRow; ) {
    const bandEnd = min(endRow, i + <i32>BAND_ROWS - rowInBand(area.row + i));
    findCandidates(area, kind, i, bandEnd);
    i = bandEnd;
    const known = i == endRow ? rowEnd : min(rowEnd, i - distance);
    for (; row < known; ++row) if (!thin(area, kind, row)) return Status.OUT_OF_MEMORY;
  }
  kind.count = <u32>((next - kind.standing) / PLACED_BYTES);
  return Status.OK;
}

// ── the ring ──

function ringRow(area: TerrainArea, kind: PlacementKind, i: i32): usize {
  return <usize>((area.row + i) & (kind.ringRows - 1));
}

/** Returns the address of the bits of row i. */
function bitsOf(area: TerrainArea, kind: PlacementKind, i: i32): usize {
  return kind.bits + ringRow(area, kind, i) * bitsStride(area);
}

/**
 * Returns the size of a row of bits in bytes. The bits are read 8 bytes at a time, so a row has 8 more bytes at its
 * end.
 */
function bitsStride(area: TerrainArea): usize {
  return (<usize>area.bandStrideBytes >>> 3) + sizeof<u64>();
}

/** Returns the address of the priorities of row i, u32. */
function prioritiesOf(area: TerrainArea, kind: PlacementKind, i: i32): usize {
  return kind.priorities + ringRow(area, kind, i) * <usize>area.bandStrideBytes * sizeof<u32>();
}

/** Returns the column of the grid that a column of the ring stands for. */
function colOf(area: TerrainArea, col: i32): i32 {
  return area.col + (col - areaCol);
}

// ── candidates ──

/** Stores in the ring the candidates in rows `from` … `end` − 1 of the area. The rows are in one band. */
function findCandidates(area: TerrainArea, kind: PlacementKind, from: i32, end: i32): void {
  const share = changetype<Share>(kind.share);
  const first = blockOf(area.col);
  const endBlock = first + <u32>(endCol - 1) / BLOCK_COLS + 1;
  const isAll = share.part == share.whole;
  // the rows of a band follow one another in the ring, because `ringRows` is a multiple of BAND_ROWS
  const band = bitsOf(area, kind, from - rowInBand(area.row + from));
  for (let block = first + <u32>firstCol / BLOCK_COLS; block < endBlock; ) {
    const filled: u32 = isAll ? 1 : fillBlocks(area.row + from, block, endBlock);
    for (let k: u32 = 0; k < filled; ++k) {
      const at = <i32>(block + k - first) * BLOCK_COLS;
      if (!isAll) blockBits(blockWords(k), share.bound, band + (at >>> 3), bitsStride(area));
      const cols = colsIn(at, firstCol, endCol);
      for (let i = from; i < end; ++i) {
        const bits = bitsOf(area, kind, i) + (at >>> 3);
        const found = isAll ? cols : load<u64>(bits) & cols;
        const words = blockWords(k) + <usize>rowInBand(area.row + i) * ROW_WORDS_BYTES;
        store<u64>(bits, found ? choose(area, kind, i, at, words, found) : 0);
      }
    }
    block += filled;
  }
}

/** Returns 64 bits. Bit b is 1 if column `at` + b is one of the columns `from` … `end` − 1. */
function colsIn(at: i32, from: i32, end: i32): u64 {
  const left = max(0, from - at);
  const right = min(<i32>BLOCK_COLS, end - at);
  return left < right ? (ALL_COLS >>> (BLOCK_COLS - (right - left))) << left : 0;
}

/**
 * Bit b of `found` stands for the cell of row i in column at + b. Returns the bits of those cells in `found` that are
 * candidates, and stores their priorities. The word of each cell in `found` must be at most `share.bound`.
 */
function choose(area: TerrainArea, kind: PlacementKind, i: i32, at: i32, words: usize, found: u64): u64 {
  const share = changetype<Share>(kind.share);
  const terrain = area.terrain + <usize>i * <usize>area.strideBytes + (at - areaCol);
  const priorities = prioritiesOf(area, kind, i) + <usize>at * sizeof<u32>();
  const block = blockOf(area.col) + <u32>at / BLOCK_COLS;
  const hasRelations = kind.relationCount > 0;
  const hasPriorities = kind.priorities != 0;
  let kept: u64 = 0;
  for (; found; found &= found - 1) {
    const c = <i32>ctz(found);
    if (!load<u8>(kind.terrains + load<u8>(terrain + c))) continue;
    selectCell(area.row + i, block, c);
    // The priority is the extra word after the extra words of `below`. So `below` is called for every word, because it
    // may read extra words even for a word that is less than the bound.
    if (share.part < share.whole && below(load<u32>(words + <usize>c * WORD_BYTES), share.whole) >= share.part)
      continue;
    if (hasRelations && !meetsRelations(kind, area.row + i, colOf(area, at + c), area.oddR)) continue;
    kept |= (<u64>1) << c;
    if (hasPriorities) store<u32>(priorities + <usize>c * sizeof<u32>(), extraWord());
  }
  return kept;
}

// ── thinning ──

/** Stores the standing placements of row i of the area. Returns false if memory runs out. */
function thin(area: TerrainArea, kind: PlacementKind, i: i32): bool {
  const most = next + <usize>kind.cols * PLACED_BYTES;
  if (most > limit) {
    // nothing else allocates meanwhile, so the new memory follows the old memory without a gap
    if (!allocate(most - limit)) return false;
    limit = mark();
  }
  const from = areaCol + kind.col - area.col;
  const end = from + kind.cols;
  const bits = bitsOf(area, kind, i);
  for (let at = from & -BLOCK_COLS; at < end; at += BLOCK_COLS) {
    for (let found = load<u64>(bits + (at >>> 3)) & colsIn(at, from, end); found; found &= found - 1) {
      const col = at + <i32>ctz(found);
      if (kind.distance && !stands(area, kind, i, col)) continue;
      const placed = changetype<PlacedCell>(next);
      placed.row = area.row + i;
      placed.col = colOf(area, col);
      if (kind.priorities) placed.priority = load<u32>(prioritiesOf(area, kind, i) + <usize>col * sizeof<u32>());
      next += PLACED_BYTES;
    }
  }
  return true;
}

/**
 * Number of columns whose bits are read at once. A read of 64 bits must begin at a whole byte, so up to 7 of these bits
 * can lie before the first column. The other 57 bits or more can be used.
 */
const READ_COLS: i32 = 56;

/** Returns true if the candidate in column `col` of row i stands: no candidate within the distance is smaller. */
function stands(area: TerrainArea, kind: PlacementKind, i: i32, col: i32): bool {
  const distance = kind.distance;
  const row = area.row;
  const oddR = area.oddR;
  const half = (row + i) >> 1;
  const bits = kind.bits;
  const stride = bitsStride(area);
  const ringMask = kind.ringRows - 1;
  const leftmost = firstCol;
  const rightmost = endCol - 1;
  const priority = load<u32>(prioritiesOf(area, kind, i) + <usize>col * sizeof<u32>());
  const end = min(endRow, i + distance + 1);
  for (let r = max(firstRow, i - distance); r < end; ++r) {
    // within the distance, axial columns differ by at most `distance`, and so do the sums row + axial column
    const down = r - i;
    const middle = oddR ? col + ((row + r) >> 1) - half : col;
    const left = max(leftmost, middle + max(-distance, -distance - down));
    const right = min(rightmost, middle + min(distance, distance - down));
    const rowBits = bits + <usize>((row + r) & ringMask) * stride;
    for (let at = left; at <= right; at += READ_COLS) {
      const cols = ALL_COLS >>> (64 - min(READ_COLS, right - at + 1));
      const found = (load<u64>(rowBits + (at >>> 3)) >>> (at & 7)) & cols;
      // of two candidates with equal priorities, the candidate in the earlier row is smaller. If both are in the same
      // row, the candidate in the earlier column is smaller
      const tieEnd = down < 0 ? endCol : down == 0 ? col : leftmost;
      if (found && hasSmaller(found, at, prioritiesOf(area, kind, r), priority, tieEnd)) return false;
    }
  }
  return true;
}

/**
 * Bit b of `found` stands for the candidate in column at + b of a row. Returns true if one of these candidates has a
 * smaller priority than `priority`, or has the same priority and is in a column before `tieEnd`.
 */
function hasSmaller(found: u64, at: i32, priorities: usize, priority: u32, tieEnd: i32): bool {
  for (; found; found &= found - 1) {
    const col = at + <i32>ctz(found);
    const other = load<u32>(priorities + <usize>col * sizeof<u32>());
    if (other < priority || (other == priority && col < tieEnd)) return true;
  }
  return false;
}
