import type { WorldInput } from "../../src/worlds/index.js";

/** Hexes by definition, in the coordinates of a grid. */

export type Grid = NonNullable<WorldInput["grid"]>;

export type Pair = readonly [row: number, col: number];

/** A rectangle of cells. */
export interface Rect {
  readonly row: number;
  readonly col: number;
  readonly rows: number;
  readonly cols: number;
}

/** NW, NE, E, SE, SW, W in axial coordinates. */
export const MOVES: readonly Pair[] = [
  [-1, 0],
  [-1, 1],
  [0, 1],
  [1, 0],
  [1, -1],
  [0, -1],
];

/** The axial column minus the column of the grid, in a row. */
export function axialShift(grid: Grid, row: number): number {
  return isOddR(grid) ? -Math.floor(row / 2) : 0;
}

export function isOddR(grid: Grid): boolean {
  return "coordinates" in grid && grid.coordinates === "odd-r";
}

/** The cells of a grid. */
export function gridBounds(grid: Grid): Rect {
  if ("rows" in grid) return { row: 0, col: 0, rows: grid.rows, cols: grid.cols };
  const cols = isOddR(grid) ? 2 ** 31 : 2 ** 32;
  return { row: -(2 ** 31), col: -cols / 2, rows: 2 ** 32, cols };
}

/** Whether the grid is odd-r, and its walkers are axial. */
export function isUpright(grid: Grid): boolean {
  return isOddR(grid) && !("rows" in grid);
}

/** The cell that a move leads to. */
export function neighbour(grid: Grid, [row, col]: Pair, [dr, dq]: Pair): Pair {
  return [row + dr, col + axialShift(grid, row) + dq - axialShift(grid, row + dr)];
}

/** Number of steps between two cells. */
export function distance(grid: Grid, a: Pair, b: Pair): number {
  const dr = b[0] - a[0];
  const dq = b[1] + axialShift(grid, b[0]) - a[1] - axialShift(grid, a[0]);
  return Math.max(Math.abs(dr), Math.abs(dq), Math.abs(dr + dq));
}

/** For each row within `steps` of a cell: its columns from … to, inclusive. */
export function* rowsWithin(
  grid: Grid,
  [row, col]: Pair,
  steps: number,
): Generator<{ readonly row: number; readonly from: number; readonly to: number }> {
  for (let dr = -steps; dr <= steps; dr++) {
    const middle = col + axialShift(grid, row) - axialShift(grid, row + dr);
    yield { row: row + dr, from: middle + Math.max(-steps, -steps - dr), to: middle + Math.min(steps, steps - dr) };
  }
}

/** Whether a cell is in the grid: of an unbounded one, a signed row of 32 bits and a column of 32, or of 31 in odd-r. */
export function isInGrid(grid: Grid, row: number, col: number): boolean {
  const factor = isUpright(grid) ? 2 : 1;
  if (!("rows" in grid)) return row === (row | 0) && col * factor === ((col * factor) | 0);
  return row >= 0 && row < grid.rows && col >= 0 && col < grid.cols;
}

/** The cells of a rectangle, by row, then column. */
export function* cellsIn({ row, col, rows, cols }: Rect): Generator<Pair> {
  for (let r = row; r < row + rows; r++) for (let c = col; c < col + cols; c++) yield [r, c];
}

/** A rectangle with more rows and columns on each side. */
export function grow({ row, col, rows, cols }: Rect, margin: number): Rect {
  return { row: row - margin, col: col - margin, rows: rows + 2 * margin, cols: cols + 2 * margin };
}

/** The squares of a side that contain a cell of a rectangle, by row, then column. */
export function* squaresOf({ row, col, rows, cols }: Rect, side: number): Generator<Pair> {
  for (let i = Math.floor(row / side); i * side < row + rows; i++) {
    for (let j = Math.floor(col / side); j * side < col + cols; j++) yield [i, j];
  }
}

export function squareRect([i, j]: Pair, side: number): Rect {
  return { row: i * side, col: j * side, rows: side, cols: side };
}
