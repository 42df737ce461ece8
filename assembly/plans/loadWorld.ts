// Checks a walk or a world of a plan file (docs/formats/plans.md), and lists its parts. After these checks, no number of
// the file makes the engine trap, loop without an end, or read outside of what it allocated.

import { allocateZeroed } from "../core/memory";
import { CHUNK_SIDE_BITS } from "../walks/hexMap";
import { CHUNK_SIDE, GridKind, RESTING } from "../walks/layout";
import { TerrainCode } from "../worlds/layout";
import { Noun, NounKind, PlanStatus } from "./nouns";
import { at, has, refuse, take, text, word } from "./reader";
import {
  Box,
  Disc,
  Field,
  FieldRange,
  fieldAt,
  fieldOf,
  KIND_WORDS,
  Kind,
  KindSpec,
  kindAt,
  LAYER_WORDS,
  Layer,
  LayerKind,
  LayerSpec,
  layerAt,
  leastOf,
  MadeWorld,
  mostOf,
  Program,
  rangeAt,
  readsLayer,
  STEP_WORDS,
  Step,
  stepAt,
  Table,
  Text,
  tableAt,
  terrainAt,
  WEIGHT_COUNT,
  wordAt,
} from "./worldParts";

// The limits of docs/formats/plans.md. Those that the library does not have keep the time and the memory of a call small.
const HEAD_WORDS: u32 = 10;
const MAX_LAYERS: u32 = 256;
const MAX_FIELDS: u32 = 64;
const MAX_RANGES: u32 = 1 << 16;
const MAX_TABLES: u32 = 256;
const MAX_TERRAINS: u32 = 255;
const MAX_KINDS: u32 = 256;
const MAX_GRID_CELLS: u64 = 1 << 24;
const MAX_HEADINGS: u32 = 1_000_000;
const MAX_CELLS: u32 = 10_000_000;
const MAX_REGION_WALKERS: u32 = 1 << 16;
const MAX_SCATTERED_STEPS: u32 = 1 << 20;
const MIN_SIDE: u32 = 64;
const MAX_SIDE: u32 = 4096;
const MAX_PROGRAM: u32 = 1 << 13;
const MAX_ROWS: u32 = 1024;
const MAX_DISTANCE: u32 = 64;
const MAX_RELATION: u32 = 256;
const MAX_REACH: u32 = 1024;
const MAX_AT: u32 = 4096;
const MAX_LEAST: u32 = 256;
const MAX_MOST: u32 = 65536;
const MAX_SIZES: u32 = 255;
const MAX_WEIGHT: u32 = 1_000_000;
const MAX_VALUES: u32 = 1 << 16;

/** Rows and columns of the largest rectangle of a call. */
export const MAX_WINDOW: u32 = 512;
/** The steps that one call can need, or what takes as long. */
const MAX_WORK: u64 = 1 << 31;

let world = changetype<MadeWorld>(0);

export function buildWorld(noun: Noun): PlanStatus {
  noun.width = 0;
  const made = allocateZeroed(offsetof<MadeWorld>());
  if (!made) return PlanStatus.MEMORY;
  const head = at;
  if (!has(HEAD_WORDS)) return refuse(head);
  world = changetype<MadeWorld>(made);
  world.name = noun.name;
  world.nameBytes = noun.nameBytes;
  world.gridKind = word();
  world.rows = word();
  world.cols = word();
  world.oddR = word();
  world.tableCount = word();
  world.rangeCount = word();
  world.layerCount = word();
  world.terrainCount = word();
  world.fieldCount = word();
  world.kindCount = word();
  const isWorld = noun.kind == NounKind.WORLD;
  if (!isHead(isWorld)) return refuse(head);
  world.tables = allocateZeroed(<usize>world.tableCount * offsetof<Table>());
  world.ranges = allocateZeroed(<usize>world.rangeCount * offsetof<FieldRange>());
  world.layers = allocateZeroed(<usize>world.layerCount * offsetof<Layer>());
  world.terrains = allocateZeroed(<usize>world.terrainCount * offsetof<Text>());
  world.fields = allocateZeroed(<usize>world.fieldCount * offsetof<Field>());
  world.kinds = allocateZeroed(<usize>world.kindCount * offsetof<Kind>());
  const program = isWorld ? allocateZeroed(offsetof<Program>()) : 0;
  if (!world.tables || !world.ranges || !world.layers || !world.terrains || !world.fields || !world.kinds) {
    return PlanStatus.MEMORY;
  }
  if (isWorld && !program) return PlanStatus.MEMORY;
  for (let k: u32 = 0; k < world.kindCount; ++k) {
    const kind = kindAt(world, k);
    const boxes = allocateZeroed(2 * offsetof<Box>());
    if (!boxes) return PlanStatus.MEMORY;
    kind.known = changetype<Box>(boxes);
    kind.searched = changetype<Box>(boxes + offsetof<Box>());
  }
  for (let t: u32 = 0; t < world.tableCount; ++t) if (!readTable(tableAt(world, t))) return refused();
  for (let r: u32 = 0; r < world.rangeCount; ++r) if (!readRange(rangeAt(world, r))) return refused();
  for (let l: u32 = 0; l < world.layerCount; ++l) if (!readLayer(l)) return refused();
  for (let t: u32 = 0; t < world.terrainCount; ++t) {
    const terrain = terrainAt(world, t);
    if (!has(1)) return refused();
    terrain.bytes = word();
    terrain.at = text(terrain.bytes);
    if (!terrain.at) return refused();
  }
  for (let f: u32 = 0; f < world.fieldCount; ++f) if (!readField(fieldAt(world, f))) return refused();
  if (isWorld && !readProgram(changetype<Program>(program), TerrainCode.FILL)) return refused();
  world.program = program;
  for (let k: u32 = 0; k < world.kindCount; ++k) if (!readKind(k)) return refused();
  if (!fieldsAreEarlier() || workOf() > MAX_WORK) return refuse(head);
  noun.made = made;
  return PlanStatus.OK;
}

/** Refuses what was read last. */
function refused(): PlanStatus {
  return refuse(at);
}

function isHead(isWorld: bool): bool {
  const kind = world.gridKind;
  if (kind > <u32>GridKind.TORUS || (isWorld && kind == GridKind.TORUS) || world.oddR > 1) return false;
  if (world.tableCount > MAX_TABLES || world.rangeCount > MAX_RANGES || world.layerCount > MAX_LAYERS) return false;
  if (world.terrainCount > MAX_TERRAINS || world.fieldCount > MAX_FIELDS || world.kindCount > MAX_KINDS) return false;
  if (!isWorld && world.rangeCount | world.fieldCount | world.kindCount) return false;
  if (kind == GridKind.UNBOUNDED) return isWorld || !world.oddR;
  if (world.rows < 1 || world.cols < 1) return false;
  if (kind == GridKind.TORUS && world.oddR && world.rows & 1) return false;
  return world.layerCount == 0 || <u64>world.rows * <u64>world.cols <= MAX_GRID_CELLS;
}

function readTable(table: Table): bool {
  if (!has(1)) return false;
  table.count = word();
  if (table.count == 0 || table.count > MAX_VALUES) return false;
  table.values = take((table.count + 1) >>> 1);
  return table.values != 0;
}

function readRange(range: FieldRange): bool {
  if (!has(3)) return false;
  range.field = word();
  range.least = word();
  range.most = word();
  return range.field < world.fieldCount && range.least <= range.most;
}

// ── layers ──

function readLayer(l: u32): bool {
  const layer = layerAt(world, l);
  if (!has(1)) return false;
  layer.nameBytes = word();
  layer.name = text(layer.nameBytes);
  if (!layer.name) return false;
  const numbers = take(LAYER_WORDS);
  if (!numbers) return false;
  const spec = changetype<LayerSpec>(numbers);
  layer.spec = spec;
  if (spec.firstVisits > 1 || spec.kind > <u32>LayerKind.STUCK) return false;
  if (spec.kind == LayerKind.STUCK) {
    if (spec.firstVisits || spec.stuckOf >= l) return false;
    const walked = layerAt(world, spec.stuckOf).spec;
    return walked.kind == LayerKind.SCATTERED && walked.slope != 0 && walked.ends == 1;
  }
  if (spec.headingCount == 0 || spec.headingCount > MAX_HEADINGS) return false;
  if (spec.closedCellCount > MAX_CELLS || spec.startCellCount > MAX_CELLS) return false;
  layer.weights = take(WEIGHT_COUNT);
  layer.headings = layer.weights ? take(spec.headingCount) : 0;
  layer.closedCells = layer.headings ? take(2 * spec.closedCellCount) : 0;
  layer.startCells = layer.closedCells ? take(2 * spec.startCellCount) : 0;
  layer.closed = layer.startCells ? take(spec.closedCount) : 0;
  layer.open = layer.closed ? take(spec.openCount) : 0;
  if (!layer.open || !areWeights(layer) || !areSources(layer, l)) return false;
  for (let h: u32 = 0; h < spec.headingCount; ++h) if (wordAt(layer.headings, h) > RESTING) return false;
  return spec.kind == LayerKind.SCATTERED ? isScattered(spec) : isFinite(layer);
}

/** Whether the sums of weights, times the greatest factor of a slope, fit in 32 bits, and those of a rest are not 0. */
function areWeights(layer: Layer): bool {
  const spec = layer.spec;
  let factor: u64 = 1;
  if (spec.slope) {
    if (spec.ends > 1 || spec.steepness > 0xffff) return false;
    factor = max<u64>(<u64>spec.down + ((65535 * <u64>spec.steepness) >>> 8), max<u64>(spec.level, spec.up));
    if (factor == 0) return false;
  }
  for (let heading: u32 = 0; heading <= RESTING; ++heading) {
    let sum: u64 = 0;
    for (let d: u32 = 0; d < RESTING; ++d) sum += wordAt(layer.weights, RESTING * heading + d);
    if (sum > u32.MAX_VALUE || sum * factor > u32.MAX_VALUE) return false;
    if (heading == RESTING && sum == 0) return false;
  }
  return true;
}

function areSources(layer: Layer, l: u32): bool {
  const spec = layer.spec;
  if (spec.outside > 1) return false;
  if (!areList(layer.closed, spec.closedCount, l) || !areList(layer.open, spec.openCount, l)) return false;
  if (spec.start && !isSource(spec.start - 1, l, false)) return false;
  if (spec.until && !isSource(spec.until - 1, l, false)) return false;
  return spec.slope == 0 || isSource(spec.slope - 1, l, true);
}

/** Whether layer l can read all sources of a list, and they ascend. */
function areList(sources: usize, count: u32, l: u32): bool {
  for (let i: u32 = 0; i < count; ++i) {
    if (!isSource(wordAt(sources, i), l, false)) return false;
    if (i && wordAt(sources, i) <= wordAt(sources, i - 1)) return false;
  }
  return true;
}

/** Whether layer l can read a source: an earlier layer, or a range of a field; a slope reads a field. */
function isSource(source: u32, l: u32, isSlope: bool): bool {
  const isScattered = layerAt(world, l).spec.kind == LayerKind.SCATTERED;
  if (source < world.layerCount) {
    return !isSlope && source < l && (isScattered || layerAt(world, source).spec.kind == LayerKind.FINITE);
  }
  if (!isScattered) return false;
  const field = source - world.layerCount;
  return isSlope ? field < world.fieldCount : field >= world.fieldCount && field - world.fieldCount < world.rangeCount;
}

function isScattered(spec: LayerSpec): bool {
  if (world.gridKind != GridKind.UNBOUNDED || spec.rows || spec.startCellCount) return false;
  if (spec.side < MIN_SIDE || spec.side > MAX_SIDE || popcnt(spec.side) != 1) return false;
  if (spec.steps > MAX_SCATTERED_STEPS || spec.walkers > MAX_REGION_WALKERS) return false;
  if (spec.part == 0) return true;
  return spec.part <= spec.whole && meanWalkers(spec) <= MAX_REGION_WALKERS;
}

/** Returns the mean number of walkers of a region if all its cells are start cells, rounded up. */
function meanWalkers(spec: LayerSpec): u64 {
  // at most 2^24 · 2^32
  return (<u64>spec.side * spec.side * spec.part + spec.whole - 1) / spec.whole;
}

function isFinite(layer: Layer): bool {
  const spec = layer.spec;
  if (spec.slope || spec.part) return false;
  // a set of closed cells cannot have cells that are open elsewhere
  if (spec.openCount && (spec.closedCount || spec.closedCellCount)) return false;
  if (!areInGrid(layer.closedCells, spec.closedCellCount) || !areInGrid(layer.startCells, spec.startCellCount)) {
    return false;
  }
  if (spec.start) return spec.rows == 0 && spec.startCellCount == 0;
  if (spec.rows == 0) return spec.startCellCount > 0;
  const bottom = <i64>spec.row + spec.rows - 1;
  const right = <i64>spec.col + spec.cols - 1;
  if (spec.startCellCount || spec.cols == 0 || bottom > i32.MAX_VALUE || right > i32.MAX_VALUE) return false;
  if (!isInGrid(spec.row, spec.col) || !isInGrid(<i32>bottom, <i32>right)) return false;
  const closes = spec.closedCellCount | spec.closedCount | spec.openCount;
  return !closes || <u64>spec.rows * spec.cols <= MAX_GRID_CELLS;
}

function areInGrid(cells: usize, count: u32): bool {
  for (let i: u32 = 0; i < count; ++i) if (!isInGrid(wordAt(cells, 2 * i), wordAt(cells, 2 * i + 1))) return false;
  return true;
}

function isInGrid(row: i32, col: i32): bool {
  if (world.gridKind == GridKind.UNBOUNDED) return true;
  return <u32>row < <u32>world.rows && <u32>col < <u32>world.cols;
}

// ── programs ──

function readField(field: Field): bool {
  if (!has(1)) return false;
  field.nameBytes = word();
  field.name = text(field.nameBytes);
  return field.name != 0 && readProgram(field, TerrainCode.STORE);
}

/**
 * Reads a program whose last step has the code `last`: STORE for a field, RULE for a limit. FILL stands for a program of
 * terrain, whose last step is FILL or RULE.
 */
function readProgram(program: Program, last: TerrainCode): bool {
  if (!has(4)) return false;
  program.stepCount = word();
  program.rows = word();
  program.chances = word();
  program.reachCount = word();
  if (program.stepCount == 0 || program.stepCount > MAX_PROGRAM || program.chances > program.stepCount) return false;
  if (program.rows > MAX_ROWS || program.reachCount > MAX_LAYERS) return false;
  program.reaches = take(2 * program.reachCount);
  program.steps = program.reaches ? take(STEP_WORDS * program.stepCount) : 0;
  if (!program.steps) return false;
  for (let i: u32 = 0; i < program.reachCount; ++i) {
    if (!reads(program, wordAt(program.reaches, 2 * i)) || wordAt(program.reaches, 2 * i + 1) > MAX_DISTANCE)
      return false;
    program.reach = max(program.reach, wordAt(program.reaches, 2 * i + 1));
  }
  return hasSteps(program, last);
}

function reads(program: Program, layer: u32): bool {
  program.layerEnd = max(program.layerEnd, layer + 1);
  return layer < world.layerCount;
}

function hasSteps(program: Program, last: TerrainCode): bool {
  let height: u32 = 0;
  for (let i: u32 = 0; i < program.stepCount; ++i) {
    const step = stepAt(program, i);
    const isLast = i + 1 == program.stepCount;
    switch (step.code) {
      case TerrainCode.RANGE:
        if (step.slot >= program.rows) return false;
        ++height;
        break;
      case TerrainCode.VISITED:
        if (!reads(program, step.layer)) return false;
        ++height;
        break;
      case TerrainCode.WITHIN:
        if (step.slot >= program.reachCount || step.value > MAX_DISTANCE) return false;
        ++height;
        break;
      case TerrainCode.CHANCE:
        if (step.slot >= program.chances || step.c == 0 || step.c >= step.d || !isNamed(step, last)) {
          return false;
        }
        ++height;
        break;
      case TerrainCode.CONSTANT:
        ++height;
        break;
      case TerrainCode.AND:
      case TerrainCode.OR:
        if (height < 2) return false;
        --height;
        break;
      case TerrainCode.NOT:
        if (height < 1) return false;
        break;
      case TerrainCode.RULE:
        if (height < 1 || last == TerrainCode.STORE) return false;
        --height;
        break;
      case TerrainCode.FILL:
        if (last == TerrainCode.STORE) return false;
        break;
      case TerrainCode.STORE:
        if (!isLast || last != TerrainCode.STORE || step.least >= program.rows) return false;
        break;
      default:
        if (!isRowStep(program, step)) return false;
    }
    program.depth = max(program.depth, height);
  }
  return last != TerrainCode.STORE || stepAt(program, program.stepCount - 1).code == TerrainCode.STORE;
}

/** The key of a chance of the terrain has the name of a terrain. Fields have no chances. */
function isNamed(step: Step, last: TerrainCode): bool {
  return last == TerrainCode.RULE || (last == TerrainCode.FILL && step.a < world.terrainCount);
}

/** Whether a step of a field, which writes a row of counts, is valid. */
function isRowStep(program: Program, step: Step): bool {
  if (step.slot >= program.rows) return false;
  switch (step.code) {
    case TerrainCode.LOAD_VISITS:
      return reads(program, step.layer);
    case TerrainCode.LOAD_FIRST_VISITS:
      return reads(program, step.layer) && layerAt(world, step.layer).spec.firstVisits == 1;
    case TerrainCode.NOISE:
      // the last octave has a scale of at least 4
      return step.a < world.fieldCount && step.b <= 12 && step.c >= 1 && step.c <= 8 && step.b >= step.c + 1;
    case TerrainCode.DISTANCES:
      return step.value < program.reachCount;
    case TerrainCode.POSITION:
      return step.value <= 1;
    case TerrainCode.SET:
      return true;
    case TerrainCode.ADD:
    case TerrainCode.LEAST:
    case TerrainCode.MOST:
      return step.least < program.rows;
    case TerrainCode.DIVIDE:
      return <i32>step.value >= 1;
    case TerrainCode.LOOK_UP:
      return step.a < world.tableCount && step.value < tableAt(world, step.a).count;
  }
  return false;
}

/** Whether each layer reads only fields that read earlier layers. */
function fieldsAreEarlier(): bool {
  for (let l: u32 = 0; l < world.layerCount; ++l) {
    const layer = layerAt(world, l);
    const spec = layer.spec;
    if (spec.kind == LayerKind.STUCK) continue;
    for (let i: u32 = 0; i < spec.closedCount; ++i) if (!isEarlier(wordAt(layer.closed, i), l)) return false;
    for (let i: u32 = 0; i < spec.openCount; ++i) if (!isEarlier(wordAt(layer.open, i), l)) return false;
    if (spec.start && !isEarlier(spec.start - 1, l)) return false;
    if (spec.until && !isEarlier(spec.until - 1, l)) return false;
    if (spec.slope) {
      if (!isEarlier(spec.slope - 1, l)) return false;
      fieldAt(world, spec.slope - 1 - world.layerCount).isRead = 1;
    }
  }
  return true;
}

function isEarlier(source: u32, l: u32): bool {
  return source < world.layerCount || fieldOf(world, source).layerEnd <= l;
}

// ── kinds of placements ──

function readKind(k: u32): bool {
  const kind = kindAt(world, k);
  if (!has(1)) return false;
  kind.nameBytes = word();
  kind.name = text(kind.nameBytes);
  if (!kind.name) return false;
  const numbers = take(KIND_WORDS);
  if (!numbers) return false;
  const spec = changetype<KindSpec>(numbers);
  kind.spec = spec;
  if (spec.whole == 0 || spec.part > spec.whole || spec.distance > MAX_DISTANCE) return false;
  if (spec.near > k || spec.within > MAX_RELATION || spec.apart > k || spec.apartBy > MAX_RELATION) return false;
  if (spec.alone > 1 || spec.facing > 1 || spec.hasLimit > 1) return false;
  if (spec.atCount > MAX_AT || spec.sizeCount > MAX_SIZES) return false;
  if (!isDisc(leastOf(kind), MAX_LEAST) || !isDisc(mostOf(kind), MAX_MOST)) return false;
  kind.at = take(3 * spec.atCount);
  kind.sizes = kind.at ? take(spec.sizeCount) : 0;
  if (!kind.sizes || !areSorted(kind)) return false;
  for (let s: u32 = 0; s < spec.sizeCount; ++s) {
    const weight = wordAt(kind.sizes, s);
    if (weight == 0 || weight > MAX_WEIGHT) return false;
    kind.sizeTotal += weight;
  }
  if (spec.hasLimit && !readProgram(kind, TerrainCode.RULE)) return false;
  kind.reachOf = reachOf(kind, k);
  return kind.reachOf <= MAX_REACH;
}

function isDisc(disc: Disc, most: u32): bool {
  return disc.count <= most + 1 && disc.within <= MAX_RELATION;
}

function areSorted(kind: Kind): bool {
  for (let i: u32 = 1; i < kind.spec.atCount; ++i) {
    const row = <i32>wordAt(kind.at, 3 * i);
    const before = <i32>wordAt(kind.at, 3 * i - 3);
    if (row < before || (row == before && <i32>wordAt(kind.at, 3 * i + 1) <= <i32>wordAt(kind.at, 3 * i - 2)))
      return false;
  }
  return true;
}

/** Returns how far from a placement of kind k a cell can be that matters to it, as src/worlds/areas.ts does. */
function reachOf(kind: Kind, k: u32): u32 {
  const spec = kind.spec;
  let further: u32 = 0;
  if (spec.near) further = max(further, spec.within + kindAt(world, spec.near - 1).reachOf);
  if (spec.apart) further = max(further, spec.apartBy + kindAt(world, spec.apart - 1).reachOf);
  if (spec.alone) for (let other: u32 = 0; other < k; ++other) further = max(further, kindAt(world, other).reachOf);
  if (spec.least) further += 2 * spec.leastWithin + spec.distance;
  if (spec.most) further += 2 * spec.mostWithin;
  return spec.distance + further;
}

// ── the work of a call ──

/** A step takes as long as so many steps of a program on one cell. */
const CELL_STEPS: u32 = 8;
/** Start cells are listed so many at a time. */
const CELLS_TOGETHER: u32 = 64;
/** The sets of cells of a chunk, and a look at the nearest of other placements, take as long as so many steps. */
const SLOW: u32 = 32;

let work: u64 = 0;

/**
 * Returns an upper bound of the work of a call, as src/plans/work.ts does, and sets the halo. A layer must be complete on
 * at most `layer.need` rows and columns.
 */
function workOf(): u64 {
  let reach: u32 = 0;
  let halo: u32 = world.program ? changetype<Program>(world.program).reach : 0;
  for (let k: u32 = 0; k < world.kindCount; ++k) {
    reach = max(reach, kindAt(world, k).reachOf);
    halo = max(halo, kindAt(world, k).reach);
  }
  world.halo = halo;
  work = 0;
  const side = MAX_WINDOW + 2 * reach;
  if (world.program) addCells(side, costOf(changetype<Program>(world.program)));
  for (let k: u32 = 0; k < world.kindCount; ++k) addKind(kindAt(world, k), k, side);
  const whole = side + 2 * halo;
  // a rectangle of odd-r rows has half as many axial columns more
  const need = whole + (whole >>> 1);
  for (let l: u32 = 0; l < world.layerCount; ++l) layerAt(world, l).need = need;
  for (let l = <i32>world.layerCount - 1; l >= 0 && work <= MAX_WORK; --l) {
    const layer = layerAt(world, l);
    const spec = layer.spec;
    if (spec.kind == LayerKind.STUCK) raise(spec.stuckOf, layer.need);
    else if (spec.kind == LayerKind.FINITE) work += <u64>spec.walkers * (<u64>spec.steps + 1);
    else addRegions(layer);
  }
  return work;
}

/** Adds the work of a program of this cost on side × side cells. */
function addCells(side: u64, cost: u32): void {
  // at most 2^44 · 2^20
  work = min<u64>(MAX_WORK + 1, work + (side * side * cost) / CELL_STEPS);
}

/** Returns the cost of a program: its steps, and more for each octave of noise. */
function costOf(program: Program): u32 {
  let cost = program.stepCount;
  for (let i: u32 = 0; i < program.stepCount; ++i) {
    const step = stepAt(program, i);
    if (step.code == TerrainCode.NOISE) cost += step.c * CELL_STEPS;
  }
  return cost;
}

function addKind(kind: Kind, k: u32, side: u64): void {
  const spec = kind.spec;
  // the words of candidates, and the program of the limit
  addCells(side, CELL_STEPS + costOf(kind));
  let rows: u64 = spec.alone ? k : 0;
  if (spec.near) rows += 2 * spec.within + 1;
  if (spec.apart) rows += 2 * spec.apartBy + 1;
  if (spec.atCount) rows += 2 * spec.distance + 1;
  work += ((side * side * spec.part) / spec.whole) * rows * SLOW;
}

function raise(l: u32, need: u32): void {
  layerAt(world, l).need = max(layerAt(world, l).need, need);
}

/** Adds the work of a scattered layer, and raises what it needs of its sources. */
function addRegions(layer: Layer): void {
  const spec = layer.spec;
  const walkers = spec.part ? meanWalkers(spec) : <u64>spec.walkers;
  const regions = (<u64>layer.need + 2 * spec.steps) / spec.side + 2;
  const area = regions * spec.side + 2 * <u64>(spec.steps + 2 * CHUNK_SIDE);
  if (regions > MAX_SIDE) {
    work = MAX_WORK + 1;
    return;
  }
  const sources =
    spec.closedCount + spec.openCount + u32(spec.start != 0) + u32(spec.until != 0) + u32(spec.slope != 0);
  const listed = spec.part || sources ? (spec.side * spec.side) / CELLS_TOGETHER : 0;
  work += regions * regions * (walkers * (<u64>spec.steps + 1) + listed + sources + 1);
  const chunks = area >>> CHUNK_SIDE_BITS;
  work += chunks * chunks * sources * SLOW;
  if (spec.start) addSource(spec.start - 1, area);
  if (spec.until) addSource(spec.until - 1, area);
  if (spec.slope) addSource(spec.slope - 1, area);
  for (let i: u32 = 0; i < spec.closedCount; ++i) addSource(wordAt(layer.closed, i), area);
  for (let i: u32 = 0; i < spec.openCount; ++i) addSource(wordAt(layer.open, i), area);
}

function addSource(source: u32, area: u64): void {
  if (source < world.layerCount) {
    raise(source, <u32>area);
    return;
  }
  const field = fieldOf(world, source);
  addCells(area, costOf(field));
  for (let l: u32 = 0; l < field.layerEnd; ++l) {
    if (readsLayer(field, l)) raise(l, <u32>area + 2 * (field.reach + 1));
  }
}
