import { arrayLength } from "../../errors/index.js";
import { Field, type SpecReader } from "../../spec/index.js";
import type { GridSpec } from "../types.js";

/** As a JSON text, a list of so many cells has about 100 MiB. */
const MAX_CELLS = 10_000_000;
const MAX_REPORTED = 20;

interface CellBounds {
  readonly least: number;
  readonly grid: GridSpec;
}

/**
 * Reads a list of [row, col] pairs as row, col, row, col, … Makes no object for a cell, because a list can have
 * millions of cells.
 */
export function readCells(reader: SpecReader, at: Field, { least, grid }: CellBounds): Int32Array {
  const { value } = at;
  const length = arrayLength(value);
  if (!Array.isArray(value) || length < least || length > MAX_CELLS) {
    reader.list(at, { least, most: MAX_CELLS, of: "cells" });
    return new Int32Array(0);
  }
  return reader.guard(at, new Int32Array(0), () => {
    const cells = new Int32Array(2 * length);
    let bad = 0;
    for (let i = 0; i < length && bad < MAX_REPORTED; i++) {
      const cell: unknown = value[i];
      if (copyIntegers(cell, cells, 2 * i, 2)) continue;
      bad++;
      const problem = "invalid cell";
      reader.report(new Field(cell, at, i), { problem, got: cell, expected: "[row, col] with 32-bit integers" });
    }
    if (bad === 0) refuseOutside(reader, at, { cells, grid });
    return cells;
  });
}

/** Returns undefined for anything but a list of `length` 32-bit integers. */
export function readIntegers(reader: SpecReader, at: Field, length: number): Int32Array | undefined {
  const numbers = new Int32Array(length);
  return reader.guard(at, false, () => copyIntegers(at.value, numbers, 0, length)) ? numbers : undefined;
}

/** Reports the first cell that is outside the grid. */
export function refuseOutside(
  reader: SpecReader,
  at: Field,
  { cells, grid }: { readonly cells: Int32Array; readonly grid: GridSpec },
): void {
  if (grid.kind === "unbounded") return;
  const { rows, cols } = grid;
  for (let i = 0; i < cells.length; i += 2) {
    const [row, col] = [cells[i], cells[i + 1]];
    if (row >= 0 && row < rows && col >= 0 && col < cols) continue;
    const expected = `a row from 0 to ${rows - 1}, and a column from 0 to ${cols - 1}`;
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
