import { type Issue, nearest } from "../errors/index.js";
import { type Field, type Fields, type Report, readFields, readInteger, readList, readName, report } from "./fields.js";
import { type LayerScope, readLayer } from "./parseLayer.js";
import type { GridSpec, LayerSpec, WalkSpec } from "./types.js";

const LAYER_KEYS = ["preset", "tensor", "walkers", "steps", "heading", "firstVisit", "closed", "start"];
const GRID_KINDS = ["unbounded", "bounded", "torus"] as const;
const MAX_SIDE = 2 ** 31 - 1;
const MAX_LAYERS = 256;

/**
 * Checks a walk spec: every issue found, each with its path. Takes anything; nothing inherited is read, unknown keys are
 * errors. Pure, no kernel.
 *
 * Error cases: `walk.spec` (shape, type, range, unknown key or name), `walk.tensor` (preset and tensor together, unknown
 * preset, a direction named twice), `weights.*` (see compileTensor), `walk.off-grid` (a listed cell or rectangle
 * outside a bounded or torus grid), `walk.closed-start` (a start cell that the spec itself closes).
 *
 * @param options.file - stands in each issue's place.
 * @returns `spec` where there are no issues.
 */
export function parseWalk(
  input: unknown,
  options: { readonly file?: string } = {},
): { spec?: WalkSpec; issues: readonly Issue[] } {
  const to: Report = { issues: [], file: options.file };
  const spec = readWalk(to, { path: "", value: input });
  return spec === undefined || to.issues.length > 0 ? { issues: to.issues } : { spec, issues: to.issues };
}

function readWalk(to: Report, top: Field): WalkSpec | undefined {
  const fields = readFields(to, top, ["name", "grid", "layers", ...LAYER_KEYS]);
  if (fields === undefined) return undefined;
  const name = readName(to, fields.get("name"));
  const grid = readGrid(to, fields.get("grid"));
  const list = fields.get("layers");
  if (list === undefined) {
    const layer = readLayer(to, fields, name ?? "", { grid, earlier: new Map() });
    return { name, grid, layers: [layer], layered: false };
  }
  refuseBoth(to, fields);
  return { name, grid, layers: readLayers(to, list, grid), layered: true };
}

function refuseBoth(to: Report, fields: Fields): void {
  for (const key of LAYER_KEYS.filter((candidate) => fields.has(candidate))) {
    report(to, "walk.spec", key, {
      problem: `${key} stands beside layers`,
      expected: "it inside a layer",
      remedy: "Move it into an entry of layers, or remove layers",
    });
  }
}

function readGrid(to: Report, field: Field | undefined): GridSpec {
  const unbounded: GridSpec = { kind: "unbounded" };
  if (field === undefined) return unbounded;
  const fields = readFields(to, field, ["kind", "rows", "cols"]);
  if (fields === undefined) return unbounded;
  const given = fields.get("kind");
  const kind = GRID_KINDS.find((candidate) => candidate === given?.value);
  if (kind === undefined) {
    const near = typeof given?.value === "string" ? nearest(given.value, GRID_KINDS) : undefined;
    report(to, "walk.spec", `${field.path}.kind`, {
      problem: given === undefined ? "the grid has no kind" : "unknown kind of grid",
      ...(given === undefined ? {} : { got: given.value }),
      expected: GRID_KINDS.join(", "),
      ...(near === undefined ? {} : { remedy: `Did you mean ${JSON.stringify(near)}?` }),
    });
    return unbounded;
  }
  if (kind !== "unbounded")
    return { kind, rows: readSide(to, field, fields, "rows"), cols: readSide(to, field, fields, "cols") };
  for (const key of ["rows", "cols"].filter((side) => fields.has(side))) {
    const remedy = "Remove it, or make the grid bounded or a torus";
    report(to, "walk.spec", `${field.path}.${key}`, { problem: `an unbounded grid has no ${key}`, remedy });
  }
  return unbounded;
}

function readSide(to: Report, grid: Field, fields: Fields, key: "rows" | "cols"): number {
  const field = fields.get(key) ?? { path: `${grid.path}.${key}`, value: undefined };
  return readInteger(to, field, { least: 1, most: MAX_SIDE, fallback: MAX_SIDE });
}

function readLayers(to: Report, field: Field, grid: GridSpec): LayerSpec[] {
  const expected = `a list of 1 to ${MAX_LAYERS} layers`;
  const entries = readList(to, field, expected) ?? [];
  if (entries.length > MAX_LAYERS) {
    report(to, "walk.spec", field.path, { problem: "there are too many layers", got: entries.length, expected });
    return [];
  }
  const scope: LayerScope = { grid, earlier: new Map() };
  const layers: LayerSpec[] = [];
  for (const [index, entry] of entries.entries()) {
    const fields = readFields(to, entry, ["name", ...LAYER_KEYS]);
    if (fields === undefined) continue;
    const name = readLayerName(to, entry, fields, scope);
    layers.push(readLayer(to, fields, name ?? "", scope));
    if (name !== undefined) scope.earlier.set(name, index);
  }
  return layers;
}

function readLayerName(to: Report, entry: Field, fields: Fields, { earlier }: LayerScope): string | undefined {
  const field = fields.get("name");
  if (field === undefined) {
    const remedy = "Give each layer a name of its own: its random words go by it";
    report(to, "walk.spec", `${entry.path}.name`, { problem: "the layer has no name", expected: "a name", remedy });
    return undefined;
  }
  const name = readName(to, field);
  if (name === undefined) return undefined;
  if (name.includes("/")) {
    report(to, "walk.spec", field.path, {
      problem: "a layer's name is not usable",
      got: name,
      expected: 'no "/" in it',
    });
    return undefined;
  }
  if (!earlier.has(name)) return name;
  report(to, "walk.spec", field.path, {
    problem: "two layers have one name",
    got: name,
    expected: "a name of its own",
    remedy: `layers[${earlier.get(name)}] has it already`,
  });
  return undefined;
}
