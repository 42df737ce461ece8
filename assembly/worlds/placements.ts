// Finds the placements of one kind in a rectangle: first the candidates, then those candidates that stand.
//
// A cell is a candidate with the probability of the kind's density. Each candidate has a random priority. A candidate
// stands if no candidate within the kind's distance has a smaller (priority, row, column). This is Matérn's second
// process of thinning. Source: Matérn, Spatial Variation (1960), chapter 3. Whether a candidate stands depends only on
// candidates within the distance. So the search for candidates covers the rectangle and a border around it. The border
// is as wide as the distance.
//
// Candidates are sorted by row, then column. Fence f of a row is the address of the row's first candidate in column f ·
// 2^FENCE_BITS or later. The last fence is the end of the row. With fences, the candidates near a column are found
// without a search. A candidate is compared with its neighbours until a smaller one is found. Priorities are random, so
// the expected number of comparisons grows with the logarithm of the number of neighbours.

import { below } from "../core/below";
import { BLOCK_BITS, Status } from "../core/layout";
import { allocate, mark } from "../core/memory";
import { BLOCK_MASK, extraWord, selectExtraWords, useStream } from "../core/words";
import { fillFrom, indexOf, planeOfRow, wordAddress } from "./chances";
import { FENCE_BITS, LANE_CELLS, PlacedCell, PlacementKind, Share, TerrainArea } from "./layout";
import { COUNT_BYTES, wordMask } from "./masks";

/** A candidate. `col` is relative to the first column of the area. */
@unmanaged
class Candidate {
  col: i32;
  priority: u32;
}

const CANDIDATE_BYTES: usize = offsetof<Candidate>();

/**
 * The rows and columns of the area in which candidates are found: the kind's rectangle, and a border as wide as the
 * kind's distance.
 */
let firstRow: i32 = 0;
let endRow: i32 = 0;
let firstCol: i32 = 0;
let endCol: i32 = 0;

/** Address at which the next candidate will be stored, and the end of the memory for candidates. */
let next: usize = 0;
let limit: usize = 0;

/** Address of the current row's fences, and the index of the next fence to set. */
let fences: usize = 0;
let fence: i32 = 0;

/** Returns the number of fences in each row of an area. */
function fencesOf(area: TerrainArea): i32 {
  return ((area.cols - 1) >> FENCE_BITS) + 2;
}

/** Finds the standing placements of a kind. Returns Status.OUT_OF_MEMORY if memory runs out. */
export function findPlacements(area: TerrainArea, kind: PlacementKind): Status {
  const share = changetype<Share>(kind.share);
  useStream(share.k0, share.k1);
  firstRow = max(0, kind.row - area.row - kind.distance);
  endRow = min(area.rows, kind.row - area.row + kind.rows + kind.distance);
  firstCol = max(0, kind.col - area.col - kind.distance);
  endCol = min(area.cols, kind.col - area.col + kind.cols + kind.distance);
  const first = mark();
  next = first;
  limit = first;
  for (let i = firstRow; i < endRow; ++i) if (!findCandidates(area, kind, i)) return Status.OUT_OF_MEMORY;
  const at = allocate(((next - first) / CANDIDATE_BYTES) * offsetof<PlacedCell>());
  if (!at) return Status.OUT_OF_MEMORY;
  kind.standing = at;
  kind.count = 0;
  const row = kind.row - area.row;
  for (let i = row; i < row + kind.rows; ++i) thin(area, kind, i);
  return Status.OK;
}

// ── candidates ──

/** Stores the candidates and the fences of row i of the area. Returns false if memory runs out. */
function findCandidates(area: TerrainArea, kind: PlacementKind, i: i32): bool {
  const count = fencesOf(area);
  const most = next + <usize>(endCol - firstCol) * CANDIDATE_BYTES;
  if (most > limit) {
    // nothing else allocates meanwhile, so the new memory follows the old memory without a gap
    if (!allocate(most - limit)) return false;
    limit = mark();
  }
  fences = kind.fences + <usize>i * count * sizeof<usize>();
  fence = 0;
  const share = changetype<Share>(kind.share);
  if (share.part == share.whole) takeAll(area, kind, i);
  else takeSome(area, kind, i);
  setFences(count);
  return true;
}

/** Sets all fences that are not set yet, up to fence `end` − 1, to the address of the next candidate. */
function setFences(end: i32): void {
  for (; fence < end; ++fence) store<usize>(fences + <usize>fence * sizeof<usize>(), next);
}

/** Stores every cell of the kind's terrains as a candidate. */
function takeAll(area: TerrainArea, kind: PlacementKind, i: i32): void {
  const terrain = area.terrain + <usize>i * <usize>area.strideBytes;
  const terrains = kind.terrains;
  const plane = planeOfRow(area.row + i);
  for (let j = firstCol; j < endCol; ++j) {
    if (!load<u8>(terrains + load<u8>(terrain + j))) continue;
    const index = indexOf(area.col + j);
    selectExtraWords(plane, index >>> BLOCK_BITS, index & BLOCK_MASK);
    keep(j, kind.distance ? extraWord() : 0);
  }
}

/** Stores cells of the kind's terrains as candidates. The word of each cell decides. */
function takeSome(area: TerrainArea, kind: PlacementKind, i: i32): void {
  const plane = planeOfRow(area.row + i);
  for (let j = firstCol; j < endCol; ) {
    const index = indexOf(area.col + j);
    const filled = fillFrom(plane, index, endCol - j);
    takeSpan(area, kind, i, j, filled);
    j += filled;
  }
}

/** Stores the candidates in the columns j … j + count − 1 of row i. The span must have the words of these columns. */
function takeSpan(area: TerrainArea, kind: PlacementKind, i: i32, j: i32, count: i32): void {
  const share = changetype<Share>(kind.share);
  const index = indexOf(area.col + j);
  const terrain = area.terrain + <usize>i * <usize>area.strideBytes + j;
  const from = wordAddress(index);
  wordMask(from, share.bound, area.masks, count);
  for (let k = 0; k < count; k += LANE_CELLS) {
    for (let found = i8x16.bitmask(v128.load(area.masks + k)); found; found &= found - 1) {
      const cell = k + ctz(found);
      // the mask also covers words after the last one
      if (cell >= count) return;
      if (!load<u8>(kind.terrains + load<u8>(terrain + cell))) continue;
      consider(kind, planeOfRow(area.row + i), index + cell, j + cell, load<u32>(from + <usize>cell * COUNT_BYTES));
    }
  }
}

/**
 * Decides whether a cell is a candidate, and stores it if so. The cell's word must be at most the bound. below(whole)
 * may read extra words, even for a word below the bound. The priority is the next extra word after these. So
 * below(whole) is always computed.
 */
function consider(kind: PlacementKind, plane: u64, index: u32, col: i32, word: u32): void {
  const share = changetype<Share>(kind.share);
  selectExtraWords(plane, index >>> BLOCK_BITS, index & BLOCK_MASK);
  if (below(word, share.whole) < share.part) keep(col, kind.distance ? extraWord() : 0);
}

function keep(col: i32, priority: u32): void {
  setFences((col >> FENCE_BITS) + 1);
  const candidate = changetype<Candidate>(next);
  candidate.col = col;
  candidate.priority = priority;
  next += CANDIDATE_BYTES;
}

// ── thinning ──

/** Stores the standing placements of row i of the area. */
function thin(area: TerrainArea, kind: PlacementKind, i: i32): void {
  const count = fencesOf(area);
  const row = kind.fences + <usize>i * count * sizeof<usize>();
  const end = load<usize>(row + <usize>(count - 1) * sizeof<usize>());
  const first = kind.col - area.col;
  for (let at = load<usize>(row + <usize>(first >> FENCE_BITS) * sizeof<usize>()); at < end; at += CANDIDATE_BYTES) {
    const col = changetype<Candidate>(at).col;
    if (col < first) continue;
    if (col >= first + kind.cols) return;
    if (kind.distance && !stands(area, kind, i, at)) continue;
    const placed = changetype<PlacedCell>(kind.standing + <usize>kind.count * offsetof<PlacedCell>());
    placed.row = area.row + i;
    placed.col = area.col + col;
    kind.count += 1;
  }
}

/** Returns true if the candidate at `own`, in row i, stands: no candidate within the distance is smaller. */
function stands(area: TerrainArea, kind: PlacementKind, i: i32, own: usize): bool {
  const distance = kind.distance;
  const oddR = area.oddR;
  const row = area.row;
  const half = (row + i) >> 1;
  const leftmost = firstCol;
  const rightmost = endCol - 1;
  const fenceRowBytes = <usize>fencesOf(area) * sizeof<usize>();
  const from = max(firstRow, i - distance);
  const end = min(endRow, i + distance + 1);
  let rowFences = kind.fences + <usize>from * fenceRowBytes;
  const col = changetype<Candidate>(own).col;
  for (let r = from; r < end; ++r) {
    // within the distance, axial columns differ by at most `distance`, and so do the sums of row and axial column
    const down = r - i;
    const middle = oddR ? col + ((row + r) >> 1) - half : col;
    const left = max(leftmost, middle + max(-distance, -distance - down));
    const right = min(rightmost, middle + min(distance, distance - down));
    if (left <= right && hasSmaller(rowFences, left, right, own)) return false;
    rowFences += fenceRowBytes;
  }
  return true;
}

/** Returns true if a row has a candidate in the columns left … right that is smaller than the candidate at `own`. */
function hasSmaller(rowFences: usize, left: i32, right: i32, own: usize): bool {
  const end = load<usize>(rowFences + <usize>((right >> FENCE_BITS) + 1) * sizeof<usize>());
  const priority = changetype<Candidate>(own).priority;
  for (
    let at = load<usize>(rowFences + <usize>(left >> FENCE_BITS) * sizeof<usize>());
    at < end;
    at += CANDIDATE_BYTES
  ) {
    const other = changetype<Candidate>(at);
    if (other.col < left || other.col > right) continue;
    // the address decides equal priorities: addresses ascend by row, then by column
    if (other.priority < priority || (other.priority == priority && at < own)) return true;
  }
  return false;
}
