import { checkInteger, readList } from "../spec/index.js";

/**
 * The coordinates of a grid. `axial`: (row, q), where each row begins half a cell further to the right than the one
 * above it, so that equal columns lie on a diagonal. `odd-r`: (row, col), where odd rows are shifted to the right by
 * half a cell, so that equal columns lie below one another and a grid is an upright rectangle.
 *
 * Source: Amit Patel, Hexagonal Grids, https://www.redblobgames.com/grids/hexagons/, "odd-r".
 */
export type Coordinates = "axial" | "odd-r";

/** The coordinates of a grid's cells. */
export function coordinatesOf(grid: {
  readonly kind: string;
  readonly coordinates?: Coordinates | undefined;
}): Coordinates {
  return grid.coordinates ?? "axial";
}

/**
 * Returns the odd-r coordinates of a cell in axial coordinates: the row is the same, and col = q + ⌊row / 2⌋.
 *
 * @throws RollmillError `argument.type`, `argument.range` for anything but two 32-bit integers.
 */
export function axialToOddR(cell: readonly [row: number, col: number]): [row: number, col: number] {
  const [row, q] = readCell("cell", cell);
  return [row, q + (row >> 1)];
}

/**
 * Returns the axial coordinates of a cell in odd-r coordinates: the row is the same, and q = col − ⌊row / 2⌋.
 *
 * @throws RollmillError `argument.type`, `argument.range` for anything but two 32-bit integers.
 */
export function oddRToAxial(cell: readonly [row: number, col: number]): [row: number, q: number] {
  const [row, col] = readCell("cell", cell);
  return [row, col - (row >> 1)];
}

/**
 * Reads a cell of the caller.
 *
 * @throws RollmillError `argument.type`, `argument.range`.
 */
export function readCell(name: string, cell: readonly [number, number]): readonly [number, number] {
  const [row, col] = readList(name, cell, { of: "coordinates", most: 2 });
  checkInteger(`${name}[0]`, row, -(2 ** 31), 2 ** 31 - 1);
  checkInteger(`${name}[1]`, col, -(2 ** 31), 2 ** 31 - 1);
  return [row, col];
}
