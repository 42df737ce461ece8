import type { CellRectangle } from "../../walks/map/openCells.js";
import { contains } from "../../worlds/costs.js";
import { readPlacements } from "../placements.js";
import type { ExportSource } from "./source.js";

/** The placements of one sector. */
interface PlacementBatch {
  readonly rows: Int32Array;
  readonly cols: Int32Array;
  /** Indices of the kinds. */
  readonly kinds: Uint8Array;
  /** Index of the terrain on which each placement stands. */
  readonly terrains: Uint8Array;
}

/** Yields the placements in the window, sector by sector. */
export function* placementsIn(source: ExportSource): Generator<PlacementBatch, void> {
  for (const sector of source.sectors) yield pick(readPlacements(source.store, sector), source.window);
}

/** Returns the indices of the placements inside a window, or undefined if all are inside. */
function insideOf({ rows, cols }: PlacementBatch, window: CellRectangle): number[] | undefined {
  const inside: number[] = [];
  for (let p = 0; p < rows.length; p++) if (contains(window, rows[p], cols[p])) inside.push(p);
  return inside.length === rows.length ? undefined : inside;
}

function pick(placements: PlacementBatch, window: CellRectangle): PlacementBatch {
  const inside = insideOf(placements, window);
  if (inside === undefined) return placements;
  const { rows, cols, kinds, terrains } = placements;
  return {
    rows: Int32Array.from(inside, (p) => rows[p]),
    cols: Int32Array.from(inside, (p) => cols[p]),
    kinds: Uint8Array.from(inside, (p) => kinds[p]),
    terrains: Uint8Array.from(inside, (p) => terrains[p]),
  };
}
