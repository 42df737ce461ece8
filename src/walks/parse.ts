import type { Fraction } from "../fractions.js";
import {
  Field,
  type Fields,
  FLAG,
  type InputOf,
  integer,
  isObject,
  list,
  lookUp,
  nameOf,
  oneKey,
  optional,
  type Parsed,
  REFERENCE,
  readOptions,
  record,
  type Shape,
  SpecReader,
  shape,
  TEXT,
  type Values,
} from "../spec/index.js";
import { inOrder } from "./compile.js";
import { HEADING_KEYS, type HeadingKey, RESTING } from "./directions.js";
import { closedCells, OpenCells } from "./map/cellSet.js";
import { type Cell, cells, GRID, type GridSpec, RECT, readGrid, refuseOutside } from "./parse/cells.js";
import { FIELD_RANGE, type FieldRangeInput, type FieldScope, rangeSource, readSlope, SLOPE } from "./parse/fields.js";
import { SHARE } from "./parse/share.js";
import { PRESETS, type PresetName, TENSOR } from "./parse/tensor.js";
import {
  type LayerSpec,
  MAX_DATED_STEPS,
  MAX_STEPS,
  MAX_WALKERS,
  type ScatterSpec,
  type StartSpec,
  type TensorSpec,
  type WalkOptions,
  type WalkSpec,
} from "./types.js";

const MAX_HEADINGS = 1_000_000;
const PRESET_TENSORS = new Map(Object.entries(PRESETS) as [PresetName, TensorSpec][]);

const EARLIER_LAYERS = { most: 256, of: "names of earlier layers" };
const RANGES = { most: 256, of: "ranges of fields" };
const HEADING = nameOf(HEADING_KEYS, { problem: "unknown heading" });
const HEADINGS = list(HEADING, { least: 1, most: MAX_HEADINGS, of: "headings" });
const HEADING_OR_LIST: Shape<HeadingKey | readonly HeadingKey[], Uint8Array> = shape(
  (reader, at) => {
    const headings = Array.isArray(at.value) ? HEADINGS.read(reader, at) : [HEADING.read(reader, at)];
    return Uint8Array.from(headings, (heading) => heading ?? RESTING);
  },
  { anyOf: [HEADING, HEADINGS] },
);

const CLOSED = record({
  /** Single cells that are closed. */
  cells: optional(cells(0), new Int32Array(0)),
  /** Names of earlier layers: a cell that at least one of these layers visited is closed. */
  layers: optional(list(REFERENCE, EARLIER_LAYERS), []),
  /** Ranges of fields of the world: their cells are closed. */
  fields: optional(list(FIELD_RANGE, RANGES), []),
});
const OPEN = record(
  {
    /** Names of earlier layers: the cells that these layers visited are open. */
    layers: optional(list(REFERENCE, { least: 1, ...EARLIER_LAYERS }), []),
    /** Ranges of fields of the world: their cells are open too. */
    fields: optional(list(FIELD_RANGE, { least: 1, ...RANGES }), []),
  },
  { minProperties: 1 },
);

const UNTIL_LAYER = oneKey(
  {
    /** The name of an earlier layer: walkers end on the cells that it visited. */
    on: REFERENCE,
    /** The name of an earlier layer: walkers end on the cells that it did not visit. */
    outside: REFERENCE,
  },
  "{on: layer} or {outside: layer}, with the name of an earlier layer",
);
/**
 * The cells on which walkers end early: those that an earlier layer visited (`on`) or did not visit (`outside`), or
 * those of a range of a field.
 */
export type UntilInput = InputOf<typeof UNTIL_LAYER> | FieldRangeInput;
export const UNTIL = shape<UntilInput, CellsOf<ReturnType<typeof UNTIL_LAYER.read>>>(
  (reader, at) => (isRange(at) ? { kind: "range", value: FIELD_RANGE.read(reader, at) } : UNTIL_LAYER.read(reader, at)),
  { oneOf: [UNTIL_LAYER, FIELD_RANGE] },
);

type CellsOf<Named> = Named | { readonly kind: "range"; readonly value: ReturnType<typeof FIELD_RANGE.read> };

function isRange({ value }: Field): boolean {
  return isObject(value) && Object.hasOwn(value, "field");
}

const START_CELLS = cells(1);
const START_OBJECT = oneKey(
  {
    /** [row0, col0, row1, col1], corners inclusive: each walker starts on a random cell of the rectangle. */
    rect: RECT,
    /** The name of an earlier layer: each walker starts on a random cell that the earlier layer visited. */
    layer: REFERENCE,
  },
  "a list of cells, {rect: [row0, col0, row1, col1]} or {layer: name}",
);
/** The start cells of a layer's walkers, in one of four forms: see {@link LayerBody}. */
export type StartInput = readonly Cell[] | InputOf<typeof START_OBJECT> | FieldRangeInput;
export const START: Shape<StartInput, Start> = shape(
  (reader, at) => {
    if (Array.isArray(at.value)) return { kind: "cells", value: START_CELLS.read(reader, at) };
    return isRange(at) ? { kind: "range", value: FIELD_RANGE.read(reader, at) } : START_OBJECT.read(reader, at);
  },
  { oneOf: [START_CELLS, START_OBJECT, FIELD_RANGE] },
);
type Start = { readonly kind: "cells"; readonly value: Int32Array } | CellsOf<ReturnType<typeof START_OBJECT.read>>;

/** Minimum, maximum and default of the side of a region, in cells. A region has side × side cells. */
const MIN_REGION_SIDE = 64;
const MAX_REGION_SIDE = 4096;
const DEFAULT_REGION_SIDE = 256;
const SIDES = [64, 128, 256, 512, 1024, 2048, 4096];
const MAX_SCATTERED_WALKERS = 2 ** 16;
/** Limits the regions that a cell depends on: a walker visits only cells within this distance of its region. */
const MAX_SCATTERED_STEPS = 2 ** 20;

const SCATTER_RECORD = record(
  {
    /** Number of rows of a region, and also of its columns. A power of two, 64 … 4096. Default 256. */
    side: optional(shape<number, number>(readSide, { enum: SIDES }), DEFAULT_REGION_SIDE),
    /**
     * The probability, such as "1/40", that a start cell sends a walker: each open cell, or each open cell that the
     * layer of `start` visited. So the density of starts is the same near the borders of regions as inside. `side` ² ·
     * `density` is at most 65536. A layer has either `density` or `walkers`.
     */
    density: optional(SHARE),
    /** Number of walkers that start in each region that has a start cell, 1 … 65536. */
    walkers: optional(integer({ least: 1, most: MAX_SCATTERED_WALKERS })),
  },
  { oneOf: [{ required: ["density"] }, { required: ["walkers"] }] },
);
export const SCATTER = shape<InputOf<typeof SCATTER_RECORD>, ScatterSpec & { readonly walkers: number }>(
  readScatter,
  SCATTER_RECORD,
);
/**
 * Scatters walkers over an unbounded grid. The grid is divided into regions of `side` × `side` cells, and each region
 * has its own walkers: a fixed number, or one for each start cell that `density` chooses. Region (i, j) has the rows i
 * · side … i · side + side − 1 and the columns j · side … j · side + side − 1.
 */
export interface ScatterInput extends InputOf<typeof SCATTER> {}

const BODY = {
  /** The name of a preset tensor. A layer cannot have both `preset` and `tensor`. Default `uniform`. */
  preset: optional(nameOf(PRESET_TENSORS, { problem: "unknown preset", code: "walk.tensor" })),
  /** The weights of the directions and turns. A layer cannot have both `tensor` and `preset`. */
  tensor: optional(TENSOR),
  /** Number of walkers, 1 … 2³² − 1. Default 1. A layer cannot have both `walkers` and `scatter`. */
  walkers: optional(integer({ least: 1, most: MAX_WALKERS }), 1),
  /**
   * Number of steps of each walker, 0 … 2⁴² − 1. The maximum is 2³² − 2 if `firstVisit` is true, and 2²⁰ if the layer
   * is scattered. With `until`, a walker may take fewer steps. Default 0: the walkers only visit their start cells.
   */
  steps: optional(integer({ least: 0, most: MAX_STEPS }), 0),
  /**
   * The heading before the first step: one heading for all walkers, or a list. From a list of n headings, walker w
   * takes entry w mod n. Default "resting".
   */
  heading: optional(HEADING_OR_LIST, Uint8Array.of(RESTING)),
  /** If true, the map also stores, for each cell, the smallest step at which a walker visited it. Default false. */
  firstVisit: FLAG,
  /**
   * Cells that no walker enters. `{cells}` lists single cells. `{layers}` lists names of earlier layers: all cells that
   * these layers visited are closed. `{fields}` lists ranges of fields of the world. Default: no cell is closed.
   */
  closed: optional(CLOSED),
  /**
   * `{layers}` lists names of earlier layers, `{fields}` ranges of fields of the world. Walkers enter only cells that
   * at least one of these layers visited, or that are in one of these ranges, and that `closed` does not close.
   * Default: all cells are open.
   */
  open: optional(OPEN),
  /**
   * Ends walkers early. `{on: name}`: a walker ends when it enters a cell that this earlier layer visited. `{outside:
   * name}`: it ends when it enters a cell that this layer did not visit. `{field, from, to}`: it ends on the cells of
   * this range of a field. The visit of the end cell counts. A walker takes at most `steps` steps. A walker that starts
   * on an end cell takes no step. Default: there are no end cells.
   */
  until: optional(UNTIL),
  /**
   * The start cells of the walkers, in one of four forms. `[[row, col], …]`: walker w starts on cell number w mod
   * length of this list. `{rect: [row0, col0, row1, col1]}`, both corners inclusive: each walker starts on a uniformly
   * drawn cell of the rectangle. `{layer: name}`: each walker starts on a uniformly drawn cell that an earlier layer
   * visited. `{field, from, to}`: on a uniformly drawn cell of this range of a field. Only open cells are start cells.
   * A listed start cell that `closed.cells` lists too is an error. All other closed cells are left out, in all forms. A
   * layer without an open start cell is an error. Default [[0, 0]]; in a scattered layer, any open cell of the walker's
   * region.
   */
  start: optional(START),
  /**
   * Scatters the layer: walkers start in every region of the grid. The grid must be unbounded. A scattered layer has no
   * whole map, so `mill.world` makes the map part by part. A scattered layer can refer to all earlier layers. A layer
   * that is not scattered cannot refer to a scattered layer. Default: the layer is not scattered.
   */
  scatter: optional(SCATTER),
  /**
   * Lets walkers feel a field of the world: at each step, the weight of a direction is multiplied by the factor of the
   * neighbour there, `down`, `level` or `up`. Only scattered layers of a world have a slope.
   */
  slope: optional(SLOPE),
  /**
   * The name of an earlier layer whose `slope` ends stuck walkers. This layer then has no walkers of its own: its
   * visits are those walkers, each on the cell where it ended. It has no other fields than its name.
   */
  stuck: optional(REFERENCE),
} as const;
/** In the JSON Schema: fields that exclude each other. {@link readLayer} checks them too. */
const EXCLUSIVE = { not: { anyOf: [{ required: ["preset", "tensor"] }, { required: ["scatter", "walkers"] }] } };

const LAYER_BODY = record(BODY, EXCLUSIVE);
/** The fields of a layer as users write them, except the name. Every field has a default. */
export interface LayerBody extends InputOf<typeof LAYER_BODY> {}

export const LAYER = record(
  {
    /**
     * Name, unique in the walk: 1 to 256 characters, no "/" or control character. `<walk>/<layer>` selects the
     * layer's random words.
     */
    name: shape<string, string>((reader, at) => reader.text(at), {
      ...TEXT.json,
      pattern: "^[^/\\u0000-\\u001f\\u007f-\\u009f]+$",
    }),
    ...BODY,
  },
  EXCLUSIVE,
);
/** One of several layers, as users write it. */
export interface LayerInput extends InputOf<typeof LAYER> {}

/** The grid, the indices of earlier layers by name, the earlier layers themselves, and the fields of the world. */
interface LayerScope {
  readonly grid: GridSpec;
  readonly earlier: Map<string, number>;
  readonly layers: LayerSpec[];
  readonly known: FieldScope | undefined;
}

type ReferenceScope = LayerScope & { readonly isScattered: boolean };

function readLayer(reader: SpecReader, fields: Fields, name: string, layers: LayerScope): LayerSpec {
  if (fields.has("stuck")) return readStuck(reader, fields, name, layers);
  const values = LAYER_BODY.values(reader, fields);
  const { scatter, steps, firstVisit, heading: headings } = values;
  const scope: ReferenceScope = { ...layers, isScattered: fields.has("scatter") };
  if (scope.isScattered) checkScattered(reader, fields, scope.grid);
  const most = scope.isScattered ? MAX_SCATTERED_STEPS : firstVisit ? MAX_DATED_STEPS : MAX_STEPS;
  if (steps > most) reader.integer(fields.get("steps"), { least: 0, most });
  const closedCells = values.closed?.cells ?? new Int32Array(0);
  const closedLayers = references(reader, values.closed ?? NO_CELLS, scope);
  refuseOutside(reader, fields.get("closed").part("cells"), closedCells, scope.grid);
  const openLayers = references(reader, values.open ?? NO_CELLS, scope);
  if (fields.has("open")) refuseEmptyOpen(reader, fields.get("open"));
  const ends = values.until && sourceOf(reader, values.until, scope);
  const kind = values.until?.kind === "outside" ? "outside" : "on";
  const until = ends === undefined ? undefined : ({ kind, layer: ends } as const);
  const start = readStart(reader, fields.get("start"), values.start, scope);
  const places = { start, closedCells, closedLayers, openLayers, until };
  refuseClosedStart(reader, fields, places);
  refuseContradictions(reader, fields, places);
  const tensor = tensorOf(reader, fields, values);
  const regions = scatter && { side: scatter.side, density: scatter.density };
  const { walkers } = scatter ?? values;
  const slope = values.slope && readSlope(reader, fields.get("slope"), { slope: values.slope, tensor, ...scope });
  const own = { name, tensor, scatter: regions, walkers, steps, headings, firstVisit, slope, stuckOf: undefined };
  return { ...own, ...places };
}

const NO_CELLS = { layers: [], fields: [] };

function refuseEmptyOpen(reader: SpecReader, at: Field): void {
  if (!isObject(at.value) || Object.hasOwn(at.value, "layers") || Object.hasOwn(at.value, "fields")) return;
  const expected = '"layers", "fields" or both';
  reader.report(at, { problem: '"open" names neither layers nor fields', expected });
}

/** Reads a layer that has the stuck walkers of another layer as its visits. */
function readStuck(reader: SpecReader, fields: Fields, name: string, scope: LayerScope): LayerSpec {
  for (const key of fields.keys.filter((one) => one !== "name" && one !== "stuck")) {
    const problem = 'a layer with "stuck" has no walkers of its own';
    reader.report(fields.get(key), { problem, remedy: `Remove ${JSON.stringify(key)}, or remove "stuck"` });
  }
  const at = fields.get("stuck");
  const stuckOf = reference(reader, at, { ...scope, isScattered: true });
  const walked = stuckOf === undefined ? undefined : scope.layers[stuckOf];
  if (walked !== undefined && walked.slope?.stuck !== "end") {
    const problem = `no walker of the layer ${JSON.stringify(walked.name)} ends because it is stuck`;
    const expected = 'a layer with a "slope" whose "stuck" is "end"';
    reader.report(at, { problem, got: at.value, expected });
  }
  return {
    name,
    tensor: PRESETS.uniform,
    scatter: walked?.scatter && { side: walked.scatter.side, density: undefined },
    walkers: 0,
    steps: 0,
    headings: Uint8Array.of(RESTING),
    firstVisit: false,
    closedCells: new Int32Array(0),
    closedLayers: [],
    openLayers: [],
    until: undefined,
    start: { kind: "region" },
    slope: undefined,
    stuckOf,
  };
}

function tensorOf(reader: SpecReader, fields: Fields, { preset, tensor }: Values<typeof BODY>): TensorSpec {
  if (fields.has("preset") && fields.has("tensor")) {
    const finding = { problem: 'a layer has both "preset" and "tensor"', expected: "only one of the two" };
    reader.report(fields.get("preset"), { ...finding, remedy: "Remove one of the two" }, "walk.tensor");
  }
  return tensor ?? preset ?? PRESETS.uniform;
}

type NamedCells = Readonly<{ layers: readonly Field[]; fields: readonly ReturnType<typeof FIELD_RANGE.read>[] }>;

function references(reader: SpecReader, { layers, fields }: NamedCells, scope: ReferenceScope): readonly number[] {
  const named = layers.map((name) => reference(reader, name, scope));
  const indices = [...named, ...fields.map((range) => rangeSource(reader, range, scope))];
  return inOrder(indices.filter((index) => index !== undefined));
}

/** Returns the number of an earlier layer or of a range of a field. */
function sourceOf(
  reader: SpecReader,
  named: CellsOf<{ readonly kind: string; readonly value: Field }>,
  scope: ReferenceScope,
): number | undefined {
  if (named.value instanceof Field) return reference(reader, named.value, scope);
  return rangeSource(reader, named.value, scope);
}

function reference(reader: SpecReader, at: Field, scope: ReferenceScope): number | undefined {
  const { earlier, layers, isScattered } = scope;
  const problem = "no earlier layer has this name";
  const none = "no name, because there is no earlier layer";
  const index = lookUp(reader, at, { known: earlier, problem, none });
  if (index === undefined || isScattered || layers[index].scatter === undefined) return index;
  const finding = {
    problem: "only scattered layers can refer to a scattered layer, because it has no whole map",
    got: at.value,
    expected: "the name of a layer that is not scattered",
    remedy: 'Name another layer, or add "scatter" to this layer too',
  };
  reader.report(at, finding, "walk.scattered");
  return index;
}

function readStart(reader: SpecReader, at: Field, start: Start | undefined, scope: ReferenceScope): StartSpec {
  const { isScattered, grid } = scope;
  const place = start?.kind === "rect" ? at.part("rect") : at;
  if (start?.kind === "layer" || start?.kind === "range") {
    return { kind: "layer", layer: sourceOf(reader, start, scope) ?? 0 };
  }
  if (isScattered && start !== undefined) {
    const problem = "walkers of a scattered layer cannot start on listed cells or in a rectangle";
    const expected = "{layer: name} with the name of an earlier layer, or a range of a field of the world";
    const remedy = 'Use {layer: name}, or remove "start" to let each walker start on any open cell of its region';
    reader.report(place, { problem, expected, remedy }, "walk.scattered");
  }
  if (isScattered) return { kind: "region" };
  if (start?.value === undefined) return { kind: "cells", cells: new Int32Array(2) };
  refuseOutside(reader, place, start.value, grid);
  if (start.kind === "cells") return { kind: "cells", cells: start.value };
  const [row0, col0, row1, col1] = start.value;
  return { kind: "rect", row0, col0, rows: row1 - row0 + 1, cols: col1 - col0 + 1 };
}

type Places = Pick<LayerSpec, "start" | "closedCells" | "closedLayers" | "openLayers" | "until">;

/** Reports what the spec alone shows: all start cells are closed, or a listed start cell is closed. */
function refuseClosedStart(reader: SpecReader, layer: Fields, spec: Places): void {
  const at = layer.get(layer.has("start") ? "start" : "closed");
  const { start, closedCells: listed, closedLayers } = spec;
  const report = (problem: string, expected: string) => reader.report(at, { problem, expected }, "walk.closed-start");
  if (start.kind === "layer") {
    if (!closedLayers.includes(start.layer)) return;
    const problem = "the layer starts on the cells of an earlier layer or of a range, but also closes these cells";
    report(problem, "a start on cells that the layer does not close");
  } else if (start.kind === "rect") {
    // A list with fewer cells than the rectangle cannot close all of it. `listed` has two numbers for each cell.
    if (start.rows * start.cols > listed.length / 2) return;
    const open = new OpenCells(closedCells(listed), start);
    if (open.count === 0) report("every cell of the start rectangle is closed", "at least one open cell");
  } else if (start.kind === "cells") {
    const [cells, closed] = [start.cells, closedCells(listed)];
    const first = cells.findIndex((row, i) => i % 2 === 0 && closed.has(row, cells[i + 1]));
    if (first < 0) return;
    const taken = cells.subarray(first, first + 2);
    report(`the start cell [${taken.join(", ")}] is also closed`, 'start cells that "closed.cells" does not list');
  }
}

function refuseContradictions(
  reader: SpecReader,
  layer: Fields,
  { start, closedLayers, openLayers, until }: Places,
): void {
  if (openLayers.length > 0 && openLayers.every((index) => closedLayers.includes(index))) {
    const problem = "the layer opens cells of earlier layers or of ranges, but also closes all these cells";
    const expected = 'at least one layer or range in "open" that "closed" does not list';
    reader.report(layer.get("open"), { problem, expected }, "walk.closed-start");
  }
  if (until === undefined) return;
  const isClosed = closedLayers.includes(until.layer);
  const isOnlyOpen = openLayers.length === 1 && openLayers[0] === until.layer;
  const isStart = start.kind === "layer" && start.layer === until.layer;
  const isOn = until.kind === "on";
  if (isOn ? isClosed : isOnlyOpen) {
    const cells = isOn ? "on cells that are all closed" : "outside the only open cells";
    const problem = `the walkers end ${cells}, so no walker can reach an end cell`;
    reader.report(layer.get("until"), { problem, expected: "end cells that a walker can enter" });
  } else if (isOn ? isStart || isOnlyOpen : isClosed) {
    const problem = "every walker ends on its start cell";
    reader.report(layer.get("until"), { problem, expected: "at least one start cell that is not an end cell" });
  }
}

function readSide(reader: SpecReader, at: Field): number {
  const side = reader.integer(at, { least: MIN_REGION_SIDE, most: MAX_REGION_SIDE });
  if ((side & (side - 1)) === 0) return side;
  const expected = `a power of two from ${MIN_REGION_SIDE} to ${MAX_REGION_SIDE}`;
  reader.report(at, { problem: "invalid side of a region", got: side, expected });
  return DEFAULT_REGION_SIDE;
}

function readScatter(reader: SpecReader, at: Field): ScatterSpec & { readonly walkers: number } {
  const fields = reader.fields(at, SCATTER_RECORD.keys);
  const { side, density, walkers = 0 } = SCATTER_RECORD.values(reader, fields);
  const hasBoth = fields.has("density") && fields.has("walkers");
  if (hasBoth || !(fields.has("density") || fields.has("walkers"))) {
    const problem = `"scatter" has ${hasBoth ? "both" : "neither"} "density" ${hasBoth ? "and" : "nor"} "walkers"`;
    reader.report(fields.get("walkers"), { problem, expected: "one of the two" });
  }
  if (density === undefined) return { side, density, walkers };
  const expected = meanWalkers(density, side);
  if (expected > MAX_SCATTERED_WALKERS) {
    const problem = `"density" gives a region of ${side} × ${side} cells too many walkers`;
    const most = `at most ${MAX_SCATTERED_WALKERS} in the mean`;
    const remedy = 'Use a smaller "side" or a smaller "density"';
    reader.report(fields.get("density"), { problem, got: expected, expected: most, remedy });
  }
  return { side, density, walkers: expected };
}

/** Returns the mean number of walkers of a region if all its cells are start cells, rounded up. */
function meanWalkers({ numerator, denominator }: Fraction, side: number): number {
  return Number((BigInt(side ** 2) * numerator + denominator - 1n) / denominator);
}

function checkScattered(reader: SpecReader, layer: Fields, grid: GridSpec): void {
  if (layer.has("walkers")) {
    const problem = 'in a scattered layer, "scatter" sets the number of walkers';
    reader.report(layer.get("walkers"), { problem, remedy: 'Remove "walkers"' });
  }
  if (grid.kind === "unbounded") return;
  const problem = "only a layer on an unbounded grid can be scattered";
  const remedy = 'Remove "scatter", or make the grid unbounded';
  const finding = { problem, got: grid.kind, expected: "an unbounded grid", remedy };
  reader.report(layer.get("scatter"), finding, "walk.scattered");
}

const MAX_LAYERS = 256;

const BASE_FIELDS = {
  /**
   * Name of the walk, 1 to 256 characters. On the command line, it selects the random words, and the default is the
   * file's name. `mill.walk` uses the name of the call instead.
   */
  name: optional(TEXT),
  /**
   * The grid. `{"kind": "unbounded"}` has rows and columns −2³¹ to 2³¹ − 1, which no walker leaves. `{"kind": "bounded"
   * or "torus", "rows", "cols"}` has the cells from (0, 0), each side 1 to 2147483647; `"coordinates": "odd-r"` makes
   * it an upright rectangle instead of a rhombus. Default: unbounded.
   */
  grid: optional(shape<GridSpec, GridSpec>(readGrid, GRID), { kind: "unbounded" }),
} as const;
const BASE = record(BASE_FIELDS);
const LAYERS = list(LAYER, { least: 1, most: MAX_LAYERS, of: "layers" });
const OUTSIDE_LAYERS = { not: { anyOf: /* @__PURE__ */ Object.keys(BODY).map((key) => ({ required: [key] })) } };
export const WALK = record(
  { ...BASE_FIELDS, layers: optional(LAYERS), ...BODY },
  { ...EXCLUSIVE, dependencies: { layers: OUTSIDE_LAYERS } },
);
/**
 * A walk as users write it, for example in a JSON file. The top level has either `layers` or the fields of a single
 * layer.
 */
export type WalkInput = InputOf<typeof BASE> &
  (
    | {
        /** The layers, in the order in which they run. A walk with one layer can have the layer's fields instead. */
        readonly layers: readonly LayerInput[];
      }
    | ({ readonly layers?: undefined } & LayerBody)
  );

/**
 * Reads a walk spec. Reports all issues, each with its path in the spec. Cost: O(listed cells).
 *
 * Error cases:
 * - `walk.spec`: a wrong shape, type or range, or an unknown key or name.
 * - `walk.tensor`: both preset and tensor, an unknown preset, a direction or turn that is listed twice, or a tensor
 *   that changes by layer, row or step.
 * - `weights.*`: weights that are negative, all 0, or too large when scaled to integers.
 * - `walk.off-grid`: a listed cell or a rectangle outside a bounded or torus grid.
 * - `walk.closed-start`: `closed.cells` lists a start cell, or the layer closes all its start cells.
 * - `walk.scattered`: a scattered layer whose grid is not unbounded, or whose `start` is a list or a rectangle. Also a
 *   layer without `scatter` that refers to a scattered layer.
 */
export function parseWalk(input: unknown, options: WalkOptions = {}): Parsed<WalkSpec> {
  const { file } = readOptions("parseWalk", options, ["file"]);
  return parseWalkOf(input, { file });
}

/** Reads a walk. In a world, `fields` are the names of its fields, which layers can read. */
export function parseWalkOf(
  input: unknown,
  { file, fields }: WalkOptions & { readonly fields?: readonly string[] },
): Parsed<WalkSpec> {
  const reader = new SpecReader({ noun: "walk", code: "walk.spec", file, isDocument: true });
  return reader.run(input, (root) => readWalk(reader, root, fields));
}

/** Reads the name of a preset, or an object with weights by name. */
export function parseTensor(input: unknown): Parsed<TensorSpec> {
  const reader = new SpecReader({ noun: "tensor", code: "walk.spec" });
  const { preset, tensor } = LAYER_BODY.fields;
  return reader.run(
    input,
    (root) => (typeof input === "string" ? preset : tensor).read(reader, root) ?? PRESETS.uniform,
  );
}

function readWalk(reader: SpecReader, root: Field, names: readonly string[] | undefined): WalkSpec {
  const fields = reader.fields(root, WALK.keys);
  const name = BASE.fields.name.read(reader, fields.get("name"));
  const grid = BASE.fields.grid.read(reader, fields.get("grid"));
  const listed = fields.has("layers")
    ? reader.list(fields.get("layers"), { least: 1, most: MAX_LAYERS, of: "layers" })
    : undefined;
  const first = listed?.length ?? 1;
  const known = names && { fields: new Map(names.map((field, f) => [field, f])), ranges: [], first };
  const scope: LayerScope = { grid, earlier: new Map(), layers: [], known };
  const rest = { fields: names ?? [], ranges: known?.ranges ?? [] };
  if (listed === undefined) {
    return { name, grid, layers: [readLayer(reader, fields, name ?? "", scope)], ...rest, layered: false };
  }
  for (const key of LAYER_BODY.keys.filter((candidate) => fields.has(candidate))) {
    const problem = `"${key}" belongs to a layer, not to a walk with "layers"`;
    reader.report(fields.get(key), { problem, remedy: 'Move the field into an entry of "layers", or remove "layers"' });
  }
  for (const [index, entry] of listed.entries()) {
    const own = reader.fields(entry, LAYER.keys);
    const layerName = readLayerName(reader, own.get("name"), scope);
    scope.layers.push(readLayer(reader, own, layerName, scope));
    if (layerName !== "") scope.earlier.set(layerName, index);
  }
  return { name, grid, layers: scope.layers, ...rest, layered: true };
}

function readLayerName(reader: SpecReader, at: Field, { earlier }: LayerScope): string {
  const name = reader.text(at);
  const flawAt = name.indexOf("/");
  if (flawAt >= 0) {
    reader.report(at, { problem: 'a layer name contains "/"', got: name, flawAt, expected: 'a name without "/"' });
    return "";
  }
  if (!earlier.has(name)) return name;
  const remedy = `Choose another name: layers[${earlier.get(name)}] already has this name`;
  const expected = "a name that no other layer has";
  reader.report(at, { problem: "two layers have the same name", got: name, expected, remedy });
  return "";
}
