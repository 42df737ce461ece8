import type { Field, Fields, SpecReader } from "../../spec/index.js";
import {
  DEFAULT_REGION_SIDE,
  type GridSpec,
  type LayerSpec,
  MAX_REGION_SIDE,
  MAX_SCATTERED_WALKERS,
  MIN_REGION_SIDE,
  type StartSpec,
} from "../types.js";

/** Reads the field `scatter` of a scattered layer. */
export function readScatter(
  reader: SpecReader,
  layer: Fields,
  grid: GridSpec,
): Required<Pick<LayerSpec, "scatter" | "walkers">> {
  const at = layer.get("scatter");
  const fields = reader.fields(at, ["side", "walkers"]);
  const side = readSide(reader, fields.get("side"));
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

function readSide(reader: SpecReader, at: Field): number {
  const bounds = { least: MIN_REGION_SIDE, most: MAX_REGION_SIDE };
  const side = reader.integer(at, { ...bounds, fallback: DEFAULT_REGION_SIDE });
  if ((side & (side - 1)) === 0) return side;
  const expected = `a power of two from ${bounds.least} to ${bounds.most}`;
  reader.report(at, { problem: "invalid side of the regions", got: side, expected });
  return DEFAULT_REGION_SIDE;
}

/** Reports a start that a scattered layer cannot have. Returns a valid start instead: any cell of the region. */
export function refuseStart(reader: SpecReader, at: Field): StartSpec {
  const problem = "a scattered layer cannot start on listed cells or in a rectangle";
  const expected = "{layer: name} with the name of an earlier layer";
  const remedy = 'Or remove "start": then each walker starts on any open cell of its region';
  reader.report(at, { problem, expected, remedy }, "walk.scattered");
  return { kind: "region" };
}
