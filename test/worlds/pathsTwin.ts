import type { GridSpec } from "../../src/walks/index.js";
import type { PathInput, TerrainRuleInput } from "../../src/worlds/index.js";
import { axialShift, distance, isInGrid, MOVES, neighbour, type Pair } from "./hexes.js";

/** Paths by definition (docs/determinism.md): all pairs of places, all third places, and Dijkstra's search cell by cell. */

/** A path, as the twin finds it. */
export interface TwinPath {
  readonly name: string;
  readonly from: Pair;
  readonly to: Pair;
  readonly cells: readonly Pair[];
  readonly length?: number;
  readonly cost?: number;
  readonly reason?: "closed";
}

export interface TwinScope {
  readonly grid: GridSpec;
  readonly rules: readonly TerrainRuleInput[];
  readonly paths: readonly PathInput[];
  /** The cells of the placements of each kind: all that can matter. */
  readonly placed: ReadonlyMap<string, readonly Pair[]>;
  readonly terrainAt: (row: number, col: number) => string | undefined;
  /** Whether a pair of places can matter to the paths of a kind. */
  readonly isWanted: (path: PathInput, from: Pair, to: Pair) => boolean;
}

const keyOf = ([row, col]: Pair) => `${row},${col}`;
const compareCells = (a: Pair, b: Pair) => a[0] - b[0] || a[1] - b[1];

/** All paths between the given places, and the terrain after them, cell by cell. */
export function pathsTwin({ grid, rules, paths, placed, terrainAt, isWanted }: TwinScope) {
  const found: TwinPath[] = [];
  const tags = new Map<string, readonly string[]>();
  const declare = (name: string, own: readonly string[] | undefined) => tags.has(name) || tags.set(name, own ?? []);
  for (const rule of rules) declare(rule.terrain, rule.tags);
  let laid: ReadonlyMap<string, string> = new Map();
  const now = (row: number, col: number) => laid.get(keyOf([row, col])) ?? terrainAt(row, col);
  for (const path of paths) {
    const fits = (terrain: string, name: string) => terrain === name || tags.get(terrain)?.includes(name) === true;
    const { covers = {}, cost = {} } = path;
    const costOf = (terrain: string): number | null => {
      const named = Object.entries(cost).find(([name]) => name !== "*" && fits(terrain, name));
      if (named !== undefined) return named[1];
      return "*" in cost ? cost["*"] : 1;
    };
    const before = new Map(laid);
    const own = path.between.flatMap((kind) => placed.get(kind) ?? []);
    const places = [...new Map(own.map((cell) => [keyOf(cell), cell])).values()].sort(compareCells);
    for (const [from, to] of edges(grid, places, path)) {
      if (!isWanted(path, from, to)) continue;
      const way = cheapest(grid, from, to, (row, col) => {
        const terrain = now(row, col);
        return terrain === undefined ? null : costOf(terrain);
      });
      found.push({ name: path.name, from, to, ...way });
      for (const [row, col] of way.cells.slice(1, -1)) {
        const terrain = now(row, col) as string;
        const cover = Object.entries(covers).find(([name]) => fits(terrain, name))?.[1].terrain;
        before.set(keyOf([row, col]), cover ?? path.terrain);
      }
    }
    laid = before;
    declare(path.terrain, path.tags);
    for (const cover of Object.values(covers)) declare(cover.terrain, cover.tags);
  }
  return { found, terrainAt: now };
}

/** Four times the square of the distance of two centres, from their places in the plane. */
function square(grid: GridSpec, a: Pair, b: Pair): number {
  const x = (cell: Pair) => 2 * (cell[1] + axialShift(grid, cell[0])) + cell[0];
  return (x(a) - x(b)) ** 2 + 3 * (a[0] - b[0]) ** 2;
}

function edges(grid: GridSpec, places: readonly Pair[], { within, graph = "gabriel" }: PathInput): [Pair, Pair][] {
  const found: [Pair, Pair][] = [];
  for (const a of places) {
    for (const b of places) {
      if (compareCells(a, b) >= 0 || distance(grid, a, b) > within) continue;
      const most = square(grid, a, b);
      const parts = (c: Pair) => {
        if (c === a || c === b || graph === "all") return false;
        const [toA, toB] = [square(grid, a, c), square(grid, b, c)];
        return graph === "gabriel" ? toA + toB <= most : toA < most && toB < most;
      };
      if (!places.some(parts)) found.push([a, b]);
    }
  }
  return found;
}

/** The costs of the cheapest ways from every cell of the hexagon to `to`, and then the way from `from` on. */
function cheapest(
  grid: GridSpec,
  from: Pair,
  to: Pair,
  costAt: (row: number, col: number) => number | null,
): { cells: Pair[]; length: number; cost: number } | { cells: Pair[]; reason: "closed" } {
  const axial = (cell: Pair) => cell[1] + axialShift(grid, cell[0]);
  const lines = [(cell: Pair) => cell[0], axial, (cell: Pair) => cell[0] + axial(cell)];
  const margin = 4 + Math.floor(distance(grid, from, to) / 4);
  const isInside = (cell: Pair) =>
    lines.every((line) => {
      const [least, most] = [Math.min(line(from), line(to)), Math.max(line(from), line(to))];
      return line(cell) >= least - margin && line(cell) <= most + margin;
    });
  const isEnd = (cell: Pair) => keyOf(cell) === keyOf(from) || keyOf(cell) === keyOf(to);
  const stepTo = (cell: Pair) => (isEnd(cell) ? 0 : costAt(cell[0], cell[1]));
  const costs = new Map<string, number>([[keyOf(to), 0]]);
  // the cells by the cost of their ways; a cell that has a cheaper way by now is skipped
  const byCost: Pair[][] = [[to]];
  for (let cost = 0; cost < byCost.length; cost++) {
    for (const here of byCost[cost] ?? []) {
      if (costs.get(keyOf(here)) !== cost) continue;
      for (const move of MOVES) {
        const next = neighbour(grid, here, move);
        const step = isInGrid(grid, next[0], next[1]) && isInside(next) ? stepTo(next) : null;
        if (step === null || cost + step >= (costs.get(keyOf(next)) ?? Number.POSITIVE_INFINITY)) continue;
        costs.set(keyOf(next), cost + step);
        byCost[cost + step] ??= [];
        byCost[cost + step].push(next);
      }
    }
  }
  const whole = costs.get(keyOf(from));
  if (whole === undefined) return { cells: [], reason: "closed" };
  const cells = [from];
  const area = (cell: Pair) =>
    Math.abs((axial(to) - axial(from)) * (cell[0] - from[0]) - (to[0] - from[0]) * (axial(cell) - axial(from)));
  while (keyOf(cells[cells.length - 1]) !== keyOf(to)) {
    const here = cells[cells.length - 1];
    const left = (costs.get(keyOf(here)) as number) - (stepTo(here) as number);
    const nexts = MOVES.map((move) => neighbour(grid, here, move)).filter((next) => costs.get(keyOf(next)) === left);
    const onward = left === 0 ? nexts.filter((next) => keyOf(next) === keyOf(to)) : nexts;
    cells.push(onward.reduce((a, b) => (area(b) < area(a) ? b : a)));
  }
  return { cells, length: cells.length - 1, cost: whole };
}
