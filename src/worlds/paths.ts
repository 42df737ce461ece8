import { error, fail } from "../errors/index.js";
import { OFFSETS } from "../walks/directions.js";
import { shiftIn } from "../walks/hexes.js";
import type { Cell } from "../walks/index.js";
import { placeKey } from "../walks/map/chunk.js";
import { type CellRectangle, contains, coordinatesOf, overlap } from "../walks/rectangles.js";
import type { FinishStage, Ground, StageMeans } from "./finish.js";
import { edgesOf, type Node, stepsBetween } from "./graph.js";
import type { Way, WayEnds } from "./kernel/ways.js";
import { type PathSpec, REGION_SIDE, type WorldPath, type WorldSpec } from "./types.js";

/** Maximum number of places in a region that paths of one kind join. The time grows with the square of their number. */
const MAX_PLACES = 2048;
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
    // The hexagon of a path has at most d + 2 · margin + 1 rows and columns. A place that parts the ends can be outside
    // the hexagon: in a Gabriel graph up to 0.58 d from its middle row or column, in a relative one up to d.
    const { within, graph } = spec;
    this.reach = within + 2 * marginOf(within) + (graph === "relative" ? Math.ceil(within / 2) : 0);
  }

  apply(ground: Ground, cells: CellRectangle, means: StageMeans): void {
    const { lays } = this.#spec;
    const laid: number[] = [];
    for (const { ends, way } of this.#paths(ground, cells, means)) {
      means.onPath?.(this.#described(ends, way));
      this.#walk(ends, way, (row, col, step) => {
        if (step === 0 || step === way?.moves.length || !contains(cells, row, col)) return;
        const at = ground.indexOf(row, col);
        laid.push(at, lays[ground.terrain[at]]);
      });
    }
    for (let k = 0; k < laid.length; k += 2) ground.terrain[laid[k]] = laid[k + 1];
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

  /** Returns the pairs of places whose hexagons can have cells in `cells`. */
  #ends(ground: Ground, cells: CellRectangle): WayEnds[] {
    const isNear = (a: Node, b: Node) => {
      const { rows, cols } = overlap(this.#hexagon(a, b).box, cells);
      return rows > 0 && cols > 0;
    };
    return edgesOf(this.#places(ground), this.#spec, isNear).map(([a, b]) => {
      return { from: this.#cellAt(a), to: this.#cellAt(b), ...this.#hexagon(a, b) };
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

  /** Returns the size of the hexagon of a path, and the smallest rectangle of the grid that has all its cells. */
  #hexagon(a: Node, b: Node) {
    const margin = marginOf(stepsBetween(a, b));
    const range = (one: number, other: number) => [Math.min(one, other) - margin, Math.max(one, other) + margin];
    const [row0, row1] = range(a.row, b.row);
    const [q0, q1] = range(a.q, b.q);
    let [col0, col1] = [q0, q1];
    if (coordinatesOf(this.#grid) === "odd-r") {
      // the column is ⌊(q + diagonal) / 2⌋
      const [first, last] = range(a.row + a.q, b.row + b.q);
      [col0, col1] = [Math.floor((q0 + first) / 2), Math.floor((q1 + last) / 2)];
    }
    const rows = row1 - row0 + 1;
    return { margin, rows, cols: q1 - q0 + 1, box: { row0, col0, rows, cols: col1 - col0 + 1 } };
  }

  #cellAt({ row, q }: Node): Cell {
    return [row, q + shiftIn(coordinatesOf(this.#grid))(row)];
  }

  /** Calls `visit` for each cell of a way, with the number of the steps before it. */
  #walk({ from }: WayEnds, way: Way | undefined, visit: (row: number, col: number, step: number) => void): void {
    if (way === undefined) return;
    const shiftOf = shiftIn(coordinatesOf(this.#grid));
    let [row, col] = from;
    visit(row, col, 0);
    for (const [k, move] of way.moves.entries()) {
      const [rows, cols] = OFFSETS[move];
      col += cols + shiftOf(row + rows) - shiftOf(row);
      row += rows;
      visit(row, col, k + 1);
    }
  }

  #described(ends: WayEnds, way: Way | undefined): WorldPath {
    const { from, to } = ends;
    const cells: Cell[] = [];
    this.#walk(ends, way, (row, col) => cells.push([row, col]));
    const found = way === undefined ? { reason: "closed" as const } : { length: way.moves.length, cost: way.cost };
    return { name: this.#spec.name, from, to, cells, ...found };
  }

  #refuse(got: number): never {
    const problem = `the paths ${JSON.stringify(this.#spec.name)} join too many places`;
    const expected = `at most ${MAX_PLACES} places in a region of ${REGION_SIDE} × ${REGION_SIDE} cells`;
    const remedy = 'Lower the "density" of the kinds in "between", or raise their "distance"';
    return fail(error("world.paths", { problem, got, expected, remedy }));
  }
}

/** Returns how far the hexagon of a path of at least so many steps reaches beyond its ends. */
function marginOf(steps: number): number {
  return 4 + Math.floor(steps / 4);
}

function keyOf({ from, to }: WayEnds): string {
  return `${from[0]},${from[1]},${to[0]},${to[1]}`;
}
