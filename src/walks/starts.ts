import { purposeOf } from "../address.js";
import { error, fail } from "../errors/index.js";
import type { Kernel } from "../kernel/index.js";
import { BLOCK_WORDS } from "../kernel/index.js";
import { CellRanks } from "./cellRanks.js";
import type { LayerMap } from "./layerMap.js";
import type { Cell, LayerPlan } from "./types.js";

/** The start cell of each walker (docs/determinism.md): listed, or drawn by the addresses of `<layer>/start`. */
export function startCells(
  kernel: Kernel,
  plan: LayerPlan,
  earlier: readonly (LayerMap | undefined)[],
): (walker: number) => Cell {
  const { start } = plan;
  if (start.kind === "cells") {
    const { cells } = start;
    return (walker) => [cells[(walker * 2) % cells.length], cells[((walker * 2) % cells.length) + 1]];
  }
  const purpose = purposeOf(`${plan.purposeName}/start`);
  const below = (plane: number, walker: number, bound: number): number => {
    const [block, offset] = [Math.floor(walker / BLOCK_WORDS), walker % BLOCK_WORDS];
    // below(2^32) is the word itself
    if (bound === 2 ** 32) return kernel.call((exports) => exports.wordAt(purpose, plane, block, offset)) >>> 0;
    return kernel.call((exports) => exports.belowAt(purpose, plane, block, offset, bound)) >>> 0;
  };
  if (start.kind === "rect") {
    return (walker) => [start.row0 + below(0, walker, start.rows), start.col0 + below(1, walker, start.cols)];
  }
  const ranks = new CellRanks(earlierMap(earlier, start.layer));
  return (walker) => ranks.cellAt(below(0, walker, ranks.count));
}

/**
 * The map of an earlier layer.
 *
 * @throws RollmillError `walk.mismatch` where it was not given.
 */
export function earlierMap(earlier: readonly (LayerMap | undefined)[], index: number): LayerMap {
  const map = earlier[index];
  if (map !== undefined) return map;
  const problem = `the layer reads layer ${index}, whose map was not given`;
  return fail(error("walk.mismatch", { problem, remedy: "Pass the maps of earlier layers as `earlier`" }));
}
