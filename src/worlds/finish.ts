import type { Watch } from "../calls/index.js";
import { type CellRectangle, cellsOf, grown, overlap, type RegionRange } from "../walks/rectangles.js";
import { copyCells } from "./compose.js";
import type { WorldEngine } from "./engine.js";
import { type MadeRegion, placedIn } from "./regions.js";
import { joined, type StandingCells } from "./standing.js";
import type { MadeTerrain, TerrainCells } from "./stored.js";
import { NO_TERRAIN, REGION_SIDE, type WorldPath } from "./types.js";
import type { Workspace } from "./workspace.js";

/** Means of a stage: the kernel of the world, and the watch of the call. */
export interface StageMeans {
  readonly engine: WorldEngine;
  readonly watch: Watch;
  /** Gets each path that can have cells in the cells of a stage. */
  readonly onPath?: ((path: WorldPath) => void) | undefined;
}

/** A stage changes terrain after all placements were made, and can add placements. */
export interface FinishStage {
  /** What a cell becomes depends on cells at most this many rows and columns away, as earlier stages left them. */
  readonly reach: number;
  /**
   * Changes the cells of `ground` that are in `cells`. `ground` has all cells within the reach, so far as they are in
   * the grid. The result of a cell must not depend on `ground` or `cells`.
   */
  apply(ground: Ground, cells: CellRectangle, means: StageMeans): void;
}

/** The number of rows and columns around cells that can matter to them. */
export function reachOf(stages: readonly FinishStage[]): number {
  return stages.reduce((sum, { reach }) => sum + reach, 0);
}

/** A rectangle of cells while stages change them. */
export class Ground implements CellRectangle {
  readonly row0: number;
  readonly col0: number;
  readonly rows: number;
  readonly cols: number;
  /** The terrain of each cell, row by row; NO_TERRAIN outside the grid. */
  readonly terrain: Uint8Array;
  /** The placements of each kind: region by region, and in a region by row, then column. Some lie beside the cells. */
  readonly placements: StandingCells[];

  /**
   * @param made - the regions that have the cells, as the kernel made them.
   * @param given - the number of kinds, and memory that the next ground uses again.
   */
  constructor(
    cells: CellRectangle,
    made: Iterable<{ readonly cells: CellRectangle; readonly terrain: TerrainCells; regions: Iterable<MadeRegion> }>,
    { kinds, workspace }: { readonly kinds: number; readonly workspace: Workspace },
  ) {
    this.row0 = cells.row0;
    this.col0 = cells.col0;
    this.rows = cells.rows;
    this.cols = cells.cols;
    this.terrain = workspace.bytes("ground", cells.rows * cells.cols).fill(NO_TERRAIN);
    const standing: StandingCells[][] = Array.from({ length: kinds }, () => []);
    for (const { cells: given, terrain, regions } of made) {
      const { cells: values, at, stride } = terrain;
      copyCells(overlap(given, this), { ...given, at, cols: stride, values }, this.#block);
      for (const { placements } of regions) for (const [kind, all] of placements.entries()) standing[kind].push(all);
    }
    this.placements = standing.map(joined);
  }

  /** Returns the index of a cell in {@link terrain}. */
  indexOf(row: number, col: number): number {
    return (row - this.row0) * this.cols + col - this.col0;
  }

  /** Runs the stages, so that the cells of a range of regions are finished, and returns these. */
  finish(
    range: RegionRange,
    stages: readonly FinishStage[],
    { workspace, ...means }: StageMeans & { readonly workspace?: Workspace | undefined },
  ): MadeTerrain {
    const part = cellsOf(range, REGION_SIDE);
    let margin = reachOf(stages);
    for (const stage of stages) {
      // a later stage reads cells that this stage must have changed
      margin -= stage.reach;
      stage.apply(this, overlap(grown(part, margin), this), means);
    }
    const length = part.rows * part.cols;
    const cells = workspace?.bytes("finished", length) ?? new Uint8Array(length);
    cells.fill(NO_TERRAIN);
    copyCells(overlap(part, this), this.#block, { ...part, at: 0, values: cells });
    const placements = this.placements.map((standing) => placedIn(standing, part));
    return { terrain: { cells, at: 0, stride: part.cols }, placements };
  }

  get #block() {
    return { row0: this.row0, col0: this.col0, at: 0, cols: this.cols, values: this.terrain };
  }
}
