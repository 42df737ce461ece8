import type { GridSpec, LayerPlan } from "../../src/walks/types.js";
import { addressWords, type TwinGround, TwinMap, type TwinState, twinBelow, twinPath } from "./walkTwin.js";
import { forkTwin, type StreamWords, startsKeyTwin, streamWords, type TwinKey } from "./words.js";

/** The slow, obvious scattered layers: every region in reach is walked, one step at a time, and visits are looked up. */

/** What later layers read of a layer. */
export interface TwinVisits {
  visits(row: number, col: number): number;
  /** The step of the first visit; 2³² − 1 without one. */
  first(row: number, col: number): number;
}

type Cell = readonly [row: number, col: number];

/** One scattered layer over the layers before it. */
export class ScatterTwin implements TwinVisits {
  readonly #plan: LayerPlan;
  readonly #side: number;
  readonly #key: TwinKey;
  readonly #earlier: readonly TwinVisits[];
  readonly #regions = new Map<string, ReadonlyMap<string, { readonly visits: number; readonly first: number }>>();
  readonly #isClosed: (row: number, col: number) => boolean;
  readonly #ground: TwinGround;

  constructor(
    plan: LayerPlan,
    { key, earlier, grid }: { readonly key: TwinKey; readonly earlier: readonly TwinVisits[]; readonly grid: GridSpec },
  ) {
    this.#plan = plan;
    this.#side = plan.scatter?.side ?? Number.NaN;
    this.#key = key;
    this.#earlier = earlier;
    this.#isClosed = (row, col) => this.#closes(row, col);
    this.#ground = { grid, closed: this.#isClosed, ends: (row, col) => this.#endsAt(row, col) };
  }

  visits(row: number, col: number): number {
    return this.#near(row, col).reduce((sum, { visits }) => Math.min(2 ** 32 - 1, sum + visits), 0);
  }

  first(row: number, col: number): number {
    return this.#near(row, col).reduce((least, { first }) => Math.min(least, first), 2 ** 32 - 1);
  }

  /** The paths of a region's walkers; empty if they do not exist. */
  paths(i: number, j: number): TwinState[][] {
    const key = forkTwin(this.#key, [i, j]);
    const starts = streamWords(startsKeyTwin(key));
    const words = streamWords(key);
    const all = this.#startCells(i, j);
    const open = all.filter(([row, col]) => !this.#isClosed(row, col));
    if (open.length === 0) return [];
    const { headings, steps, tensor, walkers } = this.#plan;
    return Array.from({ length: walkers }, (_, w) => {
      const [row, col] = this.#startOf(w, { i, j, starts, all, open });
      const start = { row, col, heading: headings[w % headings.length] };
      return [...twinPath(tensor, this.#ground, words, { w, start, steps })];
    });
  }

  #startOf(
    w: number,
    { i, j, starts, all, open }: { i: number; j: number; starts: StreamWords; all: Cell[]; open: Cell[] },
  ): Cell {
    const draw = (plane: number, bound: number) => twinBelow(bound, addressWords(starts, plane, w));
    const side = this.#side;
    const first: Cell =
      this.#plan.start.kind === "layer"
        ? all[draw(0, all.length)]
        : [i * side + draw(0, side), j * side + draw(1, side)];
    return this.#isClosed(...first) ? open[draw(2, open.length)] : first;
  }

  /** The cells of a region that a walker may start on if no cell is closed, by row, then column. */
  #startCells(i: number, j: number): Cell[] {
    const side = this.#side;
    const cells = Array.from(
      { length: side * side },
      (_, at): Cell => [i * side + Math.floor(at / side), j * side + (at % side)],
    );
    const { start } = this.#plan;
    return start.kind === "layer"
      ? cells.filter(([row, col]) => this.#earlier[start.layer].visits(row, col) > 0)
      : cells;
  }

  #closes(row: number, col: number): boolean {
    const { closedCells, closedLayers, openLayers } = this.#plan;
    for (let c = 0; c < closedCells.length; c += 2)
      if (closedCells[c] === row && closedCells[c + 1] === col) return true;
    const isVisited = (layer: number) => this.#earlier[layer].visits(row, col) > 0;
    return closedLayers.some(isVisited) || (openLayers.length > 0 && !openLayers.some(isVisited));
  }

  #endsAt(row: number, col: number): boolean {
    const { until } = this.#plan;
    return until !== undefined && this.#earlier[until.layer].visits(row, col) > 0 === (until.kind === "on");
  }

  /** The visits of a cell by the walkers of each region that can reach it. */
  #near(row: number, col: number): { readonly visits: number; readonly first: number }[] {
    const { steps } = this.#plan;
    const regionOf = (at: number) => Math.floor(at / this.#side);
    const found = [];
    for (let i = regionOf(row - steps); i <= regionOf(row + steps); i++) {
      for (let j = regionOf(col - steps); j <= regionOf(col + steps); j++) {
        const cell = this.#region(i, j).get(`${row},${col}`);
        if (cell !== undefined) found.push(cell);
      }
    }
    return found;
  }

  #region(i: number, j: number) {
    const name = `${i},${j}`;
    const known = this.#regions.get(name);
    if (known !== undefined) return known;
    const map = new TwinMap();
    for (const path of this.paths(i, j)) map.add(path);
    const cells = new Map(map.list().map(({ row, col, visits, first }) => [`${row},${col}`, { visits, first }]));
    this.#regions.set(name, cells);
    return cells;
  }
}
