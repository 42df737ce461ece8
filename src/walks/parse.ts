import { type Field, type Fields, type Parsed, readOptions, SpecReader } from "../spec/index.js";
import type { Coordinates } from "./coordinates.js";
import { LAYER_KEYS, type LayerScope, readLayer } from "./parse/layer.js";
import { readPattern } from "./parse/tensor.js";
import type { GridSpec, LayerSpec, TensorSpec, WalkOptions, WalkSpec } from "./types.js";

const GRID_KINDS = ["unbounded", "bounded", "torus"] as const;
const COORDINATES = ["axial", "odd-r"] as const;
const MAX_SIDE = 2 ** 31 - 1;
const MAX_LAYERS = 256;

/**
 * Reads a walk spec. Reports all issues, each with its path in the spec.
 *
 * Cost: O(listed cells).
 *
 * Error cases:
 * - `walk.spec`: a wrong shape, type or range, or an unknown key or name.
 * - `walk.tensor`: both preset and tensor, an unknown preset, a direction or turn that is listed twice, or a tensor that
 *   changes by layer, row or step.
 * - `weights.*`: weights that are negative, all 0, or too large when scaled to integers.
 * - `walk.off-grid`: a listed cell or a rectangle outside a bounded or torus grid.
 * - `walk.closed-start`: `closed.cells` lists a start cell, or the layer closes all its start cells.
 * - `walk.scattered`: a scattered layer on a grid that is not unbounded, or with its own start cells. Or a layer that
 *   is not scattered but refers to a scattered layer.
 */
export function parseWalk(input: unknown, options: WalkOptions = {}): Parsed<WalkSpec> {
  const { file } = readOptions("parseWalk", options, ["file"]);
  const reader = new SpecReader({ noun: "walk", code: "walk.spec", file, isDocument: true });
  return reader.run(input, (root) => readWalk(reader, root));
}

/** Reads the name of a preset, or an object with weights by name. */
export function parseTensor(input: unknown): Parsed<TensorSpec> {
  const reader = new SpecReader({ noun: "tensor", code: "walk.spec" });
  return reader.run(input, (root) =>
    typeof input === "string" ? readPattern(reader, { preset: root }) : readPattern(reader, { tensor: root }),
  );
}

function readWalk(reader: SpecReader, root: Field): WalkSpec {
  const fields = reader.fields(root, ["name", "grid", "layers", ...LAYER_KEYS]);
  const name = fields.has("name") ? reader.text(fields.get("name")) : undefined;
  const grid = readGrid(reader, fields);
  const scope: LayerScope = { grid, earlier: new Map(), scattered: new Set() };
  if (!fields.has("layers")) {
    return { name, grid, layers: [readLayer(reader, fields, { ...scope, name: name ?? "" })], layered: false };
  }
  for (const key of LAYER_KEYS.filter((candidate) => fields.has(candidate))) {
    const remedy = 'Move the field into an entry of "layers", or remove "layers"';
    reader.report(fields.get(key), {
      problem: `"${key}" belongs to a layer, not to a walk with "layers"`,
      remedy,
    });
  }
  return { name, grid, layers: readLayers(reader, fields.get("layers"), scope), layered: true };
}

function readGrid(reader: SpecReader, spec: Fields): GridSpec {
  if (!spec.has("grid")) return { kind: "unbounded" };
  const fields = reader.fields(spec.get("grid"), ["kind", "rows", "cols", "coordinates"]);
  const kind = reader.choice(fields.get("kind"), GRID_KINDS);
  if (kind !== "unbounded") {
    const [rows, cols] = ["rows", "cols"].map((key) => reader.integer(fields.get(key), { least: 1, most: MAX_SIDE }));
    if (readCoordinates(reader, fields) === "axial") return { kind, rows, cols };
    if (kind === "torus" && rows % 2 === 1) {
      const expected = "an even number of rows, because odd rows are shifted by half a cell";
      reader.report(fields.get("rows"), {
        problem: "invalid rows of a torus with odd-r coordinates",
        got: rows,
        expected,
      });
    }
    return { kind, rows, cols, coordinates: "odd-r" };
  }
  for (const key of ["rows", "cols", "coordinates"].filter((side) => fields.has(side) && fields.has("kind"))) {
    const remedy = `Remove "${key}", or make the grid bounded or a torus`;
    reader.report(fields.get(key), { problem: `an unbounded grid cannot have "${key}"`, remedy });
  }
  return { kind };
}

function readCoordinates(reader: SpecReader, grid: Fields): Coordinates {
  return grid.has("coordinates") ? reader.choice(grid.get("coordinates"), COORDINATES) : "axial";
}

function readLayers(reader: SpecReader, at: Field, scope: LayerScope): LayerSpec[] {
  const entries = reader.list(at, { least: 1, most: MAX_LAYERS, of: "layers" });
  return entries.map((entry, index) => {
    const fields = reader.fields(entry, ["name", ...LAYER_KEYS]);
    const name = readLayerName(reader, fields.get("name"), scope);
    const layer = readLayer(reader, fields, { ...scope, name });
    if (name !== "") scope.earlier.set(name, index);
    if (layer.scatter !== undefined) scope.scattered.add(index);
    return layer;
  });
}

function readLayerName(reader: SpecReader, at: Field, { earlier }: LayerScope): string {
  const name = reader.text(at);
  if (name.includes("/")) {
    reader.report(at, {
      problem: 'a layer name contains "/"',
      got: name,
      flawAt: name.indexOf("/"),
      expected: 'a name without "/"',
    });
    return "";
  }
  if (!earlier.has(name)) return name;
  const remedy = `Choose another name: layers[${earlier.get(name)}] already has this name`;
  reader.report(at, {
    problem: "two layers have the same name",
    got: name,
    expected: "a name that no other layer has",
    remedy,
  });
  return "";
}
