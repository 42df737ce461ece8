import { checkInteger, readList } from "../spec/index.js";

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

/**
 * Converts a cell from axial to odd-r coordinates: col = q + ⌊row / 2⌋.
 *
 * @throws RollmillError `argument.type`, `argument.range` for anything but two 32-bit integers.
 */
export function axialToOddR(cell: readonly [row: number, col: number]): [row: number, col: number] {
  const [row, q] = readPlace("cell", cell, 1);
  return [row, q + (row >> 1)];
}

/**
 * Converts a cell from odd-r to axial coordinates: q = col − ⌊row / 2⌋.
 *
 * @throws RollmillError `argument.type`, `argument.range` for anything but two 32-bit integers.
 */
export function oddRToAxial(cell: readonly [row: number, col: number]): [row: number, q: number] {
  const [row, col] = readPlace("cell", cell, 1);
  return [row, col - (row >> 1)];
}

export function readRegion(region: readonly [number, number], side: number): readonly [i: number, j: number] {
  return readPlace("region", region, side);
}

/** Reads the place of a region of side × side cells; of a cell if the side is 1. */
export function readPlace(name: string, pair: readonly [number, number], side: number): readonly [number, number] {
  const [i, j] = readList(name, pair, { of: "coordinates", most: 2 });
  checkRegionIndex(`${name}[0]`, i, side);
  checkRegionIndex(`${name}[1]`, j, side);
  return [i, j];
}

export function checkRegionIndex(name: string, index: unknown, side: number): asserts index is number {
  checkInteger(name, index, -(2 ** 31) / side, 2 ** 31 / side - 1);
}
