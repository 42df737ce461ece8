import { error, fail } from "../errors/index.js";
import { CellRanks } from "./map/cellRanks.js";
import type { LayerMap } from "./map/layerMap.js";
import type { Cell, StartSpec } from "./types.js";

/** The sources of random start cells: random words, and the maps of earlier layers. */
interface StartSources {
  /** Draws a number 0 … bound − 1 with the word at (plane, index) of the stream for the layer's start cells. */
  readonly draw: (place: { readonly plane: number; readonly index: number; readonly bound: number }) => number;
  /** Maps of the layers by index; undefined for a map that was not given. */
  readonly earlier: readonly (LayerMap | undefined)[];
}

/**
 * Returns a function that maps a walker's number to its start cell (section 5 of docs/determinism.md, "Starts").
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
 * Returns the map of an earlier layer.
 *
 * @throws RollmillError `walk.mismatch` if the map is missing.
 */
export function earlierMap(earlier: readonly (LayerMap | undefined)[], index: number): LayerMap {
  const map = earlier[index];
  if (map !== undefined) return map;
  const problem = `the map of the earlier layer with index ${index} is missing`;
  return fail(
    error("walk.mismatch", {
      problem,
      expected: "a LayerMap",
      remedy: "Pass the map in `earlier`, with the layer's name as the key",
    }),
  );
}
