import { CHUNK_SIDE } from "../kernel/layout.js";
import { sourceAt, sourcesUsedBy } from "../walks/compile.js";
import type { LayerPlan, WalkPlan } from "../walks/index.js";
import { coordinatesOf } from "../walks/rectangles.js";
import type { FieldPlan, WorldSpec } from "../worlds/types.js";

/** Rows and columns of the largest rectangle of a call, and the limit for {@link workOf}: see assembly/plans/loadWorld.ts. */
const MAX_WINDOW = 512;
export const MAX_WORK = 2 ** 30;
const MAX_REGIONS = 4096;
/** Start cells are listed so many at a time. */
const CELLS_TOGETHER = 64;

interface Readers {
  readonly walk: WalkPlan;
  readonly fields: readonly FieldPlan[];
  readonly grid: WorldSpec["grid"];
  /** How far beyond a rectangle the layers must be complete for its terrain and its placements. */
  readonly reach: number;
}

/**
 * Returns an upper bound of the steps of walkers in a call of a host, as the kernel for plan files computes it: each
 * layer must be complete on at most `needs[l]` rows and columns. Infinity if it is far too large.
 */
export function workOf({ walk, fields, reach, grid }: Readers): number {
  const { layers } = walk;
  const whole = MAX_WINDOW + 2 * reach;
  const isUpright = grid.kind === "unbounded" && coordinatesOf(grid) === "odd-r";
  const needs = layers.map(() => (isUpright ? whole + Math.floor(whole / 2) : whole));
  const raise = (l: number, need: number) => {
    needs[l] = Math.max(needs[l], need);
  };
  let work = 0;
  for (const [l, layer] of [...layers.entries()].reverse()) {
    const { scatter, walkers, steps, stuckOf } = layer;
    if (stuckOf !== undefined) raise(stuckOf, needs[l]);
    else if (scatter === undefined) work += walkers * (steps + 1);
    else {
      const regions = Math.floor((needs[l] + 2 * steps) / scatter.side) + 2;
      const area = regions * scatter.side + 2 * (steps + 2 * CHUNK_SIDE);
      if (regions > MAX_REGIONS || area > MAX_WORK) return Number.POSITIVE_INFINITY;
      for (const source of sourcesUsedBy(layer)) {
        const { layer: earlier, field } = sourceAt(walk, source);
        if (earlier !== undefined) raise(earlier, area);
        else for (const read of fields[field].layers) raise(read, area + 2 * (farthest(fields[field]) + 1));
      }
      work += regions ** 2 * (walkers * (steps + 1) + cellsOf(layer, scatter.side));
    }
    if (work > MAX_WORK) return work;
  }
  return work;
}

function farthest({ program }: FieldPlan): number {
  return Math.max(0, ...program.reaches.values());
}

function cellsOf({ scatter, start, closedLayers, openLayers }: LayerPlan, side: number): number {
  const isListed = scatter?.density !== undefined || start.kind === "layer";
  return isListed || closedLayers.length + openLayers.length > 0 ? side ** 2 / CELLS_TOGETHER : 1;
}
