// Walks the regions that a call needs, as src/worlds/engine.ts does: into a map for each layer, all in one memory. The
// order of regions does not matter, because a count is a sum over walkers. One world is open at a time. Its maps stay
// until another world or another key is asked for, or until they take too much memory.
//
// A rectangle is given by its first and its last row and column. These are i64, because a rectangle is clipped to the
// range of coordinates after it has grown.

import { derived0, derived1, deriveStarts } from "../core/keys";
import { Status } from "../core/layout";
import { allocate, allocateZeroed, mark, release } from "../core/memory";
import { createDirectory, Directory, Entry, find, insert } from "../walks/directory";
import { createValues, storeRange, storeValues } from "../walks/fieldCells";
import { CHUNK_SIDE_BITS, createMap, HexMap, setSlope } from "../walks/hexMap";
import {
  CHUNK_SIDE,
  GridKind,
  LARGE_TILE_SIDE,
  MOST_SEATS,
  ScatterPlan,
  SlopePlan,
  WalkerGroup,
} from "../walks/layout";
import { beginRegion, createScatter, prepareChunks, ScatterLayer, seatGroup, walkGroup } from "../walks/scatter";
import { TerrainArea } from "../worlds/layout";
import { makeTerrain } from "../worlds/terrain";
import { closeCells, createTensorOf, runLayer } from "./finiteLayers";
import { nameKey } from "./keys";
import { PlanStatus } from "./nouns";
import { createShare, openArea, placeArea } from "./worldAreas";
import {
  Field,
  fieldAt,
  fieldOf,
  Layer,
  LayerKind,
  LayerSpec,
  layerAt,
  MadeWorld,
  rangeAt,
  readsLayer,
  wordAt,
} from "./worldParts";

const FIRST: i64 = i32.MIN_VALUE;
const LAST: i64 = i32.MAX_VALUE;
/** Maps of at most this many bytes are kept for the next call. A call that needs more keeps twice of it. */
const KEPT_BYTES: usize = 1 << 27;
/** As in src/walks/kernel/scatter.ts. */
const SPARE_STEPS: i64 = 35;
const STEPS_PER_GROUP: u32 = 1 << 20;
const DENSITY_SEATS: u32 = 64;
const CELLS_PER_WALKER: u32 = 128;
/** Chunks along each side of the areas in which fields are computed, and the cells around them that slopes read. */
const CHUNKS_TOGETHER: i64 = 4;
const RIM: i64 = 1;

/** A region of a scattered layer that was walked, and its groups of walkers that can take further steps. */
@unmanaged
class RegionEntry extends Entry {
  groups: usize;
}

let world = changetype<MadeWorld>(0);
let root: u64 = 0;
let base: usize = 0;
let kept: usize = KEPT_BYTES;
let isFresh = false;

/** Why the last function that returned false has failed. */
export let failure: PlanStatus = PlanStatus.OK;

function fail(status: PlanStatus): bool {
  failure = status;
  return false;
}

/** Forgets the open world. Its memory is not used again. */
export function closeWorld(): void {
  world = changetype<MadeWorld>(0);
}

/**
 * Opens a world under the key of a mill, unless it is open. With `again`, opens it in any case, with empty maps. Returns
 * false if memory runs out.
 */
export function openWorld(wanted: MadeWorld, key: u64, again: bool): bool {
  const isSame = changetype<usize>(world) == changetype<usize>(wanted) && root == key;
  const used = mark() - base;
  if (!isSame) kept = KEPT_BYTES;
  else if (isFresh) kept = max(KEPT_BYTES, 2 * used);
  isFresh = !isSame || !!again || used > kept;
  if (!isFresh) return true;
  if (changetype<usize>(world)) release(base);
  else base = mark();
  world = wanted;
  root = key;
  if (openParts()) return true;
  abandonWorld();
  return false;
}

/** Closes the open world, and frees its memory. */
export function abandonWorld(): void {
  closeWorld();
  release(base);
}

export function outOfMemory(): bool {
  return fail(PlanStatus.MEMORY);
}

/** Whether the open world has only just been opened: then a call that fails cannot succeed with empty maps. */
export function isJustOpened(): bool {
  return isFresh;
}

export function worldKey(): u64 {
  return nameKey(root, world.name, world.nameBytes);
}

function openParts(): bool {
  for (let f: u32 = 0; f < world.fieldCount; ++f) {
    const field = fieldAt(world, f);
    const chunks = createDirectory();
    field.values = field.isRead ? createValues() : 0;
    field.area = 0;
    if (!chunks || (field.isRead && !field.values)) return false;
    field.chunks = changetype<Directory>(chunks);
  }
  for (let r: u32 = 0; r < world.rangeCount; ++r) {
    rangeAt(world, r).map = createMap(GridKind.UNBOUNDED, 0, 0, 0, 0, 1, CHUNK_SIDE);
    if (!rangeAt(world, r).map) return false;
  }
  for (let l: u32 = 0; l < world.layerCount; ++l) if (!openLayer(layerAt(world, l))) return false;
  return true;
}

function openLayer(layer: Layer): bool {
  const spec = layer.spec;
  if (spec.kind == LayerKind.STUCK) {
    layer.map = layerAt(world, spec.stuckOf).stuck;
    return true;
  }
  const isScattered = spec.kind == LayerKind.SCATTERED;
  const tileSide = isScattered ? tileSideOf(spec) : CHUNK_SIDE;
  layer.map = createMap(GridKind.UNBOUNDED, 0, 0, spec.firstVisits, 0, u32(isScattered), tileSide);
  layer.isRun = 0;
  return layer.map != 0 && (!isScattered || openScattered(layer));
}

/** Returns the side of tiles, as `tileSideOf` of src/walks/kernel/scatter.ts does. */
function tileSideOf(spec: LayerSpec): i32 {
  if (spec.closedCellCount | spec.closedCount | spec.openCount | spec.until | spec.start | spec.slope)
    return CHUNK_SIDE;
  return 4 * <u64>spec.walkers * spec.steps >= <u64>spec.side * spec.side ? LARGE_TILE_SIDE : CHUNK_SIDE;
}

function keyOf(layer: Layer): u64 {
  return nameKey(root, layer.name, layer.nameBytes);
}

function openScattered(layer: Layer): bool {
  const spec = layer.spec;
  const key = keyOf(layer);
  const regions = createDirectory();
  const tensor = createTensorOf(layer);
  const at = allocateZeroed(offsetof<ScatterPlan>());
  const headings = allocate(spec.headingCount);
  const closed = allocate((<usize>spec.closedCount) << 2);
  const open = allocate((<usize>spec.openCount) << 2);
  if (!regions || !tensor || !at || !headings || !closed || !open) return false;
  layer.regions = changetype<Directory>(regions);
  for (let h: u32 = 0; h < spec.headingCount; ++h) store<u8>(headings + h, <u8>wordAt(layer.headings, h));
  const plan = changetype<ScatterPlan>(at);
  plan.map = layer.map;
  plan.tensor = tensor;
  plan.key0 = <u32>key;
  plan.key1 = <u32>(key >>> 32);
  plan.side = spec.side;
  plan.walkers = spec.walkers;
  plan.steps = spec.steps;
  plan.headings = headings;
  plan.headingCount = spec.headingCount;
  plan.starts = spec.start ? mapOf(spec.start - 1) : 0;
  plan.closed = closed;
  plan.closedCount = spec.closedCount;
  for (let i: u32 = 0; i < spec.closedCount; ++i) {
    store<usize>(closed + ((<usize>i) << 2), mapOf(wordAt(layer.closed, i)));
  }
  plan.open = open;
  plan.openCount = spec.openCount;
  for (let i: u32 = 0; i < spec.openCount; ++i) store<usize>(open + ((<usize>i) << 2), mapOf(wordAt(layer.open, i)));
  plan.until = spec.until ? mapOf(spec.until - 1) : 0;
  plan.untilOutside = spec.outside;
  const most = spec.part ? DENSITY_SEATS : min(MOST_SEATS, spec.walkers);
  plan.seats = max<u32>(1, min(most, STEPS_PER_GROUP / (spec.steps + 1)));
  if (spec.part) {
    deriveStarts(<u32>key, <u32>(key >>> 32));
    plan.density = createShare(derived0, derived1, spec.part, spec.whole);
    if (!plan.density) return false;
  }
  if (!closeCells(layer, changetype<HexMap>(layer.map)) || (spec.slope && !openSlope(layer))) return false;
  layer.scatter = createScatter(plan);
  return layer.scatter != 0;
}

function openSlope(layer: Layer): bool {
  const spec = layer.spec;
  const at = allocate(offsetof<SlopePlan>());
  layer.stuck = spec.ends ? createMap(GridKind.UNBOUNDED, 0, 0, 0, 0, 1, CHUNK_SIDE) : 0;
  if (!at || (spec.ends && !layer.stuck)) return false;
  const slope = changetype<SlopePlan>(at);
  slope.down = spec.down;
  slope.level = spec.level;
  slope.up = spec.up;
  slope.steepness = spec.steepness;
  slope.ends = spec.ends;
  slope.stuck = layer.stuck;
  slope.values = fieldOf(world, spec.slope - 1).values;
  setSlope(changetype<HexMap>(layer.map), at);
  return true;
}

/** Returns the map of a source: a layer, or a range of a field. */
function mapOf(source: u32): usize {
  if (source < world.layerCount) return layerAt(world, source).map;
  return rangeAt(world, source - world.layerCount - world.fieldCount).map;
}

// ── what a call needs ──

/**
 * Completes the map of a layer in a rectangle, in the coordinates of walkers. Returns false if it cannot: then the world
 * must be opened again.
 */
export function ensure(l: u32, top: i64, left: i64, bottom: i64, right: i64): bool {
  const layer = layerAt(world, l);
  const spec = layer.spec;
  if (spec.kind == LayerKind.STUCK) return ensure(spec.stuckOf, top, left, bottom, right);
  if (spec.kind == LayerKind.SCATTERED) return walk(layer, top, left, bottom, right);
  for (let earlier: u32 = 0; earlier <= l; ++earlier) {
    const one = layerAt(world, earlier);
    if (one.spec.kind != LayerKind.FINITE || one.isRun) continue;
    const status = runLayer(world, one, keyOf(one));
    if (status) return fail(status);
  }
  return true;
}

function walk(layer: Layer, top: i64, left: i64, bottom: i64, right: i64): bool {
  const spec = layer.spec;
  const steps = <i64>spec.steps;
  const shift = <i64>ctz(spec.side);
  const scatter = changetype<ScatterLayer>(layer.scatter);
  const i0 = max(FIRST, top - steps) >> shift;
  const j0 = max(FIRST, left - steps) >> shift;
  const i1 = min(LAST, bottom + steps) >> shift;
  const j1 = min(LAST, right + steps) >> shift;
  // the rectangle around the regions that are missing
  let down = i1 + 1;
  let across = j1 + 1;
  let lastI = i0 - 1;
  let lastJ = j0 - 1;
  for (let i = i0; i <= i1; ++i) {
    for (let j = j0; j <= j1; ++j) {
      if (find(layer.regions, <i32>i, <i32>j)) continue;
      down = min(down, i);
      across = min(across, j);
      lastI = max(lastI, i);
      lastJ = max(lastJ, j);
    }
  }
  const readsFields = metFields(layer);
  if (down <= lastI) {
    const row0 = down << shift;
    const col0 = across << shift;
    const row1 = ((lastI + 1) << shift) - 1;
    const col1 = ((lastJ + 1) << shift) - 1;
    if (!ensureSources(layer, row0, col0, row1, col1)) return false;
    const margin = readsFields ? 0 : steps + 1;
    if (!prepare(scatter, row0 - margin, col0 - margin, row1 + margin, col1 + margin)) return false;
  }
  if (readsFields) {
    // fields take so much time that they are made only where walkers can step on the way to the rectangle
    const margin = steps + SPARE_STEPS + 1;
    if (!ensureMet(layer, top - margin, left - margin, bottom + margin, right + margin)) return false;
    if (!prepare(scatter, top - margin, left - margin, bottom + margin, right + margin)) return false;
  }
  for (let i = i0; i <= i1; ++i) {
    for (let j = j0; j <= j1; ++j) {
      if (!walkRegion(layer, <i32>i, <i32>j, readsFields, <i32>top, <i32>left, <i32>bottom, <i32>right)) return false;
    }
  }
  return true;
}

function metFields(layer: Layer): bool {
  const spec = layer.spec;
  if (spec.slope || spec.until > world.layerCount) return true;
  for (let i: u32 = 0; i < spec.closedCount; ++i) if (wordAt(layer.closed, i) >= world.layerCount) return true;
  for (let i: u32 = 0; i < spec.openCount; ++i) if (wordAt(layer.open, i) >= world.layerCount) return true;
  return false;
}

function prepare(scatter: ScatterLayer, top: i64, left: i64, bottom: i64, right: i64): bool {
  const shift = <i64>CHUNK_SIDE_BITS;
  const row0 = <i32>(max(FIRST, top) >> shift);
  const col0 = <i32>(max(FIRST, left) >> shift);
  const row1 = <i32>(min(LAST, bottom) >> shift);
  const col1 = <i32>(min(LAST, right) >> shift);
  return prepareChunks(scatter, row0, col0, row1, col1) || fail(PlanStatus.MEMORY);
}

/** Completes what walkers need to start in a rectangle, and all layers that they meet on their way. */
function ensureSources(layer: Layer, top: i64, left: i64, bottom: i64, right: i64): bool {
  const spec = layer.spec;
  // begins with later layers: they need larger rectangles of earlier layers than this layer does
  for (let i = spec.closedCount; i > 0; --i) {
    if (!ensureSource(layer, wordAt(layer.closed, i - 1), true, top, left, bottom, right)) return false;
  }
  for (let i = spec.openCount; i > 0; --i) {
    if (!ensureSource(layer, wordAt(layer.open, i - 1), true, top, left, bottom, right)) return false;
  }
  if (spec.until && !ensureSource(layer, spec.until - 1, true, top, left, bottom, right)) return false;
  return !spec.start || ensureSource(layer, spec.start - 1, false, top, left, bottom, right);
}

function ensureSource(layer: Layer, source: u32, isMet: bool, top: i64, left: i64, bottom: i64, right: i64): bool {
  if (source >= world.layerCount) return makeField(fieldOf(world, source), top, left, bottom, right);
  const margin = isMet ? <i64>layer.spec.steps + 1 : 0;
  const side = <i64>CHUNK_SIDE;
  const row0 = max(FIRST, top - margin) & -side;
  const col0 = max(FIRST, left - margin) & -side;
  return ensure(source, row0, col0, min(LAST, bottom + margin) | (side - 1), min(LAST, right + margin) | (side - 1));
}

/** Makes the fields that walkers meet on their way. */
function ensureMet(layer: Layer, top: i64, left: i64, bottom: i64, right: i64): bool {
  const spec = layer.spec;
  if (!ensureField(spec.slope, top, left, bottom, right)) return false;
  if (!ensureField(spec.until, top, left, bottom, right)) return false;
  for (let i: u32 = 0; i < spec.closedCount; ++i) {
    if (!ensureField(wordAt(layer.closed, i) + 1, top, left, bottom, right)) return false;
  }
  for (let i: u32 = 0; i < spec.openCount; ++i) {
    if (!ensureField(wordAt(layer.open, i) + 1, top, left, bottom, right)) return false;
  }
  return true;
}

/** Makes the field of source `after` − 1, if it has one. */
function ensureField(after: u32, top: i64, left: i64, bottom: i64, right: i64): bool {
  return after <= world.layerCount || makeField(fieldOf(world, after - 1), top, left, bottom, right);
}

// ── regions ──

function walkRegion(layer: Layer, i: i32, j: i32, mustWait: bool, top: i32, left: i32, bottom: i32, right: i32): bool {
  const scatter = changetype<ScatterLayer>(layer.scatter);
  const at = find(layer.regions, i, j);
  if (at) return moveGroups(scatter, changetype<RegionEntry>(at), top, left, bottom, right);
  const made = allocateZeroed(offsetof<RegionEntry>());
  if (!made) return fail(PlanStatus.MEMORY);
  const region = changetype<RegionEntry>(made);
  region.row = i;
  region.col = j;
  if (!insert(layer.regions, region)) return fail(PlanStatus.MEMORY);
  const walkers = beginRegion(scatter, i, j);
  const seats = scatter.plan.seats;
  const side = scatter.plan.side;
  const waits = mustWait || walkers <= (side * side) / CELLS_PER_WALKER;
  for (let first: u32 = 0; first < walkers; first += seats) {
    const group = seatGroup(scatter, first, min(seats, walkers - first));
    if (!group) return fail(PlanStatus.MEMORY);
    const isMoved = waits
      ? moveGroup(scatter, region, group, top, left, bottom, right)
      : moveGroup(scatter, region, group, i32.MIN_VALUE, i32.MIN_VALUE, i32.MAX_VALUE, i32.MAX_VALUE);
    if (!isMoved) return false;
  }
  return true;
}

function moveGroups(scatter: ScatterLayer, region: RegionEntry, top: i32, left: i32, bottom: i32, right: i32): bool {
  let group = region.groups;
  region.groups = 0;
  while (group) {
    // a group that is finished becomes one of the free groups of the layer
    const next = changetype<WalkerGroup>(group).next;
    if (!moveGroup(scatter, region, group, top, left, bottom, right)) return false;
    group = next;
  }
  return true;
}

function moveGroup(
  scatter: ScatterLayer,
  region: RegionEntry,
  at: usize,
  top: i32,
  left: i32,
  bottom: i32,
  right: i32,
): bool {
  const group = changetype<WalkerGroup>(at);
  if (walkGroup(scatter, group, top, left, bottom, right) != Status.OK) return fail(PlanStatus.MEMORY);
  if (!group.left) return true;
  group.next = region.groups;
  region.groups = at;
  return true;
}

// ── fields ──

/** Makes the values of a field in the chunks of a rectangle. */
function makeField(field: Field, top: i64, left: i64, bottom: i64, right: i64): bool {
  const shift = <i64>CHUNK_SIDE_BITS;
  const row0 = max(FIRST, top) >> shift;
  const col0 = max(FIRST, left) >> shift;
  const row1 = min(LAST, bottom) >> shift;
  const col1 = min(LAST, right) >> shift;
  for (let i = row0; i <= row1; i = (i & -CHUNKS_TOGETHER) + CHUNKS_TOGETHER) {
    const endI = min(row1, (i & -CHUNKS_TOGETHER) + CHUNKS_TOGETHER - 1);
    for (let j = col0; j <= col1; j = (j & -CHUNKS_TOGETHER) + CHUNKS_TOGETHER) {
      const endJ = min(col1, (j & -CHUNKS_TOGETHER) + CHUNKS_TOGETHER - 1);
      if (!hasChunks(field, i, j, endI, endJ) && !makeChunks(field, i, j, endI, endJ)) return false;
    }
  }
  return true;
}

function hasChunks(field: Field, row0: i64, col0: i64, row1: i64, col1: i64): bool {
  for (let i = row0; i <= row1; ++i) {
    for (let j = col0; j <= col1; ++j) if (!find(field.chunks, <i32>i, <i32>j)) return false;
  }
  return true;
}

function makeChunks(field: Field, i0: i64, j0: i64, i1: i64, j1: i64): bool {
  const side = <i64>CHUNK_SIDE;
  const top = max(FIRST, i0 * side - RIM);
  const left = max(FIRST, j0 * side - RIM);
  const bottom = min(LAST, (i1 + 1) * side - 1 + RIM);
  const right = min(LAST, (j1 + 1) * side - 1 + RIM);
  if (!ensureRead(field, top, left, bottom, right)) return false;
  if (!field.area) {
    const most = <i32>(CHUNKS_TOGETHER * side + 2 * RIM);
    field.area = openArea(world, field, most, most, true, worldKey(), 0);
    if (!field.area) return fail(PlanStatus.MEMORY);
  }
  const area = changetype<TerrainArea>(field.area);
  placeArea(world, field, area, <i32>top, <i32>left, <i32>(bottom - top + 1), <i32>(right - left + 1));
  makeTerrain(area);
  const rowBytes = (<usize>area.strideBytes) << 1;
  for (let i = i0; i <= i1; ++i) {
    for (let j = j0; j <= j1; ++j) {
      if (find(field.chunks, <i32>i, <i32>j)) continue;
      const from = area.terrain + <usize>(i * side - top) * rowBytes + ((<usize>(j * side - left)) << 1);
      if (!keepChunk(field, <i32>i, <i32>j, from, rowBytes)) return fail(PlanStatus.MEMORY);
    }
  }
  return true;
}

/** Completes the layers that a program reads, in a rectangle in the coordinates of walkers. */
function ensureRead(field: Field, top: i64, left: i64, bottom: i64, right: i64): bool {
  for (let l: u32 = 0; l < field.layerEnd; ++l) {
    if (!readsLayer(field, l)) continue;
    const reach = <i64>field.reach;
    const row0 = max(FIRST, top - reach);
    const col0 = max(FIRST, left - reach);
    if (!ensure(l, row0, col0, min(LAST, bottom + reach), min(LAST, right + reach))) return false;
  }
  return true;
}

function keepChunk(field: Field, i: i32, j: i32, from: usize, rowBytes: usize): bool {
  const at = allocateZeroed(offsetof<Entry>());
  if (!at) return false;
  const entry = changetype<Entry>(at);
  entry.row = i;
  entry.col = j;
  if (!insert(field.chunks, entry)) return false;
  if (field.values && !storeValues(changetype<Directory>(field.values), i, j, from, rowBytes)) return false;
  for (let r: u32 = 0; r < world.rangeCount; ++r) {
    const range = rangeAt(world, r);
    if (changetype<usize>(fieldAt(world, range.field)) != changetype<usize>(field)) continue;
    const map = changetype<HexMap>(range.map);
    if (!storeRange(map, i, j, from, rowBytes, range.least, range.most - range.least)) return false;
  }
  return true;
}
