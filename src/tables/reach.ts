import { error, fail, type Issue } from "../errors/index.js";
import { labelFinding, nameOf, rowName, whereOf } from "./issues.js";
import { labelsIn } from "./labels.js";
import type { TablePlan, TableSpec } from "./types.js";

/**
 * Returns the rows that a roll from `start` can visit if scripts return suitable weights. The rows are in breadth-first
 * order: `start`, then the rows that `start` jumps to, in column order, and so on. Columns of fixed weight 0 are
 * skipped. Cost: O(columns of the returned rows).
 */
export function reachableRows(plan: TablePlan, start: number): number[] {
  const seen = new Set([start]);
  for (const row of seen) {
    for (const column of columnsOf(plan, row)) {
      if (plan.target[column] < 0 && canWin(plan, column)) seen.add(~plan.target[column]);
    }
  }
  return [...seen];
}

/**
 * Returns the scripts that a roll from `start` can call, as indices into the plan's `scriptIds`. The scripts are in
 * order of first appearance. The rows are searched in the order of {@link reachableRows}, and each row column by
 * column. Cost: O(columns of these rows).
 */
export function reachableScripts(plan: TablePlan, start: number): number[] {
  const scripts = new Set<number>();
  for (const row of reachableRows(plan, start)) {
    for (const column of columnsOf(plan, row)) {
      if (plan.script[column] >= 0) scripts.add(plan.script[column]);
    }
  }
  return [...scripts];
}

/**
 * Checks that rolls can start from a row, and returns its number. The row must exist, and every roll from it must be
 * able to end. Cost: O(columns of the reachable rows).
 *
 * @param start - The number of the row, or its label.
 * @throws RollmillError `table.start` if no row or several rows match; `table.endless` if rolls can reach a row from
 * which no roll can end: whatever the scripts return, the row leads neither to a result nor to a dead row.
 */
export function checkStart(plan: TablePlan, start: unknown): number {
  const row = rowOf(plan.spec, start);
  if (row === undefined) return fail(startIssue(plan, start));
  const rows = reachableRows(plan, row);
  const ending = endingRows(plan, rows);
  const endless = rows.filter((one) => !ending.has(one));
  return endless.length === 0 ? row : fail(endlessIssue(plan, endless));
}

/** Finds a row by its number or its label, and returns its number; undefined if no row or several rows match. */
export function rowOf(spec: TableSpec, row: unknown): number | undefined {
  const number = typeof row === "string" ? labelsIn(spec).get(row) : row;
  return typeof number === "number" && number in spec.rows ? number : undefined;
}

/** Creates the issue for rows from which no roll can end. The issue's position is the first of these rows. */
export function endlessIssue(plan: TablePlan, endless: readonly number[]): Issue {
  const listed = endless.slice(0, 8).map((row) => rowName(plan.spec, row));
  const rest = endless.length > 8 ? ` or ${endless.length - 8} more rows` : "";
  return error("table.endless", {
    problem: `rolls that reach ${nameOf(plan, { row: endless[0] })} never end`,
    expected: `${listed.join(" or ")}${rest} to lead to a result or to a dead row (all weights 0)`,
    remedy: "Give one of these rows a result, or a jump to a row that has a result",
    where: whereOf(plan.spec, { row: endless[0] }),
  });
}

/** Creates the issue for a start that matches no row, or several rows. */
export function startIssue({ name, spec }: TablePlan, start: unknown): Issue {
  const table = name === undefined ? "the table" : `table ${name}`;
  const where = { file: spec.file };
  if (typeof start !== "string") {
    const problem = `the start row does not exist in ${table}`;
    return error("table.start", { problem, got: start, expected: expectedStart(spec.rows.length), where });
  }
  const problem = `invalid start row of ${table}`;
  return error("table.start", { problem, ...labelFinding(labelsIn(spec), start), where });
}

function expectedStart(rows: number): string {
  if (rows === 0) return "at least one row";
  return rows === 1 ? "row 0, the only row" : `a row from 0 to ${rows - 1}`;
}

/** Returns the columns of a row, as indices into the plan's arrays of columns. */
export function* columnsOf(plan: TablePlan, row: number): Generator<number, void, undefined> {
  for (let column = plan.rowStart[row]; column < plan.rowStart[row + 1]; column++) yield column;
}

/** Whether a column can win if its script returns a suitable weight. */
export function canWin(plan: TablePlan, column: number): boolean {
  return plan.weight[column] > 0 || plan.script[column] >= 0;
}

/**
 * Returns the rows among `rows` from which a roll can end if scripts return suitable weights. The search begins at rows
 * where a roll can end at once, and follows jumps backwards.
 */
export function endingRows(plan: TablePlan, rows: readonly number[]): Set<number> {
  const before = new Map<number, number[]>(rows.map((row) => [row, []]));
  const ending = new Set<number>();
  for (const row of rows) {
    let canDie = true;
    for (const column of columnsOf(plan, row)) {
      if (plan.weight[column] > 0) canDie = false;
      if (!canWin(plan, column)) continue;
      if (plan.target[column] >= 0) ending.add(row);
      else before.get(~plan.target[column])?.push(row);
    }
    if (canDie) ending.add(row);
  }
  for (const row of ending) for (const earlier of before.get(row) ?? []) ending.add(earlier);
  return ending;
}
