import type { CellRectangle } from "../walks/rectangles.js";
import type { RegionContents } from "./contents.js";
import type { ChunkSource } from "./engine.js";
import type { MadeTerrain } from "./kernel/terrain.js";
import type { PlacedCells } from "./standing.js";

/** Cells that were made before, with the same results as the world would make. */
export interface StoredCells {
  /** Whether all of these cells that are inside the grid are stored. */
  has(cells: CellRectangle): boolean;
  /** Whether the terrain before the stages is stored. */
  readonly hasGround: boolean;
  /** Whether the placements of kind k before the stages are stored. */
  hasStanding(k: number): boolean;
  /** Copies the terrain of stored cells. Rows begin `strideBytes` apart. */
  groundInto(cells: CellRectangle, to: Uint8Array, strideBytes: number): void;
  /** Returns the placements of kind k in stored cells, sorted by row, then column. */
  standing(k: number, cells: CellRectangle): PlacedCells;
  /** Whether {@link finished} has all terrain and all placements of cells. */
  isFinished(cells: CellRectangle): boolean;
  /** Returns finished cells. */
  finished(cells: CellRectangle): MadeTerrain;
  /** Whether the visits of a scattered layer are stored in cells. */
  hasVisits(layer: number, cells: CellRectangle): boolean;
  /** Returns the visits of a layer. Cells that are not stored have no visits there. */
  visitsOf(layer: number): ChunkSource;
  /** Returns the contents of kind k in region (i, j). Undefined if they are not stored. */
  contents(k: number, i: number, j: number): RegionContents | undefined;
}
