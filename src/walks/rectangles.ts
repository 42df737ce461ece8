import { error, fail, readFields } from "../errors/index.js";
import type { CellRectangle } from "../formats/index.js";
import { CHUNK_SIDE } from "../kernel/layout.js";
import { checkInteger, readList } from "../spec/index.js";

export type { CellRectangle } from "../formats/index.js";

/** The regions (i0, j0) … (i1, j1), both inclusive. A region has as many rows as columns: its side. */
export type RegionRange = Readonly<Record<"i0" | "j0" | "i1" | "j1", number>>;

/** Cells have rows and columns −LIMIT … LIMIT − 1. */
const LIMIT = 2 ** 31;

export const ALL_CELLS: CellRectangle = { row0: -LIMIT, col0: -LIMIT, rows: 2 * LIMIT, cols: 2 * LIMIT };

export function readRectangle(given: CellRectangle, most: number): CellRectangle {
  const rectangle = readFields("the window", given, ["row0", "col0", "rows", "cols"]);
  const { row0, col0, rows, cols } = rectangle;
  checkInteger("row0", row0, -LIMIT, LIMIT - 1);
  checkInteger("col0", col0, -LIMIT, LIMIT - 1);
  checkInteger("rows", rows, 1, LIMIT - row0);
  checkInteger("cols", cols, 1, LIMIT - col0);
  if (rows * cols > most) {
    const finding = { problem: "the window is too large", got: rows * cols, expected: `at most ${most} cells` };
    fail(error("argument.range", { ...finding, remedy: "For more cells, use several windows" }));
  }
  return rectangle;
}

/** An unbounded grid in odd-r coordinates, whose walkers use axial coordinates. Only worlds have it. */
export interface UprightGrid {
  readonly kind: "unbounded";
  readonly coordinates: "odd-r";
}

/** All cells of an {@link UprightGrid}. The axial column is col − ⌊row / 2⌋, so it has 32 bits too. */
const UPRIGHT_CELLS: CellRectangle = { ...ALL_CELLS, col0: -LIMIT / 2, cols: LIMIT };

type Grid =
  | { readonly kind: "unbounded"; readonly coordinates?: "odd-r" }
  | { readonly kind: "bounded" | "torus"; readonly rows: number; readonly cols: number };

export function isUpright(grid: Grid): grid is UprightGrid {
  return grid.kind === "unbounded" && coordinatesOf(grid) === "odd-r";
}

export function cellsOfGrid(grid: Grid): CellRectangle {
  if (isUpright(grid)) return UPRIGHT_CELLS;
  return grid.kind === "unbounded" ? ALL_CELLS : { row0: 0, col0: 0, rows: grid.rows, cols: grid.cols };
}

/**
 * Returns the smallest rectangle in the coordinates of walkers that has all cells of a rectangle of the grid. Leaves
 * out cells outside the grid if the coordinates differ.
 */
export function walkedCells(rectangle: CellRectangle, grid: Grid): CellRectangle {
  if (!isUpright(grid)) return rectangle;
  const { row0, col0, rows, cols } = overlap(rectangle, UPRIGHT_CELLS);
  const [first, last] = [Math.floor(row0 / 2), Math.floor((row0 + rows - 1) / 2)];
  return { row0, col0: col0 - last, rows, cols: cols + last - first };
}

/** Returns a rectangle; `end` and `right` are the row and column after its last row and column. */
function between(row0: number, col0: number, end: number, right: number): CellRectangle {
  return { row0, col0, rows: end - row0, cols: right - col0 };
}

/** Returns the common cells of two rectangles. If they have no common cell, `rows` or `cols` is below 1. */
export function overlap(a: CellRectangle, b: CellRectangle): CellRectangle {
  const [end, right] = [Math.min(a.row0 + a.rows, b.row0 + b.rows), Math.min(a.col0 + a.cols, b.col0 + b.cols)];
  return between(Math.max(a.row0, b.row0), Math.max(a.col0, b.col0), end, right);
}

export function union(a: CellRectangle, b: CellRectangle): CellRectangle {
  const [end, right] = [Math.max(a.row0 + a.rows, b.row0 + b.rows), Math.max(a.col0 + a.cols, b.col0 + b.cols)];
  return between(Math.min(a.row0, b.row0), Math.min(a.col0, b.col0), end, right);
}

export function contains({ row0, col0, rows, cols }: CellRectangle, row: number, col: number): boolean {
  return row >= row0 && row < row0 + rows && col >= col0 && col < col0 + cols;
}

export function isInside(a: CellRectangle, b: CellRectangle): boolean {
  const { rows, cols } = overlap(a, b);
  return rows === a.rows && cols === a.cols;
}

/** Adds `margin` rows and columns on each side, within the range of coordinates. */
export function grown({ row0, col0, rows, cols }: CellRectangle, margin: number): CellRectangle {
  return overlap(between(row0 - margin, col0 - margin, row0 + rows + margin, col0 + cols + margin), ALL_CELLS);
}

/** Extends a rectangle to whole chunks, within the range of coordinates. */
export function wholeChunks(rectangle: CellRectangle): CellRectangle {
  return cellsOf(regionsNear(rectangle, { side: CHUNK_SIDE }), CHUNK_SIDE);
}

/** Returns the regions that have a cell within `distance` rows and columns of a rectangle. */
export function regionsNear(
  { row0, col0, rows, cols }: CellRectangle,
  { side, distance = 0 }: { readonly side: number; readonly distance?: number },
): RegionRange {
  const first = (at: number) => Math.max(-LIMIT / side, Math.floor((at - distance) / side));
  const last = (at: number) => Math.min(LIMIT / side - 1, Math.floor((at + distance) / side));
  return { i0: first(row0), j0: first(col0), i1: last(row0 + rows - 1), j1: last(col0 + cols - 1) };
}

/** Returns the regions whose cells are all in a rectangle. The range can be empty. */
export function regionsInside({ row0, col0, rows, cols }: CellRectangle, side: number): RegionRange {
  const first = (at: number) => Math.ceil(at / side);
  const last = (end: number) => Math.floor(end / side) - 1;
  return { i0: first(row0), j0: first(col0), i1: last(row0 + rows), j1: last(col0 + cols) };
}

export function countOf({ i0, j0, i1, j1 }: RegionRange): number {
  return (i1 - i0 + 1) * (j1 - j0 + 1);
}

export function single(i: number, j: number): RegionRange {
  return { i0: i, j0: j, i1: i, j1: j };
}

export function singles({ i0, j0, i1, j1 }: RegionRange): RegionRange[] {
  const pieces: RegionRange[] = [];
  for (let i = i0; i <= i1; i++) for (let j = j0; j <= j1; j++) pieces.push(single(i, j));
  return pieces;
}

export function cellsOf({ i0, j0, i1, j1 }: RegionRange, side: number): CellRectangle {
  return between(i0 * side, j0 * side, (i1 + 1) * side, (j1 + 1) * side);
}

/** Returns ranges that cover the missing regions: joins neighbours in a row, then equal runs in consecutive rows. */
export function missingParts(range: RegionRange, isMissing: (i: number, j: number) => boolean): RegionRange[] {
  const parts: RegionRange[] = [];
  let open: RegionRange[] = [];
  for (let i = range.i0; i <= range.i1; i++) {
    const next = missingRuns(range, (j) => isMissing(i, j)).map(({ j0, j1 }) => {
      const above = open.find((part) => part.j0 === j0 && part.j1 === j1);
      return { i0: above?.i0 ?? i, j0, i1: i, j1 };
    });
    parts.push(...open.filter((part) => !next.some(({ i0, j0 }) => i0 === part.i0 && j0 === part.j0)));
    open = next;
  }
  return [...parts, ...open];
}

function missingRuns({ j0, j1 }: RegionRange, isMissing: (j: number) => boolean): { j0: number; j1: number }[] {
  const runs: { j0: number; j1: number }[] = [];
  for (let j = j0; j <= j1; j++) {
    if (!isMissing(j)) continue;
    const last = runs.at(-1);
    if (last?.j1 === j - 1) last.j1 = j;
    else runs.push({ j0: j, j1: j });
  }
  return runs;
}

/** Cuts a rectangle at the rows that are multiples of `height`. */
export function* alignedBands(rectangle: CellRectangle, height: number): Generator<CellRectangle, void> {
  const end = rectangle.row0 + rectangle.rows;
  for (let row0 = rectangle.row0, next = end; row0 < end; row0 = next) {
    next = Math.min(end, (Math.floor(row0 / height) + 1) * height);
    yield { ...rectangle, row0, rows: next - row0 };
  }
}

/** Yields parts of at most `most` × `most` regions, cut at fixed places, so that overlapping ranges share parts. */
export function* divided({ i0, j0, i1, j1 }: RegionRange, most: number): Generator<RegionRange, void> {
  const endOf = (at: number, last: number) => Math.min(last, Math.floor(at / most) * most + most - 1);
  for (let i = i0; i <= i1; i = endOf(i, i1) + 1) {
    for (let j = j0; j <= j1; j = endOf(j, j1) + 1) yield { i0: i, j0: j, i1: endOf(i, i1), j1: endOf(j, j1) };
  }
}

/**
 * `axial`: (row, q). Each row begins half a cell further to the right than the row above it, so cells with equal q lie
 * on a diagonal. `odd-r`: (row, col). Only odd rows are shifted to the right by half a cell, so a column runs straight
 * down, in a zigzag.
 *
 * Source: Amit Patel, Hexagonal Grids, https://www.redblobgames.com/grids/hexagons/, "odd-r".
 */
export type Coordinates = "axial" | "odd-r";

export function coordinatesOf(grid: { kind: string; coordinates?: Coordinates | undefined }): Coordinates {
  return grid.coordinates ?? "axial";
}

/** Checks the place [i, j] of a region of side × side cells. For a cell, `side` is 1. */
export function readPlace(name: string, pair: readonly [number, number], side: number): readonly [number, number] {
  const [i, j] = readList(name, pair, { of: "coordinates", most: 2 });
  checkRegionIndex(`${name}[0]`, i, side);
  checkRegionIndex(`${name}[1]`, j, side);
  return [i, j];
}

export function checkRegionIndex(name: string, index: unknown, side: number): asserts index is number {
  checkInteger(name, index, -(2 ** 31) / side, 2 ** 31 / side - 1);
}
