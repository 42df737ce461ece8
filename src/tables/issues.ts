import { error, type Issue, type Where } from "../errors/index.js";
import { MAX_WEIGHT, type TablePlan, type TableSpec } from "./types.js";

/** A column of a row, both from 0, and one of its two cells; without a column, the row itself. */
interface Place {
  readonly row: number;
  readonly column?: number;
  readonly cell?: "target" | "weight";
}

/** The position of a part of a table: line and column in its file, or a path in its object. */
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
export function nameOf({ name, spec }: Pick<TablePlan, "name" | "spec">, { row, column }: Place): string {
  const parts = [name === undefined ? "" : `table ${name}`, `row ${row}${labelOf(spec, row)}`];
  if (column !== undefined) parts.push(`column ${column}`);
  return parts.filter((part) => part !== "").join(", ");
}

function labelOf(spec: TableSpec, row: number): string {
  const { label } = spec.rows[row];
  if (label === undefined || label === "") return "";
  return ` (${label.length > 30 ? `${label.slice(0, 29)}…` : label})`;
}

/** The issue of a row whose weights exceed 2³² − 1 in total because of its scripts. */
export function totalIssue(plan: TablePlan, row: number, total: number): Issue {
  return error("weights.overflow", {
    problem: `${nameOf(plan, { row })}: the total of the row's weights is too large`,
    got: total,
    expected: `at most ${MAX_WEIGHT}`,
    remedy: "Let its scripts return smaller weights",
    where: whereOf(plan.spec, { row }),
  });
}

/** The issue of a roll that reached the limit on rows. */
export function hopsIssue(plan: TablePlan, row: number, { maxHops, index }: { maxHops: number; index: number }): Issue {
  return error("table.hops", {
    problem: `${nameOf(plan, { row })}: roll ${index} has no result after ${maxHops} rows, the limit`,
    remedy: "Look for rows that mostly jump to each other, or raise maxHops",
    where: whereOf(plan.spec, { row }),
  });
}

/** The issue of a roll that ended on a dead row, with `onDead: "throw"`. */
export function deadIssue(plan: TablePlan, { start, index }: { start: number; index: number }): Issue {
  const table = plan.name === undefined ? "" : `table ${plan.name}: `;
  return error("table.dead", {
    problem: `${table}roll ${index} from row ${start} ended on a dead row: all weights of the row are 0`,
    remedy: 'Accept null (onDead: "null"), or give a positive weight to every row that a roll can reach',
  });
}
