import { error, fail } from "../errors/index.js";
import { CellRanks } from "./map/cellRanks.js";
import type { LayerMap } from "./map/layerMap.js";
import type { Cell, StartSpec } from "./types.js";

/** What start cells depend on beside the spec. */
interface StartSources {
  /** A number 0 … bound − 1 by the word at (plane, index) of the layer's starts. */
  readonly draw: (place: { readonly plane: number; readonly index: number; readonly bound: number }) => number;
  readonly earlier: readonly (LayerMap | undefined)[];
}

/**
 * A function from a walker to its start cell (docs/determinism.md).
 *
 * @throws RollmillError `walk.mismatch` if the map of the earlier layer is missing.
 */
export function startCells(start: StartSpec, { draw, earlier }: StartSources): (walker: number) => Cell {
  if (start.kind === "cells") {
    const { cells } = start;
    return (walker) => [cells[(walker * 2) % cells.length], cells[((walker * 2) % cells.length) + 1]];
  }
  if (start.kind === "rect") {
    const { row0, col0, rows, cols } = start;
    return (index) => [row0 + draw({ plane: 0, index, bound: rows }), col0 + draw({ plane: 1, index, bound: cols })];
  }
  const ranks = new CellRanks(earlierMap(earlier, start.layer));
  return (index) => ranks.cellAt(draw({ plane: 0, index, bound: ranks.count }));
}

/**
 * The map of an earlier layer.
 *
 * @throws RollmillError `walk.mismatch` if it is missing.
 */
export function earlierMap(earlier: readonly (LayerMap | undefined)[], index: number): LayerMap {
  const map = earlier[index];
  if (map !== undefined) return map;
  const problem = `the layer needs the map of layer ${index}`;
  return fail(
    error("walk.mismatch", { problem, expected: "a map", remedy: "Pass the maps of earlier layers as `earlier`" }),
  );
}
