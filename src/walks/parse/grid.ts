import {
  choice,
  type Field,
  type InputOf,
  integer,
  optional,
  record,
  type SpecReader,
  variants,
} from "../../spec/index.js";

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

/** Reads a grid. Leaves out coordinates that are the default. */
export function readGrid(reader: SpecReader, at: Field): GridSpec {
  const grid = GRID.read(reader, at) ?? { kind: "unbounded" };
  if (grid.kind === "unbounded") return grid;
  const { kind, rows, cols, coordinates } = grid;
  if (coordinates !== "odd-r") return { kind, rows, cols };
  if (kind === "torus" && rows % 2 === 1) {
    const problem = "invalid rows of a torus with odd-r coordinates";
    const expected = "an even number of rows, because odd rows are shifted by half a cell";
    reader.report(at.part("rows"), { problem, got: rows, expected });
  }
  return grid;
}
