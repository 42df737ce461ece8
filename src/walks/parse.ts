import {
  type Field,
  type InputOf,
  list,
  optional,
  type Parsed,
  readOptions,
  record,
  SpecReader,
  shape,
  TEXT,
} from "../spec/index.js";
import { GRID, type GridSpec, readGrid } from "./parse/cells.js";
import {
  BODY,
  EXCLUSIVE,
  LAYER,
  LAYER_BODY,
  type LayerBody,
  type LayerInput,
  type LayerScope,
  readLayer,
} from "./parse/layer.js";
import { PRESETS } from "./parse/tensor.js";
import type { LayerSpec, TensorSpec, WalkOptions, WalkSpec } from "./types.js";

const MAX_LAYERS = 256;

const BASE_FIELDS = {
  /**
   * Name of the walk, 1 to 256 characters. It names the random words on the command line, where the default is the
   * file's name; `mill.walk` uses the name of the call instead.
   */
  name: optional(TEXT),
  /**
   * The grid. `{"kind": "unbounded"}` has rows and columns −2³¹ to 2³¹ − 1, which no walker leaves. `{"kind": "bounded"
   * or "torus", "rows", "cols"}` has the cells from (0, 0), each side 1 to 2147483647; `"coordinates": "odd-r"` makes it
   * an upright rectangle instead of a rhombus. Default: unbounded.
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
        /** The layers, in the order in which they run. A single layer can have its fields beside `name` instead. */
        readonly layers: readonly LayerInput[];
      }
    | ({ readonly layers?: undefined } & LayerBody)
  );

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
  const { preset, tensor } = LAYER_BODY.fields;
  return reader.run(
    input,
    (root) => (typeof input === "string" ? preset : tensor).read(reader, root) ?? PRESETS.uniform,
  );
}

function readWalk(reader: SpecReader, root: Field): WalkSpec {
  const fields = reader.fields(root, WALK.keys);
  const name = BASE.fields.name.read(reader, fields.get("name"));
  const grid = BASE.fields.grid.read(reader, fields.get("grid"));
  const scope: LayerScope = { grid, earlier: new Map(), scattered: new Set() };
  if (!fields.has("layers")) {
    return { name, grid, layers: [readLayer(reader, fields, { ...scope, name: name ?? "" })], layered: false };
  }
  for (const key of LAYER_BODY.keys.filter((candidate) => fields.has(candidate))) {
    const problem = `"${key}" belongs to a layer, not to a walk with "layers"`;
    reader.report(fields.get(key), { problem, remedy: 'Move the field into an entry of "layers", or remove "layers"' });
  }
  return { name, grid, layers: readLayers(reader, fields.get("layers"), scope), layered: true };
}

function readLayers(reader: SpecReader, at: Field, scope: LayerScope): LayerSpec[] {
  const entries = reader.list(at, { least: 1, most: MAX_LAYERS, of: "layers" });
  return entries.map((entry, index) => {
    const fields = reader.fields(entry, LAYER.keys);
    const name = readLayerName(reader, fields.get("name"), scope);
    const layer = readLayer(reader, fields, { ...scope, name });
    if (name !== "") scope.earlier.set(name, index);
    if (layer.scatter !== undefined) scope.scattered.add(index);
    return layer;
  });
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
