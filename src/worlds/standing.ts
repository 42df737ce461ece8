import { distanceBetween } from "../walks/hexes.js";
import type { Cell } from "../walks/index.js";
import { type CellRectangle, contains, grown, overlap } from "../walks/rectangles.js";
import { boxOf } from "./areas.js";
import type { DiscSpec, PlacementSpec, WorldSpec } from "./types.js";

/** The cells of placements, sorted by row, then column. */
export interface StandingCells {
  readonly rows: Int32Array;
  readonly cols: Int32Array;
  /** The terrain on which each placement was placed. A path can replace it later. */
  readonly terrains: Uint8Array;
  /** The indices of their sizes. Absent if the kind has no sizes. */
  readonly sizes?: Uint8Array | undefined;
  /** The indices of the directions that they face, in the order of `DIRECTIONS`. */
  readonly facings?: Uint8Array | undefined;
}

/** Returns some of the placements, by their indices. */
export function chosen(all: StandingCells, indices: Uint32Array): StandingCells {
  const some = roomFor(all, indices.length);
  for (let at = 0; at < indices.length; at++) copyOne(all, indices[at], some, at);
  return some;
}

/** Returns arrays for `count` of the placements. */
export function roomFor({ sizes, facings }: Pick<StandingCells, "sizes" | "facings">, count: number): StandingCells {
  return {
    rows: new Int32Array(count),
    cols: new Int32Array(count),
    terrains: new Uint8Array(count),
    sizes: sizes && new Uint8Array(count),
    facings: facings && new Uint8Array(count),
  };
}

/** Copies placement k of a list to another list, to index `at`. */
export function copyOne(all: StandingCells, k: number, some: StandingCells, at: number): void {
  some.rows[at] = all.rows[k];
  some.cols[at] = all.cols[k];
  some.terrains[at] = all.terrains[k];
  if (all.sizes && some.sizes) some.sizes[at] = all.sizes[k];
  if (all.facings && some.facings) some.facings[at] = all.facings[k];
}

/** Joins lists of placements. Keeps sizes and facings if the first list has them. */
export function joined(parts: readonly StandingCells[]): StandingCells {
  const count = parts.reduce((sum, { rows }) => sum + rows.length, 0);
  const all = roomFor(parts[0] ?? {}, count);
  let at = 0;
  for (const part of parts) for (let k = 0; k < part.rows.length; k++) copyOne(part, k, all, at++);
  return all;
}

/** Returns the indices of the placements in a rectangle, ascending. */
export function indicesIn({ rows, cols }: PlacedCells, cells: CellRectangle): Uint32Array {
  const indices = new Uint32Array(rows.length);
  let count = 0;
  for (let k = 0; k < rows.length; k++) if (contains(cells, rows[k], cols[k])) indices[count++] = k;
  return indices.subarray(0, count);
}

/** Cells with priorities, which are absent if nobody reads them. */
export interface PlacedCells extends Pick<StandingCells, "rows" | "cols"> {
  readonly priorities?: Uint32Array | undefined;
}

interface Around {
  readonly grid: WorldSpec["grid"];
  /** The cells in which all placements are known. */
  readonly known: CellRectangle;
  /** Returns the cells of a rectangle on which the kind can stand. Their priorities are the ranks for `least`. */
  readonly ranked: (cells: CellRectangle) => PlacedCells;
}

interface Placed {
  readonly cell: Cell;
  /** −1 for a cell of `at`, which always stands. */
  readonly priority: number;
}

/** Adds the cells of `at` to the thinned candidates of a kind, then applies `most`, then `least`. */
export function adjusted(kind: PlacementSpec, thinned: PlacedCells, around: Around): PlacedCells {
  // the known cells have the whole disc, or no cell of it
  const known = (disc: DiscSpec | undefined) => (disc && contains(around.known, ...disc.of) ? disc : undefined);
  const [most, least] = [known(kind.most), known(kind.least)];
  const byHand = kind.at.filter((cell) => contains(around.known, ...cell)).map((cell) => ({ cell, priority: -1 }));
  if (byHand.length === 0 && most === undefined && least === undefined) return thinned;
  const all = [...placedOf(thinned), ...byHand].sort(byCell);
  const kept = most === undefined ? all : atMost(most, all, around);
  const added = least === undefined ? [] : atLeast(least, kept, kind.distance, around);
  return cellsAt([...kept, ...added].sort(byCell).map(({ cell }) => cell));
}

export function cellsAt(cells: readonly Cell[]): PlacedCells {
  return { rows: Int32Array.from(cells, ([row]) => row), cols: Int32Array.from(cells, ([, col]) => col) };
}

/** Removes placements from a disc with too many of them, from the greatest priority on, but no cell of `at`. */
function atMost(disc: DiscSpec, all: readonly Placed[], { grid }: Around): readonly Placed[] {
  const inside = all.filter(({ cell }) => isInDisc(disc, cell, grid)).sort(byPriority);
  const removed = new Set(inside.slice(disc.count).filter(({ priority }) => priority >= 0));
  return all.filter((one) => !removed.has(one));
}

/** Returns the cells that a disc with too few placements needs, in the order of their ranks. */
function atLeast(disc: DiscSpec, standing: readonly Placed[], distance: number, around: Around): readonly Placed[] {
  const { grid, known, ranked } = around;
  const missing = disc.count - standing.filter(({ cell }) => isInDisc(disc, cell, grid)).length;
  if (missing <= 0) return [];
  const box = boxOf(disc);
  const rivals = standing.filter(({ cell }) => contains(grown(box, distance), ...cell));
  const added: Placed[] = [];
  for (const one of placedOf(ranked(overlap(box, known))).sort(byPriority)) {
    if (added.length === missing) break;
    const isFree = rivals.every(({ cell }) => distanceBetween(grid, cell, one.cell) > distance);
    if (!isFree || !isInDisc(disc, one.cell, grid)) continue;
    added.push(one);
    rivals.push(one);
  }
  return added;
}

function isInDisc({ of, within }: DiscSpec, cell: Cell, grid: WorldSpec["grid"]): boolean {
  return distanceBetween(grid, of, cell) <= within;
}

function placedOf({ rows, cols, priorities }: PlacedCells): Placed[] {
  return Array.from(rows, (row, k) => ({ cell: [row, cols[k]], priority: priorities?.[k] ?? 0 }));
}

function byCell({ cell: a }: Placed, { cell: b }: Placed): number {
  return a[0] - b[0] || a[1] - b[1];
}

function byPriority(a: Placed, b: Placed): number {
  return a.priority - b.priority || byCell(a, b);
}
