// The areas of cells in which programs run, as src/worlds/kernel/terrain.ts lays them out. An area is opened for at most
// so many rows and columns, and can then be placed again and again.

import { BAND_ROWS, BLOCK_COLS, LANE_CELLS, Share } from "../core/layout";
import { allocate, allocateZeroed } from "../core/memory";
import { GridKind } from "../walks/layout";
import { DistancePlane, NoiseOctave, NoisePlan, Position, TerrainArea, TerrainCode, TerrainOp } from "../worlds/layout";
import { forkInteger, forkText } from "./keys";
import { fieldAt, Kind, layerAt, MadeWorld, Program, Step, stepAt, tableAt, terrainAt, wordAt } from "./worldParts";

const FIRST: i64 = i32.MIN_VALUE;
const LAST: i64 = i32.MAX_VALUE;
/** Columns of an unbounded odd-r grid are −2^30 … 2^30 − 1, so that the axial columns have 32 bits. */
const LAST_UPRIGHT: i64 = (1 << 30) - 1;
/** A lattice cell of noise has four corners, each with a table of weights. */
const CORNERS: u32 = 4;
/** Vectors of noise begin at multiples of four columns, so a row of sums can begin and end a vector further out. */
const SUMS_MARGIN: i32 = 8;

// the ids of forks: "terrain", "fields", "placements", "where", "least", "size", "facing"
const TERRAIN = memory.data<u8>([0x74, 0x65, 0x72, 0x72, 0x61, 0x69, 0x6e]);
const FIELDS = memory.data<u8>([0x66, 0x69, 0x65, 0x6c, 0x64, 0x73]);
const PLACEMENTS = memory.data<u8>([0x70, 0x6c, 0x61, 0x63, 0x65, 0x6d, 0x65, 0x6e, 0x74, 0x73]);
const WHERE = memory.data<u8>([0x77, 0x68, 0x65, 0x72, 0x65]);
const LEAST = memory.data<u8>([0x6c, 0x65, 0x61, 0x73, 0x74]);
const SIZE = memory.data<u8>([0x73, 0x69, 0x7a, 0x65]);
const FACING = memory.data<u8>([0x66, 0x61, 0x63, 0x69, 0x6e, 0x67]);

/** Returns the key of a kind of placements, from the key of its world. */
export function kindKey(world: u64, kind: Kind): u64 {
  return forkText(forkText(world, PLACEMENTS, 10), kind.name, kind.nameBytes);
}

export function leastKey(kind: u64): u64 {
  return forkText(kind, LEAST, 5);
}

export function sizeKey(kind: u64): u64 {
  return forkText(kind, SIZE, 4);
}

export function facingKey(kind: u64): u64 {
  return forkText(kind, FACING, 6);
}

// ── the grid ──

export function firstRow(world: MadeWorld): i64 {
  return world.gridKind == GridKind.UNBOUNDED ? FIRST : 0;
}

export function lastRow(world: MadeWorld): i64 {
  return world.gridKind == GridKind.UNBOUNDED ? LAST : <i64>world.rows - 1;
}

export function firstCol(world: MadeWorld): i64 {
  if (world.gridKind != GridKind.UNBOUNDED) return 0;
  return world.oddR ? ~LAST_UPRIGHT : FIRST;
}

export function lastCol(world: MadeWorld): i64 {
  if (world.gridKind != GridKind.UNBOUNDED) return <i64>world.cols - 1;
  return world.oddR ? LAST_UPRIGHT : LAST;
}

// ── areas ──

/**
 * Opens an area for a program. With `isAxial`, it has axial coordinates, also if those of the grid are odd-r. `kind` is
 * the kind whose limit the program is, or 0. Returns 0 if memory runs out.
 */
export function openArea(
  world: MadeWorld,
  program: Program,
  rows: i32,
  cols: i32,
  isAxial: bool,
  key: u64,
  kind: usize,
): usize {
  const made = allocateZeroed(offsetof<TerrainArea>());
  if (!made) return 0;
  const area = changetype<TerrainArea>(made);
  const stride = strideOf(cols);
  area.oddR = isAxial ? 0 : world.oddR;
  area.axialMaps = u32(area.oddR && world.gridKind == GridKind.UNBOUNDED);
  area.strideBytes = stride;
  area.bandStrideBytes = <u32>BLOCK_COLS * (<u32>(cols + BLOCK_COLS - 2) / BLOCK_COLS + 1);
  area.opCount = program.stepCount;
  area.planeCount = program.reachCount;
  area.ops = allocateZeroed(<usize>program.stepCount * offsetof<TerrainOp>());
  area.planes = allocateZeroed(<usize>program.reachCount * offsetof<DistancePlane>());
  const isField = stepAt(program, program.stepCount - 1).code == TerrainCode.STORE;
  area.terrain = allocate((<usize>rows * stride) << usize(isField));
  area.masks = allocate((<usize>program.depth + 1) * stride);
  area.counts = allocateZeroed(<usize>program.rows * stride * sizeof<u32>());
  // a mask is copied in whole vectors, so a read can go past the end of the last mask
  area.bands = allocate(<usize>program.chances * BAND_ROWS * area.bandStrideBytes + LANE_CELLS);
  if (!area.ops || !area.planes || !area.terrain || !area.masks || !area.counts || !area.bands) return 0;
  for (let i: u32 = 0; i < program.reachCount; ++i) {
    if (!openPlane(world, program, i, planeAt(area, i), rows, cols)) return 0;
  }
  for (let i: u32 = 0; i < program.stepCount; ++i) {
    const op = changetype<TerrainOp>(area.ops + <usize>i * offsetof<TerrainOp>());
    if (!openOp(world, stepAt(program, i), op, isAxial, cols, key, kind)) return 0;
  }
  return made;
}

/** Returns the bytes of a row: padded to whole vectors, plus a margin of one vector. */
function strideOf(cols: i32): u32 {
  return ((<u32>cols + (LANE_CELLS - 1)) & -LANE_CELLS) + LANE_CELLS;
}

function planeAt(area: TerrainArea, i: u32): DistancePlane {
  return changetype<DistancePlane>(area.planes + <usize>i * offsetof<DistancePlane>());
}

function openPlane(world: MadeWorld, program: Program, i: u32, plane: DistancePlane, rows: i32, cols: i32): bool {
  const reach = <i32>wordAt(program.reaches, 2 * i + 1);
  plane.map = layerAt(world, wordAt(program.reaches, 2 * i)).map;
  plane.strideBytes = strideOf(cols + 2 * reach);
  // a margin, a row before the first row, the rows, and a row after the last one
  const start = allocate(<usize>LANE_CELLS + <usize>(rows + 2 * reach + 2) * plane.strideBytes);
  plane.cells = start + LANE_CELLS + plane.strideBytes;
  return start != 0;
}

function openOp(world: MadeWorld, step: Step, op: TerrainOp, isAxial: bool, cols: i32, key: u64, kind: usize): bool {
  op.code = step.code;
  op.slot = step.slot;
  op.least = step.least;
  op.span = step.span;
  op.value = step.value;
  switch (step.code) {
    case TerrainCode.LOAD_VISITS:
    case TerrainCode.LOAD_FIRST_VISITS:
    case TerrainCode.VISITED:
      op.map = layerAt(world, step.layer).map;
      return true;
    case TerrainCode.CHANCE: {
      const own = forkInteger(chanceKey(world, step, key, kind), step.b);
      op.data = createShare(<u32>own, <u32>(own >>> 32), step.c, step.d);
      return op.data != 0;
    }
    case TerrainCode.LOOK_UP:
      op.data = tableAt(world, step.a).values;
      return true;
    case TerrainCode.POSITION: {
      op.data = allocate(offsetof<Position>());
      if (!op.data) return false;
      const position = changetype<Position>(op.data);
      position.row = step.a;
      position.col = isAxial && world.oddR ? <i32>step.b - (position.row >> 1) : <i32>step.b;
      return true;
    }
    case TerrainCode.NOISE:
      op.data = openNoise(world, step, cols, key);
      return op.data != 0;
  }
  return true;
}

/** Writes a probability with the key of its words. Returns 0 if memory runs out. */
export function createShare(k0: u32, k1: u32, part: u32, whole: u32): usize {
  const at = allocate(offsetof<Share>());
  if (!at) return 0;
  const share = changetype<Share>(at);
  share.k0 = k0;
  share.k1 = k1;
  share.part = part;
  share.whole = whole;
  share.bound = <u32>(((<u64>part) << 32) / whole);
  return at;
}

function chanceKey(world: MadeWorld, step: Step, key: u64, kind: usize): u64 {
  if (kind) return forkText(kindKey(key, changetype<Kind>(kind)), WHERE, 5);
  const name = terrainAt(world, step.a);
  return forkText(forkText(key, TERRAIN, 7), name.at, name.bytes);
}

function openNoise(world: MadeWorld, step: Step, cols: i32, key: u64): usize {
  const field = fieldAt(world, step.a);
  const own = forkText(forkText(key, FIELDS, 6), field.name, field.nameBytes);
  const at = allocate(offsetof<NoisePlan>());
  const octaves = allocateZeroed(<usize>step.c * offsetof<NoiseOctave>());
  const sums = allocate((<usize>(cols + SUMS_MARGIN)) << 2);
  if (!at || !octaves || !sums) return 0;
  for (let o: u32 = 0; o < step.c; ++o) {
    const octave = changetype<NoiseOctave>(octaves + <usize>o * offsetof<NoiseOctave>());
    const octaveKey = forkInteger(own, o);
    octave.k0 = <u32>octaveKey;
    octave.k1 = <u32>(octaveKey >>> 32);
    octave.shift = step.b - o;
    octave.weights = allocate((<usize>CORNERS * sizeof<u32>()) << octave.shift);
    // a row of cells lies in at most cols / side + 2 lattice cells, which have one more point
    octave.slopes = allocate(2 * ((<usize>cols >>> octave.shift) + 4));
    if (!octave.weights || !octave.slopes) return 0;
  }
  const plan = changetype<NoisePlan>(at);
  plan.octaves = octaves;
  plan.octaveCount = step.c;
  plan.sums = sums;
  return at;
}

/** Places an area. Its cells must be in the grid. */
export function placeArea(
  world: MadeWorld,
  program: Program,
  area: TerrainArea,
  row: i32,
  col: i32,
  rows: i32,
  cols: i32,
): void {
  area.row = row;
  area.col = col;
  area.rows = rows;
  area.cols = cols;
  const isAxial = area.oddR != world.oddR;
  for (let i: u32 = 0; i < area.planeCount; ++i) {
    const reach = <i64>wordAt(program.reaches, 2 * i + 1);
    const plane = planeAt(area, i);
    const top = max(isAxial ? FIRST : firstRow(world), <i64>row - reach);
    const left = max(isAxial ? FIRST : firstCol(world), <i64>col - reach);
    plane.row = <i32>top;
    plane.col = <i32>left;
    plane.rows = <i32>(min(isAxial ? LAST : lastRow(world), <i64>row + rows - 1 + reach) - top + 1);
    plane.cols = <i32>(min(isAxial ? LAST : lastCol(world), <i64>col + cols - 1 + reach) - left + 1);
  }
}
