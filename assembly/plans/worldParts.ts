// The parts of walks and worlds in a plan file (docs/formats/plans.md). `loadWorld.ts` checks the numbers of a file once;
// the engine relies on them. Words of the file are read where they are.

import { Directory } from "../walks/directory";
import { DIRECTION_COUNT, HEADINGS } from "../walks/hexMap";
import { TerrainCode } from "../worlds/layout";

export const enum LayerKind {
  /** Its walkers run once, over the whole grid. */
  FINITE,
  SCATTERED,
  /** Has the walkers of another layer that ended because they were stuck. */
  STUCK,
}

/** The numbers of a layer in the file. A source is a layer, then a field, then a range of a field; 0 stands for none. */
@unmanaged
export class LayerSpec {
  /** A LayerKind. */
  kind: u32;
  firstVisits: u32;
  walkers: u32;
  steps: u32;
  side: u32;
  /** The density of a scattered layer; part is 0 without one. */
  part: u32;
  whole: u32;
  /** 1 + the source whose cells are start cells. */
  start: u32;
  /** 1 + the source at whose cells walkers end; outside of them if `outside` is 1. */
  until: u32;
  outside: u32;
  /** 1 + the source of the slope. */
  slope: u32;
  down: u32;
  level: u32;
  up: u32;
  steepness: u32;
  ends: u32;
  /** The layer whose stuck walkers a layer of the kind STUCK has. */
  stuckOf: u32;
  /** The rectangle of start cells of a finite layer. No rows: it has a list of cells. */
  row: i32;
  col: i32;
  rows: u32;
  cols: u32;
  headingCount: u32;
  closedCellCount: u32;
  startCellCount: u32;
  closedCount: u32;
  openCount: u32;
}

export const LAYER_WORDS: u32 = <u32>(offsetof<LayerSpec>() >>> 2);

/** Weights of a layer: one for each heading and direction. */
export const WEIGHT_COUNT: u32 = HEADINGS * DIRECTION_COUNT;

/** A layer. The arrays are in the file. The addresses from `map` on belong to the engine. */
@unmanaged
export class Layer {
  spec: LayerSpec;
  name: usize;
  nameBytes: u32;
  weights: usize;
  headings: usize;
  closedCells: usize;
  startCells: usize;
  closed: usize;
  open: usize;
  /** On how many rows and columns a call can need the layer. */
  need: u32;
  map: usize;
  /** A scattered layer: its ScatterLayer, its regions (RegionEntry), and the map of its stuck walkers, or 0. */
  scatter: usize;
  regions: Directory;
  stuck: usize;
  /** 1 if the walkers of a finite layer have run. */
  isRun: u32;
}

/** A step of a program in the file: a TerrainOp whose `map` and `data` are numbers. */
@unmanaged
export class Step {
  code: u32;
  slot: u32;
  layer: u32;
  least: u32;
  span: u32;
  value: u32;
  a: u32;
  b: u32;
  c: u32;
  d: u32;
}

export const STEP_WORDS: u32 = <u32>(offsetof<Step>() >>> 2);

/** A program: its steps, and for each plane of distances its layer and its reach. */
@unmanaged
export class Program {
  steps: usize;
  stepCount: u32;
  rows: u32;
  chances: u32;
  depth: u32;
  reaches: usize;
  reachCount: u32;
  /** 1 + the greatest layer that the program reads. */
  layerEnd: u32;
  /** The greatest reach. */
  reach: u32;
}

/** A field. The addresses from `values` on belong to the engine. */
@unmanaged
export class Field extends Program {
  name: usize;
  nameBytes: u32;
  /** 1 if the slope of a layer reads the values. */
  isRead: u32;
  values: usize;
  chunks: Directory;
  area: usize;
}

@unmanaged
export class FieldRange {
  field: u32;
  least: u32;
  most: u32;
  map: usize;
}

/** A table of u16 in the file. */
@unmanaged
export class Table {
  values: usize;
  count: u32;
}

@unmanaged
export class Text {
  at: usize;
  bytes: u32;
}

/** All cells at most `within` steps from a cell. `count` is 0 without a disc; else 1 + the number of placements. */
@unmanaged
export class Disc {
  count: u32;
  within: u32;
  row: i32;
  col: i32;
}

/** The numbers of a kind of placements in the file. */
@unmanaged
export class KindSpec {
  part: u32;
  whole: u32;
  distance: u32;
  /** 1 + an earlier kind, and the distance. */
  near: u32;
  within: u32;
  apart: u32;
  apartBy: u32;
  alone: u32;
  facing: u32;
  atCount: u32;
  sizeCount: u32;
  hasLimit: u32;
  /** 256 bits: the terrains on which the kind can stand. */
  terrains: u64;
  terrains1: u64;
  terrains2: u64;
  terrains3: u64;
  least: u32;
  leastWithin: u32;
  leastRow: i32;
  leastCol: i32;
  most: u32;
  mostWithin: u32;
  mostRow: i32;
  mostCol: i32;
}

export const KIND_WORDS: u32 = <u32>(offsetof<KindSpec>() >>> 2);

@unmanaged
export class Box {
  top: i64;
  left: i64;
  bottom: i64;
  right: i64;
}

/** A kind of placements. From `known` on, the fields belong to a call. */
@unmanaged
export class Kind extends Program {
  spec: KindSpec;
  name: usize;
  nameBytes: u32;
  /** The cells on which the kind always stands, as PlacedCell. */
  at: usize;
  sizes: usize;
  sizeTotal: u32;
  /** How far a cell can be that matters to a placement. */
  reachOf: u32;
  /** Where the placements must be known, and where candidates are searched: records of their own. */
  known: Box;
  searched: Box;
  /** The placements: an array of PlacedCell. */
  standing: usize;
  count: u32;
}

@unmanaged
export class MadeWorld {
  name: usize;
  nameBytes: u32;
  gridKind: u32;
  rows: i32;
  cols: i32;
  oddR: u32;
  layers: usize;
  layerCount: u32;
  fields: usize;
  fieldCount: u32;
  ranges: usize;
  rangeCount: u32;
  tables: usize;
  tableCount: u32;
  terrains: usize;
  terrainCount: u32;
  kinds: usize;
  kindCount: u32;
  /** The program of the terrain. 0 for a walk. */
  program: usize;
  /** How far beyond a cell its terrain and its placements read layers. */
  halo: u32;
}

export function layerAt(world: MadeWorld, l: u32): Layer {
  return changetype<Layer>(world.layers + <usize>l * offsetof<Layer>());
}

export function fieldAt(world: MadeWorld, f: u32): Field {
  return changetype<Field>(world.fields + <usize>f * offsetof<Field>());
}

export function rangeAt(world: MadeWorld, r: u32): FieldRange {
  return changetype<FieldRange>(world.ranges + <usize>r * offsetof<FieldRange>());
}

export function tableAt(world: MadeWorld, t: u32): Table {
  return changetype<Table>(world.tables + <usize>t * offsetof<Table>());
}

export function terrainAt(world: MadeWorld, t: u32): Text {
  return changetype<Text>(world.terrains + <usize>t * offsetof<Text>());
}

export function kindAt(world: MadeWorld, k: u32): Kind {
  return changetype<Kind>(world.kinds + <usize>k * offsetof<Kind>());
}

export function stepAt(program: Program, i: u32): Step {
  return changetype<Step>(program.steps + <usize>i * offsetof<Step>());
}

export function wordAt(words: usize, i: u32): u32 {
  return load<u32>(words + ((<usize>i) << 2));
}

/** Whether a program reads a layer. */
export function readsLayer(program: Program, l: u32): bool {
  for (let i: u32 = 0; i < program.reachCount; ++i) if (wordAt(program.reaches, 2 * i) == l) return true;
  for (let i: u32 = 0; i < program.stepCount; ++i) {
    const step = stepAt(program, i);
    const isRead = step.code == TerrainCode.LOAD_VISITS || step.code == TerrainCode.LOAD_FIRST_VISITS;
    if (step.layer == l && (isRead || step.code == TerrainCode.VISITED)) return true;
  }
  return false;
}

/** Returns the field of a source that is not a layer. */
export function fieldOf(owner: MadeWorld, source: u32): Field {
  const field = source - owner.layerCount;
  return fieldAt(owner, field < owner.fieldCount ? field : rangeAt(owner, field - owner.fieldCount).field);
}

export function leastOf(kind: Kind): Disc {
  return changetype<Disc>(changetype<usize>(kind.spec) + offsetof<KindSpec>("least"));
}

export function mostOf(kind: Kind): Disc {
  return changetype<Disc>(changetype<usize>(kind.spec) + offsetof<KindSpec>("most"));
}
