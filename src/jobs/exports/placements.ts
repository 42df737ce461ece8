import type { CellRectangle } from "../../walks/map/openCells.js";
import { isOrdered } from "../../worlds/contents.js";
import { contains } from "../../worlds/costs.js";
import { Part } from "../part.js";
import { readPlacements } from "../placements.js";
import { ORDERED_PART, sectorName } from "../plan.js";
import { failDamaged } from "../sealed.js";
import type { Sector } from "../types.js";
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

/** Yields the placements in the window with their contents: JSON, or "" for no content. */
export function* contentsIn(
  source: ExportSource,
): Generator<PlacementBatch & { readonly contents: readonly string[] }, void> {
  const ordered = source.job.spec.placements.map(isOrdered);
  for (const sector of source.sectors) {
    const placements = readPlacements(source.store, sector);
    const contents = linesOf(placements.contents());
    if (ordered.includes(true)) {
      const drawn = orderedLines(source, sector);
      let next = 0;
      for (let p = 0; p < contents.length; p++)
        if (ordered[placements.kinds[p]]) contents[p] = drawn[next++] ?? failDamaged(source.store, ORDERED_PART);
    }
    const inside = insideOf(placements, source.window);
    yield {
      ...pick(placements, source.window),
      contents: inside === undefined ? contents : inside.map((p) => contents[p]),
    };
  }
}

function orderedLines({ store }: ExportSource, sector: Sector): string[] {
  const part = Part.open(store, ORDERED_PART) ?? failDamaged(store, ORDERED_PART);
  return linesOf(part.section(sectorName(sector)) ?? new Uint8Array());
}

function linesOf(bytes: Uint8Array): string[] {
  const lines = Buffer.from(bytes).toString("utf8").split("\n");
  // each line ends with a line feed, so the last piece is empty
  lines.pop();
  return lines;
}

/** Returns the indices of the placements in a window; undefined if all are inside. */
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
