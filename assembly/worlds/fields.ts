// The operations of fields on rows of counts: i32 or u32, one for each cell. A row of counts has room for whole
// vectors.

import { FIELD_MOST, Position } from "./layout";

const VECTOR: usize = sizeof<v128>();

function endOf(row: usize, cols: i32): usize {
  return row + ((<usize>cols) << 2);
}

export function setRow(row: usize, value: i32, cols: i32): void {
  const values = i32x4.splat(value);
  for (const end = endOf(row, cols); row < end; row += VECTOR) v128.store(row, values);
}

export function addRow(row: usize, other: usize, factor: i32, cols: i32): void {
  const factors = i32x4.splat(factor);
  for (const end = endOf(row, cols); row < end; row += VECTOR, other += VECTOR) {
    v128.store(row, i32x4.add(v128.load(row), i32x4.mul(v128.load(other), factors)));
  }
}

/** Divides by `divisor` ≥ 1, rounds down, and clamps to 0 … FIELD_MOST. */
export function divideRow(row: usize, divisor: i32, cols: i32): void {
  for (const end = endOf(row, cols); row < end; row += 4) {
    // a negative sum becomes 0 in any case, so the quotient may be rounded towards 0
    store<i32>(row, min(FIELD_MOST, max(0, load<i32>(row) / divisor)));
  }
}

export function leastRow(row: usize, other: usize, cols: i32): void {
  for (const end = endOf(row, cols); row < end; row += VECTOR, other += VECTOR) {
    v128.store(row, i32x4.min_u(v128.load(row), v128.load(other)));
  }
}

export function mostRow(row: usize, other: usize, cols: i32): void {
  for (const end = endOf(row, cols); row < end; row += VECTOR, other += VECTOR) {
    v128.store(row, i32x4.max_u(v128.load(row), v128.load(other)));
  }
}

/** Replaces each count c by entry min(c, last) of a table of u16. */
export function lookUpRow(row: usize, table: usize, last: u32, cols: i32): void {
  for (const end = endOf(row, cols); row < end; row += 4) {
    store<u32>(row, load<u16>(table + ((<usize>min(load<u32>(row), last)) << 1)));
  }
}

export function widenRow(bytes: usize, row: usize, cols: i32): void {
  for (const end = endOf(row, cols); row < end; row += 4, ++bytes) store<u32>(row, load<u8>(bytes));
}

/**
 * Writes the distances from the cells of a row to a cell, at most 2^32 − 1. The first cell is (row, col), with an axial
 * column. If `oddR` is 1, the column of `to` is odd-r.
 */
export function positionRow(to: Position, oddR: u32, row: i32, col: i32, out: usize, cols: i32): void {
  const down = <i64>row - to.row;
  const toCol = <i64>to.col - (oddR ? to.row >> 1 : 0);
  for (let right = <i64>col - toCol, end = endOf(out, cols); out < end; out += 4, ++right) {
    const far = max(max(down, -down), max(right, -right));
    store<u32>(out, <u32>min(<i64>u32.MAX_VALUE, max(far, max(down + right, -down - right))));
  }
}

/** Returns how many rows lie between a row and the row of a cell, as u32. */
export function rowsTo(to: Position, row: i32): i32 {
  const down = <i64>row - to.row;
  return <i32>max(down, -down);
}

/** Stores a row of values as u16. Writes whole vectors. */
export function storeRow(row: usize, out: usize, cols: i32): void {
  for (const end = endOf(row, cols); row < end; row += 2 * VECTOR, out += VECTOR) {
    v128.store(out, i16x8.narrow_i32x4_u(v128.load(row), v128.load(row, VECTOR)));
  }
}
