import { firstAbove, type Words } from "../calls/index.js";
import { shiftIn, stepsOf } from "../walks/hexes.js";
import type { Cell } from "../walks/index.js";
import { type CellRectangle, contains, coordinatesOf, grown } from "../walks/rectangles.js";
import type { FinishStage, Ground, StageMeans } from "./finish.js";
import { TURNS, turnsOf } from "./stampCells.js";
import type { StandingCells } from "./standing.js";
import type { StampCell, StampSpec, StampsOfKind, WorldSpec } from "./types.js";

/** A cell of the ground, by its index, and its terrain. */
type PlacedCell = Readonly<Record<"at" | "terrain", number>>;
const TERRAINS = 256;
type CellWords = (cell: Cell, skipped?: number) => Words;

/** A stamp on its cells, if it fits there. */
interface FittingStamp {
  readonly cells: readonly StampCell[];
  /** The index of each cell on the ground. */
  readonly places: Int32Array;
  /** Of two stamps with a common cell, the one with the smaller order may stand: priority, row, column, kind. */
  readonly order: readonly number[];
}

/** Lays the stamps of placements: changes terrain, and adds placements. */
export class StampStage implements FinishStage {
  readonly reach: number;
  readonly #spec: Pick<WorldSpec, "stamps" | "placements">;
  /** The greatest distance of a cell of a stamp from its anchor. */
  readonly #radius: number;
  readonly #shiftOf: (row: number) => number;
  /** The cells of each stamp in each of the six turns. */
  readonly #turned: readonly (readonly (readonly StampCell[])[])[];

  constructor(spec: Pick<WorldSpec, "stamps" | "placements" | "grid">) {
    this.#spec = spec;
    this.#shiftOf = shiftIn(coordinatesOf(spec.grid));
    this.#turned = spec.stamps.map(turnsOf);
    this.#radius = Math.max(0, ...spec.stamps.flatMap(({ cells }) => cells.map(({ row, q }) => stepsOf(row, q))));
    // A stamp on a cell has its anchor within the radius. The anchors of stamps that it could overlap lie within twice
    // the radius from there, and their cells, which decide whether they fit, once more.
    this.reach = 4 * this.#radius;
  }

  apply(ground: Ground, cells: CellRectangle, { engine }: StageMeans): void {
    const owners = new Map<number, FittingStamp>();
    const near = grown(cells, 3 * this.#radius);
    for (const [kind, { name, stamps }] of this.#spec.placements.entries()) {
      if (stamps === undefined) continue;
      const words = engine.wordsOf("stamps", name);
      for (const stamp of this.#fitting(ground, near, { kind, stamps, words })) {
        for (const place of stamp.places) {
          const other = owners.get(place);
          if (other === undefined || isBefore(stamp.order, other.order)) owners.set(place, stamp);
        }
      }
    }
    const standing = [...new Set(owners.values())].filter((one) => one.places.every((at) => owners.get(at) === one));
    this.#lay(ground, cells, standing);
  }

  *#fitting(
    ground: Ground,
    near: CellRectangle,
    { kind, stamps, words }: { readonly kind: number; readonly stamps: StampsOfKind; readonly words: CellWords },
  ): Generator<FittingStamp, void> {
    const { rows, cols } = ground.placements[kind];
    for (const [k, row] of rows.entries()) {
      if (!contains(near, row, cols[k])) continue;
      const { stamp, turn, priority } = stampOf([row, cols[k]], stamps, words);
      const places = this.#places(ground, [row, cols[k]], this.#turned[stamp][turn]);
      if (!fits(ground, places, this.#spec.stamps[stamp])) continue;
      yield { cells: this.#turned[stamp][turn], places, order: [priority, row, cols[k], kind] };
    }
  }

  /** Returns the index of each cell on the ground; −1 outside. */
  #places(ground: Ground, [row0, col0]: Cell, cells: readonly StampCell[]): Int32Array {
    const q0 = col0 - this.#shiftOf(row0);
    return Int32Array.from(cells, ({ row, q }) => {
      const col = q0 + q + this.#shiftOf(row0 + row);
      return contains(ground, row0 + row, col) ? ground.indexOf(row0 + row, col) : -1;
    });
  }

  #lay(ground: Ground, cells: CellRectangle, standing: readonly FittingStamp[]): void {
    const added = this.#spec.placements.map((): PlacedCell[] => []);
    for (const { cells: own, places } of standing) {
      for (const [k, { terrain, on, kinds }] of own.entries()) {
        const at = places[k];
        const [row, col] = [ground.row0 + Math.floor(at / ground.cols), ground.col0 + (at % ground.cols)];
        if (!contains(cells, row, col) || on?.includes(ground.terrain[at]) === false) continue;
        if (terrain !== undefined) ground.terrain[at] = terrain;
        for (const kind of kinds) added[kind].push({ at, terrain: ground.terrain[at] });
      }
    }
    for (const [kind, more] of added.entries()) {
      if (more.length > 0) ground.placements[kind] = joined(ground, ground.placements[kind], more);
    }
  }
}

/** Chooses a stamp, its turn and its priority with the words of the placement's cell, one after the other. */
function stampOf(cell: Cell, { picks, turns }: StampsOfKind, wordsOf: CellWords) {
  const first = wordsOf(cell);
  const weights = picks.map(({ weight }) => weight);
  const pick = firstAbove(weights, first.below(weights.reduce((sum, weight) => sum + weight)));
  let skipped = first.extra.length;
  let turn = 0;
  if (turns) {
    const words = wordsOf(cell, skipped);
    turn = words.below(TURNS);
    skipped += 1 + words.extra.length;
  }
  return { stamp: picks[pick].stamp, turn, priority: wordsOf(cell, skipped).word };
}

function fits({ terrain }: Ground, places: Int32Array, { fits: allowed }: StampSpec): boolean {
  return places.every((at) => at >= 0 && (allowed === undefined || allowed.includes(terrain[at])));
}

function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const k = a.findIndex((one, i) => one !== b[i]);
  return a[k] < b[k];
}

/** Returns the placements in `cells` with some more, by row, then column. A cell has at most one of a kind. */
function joined(ground: Ground, { rows, cols, terrains }: StandingCells, more: readonly PlacedCell[]): StandingCells {
  const isInside = (k: number) => contains(ground, rows[k], cols[k]);
  const inside = Array.from(rows.keys()).filter(isInside);
  // a placement that was there before comes first on its cell, and stays
  const before = inside.map((k) => 2 * ground.indexOf(rows[k], cols[k]) * TERRAINS + terrains[k]);
  const added = more.map(({ at, terrain }) => (2 * at + 1) * TERRAINS + terrain);
  const all = Float64Array.from([...before, ...added]).sort();
  const cellOf = (key: number) => Math.floor(key / (2 * TERRAINS));
  const one = all.filter((key, k) => k === 0 || cellOf(key) !== cellOf(all[k - 1]));
  return {
    rows: Int32Array.from(one, (key) => ground.row0 + Math.floor(cellOf(key) / ground.cols)),
    cols: Int32Array.from(one, (key) => ground.col0 + (cellOf(key) % ground.cols)),
    terrains: Uint8Array.from(one, (key) => key % TERRAINS),
  };
}
