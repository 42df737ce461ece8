import { error, fail } from "../errors/index.js";
import { OFFSETS } from "../walks/directions.js";
import { shiftIn } from "../walks/hexes.js";
import type { Cell } from "../walks/index.js";
import { placeKey } from "../walks/map/chunk.js";
import { type CellRectangle, contains, coordinatesOf, overlap } from "../walks/rectangles.js";
import type { FinishStage, Ground, StageMeans } from "./finish.js";
import { edgesOf, type Node, stepsBetween } from "./graph.js";
import type { Way, WayEnds } from "./kernel/ways.js";
import { type PathSpec, REGION_SIDE, type WorldSpec } from "./types.js";

/** A path between two places of a world. */
export interface WorldPath {
  /** The name of the kind of paths. */
  readonly name: string;
  /** The cells of the two placements. `from` is the smaller one, by row, then column. */
  readonly from: Cell;
  readonly to: Cell;
  /** The cells of the path from `from` to `to`, both included. No cells if there is no way. */
  readonly cells: readonly Cell[];
  /** The number of steps, and the sum of the costs of the cells between the ends. Undefined if there is no way. */
  readonly length?: number | undefined;
  readonly cost?: number | undefined;
  /** Why there is no way: `closed` if closed terrain separates the ends, as far as a path may go around it. */
  readonly reason?: "closed" | undefined;
}

/** Maximum number of places in a region that paths of one kind join. The time grows with the square of their number. */
const MAX_PLACES = 1024;
/** The stage keeps ways up to this total number of steps. */
const MAX_KEPT = 2 ** 21;

/** Lays the paths of one kind. They do not see each other: each is a way over the terrain before this stage. */
export class PathStage implements FinishStage {
  readonly reach: number;
  readonly #spec: PathSpec;
  readonly #grid: WorldSpec["grid"];
  /** The ways found until now by {@link keyOf}; undefined if there is none. A way depends on its ends only. */
  readonly #ways = new Map<string, Way | undefined>();
  #kept = 0;

  constructor(spec: PathSpec, grid: WorldSpec["grid"]) {
    this.#spec = spec;
    this.#grid = grid;
    // The box of a path has at most ⌊3d/2⌋ + 1 rows and columns. A place that parts its ends can be outside the box: in a
    // Gabriel graph up to 0.58 d from the middle, which is still within ⌊3d/2⌋ of each cell of the box; in a relative
    // one up to d from the middle.
    this.reach = spec.graph === "relative" ? 2 * spec.within : detour(spec.within);
  }

  apply(ground: Ground, cells: CellRectangle, means: StageMeans): void {
    const { lays } = this.#spec;
    const laid: { readonly at: number; readonly terrain: number }[] = [];
    for (const { ends, way } of this.#paths(ground, cells, means)) {
      const path = way === undefined ? [] : this.#cellsOf(ends, way);
      means.onPath?.(this.#described(ends, way, path));
      for (const [row, col] of path.slice(1, -1)) {
        if (!contains(cells, row, col)) continue;
        const at = ground.indexOf(row, col);
        laid.push({ at, terrain: lays[ground.terrain[at]] });
      }
    }
    for (const { at, terrain } of laid) ground.terrain[at] = terrain;
  }

  /** Returns the paths that can have cells in `cells`. */
  #paths(ground: Ground, cells: CellRectangle, { engine, watch }: StageMeans) {
    const { costs } = this.#spec;
    const all = this.#ends(ground, cells).map((ends) => ({ ends, key: keyOf(ends) }));
    const missing = all.filter(({ key }) => !this.#ways.has(key));
    const isOddR = coordinatesOf(this.#grid) === "odd-r";
    const pairs = missing.map(({ ends }) => ends);
    const found = pairs.length === 0 ? [] : engine.findWays({ ground, isOddR, costs }, pairs, watch);
    const made = new Map(missing.map(({ key }, k) => [key, found[k]]));
    const paths = all.map(({ ends, key }) => ({ ends, way: made.has(key) ? made.get(key) : this.#ways.get(key) }));
    this.#keep(made);
    return paths;
  }

  #keep(made: ReadonlyMap<string, Way | undefined>): void {
    for (const [key, way] of made) {
      this.#ways.set(key, way);
      this.#kept += way?.moves.length ?? 0;
    }
    if (this.#kept <= MAX_KEPT) return;
    this.#ways.clear();
    this.#kept = 0;
  }

  /** Returns the pairs of places whose boxes have cells in `cells`. */
  #ends(ground: Ground, cells: CellRectangle): WayEnds[] {
    const isNear = (a: Node, b: Node) => {
      const { rows, cols } = overlap(this.#box(a, b), cells);
      return rows > 0 && cols > 0;
    };
    return edgesOf(this.#places(ground), this.#spec, isNear).map(([a, b]) => {
      const box = overlap(this.#box(a, b), ground);
      return { from: this.#cellAt(a), to: this.#cellAt(b), box, most: detour(stepsBetween(a, b)) };
    });
  }

  /** Returns the cells that have a placement of the kinds, by row, then column, each once. */
  #places({ placements }: Ground): Node[] {
    const shiftOf = shiftIn(coordinatesOf(this.#grid));
    const counts = new Map<number, number>();
    const all = this.#spec.kinds.flatMap((kind) => {
      const { rows, cols } = placements[kind];
      return Array.from(rows, (row, k): Node => ({ row, q: cols[k] - shiftOf(row) }));
    });
    const sorted = all.sort((a, b) => a.row - b.row || a.q - b.q);
    const places = sorted.filter(({ row, q }, k) => k === 0 || row !== sorted[k - 1].row || q !== sorted[k - 1].q);
    for (const { row, q } of places) {
      const region = placeKey(Math.floor(row / REGION_SIDE), Math.floor((q + shiftOf(row)) / REGION_SIDE));
      counts.set(region, (counts.get(region) ?? 0) + 1);
    }
    const most = Math.max(0, ...counts.values());
    if (most > MAX_PLACES) this.#refuse(most);
    return places;
  }

  /**
   * Returns the smallest rectangle that has all cells whose distances to both ends are together at most the detour.
   *
   * A cell t rows outside the rows of the ends has a sum of distances of at least Δrow + 2t, and of at least d + t: the
   * part of the way outside these rows is at least t steps longer than the steps along the first of them. Rows, columns
   * and the diagonals row + q are the same up to a turn, so this holds for all three. In odd-r coordinates, the column
   * is ⌊(q + (row + q)) / 2⌋.
   */
  #box(a: Node, b: Node): CellRectangle {
    const steps = stepsBetween(a, b);
    const more = detour(steps) - steps;
    const range = (one: number, other: number): [number, number] => {
      const beyond = Math.min(more, Math.floor((steps + more - Math.abs(one - other)) / 2));
      return [Math.min(one, other) - beyond, Math.max(one, other) + beyond];
    };
    const [row0, row1] = range(a.row, b.row);
    let [col0, col1] = range(a.q, b.q);
    if (coordinatesOf(this.#grid) === "odd-r") {
      const [first, last] = range(a.row + a.q, b.row + b.q);
      [col0, col1] = [Math.floor((col0 + first) / 2), Math.floor((col1 + last) / 2)];
    }
    return { row0, col0, rows: row1 - row0 + 1, cols: col1 - col0 + 1 };
  }

  #cellAt({ row, q }: Node): Cell {
    return [row, q + shiftIn(coordinatesOf(this.#grid))(row)];
  }

  #cellsOf({ from }: WayEnds, { moves }: Way): Cell[] {
    const shiftOf = shiftIn(coordinatesOf(this.#grid));
    let [row, q] = [from[0], from[1] - shiftOf(from[0])];
    const path: Cell[] = [from];
    for (const move of moves) {
      row += OFFSETS[move][0];
      q += OFFSETS[move][1];
      path.push([row, q + shiftOf(row)]);
    }
    return path;
  }

  #described({ from, to }: WayEnds, way: Way | undefined, cells: readonly Cell[]): WorldPath {
    const { name } = this.#spec;
    if (way === undefined) return { name, from, to, cells, reason: "closed" };
    return { name, from, to, cells, length: way.moves.length, cost: way.cost };
  }

  #refuse(got: number): never {
    const problem = `the paths ${JSON.stringify(this.#spec.name)} join too many places`;
    const expected = `at most ${MAX_PLACES} places in a region of ${REGION_SIDE} × ${REGION_SIDE} cells`;
    const remedy = 'Lower the "density" of the kinds in "between", or raise their "distance"';
    return fail(error("world.paths", { problem, got, expected, remedy }));
  }
}

/** Returns the greatest sum of the distances of a cell to both ends, if these are `steps` apart. */
function detour(steps: number): number {
  return Math.floor((3 * steps) / 2);
}

function keyOf({ from, to }: WayEnds): string {
  return `${from.join()} ${to.join()}`;
}
