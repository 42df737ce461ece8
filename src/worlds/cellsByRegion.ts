import type { LayerPlan } from "../walks/index.js";
import type { NarrowCounts } from "../walks/map/narrowCounts.js";
import type { CellRectangle } from "../walks/map/openCells.js";
import { cellsOf, overlap, regionsNear, singles } from "./costs.js";
import type { Placements } from "./placements.js";
import { REGION_SIDE } from "./types.js";

/** Cells that an array has one after another, row by row, from index `at`. */
export interface Block extends CellRectangle {
  readonly at: number;
}

/** The cells of region (i, j) that are in a rectangle. */
export interface RegionBlock extends Block {
  readonly i: number;
  readonly j: number;
}

/**
 * The visits of a layer in a rectangle, region by region: the cells of a region follow one another, row by row. The
 * regions are sorted by i, then j. Digests and parts of jobs have this order. To make it takes less time than to cut the
 * regions out of rows that cross several regions.
 */
export interface VisitsByRegion {
  readonly layer: LayerPlan;
  readonly counts: NarrowCounts;
  /** The first visits, if the layer keeps them. */
  readonly firstVisits: Uint32Array<ArrayBuffer> | undefined;
}

/** The terrain and the placements of a rectangle. The terrain is in the order of {@link VisitsByRegion}. */
export interface CellsByRegion extends CellRectangle {
  readonly regions: readonly RegionBlock[];
  /** The index of each cell's terrain. */
  readonly terrain: Uint8Array<ArrayBuffer>;
  readonly placements: Placements;
}

/** Returns the regions that have cells in a rectangle, in the order of {@link VisitsByRegion}. */
export function regionBlocks(rectangle: CellRectangle): RegionBlock[] {
  let at = 0;
  return singles(regionsNear(rectangle, { side: REGION_SIDE })).map((region): RegionBlock => {
    const cells = overlap(rectangle, cellsOf(region, REGION_SIDE));
    const block = { ...cells, i: region.i0, j: region.j0, at };
    at += cells.rows * cells.cols;
    return block;
  });
}

/** Returns the cells of a part of a rectangle that each block has. Leaves out blocks that have none. */
export function piecesOf(
  part: CellRectangle,
  blocks: readonly Block[],
): { readonly block: Block; readonly cells: CellRectangle }[] {
  return blocks.flatMap((block) => {
    const cells = overlap(part, block);
    return cells.rows > 0 && cells.cols > 0 ? [{ block, cells }] : [];
  });
}

/** Returns the index of a cell of a block. */
export function indexIn({ at, row0, col0, cols }: Block, row: number, col: number): number {
  return at + (row - row0) * cols + col - col0;
}

/** Returns the index of a cell in the terrain of {@link CellsByRegion}. The cell must be in the rectangle. */
export function indexOfCell({ regions, row0, col0, cols }: CellsByRegion, row: number, col: number): number {
  const across = regionIndex(col0 + cols - 1) - regionIndex(col0) + 1;
  const block = regions[(regionIndex(row) - regionIndex(row0)) * across + regionIndex(col) - regionIndex(col0)];
  return indexIn(block, row, col);
}

function regionIndex(at: number): number {
  return Math.floor(at / REGION_SIDE);
}
