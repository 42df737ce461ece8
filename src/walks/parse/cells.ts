import { arrayLength } from "../../errors/index.js";
import {
  choice,
  Field,
  type InputOf,
  integer,
  optional,
  record,
  type Shape,
  type SpecReader,
  shape,
  variants,
} from "../../spec/index.js";
import { cellsOfGrid, contains, isUpright, type UprightGrid } from "../rectangles.js";

/** A cell as [row, col], in the coordinates of its grid. Both numbers are signed 32-bit integers. */
export type Cell = readonly [row: number, col: number];

const COORDINATE = { type: "integer", minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
export const CELL: Shape<Cell, Cell> = shape(readCell, {
  type: "array",
  items: COORDINATE,
  minItems: 2,
  maxItems: 2,
});

/** As a JSON text, a list of this many cells has about 100 MiB. */
const MAX_CELLS = 10_000_000;
const MAX_REPORTED = 20;

/** A list of cells, read as row, col, row, col, … {@link refuseOutside} checks that the cells are on the grid. */
/* @__NO_SIDE_EFFECTS__ */
export function cells(least: number): Shape<readonly Cell[], Int32Array> {
  const json = { type: "array", items: CELL, minItems: least, maxItems: MAX_CELLS };
  return shape((reader, at) => readCells(reader, at, least), json);
}

/** A rectangle, corners inclusive. */
export const RECT: Shape<readonly [row0: number, col0: number, row1: number, col1: number], Int32Array | undefined> =
  shape(readRect, { type: "array", items: COORDINATE, minItems: 4, maxItems: 4 });

function readCell(reader: SpecReader, at: Field): Cell {
  const cell = new Int32Array(2);
  if (!copyIntegers(at.value, cell, 0, 2)) refuseCell(reader, at);
  return [cell[0], cell[1]];
}

function refuseCell(reader: SpecReader, at: Field): void {
  reader.report(at, { problem: "invalid cell", got: at.value, expected: "[row, col] with 32-bit integers" });
}

/** Allocates no object for each cell, because a list can have millions of cells. */
function readCells(reader: SpecReader, at: Field, least: number): Int32Array {
  const { value } = at;
  const length = arrayLength(value);
  if (!Array.isArray(value) || length < least || length > MAX_CELLS) {
    reader.list(at, { least, most: MAX_CELLS, of: "cells" });
    return new Int32Array(0);
  }
  const cells = new Int32Array(2 * length);
  let bad = 0;
  for (let i = 0; i < length && bad < MAX_REPORTED; i++) {
    const cell: unknown = value[i];
    if (copyIntegers(cell, cells, 2 * i, 2)) continue;
    bad++;
    refuseCell(reader, new Field(cell, at, i));
  }
  return bad === 0 ? cells : new Int32Array(0);
}

/** Reads a rectangle. A side has at most 2³² − 1 cells, because the bound of a draw must fit in 32 bits. */
function readRect(reader: SpecReader, at: Field): Int32Array | undefined {
  const corners = new Int32Array(4);
  const isRead = copyIntegers(at.value, corners, 0, 4);
  const [row0, col0, row1, col1] = corners;
  const sides = [row1 - row0 + 1, col1 - col0 + 1];
  if (isRead && Math.min(...sides) >= 1 && Math.max(...sides) < 2 ** 32) return corners;
  const expected = "[row0, col0, row1, col1] with 32-bit integers, row0 ≤ row1, col0 ≤ col1, sides below 2^32";
  const finding = isRead
    ? { problem: `invalid rectangle [${corners.join(", ")}]` }
    : { problem: "invalid rectangle", got: at.value };
  reader.report(at, { ...finding, expected });
  return undefined;
}

/** Reports the first cell that is outside the grid. */
export function refuseOutside(reader: SpecReader, at: Field, cells: Int32Array, grid: GridSpec | UprightGrid): void {
  if (grid.kind === "unbounded" && !isUpright(grid)) return;
  const bounds = cellsOfGrid(grid);
  const { row0, col0, rows, cols } = bounds;
  for (let i = 0; i < cells.length; i += 2) {
    const [row, col] = [cells[i], cells[i + 1]];
    if (contains(bounds, row, col)) continue;
    const expected = `a row from ${row0} to ${row0 + rows - 1}, and a column from ${col0} to ${col0 + cols - 1}`;
    reader.report(at, { problem: `the cell [${row}, ${col}] is outside the grid`, expected }, "walk.off-grid");
    return;
  }
}

function copyIntegers(value: unknown, to: Int32Array, offset: number, length: number): boolean {
  if (!Array.isArray(value) || arrayLength(value) !== length) return false;
  for (let i = 0; i < length; i++) {
    const number: unknown = value[i];
    if (typeof number !== "number" || (number | 0) !== number) return false;
    to[offset + i] = number;
  }
  return true;
}

const SIDE = integer({ least: 1, most: 2 ** 31 - 1 });
const SIDES = {
  /** Number of rows, 1 … 2³¹ − 1. */
  rows: SIDE,
  /** Number of columns, 1 … 2³¹ − 1. */
  cols: SIDE,
  /** `axial` (the default): the grid is a rhombus. `odd-r`: it is an upright rectangle. */
  coordinates: optional(choice(["axial", "odd-r"]), "axial"),
};

export const GRID = variants("a grid", "kind", {
  unbounded: record({}),
  bounded: record(SIDES),
  torus: record(SIDES),
});
/**
 * The grid of a walk.
 *
 * - `unbounded`: all cells with 32-bit coordinates.
 * - `bounded`: the cells in rows 0 … rows − 1 and columns 0 … cols − 1. All other cells are closed.
 * - `torus`: a bounded grid whose opposite edges are joined.
 *
 * With axial coordinates (the default), a grid of rows × cols cells is a rhombus. With odd-r coordinates, it is an
 * upright rectangle. On an odd-r torus, odd and even rows must also alternate where the top and the bottom edge are
 * joined, so the number of rows must be even. All cells in a walk's spec and results are in the coordinates of its
 * grid. Use `axialToOddR` and `oddRToAxial` to convert them.
 */
export type GridSpec = InputOf<typeof GRID>;

/** Reads a grid. Leaves out `coordinates` if they are the default. */
export function readGrid(reader: SpecReader, at: Field): GridSpec {
  const grid = GRID.read(reader, at) ?? { kind: "unbounded" };
  if (grid.kind === "unbounded") return grid;
  const { kind, rows, cols, coordinates } = grid;
  if (coordinates !== "odd-r") return { kind, rows, cols };
  if (kind === "torus" && rows % 2 === 1) {
    const problem = "invalid number of rows for a torus with odd-r coordinates";
    const expected = "an even number of rows, because every second row is shifted by half a cell";
    reader.report(at.part("rows"), { problem, got: rows, expected });
  }
  return grid;
}
