import { type CellRectangle, contains } from "../../walks/rectangles.js";
import type { PlacementPlaces } from "../tasks/placements.js";
import type { ExportSource } from "./source.js";

export function* placementsIn(source: ExportSource): Generator<PlacementPlaces, void> {
  for (const sector of source.sectors) yield pick(source.placements(sector), source.window);
}

/** Undefined if all are inside. */
function insideOf({ rows, cols }: PlacementPlaces, window: CellRectangle): number[] | undefined {
  const inside: number[] = [];
  for (let p = 0; p < rows.length; p++) if (contains(window, rows[p], cols[p])) inside.push(p);
  return inside.length === rows.length ? undefined : inside;
}

function pick(placements: PlacementPlaces, window: CellRectangle): PlacementPlaces {
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
