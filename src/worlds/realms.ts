import { allocateResults } from "../calls/index.js";
import {
  type CellRectangle,
  type Coordinates,
  cellsOfGrid,
  contains,
  coordinatesOf,
  grown,
  overlap,
} from "../walks/rectangles.js";
import { type Placement, type PlacementPart, Placements } from "./placements.js";
import { type MadeRegion, placementParts } from "./regions.js";
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
      const places = Array.from(near, (k) => [rows[k], cols[k]] as const);
      const plane = new SeatPlane(area, coordinatesOf(grid));
      plane.spread(places);
      for (let row = piece.row0; row < piece.row0 + piece.rows; row++) {
        const to = (row - rectangle.row0) * rectangle.cols + piece.col0 - rectangle.col0;
        const keys = plane.keysIn(row, piece);
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

/** A key is the distance to a seat times this number, plus the index of the seat. An area has fewer cells. */
const STEP = 2 ** 22;
const NO_SEAT = (MAX_REALM_DISTANCE + 1) * STEP;

/**
 * For each cell of an area, the nearest seat: the one with the least key, so the distance decides, and then the index.
 *
 * Let s be the nearest seat of a cell c, and n the next cell on a shortest path from c to s. Then s is also the nearest
 * seat of n: if t were nearer to n, or as near with a smaller index, it would be so for c, too. So a key spreads from
 * neighbour to neighbour. A shortest path has steps in two adjacent directions, in any order, so one stays in the area.
 * The first pass looks to the neighbours above and to the left, the second one to those below and to the right, so two
 * passes take all steps.
 */
class SeatPlane {
  readonly #area: CellRectangle;
  readonly #coordinates: Coordinates;
  /** The keys have a border without seats, so that each cell has six neighbours. */
  readonly #stride: number;
  readonly #keys: Int32Array;

  constructor(area: CellRectangle, coordinates: Coordinates) {
    this.#area = area;
    this.#coordinates = coordinates;
    this.#stride = area.cols + 2;
    this.#keys = new Int32Array((area.rows + 2) * this.#stride).fill(NO_SEAT);
  }

  /** `seats` must be in the area, sorted by row, then column. */
  spread(seats: readonly (readonly [row: number, col: number])[]): void {
    for (const [index, [row, col]] of seats.entries()) this.#keys[this.#indexOf(row, col)] = index;
    const { row0, rows } = this.#area;
    for (let row = row0; row < row0 + rows; row++) this.#pass(row, -1);
    for (let row = row0 + rows - 1; row >= row0; row--) this.#pass(row, 1);
  }

  /** Returns the keys of a row of a rectangle. */
  keysIn(row: number, { col0, cols }: CellRectangle): Int32Array {
    const from = this.#indexOf(row, col0);
    return this.#keys.subarray(from, from + cols);
  }

  #indexOf(row: number, col: number): number {
    return (row - this.#area.row0 + 1) * this.#stride + col - this.#area.col0 + 1;
  }

  /** Takes keys from the row `by` rows further, and from the cell before each cell, in this direction. */
  #pass(row: number, by: -1 | 1): void {
    const keys = this.#keys;
    const { col0, cols } = this.#area;
    const isRight = this.#coordinates === "odd-r" ? (row & 1) === 1 : by < 0;
    // of the two neighbours in the other row, the left one
    const beside = by * this.#stride - (isRight ? 0 : 1);
    let at = this.#indexOf(row, by < 0 ? col0 : col0 + cols - 1);
    for (let c = 0; c < cols; c++) {
      const key = Math.min(keys[at + by], keys[at + beside], keys[at + beside + 1]) + STEP;
      if (key < keys[at]) keys[at] = key;
      at -= by;
    }
  }
}
