import type { Field, Fields, SpecReader } from "../../spec/index.js";
import { HEADING_KEYS, RESTING } from "../directions.js";
import { ClosedCells } from "../map/closedCells.js";
import { OpenCells } from "../map/openCells.js";
import {
  type Cell,
  type GridSpec,
  type LayerSpec,
  MAX_DATED_STEPS,
  MAX_STEPS,
  MAX_WALKERS,
  type StartSpec,
} from "../types.js";
import { readCells, readIntegers, refuseOutside } from "./cells.js";
import { readName } from "./names.js";
import { readPattern } from "./tensor.js";

/** Names of the fields of a layer, except `name`. */
export const LAYER_KEYS = ["preset", "tensor", "walkers", "steps", "heading", "firstVisit", "closed", "start"];

/** The grid and the earlier layers, which the fields of a layer can refer to. */
export interface LayerScope {
  readonly grid: GridSpec;
  /** Indices of the earlier layers, by name. */
  readonly earlier: Map<string, number>;
}

/** Reads the fields of a layer, which are in an entry of `layers` or at the top level of the spec. */
export function readLayer(
  reader: SpecReader,
  fields: Fields,
  { name, ...scope }: LayerScope & { readonly name: string },
): LayerSpec {
  const given = (key: string) => (fields.has(key) ? { [key]: fields.get(key) } : {});
  const tensor = readPattern(reader, { ...given("preset"), ...given("tensor") });
  const walkers = reader.integer(fields.get("walkers"), { least: 1, most: MAX_WALKERS, fallback: 1 });
  const firstVisit = reader.flag(fields.get("firstVisit"));
  const most = firstVisit ? MAX_DATED_STEPS : MAX_STEPS;
  const steps = reader.integer(fields.get("steps"), { least: 0, most, fallback: 0 });
  const heading = readHeading(reader, fields);
  const closed = readClosed(reader, fields, scope);
  const start = readStart(reader, fields, scope);
  refuseClosedStart(reader, fields, { start, ...closed });
  return { name, tensor, walkers, steps, heading, firstVisit, start, ...closed };
}

function readHeading(reader: SpecReader, fields: Fields): number {
  if (!fields.has("heading")) return RESTING;
  return readName(reader, fields.get("heading"), { known: HEADING_KEYS, problem: "unknown heading" }) ?? RESTING;
}

type Closed = Pick<LayerSpec, "closedCells" | "closedLayers">;

function readClosed(reader: SpecReader, layer: Fields, scope: LayerScope): Closed {
  const nothing = { closedCells: new Int32Array(0), closedLayers: [] };
  if (!layer.has("closed")) return nothing;
  const fields = reader.fields(layer.get("closed"), ["cells", "layers"]);
  const closedCells = fields.has("cells")
    ? readCells(reader, fields.get("cells"), { least: 0, grid: scope.grid })
    : nothing.closedCells;
  const names = reader.list(fields.get("layers"), { most: 256, optional: true, of: "names of earlier layers" });
  const indices = names.map((name) => readReference(reader, name, scope));
  const closedLayers = [...new Set(indices.filter((index) => index !== undefined))].sort((a, b) => a - b);
  return { closedCells, closedLayers };
}

function readReference(reader: SpecReader, at: Field, { earlier }: LayerScope): number | undefined {
  return readName(reader, at, { known: earlier, problem: "no earlier layer has this name" });
}

function readStart(reader: SpecReader, layer: Fields, scope: LayerScope): StartSpec {
  const origin: StartSpec = { kind: "cells", cells: new Int32Array(2) };
  if (!layer.has("start")) return origin;
  const at = layer.get("start");
  if (Array.isArray(at.value)) {
    return { kind: "cells", cells: readCells(reader, at, { least: 1, grid: scope.grid }) };
  }
  const before = reader.errors;
  const fields = reader.fields(at, ["rect", "layer"]);
  if (reader.errors > before) return origin;
  if (fields.has("rect") === fields.has("layer")) {
    const expected = "a list of cells, {rect: [row0, col0, row1, col1]} or {layer: name}";
    reader.report(at, { problem: 'invalid "start"', got: at.value, expected });
    return origin;
  }
  if (fields.has("rect")) return readRect(reader, fields.get("rect"), scope.grid) ?? origin;
  return { kind: "layer", layer: readReference(reader, fields.get("layer"), scope) ?? 0 };
}

/** Reads a rectangle. A side has at most 2³² − 1 cells, because its length is the 32-bit bound of a random number. */
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
 * Reports a start without an open cell, if the spec alone decides this, and a listed start cell that the spec also lists
 * as closed.
 */
function refuseClosedStart(reader: SpecReader, layer: Fields, spec: Closed & { readonly start: StartSpec }): void {
  const at = layer.get(layer.has("start") ? "start" : "closed");
  const { start, closedCells, closedLayers } = spec;
  const report = (problem: string, expected: string) => reader.report(at, { problem, expected }, "walk.closed-start");
  if (start.kind === "layer") {
    if (!closedLayers.includes(start.layer)) return;
    const problem = "the layer starts on the cells of an earlier layer, but also closes these cells";
    report(problem, "a start on cells that the layer does not close");
  } else if (start.kind === "rect") {
    // the number of distinct closed cells is at most closedCells.length / 2
    if (start.rows * start.cols > closedCells.length / 2) return;
    const open = new OpenCells(new ClosedCells(closedCells, []), start);
    if (open.count === 0) report("every cell of the start rectangle is closed", "at least one open cell");
  } else {
    const taken = closedStart(start.cells, new ClosedCells(closedCells, []));
    if (taken === undefined) return;
    report(`the start cell [${taken.join(", ")}] is also closed`, 'start cells that "closed.cells" does not list');
  }
}

/** Returns the first cell that is closed, or undefined if all cells are open. */
function closedStart(cells: Int32Array, closed: ClosedCells): Cell | undefined {
  for (let i = 0; i < cells.length; i += 2) if (closed.has(cells[i], cells[i + 1])) return [cells[i], cells[i + 1]];
  return undefined;
}
