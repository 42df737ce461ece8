import type { ChunkSource } from "../walks/map/chunk.js";
import type { CellRectangle } from "../walks/rectangles.js";
import type { RegionContents } from "./contents.js";
import type { Need } from "./costs.js";
import type { PlacedCells, StandingCells } from "./standing.js";

/** The terrain of cells, in an array that may contain more cells. */
export interface TerrainCells {
  /** Index of the terrain of each cell; NO_TERRAIN outside the grid. */
  readonly cells: Uint8Array;
  readonly at: number;
  readonly stride: number;
}

export interface MadeTerrain {
  readonly terrain: TerrainCells;
  readonly placements: readonly StandingCells[];
}

/** Cells that were made before, with the same results as the world would make. */
export interface StoredCells {
  /** Whether {@link finished} has all terrain and all placements of cells. */
  isFinished(cells: CellRectangle): boolean;
  /** Returns finished cells. */
  finished(cells: CellRectangle): MadeTerrain;
  /** Whether cells can be made without maps of layers: from {@link groundInto} and {@link standing}. */
  canMake(cells: CellRectangle): boolean;
  /** Copies terrain as it was before the stages. Rows begin `strideBytes` apart. */
  groundInto(cells: CellRectangle, to: Uint8Array, strideBytes: number): void;
  /** Whether the placements of kind k in cells, before the stages, are stored. */
  hasStanding(k: number, cells: CellRectangle): boolean;
  /** Returns these placements, sorted by row, then column. Undefined if they are not stored. */
  standing(k: number, cells: CellRectangle): PlacedCells | undefined;
  /** Returns the contents of kind k in region (i, j). Undefined if they are not stored. */
  contents(k: number, i: number, j: number): RegionContents | undefined;
  /**
   * Returns the scattered layers whose visits are stored wherever `needs`, in the coordinates of the grid, reach.
   * Returns `before` itself if it has these layers, or if no layer is needed.
   */
  layersFor(needs: readonly Need[], before: ReadonlySet<number>): ReadonlySet<number>;
  /** Returns the visits of a layer. Cells that are not stored have no visits there. */
  visitsOf(layer: number): ChunkSource;
}
