import { allocateResults } from "../calls/index.js";
import { type CellRectangle, cellsOfGrid, contains, coordinatesOf, grown, overlap } from "../walks/rectangles.js";
import { type Placement, type PlacementPart, Placements } from "./placements.js";
import { type MadeRegion, placementParts } from "./regions.js";
import { Spread } from "./spread.js";
import { chosen } from "./standing.js";
import { MAX_REALM_DISTANCE, type PlacementSpec, type WorldPlan } from "./types.js";

/** The realms of a window. */
export interface RealmCells<Place extends Placement = Placement> {
  /** The seats whose realms have a cell in the window, in the order of {@link Placements}. They can be outside it. */
  readonly seats: Placements<Place>;
  /** The realm of each cell, row by row: the index of its seat in `seats`; `seats.length` for a cell without realm. */
  readonly cells: Uint32Array<ArrayBuffer>;
}

/** Collects the seats of realms while the regions in and around a rectangle are made. */
export class RealmSeats {
  /** The cells on which the seats of the rectangle's cells can stand. */
  readonly area: CellRectangle;
  readonly #plan: WorldPlan;
  readonly #realms: readonly number[];
  readonly #kinds: ReadonlySet<number>;
  readonly #found: { readonly i: number; readonly j: number; readonly parts: readonly PlacementPart[] }[] = [];

  /** `realms` are indices. */
  constructor(plan: WorldPlan, realms: readonly number[], rectangle: CellRectangle) {
    const { spec } = plan;
    const reach = Math.max(0, ...realms.map((realm) => spec.realms[realm].within));
    this.area = overlap(grown(rectangle, reach), cellsOfGrid(spec.grid));
    this.#plan = plan;
    this.#realms = realms;
    this.#kinds = new Set(realms.map((realm) => this.#kindOf(realm)));
  }

  /** Whether a region has a seat in the area. */
  isNeeded({ placements }: MadeRegion): boolean {
    return placements.some(({ rows, cols }, kind) => {
      return this.#kinds.has(kind) && rows.some((row, k) => contains(this.area, row, cols[k]));
    });
  }

  add(region: MadeRegion, hasContents: boolean): void {
    if (this.#kinds.size === 0) return;
    const parts = placementParts(region, this.area, hasContents).filter(({ kind }) => this.#kinds.has(kind));
    this.#found.push({ i: region.i, j: region.j, parts });
  }

  /** Returns the realms in a rectangle by name. `rectangle` is that of the constructor, cut into `pieces`. */
  realms(rectangle: CellRectangle, pieces: readonly CellRectangle[]): Map<string, RealmCells> {
    const all = this.#found.sort((a, b) => a.i - b.i || a.j - b.j).flatMap(({ parts }) => parts);
    const kinds = this.#plan.spec.placements;
    const found = this.#realms.map((realm) => {
      const { name, within } = this.#plan.spec.realms[realm];
      const parts = all.filter(({ kind }) => kind === this.#kindOf(realm));
      const cells = this.#cells(rectangle, pieces, { seats: new Placements(parts, kinds), within });
      return [name, withoutUnused(parts, kinds, cells)] as const;
    });
    return new Map(found);
  }

  #kindOf(realm: number): number {
    const { placements, realms } = this.#plan.spec;
    return placements.findIndex(({ name }) => name === realms[realm].of);
  }

  /** Returns the index of each cell's seat; `seats.length` for a cell without realm. */
  #cells(
    rectangle: CellRectangle,
    pieces: readonly CellRectangle[],
    { seats, within }: { readonly seats: Placements; readonly within: number },
  ): Uint32Array<ArrayBuffer> {
    const { grid } = this.#plan.spec;
    const { rows, cols, length } = seats;
    const order = Uint32Array.from(rows.keys()).sort((a, b) => rows[a] - rows[b] || cols[a] - cols[b]);
    const end = (within + 1) * STEP;
    const out = allocateResults(rectangle.rows * rectangle.cols, 4, (count) => new Uint32Array(count));
    for (const piece of pieces) {
      const area = overlap(grown(piece, within), cellsOfGrid(grid));
      const near = order.filter((k) => contains(area, rows[k], cols[k]));
      const plane = new Spread(area, coordinatesOf(grid), { newNumbers: noSeats, growth: STEP });
      for (const [index, k] of near.entries()) plane.put(rows[k], cols[k], index);
      plane.run();
      for (let row = piece.row0; row < piece.row0 + piece.rows; row++) {
        const to = (row - rectangle.row0) * rectangle.cols + piece.col0 - rectangle.col0;
        const keys = plane.numbersIn(row, piece);
        for (let c = 0; c < keys.length; c++) out[to + c] = keys[c] < end ? near[keys[c] % STEP] : length;
      }
    }
    return out;
  }
}

/** Leaves out the seats without a cell. Changes `cells`. */
function withoutUnused(
  parts: readonly PlacementPart[],
  kinds: readonly PlacementSpec[],
  cells: Uint32Array<ArrayBuffer>,
): RealmCells {
  const total = parts.reduce((sum, { rows }) => sum + rows.length, 0);
  const isUsed = new Uint8Array(total + 1);
  for (let cell = 0; cell < cells.length; cell++) isUsed[cells[cell]] = 1;
  const indices = new Uint32Array(total + 1);
  let [seat, used] = [0, 0];
  const kept = parts.map((part): PlacementPart => {
    const inside = part.ranks.map((_, k) => k).filter((k) => isUsed[seat + k] === 1);
    for (let k = 0; k < part.rows.length; k++) {
      indices[seat] = used;
      used += isUsed[seat++];
    }
    return { ...part, ...chosen(part, inside), ranks: inside.map((k) => part.ranks[k]) };
  });
  indices[total] = used;
  for (let cell = 0; cell < cells.length; cell++) cells[cell] = indices[cells[cell]];
  return { seats: new Placements(kept, kinds), cells };
}

/**
 * A key is the distance to a seat times this number, plus the index of the seat, so of two seats at one distance, the one
 * with the smaller index counts. An area has fewer cells.
 */
const STEP = 2 ** 22;

function noSeats(length: number): Int32Array {
  return new Int32Array(length).fill((MAX_REALM_DISTANCE + 1) * STEP);
}
