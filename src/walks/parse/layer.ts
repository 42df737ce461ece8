import type { Field, Fields, SpecReader } from "../../spec/index.js";
import { HEADING_KEYS, RESTING } from "../directions.js";
import { type CellSet, closedCells } from "../map/cellSet.js";
import { OpenCells } from "../map/openCells.js";
import {
  type Cell,
  DEFAULT_REGION_SIDE,
  type GridSpec,
  type LayerSpec,
  MAX_DATED_STEPS,
  MAX_REGION_SIDE,
  MAX_SCATTERED_STEPS,
  MAX_SCATTERED_WALKERS,
  MAX_STEPS,
  MAX_WALKERS,
  MIN_REGION_SIDE,
  type StartSpec,
  type UntilSpec,
} from "../types.js";
import { readCells, readIntegers, refuseOutside } from "./cells.js";
import { readName } from "./names.js";
import { readPattern } from "./tensor.js";

const MAX_HEADINGS = 1_000_000;

/** The fields of a layer, except `name`. */
export const LAYER_KEYS = [
  "preset",
  "tensor",
  "walkers",
  "steps",
  "heading",
  "firstVisit",
  "closed",
  "open",
  "until",
  "start",
  "scatter",
];

/** What a layer's fields can refer to. */
export interface LayerScope {
  readonly grid: GridSpec;
  /** The indices of earlier layers, by name. */
  readonly earlier: Map<string, number>;
  readonly scattered: Set<number>;
}

interface ReferenceScope extends LayerScope {
  readonly isScattered: boolean;
}

export function readLayer(
  reader: SpecReader,
  fields: Fields,
  { name, ...layers }: LayerScope & { readonly name: string },
): LayerSpec {
  const scope: ReferenceScope = { ...layers, isScattered: fields.has("scatter") };
  const given = (key: string) => (fields.has(key) ? { [key]: fields.get(key) } : {});
  const tensor = readPattern(reader, { ...given("preset"), ...given("tensor") });
  const { scatter, walkers } = scope.isScattered
    ? readScatter(reader, fields, scope.grid)
    : {
        scatter: undefined,
        walkers: reader.integer(fields.get("walkers"), { least: 1, most: MAX_WALKERS, fallback: 1 }),
      };
  const firstVisit = reader.flag(fields.get("firstVisit"));
  const most = scope.isScattered ? MAX_SCATTERED_STEPS : firstVisit ? MAX_DATED_STEPS : MAX_STEPS;
  const steps = reader.integer(fields.get("steps"), { least: 0, most, fallback: 0 });
  const headings = readHeadings(reader, fields);
  const closed = readClosed(reader, fields, scope);
  const openLayers = readOpen(reader, fields, scope);
  const until = readUntil(reader, fields, scope);
  const start = readStart(reader, fields, scope);
  refuseClosedStart(reader, fields, { start, ...closed });
  refuseContradictions(reader, fields, { start, ...closed, openLayers, until });
  return { name, tensor, scatter, walkers, steps, headings, firstVisit, start, ...closed, openLayers, until };
}

function readScatter(
  reader: SpecReader,
  layer: Fields,
  grid: GridSpec,
): Required<Pick<LayerSpec, "scatter" | "walkers">> {
  const at = layer.get("scatter");
  const fields = reader.fields(at, ["side", "walkers"]);
  const bounds = { least: MIN_REGION_SIDE, most: MAX_REGION_SIDE };
  const side = reader.integer(fields.get("side"), { ...bounds, fallback: DEFAULT_REGION_SIDE });
  if ((side & (side - 1)) !== 0) {
    const expected = `a power of two from ${bounds.least} to ${bounds.most}`;
    reader.report(fields.get("side"), { problem: "invalid side of the regions", got: side, expected });
  }
  const walkers = reader.integer(fields.get("walkers"), { least: 1, most: MAX_SCATTERED_WALKERS });
  if (layer.has("walkers")) {
    const problem = 'a scattered layer has its number of walkers in "scatter"';
    reader.report(layer.get("walkers"), { problem, remedy: 'Remove "walkers"' });
  }
  if (grid.kind !== "unbounded") {
    const problem = "only a layer on an unbounded grid can be scattered";
    const remedy = 'Remove "scatter", or make the grid unbounded';
    reader.report(at, { problem, got: grid.kind, expected: "an unbounded grid", remedy }, "walk.scattered");
  }
  return { scatter: { side }, walkers };
}

/** Reports a start that a scattered layer cannot have. Returns a valid start instead. */
function refuseStart(reader: SpecReader, at: Field): StartSpec {
  const problem = "a scattered layer cannot start on listed cells or in a rectangle";
  const expected = "{layer: name} with the name of an earlier layer";
  const remedy = 'Or remove "start": then each walker starts on any open cell of its region';
  reader.report(at, { problem, expected, remedy }, "walk.scattered");
  return { kind: "region" };
}

function readHeadings(reader: SpecReader, fields: Fields): Uint8Array {
  if (!fields.has("heading")) return Uint8Array.of(RESTING);
  const at = fields.get("heading");
  const read = (entry: Field) =>
    readName(reader, entry, { known: HEADING_KEYS, problem: "unknown heading" }) ?? RESTING;
  if (!Array.isArray(at.value)) return Uint8Array.of(read(at));
  return Uint8Array.from(reader.list(at, { least: 1, most: MAX_HEADINGS, of: "headings" }), read);
}

type Closed = Pick<LayerSpec, "closedCells" | "closedLayers">;

function readClosed(reader: SpecReader, layer: Fields, scope: ReferenceScope): Closed {
  const nothing = { closedCells: new Int32Array(0), closedLayers: [] };
  if (!layer.has("closed")) return nothing;
  const fields = reader.fields(layer.get("closed"), ["cells", "layers"]);
  const closedCells = fields.has("cells")
    ? readCells(reader, fields.get("cells"), { least: 0, grid: scope.grid })
    : nothing.closedCells;
  const names = reader.list(fields.get("layers"), { most: 256, optional: true, of: "names of earlier layers" });
  return { closedCells, closedLayers: readReferences(reader, names, scope) };
}

function readOpen(reader: SpecReader, layer: Fields, scope: ReferenceScope): readonly number[] {
  if (!layer.has("open")) return [];
  const fields = reader.fields(layer.get("open"), ["layers"]);
  const names = reader.list(fields.get("layers"), { least: 1, most: 256, of: "names of earlier layers" });
  return readReferences(reader, names, scope);
}

function readUntil(reader: SpecReader, layer: Fields, scope: ReferenceScope): UntilSpec | undefined {
  if (!layer.has("until")) return undefined;
  const at = layer.get("until");
  const before = reader.errors;
  const fields = reader.fields(at, ["on", "outside"]);
  if (reader.errors > before) return undefined;
  if (fields.has("on") === fields.has("outside")) {
    const expected = "{on: layer} or {outside: layer}, with the name of an earlier layer";
    reader.report(at, { problem: 'invalid "until"', got: at.value, expected });
    return undefined;
  }
  const kind = fields.has("on") ? "on" : "outside";
  const index = readReference(reader, fields.get(kind), scope);
  return index === undefined ? undefined : { kind, layer: index };
}

function readReferences(reader: SpecReader, names: readonly Field[], scope: ReferenceScope): readonly number[] {
  const indices = names.map((name) => readReference(reader, name, scope));
  return [...new Set(indices.filter((index) => index !== undefined))].sort((a, b) => a - b);
}

function readReference(
  reader: SpecReader,
  at: Field,
  { earlier, scattered, isScattered }: ReferenceScope,
): number | undefined {
  const index = readName(reader, at, { known: earlier, problem: "no earlier layer has this name" });
  if (index === undefined || isScattered || !scattered.has(index)) return index;
  const problem = "a scattered layer is never made as a whole, so only another scattered layer can read it";
  const expected = "the name of a layer that is not scattered";
  const remedy = 'Or give this layer a "scatter" too';
  reader.report(at, { problem, got: at.value, expected, remedy }, "walk.scattered");
  return index;
}

function readStart(reader: SpecReader, layer: Fields, scope: ReferenceScope): StartSpec {
  const { isScattered } = scope;
  const origin: StartSpec = isScattered ? { kind: "region" } : { kind: "cells", cells: new Int32Array(2) };
  if (!layer.has("start")) return origin;
  const at = layer.get("start");
  if (Array.isArray(at.value)) {
    if (isScattered) return refuseStart(reader, at);
    return { kind: "cells", cells: readCells(reader, at, { least: 1, grid: scope.grid }) };
  }
  const before = reader.errors;
  const fields = reader.fields(at, ["rect", "layer"]);
  if (reader.errors > before) return origin;
  if (fields.has("rect") === fields.has("layer")) {
    const forms = isScattered ? "" : "a list of cells, {rect: [row0, col0, row1, col1]} or ";
    const expected = `${forms}{layer: name}`;
    reader.report(at, { problem: 'invalid "start"', got: at.value, expected });
    return origin;
  }
  if (fields.has("rect")) {
    if (isScattered) return refuseStart(reader, fields.get("rect"));
    return readRect(reader, fields.get("rect"), scope.grid) ?? origin;
  }
  return { kind: "layer", layer: readReference(reader, fields.get("layer"), scope) ?? 0 };
}

/** A side has at most 2³² − 1 cells, because the bound of a random coordinate must fit in 32 bits. */
function readRect(reader: SpecReader, at: Field, grid: GridSpec): StartSpec | undefined {
  const cells = readIntegers(reader, at, 4);
  const [row0, col0, row1, col1] = cells ?? [0, 0, -1, -1];
  const [rows, cols] = [row1 - row0 + 1, col1 - col0 + 1];
  if (cells === undefined || Math.min(rows, cols) < 1 || Math.max(rows, cols) >= 2 ** 32) {
    const expected = "[row0, col0, row1, col1] with 32-bit integers, row0 ≤ row1, col0 ≤ col1, sides below 2^32";
    const finding =
      cells === undefined
        ? { problem: "invalid rectangle", got: at.value }
        : { problem: `invalid rectangle [${cells.join(", ")}]` };
    reader.report(at, { ...finding, expected });
    return undefined;
  }
  refuseOutside(reader, at, { cells, grid });
  return { kind: "rect", row0, col0, rows, cols };
}

/**
 * Reports a start that has no open cell, or a listed start cell that the spec closes, if this follows from the spec
 * alone.
 */
function refuseClosedStart(reader: SpecReader, layer: Fields, spec: Closed & { readonly start: StartSpec }): void {
  const at = layer.get(layer.has("start") ? "start" : "closed");
  const { start, closedCells: listed, closedLayers } = spec;
  const report = (problem: string, expected: string) => reader.report(at, { problem, expected }, "walk.closed-start");
  if (start.kind === "layer") {
    if (!closedLayers.includes(start.layer)) return;
    const problem = "the layer starts on the cells of an earlier layer, but also closes these cells";
    report(problem, "a start on cells that the layer does not close");
  } else if (start.kind === "rect") {
    // A list with fewer cells than the rectangle cannot close all of it. `listed` has two numbers for each cell.
    if (start.rows * start.cols > listed.length / 2) return;
    const open = new OpenCells(closedCells(listed), start);
    if (open.count === 0) report("every cell of the start rectangle is closed", "at least one open cell");
  } else if (start.kind === "cells") {
    const taken = closedStart(start.cells, closedCells(listed));
    if (taken === undefined) return;
    report(`the start cell [${taken.join(", ")}] is also closed`, 'start cells that "closed.cells" does not list');
  }
}

/** Reports fields that contradict each other. */
function refuseContradictions(
  reader: SpecReader,
  layer: Fields,
  { start, closedLayers, openLayers, until }: Pick<LayerSpec, "start" | "closedLayers" | "openLayers" | "until">,
): void {
  if (openLayers.length > 0 && openLayers.every((index) => closedLayers.includes(index))) {
    const problem = "the layer opens the cells of earlier layers, but also closes these cells";
    const expected = 'at least one layer in "open" that "closed" does not list';
    reader.report(layer.get("open"), { problem, expected }, "walk.closed-start");
  }
  if (until === undefined) return;
  const isClosed = closedLayers.includes(until.layer);
  const isOnlyOpen = openLayers.length === 1 && openLayers[0] === until.layer;
  const isStart = start.kind === "layer" && start.layer === until.layer;
  const isOn = until.kind === "on";
  if (isOn ? isClosed : isOnlyOpen) {
    const cells = isOn
      ? "on the cells of a layer that this layer closes"
      : "outside the only layer that this layer opens";
    const problem = `the walkers end ${cells}, where no walker can go`;
    reader.report(layer.get("until"), { problem, expected: "cells that a walker can enter" });
  } else if (isOn ? isStart || isOnlyOpen : isClosed) {
    const problem = "every walker ends on its start cell";
    reader.report(layer.get("until"), { problem, expected: "cells on which at least some walkers do not start" });
  }
}

/** Returns the first cell that is closed. */
function closedStart(cells: Int32Array, closed: CellSet): Cell | undefined {
  for (let i = 0; i < cells.length; i += 2) if (closed.has(cells[i], cells[i + 1])) return [cells[i], cells[i + 1]];
  return undefined;
}
