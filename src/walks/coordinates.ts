import { checkInteger, readList } from "../spec/index.js";

/**
 * `axial`: (row, q). Each row begins half a cell further to the right than the row above it, so cells with equal q lie
 * on a diagonal. `odd-r`: (row, col). Only odd rows are shifted to the right by half a cell, so a column runs straight
 * down, in a zigzag.
 *
 * Source: Amit Patel, Hexagonal Grids, https://www.redblobgames.com/grids/hexagons/, "odd-r".
 */
export type Coordinates = "axial" | "odd-r";

export function coordinatesOf(grid: {
  readonly kind: string;
  readonly coordinates?: Coordinates | undefined;
}): Coordinates {
  return grid.coordinates ?? "axial";
}

/**
 * Converts a cell from axial to odd-r coordinates: col = q + ⌊row / 2⌋.
 *
 * @throws RollmillError `argument.type`, `argument.range` for anything but two 32-bit integers.
 */
export function axialToOddR(cell: readonly [row: number, col: number]): [row: number, col: number] {
  const [row, q] = readCell("cell", cell);
  return [row, q + (row >> 1)];
}

/**
 * Converts a cell from odd-r to axial coordinates: q = col − ⌊row / 2⌋.
 *
 * @throws RollmillError `argument.type`, `argument.range` for anything but two 32-bit integers.
 */
export function oddRToAxial(cell: readonly [row: number, col: number]): [row: number, q: number] {
  const [row, col] = readCell("cell", cell);
  return [row, col - (row >> 1)];
}

/** @throws RollmillError `argument.type`, `argument.range` for anything but two 32-bit integers. */
export function readCell(name: string, cell: readonly [number, number]): readonly [number, number] {
  const [row, col] = readList(name, cell, { of: "coordinates", most: 2 });
  checkInteger(`${name}[0]`, row, -(2 ** 31), 2 ** 31 - 1);
  checkInteger(`${name}[1]`, col, -(2 ** 31), 2 ** 31 - 1);
  return [row, col];
}

/** @throws RollmillError `argument.type`; `argument.range` for a region outside the 32-bit coordinates. */
export function readRegion(region: readonly [number, number], side: number): readonly [i: number, j: number] {
  const [i, j] = readList("region", region, { of: "coordinates", most: 2 });
  checkRegionIndex("region[0]", i, side);
  checkRegionIndex("region[1]", j, side);
  return [i, j];
}

export function checkRegionIndex(name: string, index: unknown, side: number): asserts index is number {
  checkInteger(name, index, -(2 ** 31) / side, 2 ** 31 / side - 1);
}
