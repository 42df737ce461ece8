import { error, fail } from "../errors/index.js";
import { nameOf, whereOf } from "./issues.js";
import type { TablePlan } from "./types.js";

/**
 * The rows that a roll from `start` can visit under some script weights, breadth first: `start`, then the jumps of each
 * row in column order. A column of fixed weight 0 is skipped. Cost: O(columns of those rows).
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
 * The scripts that a roll from `start` can call, as indices into the plan's `scriptIds`, in order of first appearance
 * over {@link reachableRows}, column by column. Cost: O(columns of those rows).
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
 * Checks that rolls can start at a row and can end. Cost: O(columns of the reachable rows).
 *
 * @throws RollmillError `table.start` if the table has no such row; `table.endless` if a reachable row leads neither to
 * a result nor to a row that can be dead, whatever the scripts return.
 */
export function checkStart(plan: TablePlan, start: unknown): asserts start is number {
  const { spec } = plan;
  if (typeof start !== "number" || !Number.isInteger(start) || start < 0 || start >= spec.rows.length) {
    const table = plan.name === undefined ? "the table" : `table ${plan.name}`;
    const expected = spec.rows.length === 0 ? "at least one row" : `a row from 0 to ${spec.rows.length - 1}`;
    const problem = `${table} has no such start row`;
    return fail(error("table.start", { problem, got: start, expected, where: { file: spec.file } }));
  }
  const rows = reachableRows(plan, start);
  const ending = endingRows(plan, rows);
  const endless = rows.filter((row) => !ending.has(row));
  if (endless.length === 0) return;
  const more = endless.length > 8 ? ` and ${endless.length - 8} more` : "";
  fail(
    error("table.endless", {
      problem: `${nameOf(plan, { row: endless[0] })} never ends: rolls from here reach no result and no row that can be dead`,
      expected: `a way out of the loop of rows ${endless.slice(0, 8).join(", ")}${more}`,
      remedy: "Give one of them a result, or a jump to a row that has one",
      where: whereOf(spec, { row: endless[0] }),
    }),
  );
}

/** The columns of a row, as positions in the plan's arrays. */
export function* columnsOf(plan: TablePlan, row: number): Generator<number, void, undefined> {
  for (let column = plan.rowStart[row]; column < plan.rowStart[row + 1]; column++) yield column;
}

/** Whether a column can win under some script weights. */
function canWin(plan: TablePlan, column: number): boolean {
  return plan.weight[column] > 0 || plan.script[column] >= 0;
}

/**
 * The rows from which a roll can end under some script weights. Searches backwards from the rows where it can end at
 * once.
 */
function endingRows(plan: TablePlan, rows: readonly number[]): Set<number> {
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
