import { nearest } from "../errors/index.js";
import {
  type Field,
  type Fields,
  i32List,
  type Report,
  readCells,
  readFields,
  readFlag,
  readInteger,
  readList,
  report,
} from "./fields.js";
import { readHeading, readPattern } from "./parseTensor.js";
import { PRESETS } from "./presets.js";
import type { Cell, GridSpec, LayerSpec, StartSpec } from "./types.js";

/** What a layer's fields may refer to. */
export interface LayerScope {
  readonly grid: GridSpec;
  /** Names of the layers before this one → their indices. */
  readonly earlier: Map<string, number>;
}

const MAX_WALKERS = 2 ** 32 - 1;
const MAX_STEPS = 2 ** 42 - 1;
/** First visits are u32, and the largest u32 means "never". */
const MAX_FIRST_VISIT_STEPS = 2 ** 32 - 2;
const ORIGIN: StartSpec = { kind: "cells", cells: [[0, 0]] };

/** Reads the fields that a layer has wherever it stands; what is wrong is reported and replaced by its default. */
export function readLayer(to: Report, fields: Fields, name: string, scope: LayerScope): LayerSpec {
  const tensor = readPattern(to, fields) ?? PRESETS.uniform;
  const walkers = readInteger(to, fields.get("walkers"), { least: 1, most: MAX_WALKERS, fallback: 1 });
  const firstVisit = readFlag(to, fields.get("firstVisit"));
  const most = firstVisit ? MAX_FIRST_VISIT_STEPS : MAX_STEPS;
  const steps = readInteger(to, fields.get("steps"), { least: 0, most, fallback: 0 });
  const heading = readHeading(to, fields.get("heading"));
  const closed = readClosed(to, fields.get("closed"), scope);
  const start = readStart(to, fields.get("start"), scope);
  refuseClosedStart(to, fields, start, closed);
  return { name, tensor, walkers, steps, heading, firstVisit, start, ...closed };
}

interface Closed {
  readonly closedCells: readonly Cell[];
  readonly closedLayers: readonly number[];
}

function readClosed(to: Report, field: Field | undefined, scope: LayerScope): Closed {
  const fields = field === undefined ? undefined : readFields(to, field, ["cells", "layers"]);
  const cellsField = fields?.get("cells");
  const closedCells = cellsField === undefined ? [] : (readCells(to, cellsField, 0) ?? []);
  if (cellsField !== undefined) refuseOffGrid(to, cellsField.path, closedCells, scope.grid);
  const layersField = fields?.get("layers");
  const names =
    layersField === undefined ? [] : (readList(to, layersField, "a list of names of earlier layers", 0) ?? []);
  const indices = names.slice(0, 256).map((name) => readReference(to, name, scope));
  const closedLayers = [...new Set(indices.filter((index) => index !== undefined))].sort((a, b) => a - b);
  return { closedCells, closedLayers };
}

function readStart(to: Report, field: Field | undefined, scope: LayerScope): StartSpec {
  if (field === undefined) return ORIGIN;
  if (Array.isArray(field.value)) {
    const cells = readCells(to, field, 1) ?? [];
    refuseOffGrid(to, field.path, cells, scope.grid);
    return { kind: "cells", cells };
  }
  const fields = readFields(to, field, ["rect", "layer"]);
  const rect = fields?.get("rect");
  const layer = fields?.get("layer");
  if (fields !== undefined && (rect === undefined) === (layer === undefined)) {
    const expected = "a list of cells, {rect: [row0, col0, row1, col1]} or {layer: name}";
    report(to, "walk.spec", field.path, { problem: `${field.path} is not usable`, got: field.value, expected });
  } else if (rect !== undefined) return readRect(to, rect, scope.grid);
  else if (layer !== undefined) return { kind: "layer", layer: readReference(to, layer, scope) ?? 0 };
  return ORIGIN;
}

// A side of 2³² cells would not fit `below`, whose bound is at most 2³² − 1.
function readRect(to: Report, { path, value }: Field, grid: GridSpec): StartSpec {
  const corners = i32List(value, 4);
  const inOrder = corners !== undefined && corners[0] <= corners[2] && corners[1] <= corners[3];
  if (!inOrder || Math.max(corners[2] - corners[0], corners[3] - corners[1]) >= 2 ** 32 - 1) {
    const problem = `${path} is not a rectangle`;
    const expected = "[row0, col0, row1, col1], 32-bit integers, row0 ≤ row1, col0 ≤ col1, sides below 2^32";
    const got = corners === undefined ? value : JSON.stringify(corners);
    report(to, "walk.spec", path, { problem, got, expected });
    return ORIGIN;
  }
  const [row0, col0, row1, col1] = corners;
  const opposite: readonly Cell[] = [
    [row0, col0],
    [row1, col1],
  ];
  refuseOffGrid(to, path, opposite, grid);
  return { kind: "rect", rect: [row0, col0, row1, col1] };
}

function readReference(to: Report, { path, value }: Field, { earlier }: LayerScope): number | undefined {
  const index = typeof value === "string" ? earlier.get(value) : undefined;
  if (index !== undefined) return index;
  const near = typeof value === "string" ? nearest(value, earlier.keys()) : undefined;
  report(to, "walk.spec", path, {
    problem: "no earlier layer has this name",
    got: value,
    expected:
      earlier.size === 0 ? "nothing: no layer stands before this one" : `one of ${[...earlier.keys()].join(", ")}`,
    ...(near === undefined ? {} : { remedy: `Did you mean ${JSON.stringify(near)}?` }),
  });
  return undefined;
}

function refuseOffGrid(to: Report, path: string, cells: readonly Cell[], grid: GridSpec): void {
  if (grid.kind === "unbounded") return;
  const { rows, cols } = grid;
  const outside = cells.find(([row, col]) => row < 0 || row >= rows || col < 0 || col >= cols);
  if (outside === undefined) return;
  report(to, "walk.off-grid", path, {
    problem: "a cell lies outside the grid",
    got: `[${outside.join(", ")}]`,
    expected: `row 0 to ${rows - 1}, col 0 to ${cols - 1}`,
  });
}

function refuseClosedStart(to: Report, fields: Fields, start: StartSpec, { closedCells, closedLayers }: Closed): void {
  const path = fields.get("start")?.path ?? fields.get("closed")?.path ?? "start";
  if (start.kind === "layer") {
    if (!closedLayers.includes(start.layer)) return;
    const problem = "the layer starts on an earlier layer's cells and closes them";
    report(to, "walk.closed-start", path, { problem, expected: "open cells to start on" });
    return;
  }
  const taken =
    start.kind === "rect"
      ? closedCells.find((cell) => inRect(cell, start.rect))
      : firstShared(start.cells, closedCells);
  if (taken === undefined) return;
  report(to, "walk.closed-start", path, {
    problem: "a walker would start on a closed cell",
    got: `[${taken.join(", ")}]`,
    expected: "start cells that closed.cells does not list",
  });
}

function inRect([row, col]: Cell, [row0, col0, row1, col1]: readonly number[]): boolean {
  return row >= row0 && row <= row1 && col >= col0 && col <= col1;
}

function firstShared(cells: readonly Cell[], closed: readonly Cell[]): Cell | undefined {
  if (closed.length === 0) return undefined;
  const colsByRow = new Map<number, Set<number>>();
  for (const [row, col] of closed) {
    const cols = colsByRow.get(row);
    if (cols === undefined) colsByRow.set(row, new Set([col]));
    else cols.add(col);
  }
  return cells.find(([row, col]) => colsByRow.get(row)?.has(col));
}
