import { failOnErrors } from "../errors/index.js";
import { compileTensor, tensorPaths } from "./tensor.js";
import type {
  Cell,
  LayerPlan,
  LayerSpec,
  StartPlan,
  StartSpec,
  TensorPlan,
  TensorSpec,
  WalkPlan,
  WalkSpec,
} from "./types.js";

/**
 * Turns a checked walk into flat numbers. Pure; O(cells listed · log).
 *
 * @param name - the walk's name, by which its random words go; default the spec's own, else "walk".
 * @throws RollmillError `weights.*` where a spec that parseWalk did not make has an impossible tensor.
 */
export function compileWalk(spec: WalkSpec, name: string = spec.name ?? "walk"): WalkPlan {
  const layers = spec.layers.map((layer, index) =>
    compileLayer(layer, {
      name: spec.layered ? layer.name : name,
      purposeName: spec.layered ? `${name}/${layer.name}` : name,
      path: spec.layered ? `layers[${index}].tensor` : "tensor",
    }),
  );
  return { name, grid: spec.grid, layers, layered: spec.layered };
}

function compileLayer(spec: LayerSpec, names: { name: string; purposeName: string; path: string }): LayerPlan {
  const { walkers, steps, heading, firstVisit, closedLayers } = spec;
  return {
    name: names.name,
    purposeName: names.purposeName,
    tensor: tensorPlan(spec.tensor, names.path),
    walkers,
    steps,
    heading,
    firstVisit,
    closedCells: flatten(distinct(spec.closedCells)),
    closedLayers,
    start: compileStart(spec.start),
  };
}

function tensorPlan(spec: TensorSpec, path: string): TensorPlan {
  const { tensor, issues } = compileTensor(spec, tensorPaths(path));
  failOnErrors(issues);
  return tensor as TensorPlan;
}

function compileStart(start: StartSpec): StartPlan {
  if (start.kind === "cells") return { kind: "cells", cells: flatten(start.cells) };
  if (start.kind === "layer") return start;
  const [row0, col0, row1, col1] = start.rect;
  return { kind: "rect", row0, col0, rows: row1 - row0 + 1, cols: col1 - col0 + 1 };
}

function distinct(cells: readonly Cell[]): Cell[] {
  const sorted = cells.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  return sorted.filter(([row, col], i) => i === 0 || row !== sorted[i - 1][0] || col !== sorted[i - 1][1]);
}

function flatten(cells: readonly Cell[]): Int32Array {
  const flat = new Int32Array(cells.length * 2);
  for (let i = 0; i < cells.length; i++) flat.set(cells[i], i * 2);
  return flat;
}
