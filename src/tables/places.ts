import type { Where } from "../errors/index.js";
import type { TableSpec } from "./types.js";

/** A column of a row, both from 0, and which of its two cells is meant; without a column, the row itself. */
export interface Place {
  readonly row: number;
  readonly column?: number;
  readonly cell?: "target" | "weight";
}

/** Where a part of a table stands: line and column in its file, or a path in its object. */
export function whereOf(spec: TableSpec, { row, column, cell = "weight" }: Place): Where {
  const { line, places } = spec.rows[row];
  if (line !== undefined) {
    const index = column === undefined ? -1 : 2 * column + (cell === "weight" ? 1 : 0);
    return { file: spec.file, line, column: places?.[index] ?? 1 };
  }
  const inRow = column === undefined ? "" : `.columns[${column}]${cell === "weight" ? ".weight" : ""}`;
  return { file: spec.file, path: `rows[${row}]${inRow}` };
}

/** Names a row, and a column of it, in a message: `table loot, row 1 (Set1), column 0`. */
export function nameOf(spec: TableSpec, { row, column }: Place): string {
  const parts = [spec.name === undefined ? "" : `table ${spec.name}`, `row ${row}${labelOf(spec, row)}`];
  if (column !== undefined) parts.push(`column ${column}`);
  return parts.filter((part) => part !== "").join(", ");
}

function labelOf(spec: TableSpec, row: number): string {
  const { label } = spec.rows[row];
  if (label === undefined || label === "") return "";
  return ` (${label.length > 30 ? `${label.slice(0, 29)}…` : label})`;
}
