import { type CellRectangle, cellsOfGrid, grown, overlap, union } from "../walks/rectangles.js";
import type { StoredCells } from "./stored.js";
import type { DiscSpec, PlacementSpec, WorldPlan, WorldSpec } from "./types.js";

/** Where the placements of a kind must be found, so that those in a rectangle are known. */
export interface KindArea {
  /** The cells in which the standing placements must be known. */
  readonly known: CellRectangle;
  /** The cells in which the candidates must be known. */
  readonly searched: CellRectangle;
}

/** A relation of a kind to an earlier kind: one of its placements, or none, must be within the distance. */
interface Relation {
  readonly kind: number;
  readonly distance: number;
  readonly isNear: boolean;
}

/** Whether a kind can stand anywhere. */
export function canStand({ density, at, least }: PlacementSpec): boolean {
  return density.numerator > 0n || at.length > 0 || least !== undefined;
}

/** Returns the relations of kind k to earlier kinds. */
export function relationsOf({ near, apart, alone }: PlacementSpec, k: number): Relation[] {
  const relations = Array.from({ length: alone ? k : 0 }, (_, kind) => ({ kind, distance: 0, isNear: false }));
  if (near !== undefined) relations.push({ kind: near.kind, distance: near.within, isNear: true });
  if (apart !== undefined) relations.push({ ...apart, isNear: false });
  return relations;
}

/** How far from a placement a cell can be that matters to it, in steps. `field` is the field that costs most. */
export interface Reach {
  readonly steps: number;
  readonly field: keyof PlacementSpec;
}

/** Returns the reach of each kind. */
export function reachesOf(kinds: readonly PlacementSpec[]): Reach[] {
  const reaches: Reach[] = [];
  for (const { distance, near, apart, alone, least, most } of kinds) {
    const reachOf = (kind: number) => reaches[kind].steps;
    const others = [
      { field: "near", steps: near === undefined ? 0 : near.within + reachOf(near.kind) },
      { field: "apart", steps: apart === undefined ? 0 : apart.distance + reachOf(apart.kind) },
      { field: "alone", steps: alone ? Math.max(0, ...reaches.map(({ steps }) => steps)) : 0 },
    ] as const;
    const own = [
      { field: "distance", steps: distance },
      // a disc is decided as a whole, and a cell at one end depends on the other end
      { field: "least", steps: least === undefined ? 0 : 2 * least.within + distance },
      { field: "most", steps: most === undefined ? 0 : 2 * most.within },
    ] as const;
    const { field } = [...own, ...others].reduce((a, b) => (b.steps > a.steps ? b : a));
    const further = Math.max(...others.map(({ steps }) => steps));
    reaches.push({ field, steps: own.reduce((sum, { steps }) => sum + steps, further) });
  }
  return reaches;
}

/** Returns where each kind must be found for the placements in `cells`. */
export function areasOf(
  { placements, grid }: WorldSpec,
  cells: CellRectangle,
  stored?: Pick<StoredCells, "hasStanding">,
): KindArea[] {
  const inGrid = (area: CellRectangle) => overlap(area, cellsOfGrid(grid));
  const known = placements.map(() => cells);
  const searched = placements.map(() => cells);
  for (let k = placements.length - 1; k >= 0; k--) {
    const kind = placements[k];
    if (!canStand(kind) || stored?.hasStanding(k, known[k])) continue;
    known[k] = inGrid(withDiscs(kind, known[k]));
    searched[k] = inGrid(grown(known[k], kind.distance));
    for (const { kind: earlier, distance } of relationsOf(kind, k)) {
      known[earlier] = union(known[earlier], grown(searched[k], distance));
    }
  }
  return placements.map((_, k) => ({ known: known[k], searched: searched[k] }));
}

/** Returns the cells whose terrain must be known for the placements in `cells`. */
export function terrainArea(areas: readonly KindArea[], cells: CellRectangle): CellRectangle {
  return areas.reduce((all, { searched }) => union(all, searched), cells);
}

/** Returns the cells on which the terrain and the placements in `cells` depend. */
export function cellsNeeded({ spec, halo }: Pick<WorldPlan, "spec" | "halo">, cells: CellRectangle): CellRectangle {
  return grown(terrainArea(areasOf(spec, cells), cells), halo);
}

/**
 * Adds each disc that has a cell of the rectangle, because `least` and `most` are decided for the whole disc. The cells
 * that `least` adds also depend on the placements around the disc. The disc of `most` can bring that of `least`.
 */
function withDiscs({ least, most, distance }: PlacementSpec, cells: CellRectangle): CellRectangle {
  const ofLeast = least && { area: boxOf(least), needed: grown(boxOf(least), distance) };
  const ofMost = most && { area: boxOf(most), needed: boxOf(most) };
  let all = cells;
  for (const disc of [ofLeast, ofMost, ofLeast]) {
    if (disc === undefined) continue;
    const { rows, cols } = overlap(disc.area, all);
    if (rows > 0 && cols > 0) all = union(all, disc.needed);
  }
  return all;
}

/** Returns a rectangle that contains a disc, in axial and in odd-r coordinates. */
export function boxOf({ of: [row0, col0], within }: DiscSpec): CellRectangle {
  return grown({ row0, col0, rows: 1, cols: 1 }, within);
}
