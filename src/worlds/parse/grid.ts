import { choice, type Field, type InputOf, optional, record, type SpecReader, unread } from "../../spec/index.js";
import type { GridSpec, LayerSpec } from "../../walks/index.js";
import { GRID, refuseOutside } from "../../walks/parse/cells.js";
import { isUpright, type UprightGrid } from "../../walks/rectangles.js";

export const UNBOUNDED = record({
  /** Default: unbounded. */
  kind: optional(choice(["unbounded"]), "unbounded"),
  /** `axial` (the default): a window is a slanted rectangle. `odd-r`: it is an upright rectangle. */
  coordinates: optional(choice(["axial", "odd-r"]), "axial"),
});
/**
 * The unbounded grid of a world. Its windows, contents and listed cells are in its coordinates. In odd-r coordinates,
 * columns are −2³⁰ to 2³⁰ − 1, and the walkers of the layers use axial coordinates.
 */
export interface UnboundedGrid extends InputOf<typeof UNBOUNDED> {}

const NO_TORUS = { not: { properties: { kind: { const: "torus" } }, required: ["kind"] } };
export const WORLD_GRID = unread<UnboundedGrid | GridSpec>({ anyOf: [UNBOUNDED, { allOf: [GRID, NO_TORUS] }] });

/** Returns the grid if it is unbounded. If not, `parseWalk` reads it. */
export function readUnbounded(reader: SpecReader, at: Field): UprightGrid | { readonly kind: "unbounded" } | undefined {
  const { value } = at;
  if (value === undefined) return { kind: "unbounded" };
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const given = reader.record(at).get("kind").value;
  if (given !== undefined && given !== "unbounded") return undefined;
  const { kind, coordinates } = UNBOUNDED.read(reader, at);
  return coordinates === "odd-r" ? { kind, coordinates } : { kind };
}

/** Returns layers with the cells that they list in the coordinates of walkers. `at` has the layers as written. */
export function walkedLayers(
  reader: SpecReader,
  layers: readonly LayerSpec[],
  { at, grid }: { readonly at: readonly Field[]; readonly grid: GridSpec | UprightGrid },
): readonly LayerSpec[] {
  if (!isUpright(grid)) return layers;
  return layers.map((layer, i) => {
    const { start } = layer;
    const fields = reader.record(at[i]);
    const walked = (field: Field, cells: Int32Array) => {
      refuseOutside(reader, field, cells, grid);
      return cells.map((each, k) => (k % 2 === 0 ? each : each - (cells[k - 1] >> 1)));
    };
    if (start.kind === "rect") {
      const problem = "in an unbounded odd-r grid, walkers cannot start in a rectangle";
      const remedy = "List the cells, use a scattered layer, or make the grid bounded";
      reader.report(fields.get("start"), { problem, remedy });
    }
    const closedCells = walked(fields.get("closed").part("cells"), layer.closedCells);
    if (start.kind !== "cells") return { ...layer, closedCells };
    return { ...layer, closedCells, start: { ...start, cells: walked(fields.get("start"), start.cells) } };
  });
}
