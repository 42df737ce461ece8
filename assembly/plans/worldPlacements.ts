// Finds the placements of all kinds, as src/worlds/kernel/placements.ts and src/worlds/standing.ts do.

import { belowAt } from "../core/below";
import { blockOf, colInBlock, rowInBand } from "../core/cellWords";
import { BAND_ROWS, BLOCK_COLS, Status } from "../core/layout";
import { allocate, mark, release } from "../core/memory";
import { useStream } from "../core/words";
import { PlacedCell, PlacementKind, PlacementRelation, TERRAIN_CODES, TerrainArea } from "../worlds/layout";
import { findPlacements } from "../worlds/placements";
import { makeTerrain } from "../worlds/terrain";
import { colOfKey, keyOfCell, RANKED_BYTES, rankedAt, rowOfKey, sortCells } from "./sortCells";
import {
  createShare,
  facingKey,
  firstCol,
  firstRow,
  kindKey,
  lastCol,
  lastRow,
  leastKey,
  openArea,
  placeArea,
  sizeKey,
} from "./worldAreas";
import { Box, Disc, Kind, KindSpec, kindAt, leastOf, MadeWorld, mostOf, wordAt } from "./worldParts";

const PLACED_BYTES: usize = offsetof<PlacedCell>();
/** Rows of the rings of candidates: enough for the greatest distance, and a power of two. */
const RING_ROWS: i32 = 256;
/** The bits of a row of candidates are read 8 bytes at a time, so a read can go past their end. */
const BITS_MARGIN: usize = sizeof<u64>();
const NO_TRAIT: u32 = 255;
const DIRECTIONS: u32 = 6;
const REGION_BITS: i64 = 8;

/** A placement in the results. */
@unmanaged
class FoundPlacement {
  row: i32;
  col: i32;
  kind: u32;
  terrain: u32;
  size: u32;
  facing: u32;
}

const FOUND_BYTES: usize = offsetof<FoundPlacement>();

// ── where kinds must be known ──

export function setBox(box: Box, top: i64, left: i64, bottom: i64, right: i64): void {
  box.top = top;
  box.left = left;
  box.bottom = bottom;
  box.right = right;
}

/** Extends a box by another one. */
export function unite(box: Box, top: i64, left: i64, bottom: i64, right: i64): void {
  setBox(box, min(box.top, top), min(box.left, left), max(box.bottom, bottom), max(box.right, right));
}

export function clip(box: Box, world: MadeWorld): void {
  setBox(
    box,
    max(box.top, firstRow(world)),
    max(box.left, firstCol(world)),
    min(box.bottom, lastRow(world)),
    min(box.right, lastCol(world)),
  );
}

function contains(box: Box, row: i64, col: i64): bool {
  return row >= box.top && row <= box.bottom && col >= box.left && col <= box.right;
}

function canStand(spec: KindSpec): bool {
  return (spec.part | spec.atCount | spec.least) != 0;
}

/** Sets where each kind must be known and searched, so that the placements in `cells` are found. */
export function findBoxes(world: MadeWorld, cells: Box): void {
  for (let k: u32 = 0; k < world.kindCount; ++k) {
    const kind = kindAt(world, k);
    setBox(kind.known, cells.top, cells.left, cells.bottom, cells.right);
    setBox(kind.searched, cells.top, cells.left, cells.bottom, cells.right);
  }
  for (let k = <i32>world.kindCount - 1; k >= 0; --k) {
    const kind = kindAt(world, k);
    const spec = kind.spec;
    if (!canStand(spec)) continue;
    // the disc of `most` can bring that of `least`
    addDisc(kind.known, leastOf(kind), spec.distance);
    addDisc(kind.known, mostOf(kind), 0);
    addDisc(kind.known, leastOf(kind), spec.distance);
    clip(kind.known, world);
    const known = kind.known;
    const d = <i64>spec.distance;
    setBox(kind.searched, known.top - d, known.left - d, known.bottom + d, known.right + d);
    clip(kind.searched, world);
    if (spec.near) need(world, spec.near - 1, kind.searched, spec.within);
    if (spec.apart) need(world, spec.apart - 1, kind.searched, spec.apartBy);
    if (spec.alone) for (let other = 0; other < k; ++other) need(world, other, kind.searched, 0);
  }
}

function need(world: MadeWorld, k: u32, box: Box, distance: i64): void {
  unite(kindAt(world, k).known, box.top - distance, box.left - distance, box.bottom + distance, box.right + distance);
}

/** Adds a disc, and the cells around it, if it has a cell of the box. */
function addDisc(box: Box, disc: Disc, margin: i64): void {
  if (!disc.count) return;
  const within = <i64>disc.within;
  const row = <i64>disc.row;
  const col = <i64>disc.col;
  if (row + within < box.top || row - within > box.bottom || col + within < box.left || col - within > box.right)
    return;
  const all = within + margin;
  unite(box, row - all, col - all, row + all, col + all);
}

// ── the kinds, one after another ──

/** The area whose terrain is known, and the records and rings that all kinds share. */
let ground = changetype<TerrainArea>(0);
let search = changetype<PlacementKind>(0);
let relations: usize = 0;

/** Finds the placements of all kinds on the terrain of an area. Returns false if memory runs out. */
export function findKinds(world: MadeWorld, area: TerrainArea, key: u64): bool {
  const record = allocate(offsetof<PlacementKind>());
  const table = allocate(TERRAIN_CODES);
  const bits = allocate(<usize>RING_ROWS * ((<usize>area.bandStrideBytes >>> 3) + BITS_MARGIN));
  const priorities = allocate(<usize>RING_ROWS * area.bandStrideBytes * sizeof<u32>());
  // a relation to each earlier kind, to those of `near` and `apart`, and to the cells of `at`
  relations = allocate(<usize>(world.kindCount + 3) * offsetof<PlacementRelation>());
  if (!record || !table || !bits || !priorities || !relations) return false;
  ground = area;
  search = changetype<PlacementKind>(record);
  search.terrains = table;
  search.bits = bits;
  search.ringRows = RING_ROWS;
  search.relations = relations;
  for (let k: u32 = 0; k < world.kindCount; ++k) {
    const kind = kindAt(world, k);
    kind.standing = 0;
    kind.count = 0;
    if (canStand(kind.spec) && !findKind(world, k, key, priorities)) return false;
  }
  return true;
}

function findKind(world: MadeWorld, k: u32, key: u64, priorities: usize): bool {
  const kind = kindAt(world, k);
  const spec = kind.spec;
  const before = mark();
  const own = kindKey(key, kind);
  let area = ground;
  if (spec.hasLimit) {
    area = changetype<TerrainArea>(limitedArea(world, kind, key));
    if (!changetype<usize>(area)) return false;
  }
  for (let t: u32 = 0; t < TERRAIN_CODES; ++t) {
    const bits = load<u64>(changetype<usize>(spec) + offsetof<KindSpec>("terrains") + ((<usize>t >>> 6) << 3));
    store<u8>(search.terrains + t, <u8>((bits >>> (t & 63)) & 1));
  }
  writeRelations(world, k);
  if (spec.part) {
    search.priorities = spec.distance || spec.most ? priorities : 0;
    if (!searchKind(area, kind.known, spec.distance, own, spec.part, spec.whole)) return false;
  } else {
    search.standing = mark();
    search.count = 0;
  }
  search.priorities = priorities;
  if (!adjust(world, kind, area, own)) return false;
  // keeps only the list, in the place of all that was allocated for this kind
  const bytes = <usize>search.count * PLACED_BYTES;
  const from = search.standing;
  release(before);
  const to = allocate(bytes);
  memory.copy(to, from, bytes);
  kind.standing = to;
  kind.count = search.count;
  return true;
}

/** Returns an area with the terrain of the searched cells, without those on which the kind cannot stand. */
function limitedArea(world: MadeWorld, kind: Kind, key: u64): usize {
  const box = kind.searched;
  const rows = <i32>(box.bottom - box.top + 1);
  const cols = <i32>(box.right - box.left + 1);
  const made = openArea(world, kind, rows, cols, false, key, changetype<usize>(kind));
  if (!made) return 0;
  const area = changetype<TerrainArea>(made);
  placeArea(world, kind, area, <i32>box.top, <i32>box.left, rows, cols);
  for (let r = 0; r < rows; ++r) {
    const from = ground.terrain + <usize>(area.row + r - ground.row) * ground.strideBytes + (area.col - ground.col);
    memory.copy(area.terrain + <usize>r * area.strideBytes, from, cols);
  }
  makeTerrain(area);
  return made;
}

function writeRelations(world: MadeWorld, k: u32): void {
  const kind = kindAt(world, k);
  const spec = kind.spec;
  search.relationCount = 0;
  if (spec.near) relate(kindAt(world, spec.near - 1), spec.within, true);
  if (spec.apart) relate(kindAt(world, spec.apart - 1), spec.apartBy, false);
  if (spec.alone) for (let other: u32 = 0; other < k; ++other) relate(kindAt(world, other), 0, false);
  addRelation(kind.at, spec.atCount, spec.distance, false);
}

function relate(kind: Kind, distance: u32, isNear: bool): void {
  addRelation(kind.standing, kind.count, distance, isNear);
}

function addRelation(cells: usize, count: u32, distance: u32, isNear: bool): void {
  if (!count && !isNear) return;
  const at = relations + <usize>search.relationCount * offsetof<PlacementRelation>();
  search.relationCount += 1;
  const relation = changetype<PlacementRelation>(at);
  relation.cells = cells;
  relation.count = count;
  relation.distance = distance;
  relation.isNear = u32(isNear);
}

/** Finds the placements of the current kind in a box. */
function searchKind(area: TerrainArea, known: Box, distance: u32, key: u64, part: u32, whole: u32): bool {
  search.row = <i32>known.top;
  search.col = <i32>known.left;
  search.rows = <i32>(known.bottom - known.top + 1);
  search.cols = <i32>(known.right - known.left + 1);
  search.distance = distance;
  search.share = createShare(<u32>key, <u32>(key >>> 32), part, whole);
  return search.share != 0 && findPlacements(area, search) == Status.OK;
}

// ── cells by hand, and discs with too many or too few placements ──

/** Adds the cells of `at` to the list of the search, then applies `most`, then `least`. */
function adjust(world: MadeWorld, kind: Kind, area: TerrainArea, key: u64): bool {
  const spec = kind.spec;
  // the known cells have the whole disc, or no cell of it
  const most = knownDisc(kind, mostOf(kind));
  const least = knownDisc(kind, leastOf(kind));
  if (!spec.atCount && !most && !least) return true;
  const room = search.count + spec.atCount + (least ? leastOf(kind).count : 0);
  const all = allocate(<usize>room * RANKED_BYTES);
  if (!all) return false;
  let count: u32 = 0;
  for (let i: u32 = 0; i < search.count; ++i) {
    const placed = changetype<PlacedCell>(search.standing + <usize>i * PLACED_BYTES);
    add(all, count++, placed.row, placed.col, most ? <i64>placed.priority : 0);
  }
  for (let i: u32 = 0; i < spec.atCount; ++i) {
    const row = <i32>wordAt(kind.at, 3 * i);
    const col = <i32>wordAt(kind.at, 3 * i + 1);
    if (contains(kind.known, row, col)) add(all, count++, row, col, -1);
  }
  if (most) count = atMost(world, mostOf(kind), all, count);
  if (least) {
    const found = atLeast(world, kind, area, leastKey(key), all, count);
    if (found < 0) return false;
    count = <u32>found;
  }
  for (let i: u32 = 0; i < count; ++i) rankedAt(all, i).priority = 0;
  sortCells(all, count);
  // a placement is shorter than a record, so it overwrites records that were read before
  for (let i: u32 = 0; i < count; ++i) {
    const cell = rankedAt(all, i).key;
    const placed = changetype<PlacedCell>(all + <usize>i * PLACED_BYTES);
    placed.row = rowOfKey(cell);
    placed.col = colOfKey(cell);
  }
  search.standing = all;
  search.count = count;
  return true;
}

function knownDisc(kind: Kind, disc: Disc): bool {
  return disc.count != 0 && contains(kind.known, disc.row, disc.col);
}

function add(all: usize, i: u32, row: i32, col: i32, priority: i64): void {
  const one = rankedAt(all, i);
  one.priority = priority;
  one.key = keyOfCell(row, col);
}

function isInDisc(world: MadeWorld, disc: Disc, key: u64): bool {
  return stepsBetween(world, keyOfCell(disc.row, disc.col), key) <= <i64>disc.within;
}

function stepsBetween(world: MadeWorld, a: u64, b: u64): i64 {
  const down = <i64>rowOfKey(b) - rowOfKey(a);
  const shift = world.oddR ? <i64>(rowOfKey(b) >> 1) - (rowOfKey(a) >> 1) : 0;
  const right = <i64>colOfKey(b) - colOfKey(a) - shift;
  const far = max(max(down, -down), max(right, -right));
  return max(far, max(down + right, -down - right));
}

/** Removes placements from a disc with too many of them, from the greatest priority on, but no cell of `at`. */
function atMost(world: MadeWorld, disc: Disc, all: usize, count: u32): u32 {
  sortCells(all, count);
  let inside: u32 = 0;
  let kept: u32 = 0;
  for (let i: u32 = 0; i < count; ++i) {
    const one = rankedAt(all, i);
    if (isInDisc(world, disc, one.key) && ++inside > disc.count - 1 && one.priority >= 0) continue;
    add(all, kept++, rowOfKey(one.key), colOfKey(one.key), one.priority);
  }
  return kept;
}

/** Adds the cells that a disc with too few placements needs, in the order of their ranks. Returns −1 without memory. */
function atLeast(world: MadeWorld, kind: Kind, area: TerrainArea, key: u64, all: usize, count: u32): i64 {
  const disc = leastOf(kind);
  let missing = <i32>disc.count - 1;
  for (let i: u32 = 0; i < count; ++i) missing -= i32(isInDisc(world, disc, rankedAt(all, i).key));
  if (missing <= 0) return count;
  const made = allocate(offsetof<Box>());
  if (!made) return -1;
  const box = changetype<Box>(made);
  const known = kind.known;
  const within = <i64>disc.within;
  box.top = max(known.top, <i64>disc.row - within);
  box.left = max(known.left, <i64>disc.col - within);
  box.bottom = min(known.bottom, <i64>disc.row + within);
  box.right = min(known.right, <i64>disc.col + within);
  // with the density 1, every cell is a candidate, and its priority is the first extra word of its address
  if (!searchKind(area, box, 0, key, 1, 1)) return -1;
  const found = search.count;
  const ranked = allocate(<usize>found * RANKED_BYTES);
  if (!ranked) return -1;
  for (let i: u32 = 0; i < found; ++i) {
    const placed = changetype<PlacedCell>(search.standing + <usize>i * PLACED_BYTES);
    add(ranked, i, placed.row, placed.col, placed.priority);
  }
  sortCells(ranked, found);
  // only placements near the box can be too near
  const distance = <i64>kind.spec.distance;
  const rivals = allocate((<usize>(count + missing)) << 3);
  if (!rivals) return -1;
  setBox(box, box.top - distance, box.left - distance, box.bottom + distance, box.right + distance);
  let near: u32 = 0;
  for (let i: u32 = 0; i < count; ++i) {
    const cell = rankedAt(all, i).key;
    if (!contains(box, rowOfKey(cell), colOfKey(cell))) continue;
    store<u64>(rivals + ((<usize>near) << 3), cell);
    ++near;
  }
  for (let i: u32 = 0; i < found && missing > 0; ++i) {
    const cell = rankedAt(ranked, i).key;
    if (!isInDisc(world, disc, cell) || !isFree(world, rivals, near, cell, distance)) continue;
    store<u64>(rivals + ((<usize>near) << 3), cell);
    ++near;
    add(all, count++, rowOfKey(cell), colOfKey(cell), 0);
    --missing;
  }
  return count;
}

function isFree(world: MadeWorld, rivals: usize, count: u32, cell: u64, distance: i64): bool {
  for (let at = rivals, end = rivals + ((<usize>count) << 3); at < end; at += 8) {
    if (stepsBetween(world, load<u64>(at), cell) <= distance) return false;
  }
  return true;
}

// ── results ──

let found: usize = 0;
let foundCount: u32 = 0;

/** Returns how many placements the last call has found. */
export function placementCount(): u32 {
  return foundCount;
}

/**
 * Lists the placements in a box: by region of 256 × 256 cells, then by kind, then by row and column. Returns their
 * address, or 0 if memory runs out.
 */
export function listPlacements(world: MadeWorld, cells: Box, key: u64): usize {
  foundCount = 0;
  for (let k: u32 = 0; k < world.kindCount; ++k) {
    const kind = kindAt(world, k);
    for (let i: u32 = 0; i < kind.count; ++i)
      foundCount += u32(contains(cells, standingAt(kind, i).row, standingAt(kind, i).col));
  }
  found = allocate(<usize>foundCount * FOUND_BYTES);
  if (!found) return 0;
  let at = found;
  for (let i = cells.top >> REGION_BITS; i <= cells.bottom >> REGION_BITS; ++i) {
    for (let j = cells.left >> REGION_BITS; j <= cells.right >> REGION_BITS; ++j) {
      for (let k: u32 = 0; k < world.kindCount; ++k) at = listRegion(kindAt(world, k), k, cells, i, j, at);
    }
  }
  for (let k: u32 = 0; k < world.kindCount; ++k) drawTraits(kindAt(world, k), k, key);
  return found;
}

function standingAt(kind: Kind, i: u32): PlacedCell {
  return changetype<PlacedCell>(kind.standing + <usize>i * PLACED_BYTES);
}

function listRegion(kind: Kind, k: u32, cells: Box, i: i64, j: i64, at: usize): usize {
  for (let n: u32 = 0; n < kind.count; ++n) {
    const placed = standingAt(kind, n);
    if (<i64>placed.row >> REGION_BITS != i || <i64>placed.col >> REGION_BITS != j) continue;
    if (!contains(cells, placed.row, placed.col)) continue;
    const one = changetype<FoundPlacement>(at);
    one.row = placed.row;
    one.col = placed.col;
    one.kind = k;
    one.terrain = load<u8>(
      ground.terrain + <usize>(placed.row - ground.row) * ground.strideBytes + (placed.col - ground.col),
    );
    one.size = NO_TRAIT;
    one.facing = NO_TRAIT;
    at += FOUND_BYTES;
  }
  return at;
}

/** Draws the sizes and the facings of a kind: first all of one stream, then all of the other. */
function drawTraits(kind: Kind, k: u32, key: u64): void {
  const own = kindKey(key, kind);
  if (kind.sizeTotal) {
    const stream = sizeKey(own);
    useStream(<u32>stream, <u32>(stream >>> 32));
    for (let i: u32 = 0; i < foundCount; ++i) {
      const one = changetype<FoundPlacement>(found + <usize>i * FOUND_BYTES);
      if (one.kind == k) one.size = sizeOf(kind, drawAt(one, kind.sizeTotal));
    }
  }
  if (!kind.spec.facing) return;
  const stream = facingKey(own);
  useStream(<u32>stream, <u32>(stream >>> 32));
  for (let i: u32 = 0; i < foundCount; ++i) {
    const one = changetype<FoundPlacement>(found + <usize>i * FOUND_BYTES);
    if (one.kind == k) one.facing = drawAt(one, DIRECTIONS);
  }
}

/** Draws a number from the word of a cell. */
function drawAt(one: FoundPlacement, bound: u32): u32 {
  const plane = <u64>(<u32>(one.row >> ctz(BAND_ROWS)));
  const offset = ((<u32>rowInBand(one.row)) << ctz(BLOCK_COLS)) | <u32>colInBlock(one.col);
  return belowAt(plane, blockOf(one.col), offset, bound);
}

function sizeOf(kind: Kind, drawn: u32): u32 {
  let size: u32 = 0;
  for (let sum = wordAt(kind.sizes, 0); sum <= drawn; sum += wordAt(kind.sizes, size)) ++size;
  return size;
}
